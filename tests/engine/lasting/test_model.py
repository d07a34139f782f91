"""A model as the agent, over a scripted provider."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.dialogue import (
    AgentSaid,
    Ending,
    Fault,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
)
from mystery_shopper.engine import RunFolder, RunPlan
from mystery_shopper.engine.plan import ModelOptions
from mystery_shopper.engine.replay import replay
from mystery_shopper.foundation import InputError, RunStopped
from mystery_shopper.testing import events_of

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.model import ModelOutput

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks
from . import provider
from .provider import POLICIES, called, said


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("model"))


def run(plan: RunPlan, path: Path, **bounds: Any) -> RunFolder:
    folder = RunFolder(path)
    model = open_model(plan)
    run_lasting(plan, folder, casting_of(plan, model), model=model, bounds=Bounds(**bounds))
    return folder


@pytest.mark.parametrize("mode", ["native", "json"])
def test_a_model_serves_customers(mode: str, task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="model:scripted/shopkeeper")
    plan = msgspec.structs.replace(plan, model=ModelOptions(tool_mode=mode))
    folder = run(plan, tmp_path / "run")
    trials = list(folder.trials())
    assert len(trials) == plan.count
    by_task = {trial.task: trial for trial in trials}
    assert by_task["f001-volunteer"].score.ending is Ending.RECOMMENDED
    assert by_task["f003-hidden"].score.success
    assert any(trial.score.success for trial in trials if trial.satisfiable)
    assert replay(folder).difference is None
    usage = {timing.trial: timing.usage["agent"] for timing in folder.timings()}
    for trial in trials:
        acts = len(events_of(trial.transcript, AgentSaid)) + len(
            events_of(trial.transcript, ToolCalled)
        )
        assert usage[trial.key].calls == acts
        assert usage[trial.key].cached == 3 * acts
        assert usage[trial.key].cost is None


def test_in_flight_makes_no_difference(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="model:scripted/shopkeeper", trials=3)
    one = run(plan, tmp_path / "one", max_samples=1)
    many = run(plan, tmp_path / "many", max_samples=16)
    assert one.trials_file.read_bytes() == many.trials_file.read_bytes()


def scripted(policy: Callable[..., ModelOutput], task_file: str, tmp_path: Path) -> RunFolder:
    POLICIES["special"] = policy
    plan = plan_of(task_file, agent="model:scripted/special", conditions=("mixed",))
    return run(plan, tmp_path / "run")


HOSTILE: list[Any] = [None, "", {"genre": {"a": [1] * 50}}, {"page": "\ud800"}, {"x" * 999: 1}]


@pytest.mark.parametrize("arguments", HOSTILE[2:])
def test_hostile_arguments_are_an_error_told_to_the_model(
    arguments: Any, task_file: str, tmp_path: Path
) -> None:
    def policy(messages: Any, *_: Any) -> ModelOutput:
        if len(messages) > 4:
            return called("recommend", {"item_id": None}, len(messages))
        return called("search", arguments, len(messages))

    folder = scripted(policy, task_file, tmp_path)
    for trial in folder.trials():
        first = events_of(trial.transcript, ToolReturned)[0]
        assert first.error is ToolErrorKind.BAD_ARGUMENTS
        assert trial.score.ending is Ending.ABSTAINED
    assert replay(folder).difference is None


def test_an_empty_answer_is_silence_and_ends_by_the_rules(task_file: str, tmp_path: Path) -> None:
    folder = scripted(lambda *_: said(""), task_file, tmp_path)
    assert {trial.score.ending for trial in folder.trials()} == {Ending.TURN_CAP}


def test_a_full_window_is_an_overflow(task_file: str, tmp_path: Path) -> None:
    def policy(*_: Any) -> ModelOutput:
        return ModelOutput.from_content("scripted", "long", stop_reason="model_length")

    folder = scripted(policy, task_file, tmp_path)
    assert {trial.score.ending for trial in folder.trials()} == {Ending.OVERFLOW}


def test_one_bad_trial_does_not_end_a_run(task_file: str, tmp_path: Path) -> None:
    def policy(messages: Any, *_: Any) -> ModelOutput:
        if "Horror" in messages[1].text:
            raise RuntimeError("no such luck")
        return called("recommend", {"item_id": None}, len(messages))

    folder = scripted(policy, task_file, tmp_path)
    faults = [trial.fault for trial in folder.trials()]
    assert sorted(faults, key=str) == sorted([Fault.INFRASTRUCTURE, None, None], key=str)


def test_a_provider_that_is_down_ends_the_run_which_goes_on_later(
    task_file: str, tmp_path: Path
) -> None:
    down = True

    def policy(messages: Any, tools: Any, config: Any) -> ModelOutput:
        if down:
            raise ConnectionError("nobody answers")
        return provider.shopkeeper(messages, tools, config)

    POLICIES["special"] = policy
    plan = plan_of(task_file, agent="model:scripted/special", trials=4)
    with pytest.raises(RunStopped, match="nobody answers"):
        run(plan, tmp_path / "run", max_samples=1)
    assert list(RunFolder(tmp_path / "run").trials()) == []
    down = False
    folder = run(plan, tmp_path / "run", max_samples=2)
    assert len(list(folder.trials())) == plan.count
    POLICIES["special"] = lambda *_: pytest.fail("a finished run makes no call")
    run(plan, tmp_path / "run")


def test_an_unknown_provider_is_named(task_file: str) -> None:
    with pytest.raises(InputError, match="model:nobody/knows"):
        open_model(plan_of(task_file, agent="model:nobody/knows"))
