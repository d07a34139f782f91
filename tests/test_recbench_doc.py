"""Every command of docs/recbench.md, in order, in an empty folder."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from mystery_shopper.suites.recbench.query import Kind
from mystery_shopper.suites.recbench.reference import AGENTS

DOC = Path(__file__).parents[1] / "docs" / "recbench.md"
TEXT = DOC.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_commands_work_when_pasted(tmp_path: Path) -> None:
    blocks = re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) >= 11
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
    for page in ("both.html", "shop.html"):
        assert "graph" in (tmp_path / page).read_text(encoding="utf-8")


def test_the_page_names_every_kind_and_every_agent() -> None:
    for kind in Kind:
        assert f"| {kind.value} |" in TEXT
    for name in AGENTS:
        assert f"`{name}`" in TEXT
