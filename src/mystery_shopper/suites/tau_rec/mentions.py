"""Acceptable items that an agent names in its words without tagging them as proposals."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from mystery_shopper.catalog import Catalogue, Item, all_match
from mystery_shopper.suites.tau_rec.task import Family

SHORTEST = 4
Opening: TypeAlias = tuple[str, ...]
_WORD = re.compile(r"[^\W_]+")
_ID = re.compile(r"[^\s\[\](){}<>\"'“”‘’,;!?*`]+")
_TAG = re.compile(r"\[\[\s*candidate_id\s*:[^\[\]\n]+\]\]")


@dataclass(frozen=True)
class Names:
    """The titles of a catalogue by their first two words, so that a text is held only against those
    that it could name. Build one a catalogue: it takes some microseconds an item."""

    catalogue: Catalogue
    by_opening: Mapping[Opening, tuple[int, ...]]

    @classmethod
    def of(cls, catalogue: Catalogue) -> Names:
        """The names of a catalogue's items."""
        index: dict[Opening, list[int]] = {}
        for position in range(len(catalogue)):
            words = _WORD.findall(catalogue.item(position).title)
            index.setdefault(tuple(words[:2]), []).append(position)
        return cls(catalogue, {opening: tuple(found) for opening, found in index.items()})

    def named(self, text: str) -> Iterator[tuple[str, Item]]:
        """(title or id, item) of what the text may name, in no order and perhaps repeated; whether
        a title really stands there is not looked at yet."""
        words = _WORD.findall(text)
        openings: set[Opening] = {(), *((word,) for word in words), *pairwise(words)}
        for opening in openings:
            for position in self.by_opening.get(opening, ()):
                item = self.catalogue.item(position)
                yield item.title, item
        for token in _ID.findall(text):
            item = self.catalogue.find(token) or self.catalogue.find(token.rstrip(".:"))
            if item is not None:
                yield item.id, item


def untagged(names: Names, family: Family, texts: Sequence[str], tagged: Mapping[str, str]) -> int:
    """How many items that meet all predicates of the family stand in the texts by title or id and
    were never proposed.

    `tagged`: id -> title of what was proposed. A title counts where it stands between other than
    letters and digits; titles of fewer than four characters are passed over, since they are mostly
    common words, and so are ids with spaces. Of names within one another the longest counts, and a
    title that a proposed item shares does not.
    """
    spoken = _TAG.sub(" ", "\n".join(texts))
    proposed = set(tagged.values())
    open_names = {
        name: item.id
        for name, item in names.named(spoken)
        if item.id not in tagged
        and name not in proposed
        and name in spoken
        and all_match(family.predicates, item)
    }
    found: set[str] = set()
    for name in sorted((*open_names, *proposed), key=lambda name: (-len(name), name)):
        if stands_alone(name, spoken):
            found.update({open_names[name]} if name in open_names else ())
            spoken = spoken.replace(name, "\n")
    return len(found)


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
