"""One declined field: the list of requirements it may hide, over the candidates' values.

Candidates with the same value of the field form a *group*; they satisfy the same hypotheses, so an
axis speaks of groups and never of items.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int64]
Counts: TypeAlias = NDArray[np.float64]


class Axis(Protocol):
    """The hypotheses about one field."""

    @property
    def size(self) -> int:
        """How many hypotheses there are."""
        ...

    @property
    def groups(self) -> Indices:
        """The group of each candidate, aligned with the candidates."""
        ...

    @property
    def counts(self) -> Counts:
        """How many hypotheses each group satisfies."""
        ...

    def satisfied(self, group: int) -> Indices:
        """The hypotheses that a group satisfies, ascending."""
        ...

    def incidence(self, hypotheses: Indices) -> Counts:
        """1.0 where a group satisfies a hypothesis: shape (groups, hypotheses)."""
        ...


@dataclass(frozen=True)
class OpenAxis:
    """No declined field: one group and one hypothesis, which it satisfies."""

    groups: Indices

    @property
    def size(self) -> int:
        """One."""
        return 1

    @property
    def counts(self) -> Counts:
        """One for the only group."""
        return np.ones(1)

    def satisfied(self, group: int) -> Indices:
        """The only hypothesis."""
        return np.full(1, group, np.int64)

    def incidence(self, hypotheses: Indices) -> Counts:
        """Ones."""
        return np.ones((1, len(hypotheses)))


@dataclass(frozen=True)
class ListAxis:
    """Listed hypotheses: entry i says that group `rows[i]` satisfies hypothesis `columns[i]`.

    `rows` is ascending; `starts[g]:starts[g + 1]` are the entries of group g.
    """

    groups: Indices
    size: int
    starts: Indices
    rows: Indices
    columns: Indices

    @property
    def counts(self) -> Counts:
        """How many hypotheses each group satisfies."""
        return np.diff(self.starts).astype(np.float64)

    def satisfied(self, group: int) -> Indices:
        """The hypotheses that a group satisfies, ascending."""
        return self.columns[self.starts[group] : self.starts[group + 1]]

    def incidence(self, hypotheses: Indices) -> Counts:
        """1.0 where a group satisfies a hypothesis: shape (groups, hypotheses)."""
        place = np.full(self.size, -1, np.int64)
        place[hypotheses] = np.arange(len(hypotheses))
        wanted = place[self.columns]
        entries = np.flatnonzero(wanted >= 0)
        table = np.zeros((len(self.starts) - 1, len(hypotheses)))
        table[self.rows[entries], wanted[entries]] = 1.0
        return table


@dataclass(frozen=True)
class RangeAxis:
    """Bounds: hypothesis h holds for ranks from `low[h]` to `high[h]`, both included.

    Group g has rank `ranks[g]`; a missing value has a rank that no bound includes.
    """

    groups: Indices
    ranks: Indices
    low: Indices
    high: Indices

    @property
    def size(self) -> int:
        """How many hypotheses there are."""
        return len(self.low)

    @property
    def counts(self) -> Counts:
        """How many hypotheses each group satisfies."""
        above = self.low <= self.ranks[:, None]
        return (above & (self.ranks[:, None] <= self.high)).sum(axis=1).astype(np.float64)

    def satisfied(self, group: int) -> Indices:
        """The hypotheses that a group satisfies, ascending."""
        rank = self.ranks[group]
        return np.flatnonzero((self.low <= rank) & (rank <= self.high)).astype(np.int64)

    def incidence(self, hypotheses: Indices) -> Counts:
        """1.0 where a group satisfies a hypothesis: shape (groups, hypotheses)."""
        ranks = self.ranks[:, None]
        inside = (self.low[hypotheses] <= ranks) & (ranks <= self.high[hypotheses])
        return inside.astype(np.float64)


def compact(classes: Indices, size: int) -> tuple[Indices, Indices]:
    """(present, groups): the classes below `size` that occur, ascending, and for each entry of
    `classes` the place of its class among them."""
    seen = np.zeros(size, np.bool_)
    seen[classes] = True
    present = np.flatnonzero(seen).astype(np.int64)
    place = np.cumsum(seen, dtype=np.int64) - 1
    return present, place[classes]
