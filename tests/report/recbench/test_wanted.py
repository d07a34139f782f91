"""What an observation lacks, and the command that would play it."""

from __future__ import annotations

import shlex

import pytest

from mystery_shopper.report.recbench.observations import Observation, observations
from mystery_shopper.report.recbench.page import part_of
from mystery_shopper.report.recbench.played import read_played
from mystery_shopper.report.recbench.study import study

from .made import graded, ground_of, make_plan, make_run, make_set, make_trials

SET = make_set(12)


@pytest.fixture(scope="module")
def alone() -> dict[int, Observation]:
    run = make_run(SET, "graded", graded, block="panel")
    made = study(ground_of(run), resamples=100)
    return {one.number: one for one in part_of(made, observations(made)).observations}


def test_only_what_cannot_be_told_at_all_is_wanted(alone: dict[int, Observation]) -> None:
    assert [number for number, one in alone.items() if one.wanted] == [1, 4]


def test_a_second_agent_is_another_one_over_the_same_queries(alone: dict[int, Observation]) -> None:
    assert alone[1].wanted is not None
    words = shlex.split(alone[1].wanted.command)
    assert words[:3] == ["mystery-shopper", "run", "recbench"]
    assert words[words.index("--agent") + 1] == "popularity"
    assert words[words.index("--tasks") + 1] == "panel"
    assert words[words.index("--task-set") + 1] == SET.name
    assert alone[1].wanted.why == "needs two agents under one setting"


def test_the_history_is_handed_to_the_same_agent(alone: dict[int, Observation]) -> None:
    assert alone[4].wanted is not None
    words = shlex.split(alone[4].wanted.command)
    assert words[words.index("--agent") + 1] == "graph"
    assert "--history" in words


def test_no_run_mends_a_set_that_is_not_at_hand() -> None:
    plan = make_plan(SET)
    run = read_played("bare", plan, make_trials(SET, plan))
    found = {one.number: one for one in observations(study(ground_of(run), resamples=100))}
    assert found[7].wanted is not None
    assert (found[7].wanted.why, found[7].wanted.command) == ("needs the query set", "")
