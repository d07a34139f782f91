"""Acceptable items that an agent names in its words without tagging them as proposals."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.bits import positions_of
from mystery_shopper.suites.tau_rec.task import Family

Names: TypeAlias = tuple[tuple[str, str], ...]
Index: TypeAlias = Mapping[str, Names]
SHORTEST = 4
_WORD = re.compile(r"[^\W_]+")
_TAG = re.compile(r"\[\[\s*candidate_id\s*:[^\[\]\n]+\]\]")


def answer_names(family: Family, catalogue: Catalogue) -> Names:
    """(id, title) of every item that meets all predicates of the family, most popular first."""
    masks = [predicate.mask(catalogue) for predicate in family.predicates]
    met = masks[0]
    for mask in masks[1:]:
        met = met & mask
    items = (catalogue.item(int(position)) for position in positions_of(met))
    return tuple((item.id, item.title) for item in items)


def index_names(names: Names) -> Index:
    """The first word of each name, id or title, -> the (name, id) that begin with it, so that a text
    is held only against what it could name."""
    index: dict[str, list[tuple[str, str]]] = {}
    for item_id, title in names:
        for name in (item_id, title):
            word = _WORD.search(name)
            index.setdefault(word.group() if word else "", []).append((name, item_id))
    return {word: tuple(found) for word, found in index.items()}


def untagged(index: Index, texts: Sequence[str], tagged: Mapping[str, str]) -> int:
    """How many of the named items stand in the texts by title or id and were never proposed.

    `tagged`: id -> title of what was proposed. A name counts where it stands between other than
    letters and digits; names of fewer than four characters are passed over, since they are mostly
    common words. Of names within one another the longest counts, and a title that a proposed item
    shares does not.
    """
    spoken = _TAG.sub(" ", "\n".join(texts))
    proposed = set(tagged.values())
    open_names = {
        name: item_id
        for word in ("", *_WORD.findall(spoken))
        for name, item_id in index.get(word, ())
        if item_id not in tagged and name not in proposed and name in spoken
    }
    named: set[str] = set()
    for name in sorted((*open_names, *proposed), key=len, reverse=True):
        if stands_alone(name, spoken):
            named.update({open_names[name]} if name in open_names else ())
            spoken = spoken.replace(name, "\n")
    return len(named)


def stands_alone(title: str, text: str) -> bool:
    """Whether the title or id occurs in the text as words of its own."""
    start = text.find(title) if len(title) >= SHORTEST else -1
    while start >= 0:
        end = start + len(title)
        before = text[start - 1] if start else " "
        after = text[end] if end < len(text) else " "
        if not (before.isalnum() or after.isalnum()):
            return True
        start = text.find(title, start + 1)
    return False
