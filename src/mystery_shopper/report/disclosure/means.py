"""Means over a panel's tasks with intervals, on the same draw of families as its contrasts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mystery_shopper.report.cells import Answers, Counts, Estimate
from mystery_shopper.report.disclosure.counting import count
from mystery_shopper.report.disclosure.effects import draw
from mystery_shopper.report.disclosure.settings import Panel, Setting, Tried
from mystery_shopper.statistics.designs import Combined, Contrast


@dataclass(frozen=True)
class Mean:
    """What is averaged: `of` each task that is `among` a condition's, over each setting's tasks and
    then over the settings. A task of which it is NaN is left out, and a setting without others."""

    settings: tuple[Setting, ...]
    condition: str | None
    answers: Answers = Answers.SATISFIABLE
    of: Callable[[Tried], float] = Tried.share
    among: Callable[[Tried], bool] = bool

    def tasks(self, panel: Panel) -> list[list[Tried]]:
        """Each setting's tasks."""
        return [
            [t for t in panel[setting].of(self.condition, self.answers) if self.among(t)]
            for setting in self.settings
        ]


@dataclass(frozen=True, slots=True)
class Level:
    """A mean and its interval, with the trials that it looks at."""

    estimate: Estimate
    counts: Counts


def levels(panel: Panel, wanted: Sequence[Mean], resamples: int) -> list[Level]:
    """Each mean, in the order given."""
    tasks = [mean.tasks(panel) for mean in wanted]
    scored = [
        [
            [(task.family, value) for task in part if not math.isnan(value := mean.of(task))]
            for part in parts
        ]
        for mean, parts in zip(wanted, tasks, strict=True)
    ]
    results = draw(panel, [_combined([p for p in parts if p]) for parts in scored], resamples)
    found: list[Level] = []
    for parts, kept, result in zip(tasks, scored, results, strict=True):
        total, there = sum(map(len, parts)), sum(map(len, kept))
        estimate = Estimate(result.estimate, result.low, result.high, there, total - there)
        found.append(Level(estimate, count(task for part in parts for task in part)))
    return found


def _combined(parts: Sequence[Sequence[tuple[str, float]]]) -> Combined | Contrast:
    if not parts:
        return Contrast("", (), ())
    terms = tuple(
        Contrast("", [value for _, value in part], [family for family, _ in part]) for part in parts
    )
    return Combined("", terms, (1 / len(terms),) * len(terms))
