"""Runs gathered by setting: which agent, on which interface, catalogue size, user and prompt.

A figure of the disclosure report compares settings that differ in one factor. Runs over the same
tasks and whole catalogue stand on one ground; runs of one setting are put together, trial by trial.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from mystery_shopper.engine.plan import RULE_BASED, ModelOptions, RunPlan
from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.cells import Answers
from mystery_shopper.report.rows import Request, Row, Run
from mystery_shopper.report.words import plain, whole
from mystery_shopper.statistics.cellplan import Cell
from mystery_shopper.suites.tau_rec.prompts import Prompt, ToolLine
from mystery_shopper.suites.tau_rec.shelf import Interface
from mystery_shopper.suites.tau_rec.task import Condition

STRUCTURED, KEYWORD = Interface.STRUCTURED.value, Interface.KEYWORD.value
VOLUNTEER, MIXED, HIDDEN = (condition.value for condition in Condition)
BASE = Prompt.BASE.value
USUAL = (RULE_BASED, BASE, ToolLine.OWN.value)


@dataclass(frozen=True, slots=True, order=True)
class Setting:
    """One way of putting an agent in front of the customers. `size` counts the catalogue's items;
    `tool_line` is the line on search in the prompt."""

    agent: str
    interface: str
    size: int
    user: str
    prompt: str
    tool_line: str

    @property
    def common(self) -> tuple[str, str, str]:
        """What the settings of one comparison share besides the size."""
        return (self.user, self.prompt, self.tool_line)

    @property
    def is_usual(self) -> bool:
        """Whether user, prompt and line on search are those of the paper's main comparison."""
        return self.common == USUAL


@dataclass(frozen=True, slots=True)
class Ground:
    """What settings must share to be compared at all."""

    task_set: str
    task_set_digest: str
    source: str
    as_paper: bool


Holds: TypeAlias = Callable[[Row], bool]
"""Whether something holds of a valid trial."""


def succeeded(row: Row) -> bool:
    """Whether the trial succeeded."""
    return row.success


def every(_: Row) -> bool:
    """Holds of every trial."""
    return True


@dataclass(frozen=True)
class Tried:
    """One task of a setting: its valid trials, and how many were planned and excluded."""

    task: str
    family: str
    condition: str
    request: Request | None
    rows: tuple[Row, ...]
    planned: int
    excluded: int

    def fits(self, answers: Answers) -> bool:
        """Whether it belongs to these families; one of which nothing is known belongs to all."""
        if answers is Answers.ALL:
            return True
        wanted = answers is Answers.SATISFIABLE
        return self.request is not None and self.request.satisfiable is wanted

    def share(self, holds: Holds = succeeded, keep: Holds = every) -> float:
        """The share of its trials of which something holds; NaN without one. `keep`: only these
        trials."""
        rows = [row for row in self.rows if keep(row)]
        return sum(map(holds, rows)) / len(rows) if rows else math.nan

    def passes(self, k: int) -> float:
        """pass^k of its trials; NaN with fewer than k."""
        tried, passed = len(self.rows), sum(row.success for row in self.rows)
        return math.comb(passed, k) / math.comb(tried, k) if tried >= k else math.nan


@dataclass(frozen=True)
class Played:
    """All that one setting played. `repeated` trials stood in two of its runs and count once."""

    setting: Setting
    tasks: tuple[Tried, ...]
    runs: tuple[Run, ...]
    repeated: int

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The conditions with a planned task, from volunteer to hidden."""
        there = {task.condition for task in self.tasks}
        return tuple(c.value for c in Condition if c.value in there)

    def of(self, condition: str | None = None, answers: Answers = Answers.ALL) -> list[Tried]:
        """The tasks of a condition, or of all, whose families are these."""
        return [
            task
            for task in self.tasks
            if condition in (None, task.condition) and task.fits(answers)
        ]

    def cell(
        self,
        condition: str,
        answers: Answers = Answers.ALL,
        *,
        holds: Holds = succeeded,
        keep: Holds = every,
    ) -> Cell:
        """The share of each task of a condition, pass^1 if nothing else is named, to be paired with
        another setting's."""
        tasks = self.of(condition, answers)
        made = self.setting
        return Cell(
            {
                "agent": made.agent,
                "interface": made.interface,
                "catalogue size": str(made.size),
                "user": made.user,
                "prompt": made.prompt,
                "tool line": made.tool_line,
                "condition": condition,
            },
            {task.task: task.share(holds, keep) for task in tasks},
            {task.task: task.family for task in tasks},
        )


@dataclass(frozen=True)
class Panel:
    """Every setting of one ground. `full` is the largest size played, and `is_whole` says whether
    it is the whole catalogue; `common` are the user, prompt and line on search of the main
    comparison: the paper's, or the first run's where no run has those."""

    ground: Ground
    played: Mapping[Setting, Played]
    full: int
    is_whole: bool
    common: tuple[str, str, str]
    requests: Mapping[str, Request] = field(default_factory=dict[str, Request])

    def __getitem__(self, setting: Setting) -> Played:
        return self.played[setting]

    @property
    def settings(self) -> tuple[Setting, ...]:
        """In the order in which their runs were given."""
        return tuple(self.played)

    @cached_property
    def agents(self) -> tuple[str, ...]:
        """In the order in which their runs were given."""
        return tuple(dict.fromkeys(setting.agent for setting in self.played))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The catalogue sizes, ascending."""
        return tuple(sorted({setting.size for setting in self.played}))

    @property
    def digest(self) -> str:
        """That of the catalogue at the largest size played."""
        return next(
            one.runs[0] for s, one in self.played.items() if s.size == self.full
        ).plan.catalogue_digest

    @property
    def seed(self) -> int:
        """That of every draw over this panel: it hangs on the tasks alone."""
        return derive_seed(0, "report", self.ground.task_set_digest)

    @cached_property
    def families(self) -> tuple[str, ...]:
        """Every family that a setting planned, sorted."""
        return tuple(sorted({t.family for one in self.played.values() for t in one.tasks}))

    def usual(self, *, size: int | None = None) -> Iterator[Setting]:
        """The settings of the main comparison (see `common`) at this size, the largest if none is
        named."""
        wanted = self.full if size is None else size
        for setting in self.played:
            if setting.common == self.common and setting.size == wanted:
                yield setting

    def size_name(self, size: int) -> str:
        """`5,000`; `all` for the whole catalogue."""
        return "all" if self.is_whole and size == self.full else whole(size)


def panels(runs: Sequence[Run]) -> tuple[Panel, ...]:
    """The runs by ground and setting, in the order given."""
    grounds: dict[Ground, dict[Setting, list[Run]]] = {}
    for run in runs:
        by_setting = grounds.setdefault(_ground(run.plan), {})
        by_setting.setdefault(setting_of(run.plan), []).append(run)
    return tuple(_panel(ground, found) for ground, found in grounds.items())


def _ground(plan: RunPlan) -> Ground:
    return Ground(plan.task_set, plan.task_set_digest, plan.source, plan.as_paper)


def setting_of(plan: RunPlan) -> Setting:
    """The setting of a run. An agent is also how its model is asked, and the file that describes
    it; a user is also how its model is asked and held."""
    asked = "" if plan.model == ModelOptions() else f" ({_options(plan.model)})"
    file = f" ({plan.agent_file[:12]})" if plan.agent_file else ""
    held = str(plan.user_options or "")
    return Setting(
        plain(f"{plan.agent}{asked}{file}"),
        plan.interface,
        plan.size,
        plain(f"{plan.user} ({held})" if held else plan.user),
        plan.prompt,
        plan.tool_line,
    )


def _options(model: ModelOptions) -> str:
    usual = ModelOptions()
    return ", ".join(
        f"{name.replace('_', ' ')} {getattr(model, name)}"
        for name in model.__struct_fields__
        if name not in ("base_url", "cache") and getattr(model, name) != getattr(usual, name)
    )


def _panel(ground: Ground, found: Mapping[Setting, Sequence[Run]]) -> Panel:
    sets = [run.task_set for runs in found.values() for run in runs if run.task_set is not None]
    sizes = [size for one in sets for size in one.catalogue.sizes]
    full = max(setting.size for setting in found)
    common = USUAL if any(s.is_usual for s in found) else next(iter(found)).common
    requests: dict[str, Request] = {}
    for runs in found.values():
        for run in runs:
            for task in run.tasks:
                if task.request is not None:
                    requests.setdefault(task.family, task.request)
    played = {setting: _together(setting, runs, requests) for setting, runs in found.items()}
    return Panel(ground, played, full, full >= max(sizes, default=full), common, requests)


def _together(setting: Setting, runs: Sequence[Run], requests: Mapping[str, Request]) -> Played:
    """One setting's runs as one. A trial is known by its task, its number and the run's seed; of
    two that are the same the first counts."""
    rows: dict[str, list[Row]] = {}
    places: dict[str, tuple[str, str]] = {}
    planned: dict[str, set[tuple[int, int]]] = {}
    excluded: Counter[str] = Counter()
    seen: set[tuple[int, str]] = set()
    repeated = 0
    for run in runs:
        seed = run.plan.seed
        for task in run.tasks:
            places.setdefault(task.id, (task.family, task.condition))
            planned.setdefault(task.id, set()).update((seed, n) for n in range(run.plan.trials))
        for row in run.rows:
            if (seed, row.key) in seen:
                repeated += 1
                continue
            seen.add((seed, row.key))
            if row.valid:
                rows.setdefault(row.task, []).append(row)
            else:
                excluded[row.task] += 1
    tasks = tuple(
        Tried(name, family, condition, requests.get(family), tuple(rows.get(name, ())),
              len(planned[name]), excluded[name])
        for name, (family, condition) in places.items()
    )  # fmt: skip
    return Played(setting, tasks, tuple(runs), repeated)
