"""Every command of docs/sharing.md, in order, in an empty folder."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

DOC = Path(__file__).parents[1] / "docs" / "sharing.md"


@pytest.mark.slow
def test_the_commands_work_when_pasted(tmp_path: Path) -> None:
    text = DOC.read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) == 7
    told: dict[str, str] = {}
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "mystery-shopper"
        done = subprocess.run(
            [sys.executable, "-m", "mystery_shopper", *words[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        told[line] = done.stdout
    assert "results.zip verifies" in told[lines[4]]
    assert "nothing found" in told[lines[3]]
    assert "@software{mystery_shopper," in told[lines[6]]
    with zipfile.ZipFile(tmp_path / "results.zip") as archive:
        names = set(archive.namelist())
    for name in ("manifest.json", "models.json", "lock.txt"):
        assert name in names
        assert f"`{name}`" in text
    assert {"runs/no-ask/run.json", "runs/no-ask/trials.jsonl", "runs/no-ask/counts.csv"} <= names
