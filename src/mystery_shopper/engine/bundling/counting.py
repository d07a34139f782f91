"""Raw counts, task by task: what every share of a report is a share of."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field

from mystery_shopper.engine.bundling.manifest import Counted
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.suites import TaskBook
from mystery_shopper.engine.trial import Trial
from mystery_shopper.suites.recbench.score import RecBenchScore

HEAD = (
    "task",
    "family",
    "condition",
    "tier",
    "satisfiable",
    "planned",
    "valid",
    "excluded",
    "missing",
    "successes",
)


@dataclass
class Tally:
    """Counts the trials of one run as they pass."""

    plan: RunPlan
    tasks: TaskBook
    _of: dict[str, list[int]] = field(default_factory=dict[str, list[int]])

    def add(self, trial: Trial) -> None:
        """One trial of a planned task."""
        counts = self._of.setdefault(trial.task, [0, 0, 0])
        # In recbench a trial counts in some figures even where its success is none.
        told = trial.score.success is not None or isinstance(trial.score, RecBenchScore)
        valid = told and not trial.excluded
        counts[0] += valid
        counts[1] += not valid
        counts[2] += valid and bool(trial.score.success)

    def rows(self) -> list[tuple[str, ...]]:
        """A row a planned task, in the plan's order, as `HEAD` names them."""
        made: list[tuple[str, ...]] = []
        for name in self.plan.tasks:
            valid, excluded, successes = self._of.get(name, (0, 0, 0))
            about = ("", "", "", "")
            if name in self.tasks.by_id:
                labels = self.tasks.labels(name)
                fits = "yes" if labels.satisfiable else "no"
                about = (labels.family, labels.condition, labels.tier, fits)
            planned = self.plan.trials
            missing = planned - valid - excluded
            figures = map(str, (planned, valid, excluded, missing, successes))
            made.append((name, *about, *figures))
        return made

    def csv(self) -> bytes:
        """The rows under their head, comma-separated, in UTF-8."""
        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([HEAD, *self.rows()])
        return out.getvalue().encode("utf-8")

    @property
    def total(self) -> Counted:
        """Over all tasks."""
        valid, excluded, successes = (
            sum(counts[place] for counts in self._of.values()) for place in range(3)
        )
        planned = self.plan.count
        return Counted(planned, valid, excluded, planned - valid - excluded, successes)
