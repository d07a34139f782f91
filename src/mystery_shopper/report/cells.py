"""Success by cell: pass^1 .. pass^k of a group of tasks with intervals over families.

Source: τ-Rec-Books §4.2. pass^k = mean over tasks of C(c, k) / C(n, k), c successes among n valid
trials. A task with fewer than k valid trials is left out of pass^k, and the number of tasks that
count stands beside every figure. Intervals resample the families of the cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.rows import PlannedTask, Row, Run
from mystery_shopper.report.worst import Tried, Worst, tried, worst
from mystery_shopper.statistics import Interval, cluster_bootstrap_columns, pass_hat_per_task

ALL = "all"
MOST_REJECTIONS = 10


class Answers(StrEnum):
    """Which families a cell holds: those with an answer, those without one (no valid
    recommendation), or both."""

    SATISFIABLE = "satisfiable"
    NVR = "NVR"
    ALL = "all"


@dataclass(frozen=True, slots=True)
class Counts:
    """The denominators of a table's row, in trials.

    `not_understood`: events a valid trial in which the user matched a question to no field; None
    without valid trials.
    """

    planned: int
    valid: int
    excluded: int
    not_understood: float | None

    @property
    def unplayed(self) -> int:
        """Planned trials of which there is no record."""
        return self.planned - self.valid - self.excluded


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over tasks. None is unmeasured; an interval needs two families. `tasks` were scored,
    `unscored` were planned but had too few valid trials. `worst` bounds it where trials were
    excluded."""

    value: float | None
    low: float | None
    high: float | None
    tasks: int
    unscored: int
    worst: Worst | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """The success of one group of tasks; `passes[k - 1]` is pass^k, k up to the trials a task."""

    condition: str
    answers: Answers
    tier: str
    template: str
    counts: Counts
    passes: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """Success within r rejections on satisfiable hidden tasks; `estimates[r]`, r = 0 .. 10."""

    counts: Counts
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True)
class Cells:
    """Every cell of one run: by condition and answers, by tier and by template (satisfiable)."""

    by_answers: tuple[Cell, ...]
    by_tier: tuple[Cell, ...]
    by_template: tuple[Cell, ...]
    within: Within | None

    def at(self, condition: str, answers: Answers = Answers.SATISFIABLE) -> Cell | None:
        """The cell of a condition, or None where the run has none."""
        for cell in self.by_answers:
            if cell.condition == condition and cell.answers is answers:
                return cell
        return None


def count(run: Run, tasks: Iterable[PlannedTask]) -> Counts:
    """The denominators over these tasks."""
    tasks = list(tasks)
    rows = [row for task in tasks for row in run.by_task.get(task.id, ())]
    valid = [row for row in rows if row.valid]
    misread = sum(row.score.not_understood for row in valid)
    return Counts(
        len(tasks) * run.plan.trials,
        len(valid),
        len(rows) - len(valid),
        misread / len(valid) if valid else None,
    )


def cells(run: Run, *, resamples: int = 10_000) -> Cells:
    """Every cell of a run. Families of which nothing is known (no trial, no task set) count under
    `all` only."""
    groups = [(answers, _sift(run, answers), f"answers {answers.value}") for answers in Answers]
    by_answers: list[Cell] = []
    within = None
    for answers, tasks, name in groups:
        limits = MOST_REJECTIONS if answers is Answers.SATISFIABLE else None
        made, estimates = _group(run, tasks, name, resamples, limits)
        by_answers.extend(
            Cell(condition, answers, ALL, ALL, counts, passes) for condition, counts, passes in made
        )
        hidden = [task for task in tasks if task.condition == "hidden"]
        if estimates and hidden:
            within = Within(count(run, hidden), estimates)
    satisfiable = groups[0][1]
    return Cells(
        tuple(by_answers),
        _split(run, satisfiable, "tier", lambda task: _part(task, "tier"), resamples),
        _split(run, satisfiable, "template", lambda task: _part(task, "template"), resamples),
        within,
    )


def _part(task: PlannedTask, part: str) -> str:
    if task.request is None:
        return ""
    return task.request.tier if part == "tier" else task.request.template


def _sift(run: Run, answers: Answers) -> list[PlannedTask]:
    if answers is Answers.ALL:
        return list(run.tasks)
    wanted = answers is Answers.SATISFIABLE
    return [task for task in run.tasks if task.request and task.request.satisfiable is wanted]


def _split(
    run: Run,
    tasks: Sequence[PlannedTask],
    part: str,
    of: Callable[[PlannedTask], str],
    resamples: int,
) -> tuple[Cell, ...]:
    """One group of cells for each tier, or each template, in the order of the plan's families."""
    order = {"simple": 0, "medium": 1, "complex": 2}
    names = sorted(dict.fromkeys(map(of, tasks)), key=lambda name: order.get(name, 3))
    if part == "template":
        names = sorted(names, key=lambda name: (name.count(" + "), name))
    found: list[Cell] = []
    for name in names:
        here = [task for task in tasks if of(task) == name]
        tier, template = (name, ALL) if part == "tier" else (_part(here[0], "tier"), name)
        made, _ = _group(run, here, f"{part} {name}", resamples, None)
        found.extend(
            Cell(condition, Answers.SATISFIABLE, tier, template, counts, passes)
            for condition, counts, passes in made
        )
    return tuple(found)


def _group(
    run: Run, tasks: Sequence[PlannedTask], name: str, resamples: int, rejections: int | None
) -> tuple[list[tuple[str, Counts, tuple[Estimate, ...]]], tuple[Estimate, ...]]:
    """The cells of one group of families under each condition and all of them, and success within
    0 .. `rejections` rejections. All rest on the same resampled families."""
    several = run.conditions if len(run.conditions) == 1 else (*run.conditions, ALL)
    columns: list[NDArray[np.float64]] = []
    chosen: list[tuple[str, list[PlannedTask]]] = []
    for condition in several:
        mine = [task.condition == condition or condition == ALL for task in tasks]
        chosen.append((condition, [t for t, kept in zip(tasks, mine, strict=True) if kept]))
        columns.extend(_pass_columns(run, tasks, mine))
    if rejections is not None:
        columns.extend(_within_columns(run, tasks, rejections))
    seed = derive_seed(run.plan.seed, "report", name)
    table = np.stack(columns, axis=1)
    families = np.array([task.family for task in tasks], dtype=np.str_)
    intervals = cluster_bootstrap_columns(table, families, seed=seed, resamples=resamples)
    most = run.plan.trials
    made: list[tuple[str, Counts, tuple[Estimate, ...]]] = []
    for place, (condition, here) in enumerate(chosen):
        part = intervals[place * most : (place + 1) * most]
        outcomes = tried(run, here)
        passes = tuple(_estimate(found, outcomes, k) for k, found in enumerate(part, 1))
        made.append((condition, count(run, here), passes))
    hidden = [task for task in tasks if task.condition == "hidden"]
    rest = tuple(
        _estimate(found, tried(run, hidden, lambda row, r=r: row.score.rejections <= r), 1)
        for r, found in enumerate(intervals[len(several) * most :])
    )
    return made, rest


def _estimate(found: Interval, tasks: Sequence[Tried], k: int) -> Estimate:
    bound = worst(tasks, k)
    if not found.scored:
        return Estimate(None, None, None, 0, len(tasks), bound)
    spread = found.clusters > 1
    return Estimate(
        found.estimate,
        found.low if spread else None,
        found.high if spread else None,
        found.scored,
        len(tasks) - found.scored,
        bound,
    )


def _valid(run: Run, task: PlannedTask) -> list[Row]:
    return [row for row in run.by_task.get(task.id, ()) if row.valid]


def _pass_columns(
    run: Run, tasks: Sequence[PlannedTask], mine: Sequence[bool]
) -> list[NDArray[np.float64]]:
    """pass^1 .. pass^k of each task that is `mine`, NaN elsewhere and where valid trials lack."""
    rows = [_valid(run, task) if kept else [] for task, kept in zip(tasks, mine, strict=True)]
    tried = np.array([len(found) for found in rows], dtype=np.int64)
    passed = np.array([sum(row.success for row in found) for found in rows], dtype=np.int64)
    columns: list[NDArray[np.float64]] = []
    for k in range(1, run.plan.trials + 1):
        column = np.full(len(tasks), np.nan)
        enough = tried >= k
        column[enough] = pass_hat_per_task(passed[enough], tried[enough], k)
        columns.append(column)
    return columns


def _within_columns(
    run: Run, tasks: Sequence[PlannedTask], rejections: int
) -> list[NDArray[np.float64]]:
    """The share of each hidden task's valid trials that succeed after at most r rejections."""
    columns = [np.full(len(tasks), np.nan) for _ in range(rejections + 1)]
    for place, task in enumerate(tasks):
        rows = _valid(run, task) if task.condition == "hidden" else []
        for r, column in enumerate(columns):
            if rows:
                kept = sum(row.success and row.score.rejections <= r for row in rows)
                column[place] = kept / len(rows)
    return columns
