"""Acceptable items that an agent names in its words without tagging them as proposals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import Catalogue, Item, Predicate, all_match
from mystery_shopper.catalog.bits import Bits, count_bits, full_bits, positions_of
from mystery_shopper.catalog.columns import TextColumn
from mystery_shopper.catalog.sets import sift
from mystery_shopper.suites.tau_rec.task import Family

SHORTEST = 4
FEW = 5_000
"""Up to so many acceptable items are held against a text one by one."""
FAMILIES = 32
"""The acceptable items of so many families are kept."""
SMALL, SMALL_FAMILIES = 100_000, 512
"""Up to so many items all titles are held decoded, and more families' answers are kept."""

Opening: TypeAlias = tuple[str, ...]
"""The first two words, empty where there are fewer."""
_WORD = re.compile(r"[^\W_]+")
_OPENING = re.compile(r"[\W_]*([^\W_]*)[\W_]*([^\W_]*)")
_ID = re.compile(r"[^\s\[\](){}<>\"'“”‘’,;!?*`]+")
_TAG = re.compile(r"\[\[\s*candidate_id\s*:[^\[\]\n]+\]\]")


class _Answers(NamedTuple):
    """The items that meet a family's predicates: few by their titles in the order of positions, or
    many as a bit set."""

    few: tuple[tuple[str, int], ...]
    many: Bits | None


class _Openings(NamedTuple):
    """The hashes of all titles' openings, ascending, and their positions."""

    hashes: NDArray[np.uint32]
    positions: NDArray[np.int32]


@dataclass(frozen=True)
class Names:
    """The names of a catalogue's items, as far as a text could name one that a family accepts.

    Only the acceptable items matter, and they are mostly few: they are found once a family. Where
    they are many the text leads to them, by the first two words of every title of the catalogue;
    that list takes some microseconds an item to make, and 8 bytes an item to keep.
    """

    catalogue: Catalogue

    def named(self, text: str, predicates: tuple[Predicate, ...]) -> Iterator[tuple[str, Item]]:
        """(title or id, item) of what meets the predicates and may be named: titles that the text
        holds, in the order of positions, then ids; perhaps repeated. Whether a title stands there
        as words of its own is not looked at yet."""
        words = _WORD.findall(text)
        openings: set[Opening] = {("", ""), *((word, "") for word in words), *pairwise(words)}
        answers = self._answers(predicates)
        titles = answers.few
        if answers.many is not None:
            found = self._opened(openings, answers.many)
            titles = ((self.catalogue.item(place).title, place) for place in found)
        for title, position in titles:
            if title in text and _opening(title) in openings:
                yield title, self.catalogue.item(position)
        for token in dict.fromkeys(_ID.findall(text)):
            item = self.catalogue.find(token) or self.catalogue.find(token.rstrip(".:"))
            if item is not None and all_match(predicates, item):
                yield item.id, item

    @cached_property
    def _answers(self) -> Callable[[tuple[Predicate, ...]], _Answers]:
        catalogue = self.catalogue

        def answers(predicates: tuple[Predicate, ...]) -> _Answers:
            everything = full_bits(len(catalogue))
            bits = reduce(np.bitwise_and, (one.mask(catalogue) for one in predicates), everything)
            if count_bits(bits) > FEW:
                return _Answers((), bits)
            positions = positions_of(bits).tolist()
            return _Answers(tuple((title(one), one) for one in positions), None)

        small = len(catalogue) <= SMALL
        title = list(_titles(catalogue)).__getitem__ if small else self._title
        return lru_cache(maxsize=SMALL_FAMILIES if small else FAMILIES)(answers)

    def _title(self, position: int) -> str:
        return self.catalogue.item(position).title

    @cached_property
    def _openings(self) -> _Openings:
        titles = _titles(self.catalogue)
        keys = (_key(_opening(title)) for title in titles)
        hashes = np.fromiter(keys, np.uint32, len(self.catalogue))
        positions = np.argsort(hashes, kind="stable").astype(np.int32)
        return _Openings(hashes[positions], positions)

    def _opened(self, openings: set[Opening], among: Bits) -> list[int]:
        """The positions of the set whose titles may have one of the openings, ascending."""
        known = self._openings
        keys = np.array(sorted({_key(opening) for opening in openings}), np.uint32)
        begin = known.hashes.searchsorted(keys, "left").tolist()
        end = known.hashes.searchsorted(keys, "right").tolist()
        runs = [known.positions[a:b] for a, b in zip(begin, end, strict=True)]
        return np.sort(sift(np.concatenate(runs).astype(np.int64), among)).tolist()


def _titles(catalogue: Catalogue) -> Iterator[str]:
    """`Item.title` of every item, read in one go."""
    column = catalogue.columns[catalogue.domain.title]
    texts = column.texts if isinstance(column, TextColumn) else (None,) * len(catalogue)
    return (text or catalogue.ids[place] for place, text in enumerate(texts))


def _opening(title: str) -> Opening:
    found = _OPENING.match(title)
    return ("", "") if found is None else found.groups("")


def _key(opening: Opening) -> int:
    return hash(opening) & 0xFFFFFFFF


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
        for name, item in names.named(spoken, family.predicates)
        if item.id not in tagged and name not in proposed
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
