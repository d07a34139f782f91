"""How people speak about a catalogue: the words by which a field is asked about.

Phrases are written in lower case without accents, contractions spelt out ("what is", "do not"),
hyphens as spaces. A pattern is a phrase that may also hold `(a|b c|)`, alternatives of which one
may be empty; `*`, up to five words; and `{name}`, any entry of a shipped list of words. `{item}`
are the nouns for an item, `{other}` the domain's `others`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources

import msgspec

from mystery_shopper.catalog.reading import nearest

_OWN_LISTS = ("item", "other", "title")
"""Lists that a domain's own nouns make up."""
_LISTED = re.compile(r"\{([^{}|()\s]*)\}?")


class FieldWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a message shows that it speaks of one field.

    `also`: shipped blocks of words of this same shape, added to these. `nouns`: patterns that name
    the field; plurals are added. `phrases`: patterns that name it without its noun, in questions
    and requests only ("how new"). `values`: phrases for values that are no label of the vocabulary;
    `lists`: shipped lists of more of them. `weak`: values that are ordinary words as well, which
    count only where alternatives are offered. `numbers`: the least and the greatest bare number
    that is a value. `borrows`: lists of another field's values that are this field's when the
    question names this field ("French", asked about a country). `foreign`: nouns and values in
    other languages. `senses`: patterns in which the field's words mean something else. `contexts`:
    patterns that turn the clause around them away from the field. `ignore`: labels of the
    vocabulary that are no sign of the field.
    """

    also: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    numbers: tuple[int, int] | None = None
    borrows: tuple[str, ...] = ()
    foreign: tuple[str, ...] = ()
    senses: tuple[str, ...] = ()
    contexts: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def blocks(self) -> tuple[FieldWords, ...]:
        """These words and the shipped blocks they name. ValueError on an unknown name."""
        return (self, *(shared_block(name) for name in self.also))


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
    return msgspec.yaml.decode(_shipped(name), type=tuple[str, ...])


@cache
def shared_block(name: str) -> FieldWords:
    """A shipped block of a field's words by name; ValueError where there is none of that name."""
    return msgspec.yaml.decode(_shipped(name), type=FieldWords)


@cache
def block_names() -> tuple[str, ...]:
    """The shipped blocks of a field's words, in alphabetical order."""
    return tuple(name for name in _names() if _is(shared_block, name))


@cache
def list_names() -> tuple[str, ...]:
    """The shipped lists of words, in alphabetical order."""
    return tuple(name for name in _names() if _is(shared_words, name))


def word_problems(words: FieldWords) -> list[str]:
    """The names of blocks and lists that are not there, each with the key that names them."""
    problems = [
        f"also: there is no block {name!r}; there are: {', '.join(nearest(name, block_names()))}"
        for name in words.also
        if not _is(shared_block, name)
    ]
    for key, names in (("lists", words.lists), ("borrows", words.borrows)):
        problems += [f"{key}: {_no_list(name)}" for name in names if not _is(shared_words, name)]
    return [*problems, *pattern_problems(words)]


def pattern_problems(words: FieldWords | DomainWords) -> list[str]:
    """The same of patterns: `{name}` of a list that is not there."""
    return [
        f"{key}: {_no_list(name)} (in {pattern!r})"
        for key, pattern in _patterns(words)
        for name in _LISTED.findall(pattern)
        if name not in _OWN_LISTS and not _is(shared_words, name)
    ]


def _patterns(words: FieldWords | DomainWords) -> Iterator[tuple[str, str]]:
    """Every pattern, with its key."""
    own: tuple[tuple[str, tuple[str, ...]], ...]
    if isinstance(words, DomainWords):
        own = (("items", words.items), ("others", words.others))
    else:
        own = (
            ("nouns", words.nouns), ("phrases", words.phrases), ("values", words.values),
            ("weak", words.weak), ("foreign", words.foreign),
        )  # fmt: skip
    for key, patterns in (*own, ("senses", words.senses), ("contexts", words.contexts)):
        for pattern in patterns:
            yield key, pattern


def _no_list(name: str) -> str:
    known = ", ".join(nearest(name, list_names()))
    return f"there is no list {name!r}; there are: {known}"


def _is(read: Callable[[str], object], name: str) -> bool:
    try:
        read(name)
    except (msgspec.MsgspecError, ValueError):
        return False
    return True


def _names() -> list[str]:
    folder = resources.files("mystery_shopper") / "data" / "words"
    return sorted(file.name[:-5] for file in folder.iterdir() if file.name.endswith(".yaml"))


def _shipped(name: str) -> bytes:
    source = resources.files("mystery_shopper") / "data" / "words" / f"{name}.yaml"
    if not name.isidentifier() or not source.is_file():
        raise ValueError(f"there are no shipped words {name!r}")
    return source.read_bytes()
