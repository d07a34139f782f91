"""The sets behind structured search: who bears a label, whose number is within a bound.

Sets are made when first asked for and kept. None of the arrays handed out may be written to; the
kept bit sets are read-only.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from mystery_shopper.catalog.bits import Bits, Positions, pack_bits
from mystery_shopper.catalog.columns import LabelColumn, NumberColumn
from mystery_shopper.catalog.fields import Hierarchy, fold

DENSE_SHARE = 256
"""A label that at least one item in 256 bears is kept as a bit set. At 1,000,000 items such a set
takes 125 kB, and no field has more of them than 256 x its labels an item."""
MOST_DISTINCT = 256
"""Up to this many distinct values an ordered field keeps a bit set for each bound."""


class Members(NamedTuple):
    """A set of positions: a bit set, or for few bearers their positions, ascending."""

    bits: Bits | None
    positions: Positions


_NO_POSITIONS = np.empty(0, np.int64)


def frozen_bits(mask: NDArray[np.bool_]) -> Bits:
    """The mask as a bit set that cannot be written to."""
    bits = pack_bits(mask)
    bits.setflags(write=False)
    return bits


class LabelSets:
    """Who bears each label of one field, a parent's bearers including those of its descendants."""

    def __init__(self, column: LabelColumn, hierarchy: Hierarchy) -> None:
        self._column = column
        self._codes: dict[str, list[int]] = {}
        self._spelling: dict[str, str] = {}
        self._members: dict[str, Members] = {}
        for code, label in enumerate(column.labels):
            for name in (label, *hierarchy.ancestors(label)):
                self._codes.setdefault(fold(name), []).append(code)
            self._spelling[fold(label)] = label
        for key in self._codes:
            self._spelling.setdefault(key, hierarchy.labels.get(key, key))

    def get(self, label: str) -> Members | None:
        """Those who bear the label, whatever its case; None where nobody can."""
        found = self._members.get(label)
        if found is not None:
            return found
        key = fold(label)
        found = self._members.get(key)
        if found is None and key in self._codes:
            found = self._make(self._codes[key])
            self._members[key] = self._members[self._spelling[key]] = found
        return found

    def _make(self, codes: Sequence[int]) -> Members:
        size = len(self._column)
        if len(codes) == 1:
            positions = self._column.bearers(codes[0])
            if len(positions) * DENSE_SHARE < size:
                return Members(None, positions)
        mask = np.zeros(size, np.bool_)
        for code in codes:
            mask[self._column.bearers(code)] = True
        if int(np.count_nonzero(mask)) * DENSE_SHARE < size:
            return Members(None, np.flatnonzero(mask))
        return Members(frozen_bits(mask), _NO_POSITIONS)

    def vocabulary(self, asked: str) -> list[str]:
        """Every label that can be asked for: the nearest spellings first, the rest by alphabet."""
        return nearest_first(asked, list(self._spelling.values()))


def nearest_first(asked: str, labels: Sequence[str], near: int = 10) -> list[str]:
    """The labels, up to `near` of similar spelling first (rapidfuzz WRatio >= 60), then the rest by
    their folded forms. Only the first 100 characters asked for count."""
    known = {fold(label): label for label in labels}
    keys = sorted(known)
    hits = process.extract(fold(asked[:100]), keys, scorer=fuzz.WRatio, limit=near, score_cutoff=60)
    nearest = [str(hit[0]) for hit in hits]
    first = set(nearest)
    return [known[key] for key in nearest] + [known[key] for key in keys if key not in first]


class BoundSets:
    """Whose number is at most, or at least, a bound. A missing number is within no bound."""

    def __init__(self, column: NumberColumn) -> None:
        self._numbers = column.numbers
        present = column.numbers[~np.isnan(column.numbers)]
        self._distinct: list[float] | None = None
        if len(distinct := np.unique(present)) <= MOST_DISTINCT:
            self._distinct = distinct.tolist()
        self._ranked: dict[tuple[bool, int], Bits] = {}
        self._compared = lru_cache(maxsize=64)(self._compare)

    def at_least(self, bound: float) -> Bits:
        """Number >= bound. A NaN bound is met by nobody."""
        return self._get(bound, True)

    def at_most(self, bound: float) -> Bits:
        """Number <= bound. A NaN bound is met by nobody."""
        return self._get(bound, False)

    def _get(self, bound: float, lower: bool) -> Bits:
        if self._distinct is None or bound != bound:
            return self._compared(bound, lower)
        rank = bisect_left(self._distinct, bound) if lower else bisect_right(self._distinct, bound)
        kept = self._ranked.get((lower, rank))
        if kept is None:
            kept = self._ranked[lower, rank] = self._compare(bound, lower)
        return kept

    def _compare(self, bound: float, lower: bool) -> Bits:
        return frozen_bits(self._numbers >= bound if lower else self._numbers <= bound)


def sift(positions: Positions, bits: Bits) -> Positions:
    """Those of the positions that the bit set holds."""
    words = bits[positions >> 6] >> (positions & 63).view(np.uint64)
    return positions[(words & np.uint64(1)).view(np.int64).nonzero()[0]]


def intersect(sets: Sequence[Members]) -> tuple[Bits | None, Positions]:
    """The positions that every one of at least one sets holds: as bits, or few as positions."""
    dense = [members.bits for members in sets if members.bits is not None]
    few = [members.positions for members in sets if members.bits is None]
    if few:
        few.sort(key=len)
        positions = few[0]
        for other in few[1:]:
            place = other.searchsorted(positions)
            place[place == len(other)] = 0
            positions = positions[other[place] == positions] if len(other) else other
        for bits in dense:
            positions = sift(positions, bits)
        return None, positions
    found = dense[0]
    if len(dense) > 1:
        found = dense[0] & dense[1]
        for bits in dense[2:]:
            np.bitwise_and(found, bits, out=found)
    return found, _NO_POSITIONS
