"""`run --user` as a person types it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.cli import main
from mystery_shopper.engine import RunFolder

CUSTOMER = """
class Chatty:
    def __init__(self, task, catalogue):
        self.task = task

    def open(self):
        return "Hello."

    def hear(self, text):
        return " ".join(str(one.predicate.value) for one in self.task.requirements)
"""


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["mystery-shopper", *map(str, arguments)])
    code: Any = 0
    try:
        main.run()
    except SystemExit as stop:
        code = stop.code or 0
    return int(code)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chatty_customer.py").write_text(CUSTOMER, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))


BASE = ("run", "tau_rec", "--agent", "popularity", "--task", "f001-hidden", "--workers", 1)


@pytest.mark.parametrize("enforced", [True, False])
def test_a_customer_of_ones_own(
    enforced: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    flag = "--enforce-disclosure" if enforced else "--no-enforce-disclosure"
    told = (*BASE, "--user", "chatty_customer:Chatty", flag, "--out", "own")
    assert run(monkeypatch, *told) == 0
    out = capsys.readouterr().out
    [trial] = RunFolder(Path("own")).trials()
    assert trial.user == "chatty_customer:Chatty"
    assert trial.score.leaks > 0
    assert (trial.score.leaked == 0) is enforced
    assert (trial.score.stood_in > 0) is enforced
    held = "" if enforced else " (leaks let pass)"
    assert f"user chatty_customer:Chatty{held}" in " ".join(out.split())
    assert f"user: {trial.score.leaks} leaks" in out
    assert run(monkeypatch, "replay", "own") == 0
    assert run(monkeypatch, "report", "own", "--out", "page.html") == 0
    page = Path("page.html").read_text(encoding="utf-8")
    assert "What the user gave away" in page


def test_the_usual_customer_is_not_told_of(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, *BASE, "--out", "usual") == 0
    assert " leaks" not in capsys.readouterr().out
    text = (Path("usual") / "trials.jsonl").read_text(encoding="utf-8")
    for name in ("leaks", "leaked", "withheld", "stood_in", "drafts"):
        assert f'"{name}"' not in text
    assert "user_options" not in (Path("usual") / "run.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--user", "nobody"), "--user 'nobody' is unknown"),
        (("--no-enforce-disclosure",), "words its replies by code"),
        (("--user-temperature", 1), "words its replies by code"),
        (("--user", "chatty_customer:Chatty", "--voice-persona"), "is no model"),
    ],
)
def test_what_does_not_go_together(
    options: tuple[object, ...],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(monkeypatch, *BASE, *options, "--out", "bad") == 2
    assert told in " ".join(capsys.readouterr().err.split())
    assert not Path("bad").exists()
