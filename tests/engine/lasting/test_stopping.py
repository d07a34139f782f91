"""Runs that stop before their end: by a person, or since what they need is not there."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import Fault
from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.plan import ModelOptions, UserOptions
from mystery_shopper.foundation import InputError, RunStopped

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

import anyio
from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, read_eval_log_samples
from inspect_ai.model import ModelOutput, get_model

from mystery_shopper.engine.lasting import lines, reaching, run_through_inspect
from mystery_shopper.engine.lasting import run as lasting_run
from mystery_shopper.engine.lasting.outage import bounded, is_no_connection
from mystery_shopper.engine.lasting.providers import PAGE, cannot_be_opened, plain
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks
from . import provider
from .provider import POLICIES
from .test_http import ABSTAIN, answer, server

assert provider
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("stopping"))


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address on which nobody listens, and nobody else will."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


def run(*arguments: object, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "mystery_shopper", "run", "tau_rec", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell may have begun us in the background, where Ctrl-C is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL) and None,
        **more,
    )


@posix
def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(
    task_file: str, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    slow = True

    def serve(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.3 if slow else 0)
        answer(handler, ABSTAIN)

    with server(serve) as address:
        command = ("--agent", address, "--task-set", task_file, "--trials", 4, "--max-samples", 2)
        process = run(*command, "--out", out)
        while not (out / "finished.jsonl").exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        told, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        assert "Written to" not in told
        assert "The same command goes on" in err
        assert "Traceback" not in err
        kept = [trial.key for trial in RunFolder(out).trials()]
        assert 1 <= len(kept) < 36
        (log,) = list_eval_logs(str(out / "logs"))
        whole = read_eval_log(log)
        assert set(kept) <= set(map(str, whole.eval.dataset.sample_ids or []))
        found = read_eval_log_samples(log, all_samples_required=False)
        assert {one.id for one in found} == {one.id for one in whole.samples or []}
        slow = False
        plan = plan_of(task_file, agent=address, trials=4)
        played = run_through_inspect(plan, RunFolder(out), Bounds(max_samples=2), lambda _: None)
        assert played == 36 - len(kept)
    trials = list(RunFolder(out).trials())
    assert len(trials) == 36
    assert {trial.fault for trial in trials} == {None}
    assert set(kept) < {trial.key for trial in trials}


@pytest.mark.parametrize("who", ["http", "model", "user", "deployed"])
def test_a_server_that_is_not_there_stops_the_run_before_it_begins(
    who: str, task_file: str, tmp_path: Path, nobody: str
) -> None:
    file = tmp_path / "agent.yaml"
    file.write_text(
        f"address: {nobody}/api\nsay: {{path: /a, body: '{{text}}'}}\n"
        "answer: {text: a, choice: b}\n",
        encoding="utf-8",
    )
    options, wishes = {
        "http": ("--agent", {"agent": f"{nobody}/act?key=secret"}),
        "model": (
            "--base-url",
            {"agent": "model:scripted/shopkeeper", "model": ModelOptions(base_url=f"{nobody}/v1")},
        ),
        "user": (
            "--user-base-url",
            {
                "agent": "oracle",
                "user": "model:scripted/shopkeeper",
                "user_options": UserOptions(base_url=f"{nobody}/v1"),
            },
        ),
        "deployed": (f"--agent {file}", {"agent": str(file)}),
    }[who]
    plan = plan_of(task_file, **wishes)
    folder = RunFolder(tmp_path / "run")
    started = time.monotonic()
    with pytest.raises(RunStopped) as stopped:
        run_through_inspect(plan, folder, Bounds(), lambda _: None)
    assert time.monotonic() - started < 5
    told = str(stopped.value)
    assert f"{options} cannot be reached: nothing answers at {nobody} (Connection refused)" in told
    assert "Start the server.\n0 of 9 trials are done. The same command goes on." in told
    assert "secret" not in told
    assert list(folder.trials()) == []


def test_an_interrupt_after_the_last_trial_stops_nothing(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped_late(*arguments: Any, **more: Any) -> list[EvalLog]:
        logs = inspect_eval(*arguments, **more)
        for log in logs:
            log.status = "cancelled"
        return logs

    monkeypatch.setattr(lasting_run, "inspect_eval", stopped_late)
    plan = plan_of(task_file, agent="model:scripted/shopkeeper", conditions=("mixed",))
    model = lines.open_model(plan)
    folder = RunFolder(tmp_path / "run")
    assert run_lasting(plan, folder, lines.casting_of(plan, model), model=model) == plan.count
    assert len(list(folder.trials())) == plan.count


def test_a_finished_run_asks_nobody(task_file: str, tmp_path: Path) -> None:
    with server(lambda h: answer(h, ABSTAIN)) as address:
        plan = plan_of(task_file, agent=address)
        folder = RunFolder(tmp_path / "run")
        assert run_through_inspect(plan, folder, Bounds(), lambda _: None) == 9
    assert run_through_inspect(plan, folder, Bounds(), lambda _: None) == 0


def test_who_cannot_be_asked_is_left_to_the_run(
    task_file: str, monkeypatch: pytest.MonkeyPatch, nobody: str
) -> None:
    plan = plan_of(task_file, agent=f"{nobody}/act")
    assert nobody in reaching.nobody_there(plan)
    monkeypatch.setattr(reaching, "getproxies", lambda: {"http": "http://proxy"})
    through = [False, True]
    monkeypatch.setattr(reaching, "proxy_bypass", lambda _host: through.pop(0))  # pyright: ignore[reportUnknownLambdaType]
    assert reaching.nobody_there(plan) == ""  # Only the proxy knows.
    assert nobody in reaching.nobody_there(plan)
    assert reaching.nobody_there(plan_of(task_file, agent="oracle")) == ""


class _Away(Exception):
    """As a provider's client raises it: a class of its own, about another's."""


def test_what_is_no_connection() -> None:
    class APIConnectionError(Exception):
        pass

    class RateLimitError(Exception):
        status_code = 429

    wrapped = _Away("x")
    wrapped.__cause__ = ConnectionRefusedError()
    limited = RateLimitError("slow down")
    limited.__cause__ = ConnectionError()
    yes = [ConnectionRefusedError(), APIConnectionError(), wrapped, socket.gaierror()]
    assert [is_no_connection(error) for error in yes] == [True] * 4
    assert [is_no_connection(error) for error in (limited, ValueError(), _Away())] == [False] * 3


def test_a_model_that_is_away_is_given_up_in_time_and_a_rate_limit_is_not() -> None:
    """The seconds run from the first call that did not connect, until one does."""

    class RateLimitError(Exception):
        status_code = 429

    now, errors = 0.0, list[Exception | None]()
    told: list[str] = []

    def policy(*_: object) -> ModelOutput:
        error = errors.pop(0)
        if error is not None:
            raise error
        return provider.said("Hello")

    POLICIES["coming"] = policy
    model = bounded(
        get_model("scripted/coming", memoize=False), seconds=30, clock=lambda: now, tell=told.append
    )

    def ask(at: float, error: Exception | None) -> str:
        nonlocal now
        now = at
        errors.append(error)
        try:
            anyio.run(model.generate, "Hello")
        except Exception as raised:
            return type(raised).__name__
        return "answered"

    away = ConnectionRefusedError("nobody")
    assert ask(0, away) == ask(29, away) == "ConnectionRefusedError"
    assert ask(30, away) == "InfrastructureFault"
    assert ask(31, None) == "answered"
    assert ask(100, away) == ask(129, away) == "ConnectionRefusedError"
    assert ask(135, RateLimitError()) == ask(500, RateLimitError()) == "RateLimitError"
    assert ask(600, away) == "ConnectionRefusedError"
    begins = "coming: no connection (ConnectionRefusedError: nobody); trying for 30 s."
    assert told == [begins] * 3


def down(*_: object) -> ModelOutput:
    raise ConnectionError("nobody answers")


def test_a_short_run_that_lost_every_trial_has_stopped(task_file: str, tmp_path: Path) -> None:
    POLICIES["short"] = down
    plan = plan_of(task_file, agent="model:scripted/short", only=["f001-mixed", "f002-mixed"])
    model = lines.open_model(plan)
    folder = RunFolder(tmp_path / "run")

    def play() -> int:
        return run_lasting(plan, folder, lines.casting_of(plan, model), model=model)

    for _ in range(2):
        with pytest.raises(RunStopped, match=r"(?s)nobody answers.*0 of 2 trials are done"):
            play()
        assert list(folder.trials()) == []
    POLICIES["short"] = provider.shopkeeper
    assert play() == 2
    assert {trial.fault for trial in folder.trials()} == {None}


def test_where_others_were_finished_a_lost_trial_is_kept_as_excluded(
    task_file: str, tmp_path: Path
) -> None:
    def policy(messages: Any, tools: Any, config: Any) -> ModelOutput:
        if "Horror" in messages[1].text:
            down()
        return provider.shopkeeper(messages, tools, config)

    POLICIES["partly"] = policy
    plan = plan_of(task_file, agent="model:scripted/partly", only=["f001-mixed", "f002-mixed"])
    model = lines.open_model(plan)
    folder = RunFolder(tmp_path / "run")
    assert run_lasting(plan, folder, lines.casting_of(plan, model), model=model) == 2
    faults = {trial.task: trial.fault for trial in folder.trials()}
    assert faults == {"f001-mixed": Fault.INFRASTRUCTURE, "f002-mixed": None}


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 405])
def test_a_wrong_door_ends_the_run_at_the_first_answer(
    status: int, task_file: str, tmp_path: Path
) -> None:
    asked: list[int] = []

    def serve(handler: BaseHTTPRequestHandler) -> None:
        asked.append(status)
        answer(handler, b'{"detail": "not here"}', status)

    with server(serve) as address:
        plan = plan_of(task_file, agent=address, trials=4)
        folder = RunFolder(tmp_path / "run")
        with pytest.raises(InputError) as wrong:
            run_through_inspect(plan, folder, Bounds(max_samples=3), lambda _: None)
    told = str(wrong.value)
    assert f"{address} answered {status}" in told
    assert ("not here" in told) or status == 301
    assert len(asked) <= 3
    assert list(folder.trials()) == []


@pytest.mark.parametrize("status", [404, 500])
def test_later_refusals_and_a_broken_server_are_the_agents_fault(
    status: int, task_file: str, tmp_path: Path
) -> None:
    asked: list[int] = []

    def serve(handler: BaseHTTPRequestHandler) -> None:
        asked.append(status)
        first = len(asked) == 1 and status == 404
        answer(handler, ABSTAIN if first else b"no", 200 if first else status)

    with server(serve) as address:
        plan = plan_of(task_file, agent=address, conditions=("mixed",))
        folder = RunFolder(tmp_path / "run")
        run_through_inspect(plan, folder, Bounds(max_samples=1), lambda _: None)
    faults = [trial.fault for trial in folder.trials()]
    assert sorted(map(str, faults)) == sorted(
        map(str, [None if status == 404 else Fault.AGENT, Fault.AGENT, Fault.AGENT])
    )


def test_a_providers_error_is_told_without_marks_and_with_the_remedy() -> None:
    marked = (
        "[bold]ERROR[/bold]: No [bold][blue]OPENAI_API_KEY[/blue][/bold], OTHER_API_KEY in "
        "sight; or pip install 'x[models]' a[0]"
    )
    assert plain(marked) == (
        "ERROR: No OPENAI_API_KEY, OTHER_API_KEY in sight; or pip install 'x[models]' a[0]"
    )
    told = cannot_be_opened(RuntimeError(marked), "--agent model:openai/x")
    assert told.where == "--agent model:openai/x"
    assert told.remedy is not None
    assert PAGE in told.remedy
    assert told.remedy.endswith("\n  export OPENAI_API_KEY=…")
    assert "OTHER" not in told.remedy


def test_inspects_own_error_of_a_missing_key(
    task_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("openai", reason="needs a provider's package")
    monkeypatch.delenv("LOCAL_API_KEY", raising=False)
    with pytest.raises(InputError) as wrong:
        lines.open_model(plan_of(task_file, agent="model:openai-api/local/x"))
    told = str(wrong.value)
    assert "[" not in told
    assert "export LOCAL_API_KEY=…" in told
