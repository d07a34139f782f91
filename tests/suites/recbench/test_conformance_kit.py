"""The suite and its reference agents pass the public conformance kit, on the shipped queries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import pytest

from mystery_shopper.dialogue import Agent, Episode, Transcript
from mystery_shopper.sources import load_films
from mystery_shopper.suites.recbench.query import Given, Kind, Query, QuerySet
from mystery_shopper.suites.recbench.queryfile import shipped_query_set
from mystery_shopper.suites.recbench.reference import AGENTS
from mystery_shopper.suites.recbench.scoring import Scorer
from mystery_shopper.suites.recbench.shelf import Interface, Shelf
from mystery_shopper.suites.recbench.stage import Setting, set_stage
from mystery_shopper.testing import AgentConformance, SuiteConformance


@cache
def films() -> Shelf:
    return Shelf(load_films())


@cache
def shipped() -> QuerySet:
    return shipped_query_set()


@cache
def one_of_each() -> Mapping[str, Query]:
    """The last query of every cell, by its id."""
    cells = {query.cell: query for query in shipped().queries}
    return {query.id: query for query in cells.values()}


class _Suite(SuiteConformance[Query]):
    setting = Setting()

    def tasks(self) -> Mapping[str, Query]:
        return one_of_each()

    def make_episode(self, task: Query) -> Episode:
        return set_stage(task, shipped(), films(), self.setting)

    def make_oracle(self, task: Query) -> Agent:
        return AGENTS["oracle"](task, shipped(), films(), self.setting)

    def make_null(self, task: Query) -> Agent:
        return AGENTS["null"](task, shipped(), films(), self.setting)

    def score(self, task: Query, transcript: Transcript) -> Any:
        return Scorer(films(), shipped()).score(task, self.setting, transcript)

    def succeeded(self, score: Any) -> bool | None:
        return score.success

    def secrets(self, task: Query) -> Iterable[str]:
        """What answers it, whose it is, and what it only hints at."""
        yield from (task.id, task.user, *task.own, *task.matching)
        yield from (part.value for part in task.parts if part.given is Given.REFERENCE)


class TestTools(_Suite):
    pass


class TestBareWithHistoryAndK(_Suite):
    setting = Setting(Interface.BARE, history=True, k=5)


def test_the_tasks_are_of_every_kind_and_hide_something() -> None:
    suite = TestTools()
    assert {query.kind for query in suite.tasks().values()} == set(Kind)
    assert len(suite.tasks()) == 11
    hinted = [q for q in suite.tasks().values() if q.kind is Kind.IMPLICIT]
    assert all(q.parts[0].value or q.parts for q in hinted)
    assert all(len(list(suite.secrets(query))) > 4 for query in suite.tasks().values())


def test_an_oracle_of_another_query_is_found_out() -> None:
    class Mistaken(_Suite):
        def make_oracle(self, task: Query) -> Agent:
            other = next(one for one in self.tasks().values() if one.kind is not task.kind)
            return super().make_oracle(other)

    with pytest.raises(AssertionError, match="success is False"):
        Mistaken().test_the_oracle_scores_full_marks()


def test_a_scorer_that_looks_beyond_the_transcript_is_found_out() -> None:
    class Counting(_Suite):
        scored = 0

        def score(self, task: Query, transcript: Transcript) -> Any:
            Counting.scored += 1
            return [super().score(task, transcript), Counting.scored]

    with pytest.raises(AssertionError, match="scored twice, it differs"):
        Counting().test_scores_follow_from_the_transcript_alone()


class _Reference(AgentConformance):
    deterministic = True
    name = ""

    def _query(self) -> Query:
        return next(query for query in one_of_each().values() if query.kind is Kind.MISINFORMED)

    def make_agent(self) -> Agent:
        return AGENTS[self.name](self._query(), shipped(), films(), Setting(history=True))

    def make_episode(self) -> Episode:
        return set_stage(self._query(), shipped(), films(), Setting(history=True))


class TestOracle(_Reference):
    name = "oracle"


class TestOracleAll(_Reference):
    name = "oracle-all"


class TestGraph(_Reference):
    name = "graph"


class TestHistory(_Reference):
    name = "history"


class TestKeyword(_Reference):
    name = "keyword"


class TestPopularity(_Reference):
    name = "popularity"


class TestNull(_Reference):
    name = "null"


def test_no_reference_agent_is_left_out() -> None:
    assert {one.name for one in _Reference.__subclasses__()} == set(AGENTS)
