"""The suite and its reference agents pass the public conformance kit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest

from mystery_shopper.dialogue import Agent, Episode, Transcript
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Reveal, Task
from mystery_shopper.suites.tau_rec.taskfile import shipped_task_set
from mystery_shopper.testing.conformance import AgentConformance, SuiteConformance

TASKS = ("f001-volunteer", "f003-hidden", "f004-mixed", "f005-hidden", "f006-volunteer")
"""The first can be met by nothing."""


@cache
def films() -> Shelf:
    return Shelf(load_films())


@cache
def task(name: str) -> Task:
    return shipped_task_set("tau_rec/films@1").by_id[name]


class _Suite(SuiteConformance[Task]):
    interface = Interface.STRUCTURED

    def tasks(self) -> Mapping[str, Task]:
        return {name: task(name) for name in TASKS}

    def make_episode(self, task: Task) -> Episode:
        return set_stage(task, films(), Setting(self.interface))

    def make_oracle(self, task: Task) -> Agent:
        return AGENTS["oracle"](task, films(), self.interface)

    def make_null(self, task: Task) -> Agent:
        return AGENTS["null"](task, films(), self.interface)

    def satisfiable(self, task: Task) -> bool:
        return task.family.satisfiable

    def score(self, task: Task, transcript: Transcript) -> Any:
        return films().scorer.score(task, transcript)

    def succeeded(self, score: Any) -> bool | None:
        return score.success

    def secrets(self, task: Task) -> Iterable[str]:
        """Hidden values, and what a task file calls things."""
        hidden = [r.predicate for r in task.requirements if r.reveal is Reveal.HIDDEN]
        yield from (str(predicate.value) for predicate in hidden)
        yield from (task.id, task.family.id, "reveal", "predicate", "satisfiable")


class TestStructured(_Suite):
    pass


class TestKeyword(_Suite):
    interface = Interface.KEYWORD


def test_the_tasks_are_of_every_condition_and_hide_something() -> None:
    suite = TestStructured()
    tasks = suite.tasks()
    assert {one.condition.value for one in tasks.values()} == {"volunteer", "mixed", "hidden"}
    assert sum(len(list(suite.secrets(one))) > 5 for one in tasks.values()) >= 2
    assert sum(not one.family.satisfiable for one in tasks.values()) == 1


class _Reference(AgentConformance):
    deterministic = True
    name = ""
    task = "f004-mixed"

    def make_agent(self) -> Agent:
        return AGENTS[self.name](task(self.task), films(), Interface.STRUCTURED)

    def make_episode(self) -> Episode:
        return set_stage(task(self.task), films(), Setting())


class TestOracle(_Reference):
    name = "oracle"


class TestEliminating(_Reference):
    name = "eliminating"


class TestPopularity(_Reference):
    name = "popularity"


class TestAskNeverPropose(_Reference):
    name = "ask-never-propose"


class TestProposeNeverAsk(_Reference):
    name = "propose-never-ask"
    task = "f004-volunteer"  # Without asking the other takes it past the last turn.


class TestNoAsk(_Reference):
    name = "no-ask"


class TestNull(_Reference):
    name = "null"


def test_no_reference_agent_is_left_out() -> None:
    classes = (
        TestOracle,
        TestEliminating,
        TestPopularity,
        TestAskNeverPropose,
        TestProposeNeverAsk,
        TestNoAsk,
        TestNull,
    )
    assert {one.name for one in classes} == set(AGENTS)


def test_an_oracle_of_another_task_is_found_out() -> None:
    class Mistaken(_Suite):
        def make_oracle(self, task: Task) -> Agent:
            other = next(one for one in self.tasks().values() if one.family != task.family)
            return super().make_oracle(other)

    with pytest.raises(AssertionError, match="success is False"):
        Mistaken().test_the_oracle_scores_full_marks()
