"""The catalogue as the generator sees it: bit sets over its positions, counted per nested size."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from mystery_shopper.catalog import (
    Catalogue,
    Operator,
    Predicate,
    fold,
    format_choices,
    format_masks,
)
from mystery_shopper.catalog.bits import Bits, bits_of, full_bits
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

    def operator(self, slot: Slot) -> Operator:
        """The operator of the slot's predicates: `within` follows a hierarchy."""
        if slot.bound is not None:
            return slot.bound
        tree = self.catalogue.domain.hierarchies[slot.field]
        return Operator.WITHIN if tree else Operator.CONTAINS

    def closed_labels(self, field: str, labels: Sequence[str]) -> list[str]:
        """The labels and those above them, sorted, each once."""
        tree = self.catalogue.domain.hierarchies[field]
        names = {fold(label): label for label in labels}
        for label in labels:
            for up in tree.ancestors(label):
                names.setdefault(fold(up), up)
        return [names[key] for key in sorted(names)]

    def steps(self, field: str) -> range:
        """The multiples of the field's step from its least to its greatest value."""
        numbers = self.catalogue.numbers(field).numbers
        known = numbers[~np.isnan(numbers)]
        if not len(known):
            return range(0)
        step = self.catalogue.domain.fields[field].step
        first = -(-int(np.ceil(known.min())) // step) * step
        return range(first, int(np.floor(known.max())) + 1, step)

    def choices(self, slot: Slot, least: int, most: int = 512) -> Choices:
        """The predicates that at least `least` items satisfy: every label, or up to `most` bounds
        evenly spaced."""
        known = self._choices.get(slot)
        if known is None:
            values: list[int] | list[str]
            if slot.bound is None:
                labels = self.catalogue.labels(slot.field).labels
                values = self.closed_labels(slot.field, labels)
            else:
                steps = self.steps(slot.field)
                values = list(steps[:: max(1, -(-len(steps) // most))])
            named = [Predicate(slot.field, self.operator(slot), value) for value in values]
            kept = [one for one in named if self.counts(self.mask(one))[-1] >= least]
            masks = [self.mask(one) for one in kept] or [self.everything[:0]]
            known = self._choices[slot] = Choices(tuple(kept), np.stack(masks))
        return known
