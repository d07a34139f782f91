"""The table of a person's own metrics: averages by condition, intervals over families."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.cells import ALL, Counts, count
from mystery_shopper.report.ownmetrics import OwnMetrics, Readings
from mystery_shopper.report.rows import PlannedTask, Run
from mystery_shopper.report.summary import Group, Summary
from mystery_shopper.report.tabular import COUNTED, Table, counted
from mystery_shopper.report.words import DASH, figure, plain, plural, whole
from mystery_shopper.statistics import Interval, cluster_bootstrap

TITLE = "Own metrics"
_NOTE = (
    "Metrics that were named for this report, over valid trials of all families: the mean over "
    "tasks of the task's mean; 95 % intervals resample families. Unscored: the metric gave "
    "nothing. Failed: it raised an error or gave no finite number. Neither counts as a score."
)
_HEAD = ("agent", "metric", "condition", "mean", "95 % interval", "tasks", "unscored", "failed")


@dataclass(frozen=True, slots=True)
class Tried:
    """A task: what intervals resample, and the keys of its valid trials."""

    family: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mean:
    """A metric over some tasks: its mean, and the valid trials in which it was unscored or
    failed."""

    mean: Interval
    unscored: int
    failed: int

    @classmethod
    def of(
        cls, tasks: Sequence[Tried], readings: Readings, *, seed: int, resamples: int = 10_000
    ) -> Mean:
        """The mean over tasks of each task's mean; intervals resample families."""
        keys = [key for task in tasks for key in task.keys]
        found = cluster_bootstrap(
            [_mean(task, readings) for task in tasks],
            [task.family for task in tasks],
            seed=seed,
            resamples=resamples,
        )
        failed = sum(key in readings.failed for key in keys)
        scored = sum(readings.values.get(key) is not None for key in keys)
        return cls(found, len(keys) - failed - scored, failed)

    def cells(self) -> tuple[str, ...]:
        """The mean, its interval, and the tasks and trials behind it."""
        spread = self.mean.clusters > 1
        return (
            _told(self.mean.estimate),
            f"[{_told(self.mean.low)}, {_told(self.mean.high)}]" if spread else DASH,
            whole(self.mean.scored),
            whole(self.unscored),
            whole(self.failed),
        )

    def __str__(self) -> str:
        return _told(self.mean.estimate)


@dataclass(frozen=True, slots=True)
class Average:
    """A metric over the tasks of one condition, or of all."""

    condition: str
    found: Mean
    counts: Counts


def averages(
    run: Run, metric: str, readings: Readings, *, resamples: int = 10_000
) -> Iterator[Average]:
    """The metric's averages by condition, then over all where there are several."""
    conditions = run.conditions if len(run.conditions) == 1 else (*run.conditions, ALL)
    for condition in conditions:
        tasks = [task for task in run.tasks if condition in (ALL, task.condition)]
        seed = derive_seed(run.plan.seed, "report", f"own metric {metric} {condition}")
        tried = [_tried(run, task) for task in tasks]
        found = Mean.of(tried, readings, seed=seed, resamples=resamples)
        yield Average(condition, found, count(run, tasks))


def _tried(run: Run, task: PlannedTask) -> Tried:
    rows = run.by_task.get(task.id, ())
    return Tried(task.family, tuple(row.key for row in rows if row.valid))


def _mean(task: Tried, readings: Readings) -> float | None:
    """The mean over the task's scored valid trials; None without any."""
    found = (readings.values.get(key) for key in task.keys)
    values = [value for value in found if value is not None]
    return math.fsum(values) / len(values) if values else None


def metric_tables(group: Group, own: OwnMetrics | None) -> list[Table]:
    """The table; none where no metric was named."""
    if own is None or not own.metrics:
        return []
    rows: list[tuple[str, ...]] = []
    first: list[str] = []
    for run in group.runs:
        for metric in own.metrics:
            readings = own.found.get((run.run.name, metric.name), Readings())
            name = plain(metric.name, 40)
            if readings.first:
                first.append(f"{name} of {run.label} on {readings.first}")
            rows += [
                (
                    run.label,
                    name,
                    average.condition,
                    *average.found.cells(),
                    *counted(average.counts),
                )
                for average in averages(run.run, metric.name, readings)
            ]
    told = f" First failures: {'; '.join(first)}." if first else ""
    return [Table(TITLE, _NOTE + told, str(group.provenance), (*_HEAD, *COUNTED), tuple(rows), 3)]


def _told(value: float) -> str:
    """Three decimals, or as many digits where these would tell nothing."""
    if not math.isfinite(value) or value == 0 or 0.001 <= abs(value) < 1e6:
        return figure(value)
    return f"{value:.3g}"


def metric_lines(summary: Summary, own: OwnMetrics | None) -> list[str]:
    """A line for the terminal for each metric of each run, and one for how it failed."""
    made: list[str] = []
    if own is None:
        return made
    for run in summary.runs:
        for metric in own.metrics:
            readings = own.found.get((run.run.name, metric.name), Readings())
            found = ", ".join(
                f"{average.condition} {average.found}"
                for average in averages(run.run, metric.name, readings)
            )
            name = plain(metric.name, 40)
            made.append(f"{run.full} · {name}: {found}")
            if readings.failed:
                trials = plural(len(readings.failed), "trial")
                made.append(f"  failed on {trials}, first on {readings.first}")
    return made
