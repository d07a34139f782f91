"""From two run folders of any suite to the runs that are compared, and the page with both."""

from __future__ import annotations

from collections.abc import Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from mystery_shopper.engine.loading import load_book, load_tasks
from mystery_shopper.engine.store import RunFolder, folder_names, only_suite, refuse_twice
from mystery_shopper.engine.suites import Score, TaskBook
from mystery_shopper.foundation import InputError
from mystery_shopper.report.page import read_folders, write_report
from mystery_shopper.report.place import check_place
from mystery_shopper.report.rows import RunOf, read_scored
from mystery_shopper.suites.tau_rec.task import TaskSet

if TYPE_CHECKING:
    from mystery_shopper.report.comparing.compare import Comparison


def read_pair(base: RunFolder, candidate: RunFolder) -> tuple[RunOf[Score], RunOf[Score]]:
    """The two runs, of one suite. Raises InputError for runs of two, for one that is named twice
    and for one that cannot be read."""
    folders = [base, candidate]
    suite = suite_of_both(folders)
    if suite == "tau_rec":
        first, second = read_folders(folders, task_sets=_task_sets(folders))
        return first, second
    refuse_twice(folders)
    one, other = (
        read_scored(name, folder.plan(), folder.trials(), tasks=_book(folder))
        for name, folder in zip(folder_names(folders), folders, strict=True)
    )
    return one, other


def suite_of_both(folders: Sequence[RunFolder]) -> str:
    """The suite of the runs. Raises InputError where they are of two."""
    return only_suite(
        folder_names(folders),
        [folder.plan() for folder in folders],
        where="a comparison holds runs of one suite",
        remedy="Compare runs over the same tasks.",
    )


def write_pair(
    base: RunFolder,
    candidate: RunFolder,
    out: Path,
    first: Set[tuple[int, str]],
    found: Comparison,
) -> None:
    """One page with both runs and what was found between them; of the trials those that are
    `first`, by the run's place and their key, are shown before all others."""
    from mystery_shopper.report.comparing.section import compared

    folders, shown = [base, candidate], compared(found)
    if suite_of_both(folders) == "tau_rec":
        sets = _task_sets(folders)
        write_report(folders, out, task_sets=sets, first=first, compared=shown)
        return
    from mystery_shopper.report.recbench import page
    from mystery_shopper.report.recbench.observations import observations
    from mystery_shopper.report.recbench.reading import query_sets_of, titles_by_run
    from mystery_shopper.report.recbench.telling import read_studies

    check_place(out, folders)
    studies = read_studies(folders, query_sets_of(folders))
    names = folder_names(folders)
    by_name = dict(zip(names, folders, strict=True))
    asked_for = {(names[at], key) for at, key in first}
    seen = [observations(one) for one in studies]
    page.write(studies, seen, by_name, titles_by_run(folders), out, asked_for, compared=shown)


def _task_sets(folders: Sequence[RunFolder]) -> dict[str, TaskSet]:
    """The task sets of the runs, by name; one that cannot be read is left out."""
    found: dict[str, TaskSet] = {}
    for name in {folder.plan().task_set for folder in folders}:
        with suppress(InputError):
            found[name] = load_tasks(name)
    return found


def _book(folder: RunFolder) -> TaskBook | None:
    plan = folder.plan()
    try:
        return load_book(plan.suite, plan.task_set)
    except InputError:
        return None
