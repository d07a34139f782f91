"""The values that a slot may take, and how many of some positions meet each.

A field may have fifty thousand labels and a catalogue two million items, so no bit set is held per
label: the labels of the positions in question are counted instead. That is exact and takes time by
the positions, memory by the labels. Only few choices over few items are faster as bit sets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import Catalogue, Hierarchy, Operator, Predicate, bounds_of, fold
from mystery_shopper.catalog.bits import Bits, Positions, positions_of, words_for
from mystery_shopper.catalog.columns import FlagColumn, LabelColumn

MOST_BOUNDS = 512
MOST_MULTIPLES = 100_000
"""Above so many multiples of a step they are not listed, but sought around the items' values."""

CHUNK = 1 << 18
"""So many positions are counted at a time, to bound the memory."""

DENSE_BYTES = 4 << 20

Counts = NDArray[np.int64]


def closed(tree: Hierarchy, labels: Sequence[str]) -> list[str]:
    """The labels and those above them, in the order of their folded forms, each once."""
    names = {fold(label): label for label in labels}
    for label in labels:
        for up in tree.ancestors(label):
            names.setdefault(fold(up), up)
    return [names[key] for key in sorted(names)]


def label_predicate(field: str, tree: Hierarchy, label: str) -> Predicate:
    """The condition that an item bears the label, or one below it where the field has a tree."""
    return Predicate(field, Operator.WITHIN if tree else Operator.CONTAINS, label)


def bounds_for(catalogue: Catalogue, field: str) -> tuple[int | float, ...]:
    """The bounds that requests may name on an ordered field, ascending, at most `MOST_BOUNDS`."""
    numbers = catalogue.numbers(field).numbers
    step = catalogue.domain.fields[field].step
    known = numbers[~np.isnan(numbers)]
    if step and len(known) and float(np.ptp(known)) / step > MOST_MULTIPLES:
        return _around_values(known, step)
    bounds = bounds_of(numbers, step)
    return bounds[:: max(1, -(-len(bounds) // MOST_BOUNDS))]


def _around_values(known: NDArray[np.float64], step: float) -> tuple[int | float, ...]:
    """Multiples of the step next to evenly spaced quantiles."""
    marks = np.quantile(known, np.linspace(0, 1, MOST_BOUNDS), method="nearest")
    near = [bounds_of(np.array([mark, mark + step]), step) for mark in marks.tolist()]
    return tuple(sorted({bound for bounds in near for bound in bounds[:1]}))


class Choices(ABC):
    """The predicates that a slot may take. Those that fewer than `least` items meet are counted,
    but not kept. Where the bit sets of those kept are small they are held and counted instead."""

    def __init__(self, items: int, least: int) -> None:
        alone = self._count_all(np.arange(items, dtype=np.int64))
        self.kept = np.flatnonzero(alone >= least)
        self._masks: Bits | None = None

    def __len__(self) -> int:
        return len(self.kept)

    @property
    def dense(self) -> bool:
        """Whether bit sets are held."""
        return self._masks is not None

    def hold(self, catalogue: Catalogue) -> Choices:
        """Itself, with bit sets where they take little room."""
        words = words_for(len(catalogue))
        if 8 * words * len(self) <= DENSE_BYTES:
            masks = [self.predicate(place).mask(catalogue) for place in range(len(self))]
            self._masks = np.array(masks, np.uint64).reshape(len(self), words)
        return self

    def counts(self, bits: Bits) -> Counts:
        """How many of the positions satisfy each predicate that is kept."""
        if self._masks is not None:
            return np.bitwise_count(self._masks & bits).sum(axis=1, dtype=np.int64)
        return self._count_all(positions_of(bits))[self.kept]

    def _count_all(self, positions: Positions) -> Counts:
        total = self._count(positions[:CHUNK])
        for start in range(CHUNK, len(positions), CHUNK):
            total = total + self._count(positions[start : start + CHUNK])
        return total

    def predicate(self, place: int) -> Predicate:
        """The predicate at a place among those kept."""
        return self._predicate(int(self.kept[place]))

    @abstractmethod
    def _count(self, positions: Positions) -> Counts: ...

    @abstractmethod
    def _predicate(self, number: int) -> Predicate: ...


class LabelChoices(Choices):
    """Every label of a field and every label above one."""

    def __init__(self, catalogue: Catalogue, field: str, least: int) -> None:
        self._column: LabelColumn = catalogue.labels(field)
        self._tree = catalogue.domain.hierarchies[field]
        self._field = field
        self._names = closed(self._tree, self._column.labels)
        place = {fold(name): number for number, name in enumerate(self._names)}
        lists = [
            [place[fold(label)], *(place[fold(up)] for up in self._tree.ancestors(label))]
            for label in self._column.labels
        ]
        self._starts = np.zeros(len(lists) + 1, np.int64)
        np.cumsum([len(one) for one in lists], out=self._starts[1:])
        self._closure = np.array([number for one in lists for number in one], np.int64)
        super().__init__(len(catalogue), least)

    def _predicate(self, number: int) -> Predicate:
        return label_predicate(self._field, self._tree, self._names[number])

    def _count(self, positions: Positions) -> Counts:
        owners, codes = _gather(self._column.offsets, self._column.codes, positions)
        if not self._tree or self._column.single:
            bearing = np.bincount(codes, minlength=len(self._column.labels))
            spread = np.repeat(bearing, np.diff(self._starts))
            found = np.bincount(self._closure, spread, minlength=len(self._names))
            return found.astype(np.int64)
        # Two labels of one item may lie below one label, which the item then meets only once.
        entries, numbers = _gather(self._starts, self._closure, codes)
        width = max(1, len(self._names))
        once = np.unique(owners[entries] * width + numbers) % width
        return np.bincount(once, minlength=len(self._names)).astype(np.int64)


def _gather(
    starts: NDArray[np.int64], entries: NDArray[np.generic], rows: NDArray[np.integer]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The entries of these rows one after the other, and for each the place of its row among
    `rows`."""
    index = rows.astype(np.int64)
    first = starts[index]
    counts = starts[index + 1] - first
    ends = np.cumsum(counts)
    owners = np.repeat(np.arange(len(index), dtype=np.int64), counts)
    shift = np.repeat(first - (ends - counts), counts)
    return owners, entries[np.arange(len(owners), dtype=np.int64) + shift].astype(np.int64)


class BoundChoices(Choices):
    """Lower or upper bounds of an ordered field. A position's rank says how many it meets."""

    def __init__(
        self,
        catalogue: Catalogue,
        predicates: Sequence[Predicate],
        numbers: NDArray[np.float64],
        least: int,
    ) -> None:
        self._predicates = predicates
        self._lower = bool(predicates) and predicates[0].op is Operator.AT_LEAST
        bounds = np.array([one.value for one in predicates], np.float64)
        ranks = np.searchsorted(bounds, numbers, side="right" if self._lower else "left")
        ranks[np.isnan(numbers)] = 0 if self._lower else len(bounds)
        self._ranks = ranks.astype(np.int32)
        super().__init__(len(catalogue), least)

    def _predicate(self, number: int) -> Predicate:
        return self._predicates[number]

    def _count(self, positions: Positions) -> Counts:
        found = np.bincount(self._ranks[positions], minlength=len(self._predicates) + 1)
        if self._lower:
            return np.cumsum(found[::-1])[::-1][1:].astype(np.int64)
        return np.cumsum(found)[:-1].astype(np.int64)


class FlagChoices(Choices):
    """Yes and no."""

    def __init__(self, catalogue: Catalogue, field: str, column: FlagColumn, least: int) -> None:
        self._field = field
        self._flags = column.flags
        super().__init__(len(catalogue), least)

    def _predicate(self, number: int) -> Predicate:
        return Predicate(self._field, Operator.EQUAL, number == 0)

    def _count(self, positions: Positions) -> Counts:
        flags = self._flags[positions]
        return np.array([(flags == 1).sum(), (flags == 0).sum()], np.int64)
