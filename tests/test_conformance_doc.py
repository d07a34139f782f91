"""The page on the conformance kit: its example is a test file that passes as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[1] / "docs" / "conformance.md").read_text(encoding="utf-8")


def run(tmp_path: Path, text: str) -> subprocess.CompletedProcess[str]:
    (tmp_path / "test_my_agent.py").write_text(text, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_my_agent.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_example_runs_and_passes(tmp_path: Path) -> None:
    agent, films = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    done = run(tmp_path, f"{agent}\n\n{films}")
    assert "18 passed" in done.stdout, done.stdout
    broken = agent.replace('{"item_id": None}', '{"item_id": {1}}')
    assert broken != agent
    done = run(tmp_path, broken)
    assert done.returncode == 1
    assert "the arguments of 'recommend' are not JSON" in done.stdout
