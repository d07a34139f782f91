"""One field's values for every item, as the check sees them: arrays of its own, tests of its own.

Nothing here uses the bit sets, masks and postings that made the tasks, so that a fault of theirs
cannot hide itself; of a column only its stored values are read. A test gives a boolean array of
shape (items,). `groups` sorts some items by what they bear on the field.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import Catalogue, Hierarchy, Operator, Predicate, fold
from mystery_shopper.catalog.columns import FlagColumn, LabelColumn, NumberColumn

Mask: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]
_ANY = {Operator.CONTAINS, Operator.CONTAINS_ANY, Operator.IN, Operator.WITHIN}


class Labels:
    """The labels of one field, folded: those each item bears, and those with all above them."""

    def __init__(self, column: LabelColumn, tree: Hierarchy) -> None:
        self._tree = tree
        self._size = len(column.offsets) - 1
        self._offsets = column.offsets
        self._codes = column.codes
        self._labels = column.labels
        self._above: dict[int, frozenset[str]] = {}

    @cached_property
    def _rows(self) -> NDArray[np.int32]:
        """The item of each entry of the codes."""
        return np.repeat(np.arange(self._size, dtype=np.int32), np.diff(self._offsets))

    @cached_property
    def _own(self) -> Mapping[str, list[int]]:
        """Folded label -> its codes."""
        codes: dict[str, list[int]] = {}
        for code, label in enumerate(self._labels):
            codes.setdefault(fold(label), []).append(code)
        return codes

    @cached_property
    def _closed(self) -> Mapping[str, list[int]]:
        """Folded label -> the codes of it and of all below it."""
        codes: dict[str, list[int]] = {}
        for code, label in enumerate(self._labels):
            for above in climb(label, self._tree):
                codes.setdefault(above, []).append(code)
        return codes

    def holds(self, predicate: Predicate) -> Mask:
        """Which items satisfy the predicate. Raises ValueError for an operator of other kinds."""
        op, wanted = predicate.op, sorted(wanted_labels(predicate))
        if op in _ANY:
            return self._bear(wanted, below=op is Operator.WITHIN)
        if op is Operator.NOT_CONTAINS:
            return ~self._bear(wanted, below=False)
        if op not in (Operator.EQUAL, Operator.NOT_EQUAL):
            raise ValueError(f"operator {op.value} does not fit labels")
        exactly = np.ones(self._size, np.bool_)
        for label in wanted:
            exactly &= self._bear([label], below=False)
        other = np.ones(len(self._labels), np.bool_)
        other[[code for label in wanted for code in self._own.get(label, ())]] = False
        exactly &= ~self._touched(other)
        return exactly if op is Operator.EQUAL else ~exactly

    def _bear(self, wanted: Sequence[str], *, below: bool) -> Mask:
        table = self._closed if below else self._own
        chosen = np.zeros(len(self._labels), np.bool_)
        chosen[[code for label in wanted for code in table.get(label, ())]] = True
        return self._touched(chosen)

    def _touched(self, chosen: Mask) -> Mask:
        """The items that bear a chosen code."""
        found = np.zeros(self._size, np.bool_)
        found[self._rows[chosen[self._codes]]] = True
        return found

    def borne(self, item: int) -> frozenset[str]:
        """The folded labels of an item and all above them."""
        codes = self._codes[self._offsets[item] : self._offsets[item + 1]].tolist()
        for code in codes:
            if code not in self._above:
                self._above[code] = climb(self._labels[code], self._tree)
        return frozenset[str]().union(*(self._above[code] for code in codes))

    def groups(self, items: Places) -> Places:
        """A number for each of the items, the same for items of the same labels."""
        counts = np.diff(self._offsets)[items]
        found = np.zeros(len(items), np.int64)
        for place in range(int(counts.max(initial=0))):
            has = counts > place
            code = np.zeros(len(items), np.int64)
            code[has] = self._codes[self._offsets[items[has]] + place] + 1
            found = pair(found, code)
        return found


class Numbers:
    """The numbers of one field; NaN is missing."""

    def __init__(self, column: NumberColumn) -> None:
        self._numbers = column.numbers

    @cached_property
    def ascending(self) -> NDArray[np.float64]:
        """The numbers that are not missing, ascending."""
        return np.sort(self._numbers[~np.isnan(self._numbers)])

    def holds(self, predicate: Predicate) -> Mask:
        """Which items satisfy the predicate. Raises ValueError for an operator of other kinds."""
        op, wanted, numbers = predicate.op, wanted_numbers(predicate), self._numbers
        if op is Operator.AT_LEAST:
            return numbers >= wanted[0]
        if op is Operator.AT_MOST:
            return numbers <= wanted[0]
        if op not in (Operator.EQUAL, Operator.IN, Operator.NOT_EQUAL):
            raise ValueError(f"operator {op.value} does not fit numbers")
        found = np.zeros(len(numbers), np.bool_)
        for number in wanted:
            found |= numbers == number
        return ~found if op is Operator.NOT_EQUAL else found

    def borne(self, item: int) -> float | None:
        """An item's number, None if it is missing."""
        number = float(self._numbers[item])
        return None if number != number else number

    def groups(self, items: Places) -> Places:
        """A number for each of the items, the same for items of the same number."""
        return np.unique(self._numbers[items], return_inverse=True)[1].astype(np.int64)


class Flags:
    """The flag of one field: yes, no or missing."""

    def __init__(self, column: FlagColumn) -> None:
        self._flags = column.flags

    def holds(self, predicate: Predicate) -> Mask:
        """Which items satisfy the predicate. Raises ValueError for an operator of other kinds."""
        if predicate.op not in (Operator.EQUAL, Operator.NOT_EQUAL):
            raise ValueError(f"operator {predicate.op.value} does not fit flags")
        found = self._flags == (1 if predicate.value is True else 0)
        return found if predicate.op is Operator.EQUAL else ~found

    def borne(self, item: int) -> bool | None:
        """An item's flag, None if it is missing."""
        flag = int(self._flags[item])
        return None if flag < 0 else flag == 1

    def groups(self, items: Places) -> Places:
        """A number for each of the items, the same for items of the same flag."""
        return self._flags[items].astype(np.int64) + 1


Values: TypeAlias = Labels | Numbers | Flags
Borne: TypeAlias = Hashable


def values_of(catalogue: Catalogue, field: str) -> Values:
    """The values of a field. Raises ValueError for a kind that carries no requirements."""
    match catalogue.columns[field]:
        case LabelColumn() as column:
            return Labels(column, catalogue.domain.hierarchies[field])
        case NumberColumn() as column:
            return Numbers(column)
        case FlagColumn() as column:
            return Flags(column)
        case _:
            raise ValueError(f"field {field} carries no requirements")


def pair(one: Places, other: Places) -> Places:
    """A number for each pair, the same for the same pair, small again."""
    wide = int(other.max(initial=0)) + 1
    return np.unique(one * wide + other, return_inverse=True)[1].astype(np.int64)


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
