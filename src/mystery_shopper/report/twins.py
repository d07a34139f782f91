"""The gap between a run and its twin over freshly drawn tasks, by condition."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.engine.suites import Score, TaskBook
from mystery_shopper.foundation import derive_seed, generator
from mystery_shopper.report.cells import ALL
from mystery_shopper.report.rows import PlannedTask, RunOf
from mystery_shopper.report.words import bounds, figure, plain
from mystery_shopper.statistics import resampled_means
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.tau_rec.task import Family, TaskSet

LEVEL = 0.95
_FACTOR = NormalDist().inv_cdf((1 + LEVEL) / 2) + NormalDist().inv_cdf(0.8)
FEW = 20
"""Where a side has no more families than this, intervals are too sure, and the families are dealt
to the two sides anew as well."""
FEWEST = 6
"""Families that each side needs for anything to be told. With two or three a side, one pair of
equal sets in six to eleven would show a gap."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Success on the run's own families minus success on the twin's, in one condition or all. In
    recbench a family is the queries of one user.

    The two sets share no family, so each is resampled by itself. None where a side has nothing
    valid; an interval needs two families on each side. `families`: how many the smaller side has.
    `p`: where those are few, how often families that are dealt to the sides at random lie so far
    apart. `detectable`: the gap that so many families find at 80 % power.
    """

    condition: str
    own: float | None
    fresh: float | None
    gap: float | None
    low: float | None
    high: float | None
    own_tasks: int
    fresh_tasks: int
    families: int = 0
    p: float | None = None
    detectable: float | None = None


@dataclass(frozen=True)
class Twins:
    """All gaps, and the twin's families, or queries, left out since the run has the same
    request."""

    gaps: tuple[Gap, ...]
    repeated: tuple[str, ...]
    seed: int

    @property
    def shown(self) -> bool:
        """Whether the run's own families are easier for the agent beyond chance: one test, over all
        conditions."""
        last = self.gaps[-1] if self.gaps else None
        if last is None or last.low is None or not self.told:
            return False
        return last.low > 0 and (last.p is None or last.p <= 1 - LEVEL)

    @property
    def told(self) -> bool:
        """Whether there are families enough for a gap, or for none, to be told."""
        return bool(self.gaps) and self.gaps[-1].families >= FEWEST


def gaps(
    own: RunOf[Score],
    twin: RunOf[Score],
    *,
    seed: int,
    sets: tuple[TaskBook | None, TaskBook | None] | None = None,
    resamples: int = 10_000,
) -> Twins:
    """Compare a run with its twin. What the twin asks for and the run's set too is left out: an
    agent may have memorised it as well. `sets`: their task sets, where the runs hold none."""
    there = twin.families | {task.id for task in twin.tasks}
    repeated = asked_again(*(sets or (own.task_set, twin.task_set))) & there
    conditions = own.conditions if len(own.conditions) == 1 else (*own.conditions, ALL)
    found = [_gap(own, twin, one, repeated, resamples) for one in conditions]
    return Twins(tuple(found), tuple(sorted(repeated)), seed)


def asked_again(own: TaskBook | None, twin: TaskBook | None) -> frozenset[str]:
    """Ids of the twin's families, or queries, with a request of the run's set."""
    if own is None or twin is None:
        return frozenset()
    known = {_request(one) for one in _asked(own)}
    return frozenset(one.id for one in _asked(twin) if _request(one) in known)


def _asked(book: TaskBook) -> Sequence[Family | Query]:
    if isinstance(book, QuerySet):
        return book.queries
    return book.families if isinstance(book, TaskSet) else ()


def _request(one: Family | Query) -> object:
    """What is asked for, however it is worded and whoever asks."""
    if isinstance(one, Query):
        listed = frozenset(one.profile.listed) if one.profile is not None else None
        return one.kind, frozenset(one.parts), listed
    return frozenset(one.predicates)


def _gap(
    own: RunOf[Score],
    twin: RunOf[Score],
    condition: str,
    repeated: frozenset[str],
    resamples: int,
) -> Gap:
    sides = [_values(own, condition, frozenset()), _values(twin, condition, repeated)]
    means = [math.fsum(values) / len(values) if values else None for values, _ in sides]
    counts = [len(values) for values, _ in sides]
    if means[0] is None or means[1] is None:
        return Gap(condition, means[0], means[1], None, None, None, counts[0], counts[1])
    low = high = p = detectable = None
    least = min(len(set(families)) for _, families in sides)
    if least > 1:
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
        apart = drawn[0] - drawn[1]
        low, high = map(float, np.quantile(apart, [tail, 1 - tail]))
        detectable = _FACTOR * float(apart.std())
    if FEWEST <= least <= FEW:
        p = _dealt(sides, derive_seed(own.plan.seed, "twin deal", condition), resamples)
    return Gap(
        condition, means[0], means[1], means[0] - means[1], low, high,
        counts[0], counts[1], least, p, detectable,
    )  # fmt: skip


def _dealt(sides: Sequence[tuple[list[float], Sequence[str]]], seed: int, deals: int) -> float:
    """The two-sided p value of a permutation test: families are drawn alike on both sides, so that
    each deal of them is as likely as the one at hand."""
    sums: list[tuple[float, int]] = []
    own = 0
    for place, (values, families) in enumerate(sides):
        for name in sorted(set(families)):
            those = [v for v, family in zip(values, families, strict=True) if family == name]
            sums.append((math.fsum(those), len(those)))
            own += place == 0
    table = np.array(sums)
    whole = table.sum(axis=0)

    def apart(first: NDArray[np.float64]) -> NDArray[np.float64]:
        rest = whole - first
        return np.abs(first[..., 0] / first[..., 1] - rest[..., 0] / rest[..., 1])

    random = generator("twins", seed)
    order = random.permuted(np.tile(np.arange(len(table)), (deals, 1)), axis=1)
    drawn = apart(table[order[:, :own]].sum(axis=1))
    far = int((drawn >= apart(table[:own].sum(axis=0)) - 1e-12).sum())
    return (1 + far) / (deals + 1)


def _values(
    run: RunOf[Score], condition: str, without: frozenset[str]
) -> tuple[list[float], Sequence[str]]:
    """The success of each task with a valid trial of which it is known, and its family."""
    values: list[float] = []
    families: list[str] = []
    for task in _tasks(run, condition, without):
        rows = [row for row in run.by_task.get(task.id, ()) if row.valid]
        rows = [row for row in rows if row.score.success is not None]
        if rows:
            values.append(sum(row.success for row in rows) / len(rows))
            families.append(task.family)
    return values, families


def _tasks(run: RunOf[Score], condition: str, without: frozenset[str]) -> Iterator[PlannedTask]:
    for task in run.tasks:
        if condition in (task.condition, ALL) and not without & {task.family, task.id}:
            yield task


def lines(found: Twins, agent: str, suite: str = "tau_rec") -> Iterator[str]:
    """For a terminal, within 80 columns."""
    tasks, clusters = ("families",) * 2 if suite == "tau_rec" else ("queries", "users")
    wide = max([11, *(len(plain(one.condition, 14)) for one in found.gaps)])
    yield f"Twin: {plain(agent, 40)} on its run's {tasks} and on fresh ones, seed {found.seed}"
    head = "condition".ljust(wide)
    yield f"{head}{'own':>7}{'fresh':>8}{'gap':>9}  {'95 % interval':<17}{'tasks':>9}"
    for one in found.gaps:
        gap, name = figure(one.gap), plain(one.condition, wide).ljust(wide)
        told = f"{one.own_tasks}/{one.fresh_tasks}"
        yield (
            f"{name}{figure(one.own):>7}{figure(one.fresh):>8}{gap:>9}  "
            f"{bounds(one.low, one.high):<17}{told:>9}"
        )
    if found.repeated:
        yield f"Left out of the fresh ones, asked for by the run's set too: {len(found.repeated)}."
    if found.shown:
        yield f"It does better on the run's own {tasks}, beyond chance: it may know them."
    elif found.told:
        yield "No gap over all conditions beyond chance."
        least = figure(found.gaps[-1].detectable)
        yield f"So many {clusters} would find a gap of {least} four times in five."
    else:
        yield f"Too few {clusters} to tell: {FEWEST} on either side are needed."
