"""Every command of docs/recbench.md, in order, in an empty folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.suites.recbench.desk import MOST_HITS
from mystery_shopper.suites.recbench.query import Kind
from mystery_shopper.suites.recbench.reference import AGENTS

from .pasted import commands_in, paste

DOC = Path(__file__).parents[1] / "docs" / "recbench.md"
TEXT = DOC.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_commands_work_when_pasted(tmp_path: Path) -> None:
    lines = commands_in(TEXT)
    assert len(lines) >= 11
    for line in lines:
        paste(line, tmp_path)
    for page in ("both.html", "shop.html"):
        assert "graph" in (tmp_path / page).read_text(encoding="utf-8")


def test_the_page_tells_how_many_items_keywords_find() -> None:
    assert f"the best {MOST_HITS:,} items at most" in TEXT


def test_the_page_names_every_kind_and_every_agent() -> None:
    for kind in Kind:
        assert f"| {kind.value} |" in TEXT
    for name in AGENTS:
        assert f"`{name}`" in TEXT
