"""Requests through Inspect: a model that answers them, as a run and as Inspect's own task."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import AgentSaid, Ending, ToolCalled
from mystery_shopper.engine import RunFolder, RunPlan
from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.replay import replay
from mystery_shopper.engine.trial import Trial, decode_trial
from mystery_shopper.foundation import InfrastructureFault, InputError
from mystery_shopper.testing import events_of

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai import eval as inspect_eval
from inspect_ai.event import LoggerEvent
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessage, ModelOutput
from inspect_ai.tool import ToolInfo

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.needs import run_through_inspect
from mystery_shopper.engine.lasting.registry import recbench, tau_rec
from mystery_shopper.engine.lasting.stage import IN_A_ROW
from mystery_shopper.engine.plan import ModelOptions

from ..helpers import write_tasks
from ..requested import plan_over, queries, shop
from . import provider

assert provider
CRITIC = "model:scripted/critic"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("requests") / "shop")


def run(plan: RunPlan, path: Path, in_flight: int = 8, only: Any = None) -> RunFolder:
    made = RunFolder(path)
    run_through_inspect(plan, made, Bounds(max_samples=in_flight), lambda _: None, only=only)
    return made


def logged(log: EvalLog) -> dict[str, Trial]:
    assert log.status == "success"
    trials = [decode_trial(sample.metadata["trial"]) for sample in log.samples or []]
    return {trial.key: trial for trial in trials}


def mean(values: Sequence[float | None]) -> float:
    known = [value for value in values if value is not None]
    return math.fsum(known) / len(known) if known else math.nan


def test_epochs_are_trials_and_figures_are_metrics(folder: Path, tmp_path: Path) -> None:
    [log] = inspect_eval(
        recbench(kind="explicit,interest", catalog=str(folder), history=True, k=3),
        model="scripted/critic",
        epochs=2,
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    plan = plan_over(
        folder, CRITIC, only=(), conditions=("explicit", "interest"), trials=2, history=True, k=3
    )
    ours = {trial.key: trial for trial in run(plan, tmp_path / "run").trials()}
    theirs = logged(log)
    assert theirs.keys() == ours.keys()
    for key, trial in ours.items():
        assert (theirs[key].transcript, theirs[key].score) == (trial.transcript, trial.score)
    trials = list(ours.values())
    wanted: dict[str, Any] = {
        "requests": lambda t: t.score.success,
        "cmr": lambda t: t.requested.figures.cmr,
        "precision": lambda t: t.requested.figures.precision_own,
        "recall": lambda t: t.requested.figures.recall_own,
        "ftr": lambda t: t.requested.figures.failed,
    }
    assert log.results
    assert [score.name for score in log.results.scores] == [*wanted, "trials"]
    *figures, last = log.results.scores
    counted = {name: metric.value for name, metric in last.metrics.items()}
    assert counted == {"planned": len(trials), "valid": len(trials), "excluded": 0}
    for score in figures:
        found = {name: metric.value for name, metric in score.metrics.items()}
        of, whole = wanted[score.name], "share" if score.name == "requests" else "average"
        assert found[whole] == pytest.approx(mean([of(t) for t in trials]), nan_ok=True)
        for kind in ("explicit", "interest", "implicit"):
            those = [of(t) for t in trials if t.condition == kind]
            assert found[kind] == pytest.approx(mean(those), nan_ok=True)
        assert math.isnan(found["misinformed"])
    cmr = next(score for score in log.results.scores if score.name == "cmr")
    assert math.isnan(cmr.metrics["interest"].value)
    assert 0 < cmr.metrics["explicit"].value <= 1


def test_both_suites_are_scored_by_their_own_in_one_process(folder: Path, tmp_path: Path) -> None:
    logs = inspect_eval(
        [
            recbench(kind="explicit", tasks="panel", catalog=str(folder)),
            tau_rec(condition="mixed", task_set=write_tasks(tmp_path)),
        ],
        model=["scripted/critic"],
        display="none",
        log_dir=str(tmp_path / "logs"),
        max_tasks=1,
    )
    names = [[score.name for score in log.results.scores] for log in logs if log.results]
    ours = ["requests", "cmr", "precision", "recall", "ftr", "trials"]
    assert names == [ours, ["disclosure", "trials"]]


def test_ftr_is_told_by_kind(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def policy(m: Sequence[ChatMessage], *_: Any) -> ModelOutput:
        asked = next(one.text for one in m if one.role == "user")
        explicit = any(q.text in asked for q in queries().queries if q.kind.value == "explicit")
        return provider.said("1. Heat (1995)" if explicit else "Which genre would you like?")

    monkeypatch.setitem(provider.POLICIES, "asks", policy)
    [log] = inspect_eval(
        recbench(kind="explicit,implicit", tasks="panel", catalog=str(folder)),
        model="scripted/asks",
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    ftr = next(score for score in log.results.scores if score.name == "ftr")  # type: ignore[union-attr]
    assert (ftr.metrics["explicit"].value, ftr.metrics["implicit"].value) == (0.0, 1.0)
    assert 0 < ftr.metrics["average"].value < 1
    unread = [one.scores["precision"] for one in log.samples or [] if one.scores]
    assert {score.explanation for score in unread} == {None}


@pytest.mark.parametrize(("lost", "suite"), [(2, "recbench"), (99, "recbench"), (99, "tau_rec")])
def test_excluded_trials_are_counted_and_their_reason_is_told(
    lost: int,
    suite: str,
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    reached: list[int] = []

    def policy(m: Sequence[ChatMessage], *more: Any) -> ModelOutput:
        reached.append(1)
        if len(reached) <= 3 * lost:  # A trial is tried three times.
            raise InfrastructureFault("the tokenizer is not to be had")
        return provider.critic(m, *more)

    monkeypatch.setitem(provider.POLICIES, "lost", policy)
    tasks = {
        "recbench": lambda: recbench(kind="explicit", catalog=str(folder)),
        "tau_rec": lambda: tau_rec(condition="mixed", task_set=write_tasks(tmp_path)),
    }
    [log] = inspect_eval(
        tasks[suite](),
        model="scripted/lost",
        display="none",
        max_samples=1,
        epochs=2,
        log_dir=str(tmp_path / "logs"),
    )
    assert log.status == "success"
    samples, results = log.samples or [], log.results
    assert results is not None
    first, counted = results.scores[0], results.scores[-1]
    found = {name: metric.value for name, metric in counted.metrics.items()}
    gone = min(lost, IN_A_ROW)
    left = {"unplayed": len(samples) - gone} if lost > gone else {}
    valid = 0 if left else len(samples) - gone
    assert found == {"planned": len(samples), "valid": valid, "excluded": gone, **left}
    assert math.isnan(first.metrics["share"].value) is (not valid)
    became = [(one.scores or {})["trials"] for one in samples]
    out = [score for score in became if score.answer == "excluded"]
    assert len(out) == gone
    for score in out:
        assert "the tokenizer is not to be had" in str(score.explanation)
        assert (score.metadata or {})["fault"] == "infrastructure"
    told = {(one.scores or {})[first.name].explanation for one in samples}
    assert any("fault of the infrastructure: the tokenizer" in str(why) for why in told)
    if left:
        assert any("given up before this trial: the tokenizer" in str(why) for why in told)
    warned = [one.getMessage() for one in caplog.records if "exclusions" in one.name]
    assert len(warned) == (2 if left else 1)
    assert "counts in no figure" in warned[0]
    assert all("the tokenizer is not to be had" in line for line in warned)
    logged = [
        event.message.message
        for one in samples
        for event in one.events
        if isinstance(event, LoggerEvent)
    ]
    assert any("counts in no figure" in line for line in logged)


def test_an_agents_own_error_is_told_and_counts(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def policy(*_: Any) -> ModelOutput:
        return provider.called("recommend", {"item_id": None}, 1)

    monkeypatch.setitem(provider.POLICIES, "stuck", policy)
    [log] = inspect_eval(
        recbench(kind="explicit", tasks="panel", catalog=str(folder)),
        model="scripted/stuck",
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    [sample, *_] = log.samples or []
    scores = sample.scores or {}
    assert (scores["trials"].answer, scores["ftr"].value) == ("valid", 1.0)
    assert scores["requests"].explanation == "tool_budget"


def test_inspects_own_command_runs_it(folder: Path, tmp_path: Path) -> None:
    shutil.copy(Path(provider.__file__), tmp_path / "scripted_provider.py")
    info = tmp_path / "scripted_provider-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scripted-provider\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[inspect_ai]\nscripted = scripted_provider\n")
    given = f"kind=explicit,demographics interface=bare k=2 trials=2 catalog={folder} history=true"
    command = "-m inspect_ai eval mystery_shopper/recbench --model scripted/critic --limit 2"
    command += " --display plain --log-dir logs"
    command += "".join(f" -T {argument}" for argument in given.split())
    done = subprocess.run(
        [sys.executable, *command.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    for shown in ("requests", "cmr", "precision", "recall", "explicit", "ftr", "planned"):
        assert shown in done.stdout
    [log] = [read_eval_log(info) for info in list_eval_logs(str(tmp_path / "logs"))]
    plan = (log.eval.metadata or {})["plan"]
    assert plan["conditions"] == ["explicit", "demographics"]
    assert (plan["interface"], plan["history"], plan["k"]) == ("bare", True, 2)
    assert len(logged(log)) == 4


def test_what_cannot_be_is_named(folder: Path) -> None:
    with pytest.raises(InputError) as told:
        recbench(kind="loud", interface="psychic", tool_mode="odd", k=-1, catalog=str(folder))
    for name in ("'loud'", "'psychic'", "'odd'", "--k -1"):
        assert name in str(told.value)


@pytest.mark.parametrize(
    ("interface", "tool_mode"),
    [("tools", "native"), ("tools", "json"), ("bare", "native"), ("bare", "json")],
)
def test_one_and_sixteen_in_flight_write_the_same(
    interface: str, tool_mode: str, folder: Path, tmp_path: Path
) -> None:
    plan = plan_over(
        folder, CRITIC, only=(), block="panel", interface=interface, trials=2,
        model=ModelOptions(tool_mode=tool_mode),
    )  # fmt: skip
    one, many = (run(plan, tmp_path / f"r{number}", number) for number in (1, 16))
    assert one.trials_file.read_bytes() == many.trials_file.read_bytes()
    trials = list(one.trials())
    assert len(trials) == plan.count
    assert {trial.score.ending for trial in trials} == {Ending.FINISHED}
    assert {trial.requested.calls for trial in trials} == {interface == "tools"}
    picks = [pick for trial in trials for pick in trial.requested.picks]
    assert {pick.found for pick in picks} >= ({"known"} if interface == "tools" else {"unknown"})
    assert replay(one).difference is None


def test_a_bare_model_in_json_mode_is_told_of_no_call(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, object]] = []

    def policy(m: Sequence[ChatMessage], _: Sequence[ToolInfo], config: Any) -> ModelOutput:
        asked.append((m[0].text, config.response_schema))
        return provider.said('{"recommendations": [{"title": "Heat"}]}')

    monkeypatch.setitem(provider.POLICIES, "bare", policy)
    plan = plan_over(
        folder, "model:scripted/bare", interface="bare", model=ModelOptions(tool_mode="json")
    )
    trials = list(run(plan, tmp_path / "run").trials())
    assert all('{"call"' not in told and shape is None for told, shape in asked)
    assert {pick.text for trial in trials for pick in trial.requested.picks} == {"Heat"}


def test_the_answer_may_stand_in_json_modes_own_object(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = {"recommendations": [{"title": "Heat"}], "concerns": []}
    said = iter([answer, {"say": answer}, {"say": json.dumps(answer)}] * 4)
    policy = lambda *_: provider.said(json.dumps(next(said)))  # noqa: E731
    monkeypatch.setitem(provider.POLICIES, "either", policy)
    plan = plan_over(folder, "model:scripted/either", model=ModelOptions(tool_mode="json"))
    trials = list(run(plan, tmp_path / "run", 1).trials())
    assert {tuple(p.text for p in trial.requested.picks) for trial in trials} == {("Heat",)}
    assert not any(events_of(trial.transcript, ToolCalled) for trial in trials)


def test_a_run_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    plan = plan_over(folder, CRITIC, trials=2)
    keys = [planned.key for planned in plan.planned()]
    parts, whole = tmp_path / "parts", tmp_path / "whole"
    run(plan, parts, only=set(keys[1::3]))
    assert len(list(RunFolder(parts).trials())) == len(keys[1::3])
    run(plan, parts)
    assert RunFolder(parts).trials_file.read_bytes() == run(plan, whole).trials_file.read_bytes()


def test_a_model_sees_the_request_and_the_suites_tools(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[list[str], list[str]]] = []

    def policy(m: Sequence[ChatMessage], tools: Sequence[ToolInfo], _: Any) -> ModelOutput:
        seen.append(([one.text for one in m], [tool.name for tool in tools]))
        if len(m) == 2 and tools:
            return provider.called("get_history", {}, 1)
        return provider.said("Nothing.")

    monkeypatch.setitem(provider.POLICIES, "looks", policy)
    [task] = [one for one in queries().by_id if one.startswith("implicit-1")][:1]
    plan = plan_over(folder, "model:scripted/looks", only=(task,), history=True)
    [trial] = run(plan, tmp_path / "run").trials()
    (first, tools), (second, _) = seen
    scene = scene_of(plan)
    assert tools == ["search", "get_metadata", "get_history"]
    assert queries().by_id[task].text in first[1]
    assert all(item in second[-1] for item in scene.history(task))
    assert [said.text for said in events_of(trial.transcript, AgentSaid)] == ["Nothing."]
    assert trial.requested.refused
