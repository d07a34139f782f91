"""The sets behind structured search: who bears a label, whose number is within a bound.

Sets are made when first asked for and kept. None of the arrays handed out may be written to; the
kept bit sets are read-only.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from mystery_shopper.catalog.bits import Bits, Positions, pack_bits
from mystery_shopper.catalog.columns import LabelColumn, NumberColumn
from mystery_shopper.catalog.fields import Hierarchy, fold

DENSE_SHARE = 256
"""A label that at least one item in 256 bears is kept as a bit set. At 1,000,000 items such a set
takes 125 kB, and no field has more of them than 256 x its labels an item."""
KEPT_BYTES, KEPT_BOUNDS = 32 * 2**20, 64
"""What the kept bit sets of an ordered field may take, on either side; but so many are kept."""
_CHUNK = 1 << 18


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
        self._parents: dict[str, list[int]] = {}
        self._spelling: dict[str, str] = {}
        self._members: dict[str, Members] = {}
        if hierarchy:
            for code, label in enumerate(column.labels):
                for name in hierarchy.ancestors(label):
                    self._parents.setdefault(fold(name), []).append(code)
        for key, codes in self._parents.items():
            if key in column.code_of:
                codes.append(column.code_of[key])
            else:
                self._spelling[key] = hierarchy.labels.get(key, key)

    def get(self, label: str) -> Members | None:
        """Those who bear the label, whatever its case; None where nobody can."""
        found = self._members.get(label)
        if found is not None:
            return found
        key = fold(label)
        codes = self._parents.get(key)
        if codes is None:
            code = self._column.code_of.get(key)
            if code is None:
                return None
            codes = [code]
        found = self._members.get(key) or self._make(codes)
        if found.bits is not None or len(codes) > 1:
            self._members[key] = self._members[self._written(key)] = found
        return found

    def _written(self, key: str) -> str:
        code = self._column.code_of.get(key)
        return self._spelling[key] if code is None else self._column.labels[code]

    def _make(self, codes: Sequence[int]) -> Members:
        size = len(self._column)
        # Scattering by 64-bit positions is thrice as fast as by 32-bit ones.
        rows = [self._column.bearers(code).astype(np.int64) for code in codes]
        if len(rows) == 1 and len(rows[0]) * DENSE_SHARE < size:
            return Members(None, rows[0])
        mask = np.zeros(size, np.bool_)
        for positions in rows:
            mask[positions] = True
        if int(np.count_nonzero(mask)) * DENSE_SHARE < size:
            return Members(None, np.flatnonzero(mask))
        return Members(frozen_bits(mask), _NO_POSITIONS)

    def vocabulary(self, asked: str) -> list[str]:
        """Every label that can be asked for: the nearest spellings first, the rest by alphabet."""
        return _nearest(asked, *self._sorted)

    @cached_property
    def _sorted(self) -> tuple[list[str], list[str]]:
        return _by_key([*self._column.labels, *self._spelling.values()])


def nearest_first(asked: str, labels: Sequence[str], near: int = 10) -> list[str]:
    """The labels, up to `near` of similar spelling first (rapidfuzz WRatio >= 60), then the rest by
    their folded forms. Only the first 100 characters asked for count."""
    return _nearest(asked, *_by_key(labels), near)


def _by_key(labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """The folded forms, ascending, and a label of each."""
    known = {fold(label): label for label in labels}
    keys = sorted(known)
    return keys, [known[key] for key in keys]


def _nearest(asked: str, keys: list[str], labels: list[str], near: int = 10) -> list[str]:
    hits = process.extract(fold(asked[:100]), keys, scorer=fuzz.WRatio, limit=near, score_cutoff=60)
    nearest = [int(hit[2]) for hit in hits]
    first = set(nearest)
    rest = [label for place, label in enumerate(labels) if place not in first]
    return [labels[place] for place in nearest] + rest


class BoundSets:
    """Whose number is at most, or at least, a bound. A missing number is within no bound.

    Numbers are compared as the ranks of their distinct values, in 16 bits where these are few: a
    quarter of the bytes to read. The sets last asked for are kept, up to `KEPT_BYTES` of them.
    """

    def __init__(self, column: NumberColumn) -> None:
        numbers = column.numbers
        missing = np.isnan(numbers)
        self._distinct = np.unique(numbers[~missing])
        few = len(self._distinct) < 1 << 16
        # A missing number ranks above all bounds, so that `rank < r` excludes it.
        self._ranks = np.empty(len(numbers), np.uint16 if few else np.uint32)
        for start in range(0, len(numbers), _CHUNK):
            part = numbers[start : start + _CHUNK]
            self._ranks[start : start + _CHUNK] = self._distinct.searchsorted(part)
        self._ranks[missing] = len(self._distinct)
        self._present = frozen_bits(~missing) if missing.any() else None
        kept = max(KEPT_BOUNDS, KEPT_BYTES // (len(numbers) // 8 + 256))
        self._below = lru_cache(maxsize=kept)(self._ranked_below)
        self._above = lru_cache(maxsize=kept)(self._ranked_above)

    def at_least(self, bound: float) -> Bits:
        """Number >= bound. A NaN bound is met by nobody."""
        none = bound != bound
        return self._above(len(self._distinct) if none else self._rank(bound, "left"))

    def at_most(self, bound: float) -> Bits:
        """Number <= bound. A NaN bound is met by nobody."""
        return self._below(0 if bound != bound else self._rank(bound, "right"))

    def _rank(self, bound: float, side: Literal["left", "right"]) -> int:
        return int(self._distinct.searchsorted(bound, side))

    def _ranked_below(self, rank: int) -> Bits:
        return frozen_bits(self._ranks < rank)

    def _ranked_above(self, rank: int) -> Bits:
        if rank == len(self._distinct):
            return frozen_bits(np.zeros(len(self._ranks), np.bool_))
        bits = pack_bits(self._ranks >= rank)
        if self._present is not None:
            bits &= self._present
        bits.setflags(write=False)
        return bits


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
