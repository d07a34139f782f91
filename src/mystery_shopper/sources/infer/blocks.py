"""Shipped words that fit a field: blocks by its name, lists and hierarchies by its labels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec

from mystery_shopper.catalog import fold
from mystery_shopper.catalog.domain import shared_table
from mystery_shopper.catalog.words import shared_block, shared_words
from mystery_shopper.sources.infer.names import singular


@dataclass(frozen=True)
class Shipped:
    """Names of shipped word files: blocks of a field's words with the plain nouns of each, lists of
    values, and hierarchies with their labels."""

    blocks: dict[str, frozenset[str]]
    lists: dict[str, frozenset[str]]
    trees: dict[str, frozenset[str]]


@cache
def shipped() -> Shipped:
    """What the package holds. A file that is of neither shape is passed over."""
    blocks: dict[str, frozenset[str]] = {}
    lists: dict[str, frozenset[str]] = {}
    for name in _names("words"):
        try:
            nouns = shared_block(name).nouns
            plain = {noun for noun in nouns if noun.replace(" ", "").isalpha()}
            blocks[name] = frozenset({name.replace("_", " "), *plain})
        except (msgspec.MsgspecError, ValueError):
            try:
                lists[name] = frozenset(map(fold, shared_words(name)))
            except (msgspec.MsgspecError, ValueError):
                continue
    trees: dict[str, frozenset[str]] = {}
    for name in _names("hierarchies"):
        try:
            table = shared_table(name)
            below = [child for many in table.values() if isinstance(many, list) for child in many]
            trees[name] = (
                frozenset(fold(str(label)) for label in (*table, *below))
                if below
                else (frozenset())
            )
        except msgspec.MsgspecError:
            continue
    return Shipped(blocks, lists, trees)


def _names(folder: str) -> list[str]:
    place = resources.files("mystery_shopper") / "data" / folder
    return sorted(f.name[:-5] for f in place.iterdir() if f.name.endswith(".yaml"))


def block_for(label: str) -> str | None:
    """The block of words of a field that people call so: by the whole of the label, else by its
    last word; a block's own name goes before its nouns."""
    known = shipped().blocks
    words = label.split()
    for text in dict.fromkeys((label, singular(label), *words[-1:], singular(words[-1]))):
        if text.replace(" ", "_") in known:
            return text.replace(" ", "_")
        for name, nouns in known.items():
            if text in nouns:
                return name
    return None


def lists_for(labels: Collection[str]) -> str | None:
    """The list of values that holds most of these labels; None where none holds half of them."""
    return _most(labels, shipped().lists, 0.5)


def tree_for(labels: Collection[str]) -> str | None:
    """The hierarchy that holds at least half of these labels; None where none does."""
    return _most(labels, shipped().trees, 0.5)


def _most(labels: Collection[str], known: dict[str, frozenset[str]], least: float) -> str | None:
    keys = {fold(label) for label in labels}
    if len(keys) < 3:
        return None
    best = max(known, key=lambda name: len(keys & known[name]), default=None)
    if best is None or len(keys & known[best]) < least * len(keys):
        return None
    return best
