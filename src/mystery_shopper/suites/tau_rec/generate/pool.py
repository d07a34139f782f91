"""The catalogue as the generator sees it: bit sets over its positions, counted per nested size."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

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
from mystery_shopper.catalog.columns import Value
from mystery_shopper.suites.tau_rec.generate.slots import Slot
from mystery_shopper.suites.tau_rec.hypotheses import HypothesisSpace


@dataclass(frozen=True)
class Choices:
    """The predicates that a slot may take, and their bit sets as rows."""

    predicates: tuple[Predicate, ...]
    masks: Bits


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
        self._masks: dict[Predicate, Bits] = {}
        self._choices: dict[Slot, Choices] = {}
        self._met: dict[tuple[Slot, Value], tuple[Predicate, ...]] = {}
        self._steps: dict[str, range] = {}

    @cached_property
    def formats(self) -> tuple[str, ...]:
        """The formats a user may ask for; empty where there is no choice between them."""
        choices = format_choices(self.catalogue)
        return choices if len(choices) > 1 else ()

    @cached_property
    def _format_masks(self) -> dict[str, Bits]:
        return format_masks(self.catalogue)

    def mask(self, predicate: Predicate) -> Bits:
        """The positions that satisfy the predicate."""
        known = self._masks.get(predicate)
        if known is None:
            known = self._masks[predicate] = predicate.mask(self.catalogue)
        return known

    def matching(self, predicates: Iterable[Predicate]) -> Bits:
        """The positions that satisfy every predicate."""
        return reduce(np.bitwise_and, map(self.mask, predicates), self.everything)

    def available(self, formats: Iterable[str]) -> Bits:
        """The positions that can be had in one of the formats; all where formats are off."""
        masks = [self._format_masks[fold(name)] for name in formats]
        return reduce(np.bitwise_or, masks) if masks else self.everything

    def counts(self, bits: Bits) -> list[int]:
        """How many positions of the set each nested size holds, smallest first."""
        return np.bitwise_count(self.members & bits).sum(axis=1, dtype=np.int64).tolist()

    def met(self, slot: Slot, item: Item) -> tuple[Predicate, ...]:
        """The slot's predicates that the item meets: its labels and those above them, or the
        multiples of the step on the right side of its number. None where the value is missing."""
        key = slot, item[slot.field]
        known = self._met.get(key)
        if known is None:
            known = self._met[key] = self._named(slot, self._values(*key))
        return known

    def _named(self, slot: Slot, values: Iterable[int | str]) -> tuple[Predicate, ...]:
        operator = slot.bound
        if operator is None:
            tree = self.catalogue.domain.hierarchies[slot.field]
            operator = Operator.WITHIN if tree else Operator.CONTAINS
        return tuple(Predicate(slot.field, operator, value) for value in values)

    def _values(self, slot: Slot, value: Value) -> Sequence[int] | Sequence[str]:
        if value is None:
            return ()
        if slot.bound is None:
            labels = value if isinstance(value, tuple) else (value,)
            return self._closed(slot.field, [str(label) for label in labels])
        number = float(value)  # pyright: ignore[reportArgumentType]
        steps = self.steps(slot.field)
        if slot.bound is Operator.AT_LEAST:
            return steps[: bisect_right(steps, number)]
        return steps[bisect_left(steps, number) :]

    def _closed(self, field: str, labels: Sequence[str]) -> list[str]:
        """The labels and those above them, sorted, each once."""
        tree = self.catalogue.domain.hierarchies[field]
        names = {fold(label): label for label in labels}
        for label in labels:
            for up in tree.ancestors(label):
                names.setdefault(fold(up), up)
        return [names[key] for key in sorted(names)]

    def steps(self, field: str) -> range:
        """The multiples of the field's step from its least to its greatest value."""
        known = self._steps.get(field)
        if known is None:
            numbers = self.catalogue.numbers(field).numbers
            numbers = numbers[~np.isnan(numbers)]
            step = int(self.catalogue.domain.fields[field].step or 1)
            first = math.ceil(numbers.min(initial=math.inf) / step) * step if len(numbers) else 0
            last = math.floor(numbers.max(initial=-math.inf)) if len(numbers) else -1
            known = self._steps[field] = range(first, last + 1, step)
        return known

    def choices(self, slot: Slot, least: int, most: int = 512) -> Choices:
        """The predicates that at least `least` items satisfy: every label, or up to `most` bounds
        evenly spaced."""
        known = self._choices.get(slot)
        if known is None:
            values: Sequence[int] | Sequence[str]
            if slot.bound is None:
                values = self._closed(slot.field, self.catalogue.labels(slot.field).labels)
            else:
                steps = self.steps(slot.field)
                values = steps[:: max(1, -(-len(steps) // most))]
            named = self._named(slot, values)
            kept = [one for one in named if self.counts(self.mask(one))[-1] >= least]
            masks = np.array([self.mask(one) for one in kept], np.uint64)
            shape = len(kept), len(self.everything)
            known = self._choices[slot] = Choices(tuple(kept), masks.reshape(shape))
        return known
