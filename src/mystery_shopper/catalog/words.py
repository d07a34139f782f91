"""How people speak about a catalogue: the words by which a field is asked about.

Phrases are written in lower case without accents, contractions spelt out ("what is", "do not"),
hyphens as spaces. A pattern is a phrase that may also hold `(a|b c|)`, alternatives of which one may
be empty; `*`, up to three words; and `{list}`, any entry of a shared list of words.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

import msgspec


class FieldWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a message shows that it speaks of one field.

    `nouns`: patterns that name the field; plurals are added. `phrases`: patterns that name it
    without its noun, in questions and requests only ("how new"). `values`: phrases for values that
    are no label of the vocabulary; `lists`: shared lists of more of them. `weak`: values that are
    ordinary words as well, which count only where alternatives are offered. `numbers`: the least
    and greatest bare number that is a value. `foreign`: nouns and values in other languages.
    `senses`: patterns in which the field's words mean something else. `contexts`: patterns that
    turn the rest of their sentence away from the field. `yields`: the field's values go to another
    field that the same question names by a noun, where both know them ("French" to a country).
    `ignore`: labels of the vocabulary that are no sign of the field.
    """

    nouns: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None
    foreign: tuple[str, ...] = ()
    senses: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    yields: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()


class DomainWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words of the whole domain that are no field's.

    `items`: further nouns for an item. `others`: nouns of matters that no field covers; a value
    that only describes one of them is no question about the field ("a Swedish director").
    `senses` and `contexts`: as for a field, but for all of them.
    """

    items: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    senses: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()


@cache
def shared_words(name: str) -> tuple[str, ...]:
    """A shipped list of words by name; ValueError where there is none of that name."""
    source = resources.files("mystery_shopper") / "data" / "words" / f"{name}.yaml"
    if not name.isidentifier() or not source.is_file():
        raise ValueError(f"there is no shipped list of words {name!r}")
    return msgspec.yaml.decode(source.read_bytes(), type=tuple[str, ...])
