"""The examples run as their first lines say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_an_own_agent_runs_from_its_folder(tmp_path: Path) -> None:
    command = "run tau_rec --agent own_agent:AsksOnce --tasks reliability --trials 1 --workers 1"
    out = tmp_path / "mine"
    done = subprocess.run(
        [sys.executable, "-m", "mystery_shopper", *command.split(), "--out", str(out)],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (out / "trials.jsonl").read_bytes().count(b'"ending":"recommended"') == 54
