"""Item sets by a second road: predicates tested on the stored values, sets as Python integers.

Nothing here uses the bit sets, masks and indexes that made the tasks (`validate.columns`). Bit i of
a set stands for position i of the catalogue. Only the predicates asked for are ever evaluated, so
that a field of many labels costs no more than the labels that the tasks name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

import numpy as np

from mystery_shopper.catalog import Catalogue, Operator, Predicate, fold, formats_of
from mystery_shopper.catalog.columns import LabelColumn, NumberColumn
from mystery_shopper.suites.tau_rec.validate.columns import Mask, Places, Values, values_of

ItemSet = int


def set_of(positions: Iterable[int], size: int) -> ItemSet:
    """The set of these positions out of `size`."""
    mask = np.zeros(size, np.bool_)
    mask[np.fromiter(positions, np.int64)] = True
    return packed(mask)


def packed(mask: Mask) -> ItemSet:
    """The set of the positions at which a boolean array is true."""
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def places(items: ItemSet) -> Places:
    """The positions in a set, ascending, as an array."""
    data = items.to_bytes((items.bit_length() + 7) // 8, "little")
    bits = np.unpackbits(np.frombuffer(data, np.uint8), bitorder="little")
    return np.flatnonzero(bits).astype(np.int64)


def members(items: ItemSet) -> list[int]:
    """The positions in a set, ascending."""
    return places(items).tolist()


class Items:
    """A catalogue as item sets: `holds` of a predicate, `nested` by size, `formats` by name."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._held: dict[Predicate, ItemSet] = {}
        self._values: dict[str, Values] = {}

    def values(self, field: str) -> Values:
        """The values of a field. Raises ValueError for a kind that carries no requirements."""
        if field not in self._values:
            self._values[field] = values_of(self.catalogue, field)
        return self._values[field]

    @cached_property
    def nested(self) -> Mapping[int, ItemSet]:
        """Nested size -> its items, smallest first."""
        return {size: packed(self.catalogue.nesting < size) for size in self.catalogue.sizes}

    @cached_property
    def formats(self) -> Collection[str]:
        """The folded names of the formats that items can be had in; empty where they are off."""
        spec = self.catalogue.domain.formats
        if spec is None:
            return ()
        if spec.column is None:
            return set(self._simulated)
        column = self.catalogue.columns[spec.column]
        names = column.labels if isinstance(column, LabelColumn) else (spec.single,)
        return {fold(name) for name in names}

    @cached_property
    def _simulated(self) -> Mapping[str, ItemSet]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for position in range(len(self.catalogue)):
            for name in formats_of(self.catalogue.item(position)):
                found[fold(name)].append(position)
        return {name: set_of(had, len(self.catalogue)) for name, had in found.items()}

    def _had(self, name: str) -> ItemSet:
        """The items that can be had in a format."""
        spec = self.catalogue.domain.formats
        if spec is None or fold(name) not in self.formats:
            return 0
        if spec.column is None:
            return self._simulated[fold(name)]
        match self.catalogue.columns[spec.column]:
            case LabelColumn():
                return self.holds(Predicate(spec.column, Operator.CONTAINS, name))
            case NumberColumn() as column:
                return packed(column.numbers > 0)
            case _:
                return self.holds(Predicate(spec.column, Operator.EQUAL, True))

    @cached_property
    def everything(self) -> ItemSet:
        """Every item."""
        return (1 << len(self.catalogue)) - 1

    def holds(self, predicate: Predicate) -> ItemSet:
        """The items that satisfy a predicate. Raises ValueError where it does not fit its field."""
        if predicate not in self._held:
            self._held[predicate] = packed(self.values(predicate.field).holds(predicate))
        return self._held[predicate]

    def matching(self, predicates: Iterable[Predicate]) -> ItemSet:
        """The items that satisfy all of them."""
        found = self.everything
        for predicate in predicates:
            found &= self.holds(predicate)
        return found

    def having(self, formats: Collection[str]) -> ItemSet:
        """The items that can be had in one of these formats; every item where none is named."""
        if not formats:
            return self.everything
        found = 0
        for name in formats:
            found |= self._had(name)
        return found

    def known(self, ids: Iterable[str]) -> ItemSet:
        """The set of those ids that the catalogue has."""
        found = 0
        for item in map(self.catalogue.find, ids):
            found |= 0 if item is None else 1 << item.position
        return found
