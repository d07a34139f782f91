"""A run that is killed again and again ends as one that was left alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder, RunPlan

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks
from ..requested import plan_over, shop
from . import provider

assert provider


def killed(tasks: str, out: Path, kills: int, *suite: str) -> tuple[int, int]:
    """How many children were killed, and at how many different counts of finished trials."""
    script = Path(__file__).with_name("killing.py")
    done = subprocess.run(
        [sys.executable, str(script), tasks, str(out), "5", str(kills), *suite],
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    number, counts = map(int, done.stdout.split())
    return number, counts


def left_alone(plan: RunPlan, path: Path) -> bytes:
    quiet, model = RunFolder(path), open_model(plan)
    run_lasting(plan, quiet, casting_of(plan, model), model=model)
    return quiet.trials_file.read_bytes()


def test_a_run_killed_at_random_moments_loses_no_finished_trial(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path)
    assert killed(tasks, tmp_path / "killed", 30) == (30, 30)
    plan = plan_of(tasks, agent="model:scripted/shopkeeper", trials=12)
    broken = RunFolder(tmp_path / "killed").trials_file.read_bytes()
    assert broken == left_alone(plan, tmp_path / "quiet")


def test_so_does_a_run_of_requests(tmp_path: Path) -> None:
    folder = shop(tmp_path / "shop")
    assert killed(str(folder), tmp_path / "killed", 8, "recbench") == (8, 8)
    plan = plan_over(folder, "model:scripted/critic", only=(), block="panel", trials=12)
    broken = RunFolder(tmp_path / "killed").trials_file.read_bytes()
    assert broken == left_alone(plan, tmp_path / "quiet")
    assert broken.count(b"\n") == plan.count > 100
