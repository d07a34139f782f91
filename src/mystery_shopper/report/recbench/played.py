"""A run of the suite as its figures need it: the plan, what is known of each query, and one answer
a trial, without the transcript."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.dialogue import NOT_THE_AGENTS, Ending, Fault
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError
from mystery_shopper.report.clocks import Clocks, gather
from mystery_shopper.report.recbench.amiss import NOTHING, Amiss, amiss_in
from mystery_shopper.suites.recbench.metrics import NAMES, Floats
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.recbench.summary import Entry

COLUMNS = (*NAMES, "success")
"""The figures of an answer, by name."""

Places: TypeAlias = NDArray[np.int64]
"""Which of a run's valid answers, ascending."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of a query. `popularity`: of an interest, how many users consumed the common
    sequence. `group`: of a demographics query, attribute -> value. Both need the query set."""

    id: str
    kind: str
    width: str
    user: str
    popularity: int | None = None
    group: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def of(cls, query: Query) -> Asked:
        """What a query set tells of a query."""
        kind, _, width = query.cell.partition("/")
        profile = query.profile
        popularity = profile.users if profile is not None and not profile.group else None
        group = dict(profile.group) if profile is not None else {}
        return cls(query.id, kind, width, query.user, popularity, group)

    @property
    def cell(self) -> str:
        """As `Query.cell`."""
        return f"{self.kind}/{self.width}" if self.width else self.kind


@dataclass(frozen=True, slots=True)
class Answered:
    """One trial: its query and its score. `trouble` says what an error was that ended it, `amiss`
    what else went wrong."""

    key: str
    number: int
    asked: Asked
    score: RecBenchScore
    fault: Fault | None
    trouble: str = ""
    amiss: Amiss = NOTHING

    @property
    def valid(self) -> bool:
        """Whether it counts: an agent's fault does, anybody else's does not."""
        return self.fault not in NOT_THE_AGENTS

    @property
    def outcome(self) -> str:
        """`success`, `failure`, `unscored` or `excluded`."""
        if not self.valid:
            return "excluded"
        found = {True: "success", False: "failure", None: "unscored"}
        return found[self.score.success]

    @property
    def entry(self) -> Entry:
        """As the suite's summary takes it."""
        asked = self.asked
        return Entry(asked.id, asked.kind, asked.width, asked.user, self.score)


@dataclass(frozen=True, slots=True)
class Counts:
    """The denominators of a row, in trials."""

    planned: int
    valid: int
    excluded: int

    @property
    def unplayed(self) -> int:
        """Planned trials of which there is no record."""
        return self.planned - self.valid - self.excluded


@dataclass(frozen=True)
class Played:
    """A run: its folder's name, its plan, its queries in the plan's order (those that neither the
    query set nor a trial tells of are left out), its trials, and what its timings tell. `query_set`
    is None where none of the plan's content was at hand."""

    name: str
    plan: RunPlan
    asked: tuple[Asked, ...]
    answers: tuple[Answered, ...]
    query_set: QuerySet | None = None
    clocks: Clocks = field(default_factory=Clocks)

    @cached_property
    def valid(self) -> tuple[Answered, ...]:
        """The trials that count."""
        return tuple(one for one in self.answers if one.valid)

    @cached_property
    def planned(self) -> Mapping[str, int]:
        """Cell -> planned trials."""
        return Counter(
            {
                cell: queries * self.plan.trials
                for cell, queries in Counter(one.cell for one in self.asked).items()
            }
        )

    @cached_property
    def free(self) -> Floats:
        """(valid answers, `COLUMNS`), NaN where unscored, K free."""
        return figures_of(self.valid)

    @cached_property
    def five(self) -> Floats:
        """As `free`, of the first five items."""
        return figures_of(self.valid, five=True)

    @cached_property
    def users(self) -> NDArray[np.str_]:
        """(valid answers,) who asked: what intervals draw."""
        return np.array([one.asked.user for one in self.valid], dtype=np.str_)

    def places(self, keep: Callable[[Asked], bool]) -> Places:
        """The valid answers to some of the queries."""
        found = [place for place, one in enumerate(self.valid) if keep(one.asked)]
        return np.array(found, dtype=np.int64)

    def column(self, name: str, *, five: bool = False) -> Floats:
        """(valid answers,) one figure."""
        return (self.five if five else self.free)[:, COLUMNS.index(name)]

    @property
    def counts(self) -> Counts:
        """Of all that was planned."""
        excluded = len(self.answers) - len(self.valid)
        return Counts(self.plan.count, len(self.valid), excluded)

    def counts_of(self, queries: Iterable[Asked]) -> Counts:
        """Of some queries."""
        ids = {one.id for one in queries}
        here = [one for one in self.answers if one.asked.id in ids]
        valid = sum(one.valid for one in here)
        return Counts(len(ids) * self.plan.trials, valid, len(here) - valid)

    @property
    def synthetic(self) -> bool | None:
        """Whether nobody lived the histories; None where that is not known."""
        return self.query_set.histories.synthetic if self.query_set is not None else None


def figures_of(answers: Sequence[Answered], *, five: bool = False) -> Floats:
    """(answers, `COLUMNS`), NaN where unscored. `five`: of the first five items."""
    rows: list[list[float]] = []
    for one in answers:
        figures = one.score.at_five if five else one.score.figures
        values = [getattr(figures, name) for name in NAMES]
        success = one.score.success
        values.append(None if success is None else float(success))
        rows.append([math.nan if value is None else float(value) for value in values])
    return np.array(rows, dtype=np.float64).reshape(len(answers), len(COLUMNS))


def read_played(
    name: str,
    plan: RunPlan,
    trials: Iterable[Trial],
    *,
    query_set: QuerySet | None = None,
    timings: Iterable[Timing] = (),
) -> Played:
    """Gather a run from its plan, its trials and their timings, in any order.

    A query set of another content than the plan's is left aside. Raises InputError for a trial that
    was not planned, that another agent or user played, or that is of another suite.
    """
    if query_set is not None and query_set.digest != plan.task_set_digest:
        query_set = None
    known: dict[str, Asked] = {}
    if query_set is not None:
        known = {one.id: Asked.of(one) for one in query_set.queries}
    planned = {query: place for place, query in enumerate(plan.tasks)}
    answers: list[Answered] = []
    for trial in trials:
        problem = _problem(trial, plan, planned)
        if problem:
            raise InputError(
                problem, where=name, remedy="Restore the run's folder, or run it again."
            )
        asked = known.setdefault(
            trial.task, Asked(trial.task, trial.condition, trial.tier, trial.family)
        )
        answers.append(_answered(trial, asked))
    answers.sort(key=lambda one: (planned[one.asked.id], one.number))
    clocks = gather(timings, {one.key: one.valid for one in answers})
    asked = tuple(known[query] for query in plan.tasks if query in known)
    return Played(name, plan, asked, tuple(answers), query_set, clocks)


def _problem(trial: Trial, plan: RunPlan, planned: Mapping[str, int]) -> str:
    if trial.task not in planned or not 0 <= trial.number < plan.trials:
        return f"trial {trial.key} was not planned"
    if trial.agent != plan.agent:
        return f"trial {trial.key} is by {trial.agent!r}, not {plan.agent!r}"
    if trial.user != plan.user:
        return f"trial {trial.key} has the user {trial.user!r}, not {plan.user!r}"
    if not isinstance(trial.score, RecBenchScore):
        return f"trial {trial.key} has the score of another suite"
    return ""


def _answered(trial: Trial, asked: Asked) -> Answered:
    score = trial.score
    if not isinstance(score, RecBenchScore):  # Told by `_problem` before.
        raise TypeError(trial.key)
    ended = trial.transcript.ended
    trouble = ended.detail if ended is not None and ended.kind is Ending.ERROR else ""
    return Answered(trial.key, trial.number, asked, score, trial.fault, trouble, amiss_in(trial))
