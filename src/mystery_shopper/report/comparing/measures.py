"""What two runs can be compared on: a name, and its mean over a task's valid trials.

`measures_of` gives how a suite's measures are read; recbench's own are in `report.recbench`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mystery_shopper.engine.suites import Score
from mystery_shopper.foundation import InputError, did_you_mean
from mystery_shopper.report.rows import Scored
from mystery_shopper.statistics import pass_hat_per_task
from mystery_shopper.suites.tau_rec.score import Elicited, TauRecScore

Reading: TypeAlias = Callable[[TauRecScore], float | None]
"""One valid trial's value; None where it has none."""

PASS = re.compile(r"pass\^([1-9][0-9]?)")


def _flag(value: bool | None) -> float | None:
    return None if value is None else float(value)


NVR = "nvr"
"""Success where nothing fits, so that the agent must abstain. `success` and `pass^k` are of the
other tasks, those of satisfiable families, as they are in a report."""

READINGS: Mapping[str, Reading] = {
    "success": lambda score: float(score.success is True),
    NVR: lambda score: float(score.success is True),
    "elicited": lambda score: (
        None if score.elicited is None else float(score.elicited is Elicited.ALL)
    ),
    "untested": lambda score: _flag(score.untested),
    "unsearched": lambda score: _flag(score.unsearched),
    "questions": lambda score: float(score.questions),
    "proposals": lambda score: float(score.proposals),
    "rejections": lambda score: float(score.rejections),
    "turns": lambda score: float(score.turns),
    "calls": lambda score: float(score.calls),
    "tool-errors": lambda score: float(score.tool_errors),
}
"""Shares from 0 to 1 (success, elicited all, untested, unsearched) and numbers a trial."""

SHARES = frozenset({"success", NVR, "elicited", "untested", "unsearched"})


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure by its name in the terms of the command line: `success`, `pass^4`, `turns`; and
    the condition that it is narrowed to, empty for all."""

    name: str
    condition: str = ""

    def __str__(self) -> str:
        return f"{self.name}@{self.condition}" if self.condition else self.name

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return self.name in SHARES or bool(PASS.fullmatch(self.name))

    def of(self, rows: Sequence[Scored[Score]]) -> float:
        """The value of one task from its valid trials; NaN where they do not tell."""
        power = PASS.fullmatch(self.name)
        if power or self.name in ("success", NVR):
            rows = [row for row in rows if row.satisfiable is (self.name != NVR)]
        if power:
            k = int(power[1])
            if len(rows) < k:
                return math.nan
            return float(pass_hat_per_task([sum(row.success for row in rows)], [len(rows)], k)[0])
        scores = [row.score for row in rows if isinstance(row.score, TauRecScore)]
        found = [value for one in scores if (value := READINGS[self.name](one)) is not None]
        return math.fsum(found) / len(found) if found else math.nan


Reader: TypeAlias = Callable[[str, str], Measure]
"""A measure's name, and where it stands in a command -> the measure. Raises InputError for one that
there is not."""


def measures_of(suite: str) -> Reader:
    """How the measures of a suite's runs are read."""
    if suite == "recbench":
        from mystery_shopper.report.recbench.comparing import measure as of_request

        return of_request
    return measure


def measure(text: str, where: str) -> Measure:
    """The measure of that name of the disclosure suite. Raises InputError for one that is none."""
    name, _, condition = text.partition("@")
    if name not in READINGS and not PASS.fullmatch(name):
        raise InputError(
            f"{name!r} is no measure{did_you_mean(name, (*READINGS, 'pass^2'))}",
            where=where,
            remedy=f"Use one of: {', '.join(READINGS)}, pass^k; with @condition for one condition.",
        )
    return Measure(name, condition)
