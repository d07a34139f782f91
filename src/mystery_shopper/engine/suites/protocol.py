"""What the engine needs of a suite, and no more.

A `Suite` knows its words and reads its task sets. A `Scene` is the tasks of one plan over its
catalogue: what an episode is made from and a transcript is scored by.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

from mystery_shopper.catalog import Catalogue, Domain
from mystery_shopper.dialogue import Agent, Episode, Transcript
from mystery_shopper.dialogue.labels import Labels
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.tau_rec.score import TauRecScore

if TYPE_CHECKING:
    from mystery_shopper.engine.plan import RunPlan
    from mystery_shopper.suites.tau_rec.stage import UserFactory

Score: TypeAlias = TauRecScore | RecBenchScore
"""The score of a trial; its tag names the suite."""


class TaskBook(Protocol):
    """A task set of any suite."""

    @property
    def name(self) -> str: ...
    @property
    def canary(self) -> str: ...
    @property
    def source(self) -> str: ...
    @cached_property
    def digest(self) -> str: ...
    @cached_property
    def by_id(self) -> Mapping[str, object]: ...

    def labels(self, task: str) -> Labels:
        """Where a task stands. Raises KeyError for one that the set lacks."""
        ...


class Scene(Protocol):
    """The tasks of one plan over its catalogue. It can be sent to another process."""

    @property
    def tasks(self) -> TaskBook:
        """The whole set."""
        ...

    @property
    def catalogue(self) -> Catalogue:
        """What the plan's trials are played over."""
        ...

    def history(self, task: str) -> tuple[str, ...]:
        """The ids that the task's user is known to have consumed already."""
        ...

    def episode(self, task: str, speaker: UserFactory | None = None) -> Episode:
        """A fresh episode, with the suite's own user or with a speaker in its place."""
        ...

    def shipped(self, agent: str, task: str) -> Agent:
        """A fresh agent of the suite's own of that name."""
        ...

    def score(self, task: str, transcript: Transcript) -> Score:
        """The score of a finished transcript."""
        ...

    def make_ready(self) -> None:
        """Build now what the first trial would."""
        ...


Maker: TypeAlias = Callable[[Scene, str], Agent]
"""A scene and a task's id -> a fresh agent for a trial."""


@dataclass(frozen=True)
class Words:
    """The values that a plan of the suite may have; the first of each is the usual one."""

    conditions: tuple[str, ...]
    interfaces: tuple[str, ...]
    prompts: tuple[str, ...]
    tool_lines: tuple[str, ...]
    blocks: tuple[str, ...]


class Suite(Protocol):
    """One benchmark."""

    @property
    def name(self) -> str: ...
    @property
    def words(self) -> Words: ...
    @property
    def agents(self) -> tuple[str, ...]: ...
    @property
    def tasks_file(self) -> str: ...
    @property
    def graph_file(self) -> str:
        """What a catalogue's folder may bring along for this suite's scenes beside its columns;
        empty where they use nothing else."""
        ...

    @property
    def speakers(self) -> bool: ...
    @property
    def histories(self) -> bool: ...
    @property
    def decides(self) -> bool: ...
    @property
    def prompts_version(self) -> int: ...

    def shipped_sets(self) -> tuple[str, ...]:
        """The names of the task sets that come with the package."""
        ...

    def read_tasks(self, name: str, domain: Domain | None = None) -> TaskBook:
        """A shipped set by name, or one from a file. Raises InputError with every problem."""
        ...

    def parse_tasks(self, raw: bytes, where: str, domain: Domain | None) -> TaskBook:
        """The set in the bytes of a file; `where` names it in errors."""
        ...

    def tasks_bytes(self, tasks: TaskBook) -> bytes:
        """The file of a set, the same bytes for equal sets."""
        ...

    def check_tasks(
        self, tasks: TaskBook, catalogue: Catalogue, where: str, folder: Path | None = None
    ) -> None:
        """Raises InputError where the tasks were drawn from another catalogue than this whole one,
        or ask for what it does not hold."""
        ...

    def origin(
        self, tasks: TaskBook, catalogue: Catalogue, folder: Path | None = None
    ) -> tuple[str, str]:
        """The digest of what the tasks were drawn from, and that of the same of this catalogue."""
        ...

    def choose(self, tasks: TaskBook, block: str, conditions: Sequence[str]) -> tuple[str, ...]:
        """The ids of a block's tasks under these conditions, in order."""
        ...

    def instructions(self, plan: RunPlan, domain: Domain) -> str:
        """What the agent is told. Raises ValueError for a setting that the suite does not know."""
        ...

    def scene(
        self, plan: RunPlan, tasks: TaskBook, catalogue: Catalogue, folder: Path | None = None
    ) -> Scene:
        """The plan's tasks over its catalogue, of which `folder` holds more than the columns."""
        ...

    def without_personas(self, tasks: TaskBook, text: Callable[[str], str]) -> TaskBook:
        """The set with `text` applied to what tells of people and is not scored on. People whose
        names it changes stay apart from each other."""
        ...
