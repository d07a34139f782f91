"""Inspect agents, and through Inspect's bridge those of other frameworks, over a scripted model."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from mystery_shopper.dialogue import AgentSaid, Ending, Fault, Limits, ToolCalled, ToolReturned
from mystery_shopper.engine import RunFolder, RunPlan
from mystery_shopper.engine.replay import replay
from mystery_shopper.foundation import InputError, RunStopped
from mystery_shopper.testing import events_of

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.model import ModelOutput

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks
from .provider import POLICIES

EXAMPLES = Path(__file__).parents[3] / "examples"
OWN = """
import asyncio

from inspect_ai.agent import agent, react
from inspect_ai.model import ModelOutput
from inspect_ai.tool import ToolDef


@agent
def reacts(tools):
    return react(prompt=None, tools=tools, submit=False)


@agent
def at_once(tools):
    '''Calls two tools side by side, then tells what both gave.'''
    named = {ToolDef(tool).name: tool for tool in tools}

    async def execute(state):
        both = await asyncio.gather(named["search"](), named["get_metadata"](item_id="nobody"))
        text = " | ".join(one[:9] for one in both)
        state.output = ModelOutput.from_content("none", text)
        return state

    return execute


@agent
def leaves_one(tools):
    '''Recommends nothing, and would never come back.'''
    named = {ToolDef(tool).name: tool for tool in tools}

    async def execute(state):
        try:
            await named["recommend"](item_id=None)
        finally:
            ended.append(True)
        raise AssertionError("a trial that has ended goes on")

    return execute


@agent
def breaks(tools):
    async def execute(state):
        raise ValueError("no luck")

    return execute


@agent
def hangs(tools):
    async def execute(state):
        try:
            await asyncio.sleep(3600)
        finally:
            ended.append(True)

    return execute


def takes_nothing():
    return None


ended = []
"""


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("inspected"))


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_inspects.py").write_text(OWN, encoding="utf-8")
    for path in EXAMPLES.glob("*_agent.py"):
        shutil.copy(path, tmp_path)
        monkeypatch.delitem(sys.modules, path.stem, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "own_inspects", raising=False)


def run(plan: RunPlan, path: Path, limits: Limits | None = None) -> RunFolder:
    folder = RunFolder(path)
    model = open_model(plan)
    casting, bounds = casting_of(plan, model), Bounds(max_samples=4)
    run_lasting(plan, folder, casting, model=model, bounds=bounds, limits=limits)
    return folder


@pytest.mark.parametrize("name", ["inspect_agent:shopkeeper", "own_inspects:reacts"])
def test_an_inspect_agent_plays_as_its_model_does(
    name: str, task_file: str, tmp_path: Path
) -> None:
    plan = plan_of(task_file, agent=f"inspect:{name}:scripted/shopkeeper")
    theirs = run(plan, tmp_path / "theirs")
    model = run(plan_of(task_file, agent="model:scripted/shopkeeper"), tmp_path / "model")
    for one, other in zip(theirs.trials(), model.trials(), strict=True):
        assert one.score == other.score
        assert [e.text for e in events_of(one.transcript, AgentSaid)] == [
            e.text for e in events_of(other.transcript, AgentSaid)
        ]
    assert any(trial.score.success for trial in theirs.trials() if trial.satisfiable)
    assert replay(theirs).difference is None
    usage = {timing.trial: timing.usage["agent"] for timing in theirs.timings()}
    for trial in theirs.trials():
        acts = len(events_of(trial.transcript, AgentSaid)) + len(
            events_of(trial.transcript, ToolCalled)
        )
        assert usage[trial.key].calls == acts
        assert usage[trial.key].cached == 3 * acts


@pytest.mark.parametrize(
    ("package", "name"),
    [
        ("langchain_openai", "langchain_agent"),
        ("pydantic_ai", "pydantic_ai_agent"),
        ("agents", "openai_agents_agent"),
    ],
)
def test_agents_of_other_frameworks_play_over_the_bridge(
    package: str, name: str, task_file: str, tmp_path: Path
) -> None:
    pytest.importorskip(package, reason=f"the example {name} needs {package}: make test-bridges")
    plan = plan_of(task_file, agent=f"inspect:{name}:shopkeeper:scripted/shopkeeper")
    theirs = run(plan, tmp_path / "theirs")
    model = run(plan_of(task_file, agent="model:scripted/shopkeeper"), tmp_path / "model")
    assert [t.score for t in theirs.trials()] == [t.score for t in model.trials()]
    assert any(trial.score.success for trial in theirs.trials())
    assert all(timing.usage["agent"].calls > 1 for timing in theirs.timings())


def test_calls_side_by_side_each_get_their_own_result(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="inspect:own_inspects:at_once")
    for trial in run(plan, tmp_path / "run").trials():
        results = events_of(trial.transcript, ToolReturned)
        assert len(results) >= 2
        first = events_of(trial.transcript, AgentSaid)[0].text
        assert first == '{"total": | {"error":'


def test_a_turn_does_not_outlive_its_trial(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="inspect:own_inspects:leaves_one")
    trials = list(run(plan, tmp_path / "run").trials())
    assert {trial.score.ending for trial in trials} == {Ending.ABSTAINED}
    assert sys.modules["own_inspects"].ended == [True] * plan.count


def test_one_that_hangs_is_cut_off(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="inspect:own_inspects:hangs")
    trials = list(run(plan, tmp_path / "run", Limits(seconds=0.05)).trials())
    assert {trial.score.ending for trial in trials} == {Ending.TIME_CAP}
    assert sys.modules["own_inspects"].ended == [True] * plan.count


def test_its_own_error_is_its_fault(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="inspect:own_inspects:breaks")
    for trial in run(plan, tmp_path / "run").trials():
        assert trial.fault is Fault.AGENT
        ended = trial.transcript.ended
        assert ended is not None
        assert "no luck" in ended.detail


def test_a_model_that_is_down_is_not(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(*_: object) -> ModelOutput:
        raise ConnectionError("nobody there")

    monkeypatch.setitem(POLICIES, "down", down)
    plan = plan_of(task_file, agent="inspect:inspect_agent:shopkeeper:scripted/down")
    with pytest.raises(RunStopped, match="nobody there"):
        run(plan, tmp_path / "run")


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("own_inspects:nobody", "cannot be loaded"),
        ("own_inspects:takes_nothing", "does not take 'tools' alone"),
        ("own_inspects", "cannot be loaded"),
    ],
)
def test_what_is_no_agent_is_said_before_anything_is_played(
    name: str, told: str, task_file: str
) -> None:
    with pytest.raises(InputError, match=told):
        plan_of(task_file, agent=f"inspect:{name}")


def test_an_unknown_model_is_named(task_file: str) -> None:
    plan = plan_of(task_file, agent="inspect:own_inspects:reacts:nowhere/x")
    with pytest.raises(InputError, match="nowhere"):
        open_model(plan)
    assert open_model(plan_of(task_file, agent="inspect:own_inspects:reacts")) is None
