"""`bundle`, `verify` and `cite` as a person types them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mystery_shopper.cli import main
from mystery_shopper.dialogue import CallTools, Say, ToolCall
from mystery_shopper.testing import ScriptedAgent

from ..engine.bundling.helpers import edited, in_trial, played
from ..engine.helpers import write_tasks


class Result(NamedTuple):
    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def invoke(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["mystery-shopper", *map(str, arguments)])
        code: Any = 0
        try:
            main.run()
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return invoke


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("tasks"))


def test_bundle_verify_and_cite(run: Run, task_file: str, tmp_path: Path) -> None:
    played(tmp_path / "oracle", task_file)
    made = run("bundle", "oracle", "--out", "x.zip")
    assert made.code == 0
    size = (tmp_path / "x.zip").stat().st_size
    assert made.out == f"x.zip: 1 run, 9 trials, 9 files, {size:,} bytes\n"
    checked = run("verify", "x.zip")
    assert checked.code == 0
    assert checked.out.splitlines()[-1] == "x.zip verifies"
    assert "oracle: 9 trials, " in checked.out
    cited = run("cite", "oracle")
    assert cited.code == 0
    assert cited.out.startswith("@software{mystery_shopper,")
    assert "9 planned, 9 valid, 0 excluded" in cited.out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["oracle", "x.zip"]


def test_a_forgery_exits_with_1_and_is_named(run: Run, task_file: str, tmp_path: Path) -> None:
    played(tmp_path / "oracle", task_file)
    run("bundle", "oracle", "--out", "x.zip")

    def change(value: Any) -> None:
        value["score"]["success"] = False

    trials = "runs/oracle/trials.jsonl"
    edited(tmp_path / "x.zip", tmp_path / "y.zip", {trials: in_trial("f001-mixed#0", change)})
    found = run("verify", "y.zip")
    assert found.code == 1
    assert "y.zip does not verify: 3 problems" in found.out
    line = f"  - {trials}, f001-mixed#0, score.success: recorded False, recomputed True"
    assert line in found.out.splitlines()


def test_a_floating_model_is_warned_of_and_then_found(
    run: Run, task_file: str, tmp_path: Path
) -> None:
    played(tmp_path / "m", task_file, changes={"agent": "model:openai/gpt-5-mini"})
    made = run("bundle", "m", "--out", "x.zip")
    assert made.code == 0
    assert "nothing pins the agent's model openai/gpt-5-mini of m" in made.err
    found = run("verify", "x.zip")
    assert found.code == 1
    assert "'openai/gpt-5-mini' is a floating name" in found.out
    (tmp_path / "w.gguf").write_bytes(b"GGUF")
    assert run("bundle", "m", "--out", "x.zip", "--weights", "agent=w.gguf").err.strip() == ""
    assert "pinned by the weights, sha256:" in run("verify", "x.zip").out


def test_redact_counts_what_it_took(run: Run, task_file: str, tmp_path: Path) -> None:
    acts = [
        Say("Mail me: bob@example.com. Which country?"),
        CallTools((ToolCall("recommend", {"item_id": None}),)),
    ]
    played(tmp_path / "m", task_file, by=lambda *_: ScriptedAgent(acts))
    made = run("bundle", "m", "--out", "x.zip", "--redact")
    assert made.out.splitlines()[1] == "redacted: 9 email"
    found = run("verify", "x.zip")
    assert found.code == 0
    assert "redacted: 9 places of the texts" in found.out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("verify", "none.zip"), "cannot be read"),
        (("verify",), "Missing argument"),
        (("bundle", "none", "--out", "x.zip"), "there is no run.json"),
        (("bundle", "none"), "Missing option '--out'"),
        (("bundle", "oracle", "--out", "x.zip", "--weights", "w"), "names no party's file"),
        (("bundle", "oracle", "--out", "."), "is a folder"),
        (("cite", "none"), "there is no run.json"),
    ],
)
def test_misuse_exits_with_2(
    arguments: tuple[str, ...], expected: str, run: Run, task_file: str, tmp_path: Path
) -> None:
    played(tmp_path / "oracle", task_file, only=["f001-mixed"])
    done = run(*arguments)
    assert done.code == 2
    assert expected in done.err


def test_what_is_no_bundle_does_not_verify(run: Run, tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_bytes(b"something else")
    done = run("verify", "x.zip")
    assert done.code == 1
    assert "it is damaged, or no bundle" in done.out
