"""A run as its figures need it: the plan, and one row a trial without the transcript.

Trials are read as a stream and only their scores are kept, so memory grows with the number of
trials and not with what was said in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Generic, TypeAlias, TypeVar

from mystery_shopper.dialogue import Ending
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.suites import Score, TaskBook
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError
from mystery_shopper.report.clocks import Clocks, gather
from mystery_shopper.report.labels import Finding, Labels, compare
from mystery_shopper.report.words import MATCHING_MISSED
from mystery_shopper.suites.recbench.query import Kind
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.tau_rec.score import TauRecScore
from mystery_shopper.suites.tau_rec.task import Condition, TaskSet

ScoreT = TypeVar("ScoreT", bound=Score, covariant=True)
_KNOWN = (*(one.value for one in Condition), *(one.value for one in Kind))


@dataclass(frozen=True, slots=True)
class Request:
    """What is known of a family: its tier, its template and whether anything fits it."""

    tier: str
    template: str
    satisfiable: bool


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A task of the plan. `request` is None where neither a trial nor a task set tells of it."""

    id: str
    family: str
    condition: str
    request: Request | None


@dataclass(frozen=True, slots=True)
class Scored(Generic[ScoreT]):
    """One trial: where it belongs and how it was scored. `score.success` is None for an excluded
    one, and in recbench where none can be told. `trouble` says what an error was that ended it;
    empty without one."""

    key: str
    task: str
    number: int
    condition: str
    satisfiable: bool
    excluded: bool
    score: ScoreT
    finding: Finding | None
    trouble: str = ""

    @property
    def valid(self) -> bool:
        """Whether the trial counts: it is not excluded and was scored. In recbench it counts in
        some figures even where its success is none."""
        told = self.score.success is not None or isinstance(self.score, RecBenchScore)
        return told and not self.excluded

    @property
    def success(self) -> bool:
        """Whether a valid trial succeeded."""
        return self.score.success is True

    @property
    def failure(self) -> str | None:
        """The kind of failure of a failed valid trial; a label file may say that the user's
        matching missed a question, and then it is that."""
        if not self.valid or self.success:
            return None
        if self.finding is not None and self.finding.missed:
            return MATCHING_MISSED
        return self.score.failure


Row: TypeAlias = Scored[TauRecScore]
"""A trial of the disclosure suite."""


@dataclass(frozen=True, slots=True)
class LabelUse:
    """Of the labels `given` for a run, those `used`: the user answered that turn, in a valid trial;
    `trials` are the trials with one."""

    given: int
    used: int
    trials: int


@dataclass(frozen=True)
class RunOf(Generic[ScoreT]):
    """A run: its folder's name, its plan, its planned tasks in order and its trials' rows.
    `labels`: how many a label file has for it, None without one. `clocks`: what its timings tell;
    no other figure rests on them."""

    name: str
    plan: RunPlan
    tasks: tuple[PlannedTask, ...]
    rows: tuple[Scored[ScoreT], ...]
    task_set: TaskSet | None = None
    labels: int | None = None
    clocks: Clocks = field(default_factory=Clocks)

    @property
    def label_use(self) -> LabelUse | None:
        """How many of its labels count; None without a label file."""
        if self.labels is None:
            return None
        turns = [row.finding.turns for row in self.rows if row.valid and row.finding]
        return LabelUse(self.labels, sum(turns), len(turns))

    @cached_property
    def by_task(self) -> Mapping[str, tuple[Scored[ScoreT], ...]]:
        """Task id -> its trials' rows in order."""
        found: dict[str, list[Scored[ScoreT]]] = {}
        for row in self.rows:
            found.setdefault(row.task, []).append(row)
        return {task: tuple(rows) for task, rows in found.items()}

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The planned conditions, from volunteer to hidden; in recbench the kinds of query."""
        there = {task.condition for task in self.tasks}
        return tuple(name for name in _KNOWN if name in there) + tuple(sorted(there - set(_KNOWN)))

    @cached_property
    def families(self) -> frozenset[str]:
        """The planned families."""
        return frozenset(task.family for task in self.tasks)


Run: TypeAlias = RunOf[TauRecScore]
"""A run of the disclosure suite."""


def read_run(
    name: str,
    plan: RunPlan,
    trials: Iterable[Trial],
    *,
    task_set: TaskSet | None = None,
    labels: Labels | None = None,
    timings: Iterable[Timing] = (),
) -> Run:
    """Gather a run from its plan, its trials and their timings, in any order.

    A task set of another content than the plan's is left aside. Raises InputError for a trial that
    was not planned, or that another agent or user played: a figure over it would mix two runs.
    """
    if task_set is not None and task_set.digest != plan.task_set_digest:
        task_set = None
    known: dict[str, tuple[str, str]] = {}
    requests: dict[str, Request] = {}
    if task_set is not None:
        known = {
            task.id: (task.family.id, task.condition.value) for task in task_set.by_id.values()
        }
        for family in task_set.families:
            requests[family.id] = Request(
                family.tier.value, " + ".join(family.template), family.satisfiable
            )
    rows: list[Row] = []
    for trial in checked(name, plan, trials):
        requests.setdefault(
            trial.family, Request(trial.tier, " + ".join(trial.template), trial.satisfiable)
        )
        known[trial.task] = (trial.family, trial.condition)
        rows.append(_row(name, trial, labels))
    tasks = tuple(_planned_task(task, requests, known) for task in plan.tasks)
    given = labels.count(name) if labels is not None else None
    ordered = _in_order(plan, rows)
    clocks = gather(timings, {row.key: row.valid for row in ordered})
    return Run(name, plan, tasks, ordered, task_set, given, clocks)


def read_scored(
    name: str,
    plan: RunPlan,
    trials: Iterable[Trial],
    *,
    tasks: TaskBook | None = None,
    timings: Iterable[Timing] = (),
) -> RunOf[Score]:
    """As `read_run`, of a run of any suite: what its trials alone tell, and where each planned task
    stands, as far as `tasks` of the plan's content or a trial tells."""
    known: dict[str, tuple[str, str]] = {}
    if tasks is not None and tasks.digest == plan.task_set_digest:
        labels = {task: tasks.labels(task) for task in plan.tasks if task in tasks.by_id}
        known = {task: (one.family, one.condition) for task, one in labels.items()}
    rows: list[Scored[Score]] = []
    for trial in checked(name, plan, trials):
        known[trial.task] = (trial.family, trial.condition)
        rows.append(
            Scored(
                trial.key, trial.task, trial.number, trial.condition, trial.satisfiable,
                trial.excluded, trial.score, None, _trouble(trial),
            )
        )  # fmt: skip
    ordered = _in_order(plan, rows)
    clocks = gather(timings, {row.key: row.valid for row in ordered})
    planned = tuple(PlannedTask(one, *known.get(one, (one, "")), None) for one in plan.tasks)
    return RunOf(name, plan, planned, ordered, clocks=clocks)


def checked(name: str, plan: RunPlan, trials: Iterable[Trial]) -> Iterator[Trial]:
    """The trials, each once it is sure that the plan is its own."""
    planned = frozenset(plan.tasks)
    for trial in trials:
        if trial.task not in planned or not 0 <= trial.number < plan.trials:
            raise _stranger(name, f"trial {trial.key} was not planned")
        if trial.agent != plan.agent:
            raise _stranger(name, f"trial {trial.key} is by {trial.agent!r}, not {plan.agent!r}")
        if trial.user != plan.user:
            raise _stranger(
                name, f"trial {trial.key} has the user {trial.user!r}, not {plan.user!r}"
            )
        yield trial


def _in_order(plan: RunPlan, rows: Iterable[Scored[ScoreT]]) -> tuple[Scored[ScoreT], ...]:
    planned = {task: place for place, task in enumerate(plan.tasks)}
    return tuple(sorted(rows, key=lambda row: (planned[row.task], row.number)))


def _row(run: str, trial: Trial, labels: Labels | None) -> Row:
    turns = labels.of(run, trial.key) if labels is not None else {}
    return Scored(
        trial.key,
        trial.task,
        trial.number,
        trial.condition,
        trial.satisfiable,
        trial.excluded,
        trial.disclosure,
        compare(trial.transcript, turns) if turns else None,
        _trouble(trial),
    )


def _trouble(trial: Trial) -> str:
    ended = trial.transcript.ended
    return ended.detail if ended is not None and ended.kind is Ending.ERROR else ""


def _planned_task(
    task: str, requests: Mapping[str, Request], known: Mapping[str, tuple[str, str]]
) -> PlannedTask:
    """`known`: (family, condition) of the tasks that a trial or the task set tells of; of others
    the id tells it."""
    family, _, condition = task.rpartition("-")
    family, condition = known.get(task, (family, condition))
    return PlannedTask(task, family, condition, requests.get(family))


def _stranger(name: str, problem: str) -> InputError:
    return InputError(problem, where=name, remedy="Restore the run's folder, or run it again.")
