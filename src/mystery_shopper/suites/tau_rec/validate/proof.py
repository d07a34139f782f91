"""How many proposals it takes to prove that nothing fits: greedy elimination, exactly.

The agent knows the revealed predicates and on which fields a requirement is hidden. A hypothesis
names one requirement on each of those fields: up to `most` labels beyond the revealed ones, or for
an ordered field a lower bound, an upper bound or both over the candidates' values, only the missing
bound where one is revealed. A rejected item disproves every hypothesis that it satisfies. The agent
proposes the candidate that satisfies the most hypotheses left, the more popular first, until none
satisfies any.

Counts can only fall, so an old count is an upper bound: the candidate on top of a heap is chosen
once its count is fresh. That is the same choice as comparing all candidates at every step.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from math import comb

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.suites.tau_rec.task import Family
from mystery_shopper.suites.tau_rec.validate.items import (
    Items,
    NumberValues,
    members,
    wanted_labels,
)

LabelsOf = frozenset[str]


@dataclass(frozen=True)
class LabelSpace:
    """Possible hidden requirements on a label field: one to `most` labels beyond the revealed."""

    most: int

    def size(self, value: LabelsOf) -> int:
        """How many of them an item with these labels satisfies."""
        return sum(comb(len(value), count) for count in range(1, self.most + 1))

    def each(self, value: LabelsOf) -> Iterable[Hashable]:
        """Those that an item with these labels satisfies."""
        for count in range(1, self.most + 1):
            yield from combinations(sorted(value), count)


@dataclass(frozen=True)
class BoundSpace:
    """Possible hidden bounds on an ordered field over the candidates' values, ascending."""

    values: Sequence[float]
    lower: bool
    upper: bool

    @cached_property
    def _rank(self) -> dict[float, int]:
        return {value: rank for rank, value in enumerate(self.values)}

    def size(self, value: float | None) -> int:
        """How many of them an item with this number satisfies."""
        if value is None:
            return 0
        rank = self._rank[value]
        below, above = rank + 1, len(self.values) - rank
        both = below * above if self.lower and self.upper else 0
        return below * self.lower + above * self.upper + both

    def each(self, value: float | None) -> Iterable[Hashable]:
        """Those that an item with this number satisfies: (lower bound, upper bound)."""
        if value is None:
            return
        rank = self._rank[value]
        lowest: list[float | None] = list(self.values[: rank + 1]) if self.lower else []
        highest: list[float | None] = list(self.values[rank:]) if self.upper else []
        for pair in product([None, *lowest], [None, *highest]):
            if pair != (None, None):
                yield pair


Space = LabelSpace | BoundSpace
Value = LabelsOf | float | None


@dataclass
class Disproved:
    """The hypotheses disproved so far: choice on the first fields -> choices on the last field.

    Choices on the last field are numbered as they come up and kept as bits.
    """

    spaces: Sequence[Space]
    _number: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    _bits: dict[Value, int] = field(default_factory=dict[Value, int])
    _gone: dict[Hashable, int] = field(default_factory=dict[Hashable, int])

    def left(self, values: Sequence[Value]) -> int:
        """How many hypotheses left an item with these values satisfies."""
        last = self._last(values[-1])
        gone = sum((self._gone.get(first, 0) & last).bit_count() for first in self._first(values))
        return self.total(values) - gone

    def total(self, values: Sequence[Value]) -> int:
        """How many hypotheses an item with these values satisfies at the start."""
        total = 1
        for space, value in zip(self.spaces, values, strict=True):
            total *= space.size(value)  # pyright: ignore[reportArgumentType]
        return total

    def reject(self, values: Sequence[Value]) -> None:
        """Disprove every hypothesis that an item with these values satisfies."""
        last = self._last(values[-1])
        for first in self._first(values):
            self._gone[first] = self._gone.get(first, 0) | last

    def _first(self, values: Sequence[Value]) -> Iterable[Hashable]:
        spaces = self.spaces[:-1]
        return product(*(space.each(value) for space, value in zip(spaces, values, strict=False)))  # pyright: ignore[reportArgumentType]

    def _last(self, value: Value) -> int:
        if value not in self._bits:
            number = self._number
            bits = [number.setdefault(h, len(number)) for h in self.spaces[-1].each(value)]  # pyright: ignore[reportArgumentType]
            data = bytearray(len(number) // 8 + 1)
            for bit in bits:
                data[bit >> 3] |= 1 << (bit & 7)
            self._bits[value] = int.from_bytes(data, "little")
        return self._bits[value]


def proposals_until_proof(items: Items, family: Family, limit: int) -> int | None:
    """After how many rejections no candidate satisfies a hypothesis left; None if over `limit`.

    Candidates are the unread items of the whole catalogue in an accepted format that match every
    revealed predicate. Every proposal counts as rejected, so the family must have no answer.
    """
    revealed = [predicate for predicate in family.predicates if predicate not in family.hidden]
    candidates = members(
        items.matching(revealed) & items.having(family.formats) & ~items.known(family.history)
    )
    fields = sorted(
        {predicate.field for predicate in family.hidden},
        key=lambda name: (isinstance(items.values[name], NumberValues), name),
    )
    columns = [_candidate_values(items, name, revealed, candidates) for name in fields]
    spaces = [
        _space(items, name, revealed, column) for name, column in zip(fields, columns, strict=True)
    ]
    groups: dict[tuple[Value, ...], int] = {}
    for position, values in zip(candidates, zip(*columns, strict=True), strict=True):
        groups.setdefault(values, position)
    return _eliminate(groups, Disproved(spaces), limit)


def _eliminate(
    groups: dict[tuple[Value, ...], int], disproved: Disproved, limit: int
) -> int | None:
    heap = [(-disproved.total(values), position, values) for values, position in groups.items()]
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


def _candidate_values(
    items: Items, name: str, revealed: Sequence[Predicate], candidates: Sequence[int]
) -> list[Value]:
    """What each candidate bears on a declined field, without what is revealed of it."""
    values = items.values[name]
    if isinstance(values, NumberValues):
        return [values.own[position] for position in candidates]
    told = frozenset[str]().union(*(wanted_labels(p) for p in revealed if p.field == name))
    return [values.closed[position] - told for position in candidates]


def _space(
    items: Items, name: str, revealed: Sequence[Predicate], column: Sequence[Value]
) -> Space:
    spec = items.catalogue.domain.fields[name]
    if not spec.kind.is_ordered:
        return LabelSpace(spec.most)
    told = {predicate.op for predicate in revealed if predicate.field == name}
    numbers = sorted({value for value in column if isinstance(value, int | float)})
    return BoundSpace(numbers, Operator.AT_LEAST not in told, Operator.AT_MOST not in told)
