"""What a customer says of a field, to begin with; the owner corrects it."""

from __future__ import annotations

from mystery_shopper.catalog import Kind
from mystery_shopper.sources.infer.foreign import is_price
from mystery_shopper.sources.infer.guess import Guess
from mystery_shopper.sources.infer.names import Called, has, words_of

_COLOURS = ("colour", "color", "farbe", "couleur", "kleur")
_STUFF = ("material", "fabric")


def says(guess: Guess, named: Called, *, plain: bool, year: bool) -> dict[str, str]:
    """Operator (of a flag `wanted` and `unwanted`) -> phrase. `plain`: a second field of the same
    sort, which must not take the phrase of the first; `year`: of years."""
    label, unit = named.label, f" {named.unit or guess.unit}".rstrip()
    words = () if plain else words_of(guess.name)
    if guess.kind is Kind.FLAG:
        return _flag_says(label)
    if guess.kind is not None and guess.kind.is_ordered:
        if not plain and is_price(guess.name):
            return {
                ">=": f"it should cost {{value}}{unit} or more",
                "<=": f"it should cost {{value}}{unit} or less",
            }
        if year:
            return {
                ">=": f"the {label} should be {{value}} or later",
                "<=": f"the {label} should be {{value}} or earlier",
            }
        return {
            ">=": f"the {label} should be {{value}}{unit} or more",
            "<=": f"the {label} should be {{value}}{unit} or less",
        }
    operator = "within" if guess.parents else "contains"
    if has(words, *_COLOURS):
        return {operator: "it should come in {value}"}
    if has(words, *_STUFF):
        return {operator: "it should be made of {value}"}
    return {operator: f"the {label} should be {{value}}"}


def kind_of_phrase(guess: Guess) -> str | None:
    """Which of the phrases above that name no label the field would take."""
    words = words_of(guess.name)
    if is_price(guess.name):
        return "price"
    for sort in (_COLOURS, _STUFF):
        if has(words, *sort):
            return sort[0]
    return None


def _flag_says(label: str) -> dict[str, str]:
    first, _, rest = label.partition(" ")
    if first in ("is", "in", "on") and rest:
        quality = rest if first == "is" else label
        return {"wanted": f"it should be {quality}", "unwanted": f"it should not be {quality}"}
    if first in ("has", "with") and rest:
        return {"wanted": f"it should have {rest}", "unwanted": f"it should have no {rest}"}
    return {"wanted": f"it should be {label}", "unwanted": f"it should not be {label}"}
