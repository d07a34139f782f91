"""Disclosure (τ-Rec-Books) as the engine sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from mystery_shopper.catalog import Catalogue, Domain, Predicate
from mystery_shopper.catalog.predicates import codes_for
from mystery_shopper.dialogue import Agent, Episode, Transcript
from mystery_shopper.engine.suites.protocol import TaskBook, Words
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.prompts import PROMPTS_VERSION, Prompt, ToolLine, instructions
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.score import TauRecScore
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, UserFactory, set_stage
from mystery_shopper.suites.tau_rec.task import Condition, TaskSet, fact
from mystery_shopper.suites.tau_rec.taskfile import (
    load_task_set,
    parse_task_set,
    shipped_names,
    shipped_task_set,
    task_set_bytes,
)

if TYPE_CHECKING:
    from mystery_shopper.engine.plan import RunPlan


TASKS_FILE = "tasks.json"
WORDS = Words(
    conditions=tuple(one.value for one in Condition),
    interfaces=tuple(one.value for one in Interface),
    prompts=tuple(one.value for one in Prompt),
    tool_lines=tuple(one.value for one in ToolLine),
    blocks=("all", "panel", "reliability"),
)


@lru_cache(maxsize=4)
def shelf_over(catalogue: Catalogue) -> Shelf:
    """A catalogue made ready for episodes; kept for the next call with the same one."""
    return Shelf(catalogue)


@dataclass(frozen=True)
class TauRecScene:
    """The tasks of one plan over its shelf."""

    tasks: TaskSet
    shelf: Shelf
    setting: Setting

    @property
    def catalogue(self) -> Catalogue:
        """As `Scene.catalogue`."""
        return self.shelf.catalogue

    def history(self, task: str) -> tuple[str, ...]:
        """As `Scene.history`."""
        return self.tasks.by_id[task].family.history

    def episode(self, task: str, speaker: UserFactory | None = None) -> Episode:
        """As `Scene.episode`."""
        return set_stage(self.tasks.by_id[task], self.shelf, self.setting, speaker)

    def shipped(self, agent: str, task: str) -> Agent:
        """As `Scene.shipped`."""
        return AGENTS[agent](self.tasks.by_id[task], self.shelf, self.setting.interface)

    def score(self, task: str, transcript: Transcript) -> TauRecScore:
        """As `Scene.score`."""
        return self.shelf.scorer.score(self.tasks.by_id[task], transcript)

    def make_ready(self) -> None:
        """As `Scene.make_ready`."""
        structured = self.setting.interface is Interface.STRUCTURED
        index = self.shelf.structured if structured else self.shelf.keyword
        del index
        _ = (self.shelf.reader, self.shelf.wording, self.shelf.scorer)


@dataclass(frozen=True)
class TauRec:
    """The suite."""

    name: str = "tau_rec"
    words: Words = WORDS
    agents: tuple[str, ...] = tuple(AGENTS)
    tasks_file: str = TASKS_FILE
    graph_file: str = ""
    speakers: bool = True
    histories: bool = False
    decides: bool = True
    prompts_version: int = PROMPTS_VERSION

    def shipped_sets(self) -> tuple[str, ...]:
        """As `Suite.shipped_sets`."""
        return tuple(shipped_names())

    def read_tasks(self, name: str, domain: Domain | None = None) -> TaskSet:
        """As `Suite.read_tasks`."""
        return shipped_task_set(name) if name in shipped_names() else load_task_set(name, domain)

    def parse_tasks(self, raw: bytes, where: str, domain: Domain | None) -> TaskSet:
        """As `Suite.parse_tasks`."""
        return parse_task_set(raw, where, domain)

    def tasks_bytes(self, tasks: TaskBook) -> bytes:
        """As `Suite.tasks_bytes`."""
        return task_set_bytes(own(tasks))

    def check_tasks(
        self, tasks: TaskBook, catalogue: Catalogue, where: str, folder: Path | None = None
    ) -> None:
        """As `Suite.check_tasks`."""
        del folder
        check_origin(own(tasks), catalogue, where)
        _check_labels(own(tasks), catalogue, where)

    def origin(
        self, tasks: TaskBook, catalogue: Catalogue, folder: Path | None = None
    ) -> tuple[str, str]:
        """As `Suite.origin`."""
        del folder
        return own(tasks).catalogue.digest, catalogue.digest

    def choose(self, tasks: TaskBook, block: str, conditions: Sequence[str]) -> tuple[str, ...]:
        """As `Suite.choose`."""
        return tuple(task.id for task in own(tasks).select(block, map(Condition, conditions)))

    def instructions(self, plan: RunPlan, domain: Domain) -> str:
        """As `Suite.instructions`."""
        setting = setting_of(plan)
        return instructions(domain, setting.interface, setting.prompt, setting.tool_line)

    def scene(
        self, plan: RunPlan, tasks: TaskBook, catalogue: Catalogue, folder: Path | None = None
    ) -> TauRecScene:
        """As `Suite.scene`."""
        del folder
        return TauRecScene(own(tasks), shelf_over(catalogue), setting_of(plan))

    def without_personas(self, tasks: TaskBook, text: Callable[[str], str]) -> TaskSet:
        """As `Suite.without_personas`."""
        replace = msgspec.structs.replace
        mine = own(tasks)
        families = tuple(replace(one, persona=text(one.persona)) for one in mine.families)
        return mine if families == mine.families else replace(mine, families=families)


def own(tasks: TaskBook) -> TaskSet:
    """The set as the suite's own. Raises InputError for one of another suite."""
    if not isinstance(tasks, TaskSet):
        raise InputError(
            f"{tasks.name} is no task set of tau_rec",
            where="--task-set",
            remedy="Name a task set of the suite.",
        )
    return tasks


def setting_of(plan: RunPlan) -> Setting:
    """The suite's setting of a plan. Raises ValueError for a value that it does not know."""
    return Setting(
        Interface(plan.interface), Prompt(plan.prompt), ToolLine(plan.tool_line), plan.as_paper
    )


def check_origin(tasks: TaskSet, catalogue: Catalogue, where: str) -> None:
    """Raises InputError where the tasks were drawn from another catalogue than this whole one;
    `where` names the task set."""
    if catalogue.digest != tasks.catalogue.digest:
        raise InputError(
            f"the tasks are of another catalogue ({tasks.catalogue.name}, digest "
            f"{tasks.catalogue.digest[:12]}) than {catalogue.name} ({catalogue.digest[:12]})",
            where=where,
            remedy="Use the catalogue of the tasks, or draw tasks from this one.",
        )


def _check_labels(tasks: TaskSet, catalogue: Catalogue, where: str) -> None:
    """Raises InputError for predicates that name a label which no item of the catalogue bears. An
    imported request may: it was read against this catalogue, and then nothing fits it."""
    if tasks.source:
        return
    known: set[Predicate] = set()
    problems: list[str] = []
    for family in tasks.families:
        for predicate in family.predicates:
            spec = catalogue.domain.fields.get(predicate.field)
            if spec is None or not spec.kind.is_label or predicate in known:
                continue
            known.add(predicate)
            tree = catalogue.domain.hierarchies[predicate.field]
            column = catalogue.labels(predicate.field)
            if not codes_for(predicate.op, predicate.value, column, tree):
                problems.append(f"{family.id}: nothing in the catalogue has {fact(predicate)}")
    if problems:
        raise InputError(problems, where=where, remedy="mystery-shopper check tells more.")


SUITE = TauRec()
