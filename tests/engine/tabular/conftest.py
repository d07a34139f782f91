from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep

TASKS = ("f001-volunteer", "f001-mixed", "f001-hidden", "f002-hidden", "f010-mixed")


def play(path: Path) -> RunFolder:
    """Ten trials over the shipped tasks."""
    folder = RunFolder(path)
    sweep(make_plan(Wishes(agent="popularity", only=TASKS, trials=2)), folder)
    return folder


@pytest.fixture(scope="session")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    return play(tmp_path_factory.mktemp("tables") / "popularity")


@pytest.fixture(scope="session")
def again(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """The same run, played again."""
    return play(tmp_path_factory.mktemp("tables") / "popularity")
