"""Reasons: what the items of a list have in common more often than items at large.

The default reason of a profile query names the attributes over-represented in the subset that
answers it. An attribute is a condition of the item graph.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.suites.recbench.query import Trait
from mystery_shopper.suites.recbench.shelves import Shelves

LEAST_LIFT = 1.5
LEAST_TENTHS = 3
LEAST_BEARERS = 5
"""Of all items consumed. What hardly any item has is shared by chance, and known to nobody."""
MOST_TRAITS = 3


@dataclass(frozen=True)
class Reason:
    """A subset of a list, as positions in the list's order, and the traits that all of it has,
    strongest first."""

    subset: tuple[int, ...]
    traits: tuple[Trait, ...]

    @property
    def text(self) -> str:
        """For example `share genre Thriller (80 % of them; 23 % of all items consumed)`."""
        told = [
            f"{trait.relation} {trait.value} ({trait.share:.0%} of the list, "
            f"{trait.base:.2%} of all items consumed)"
            for trait in self.traits
        ]
        return "over-represented: " + "; ".join(told)


@dataclass(frozen=True, eq=False)
class Reasons:
    """Finds the reasons of lists, against the items that anybody consumed."""

    shelves: Shelves

    @cached_property
    def bearers(self) -> NDArray[np.int64]:
        """The number of consumed items that meet each code."""
        graph = self.shelves.graph
        counts = np.zeros(len(graph.labels), np.int64)
        for position in np.flatnonzero(self.shelves.consumers).tolist():
            counts[graph.codes_of(position)] += 1
        return counts

    @cached_property
    def base(self) -> NDArray[np.float64]:
        """The share of the consumed items that meet each code."""
        return self.bearers / np.count_nonzero(self.shelves.consumers)

    def of(self, listed: Sequence[int]) -> list[Reason]:
        """The reasons of a list: one for each subset of at least two items and three tenths of the
        list that all and only share an over-represented attribute, strongest first.

        An attribute is over-represented if its share of the list is at least 1.5 times its share
        of all items consumed; at least five of those must have it. Its strength is the number of
        bearers times the logarithm of that ratio (their part in the log-likelihood ratio).
        """
        graph = self.shelves.graph
        least = max(2, -(-LEAST_TENTHS * len(listed) // 10))
        bearers: dict[int, list[int]] = {}
        for position in listed:
            for code in graph.codes_of(position).tolist():
                bearers.setdefault(code, []).append(position)
        by_subset: dict[tuple[int, ...], list[tuple[float, int]]] = {}
        for code, items in bearers.items():
            lift = len(items) / len(listed) / float(self.base[code])
            often = self.bearers[code] >= LEAST_BEARERS
            if often and len(items) >= least and lift >= LEAST_LIFT:
                strength = len(items) * math.log(lift)
                by_subset.setdefault(tuple(items), []).append((-strength, code))
        order = sorted(by_subset, key=lambda subset: (min(by_subset[subset]), subset))
        return [
            Reason(subset, tuple(self._traits(sorted(by_subset[subset]), len(subset), len(listed))))
            for subset in order
        ]

    def _traits(
        self, ranked: Sequence[tuple[float, int]], bearers: int, listed: int
    ) -> list[Trait]:
        traits: list[Trait] = []
        for _, code in ranked[:MOST_TRAITS]:
            condition = self.shelves.graph.condition(code)
            share = round(bearers / listed, 4)
            base = round(float(self.base[code]), 4)
            traits.append(Trait(condition.relation, condition.value, share, base))
        return traits
