"""What two runs of this suite can be compared on: a name, and its mean over a query's trials.

`measure("cmr@implicit", where)` gives what `report.comparing` takes: a `Measure` whose condition is
a type of query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mystery_shopper.engine.suites import Score
from mystery_shopper.foundation import InputError, did_you_mean
from mystery_shopper.report.comparing.measures import Measure
from mystery_shopper.report.rows import Scored
from mystery_shopper.suites.recbench.query import Kind
from mystery_shopper.suites.recbench.score import RecBenchScore

Reading: TypeAlias = Callable[[RecBenchScore], float | None]
"""One valid trial's value; None where it has none."""


def _flag(value: bool | None) -> float | None:
    return None if value is None else float(value)


READINGS: Mapping[str, Reading] = {
    "success": lambda score: _flag(score.success),
    "precision": lambda score: score.figures.precision_own,
    "recall": lambda score: score.figures.recall_own,
    "precision-all": lambda score: score.figures.precision_all,
    "recall-all": lambda score: score.figures.recall_all,
    "cmr": lambda score: score.figures.cmr,
    "ftr": lambda score: score.figures.failed,
    "names-mistake": lambda score: score.figures.names_mistake,
    "hallucinated": lambda score: score.figures.hallucinated,
    "diversity": lambda score: score.figures.diversity,
    "novelty": lambda score: score.figures.novelty,
    "calls": lambda score: float(score.calls),
    "tool-errors": lambda score: float(score.tool_errors),
}
"""Shares from 0 to 1 down to diversity, then bits and numbers a trial. Precision, recall and CMR
are over answers that recommend something, K free."""

SHARES = frozenset(READINGS) - {"novelty", "calls", "tool-errors"}


@dataclass(frozen=True, slots=True)
class RecBenchMeasure(Measure):
    """A measure of this suite; the condition is a type of query, empty for all."""

    @property
    def is_share(self) -> bool:
        """Whether it lies between 0 and 1."""
        return self.name in SHARES

    def of(self, rows: Sequence[Scored[Score]]) -> float:
        """The value of one query from its valid trials; NaN where they do not tell."""
        scores = [row.score for row in rows]
        return self.of_scores([one for one in scores if isinstance(one, RecBenchScore)])

    def of_scores(self, scores: Sequence[RecBenchScore]) -> float:
        """As `of`, from the scores."""
        found = [value for one in scores if (value := READINGS[self.name](one)) is not None]
        return math.fsum(found) / len(found) if found else math.nan


def measure(text: str, where: str) -> RecBenchMeasure:
    """The measure of that name, as `cmr` or `cmr@implicit`. Raises InputError for one that there is
    not."""
    name, _, condition = text.partition("@")
    if name not in READINGS:
        raise InputError(
            f"{name!r} is no measure of recbench{did_you_mean(name, READINGS)}",
            where=where,
            remedy=f"Use one of: {', '.join(READINGS)}; with @TYPE for one type of query.",
        )
    kinds = [kind.value for kind in Kind]
    if condition and condition not in kinds:
        raise InputError(
            f"{condition!r} is no type of query{did_you_mean(condition, kinds)}",
            where=where,
            remedy=f"Use one of: {', '.join(kinds)}.",
        )
    return RecBenchMeasure(name, condition)
