"""Replays: every event and score is recomputed, and any change of the record is found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from mystery_shopper.cli.main import app
from mystery_shopper.dialogue import CallTools, Fault, Limits, Say, ToolCall, rollout
from mystery_shopper.engine import RunFolder, load_shelf, sweep
from mystery_shopper.engine.replay import Difference, Replay, acts_of, replay
from mystery_shopper.engine.trial import Trial, decode_trial, encode_trial
from mystery_shopper.foundation import ContextOverflow, InfrastructureFault, InputError
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.testing import ScriptedAgent

from .helpers import few_films, plan_of, player, write_tasks


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("replay"))


@pytest.fixture(scope="module")
def again(task_file: str) -> Replay:
    return Replay.of(plan_of(task_file))


@pytest.mark.parametrize("agent", AGENTS)
def test_every_shipped_agent_replays(agent: str, task_file: str, tmp_path: Path) -> None:
    plan, folder = plan_of(task_file, agent=agent), RunFolder(tmp_path / agent)
    sweep(plan, folder)
    found = replay(folder)
    assert (found.trials, found.difference) == (plan.count, None)
    assert found.events == sum(len(trial.transcript.events) for trial in folder.trials())


ODD_ACTS = [
    [
        CallTools(
            (ToolCall("search", "no object"), ToolCall("nowhere", {"a": [1, None]}, "x")), "Hm"
        )
    ],
    [CallTools((ToolCall("search", {}, "same"), ToolCall("search", {}, "same")))],
    [CallTools((), "Only a note")],
    [Say("x" * 300_000)],
    [ContextOverflow("full")],
    [InfrastructureFault("the line is dead")],
    [Say("hello"), RuntimeError("broken")],
    [Say("¿Qué género de película te gustaría ver esta noche, por favor?")],
    [],
]


@pytest.mark.parametrize("acts", ODD_ACTS)
def test_odd_trials_replay(acts: list[Any], task_file: str, again: Replay) -> None:
    plan = plan_of(task_file)
    one = player(plan, lambda *_: ScriptedAgent(acts))
    trial, _ = one.play(next(plan.planned()))
    assert again.compare(decode_trial(encode_trial(trial))) is None


def test_acts_come_back_in_order() -> None:
    shelf, task = load_shelf("films", 16852), few_films().by_id["f001-mixed"]
    acts = [
        Say("Which country?"),
        CallTools((ToolCall("get_history", {}, "a"),), "a note"),
        CallTools((ToolCall("recommend", {"item_id": None}, "b"),)),
    ]
    played = rollout(set_stage(task, shelf, Setting()), ScriptedAgent(acts), Limits())
    assert list(acts_of(played.transcript.events)) == acts


def _trial(plan_agent: str, task_file: str) -> Trial:
    plan = plan_of(task_file, agent=plan_agent)
    return player(plan).play(next(plan.planned()))[0]


def _edit(kind: str, **changes: Any) -> Callable[[Any], Any]:
    def change(value: Any) -> Any:
        event = next(e for e in value["transcript"]["events"] if e["type"] == kind)
        event.update(changes)
        return value

    return change


def _drop(kind: str) -> Callable[[Any], Any]:
    def change(value: Any) -> Any:
        events = list(value["transcript"]["events"])
        events.remove(next(e for e in events if e["type"] == kind))
        value["transcript"]["events"] = events
        return value

    return change


def _score(**changes: Any) -> Callable[[Any], Any]:
    def change(value: Any) -> Any:
        value["score"].update(changes)
        return value

    return change


@pytest.mark.parametrize(
    "change",
    [
        _edit("user_said", text="I want nothing."),
        _edit("user_said", disclosed=[]),
        _edit("tool_returned", content="{}"),
        _edit("verdict", accepted=False),
        _edit("agent_said", text="Other words?"),
        _edit("ended", item_id="tt0000001"),
        _drop("verdict"),
        _drop("tool_returned"),
        _drop("ended"),
        _score(success=False),
        _score(turns=7),
    ],
)  # fmt: skip
def test_any_change_of_the_record_is_found(
    change: Callable[[Any], Any], task_file: str, again: Replay
) -> None:
    trial = _trial("oracle", task_file)
    forged = msgspec.convert(change(msgspec.to_builtins(trial)), Trial)
    assert forged != trial
    found = again.compare(forged)
    assert isinstance(found, Difference)
    assert found.recorded != found.replayed


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"fault": Fault.INFRASTRUCTURE}, "fault"),
        ({"family": "f999"}, "family"),
        ({"condition": "volunteer"}, "condition"),
        ({"tier": "easy"}, "tier"),
        ({"template": ("x",)}, "template"),
        ({"satisfiable": False}, "satisfiable"),
        ({"seed": 1}, "seed"),
        ({"agent": "another"}, "agent"),
        ({"user": "another"}, "user"),
        ({"canary": "another"}, "canary"),
        ({"number": 7}, "the trial"),
    ],
)
def test_what_stands_beside_a_score_is_held_against_the_plan(
    changes: dict[str, Any], name: str, task_file: str, tmp_path: Path
) -> None:
    folder = RunFolder(tmp_path / "run")
    sweep(plan_of(task_file, conditions=("mixed",)), folder)
    trials = list(folder.trials())
    trials[1] = msgspec.structs.replace(trials[1], **changes)
    lines = [msgspec.json.encode(trial).decode() for trial in trials]
    folder.trials_file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = replay(folder).difference
    assert found is not None
    assert (found.trial, found.place) == (trials[1].key, 0)
    assert found.recorded.startswith(name), found
    assert found.recorded != found.replayed


def test_trials_that_are_not_there_are_counted(task_file: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    sweep(plan_of(task_file, conditions=("mixed",)), folder)
    lines = folder.trials_file.read_text(encoding="utf-8").splitlines(keepends=True)
    folder.trials_file.write_text("".join(lines[1:]), encoding="utf-8")
    assert replay(folder).missing == 1
    told = CliRunner().invoke(app, ["replay", str(folder.path)])
    assert told.exit_code == 0
    assert "of 3 planned, 1 are not there" in " ".join(told.output.split())


def test_a_changed_task_set_is_refused(task_file: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    plan = plan_of(task_file)
    folder.begin(msgspec.structs.replace(plan, task_set_digest="0" * 64, catalogue_digest="1" * 64))
    with pytest.raises(InputError) as caught:
        replay(folder)
    assert len(caught.value.problems) == 2
    assert "000000000000" in caught.value.problems[0]


def test_the_command_tells_the_first_difference(task_file: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    sweep(plan_of(task_file, conditions=("mixed",)), folder)
    good = CliRunner().invoke(app, ["replay", str(folder.path)])
    assert good.exit_code == 0
    assert "3 trials" in good.output
    text = folder.trials_file.read_text(encoding="utf-8")
    folder.trials_file.write_text(text.replace('"turns":2', '"turns":9', 1), encoding="utf-8")
    bad = CliRunner().invoke(app, ["replay", str(folder.path)])
    assert bad.exit_code == 1
    assert "its record differs" in bad.output
    assert "recorded: turns: 9" in bad.output
