"""Every command of docs/sharing.md, in order, in an empty folder."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from .pasted import commands_in, paste

DOC = Path(__file__).parents[1] / "docs" / "sharing.md"


@pytest.mark.slow
def test_the_commands_work_when_pasted(tmp_path: Path) -> None:
    text = DOC.read_text(encoding="utf-8")
    lines = commands_in(text)
    assert len(lines) == 7
    told: dict[str, str] = {}
    for line in lines:
        told[line] = paste(line, tmp_path)
    assert "results.zip verifies" in told[lines[4]]
    assert "nothing found" in told[lines[3]]
    assert "@software{mystery_shopper," in told[lines[6]]
    with zipfile.ZipFile(tmp_path / "results.zip") as archive:
        names = set(archive.namelist())
    for name in ("manifest.json", "models.json", "lock.txt"):
        assert name in names
        assert f"`{name}`" in text
    assert {"runs/no-ask/run.json", "runs/no-ask/trials.jsonl", "runs/no-ask/counts.csv"} <= names
