"""Every page of the project: its links lead somewhere, and the commands it names exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mystery_shopper.cli import main

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
FENCED = re.compile(r"^(```.*?^```|`[^`\n]*`)", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s]+)\)")
COMMAND = re.compile(r"mystery-shopper ([a-z][a-z-]+)\b")


def slug(heading: str) -> str:
    """The anchor of a heading, as code forges make it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    for target in LINK.findall(text):
        path, _, anchor = target.partition("#")
        there = page if not path else (page.parent / path).resolve()
        assert there.exists(), f"{page.name}: {target}"
        if anchor and there.suffix == ".md":
            headings = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in map(slug, headings), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_that_a_page_names_exists(page: Path) -> None:
    commands = {
        found.name or (found.callback.__name__ if found.callback else "")
        for found in main.app.registered_commands
    } | {group.name for group in main.app.registered_groups}
    named = set(COMMAND.findall(page.read_text(encoding="utf-8")))
    assert named <= commands, named - commands


def test_the_readme_names_every_page() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    linked = {(ROOT / target.partition("#")[0]).resolve() for target in LINK.findall(text)}
    from_agents = LINK.findall((ROOT / "docs" / "agents.md").read_text(encoding="utf-8"))
    linked |= {(ROOT / "docs" / target.partition("#")[0]).resolve() for target in from_agents}
    missing = {page for page in (ROOT / "docs").glob("*.md") if page.resolve() not in linked}
    assert not missing
