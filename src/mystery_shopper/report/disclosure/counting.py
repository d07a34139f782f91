"""The denominators of a figure over settings: trials planned, valid and excluded, each once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mystery_shopper.report.cells import Answers, Counts
from mystery_shopper.report.disclosure.effects import Effect
from mystery_shopper.report.disclosure.settings import Panel, Setting, Tried
from mystery_shopper.report.rows import Row

NOTHING = Counts(0, 0, 0, None)


def tasks_of(
    panel: Panel,
    settings: Iterable[Setting],
    condition: str | None = None,
    answers: Answers = Answers.ALL,
) -> list[Tried]:
    """The tasks of several settings under one condition, or all."""
    return [task for setting in settings for task in panel[setting].of(condition, answers)]


def rows_of(tasks: Iterable[Tried]) -> list[Row]:
    """The valid trials of these tasks."""
    return [row for task in tasks for row in task.rows]


def count(tasks: Iterable[Tried]) -> Counts:
    """The denominators over these tasks."""
    found: Sequence[Tried] = [*tasks]
    rows = rows_of(found)
    misread = sum(row.score.not_understood for row in rows)
    return Counts(
        sum(task.planned for task in found),
        len(rows),
        sum(task.excluded for task in found),
        misread / len(rows) if rows else None,
    )


def count_effects(panel: Panel, effects: Iterable[Effect]) -> Counts:
    """Over every task that one of the effects looks at, paired or not, on either side."""
    sides = dict.fromkeys(
        (setting, condition, term.answers)
        for effect in effects
        for term in effect.terms
        for setting, condition in (term.base, term.candidate)
    )
    found = {
        (setting, task.task): task
        for setting, condition, answers in sides
        for task in panel[setting].of(condition, answers)
    }
    return count(found.values())
