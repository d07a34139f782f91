"""Which trials the page holds: failures first, then a seeded sample of the others, within a bound.

The choice is the longest beginning of a fixed order whose trials fit into the bytes given, so it
depends neither on the order in which trials were written nor on what was read before.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.rows import Row, Run

MOST_TRIALS = 500
SUCCESSES_AT_LEAST = 50
SUCCESS = 2


def ranking(runs: Sequence[Run], most: int = MOST_TRIALS) -> dict[tuple[int, str], int]:
    """(run, trial key) -> rank of the trials that may be shown, best first.

    Failures, then excluded trials, then successes, of which at least a few keep their place; within
    each the runs take turns, and a run's trials come in an order drawn from its seed.
    """
    order: list[tuple[int, int, int, str]] = []
    for place, run in enumerate(runs):
        taken: Counter[int] = Counter()
        drawn = sorted(run.rows, key=lambda row: derive_seed(run.plan.seed, "shown", row.key))
        for row in drawn:
            part = _part(row)
            order.append((part, taken[part], place, row.key))
            taken[part] += 1
    order.sort()
    others = sum(part < SUCCESS for part, *_ in order)
    room = max(most - others, min(SUCCESSES_AT_LEAST, most // 10, len(order) - others))
    shown = order[: min(others, most - room)] + order[others : others + room]
    return {(place, key): rank for rank, (_, _, place, key) in enumerate(shown)}


def _part(row: Row) -> int:
    return SUCCESS if row.success else 0 if row.valid else 1


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
