"""Which trials the page holds: all failures first, then a seeded sample of the others, within a
bound.

The choice is the longest beginning of a fixed order whose trials fit into the bytes given, so it
depends neither on the order in which trials were written nor on what was read before.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.rows import Run

MOST_TRIALS = 500


def ranking(
    runs: Sequence[Run], most: int = MOST_TRIALS, first: Set[tuple[int, str]] = frozenset()
) -> dict[tuple[int, str], int]:
    """(run, trial key) -> rank of the trials that may be shown, best first; before all others come
    those that are asked for `first`.

    Failures come first, then a sample of the others, successes and excluded trials alike. Within
    each the runs take turns, and a run's trials come in an order drawn from its seed; so failures
    too are a seeded sample where there are more of them than `most`.
    """
    order: list[tuple[int, int, int, str]] = []
    for place, run in enumerate(runs):
        taken: Counter[int] = Counter()
        drawn = sorted(run.rows, key=lambda row: derive_seed(run.plan.seed, "shown", row.key))
        for row in drawn:
            other = 1 + (row.success or not row.valid)
            kind = 0 if (place, row.key) in first else other
            order.append((kind, taken[kind], place, row.key))
            taken[kind] += 1
    order.sort()
    return {(place, key): rank for rank, (_, _, place, key) in enumerate(order[:most])}


@dataclass
class Shelf:
    """Trials by rank within a bound of bytes, each with the results it needs; shared results count
    once. Once a rank had to go, nothing of a higher rank is taken, so that what stays is the
    beginning of the ranking. A trial that alone is larger than the bound is left out."""

    bound: int
    used: int = 0
    limit: int | None = None
    kept: dict[int, tuple[int, dict[str, int]]] = field(
        default_factory=dict[int, tuple[int, dict[str, int]]]
    )
    _ranks: list[int] = field(default_factory=list[int])
    _holders: Counter[str] = field(default_factory=Counter[str])

    def offer(self, rank: int, size: int, results: dict[str, int]) -> list[int]:
        """Take the trial if it belongs; gives the ranks that had to go, this one's too if so.

        `size` is the trial's own bytes, `results` hash -> bytes of each result it needs.
        """
        if (self.limit is not None and rank >= self.limit) or (
            size + sum(results.values()) > self.bound
        ):
            return [rank]
        self.kept[rank] = (size, results)
        bisect.insort(self._ranks, rank)
        self.used += size
        for key, length in results.items():
            if not self._holders[key]:
                self.used += length
            self._holders[key] += 1
        gone: list[int] = []
        while self.used > self.bound:
            gone.append(self._drop())
        return gone

    def needs(self, key: str) -> bool:
        """Whether a kept trial needs the result."""
        return self._holders[key] > 0

    def _drop(self) -> int:
        rank = self._ranks.pop()
        size, results = self.kept.pop(rank)
        self.used -= size
        for key, length in results.items():
            self._holders[key] -= 1
            if not self._holders[key]:
                self.used -= length
        self.limit = rank
        return rank
