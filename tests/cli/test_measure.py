"""`mystery-shopper measure` as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mystery_shopper.cli import main

BAD = """
name: lamps
noun: {singular: lamp, plural: lamps}
title: title
fields:
  title: {kind: text}
  f0: {kind: category, requirement: true, label: the}
"""


def typed(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of the command."""
    monkeypatch.setattr("sys.argv", ["mystery-shopper", "measure", "asks", *arguments])
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit) as left:
        main.run()
    return int(left.value.code or 0)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    path = tmp_path / "lamps.yaml"
    path.write_text(BAD, encoding="utf-8")
    return str(path)


def test_a_probe_fits_eighty_columns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("--probe", "shop", "--no-misses", monkeypatch=monkeypatch) == 0
    out = capsys.readouterr().out
    assert max(map(len, out.splitlines())) <= 80
    assert "Probe of shop" in out
    assert "second_hand" in out


def test_only_strict_minds_what_was_misread(
    bad: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("--probe", bad, monkeypatch=monkeypatch) == 0
    assert "MUTE f0" in capsys.readouterr().out
    assert typed("--probe", bad, "--strict", monkeypatch=monkeypatch) == 1
    capsys.readouterr()
    assert typed("--probe", bad, "--format", "json", monkeypatch=monkeypatch) == 0
    assert json.loads(capsys.readouterr().out)["mute"] == ["f0"]


def test_a_file_and_a_probe_exclude_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "turns.jsonl"
    row = {"id": "x", "domain": "shop", "text": "Which brand?", "asks": ["brand"]}
    file.write_text(json.dumps(row), encoding="utf-8")
    assert typed(str(file), "--probe", "shop", monkeypatch=monkeypatch) != 0
    assert "exclude each other" in capsys.readouterr().err
    assert typed(monkeypatch=monkeypatch) != 0
    assert "neither" in capsys.readouterr().err
    assert typed(str(file), "--format", "json", monkeypatch=monkeypatch) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["fields"]["recall"] == 1
    assert found["generic"]["recall"] is None


def test_an_unknown_domain_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert typed("--probe", "nowhere", monkeypatch=monkeypatch) != 0
    assert "there is no domain 'nowhere'" in capsys.readouterr().err
