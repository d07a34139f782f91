"""Columns that nest: a subcategory whose every label stands under one label of another column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mystery_shopper.catalog import Kind
from mystery_shopper.sources.infer.guess import Guess
from mystery_shopper.sources.infer.names import has, words_of

_LEVELS = ("category", "subcategory", "department", "section", "group", "subgroup", "type", "class",
           "subclass", "level", "family", "subtype", "genre", "subgenre", "shelf")  # fmt: skip
_HOLDS = 0.98
_MOST = 2_000


def nests_of(guesses: Sequence[Guess]) -> dict[str, str]:
    """Column -> the column that its labels nest in, the nearest one where there are several."""
    levels = [
        guess
        for guess in guesses
        if guess.kind is Kind.CATEGORY
        and has(words_of(guess.name), *_LEVELS)
        and 2 <= len(guess.labels) <= _MOST
    ]
    found: dict[str, str] = {}
    for child in levels:
        wider = [one for one in levels if len(one.labels) < len(child.labels) and nest(child, one)]
        if wider:
            found[child.name] = max(wider, key=lambda one: len(one.labels)).name
    return found


def nest(child: Guess, parent: Guess) -> bool:
    """Whether nearly all rows have the parent that is usual for their child, and the children come
    often enough (three times on average) that this is no accident."""
    pairs = Counter(
        pair
        for pair in zip(child.column.cells, parent.column.cells, strict=True)
        if pair[0] in child.labels and pair[1] in parent.labels
    )
    total = pairs.total()
    if total < 3 * len(child.labels):
        return False
    usual: Counter[object] = Counter()
    for (label, _), count in pairs.items():
        usual[label] = max(usual[label], count)
    return usual.total() >= _HOLDS * total
