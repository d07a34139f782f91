"""The gap between a run and its twin over freshly drawn families, by condition."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.cells import ALL
from mystery_shopper.report.rows import PlannedTask, Run
from mystery_shopper.report.words import bounds, figure, plain
from mystery_shopper.statistics import resampled_means
from mystery_shopper.suites.tau_rec.task import Family, TaskSet

LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Gap:
    """Success on the run's own families minus success on the twin's, in one condition or all.

    The two sets share no family, so each is resampled by itself. None where a side has nothing
    valid; an interval needs two families on each side.
    """

    condition: str
    own: float | None
    fresh: float | None
    gap: float | None
    low: float | None
    high: float | None
    own_tasks: int
    fresh_tasks: int


@dataclass(frozen=True)
class Twins:
    """All gaps, and the twin's families left out since the run has the same request."""

    gaps: tuple[Gap, ...]
    repeated: tuple[str, ...]
    seed: int

    @property
    def shown(self) -> bool:
        """Whether the run's own families are easier for the agent beyond chance: one test, over all
        conditions."""
        low = self.gaps[-1].low if self.gaps else None
        return low is not None and low > 0


def gaps(own: Run, twin: Run, *, seed: int, resamples: int = 10_000) -> Twins:
    """Compare a run with its twin. Families of the twin with a request that the run's set has too
    are left out: an agent may have memorised them as well."""
    repeated = _repeated(own.task_set, twin.task_set) & twin.families
    conditions = own.conditions if len(own.conditions) == 1 else (*own.conditions, ALL)
    found = [_gap(own, twin, one, repeated, resamples) for one in conditions]
    return Twins(tuple(found), tuple(sorted(repeated)), seed)


def _repeated(own: TaskSet | None, twin: TaskSet | None) -> frozenset[str]:
    if own is None or twin is None:
        return frozenset()
    known = {_request(family) for family in own.families}
    return frozenset(family.id for family in twin.families if _request(family) in known)


def _request(family: Family) -> frozenset[object]:
    return frozenset(family.predicates)


def _gap(own: Run, twin: Run, condition: str, repeated: frozenset[str], resamples: int) -> Gap:
    sides = [_values(own, condition, frozenset()), _values(twin, condition, repeated)]
    means = [math.fsum(values) / len(values) if values else None for values, _ in sides]
    counts = [len(values) for values, _ in sides]
    if means[0] is None or means[1] is None:
        return Gap(condition, means[0], means[1], None, None, None, *counts)
    low = high = None
    if all(len(set(families)) > 1 for _, families in sides):
        drawn = [
            resampled_means(
                np.array(values)[:, None],
                families,
                seed=derive_seed(own.plan.seed, "twin", condition, side),
                resamples=resamples,
            )[:, 0]
            for side, (values, families) in enumerate(sides)
        ]
        tail = (1 - LEVEL) / 2
        low, high = map(float, np.quantile(drawn[0] - drawn[1], [tail, 1 - tail]))
    return Gap(condition, means[0], means[1], means[0] - means[1], low, high, *counts)


def _values(run: Run, condition: str, without: frozenset[str]) -> tuple[list[float], Sequence[str]]:
    """The success of each task with a valid trial, and its family."""
    values: list[float] = []
    families: list[str] = []
    for task in _tasks(run, condition, without):
        rows = [row for row in run.by_task.get(task.id, ()) if row.valid]
        if rows:
            values.append(sum(row.success for row in rows) / len(rows))
            families.append(task.family)
    return values, families


def _tasks(run: Run, condition: str, without: frozenset[str]) -> Iterator[PlannedTask]:
    for task in run.tasks:
        if condition in (task.condition, ALL) and task.family not in without:
            yield task


def lines(found: Twins, agent: str) -> Iterator[str]:
    """For a terminal, within 80 columns."""
    yield f"Twin: {plain(agent, 40)} on its run's families and on fresh ones, seed {found.seed}"
    yield f"{'condition':<11}{'own':>7}{'fresh':>8}{'gap':>9}  {'95 % interval':<17}{'tasks':>9}"
    for one in found.gaps:
        gap = figure(one.gap)
        told = f"{one.own_tasks}/{one.fresh_tasks}"
        yield (
            f"{plain(one.condition, 11):<11}{figure(one.own):>7}{figure(one.fresh):>8}{gap:>9}  "
            f"{bounds(one.low, one.high):<17}{told:>9}"
        )
    if found.repeated:
        yield f"Left out of the fresh ones, asked for by the run's set too: {len(found.repeated)}."
    if found.shown:
        yield "It does better on the run's own families, beyond chance: it may know them."
    elif found.gaps and found.gaps[-1].low is not None:
        yield "No gap over all conditions beyond chance."
    else:
        yield "Too few families to tell."
