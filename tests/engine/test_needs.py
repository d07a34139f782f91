"""What the core says where an extra is not installed, and that it imports without any."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting import needs
from mystery_shopper.foundation import InputError

from .helpers import plan_of, write_tasks


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec

    def hidden(name: str, *more: Any) -> Any:
        return None if name in ("inspect_ai", "mcp") else found(name, *more)

    monkeypatch.setattr(needs, "find_spec", hidden)
    plan = plan_of(write_tasks(tmp_path), agent="model:openai/some")
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(InputError, match=r"pip install 'mystery-shopper\[models\]'"):
        needs.run_through_inspect(plan, folder, Bounds(), lambda _: None)
    assert not folder.path.exists()
    with pytest.raises(InputError, match=r"pip install 'mystery-shopper\[mcp\]'"):
        needs.mcp("serve-mcp")


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    script = (
        "import sys, mystery_shopper.cli.main, mystery_shopper.engine, mystery_shopper.report;"
        "print([name for name in ('inspect_ai', 'mcp', 'httpx', 'openai') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
