"""`mystery-shopper cite`: how to cite runs, in BibTeX and in words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from mystery_shopper.suites.tau_rec.task import TaskSet


def cite(
    runs: list[Path] = typer.Argument(help="One or more run folders."),
) -> None:
    """Print BibTeX for the software and the suite's paper, and a methods paragraph.

    The paragraph's numbers are the runs' own. What a run did not record is said to be unknown.
    """
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.report.citing import bibtex, methods, read_cited

    folders = [RunFolder(path) for path in runs]
    cited = read_cited(folders, _task_sets({folder.plan().task_set for folder in folders}))
    print(bibtex(cited))
    print(methods(cited))


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
