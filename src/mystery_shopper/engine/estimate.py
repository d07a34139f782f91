"""What a whole run will take, from a sample of its trials.

The sample is drawn over the strata condition × tier: each gets its equal share of the trials asked
for, as far as it has as many, and within a stratum the plan's seed draws them, families that are
not in the sample yet first. The sample depends on nothing but the plan and its size, so the same
command draws it again. Trials that are done already are of the sample too.

What is done is counted as it is. For the trials that are left, each trial of the sample stands for
an equal share of those of its stratum; a stratum of which there is no trial counts as the mean of
the others. The interval is the 95 % percentile bootstrap of that mean over task families
(`statistics.bootstrap`), since trials of one family resemble each other; it is of the expected
total. From one family no interval can be had.

Time is scaled by the mean of the seconds from a trial's beginning to its end, divided by how many
will be in flight: trials in flight together are taken not to slow each other down. The first trial
of a process waits for what is built once, such as an index: where one of the first that ended took
more than `LATE` times the longest of the others, it is no measure of the rest, and what it waited
for is counted once.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mystery_shopper.engine.casting import INSPECT, MODEL, talks
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import PlannedTrial, RunPlan
from mystery_shopper.engine.suites import TaskBook
from mystery_shopper.engine.usage import Usage, in_order
from mystery_shopper.foundation import random_source
from mystery_shopper.statistics import resampled_means

LEVEL = 0.95
RESAMPLES = 4_000
LATE = 3.0


@dataclass(frozen=True)
class Range:
    """An amount for the whole run; `low` and `high` are NaN where no interval can be had."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class PartyEstimate:
    """What one party's model will use in the whole run; `cost` is None where its price is unknown.
    `known` is False where nothing tells, as with an agent behind HTTP."""

    party: str
    known: bool = True
    input: Range | None = None
    cached: Range | None = None
    output: Range | None = None
    cost: Range | None = None


@dataclass(frozen=True)
class Estimate:
    """Of `planned` trials `done` are done, and those of which the clock was read are `timed`.
    `seconds` are of the whole run at `in_flight` trials at a time, `startup` of them before that.
    """

    planned: int
    done: int
    timed: int
    parties: tuple[PartyEstimate, ...]
    seconds: Range | None
    in_flight: int
    startup: float = 0.0


def choose(plan: RunPlan, tasks: TaskBook, wanted: int) -> list[PlannedTrial]:
    """The sample of a plan, in the plan's order: `wanted` trials, or all where there are fewer."""
    strata: dict[tuple[str, str], list[PlannedTrial]] = defaultdict(list)
    for planned in plan.planned():
        strata[_stratum(tasks, planned.task)].append(planned)
    shares = _shares({name: len(trials) for name, trials in strata.items()}, wanted, plan.seed)
    seen: Counter[str] = Counter()
    chosen: set[PlannedTrial] = set()
    for name in sorted(strata):
        drawn = list(strata[name])
        random_source(plan.seed, "estimate", *name).shuffle(drawn)
        for _ in range(shares[name]):
            drawn.sort(key=lambda trial: seen[tasks.labels(trial.task).family])
            picked = drawn.pop(0)
            seen[tasks.labels(picked.task).family] += 1
            chosen.add(picked)
    return [planned for planned in plan.planned() if planned in chosen]


def estimate(
    plan: RunPlan, tasks: TaskBook, timings: Iterable[Timing], *, in_flight: int
) -> Estimate:
    """What the plan's run takes as a whole, from the trials that are done, in the order in which
    they ended."""
    by_key: dict[str, Timing] = {}
    for timing in timings:
        by_key.setdefault(timing.trial, timing)
    sample = [planned for planned in plan.planned() if planned.key in by_key]
    found = [by_key[planned.key] for planned in sample]
    whole = _Whole(plan, tasks, sample)
    timed = [timing.wall is not None for timing in found]
    at_once = max(1, min(in_flight, plan.count))
    planned = {trial.key for trial in sample}
    waited, startup = _late([by_key[key] for key in by_key if key in planned], at_once)
    walls = [
        timing.wall if timing.wall is not None and timing.trial not in waited else math.nan
        for timing in found
    ]
    seconds = whole.of(walls) if any(timed) else None
    if seconds is not None:
        ends = (seconds.value, seconds.low, seconds.high)
        seconds = Range(*(startup + part / at_once for part in ends))
    there = in_order({party for timing in found for party in timing.usage})
    parties = tuple(_party(party, whole, found) for party in there)
    silent = [PartyEstimate(party, known=False) for party in _silent(plan, parties)]
    return Estimate(
        plan.count, len(found), sum(timed), (*silent, *parties), seconds, at_once, startup
    )


def _late(ended: Sequence[Timing], at_once: int) -> tuple[frozenset[str], float]:
    """Which of the first trials to end waited for what is built once, and how long that took."""
    walls = [(timing.trial, timing.wall) for timing in ended if timing.wall is not None]
    first, rest = walls[:at_once], [wall for _, wall in walls[at_once:]]
    if not rest:
        return frozenset(), 0.0
    late = {trial: wall for trial, wall in first if wall > LATE * max(rest)}
    if not late:
        return frozenset(), 0.0
    return frozenset(late), max(late.values()) - math.fsum(rest) / len(rest)


@dataclass(frozen=True)
class _Whole:
    """Sums over the whole run from values of its sample."""

    plan: RunPlan
    tasks: TaskBook
    sample: Sequence[PlannedTrial]

    def of(self, values: Sequence[float]) -> Range:
        """The sum over all trials; NaN among the values where one was not taken."""
        column = np.asarray(values, dtype=np.float64)
        taken = ~np.isnan(column)
        kept = [planned for planned, there in zip(self.sample, taken, strict=True) if there]
        column = column[taken]
        there, left = float(column.sum()), self.plan.count - len(kept)
        if not left:
            return Range(there, there, there)
        weights = self._weights(kept)
        mean = float((weights * column).sum() / weights.sum())
        families = [self.tasks.labels(planned.task).family for planned in kept]
        value = there + left * mean
        if len(set(families)) < 2:
            return Range(value, math.nan, math.nan)
        means = resampled_means(
            np.column_stack([weights * column, weights]),
            families,
            seed=self.plan.seed,
            resamples=RESAMPLES,
        )
        drawn = means[means[:, 1] > 0]
        tail = (1 - LEVEL) / 2
        low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [tail, 1 - tail])
        return Range(value, there + left * float(low), there + left * float(high))

    def _weights(
        self, kept: Sequence[PlannedTrial]
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """For how many of the trials that are left each of these stands."""
        strata = [_stratum(self.tasks, planned.task) for planned in kept]
        done = Counter(strata)
        planned = Counter(_stratum(self.tasks, trial.task) for trial in self.plan.planned())
        weights = np.array([(planned[name] - done[name]) / done[name] for name in strata])
        # Where all that is left is of strata without a trial, those there are count alike.
        return weights if weights.any() else np.ones(len(kept))


def _party(party: str, whole: _Whole, found: Sequence[Timing]) -> PartyEstimate:
    usages = [timing.usage.get(party, Usage()) for timing in found]
    costs = [usage.cost for usage in usages]
    known = [cost for cost in costs if cost is not None]
    return PartyEstimate(
        party,
        input=whole.of([usage.input for usage in usages]),
        cached=whole.of([usage.cached for usage in usages]),
        output=whole.of([usage.output for usage in usages]),
        cost=whole.of(known) if len(known) == len(costs) else None,
    )


def _silent(plan: RunPlan, told: Sequence[PartyEstimate]) -> list[str]:
    """An agent that talks to somebody who does not tell what it uses."""
    opaque = talks(plan.agent) and not plan.agent.startswith((MODEL, INSPECT))
    return ["agent"] if opaque and all(one.party != "agent" for one in told) else []


def _stratum(tasks: TaskBook, name: str) -> tuple[str, str]:
    labels = tasks.labels(name)
    return labels.condition, labels.tier


def _shares(
    sizes: Mapping[tuple[str, str], int], wanted: int, seed: int
) -> dict[tuple[str, str], int]:
    """Equal shares, one trial at a time, of strata that have as many. Which of them get one more
    where the number does not divide is drawn."""
    names = sorted(sizes)
    random_source(seed, "estimate").shuffle(names)
    shares = dict.fromkeys(names, 0)
    left = min(wanted, sum(sizes.values()))
    while left:
        for name in shares:
            if left and shares[name] < sizes[name]:
                shares[name] += 1
                left -= 1
    return shares
