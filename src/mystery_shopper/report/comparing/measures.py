"""What two runs can be compared on: a name, and its mean over a task's valid trials."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mystery_shopper.foundation import InputError
from mystery_shopper.report.rows import Row
from mystery_shopper.statistics import pass_hat_per_task
from mystery_shopper.suites.tau_rec.score import Elicited

Reading: TypeAlias = Callable[[Row], float | None]
"""One valid trial's value; None where it has none."""

PASS = re.compile(r"pass\^([1-9][0-9]?)")


def _flag(value: bool | None) -> float | None:
    return None if value is None else float(value)


READINGS: Mapping[str, Reading] = {
    "success": lambda row: float(row.success),
    "elicited": lambda row: (
        None if row.score.elicited is None else float(row.score.elicited is Elicited.ALL)
    ),
    "untested": lambda row: _flag(row.score.untested),
    "unsearched": lambda row: _flag(row.score.unsearched),
    "questions": lambda row: float(row.score.questions),
    "proposals": lambda row: float(row.score.proposals),
    "rejections": lambda row: float(row.score.rejections),
    "turns": lambda row: float(row.score.turns),
    "calls": lambda row: float(row.score.calls),
    "tool-errors": lambda row: float(row.score.tool_errors),
}
"""Shares from 0 to 1 (success, elicited all, untested, unsearched) and numbers a trial."""

SHARES = frozenset({"success", "elicited", "untested", "unsearched"})


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

    def of(self, rows: Sequence[Row]) -> float:
        """The value of one task from its valid trials; NaN where they do not tell."""
        power = PASS.fullmatch(self.name)
        if power:
            k = int(power[1])
            if len(rows) < k:
                return math.nan
            return float(pass_hat_per_task([sum(row.success for row in rows)], [len(rows)], k)[0])
        found = [value for row in rows if (value := READINGS[self.name](row)) is not None]
        return math.fsum(found) / len(found) if found else math.nan


def measure(text: str, where: str) -> Measure:
    """The measure of that name. Raises InputError for one that there is not."""
    name, _, condition = text.partition("@")
    if name not in READINGS and not PASS.fullmatch(name):
        known = ", ".join(READINGS)
        raise InputError(
            f"{name!r} is no measure",
            where=where,
            remedy=f"Use one of: {known}, pass^k; with @condition for one condition.",
        )
    return Measure(name, condition)
