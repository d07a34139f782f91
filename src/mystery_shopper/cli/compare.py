"""`mystery-shopper compare`: what a change has done to an agent."""

from __future__ import annotations

from pathlib import Path

import typer


def compare(
    base: Path = typer.Argument(help="The run before the change."),
    candidate: Path = typer.Argument(help="The run after it, over the same tasks."),
    fail_if: list[str] = typer.Option(
        [],
        help='What must not come of it: "success < -0.05"; also success@hidden, pass^4, turns. '
        "May be repeated.",
    ),
    markdown: Path | None = typer.Option(None, help="Write the comparison for a pull request."),
    junit: Path | None = typer.Option(None, help="Write the conditions as JUnit XML."),
    page: Path | None = typer.Option(
        None, help="Write one page with both runs, trials of tasks that turned over first."
    ),
    page_url: str | None = typer.Option(
        None, help="Where that page can be opened, for links; its path if left out."
    ),
    resamples: int = typer.Option(10_000, min=100, help="Of the bootstrap over families."),
) -> None:
    """Compare two runs task by task: pass^1 over all tasks and by condition, and what turned over.

    The runs must be over the same tasks and differ in one factor at most: two versions of one
    agent, two agents, two prompts. A condition fails where the difference (candidate minus base)
    lies beyond its number and the 95 % interval leaves out zero, so that chance fails nothing.
    Exit codes: 0 nothing failed; 1 a condition failed, or there was too little to tell; 2 misuse.
    """
    from mystery_shopper.cli.common import task_sets_of
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.foundation import write_whole
    from mystery_shopper.report import comparing as made
    from mystery_shopper.report import read_folders, write_report
    from mystery_shopper.report.comparing.shown import print_comparison

    demands = [made.demand(text) for text in fail_if]
    folders = [RunFolder(base), RunFolder(candidate)]
    known = task_sets_of(folders)
    runs = read_folders(folders, task_sets=known)
    found = made.compare(runs[0], runs[1], demands, resamples=resamples)
    print_comparison(found)
    if page is not None:
        first = {(place, key) for flip in found.flips for place, key in enumerate(flip.trials)}
        write_report(folders, page, task_sets=known, first=first)
    where = page_url or (page.as_posix() if page is not None else None)
    if markdown is not None:
        write_whole(markdown, made.markdown(found, where).encode("utf-8", "replace"))
    if junit is not None:
        write_whole(junit, made.junit(found, where))
    if found.failed or found.untold:
        raise typer.Exit(1)
