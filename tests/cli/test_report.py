"""`report --format` and `report --protocol` as a person types them."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from mystery_shopper.cli import main
from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep

Shop = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shop:
    """Runs the command in this process."""

    def invoke(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["mystery-shopper", *map(str, arguments)])
        code: Any = 0
        try:
            main.run()
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return invoke


def play(path: Path, **wishes: Any) -> Path:
    sweep(make_plan(Wishes(**wishes)), RunFolder(path))
    return path


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few tasks of the films, none of which is the panel's whole."""
    only = ("f001-mixed", "f002-hidden", "f002-volunteer")
    path = tmp_path_factory.mktemp("runs") / "mine"
    return play(path, agent="no-ask", only=only, trials=2)


@pytest.mark.parametrize(
    ("format", "name"),
    [
        ("html", "report.html"),
        ("md", "report.md"),
        ("json", "report.json"),
        ("latex", "report.tex"),
        ("csv", "report-csv"),
        ("parquet", "report-parquet"),
    ],
)
def test_each_format_goes_into_the_runs_folder(
    shop: Shop, run: Path, format: str, name: str
) -> None:
    code, told, _ = shop("report", run, "--format", format)
    assert code == 0
    assert told.endswith(f"\nReport: {run / name}\n")
    assert "Success (pass^1)" in told
    assert (run / name).exists()
    assert shop("report", run, "--format", format)[0] == 0
    assert RunFolder(run).plan().agent == "no-ask"


def test_a_persons_own_metric_stands_in_every_format(
    shop: Shop, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine_for_formats.py").write_text(
        "class Turns:\n    name = 'turns'\n"
        "    def measure(self, trial, task):\n        return 1.25\n",
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    asked = ("--metric", "mine_for_formats:Turns")
    code, told, _ = shop("report", run, *asked, "--format", "csv", "--out", "out")
    assert code == 0
    assert "turns: " in told
    text = (tmp_path / "out" / "own-metrics.csv").read_text(encoding="utf-8")
    head, first, *_ = text.splitlines()
    assert head.startswith("agent,metric,condition,mean,")
    assert ",turns,volunteer,1.25," in first
    code, _, _ = shop(
        "report", run, *asked, "--protocol", "paper", "--format", "json", "--out", "p.json"
    )
    assert code == 1
    names = [table["id"] for table in json.loads((tmp_path / "p.json").read_bytes())["tables"]]
    assert names[0] == "what-the-paper-asks"
    assert names[-1] == "own-metrics"


def test_misuse_is_told_and_nothing_written(shop: Shop, run: Path, tmp_path: Path) -> None:
    assert shop("report", run, "--format", "xls")[::2] == (
        2,
        "error: --format: there is no format 'xls'\n"
        "Use one of: html, md, json, latex, csv, parquet.\n",
    )
    code, _, err = shop("report", run, "--protocol", "mine")
    assert code == 2
    assert "there is no protocol 'mine'" in err
    mine = tmp_path / "notes.md"
    mine.write_text("mine", encoding="utf-8")
    code, _, err = shop("report", run, "--format", "md", "--out", mine)
    assert code == 2
    assert "nothing was written" in err
    assert mine.read_text(encoding="utf-8") == "mine"
    code, _, err = shop("report", run, "--format", "csv", "--out", run)
    assert code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.md"]


def test_the_protocol_prints_and_writes_only_what_was_asked_for(
    shop: Shop, run: Path, tmp_path: Path
) -> None:
    before = sorted(path.name for path in run.iterdir())
    code, told, err = shop("report", run, "--protocol", "paper")
    assert code == 1
    assert err == ""
    assert "no-ask: not what the paper asks" in told
    assert "Report:" not in told
    assert sorted(path.name for path in run.iterdir()) == before
    page = tmp_path / "page.html"
    code, told, _ = shop("report", run, "--protocol", "paper", "--out", page)
    assert code == 1
    assert told.endswith(f"\nReport: {page}\n")
    assert page.read_bytes().startswith(b"<!doctype html>")
    folder = tmp_path / "tables"
    code, _, _ = shop("report", run, "--protocol", "paper", "--format", "parquet", "--out", folder)
    assert code == 1
    path = folder / "pass-1-and-pass-4-by-condition.parquet"
    found = duckdb.sql(f"SELECT DISTINCT source FROM '{path}' ORDER BY 1")
    assert found is not None
    assert found.fetchall() == [("paper",), ("runs",)]


def test_the_printed_commands_make_the_protocol_hold(shop: Shop, tmp_path: Path) -> None:
    """Begun with one trial of one condition, and done by pasting what is printed."""
    play(tmp_path / "begun", agent="null", block="panel", conditions=("volunteer",))
    code, told, _ = shop("report", tmp_path / "begun", "--protocol", "paper")
    assert code == 1
    commands = [line.strip() for line in told.splitlines() if "mystery-shopper run" in line]
    assert len(commands) == 3
    for command in commands:
        assert shop(*shlex.split(command)[1:], "--workers", "1")[0] == 0
    code, told, _ = shop("report", *sorted(tmp_path.iterdir()), "--protocol", "paper")
    assert code == 0
    assert "null: what the paper asks" in told
    assert told.count("612 planned, 612 valid, 0 excluded") == 2
