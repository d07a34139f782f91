"""The worst case of excluded trials: a success figure had they all failed, or all succeeded.

A figure rests on valid trials. Were trials excluded for a reason that has to do with the agent, it
would be off; how far at most is told by counting every excluded trial first as a failure and then
as a success (Manski 1990, bounds without an assumption on what is missing). C(c, k) / C(n, k) grows
with c, so no other assignment lies outside these two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from mystery_shopper.report.rows import PlannedTask, Row, Run
from mystery_shopper.statistics import pass_hat_k


@dataclass(frozen=True, slots=True)
class Extremes:
    """The least and the greatest that a figure could have been, over so many tasks."""

    low: float
    high: float
    tasks: int


@dataclass(frozen=True, slots=True)
class Worst:
    """`excluded`: over what was played. `unplayed`: with the planned trials of which there is no
    record filled in the same way; None where all were played."""

    excluded: Extremes
    unplayed: Extremes | None


@dataclass(frozen=True, slots=True)
class Tried:
    """One task's trials: successes among the valid ones, and those that have no outcome."""

    succeeded: int
    valid: int
    excluded: int
    unplayed: int


def tried(
    run: Run, tasks: Iterable[PlannedTask], succeeds: Callable[[Row], bool] = lambda _: True
) -> list[Tried]:
    """The trials of each task; a success has to satisfy `succeeds` too."""
    found: list[Tried] = []
    for task in tasks:
        rows = run.by_task.get(task.id, ())
        valid = [row for row in rows if row.valid]
        won = sum(row.success and succeeds(row) for row in valid)
        missing = run.plan.trials - len(rows)
        found.append(Tried(won, len(valid), len(rows) - len(valid), missing))
    return found


def worst(tasks: Sequence[Tried], k: int = 1) -> Worst | None:
    """The bounds of pass^k; None where no trial was excluded, or no task has k trials with one."""
    if not any(task.excluded for task in tasks):
        return None
    played = [(task.succeeded, task.valid, task.excluded) for task in tasks]
    found = _extremes(played, k)
    if found is None:
        return None
    every = None
    if any(task.unplayed for task in tasks):
        every = _extremes(
            [(task.succeeded, task.valid, task.excluded + task.unplayed) for task in tasks], k
        )
    return Worst(found, every)


def _extremes(tasks: Iterable[tuple[int, int, int]], k: int) -> Extremes | None:
    """Of (successes, valid trials, trials without an outcome) a task."""
    enough = [(c, n, open_) for c, n, open_ in tasks if n + open_ >= k]
    if not enough:
        return None
    trials = [n + open_ for _, n, open_ in enough]
    low = pass_hat_k([c for c, _, _ in enough], trials, k)
    high = pass_hat_k([c + open_ for c, _, open_ in enough], trials, k)
    return Extremes(low, high, len(enough))
