"""`mystery-shopper runs`: what runs there are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from mystery_shopper.engine.listing import Listed


def runs(
    folder: Path = typer.Argument(Path("runs"), help="The folder that holds runs."),
) -> None:
    """List the runs of a folder, the newest first.

    Only each run's header is read, not its trials. A run that is being played, or whose process
    was killed, is unfinished: the same command that began it goes on. pass^1 is over the tasks that
    something fits, all conditions together. Times are in UTC.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from mystery_shopper.engine.listing import list_runs

    found = list_runs(folder)
    if not found:
        print(f"There are no runs in {folder}. Make one: mystery-shopper demo")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    for name in ("run", "agent", "tasks", "conditions", "user"):
        table.add_column(name, overflow="fold")
    for name in ("done/planned", "excl.", "pass^1"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("started", no_wrap=True)
    for run in found:
        table.add_row(*(Text(cell) for cell in _cells(run)))
    # As wide as it is: a terminal that is narrower wraps whole lines, not each cell of its own.
    Console(width=400).print(table)


def _cells(run: Listed) -> tuple[str, ...]:
    plan, head = run.plan, run.head
    if plan is None:
        return (run.name, "cannot be read", *[""] * 7)
    conditions = "all" if len(plan.conditions) == 3 else ", ".join(plan.conditions)
    tasks = Path(plan.task_set).parent.name if plan.task_set.endswith(".json") else plan.task_set
    told = (run.name, plan.agent, tasks, conditions, plan.user)
    if head is None:
        return (*told, f"unfinished/{plan.count:,}", "", "", run.started)
    success = "" if head.success is None else f"{head.success:.3f}"
    return (*told, f"{head.done:,}/{plan.count:,}", f"{head.excluded:,}", success, run.started)
