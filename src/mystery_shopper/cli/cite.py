"""`mystery-shopper cite`: how to cite runs, in BibTeX and in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.suites.tau_rec.task import TaskSet


def cite(
    runs: list[Path] = typer.Argument(help="One or more run folders."),
) -> None:
    """Print BibTeX for the software and the suites' papers, and a methods paragraph.

    The paragraph's numbers are the runs' own. What a run did not record is said to be unknown.
    """
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.report.bibtex import bibtex_of

    folders = [RunFolder(path) for path in runs]
    plans = [folder.plan() for folder in folders]
    suites = list(dict.fromkeys(plan.suite for plan in plans))
    paragraphs = [
        _methods(suite, [f for f, plan in zip(folders, plans, strict=True) if plan.suite == suite])
        for suite in suites
    ]
    print(bibtex_of(plans))
    print("\n\n".join(paragraphs))


def _methods(suite: str, folders: list[RunFolder]) -> str:
    """The paragraphs of a suite's runs."""
    if suite == "recbench":
        from mystery_shopper.report.citing_requests import read_requests, request_methods
        from mystery_shopper.report.recbench.reading import query_sets_of

        return request_methods(read_requests(folders, query_sets_of(folders)))
    from mystery_shopper.report.citing import methods, read_cited

    names = {folder.plan().task_set for folder in folders}
    return methods(read_cited(folders, _task_sets(names)))


def _task_sets(names: set[str]) -> dict[str, TaskSet]:
    """Those that are still there; of others the paragraph tells what the trials do."""
    from mystery_shopper.engine import load_tasks
    from mystery_shopper.foundation import InputError

    found: dict[str, TaskSet] = {}
    for name in names:
        try:
            found[name] = load_tasks(name)
        except InputError:
            continue
    return found
