"""`mystery-shopper runs`: what runs there are."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import typer

CONDITIONS = {"tau_rec": 3, "recbench": 5}
"""Suite -> how many conditions it has."""
RULE_BASED = "rule-based"

if TYPE_CHECKING:
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
    tasks that something fits, all conditions together. Times are in UTC. A terminal that is narrow
    folds the names; elsewhere a run is one line.
    """
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from mystery_shopper.engine.listing import list_runs

    found = list_runs(folder)
    if not found:
        print(f"There are no runs in {folder}. Make one: mystery-shopper demo")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for name in ("run", "agent"):
        table.add_column(name, overflow="fold")
    table.add_column("tasks", overflow="fold", max_width=12)
    table.add_column("cond.", no_wrap=True)
    for name in ("done", "excl.", "pass^1"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("started", no_wrap=True)
    for run in found:
        table.add_row(*(Text(cell) for cell in _cells(run)))
    console = Console()
    if not console.is_terminal:
        console = Console(width=400)
    console.print(table)


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
