"""One declined field: the list of requirements it may hide, over the candidates' values.

Candidates that satisfy the same hypotheses form a *group*, so an axis speaks of groups and never
of items. No table of all groups against all hypotheses is ever made.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int64]
Short: TypeAlias = NDArray[np.int32]
Counts: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = NDArray[np.float32]

BLOCK = 2**20
"""How many numbers a table that is made in passing holds."""
SPARE = 2**16
"""A table of this size is made however few of its places are filled."""


def product(one: Weights, other: Weights) -> Weights:
    """The matrix product of small counts, which 32-bit floats hold exactly. Some builds of the
    linear algebra library raise the processor's flag for invalid numbers where there is none."""
    with np.errstate(invalid="ignore"):
        return one @ other


class Axis(Protocol):
    """The hypotheses about one field."""

    @property
    def size(self) -> int:
        """How many hypotheses there are."""
        ...

    @property
    def groups(self) -> Short:
        """The group of each candidate, aligned with the candidates."""
        ...

    @property
    def counts(self) -> Counts:
        """How many hypotheses each group satisfies."""
        ...

    @property
    def whole(self) -> bool:
        """Whether no hypothesis had to be left out for want of room."""
        ...

    def satisfied(self, group: int) -> Indices:
        """The hypotheses that a group satisfies, ascending."""
        ...

    def weigh(self, hypotheses: Indices, weights: Weights) -> tuple[Indices, Weights]:
        """(groups, sums): the groups that satisfy any of the hypotheses, ascending, and for each
        the sum of the weights of those that it satisfies. `weights` has a row a hypothesis, `sums`
        a row a group."""
        ...


@dataclass(frozen=True)
class OpenAxis:
    """No declined field: one group and one hypothesis, which it satisfies."""

    groups: Short
    size: int = 1
    whole: bool = True

    @property
    def counts(self) -> Counts:
        """One for the only group."""
        return np.ones(1)

    def satisfied(self, group: int) -> Indices:
        """The only hypothesis."""
        return np.full(1, group, np.int64)

    def weigh(self, hypotheses: Indices, weights: Weights) -> tuple[Indices, Weights]:
        """The only hypothesis's weights for the only group."""
        return hypotheses, weights


@dataclass(frozen=True)
class ListAxis:
    """Listed hypotheses: entry i says that group `rows[i]` satisfies hypothesis `columns[i]`.

    `rows` is ascending; `starts[g]:starts[g + 1]` are the entries of group g.
    """

    groups: Short
    size: int
    starts: Indices
    rows: Short
    columns: Short
    whole: bool = True

    @property
    def counts(self) -> Counts:
        """How many hypotheses each group satisfies."""
        return np.diff(self.starts).astype(np.float64)

    def satisfied(self, group: int) -> Indices:
        """The hypotheses that a group satisfies, ascending."""
        return np.sort(self.columns[self.starts[group] : self.starts[group + 1]]).astype(np.int64)

    def weigh(self, hypotheses: Indices, weights: Weights) -> tuple[Indices, Weights]:
        """See `Axis.weigh`; a block of groups at a time."""
        place = np.full(self.size, -1, np.int32)
        place[hypotheses] = np.arange(len(hypotheses))
        wanted = place[self.columns]
        entries = np.flatnonzero(wanted >= 0)
        rows, wanted = self.rows[entries], wanted[entries]
        first = np.ones(len(rows), np.bool_)
        first[1:] = rows[1:] != rows[:-1]
        local = np.cumsum(first, dtype=np.int64) - 1
        reached = rows[first].astype(np.int64)
        sums = np.empty((len(reached), weights.shape[1]), np.float32)
        step = max(1, BLOCK // len(hypotheses))
        for start in range(0, len(reached), step):
            begin, end = np.searchsorted(local, (start, start + step)).tolist()
            table = np.zeros((min(step, len(reached) - start), len(hypotheses)), np.float32)
            table[local[begin:end] - start, wanted[begin:end]] = 1.0
            sums[start : start + step] = product(table, weights)
        return reached, sums


@dataclass(frozen=True)
class RangeAxis:
    """Bounds: hypothesis h holds for places from `low[h]` to `high[h]`, both included and the
    first never beyond the second.

    Group g has place `places[g]`, below `end`; a missing value has one that no bound includes. With
    n bounds there are at most 2n + 2 groups: a value is at a bound or between two.
    """

    groups: Short
    places: Indices
    low: Indices
    high: Indices
    whole: bool = True

    @property
    def size(self) -> int:
        """How many hypotheses there are."""
        return len(self.low)

    @property
    def counts(self) -> Counts:
        """How many hypotheses each group satisfies: those that have begun but those that are
        over."""
        begun = np.searchsorted(np.sort(self.low), self.places, "right")
        over = np.searchsorted(np.sort(self.high), self.places, "left")
        return (begun - over).astype(np.float64)

    def satisfied(self, group: int) -> Indices:
        """The hypotheses that a group satisfies, ascending."""
        place = self.places[group]
        return np.flatnonzero((self.low <= place) & (place <= self.high)).astype(np.int64)

    def weigh(self, hypotheses: Indices, weights: Weights) -> tuple[Indices, Weights]:
        """See `Axis.weigh`: what has begun at a place less what is over there."""
        low, over = self.low[hypotheses], self.high[hypotheses] + 1
        size = int(max(self.places.max(), over.max())) + 1
        count = np.bincount(low, minlength=size) - np.bincount(over, minlength=size)
        reached = np.flatnonzero(np.cumsum(count)[self.places]).astype(np.int64)
        steps = _gathered(low, weights, size) - _gathered(over, weights, size)
        return reached, np.cumsum(steps, axis=0)[self.places[reached]]


def _gathered(keys: Indices, weights: Weights, size: int) -> Weights:
    """The sum of the rows of `weights` that have each key: shape (size, columns)."""
    order = np.argsort(keys, kind="stable")
    first = np.flatnonzero(np.diff(keys[order], prepend=-1))
    sums = np.zeros((size, weights.shape[1]), np.float32)
    sums[keys[order[first]]] = np.add.reduceat(weights[order], first, axis=0)
    return sums


def compact(classes: NDArray[np.integer], size: int) -> tuple[Indices, Short]:
    """(present, groups): the classes below `size` that occur, ascending, and for each entry of
    `classes` the place of its class among them."""
    seen = np.zeros(size, np.bool_)
    seen[classes] = True
    present = np.flatnonzero(seen).astype(np.int64)
    place = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return present, place[classes]


def is_dense(size: int, count: int) -> bool:
    """Whether a table of all keys below `size` is worth making for so many keys."""
    return size <= max(4 * count, SPARE)


def spread(starts: Indices, lengths: Indices) -> Indices:
    """The indices of several ranges, one after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.repeat(starts - (ends - lengths), lengths) + np.arange(total)
