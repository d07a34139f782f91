"""The suite as an Inspect task: epochs are trials, and the log holds the same trials as a run."""

from __future__ import annotations

import importlib.metadata
import math
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import Ending, UserSaid
from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.trial import decode_trial
from mystery_shopper.foundation import InputError
from mystery_shopper.testing import events_of

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai import eval as inspect_eval
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import SampleScore, Score
from inspect_ai.tool import ToolInfo

from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.registry import tau_rec
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.lasting.scorers import scored_mean, share

from ..helpers import plan_of, write_tasks
from . import provider

assert provider


def test_the_entry_point_names_the_registry() -> None:
    [entry] = [
        entry
        for entry in importlib.metadata.entry_points(group="inspect_ai")
        if entry.name == "mystery_shopper"
    ]
    assert entry.value == tau_rec.__module__


def test_epochs_are_trials(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path)
    [log] = inspect_eval(
        tau_rec(condition="mixed,hidden", task_set=tasks),
        model="scripted/shopkeeper",
        epochs=2,
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    assert log.status == "success"
    logged = {
        trial.key: trial
        for sample in log.samples or []
        for trial in [decode_trial(sample.metadata["trial"])]
    }
    plan = plan_of(
        tasks, agent="model:scripted/shopkeeper", conditions=("mixed", "hidden"), trials=2
    )
    folder = RunFolder(tmp_path / "run")
    model = open_model(plan)
    run_lasting(plan, folder, casting_of(plan, model), model=model)
    ours = {trial.key: trial for trial in folder.trials()}
    assert logged.keys() == ours.keys()
    for key, trial in ours.items():
        assert logged[key].transcript == trial.transcript
        assert logged[key].score == trial.score
    assert log.results
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    wanted = [trial.score.success for trial in ours.values()]
    assert metrics["share"] == pytest.approx(sum(map(bool, wanted)) / len(wanted))
    assert math.isnan(metrics["volunteer"])


def test_a_reduced_score_stands_for_the_trials_that_are_scored() -> None:
    reduce, share_of = scored_mean(), share()
    one = reduce([Score(value=1.0), Score(value=math.nan), Score(value=0.0)])
    other = reduce([Score(value=1.0)])
    none = reduce([Score(value=math.nan)])
    assert one.value == 0.5
    assert math.isnan(none.as_float())
    measured = share_of([SampleScore(score=score) for score in (one, other, none)])
    assert measured == pytest.approx(2 / 3)
    assert math.isnan(share_of([SampleScore(score=none)]))


def test_a_model_is_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = write_tasks(tmp_path)
    monkeypatch.setitem(provider.POLICIES, "customer", lambda *_: provider.said("Hello there."))
    [log] = inspect_eval(
        tau_rec(
            condition="hidden",
            task_set=tasks,
            user="model:scripted/customer",
            user_temperature=0.5,
            enforce_disclosure=False,
        ),
        model="scripted/shopkeeper",
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    assert log.status == "success"
    [sample, *_] = log.samples or []
    trial = decode_trial(sample.metadata["trial"])
    assert trial.user == "model:scripted/customer"
    assert events_of(trial.transcript, UserSaid)[0].text.startswith("Hello there.")
    assert set(log.stats.model_usage) == {"scripted/shopkeeper", "scripted/customer"}
    plan = (log.eval.metadata or {})["plan"]
    assert plan["user_options"]["temperature"] == 0.5
    assert plan["user_options"]["enforce"] is False


OWN_USER = """
class Terse:
    def __init__(self, task, catalogue):
        pass

    def open(self):
        return "Hi."

    def hear(self, text):
        return "Hm."
"""


def test_a_class_of_ones_own_is_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_customer.py").write_text(OWN_USER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    [log] = inspect_eval(
        tau_rec(condition="mixed", task_set=write_tasks(tmp_path), user="own_customer:Terse"),
        model="scripted/shopkeeper",
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    assert log.status == "success"
    for sample in log.samples or []:
        trial = decode_trial(sample.metadata["trial"])
        assert events_of(trial.transcript, UserSaid)[0].text.startswith("Hi.")


def test_what_cannot_be_is_named(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path)
    with pytest.raises(InputError) as told:
        tau_rec(condition="loud", interface="psychic", tool_mode="odd", user="nobody")
    for name in ("'loud'", "'psychic'", "'odd'", "'nobody'"):
        assert name in str(told.value)
    with pytest.raises(InputError, match="model:nowhere/x"):
        tau_rec(task_set=tasks, user="model:nowhere/x")
    with pytest.raises(InputError, match="has no model's options"):
        tau_rec(task_set=tasks, user="json:loads", voice_persona=True)


def test_inspects_own_command_is_told_in_a_line() -> None:
    command = "-m inspect_ai eval mystery_shopper/tau_rec --model mockllm/model -T condition=mixd"
    done = subprocess.run(
        [sys.executable, *command.split()], capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode != 0
    assert [line for line in (done.stdout + done.stderr).splitlines() if line.strip()] == [
        "Error: --condition 'mixd' is unknown; use one of: volunteer, mixed, hidden",
        "Correct the arguments of -T; docs/agents.md lists them.",
    ]


def test_mock_outputs_that_tell_their_usage_need_no_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> None:
        raise OSError("no network")

    monkeypatch.setattr(socket, "getaddrinfo", away)
    output = ModelOutput.for_tool_call("mockllm/model", "recommend", {"item_id": None})
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    [log] = inspect_eval(
        tau_rec(condition="mixed", task_set=write_tasks(tmp_path)),
        model=get_model("mockllm/model", custom_outputs=[output] * 3),
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    trials = [decode_trial(sample.metadata["trial"]) for sample in log.samples or []]
    assert [trial.score.ending for trial in trials] == [Ending.ABSTAINED] * 3
    assert not any(trial.excluded for trial in trials)


@pytest.fixture
def provider_elsewhere(tmp_path: Path) -> Path:
    """A folder that, on the path, is a package with the scripted provider, as Inspect finds one."""
    shutil.copy(Path(provider.__file__), tmp_path / "scripted_provider.py")
    info = tmp_path / "scripted_provider-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scripted-provider\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[inspect_ai]\nscripted = scripted_provider\n")
    return tmp_path


def test_inspects_own_command_runs_it(provider_elsewhere: Path) -> None:
    tasks = write_tasks(provider_elsewhere)
    arguments = f"condition=mixed,hidden prompt=ask trials=2 user=rule-based task_set={tasks}"
    command = "-m inspect_ai eval mystery_shopper/tau_rec --model scripted/shopkeeper --limit 2"
    command += " --display plain --log-dir logs"
    command += "".join(f" -T {argument}" for argument in arguments.split())
    done = subprocess.run(
        [sys.executable, *command.split()],
        cwd=provider_elsewhere,
        env={**os.environ, "PYTHONPATH": str(provider_elsewhere)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    for shown in ("share", "mixed", "hidden", "disclosure"):
        assert shown in done.stdout
    [log] = [read_eval_log(info) for info in list_eval_logs(str(provider_elsewhere / "logs"))]
    plan = (log.eval.metadata or {})["plan"]
    assert plan["conditions"] == ["mixed", "hidden"]
    assert plan["prompt"] == "ask"
    assert log.eval.config.epochs == 2
    keys = sorted(decode_trial(s.metadata["trial"]).key for s in log.samples or [])
    assert keys == sorted(f"{name}#{number}" for name in plan["tasks"][:2] for number in range(2))


def test_interface_and_tool_mode_are_the_plans(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def abstain(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo], _: Any) -> ModelOutput:
        assert not tools
        asked.append(messages[0].text)
        return provider.said('{"call": "recommend", "arguments": {"item_id": null}}')

    monkeypatch.setitem(provider.POLICIES, "abstainer", abstain)
    [log] = inspect_eval(
        tau_rec(
            condition=["mixed"],
            task_set=write_tasks(tmp_path),
            interface="keyword",
            tool_mode="json",
        ),
        model="scripted/abstainer",
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    plan = (log.eval.metadata or {})["plan"]
    assert (plan["interface"], plan["model"]) == ("keyword", {"tool_mode": "json"})
    assert len(asked) == len(log.samples or []) > 0
    assert all('"query"' in rules for rules in asked)
    for sample in log.samples or []:
        trial = decode_trial(sample.metadata["trial"])
        assert trial.score.ending is Ending.ABSTAINED
