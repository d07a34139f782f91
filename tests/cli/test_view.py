"""`mystery-shopper view` as a person types it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import msgspec
import pytest

from mystery_shopper.cli import main, view
from mystery_shopper.report.viewing import Viewer, open_viewer

from ..report.factory import make_folder, make_plan, make_task_set, make_trials

TASKS = make_task_set(3)
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


def run_folder(path: Path) -> Path:
    plan = make_plan(TASKS)
    return make_folder(path / "run", plan, make_trials(TASKS, plan)).path


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_where_it_is_serves_and_ends_cleanly(tmp_path: Path, number: int) -> None:
    run = run_folder(tmp_path)
    before = {path: path.read_bytes() for path in run.iterdir()}
    command = [sys.executable, "-m", "mystery_shopper", "view", str(run.parent), "--no-open"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=os.environ | {"NO_PROXY": "*"},
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()
        assert url.startswith("http://127.0.0.1:")
        with urllib.request.urlopen(f"{url}api/runs", timeout=10) as answer:
            runs = msgspec.json.decode(answer.read())["runs"]
        assert [(one["name"], one["done"]) for one in runs] == [("run", 9)]
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (0, "")
    assert err == "Ctrl-C ends it.\n"
    assert {path: path.read_bytes() for path in run.iterdir()} == before


def test_it_opens_the_page_unless_told_not_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    seen = threading.Event()

    def open_page(url: str) -> None:
        opened.append(url)
        seen.set()

    def interrupted(_: Viewer) -> None:
        seen.wait(5)
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", open_page)
    monkeypatch.setattr(Viewer, "serve_forever", interrupted)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    run = run_folder(tmp_path)
    view.view([run], 0, True)
    url = capsys.readouterr().out.strip()
    assert opened == [url]
    view.view([run], 0, False)
    assert opened == [url]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "nowhere is no folder"),
        (["."], "no run here or below"),
        (["run", "--port", "70000"], "65535"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    told: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["mystery-shopper", "view", *arguments])
    with pytest.raises(SystemExit) as left:
        main.run()
    assert left.value.code == 2
    assert told in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_folder(tmp_path)
    with open_viewer([run]) as first:
        port = str(first.server_port)
        monkeypatch.setattr(sys, "argv", ["mystery-shopper", "view", str(run), "--port", port])
        with pytest.raises(SystemExit) as left:
            main.run()
    assert left.value.code == 2
    assert f"port {port} cannot be had" in capsys.readouterr().err
