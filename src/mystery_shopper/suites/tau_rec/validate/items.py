"""Item sets by a second road: predicates evaluated one item at a time, sets as Python integers.

Nothing here uses the bit sets, masks and indexes that made the tasks, so that a fault of theirs
cannot hide itself. Bit i of a set stands for position i of the catalogue.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property

from mystery_shopper.catalog import Catalogue, Hierarchy, Operator, Predicate, fold, formats_of

ItemSet = int


def set_of(positions: Iterable[int], size: int) -> ItemSet:
    """The set of these positions out of `size`."""
    data = bytearray(size // 8 + 1)
    for position in positions:
        data[position >> 3] |= 1 << (position & 7)
    return int.from_bytes(data, "little")


def members(items: ItemSet) -> list[int]:
    """The positions in a set, ascending."""
    found: list[int] = []
    data = items.to_bytes((items.bit_length() + 7) // 8, "little")
    for index, byte in enumerate(data):
        while byte:
            low = byte & -byte
            found.append(8 * index + low.bit_length() - 1)
            byte ^= low
    return found


class LabelValues:
    """The labels of one field, folded: those each item bears, and those with all above them."""

    def __init__(self, rows: Iterable[Collection[str]], tree: Hierarchy) -> None:
        climbed: dict[str, frozenset[str]] = {}
        folded: dict[str, str] = {}
        self.own: list[frozenset[str]] = []
        self.closed: list[frozenset[str]] = []
        for labels in rows:
            for label in labels:
                if label not in folded:
                    folded[label] = fold(label)
                    climbed[label] = climb(label, tree)
            self.own.append(frozenset(folded[label] for label in labels))
            self.closed.append(frozenset().union(*(climbed[label] for label in labels)))

    def holds(self, op: Operator, wanted: frozenset[str]) -> list[int]:
        """The positions whose labels satisfy the operator."""
        test = _LABEL_TESTS.get(op)
        if test is None:
            raise ValueError(f"operator {op.value} does not fit labels")
        rows = self.closed if op is Operator.WITHIN else self.own
        return [position for position, labels in enumerate(rows) if test(labels, wanted)]


class NumberValues:
    """The numbers of one field; None is missing."""

    def __init__(self, rows: Iterable[float | None]) -> None:
        self.own = list(rows)

    def holds(self, op: Operator, wanted: tuple[float, ...]) -> list[int]:
        """The positions whose number satisfies the operator."""
        test = _NUMBER_TESTS.get(op)
        if test is None:
            raise ValueError(f"operator {op.value} does not fit numbers")
        absent = op is Operator.NOT_EQUAL
        return [
            position
            for position, number in enumerate(self.own)
            if (absent if number is None else test(number, wanted))
        ]


_LABEL_TESTS: dict[Operator, Callable[[frozenset[str], frozenset[str]], bool]] = {
    Operator.CONTAINS: lambda labels, wanted: not wanted.isdisjoint(labels),
    Operator.CONTAINS_ANY: lambda labels, wanted: not wanted.isdisjoint(labels),
    Operator.IN: lambda labels, wanted: not wanted.isdisjoint(labels),
    Operator.WITHIN: lambda labels, wanted: not wanted.isdisjoint(labels),
    Operator.NOT_CONTAINS: lambda labels, wanted: wanted.isdisjoint(labels),
    Operator.EQUAL: lambda labels, wanted: labels == wanted,
    Operator.NOT_EQUAL: lambda labels, wanted: labels != wanted,
}
_NUMBER_TESTS: dict[Operator, Callable[[float, tuple[float, ...]], bool]] = {
    Operator.AT_LEAST: lambda number, wanted: number >= wanted[0],
    Operator.AT_MOST: lambda number, wanted: number <= wanted[0],
    Operator.EQUAL: lambda number, wanted: number in wanted,
    Operator.IN: lambda number, wanted: number in wanted,
    Operator.NOT_EQUAL: lambda number, wanted: number not in wanted,
}


def climb(label: str, tree: Hierarchy) -> frozenset[str]:
    """The folded label and every folded label above it."""
    found: set[str] = set()
    above: str | None = label
    while above is not None and fold(above) not in found:
        found.add(fold(above))
        above = tree.parents.get(fold(above))
    return frozenset(found)


def wanted_labels(predicate: Predicate) -> frozenset[str]:
    """The folded labels that a predicate names."""
    return frozenset(fold(str(part)) for part in _parts(predicate))


def wanted_numbers(predicate: Predicate) -> tuple[float, ...]:
    """The numbers that a predicate names."""
    return tuple(float(part) for part in _parts(predicate))


def _parts(predicate: Predicate) -> tuple[bool | float | str, ...]:
    value = predicate.value
    return value if isinstance(value, tuple) else (value,)


class Items:
    """A catalogue as item sets: `holds` of a predicate, `nested` by size, `formats` by name."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._held: dict[Predicate, ItemSet] = {}
        self.values: dict[str, LabelValues | NumberValues] = {
            field: self._column(field) for field in catalogue.domain.requirement_fields
        }

    def _column(self, field: str) -> LabelValues | NumberValues:
        catalogue = self.catalogue
        rows = [catalogue.item(position)[field] for position in range(len(catalogue))]
        if catalogue.domain.fields[field].kind.is_ordered:
            return NumberValues(row if isinstance(row, int | float) else None for row in rows)
        labels = [
            (row,)
            if isinstance(row, str)
            else tuple(map(str, row))
            if isinstance(row, tuple)
            else ()
            for row in rows
        ]
        return LabelValues(labels, catalogue.domain.hierarchies[field])

    @cached_property
    def nested(self) -> Mapping[int, ItemSet]:
        """Nested size -> its items, smallest first."""
        ranks = [int(rank) for rank in self.catalogue.nesting]
        size = len(self.catalogue)
        return {
            limit: set_of((p for p in range(size) if ranks[p] < limit), size)
            for limit in self.catalogue.sizes
        }

    @cached_property
    def formats(self) -> Mapping[str, ItemSet]:
        """Folded format -> the items that can be had in it; empty where formats are off."""
        positions: defaultdict[str, list[int]] = defaultdict(list)
        for position in range(len(self.catalogue)):
            for name in formats_of(self.catalogue.item(position)):
                positions[fold(name)].append(position)
        return {name: set_of(found, len(self.catalogue)) for name, found in positions.items()}

    @cached_property
    def everything(self) -> ItemSet:
        """Every item."""
        return (1 << len(self.catalogue)) - 1

    def holds(self, predicate: Predicate) -> ItemSet:
        """The items that satisfy a predicate on a field that carries requirements."""
        if predicate not in self._held:
            values = self.values[predicate.field]
            if isinstance(values, NumberValues):
                found = values.holds(predicate.op, wanted_numbers(predicate))
            else:
                found = values.holds(predicate.op, wanted_labels(predicate))
            self._held[predicate] = set_of(found, len(self.catalogue))
        return self._held[predicate]

    def matching(self, predicates: Iterable[Predicate]) -> ItemSet:
        """The items that satisfy all of them."""
        found = self.everything
        for predicate in predicates:
            found &= self.holds(predicate)
        return found

    def having(self, formats: Collection[str]) -> ItemSet:
        """The items that can be had in one of these formats; every item where formats are off."""
        if not self.formats:
            return self.everything
        found = 0
        for name in formats:
            found |= self.formats.get(fold(name), 0)
        return found

    def known(self, ids: Iterable[str]) -> ItemSet:
        """The set of those ids that the catalogue has."""
        place = self.catalogue.position_of
        return set_of((place[item] for item in ids if item in place), len(self.catalogue))
