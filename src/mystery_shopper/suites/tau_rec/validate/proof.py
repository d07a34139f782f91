"""How many proposals it takes to prove that nothing fits: greedy elimination, exactly.

The agent knows the revealed predicates and on which fields a requirement is hidden. A hypothesis
names one requirement on each of those fields: up to `most` labels beyond the revealed ones; yes or
no for a flag; for an ordered field a lower bound, an upper bound or both over the candidates'
values, only the missing bound where one is revealed. A rejected item disproves every hypothesis
that it satisfies. The agent proposes the candidate that satisfies the most hypotheses left, the
more popular first, until none satisfies any.

Hypotheses are counted, never listed: those that an item satisfies on one field are sorted by which
of the rejected items satisfy them too, as a bit mask. A hypothesis over several fields is disproved
where one rejected item stands in the masks of all of them.

Counts can only fall, so an old count is an upper bound: the candidate on top of a heap is chosen
once its count is fresh. That is the same choice as comparing all candidates at every step.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import Protocol

import numpy as np

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.suites.tau_rec.task import Family
from mystery_shopper.suites.tau_rec.validate.columns import (
    Borne,
    Labels,
    Numbers,
    Places,
    Values,
    pair,
    wanted_labels,
)
from mystery_shopper.suites.tau_rec.validate.items import Items, places


class Space(Protocol):
    """The possible hidden requirements on one field."""

    def shared(self, value: Borne, rejected: Sequence[Borne]) -> Mapping[int, int]:
        """Those that an item with this value satisfies: by the mask of the rejected values that
        satisfy them too (bit i stands for `rejected[i]`), how many."""
        ...


@dataclass(frozen=True)
class LabelSpace:
    """One to `most` labels of an item beyond the revealed ones."""

    most: int

    def shared(self, value: Borne, rejected: Sequence[Borne]) -> Mapping[int, int]:
        """See `Space`. A value is the set of an item's labels."""
        whole = (1 << len(rejected)) - 1
        bears = {
            label: sum(1 << place for place, other in enumerate(rejected) if label in _set(other))
            for label in _set(value)
        }
        found: Counter[int] = Counter()
        for count in range(1, self.most + 1):
            for chosen in combinations(bears.values(), count):
                mask = whole
                for one in chosen:
                    mask &= one
                found[mask] += 1
        return found


@dataclass(frozen=True)
class FlagSpace:
    """Yes, or no."""

    def shared(self, value: Borne, rejected: Sequence[Borne]) -> Mapping[int, int]:
        """See `Space`. A value is a bool, or None where it is missing."""
        if value is None:
            return {}
        return {sum(1 << place for place, other in enumerate(rejected) if other is value): 1}


@dataclass(frozen=True)
class BoundSpace:
    """Bounds over the candidates' values, ascending: lower ones, upper ones, and where both are
    possible every pair of them."""

    values: Sequence[float]
    lower: bool
    upper: bool

    @cached_property
    def _rank(self) -> dict[Borne, int]:
        return {value: rank for rank, value in enumerate(self.values)}

    def shared(self, value: Borne, rejected: Sequence[Borne]) -> Mapping[int, int]:
        """See `Space`. A value is a number, or None where it is missing."""
        if value is None:
            return {}
        rank = self._rank[value]
        ranks = [None if other is None else self._rank[other] for other in rejected]
        # A bound is known by the rank it stands at; -1 and the number of values are no bound.
        low = _bands(rank, [r for r in ranks if r is not None and r < rank])
        high = _bands(
            len(self.values) - 1 - rank,
            [len(self.values) - 1 - r for r in ranks if r is not None and r > rank],
        )
        high = [(len(self.values) - 1 - mark, count) for mark, count in high]
        lows = [*(low if self.lower else []), (-1, 1)]
        highs = [*(high if self.upper else []), (len(self.values), 1)]
        found: Counter[int] = Counter()
        for bottom, below in lows:
            for top, above in highs:
                if bottom < 0 and top == len(self.values):
                    continue
                mask = sum(
                    1 << place
                    for place, r in enumerate(ranks)
                    if r is not None and bottom <= r <= top
                )
                found[mask] += below * above
        return found


def _bands(rank: int, others: Sequence[int]) -> list[tuple[int, int]]:
    """The bounds from 0 to `rank` in bands within which they part the others alike: the greatest of
    each band, and how many are in it."""
    marks = sorted({rank, *others})
    return [(mark, mark - last) for last, mark in zip([-1, *marks], marks, strict=False)]


def _set(value: Borne) -> frozenset[str]:
    return value if isinstance(value, frozenset) else frozenset()


@dataclass
class Disproved:
    """The hypotheses over several fields, and the values of the items rejected so far."""

    spaces: Sequence[Space]
    rejected: list[tuple[Borne, ...]] = field(default_factory=list[tuple[Borne, ...]])
    _shared: dict[tuple[int, Borne], Mapping[int, int]] = field(
        default_factory=dict[tuple[int, Borne], Mapping[int, int]]
    )

    def left(self, values: Sequence[Borne]) -> int:
        """How many hypotheses left an item with these values satisfies."""
        masks: Mapping[int, int] = {(1 << len(self.rejected)) - 1: 1}
        for place, value in enumerate(values):
            joined: Counter[int] = Counter()
            for mask, count in self._of(place, value).items():
                for other, times in masks.items():
                    joined[mask & other] += count * times
            masks = joined
        return masks.get(0, 0) if self.rejected else sum(masks.values())

    def reject(self, values: tuple[Borne, ...]) -> None:
        """Disprove every hypothesis that an item with these values satisfies."""
        self.rejected.append(values)
        self._shared.clear()

    def _of(self, place: int, value: Borne) -> Mapping[int, int]:
        key = place, value
        if key not in self._shared:
            rejected = [values[place] for values in self.rejected]
            self._shared[key] = self.spaces[place].shared(value, rejected)
        return self._shared[key]


def proposals_until_proof(items: Items, family: Family, limit: int) -> int | None:
    """After how many rejections no candidate satisfies a hypothesis left; None if over `limit`.

    Candidates are the unread items of the whole catalogue in an accepted format that match every
    revealed predicate. Every proposal counts as rejected, so the family must have no answer.
    """
    revealed = [predicate for predicate in family.predicates if predicate not in family.hidden]
    candidates = places(
        items.matching(revealed) & items.having(family.formats) & ~items.known(family.history)
    )
    fields = sorted({predicate.field for predicate in family.hidden})
    classes = np.zeros(len(candidates), np.int64)
    for name in fields:
        classes = pair(classes, items.values(name).groups(candidates))
    first = candidates[np.unique(classes, return_index=True)[1]]
    columns = [_borne(items.values(name), name, revealed, first) for name in fields]
    spaces = [
        _space(items, name, revealed, column) for name, column in zip(fields, columns, strict=True)
    ]
    groups: dict[tuple[Borne, ...], int] = {}
    for position, values in sorted(zip(first.tolist(), zip(*columns, strict=True), strict=True)):
        groups.setdefault(values, position)
    return _eliminate(groups, Disproved(spaces), limit)


def _eliminate(
    groups: Mapping[tuple[Borne, ...], int], disproved: Disproved, limit: int
) -> int | None:
    heap = [(-disproved.left(values), position, values) for values, position in groups.items()]
    heapq.heapify(heap)
    proposals = 0
    while heap:
        old, position, values = heapq.heappop(heap)
        fresh = -disproved.left(values)
        if fresh == 0:
            continue
        if fresh != old:
            heapq.heappush(heap, (fresh, position, values))
            continue
        if proposals == limit:
            return None
        proposals += 1
        disproved.reject(values)
    return proposals


def _borne(
    values: Values, name: str, revealed: Sequence[Predicate], positions: Places
) -> list[Borne]:
    """What each item bears on a declined field, without what is revealed of it."""
    if not isinstance(values, Labels):
        return [values.borne(position) for position in positions.tolist()]
    told = frozenset[str]().union(*(wanted_labels(p) for p in revealed if p.field == name))
    return [values.borne(position) - told for position in positions.tolist()]


def _space(
    items: Items, name: str, revealed: Sequence[Predicate], column: Sequence[Borne]
) -> Space:
    values = items.values(name)
    if isinstance(values, Labels):
        return LabelSpace(items.catalogue.domain.fields[name].most)
    if not isinstance(values, Numbers):
        return FlagSpace()
    told = {predicate.op for predicate in revealed if predicate.field == name}
    numbers = sorted({value for value in column if isinstance(value, int | float)})
    return BoundSpace(numbers, Operator.AT_LEAST not in told, Operator.AT_MOST not in told)
