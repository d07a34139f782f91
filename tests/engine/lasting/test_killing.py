"""A run that is killed again and again ends as one that was left alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks
from . import provider

assert provider


def test_a_run_killed_at_random_moments_loses_no_finished_trial(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path)
    script = Path(__file__).with_name("killing.py")
    done = subprocess.run(
        [sys.executable, str(script), tasks, str(tmp_path / "killed"), "5", "30"],
        capture_output=True,
        text=True,
        check=False,
        timeout=400,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    killed, counts = map(int, done.stdout.split())
    plan = plan_of(tasks, agent="model:scripted/shopkeeper", trials=12)
    quiet = RunFolder(tmp_path / "quiet")
    model = open_model(plan)
    run_lasting(plan, quiet, casting_of(plan, model), model=model)
    broken = RunFolder(tmp_path / "killed")
    assert broken.trials_file.read_bytes() == quiet.trials_file.read_bytes()
    assert killed == 30
    assert counts == 30
