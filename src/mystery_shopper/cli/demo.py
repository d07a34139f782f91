"""`mystery-shopper demo`: scripted agents on the shipped tasks of every suite, and reports."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from mystery_shopper.engine import RunFolder, RunPlan

DEMO_AGENTS = ("oracle", "eliminating", "popularity", "no-ask", "null")
REQUEST_AGENTS = ("oracle", "graph", "keyword", "history", "popularity", "null")


def demo(
    out: Path = typer.Option(Path("runs/demo"), help="Folder for the runs and the reports."),
    workers: int = typer.Option(0, min=0, help="Processes; 0 means one a core."),
    seed: int = typer.Option(0, help="The seed of every run."),
) -> None:
    """See in a minute how scripted agents fare on the shipped tasks over 16,852 real films.

    tau_rec: the customer volunteers all requirements, must be asked for them, or never states some.
    recbench: one rich request, its conditions stated, implied or resting on a mistake, or a wish
    that only the people behind it explain. Needs no model, no key and no network. The same command
    again only prints what is there.
    """
    from mystery_shopper.cli.common import progress_over, tell, worker_count
    from mystery_shopper.engine import sweep_all

    suites = {
        "tau_rec": _runs(DEMO_AGENTS, out, seed=seed),
        "recbench": _runs(
            REQUEST_AGENTS, out / "recbench", seed=seed, suite="recbench", block="panel"
        ),
    }
    runs = [run for each in suites.values() for run in each]
    total = sum(plan.count for plan, _ in runs)
    with progress_over(total, "trials") as advance:
        sweep_all(runs, workers=worker_count(workers), progress=advance)
    pages: list[Path | None] = []
    for place, (suite, each) in enumerate(suites.items()):
        print("\n" if place else "", f"# {suite}", sep="", end="\n\n")
        folders = [folder for _, folder in each]
        pages.append(tell(folders, folders[0].path.parent / "report.html"))
    print()
    for page in pages:
        print(f"Report: {page}")
    print("Be the agent yourself: mystery-shopper play tau_rec, or play recbench")


def _runs(agents: tuple[str, ...], out: Path, **wishes: Any) -> list[tuple[RunPlan, RunFolder]]:
    from mystery_shopper.engine import RunFolder, Wishes, make_plan

    return [(make_plan(Wishes(agent=each, **wishes)), RunFolder(out / each)) for each in agents]
