"""From run folders to the runs of a report, and what else is known of them: query sets, titles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from mystery_shopper.engine.loading import load_book, load_part
from mystery_shopper.engine.store import RunFolder, folder_names, refuse_twice
from mystery_shopper.engine.suites.recbench import shelf_over
from mystery_shopper.foundation import InputError
from mystery_shopper.report.recbench.played import Played, read_played
from mystery_shopper.suites.recbench.query import QuerySet

SUITE = "recbench"


def read_folders(
    folders: Sequence[RunFolder], query_sets: Mapping[str, QuerySet] | None = None
) -> list[Played]:
    """The runs of the folders, with what query sets (by name) tell of them. Raises InputError for
    no folder, for one named twice, for one of another suite, and for one that cannot be read."""
    if not folders:
        raise InputError("there is no run to report on", remedy="Name one run's folder or more.")
    refuse_twice(folders)
    names = folder_names(folders)
    plans = [folder.plan() for folder in folders]
    others = [
        f"{name} is a run of {plan.suite}"
        for name, plan in zip(names, plans, strict=True)
        if plan.suite != SUITE
    ]
    if others:
        raise InputError(
            others,
            where="a report holds runs of one suite",
            remedy=f"Report the runs of {SUITE} on their own.",
        )
    return [
        read_played(
            name,
            plan,
            folder.trials(),
            query_set=(query_sets or {}).get(plan.task_set),
            timings=folder.timings(),
        )
        for name, plan, folder in zip(names, plans, folders, strict=True)
    ]


def query_sets_of(folders: Sequence[RunFolder]) -> dict[str, QuerySet]:
    """The query sets of the runs, by name; one that cannot be read is left out, and the report then
    shows only what the trials hold."""
    found: dict[str, QuerySet] = {}
    for name in {folder.plan().task_set for folder in folders}:
        with suppress(InputError):
            book = load_book(SUITE, name)
            if isinstance(book, QuerySet):
                found[name] = book
    return found


def titles_by_run(folders: Sequence[RunFolder]) -> dict[str, dict[str, str]]:
    """Run's name -> item id -> title with its year (two items may bear one title), where its
    catalogue is at hand and is the same still."""
    found: dict[str, dict[str, str]] = {}
    for name, folder in zip(folder_names(folders), folders, strict=True):
        plan = folder.plan()
        with suppress(InputError):
            catalogue = load_part(plan.source, plan.size)
            if catalogue.digest == plan.catalogue_digest:
                shelf = shelf_over(catalogue, None)
                found[name] = {item: shelf.dated(item) for item in catalogue.ids}
    return found
