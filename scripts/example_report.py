"""Write `docs/example-report/`: the scripted agents on both interfaces, at three catalogue sizes.

    python scripts/example_report.py            play what is missing under build/example, and write

Two pages: `full.html` over all 150 families, and `panel.html` over the 51 of the panel, where each
agent plays with two prompts and four trials a task, as the paper asks of those who report results.
Both hold fewer trials than a page may, so that they travel lightly; the runs hold them all.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console

from mystery_shopper.engine import RunFolder, Wishes, load_tasks, make_plan, sweep
from mystery_shopper.report import write_report
from mystery_shopper.suites.tau_rec.reference import AGENTS

ROOT = Path(__file__).parents[1]
RUNS = ROOT / "build" / "example"
OUT = ROOT / "docs" / "example-report"
TASKS = "tau_rec/films@1"
SIZES = {"5k": "films:5000", "10k": "films:10000", "all": "films"}
INTERFACES = ("structured", "keyword")
PROMPTS = ("base", "ask-and-verify")
PAGE_BYTES = 3_000_000


def full() -> Iterator[tuple[str, Wishes]]:
    """Every family, one trial a task: scripted agents play each trial alike."""
    for agent in AGENTS:
        for interface in INTERFACES:
            for size, catalog in SIZES.items():
                wishes = Wishes(agent=agent, interface=interface, catalog=catalog)
                yield f"full-{agent}-{interface}-{size}", wishes


def panel() -> Iterator[tuple[str, Wishes]]:
    """The panel, four trials a task: both prompts with the whole catalogue, the base prompt with
    the smaller ones."""
    for agent in AGENTS:
        for interface in INTERFACES:
            for prompt, size in (
                *((one, "all") for one in PROMPTS),
                ("base", "5k"),
                ("base", "10k"),
            ):
                wishes = Wishes(
                    agent=agent,
                    interface=interface,
                    catalog=SIZES[size],
                    prompt=prompt,
                    block="panel",
                    trials=4,
                )
                yield f"panel-{agent}-{interface}-{prompt}-{size}", wishes


def main() -> int:
    """The exit code."""
    console = Console(stderr=True)
    tasks = {TASKS: load_tasks(TASKS)}
    OUT.mkdir(parents=True, exist_ok=True)
    for page, wanted in (("full", full()), ("panel", panel())):
        folders: list[RunFolder] = []
        for name, wishes in wanted:
            folder = RunFolder(RUNS / name)
            console.print(f"{name} …")
            sweep(make_plan(wishes), folder, workers=2)
            folders.append(folder)
        out = OUT / f"{page}.html"
        write_report(folders, out, task_sets=tasks, page_bytes=PAGE_BYTES)
        console.print(f"{out.relative_to(ROOT)}: {out.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
