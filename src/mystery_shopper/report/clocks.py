"""What `timings.jsonl` tells of a run: the agent's seconds, HTTP statuses, and models' usage.

It stands beside the trials and nothing is scored on it, so a report does without it, wholly or in
part: a line that cannot be read, of no trial here, or of a trial already told of, is passed over.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.usage import Usage


@dataclass(frozen=True, slots=True)
class Spent:
    """One party's usage: over every trial that was metered, and over the valid ones of them."""

    total: Usage
    valid: Usage


@dataclass(frozen=True)
class Clocks:
    """The readings of one run.

    `metered`: trials with a line; `valid`: the valid ones of them; `timed`: of these, those whose
    line has turns; `acts_only`: those that tell acts alone, as earlier versions did. `turns`: the
    seconds of every turn of the timed trials, in rising order. `statuses` and `spent` are over all
    that was metered, excluded trials and every attempt included. `strangers`: lines of no trial.
    """

    metered: int = 0
    valid: int = 0
    timed: int = 0
    acts_only: int = 0
    turns: tuple[float, ...] = ()
    statuses: Mapping[str, int] = field(default_factory=dict[str, int])
    spent: Mapping[str, Spent] = field(default_factory=dict[str, Spent])
    strangers: int = 0

    def turn(self, share: float) -> float | None:
        """The seconds that this share of the turns did not exceed: the least turn that holds for
        (nearest rank), so always one that was measured. None without turns."""
        if not self.turns:
            return None
        return self.turns[max(0, math.ceil(share * len(self.turns)) - 1)]


def gather(timings: Iterable[Timing], valid: Mapping[str, bool]) -> Clocks:
    """The readings of the trials in `valid` (trial -> whether it is valid). The order of the lines
    does not matter; of two for one trial the first is kept."""
    kept: dict[str, Timing] = {}
    strangers = 0
    for timing in timings:
        if timing.trial in valid:
            kept.setdefault(timing.trial, timing)
        else:
            strangers += 1
    counts = [timing for name, timing in kept.items() if valid[name]]
    statuses: Counter[str] = Counter()
    for timing in kept.values():
        statuses.update(timing.statuses)
    return Clocks(
        len(kept),
        len(counts),
        sum(bool(timing.turns) for timing in counts),
        sum(bool(timing.seconds and not timing.turns) for timing in counts),
        tuple(sorted(seconds for timing in counts for seconds in timing.turns)),
        dict(sorted(statuses.items())),
        _spent(list(kept.values()), counts),
        strangers,
    )


def _spent(every: Sequence[Timing], valid: Sequence[Timing]) -> dict[str, Spent]:
    parties = sorted({party for timing in every for party in timing.usage})
    return {party: Spent(_sum(every, party), _sum(valid, party)) for party in parties}


def _sum(timings: Sequence[Timing], party: str) -> Usage:
    return together([timing.usage[party] for timing in timings if party in timing.usage])


def together(usages: Sequence[Usage]) -> Usage:
    """The sum, the same in any order; its cost is unknown where any is."""
    costs = [usage.cost for usage in usages if usage.cost is not None]
    return Usage(
        sum(usage.calls for usage in usages),
        sum(usage.input for usage in usages),
        sum(usage.cached for usage in usages),
        sum(usage.output for usage in usages),
        math.fsum(costs) if len(costs) == len(usages) else None,
    )
