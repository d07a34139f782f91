"""`mystery-shopper runs`: what runs there are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

CONDITIONS = {"tau_rec": 3, "recbench": 5}
"""Suite -> how many conditions it has."""
RULE_BASED = "rule-based"
NAMES = ("run", "agent")
COLUMNS = (*NAMES, "tasks", "cond.", "done", "excl.", "pass^1", "started")
LEAST = ("tasks", "started", "cond.")
"""Which columns are left out first where a terminal is narrow."""

if TYPE_CHECKING:
    from rich.table import Table

    from mystery_shopper.engine.listing import Listed


def runs(
    folder: Path = typer.Argument(Path("runs"), help="The folder that holds runs."),
) -> None:
    """List the runs of a folder, the newest first.

    Only each run's header is read, not its trials. A run that is being played, or whose process
    was killed, is unfinished: the same command that began it goes on. One of `play` that a person
    left is given up. cond. are the customers' conditions: vol(unteer), mix(ed), hid(den); of
    recbench the kinds of queries: exp(licit), imp(licit), mis(informed), int(erest),
    dem(ographics). A customer other than the rule-based stands beside the agent. pass^1 is over the
    tasks that something fits, all conditions together. Times are in UTC. Without a terminal there
    are 80 columns, or as many as COLUMNS says. Where they are too few for a run to be one line, the
    columns that tell least are left out; where that is not enough, all stand there and names are
    folded.
    """
    from rich.console import Console

    from mystery_shopper.engine.listing import list_runs

    found = list_runs(folder)
    if not found:
        print(f"There are no runs in {folder}. Make one: mystery-shopper demo")
        return
    console = Console()
    rows = [_cells(run) for run in found]
    kept = fitting(rows, console.width)
    console.print(_table(rows, kept or COLUMNS, folded=not kept))
    gone = [name for name in COLUMNS if kept and name not in kept]
    if gone:
        told = f"Left out to fit {console.width} columns: {', '.join(gone)}"
        console.print(told, style="dim", highlight=False)


def fitting(rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """The columns that stand side by side in so many letters, those that tell least gone first;
    none where no choice fits, so that names have to be folded."""
    wide = {
        name: max(len(name), *(len(cells[place]) for cells in rows)) + 1
        for place, name in enumerate(COLUMNS)
    }
    for gone in range(len(LEAST) + 1):
        kept = tuple(name for name in COLUMNS if name not in LEAST[:gone])
        if sum(wide[name] for name in kept) - 1 <= width:
            return kept
    return ()


def _table(rows: Sequence[Sequence[str]], kept: Collection[str], *, folded: bool) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for name in COLUMNS:
        if name in NAMES and name in kept:
            table.add_column(name, overflow="fold")
        elif name == "tasks" and folded:
            table.add_column(name, overflow="fold", max_width=12)
        elif name in kept:
            right = name in ("done", "excl.", "pass^1")
            table.add_column(name, justify="right" if right else "left", no_wrap=True)
    for cells in rows:
        told = zip(COLUMNS, cells, strict=True)
        table.add_row(*(Text(cell) for name, cell in told if name in kept))
    return table


def _cells(run: Listed) -> tuple[str, ...]:
    plan, head = run.plan, run.head
    if plan is None:
        return (run.name, "cannot be read", *[""] * 6)
    whole = len(plan.conditions) == CONDITIONS.get(plan.suite)
    conditions = "all" if whole else " ".join(name[:3] for name in plan.conditions)
    tasks = Path(plan.task_set).parent.name if plan.task_set.endswith(".json") else plan.task_set
    agent = plan.agent if plan.user == RULE_BASED else f"{plan.agent} with {plan.user}"
    told = (run.name, agent, tasks.removeprefix("tau_rec/"), conditions)
    started = _short(run.started)
    if run.given_up:
        return (*told, "given up", "", "", started)
    if head is None:
        return (*told, "unfinished", "", "", started)
    success = "" if head.success is None else f"{head.success:.3f}"
    return (*told, f"{head.done:,}/{plan.count:,}", f"{head.excluded:,}", success, started)


def _short(started: str) -> str:
    """Day and time; of an earlier year, the date."""
    this_year = started.startswith(f"{datetime.now(UTC):%Y}-")
    return started[5:] if this_year else started[:10]
