"""The wheel alone, in an empty environment and far from the clone, runs the demo."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]


def _run(*command: str | Path, cwd: Path) -> str:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_runs_the_demo(tmp_path: Path) -> None:
    built = tmp_path / "wheel"
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", built)
    _run(*build, REPOSITORY, cwd=tmp_path)
    (wheel,) = built.glob("*.whl")
    environment = tmp_path / "env"
    venv.create(environment, with_pip=True)
    scripts = environment / ("Scripts" if os.name == "nt" else "bin")
    _run(scripts / "python", "-m", "pip", "install", "--quiet", wheel, cwd=tmp_path)
    shown = _run(scripts / "mystery-shopper", "demo", cwd=tmp_path)
    assert "eliminating" in shown
    page = tmp_path / "runs" / "demo" / "report.html"
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    trials = (tmp_path / "runs" / "demo" / "popularity" / "trials.jsonl").read_bytes()
    assert trials.count(b"\n") == 450
