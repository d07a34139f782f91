"""The command run in this process, for every test of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from rich.console import Console

from mystery_shopper.cli import main


class Result(NamedTuple):
    code: int
    out: str
    err: str


Shop = Callable[..., Result]


@pytest.fixture
def shop(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shop:
    """Runs the command in this process."""

    def invoke(*arguments: object, typed: str = "") -> Result:
        lines = iter(typed.splitlines())

        def read(*_: Any, **__: Any) -> str:
            try:
                return next(lines)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr(Console, "input", read)
        monkeypatch.setattr(sys, "argv", ["mystery-shopper", *map(str, arguments)])
        code: Any = 0
        try:
            main.run()
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return Result(code, out, err)

    return invoke


@pytest.fixture
def command(shop: Shop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """The same from an empty folder."""
    monkeypatch.chdir(tmp_path)
    return shop
