"""The catalogue as the generator sees it: bit sets over its positions, counted per nested size."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cached_property, reduce
from typing import TypeVar

import numpy as np

from mystery_shopper.catalog import (
    Catalogue,
    Item,
    Operator,
    Predicate,
    fold,
    format_choices,
    format_masks,
)
from mystery_shopper.catalog.bits import Bits, bits_of, full_bits
from mystery_shopper.catalog.columns import FlagColumn, Value
from mystery_shopper.suites.tau_rec.generate.choices import (
    BoundChoices,
    Choices,
    Counts,
    FlagChoices,
    LabelChoices,
    bounds_for,
    closed,
    label_predicate,
)
from mystery_shopper.suites.tau_rec.generate.slots import Slot
from mystery_shopper.suites.tau_rec.hypotheses import HypothesisSpace

MASK_BYTES = 96 << 20
COUNT_BYTES = 32 << 20
MET_VALUES = 50_000

K = TypeVar("K")
V = TypeVar("V")


class _Recent(OrderedDict[K, V]):
    """The values made last, at most `most` of them."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most

    def get_or(self, key: K, make: Callable[[], V]) -> V:
        """The value of the key, made if it is not there."""
        if key in self:
            self.move_to_end(key)
            return self[key]
        value = self[key] = make()
        if len(self) > self._most:
            self.popitem(last=False)
        return value


class Pool:
    """Masks and counts. Nested sizes stand in ascending order, so index 0 is the smallest."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.space = HypothesisSpace(catalogue)
        self.everything = full_bits(len(catalogue))
        self.members = np.stack(
            [bits_of(catalogue.members(size), len(catalogue)) for size in catalogue.sizes]
        )
        self.smallest = catalogue.members(catalogue.sizes[0])
        masks = max(64, MASK_BYTES // max(1, self.everything.nbytes))
        self._masks: _Recent[Predicate, Bits] = _Recent(masks)
        self._choices: dict[Slot, Choices] = {}
        self._met: _Recent[tuple[Slot, Value], tuple[Predicate, ...]] = _Recent(MET_VALUES)
        self._bounds: dict[Slot, tuple[Predicate, ...]] = {}
        self._counted: dict[Slot, _Recent[tuple[tuple[Predicate, ...], int], Counts]] = {}

    @cached_property
    def formats(self) -> tuple[str, ...]:
        """The formats a user may ask for; empty where formats are off."""
        return tuple(format_choices(self.catalogue))

    @cached_property
    def _format_masks(self) -> dict[str, Bits]:
        return format_masks(self.catalogue)

    def mask(self, predicate: Predicate) -> Bits:
        """The positions that satisfy the predicate."""
        return self._masks.get_or(predicate, lambda: predicate.mask(self.catalogue))

    def matching(self, predicates: Iterable[Predicate]) -> Bits:
        """The positions that satisfy every predicate."""
        return reduce(np.bitwise_and, map(self.mask, predicates), self.everything)

    def available(self, formats: Iterable[str]) -> Bits:
        """The positions that can be had in one of the formats; all where none is named."""
        masks = [self._format_masks[fold(name)] for name in formats]
        return reduce(np.bitwise_or, masks) if masks else self.everything

    def counts(self, bits: Bits) -> list[int]:
        """How many positions of the set each nested size holds, smallest first."""
        return np.bitwise_count(self.members & bits).sum(axis=1, dtype=np.int64).tolist()

    def met(self, slot: Slot, item: Item) -> tuple[Predicate, ...]:
        """The slot's predicates that the item meets: its labels and those above them, the bounds
        on the right side of its number, its yes or no. None where the value is missing."""
        value = item[slot.field]
        if value is None or value == ():
            return ()
        if slot.bound is not None:
            return self._bounds_met(slot, float(value))  # pyright: ignore[reportArgumentType]
        return self._met.get_or((slot, value), lambda: self._labels_met(slot.field, value))

    def _labels_met(self, field: str, value: Value) -> tuple[Predicate, ...]:
        if isinstance(value, bool):
            return (Predicate(field, Operator.EQUAL, value),)
        tree = self.catalogue.domain.hierarchies[field]
        labels = value if isinstance(value, tuple) else (value,)
        names = closed(tree, [str(label) for label in labels])
        return tuple(label_predicate(field, tree, name) for name in names)

    def _bounds_met(self, slot: Slot, number: float) -> tuple[Predicate, ...]:
        bounds = self.bounds(slot)
        if slot.bound is Operator.AT_LEAST:
            return bounds[: bisect_right(bounds, number, key=_number)]
        return bounds[bisect_left(bounds, number, key=_number) :]

    def bounds(self, slot: Slot) -> tuple[Predicate, ...]:
        """Every predicate of an ordered slot, ascending."""
        known = self._bounds.get(slot)
        if known is None:
            operator = slot.bound or Operator.AT_LEAST
            values = bounds_for(self.catalogue, slot.field)
            known = tuple(Predicate(slot.field, operator, value) for value in values)
            self._bounds[slot] = known
        return known

    def choices(self, slot: Slot, least: int) -> Choices:
        """The slot's predicates that at least `least` items satisfy."""
        known = self._choices.get(slot)
        if known is None:
            made = self.make_choices(slot, least)
            known = self._choices[slot] = made.hold(self.catalogue)
        return known

    def make_choices(self, slot: Slot, least: int) -> Choices:
        """The same, counted without bit sets."""
        catalogue, field = self.catalogue, slot.field
        column = catalogue.columns[field]
        if slot.bound is not None:
            numbers = catalogue.numbers(field).numbers
            return BoundChoices(catalogue, self.bounds(slot), numbers, least)
        if isinstance(column, FlagColumn):
            return FlagChoices(catalogue, field, column, least)
        return LabelChoices(catalogue, field, least)

    def choice_counts(
        self, slot: Slot, least: int, predicates: tuple[Predicate, ...], size: int
    ) -> Counts:
        """How many positions of the nested size of this place (-1 for the full catalogue) that
        satisfy the predicates satisfy each of the slot's choices too."""
        choices = self.choices(slot, least)

        def count() -> Counts:
            return choices.counts(self.matching(predicates) & self.members[size])

        if len(predicates) > 1:
            return count()
        most = max(16, COUNT_BYTES // max(1, 8 * len(choices)))
        recent = self._counted.setdefault(slot, _Recent(min(most, MET_VALUES)))
        return recent.get_or((predicates, size), count)


def _number(predicate: Predicate) -> float:
    return float(predicate.value)  # pyright: ignore[reportArgumentType]
