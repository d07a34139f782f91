"""`mystery-shopper demo`: the scripted agents on every shipped task, and a report."""

from __future__ import annotations

from pathlib import Path

import typer

DEMO_AGENTS = ("oracle", "eliminating", "popularity", "no-ask", "null")


def demo(
    out: Path = typer.Option(Path("runs/demo"), help="Folder for the runs and the report."),
    workers: int = typer.Option(0, min=0, help="Processes; 0 means one a core."),
    seed: int = typer.Option(0, help="The seed of every run."),
) -> None:
    """See in a minute how five scripted agents fare on 450 tasks over 16,852 real films.

    Needs no model, no key and no network. The customer volunteers all requirements, must be asked
    for them, or never states some. The same command again only prints what is there.
    """
    from mystery_shopper.cli.common import progress_over, tell, worker_count
    from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep_all

    runs = [
        (make_plan(Wishes(agent=agent, seed=seed)), RunFolder(out / agent)) for agent in DEMO_AGENTS
    ]
    total = sum(plan.count for plan, _ in runs)
    with progress_over(total, "trials") as advance:
        sweep_all(runs, workers=worker_count(workers), progress=advance)
    page = tell([folder for _, folder in runs], out / "report.html")
    print(f"\nReport: {page}")
    print("Be the agent yourself: mystery-shopper play tau_rec")
