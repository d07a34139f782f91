"""What the paper asks of those who report results, and the records in which runs are held to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.report.disclosure.settings import Panel, Played, Setting
from mystery_shopper.suites.tau_rec.prompts import Prompt
from mystery_shopper.suites.tau_rec.shelf import Interface
from mystery_shopper.suites.tau_rec.task import Condition

PAPER = "paper"
TRIALS = 4
"""The least trials a task."""
CAP = 20
"""The agent's turns in a trial."""
PROMPTS = (Prompt.BASE.value, Prompt.ASK_AND_VERIFY.value)
CONDITIONS = tuple(condition.value for condition in Condition)
INTERFACES = tuple(interface.value for interface in Interface)


@dataclass(frozen=True, slots=True)
class Want:
    """What is to be played to make up for a failing: like `base`, with these changes. `tasks` are
    single ones, empty for all of the block under `conditions`. Where it `goes_on`, the run `run`
    itself is to be gone on with."""

    base: RunPlan
    run: str
    interface: str = ""
    prompt: str = ""
    conditions: tuple[str, ...] = CONDITIONS
    tasks: tuple[str, ...] = ()
    trials: int = TRIALS
    seed: int = 0
    goes_on: bool = False


@dataclass(frozen=True, slots=True)
class Failing:
    """Where a demand does not hold: the runs, what is wrong with them, and what would help; in
    words where nothing can be played for it."""

    runs: tuple[str, ...]
    problem: str
    want: Want | None = None
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """One demand on one agent's runs, what was `found`, and where it fails."""

    demand: str
    found: str
    failings: tuple[Failing, ...]

    @property
    def holds(self) -> bool:
        """Whether it is met everywhere."""
        return not self.failings


@dataclass(frozen=True)
class Part:
    """One agent on one interface under one prompt, as far as it was played: the panel's tasks of
    one setting. `unfit` says in what the setting is not what the paper asks; empty where it is."""

    setting: Setting
    played: Played
    unfit: tuple[str, ...]

    @property
    def runs(self) -> tuple[str, ...]:
        """The names of its runs."""
        return tuple(run.name for run in self.played.runs)

    @property
    def plan(self) -> RunPlan:
        """That of its first run."""
        return self.played.runs[0].plan

    @property
    def place(self) -> str:
        """`structured, base`."""
        return f"{self.setting.interface}, {self.setting.prompt}"


@dataclass(frozen=True)
class Report:
    """One agent's checks, and the parts that its figures come from. `aside`: runs that count
    nowhere, and why."""

    agent: str
    checks: tuple[Check, ...]
    parts: tuple[Part, ...]
    aside: tuple[tuple[str, str], ...]

    @property
    def holds(self) -> bool:
        """Whether every demand is met."""
        return all(check.holds for check in self.checks)


@dataclass(frozen=True)
class Protocol:
    """The reports of the agents of one ground (see `Panel`). `families` are the panel's, empty
    where these are unknown."""

    panel: Panel
    families: tuple[str, ...]
    size: int | None
    agents: tuple[Report, ...]

    @property
    def holds(self) -> bool:
        """Whether every agent's runs are what the paper asks."""
        return all(agent.holds for agent in self.agents)

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """Every part, agent by agent."""
        return tuple(part for agent in self.agents for part in agent.parts)
