"""`mystery-shopper compare`: what a change has done to an agent."""

from __future__ import annotations

from pathlib import Path

import typer


def compare(
    base: Path = typer.Argument(help="The run before the change."),
    candidate: Path = typer.Argument(help="The run after it, over the same tasks."),
    fail_if: list[str] = typer.Option(
        [],
        help='What must not come of it: "success < -0.05"; also success@hidden, pass^4, turns; of '
        "recbench precision, cmr@implicit. May be repeated.",
    ),
    markdown: Path | None = typer.Option(None, help="Write the comparison for a pull request."),
    junit: Path | None = typer.Option(None, help="Write the conditions as JUnit XML."),
    page: Path | None = typer.Option(
        None,
        help="Write one page with the differences and both runs, tasks that turned over first.",
    ),
    page_url: str | None = typer.Option(
        None, help="Where that page can be opened, for links; its path if left out."
    ),
    resamples: int = typer.Option(
        10_000, min=100, help="Of the bootstrap over families, or users."
    ),
) -> None:
    """Compare two runs task by task: pass^1 over all tasks and by condition, and what turned over.

    The runs must be of one suite, over the same tasks, and differ in one factor at most: two
    versions of one agent, two agents, two prompts. Of recbench precision, recall, CMR, FTR and
    hallucinated titles are compared too. A condition fails where the difference (candidate minus
    base) lies beyond its number and the 95 % interval leaves out zero, so that chance fails
    nothing.
    Exit codes: 0 nothing failed; 1 a condition failed, or there was too little to tell; 2 misuse.
    """
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.foundation import write_whole
    from mystery_shopper.report import comparing as made
    from mystery_shopper.report.comparing.reading import read_pair, suite_of_both, write_pair
    from mystery_shopper.report.comparing.shown import print_comparison
    from mystery_shopper.report.comparing.written import linked

    asked = [made.asked_in(text) for text in fail_if]
    folders = RunFolder(base), RunFolder(candidate)
    reader = made.measures_of(suite_of_both(folders))
    demands = [one.of(reader) for one in asked]
    found = made.compare(*read_pair(*folders), demands, resamples=resamples)
    print_comparison(found)
    if page is not None:
        first = {(place, key) for flip in linked(found) for place, key in enumerate(flip.trials)}
        write_pair(*folders, page, first, found)
    where = page_url or (page.as_posix() if page is not None else None)
    if markdown is not None:
        write_whole(markdown, made.markdown(found, where).encode("utf-8", "replace"))
    if junit is not None:
        write_whole(junit, made.junit(found, where))
    if found.failed or found.untold:
        raise typer.Exit(1)
