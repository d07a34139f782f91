"""The report of runs of this suite, from the command line's words: the counterpart of what the
disclosure suite's `tell` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mystery_shopper.engine.store import RunFolder, folder_names
from mystery_shopper.foundation import InputError
from mystery_shopper.report.every import RUNS, Kept, keep
from mystery_shopper.report.formats import HTML, check_target, write_tables
from mystery_shopper.report.ownmetrics import OwnMetrics, load_metrics
from mystery_shopper.report.place import check_place
from mystery_shopper.report.recbench import conducttables, page, tables
from mystery_shopper.report.recbench.console import print_summary
from mystery_shopper.report.recbench.grounds import grounds
from mystery_shopper.report.recbench.observations import (
    Observation,
    behind,
    observations,
    other_tables,
)
from mystery_shopper.report.recbench.reading import query_sets_of, read_folders, titles_by_run
from mystery_shopper.report.recbench.study import Study, study
from mystery_shopper.report.requestmetrics import measure, request_lines, request_tables
from mystery_shopper.suites.recbench.query import QuerySet


def tell(
    folders: Sequence[RunFolder],
    out: Path | None = None,
    labels: Path | None = None,
    metrics: Sequence[str] = (),
    format: str = HTML,
    *,
    query_sets: Mapping[str, QuerySet] | None = None,
    titles: Mapping[str, Mapping[str, str]] | None = None,
    resamples: int = 10_000,
) -> Path | None:
    """Write the runs' report if one is wanted, and print their summary to stdout.

    `query_sets` by name and `titles` (run's name -> item id -> title) are what is known beside the
    folders; what is left out is loaded by the plans. Raises InputError for what cannot be read or
    written, for runs of another suite, and for labels, which this suite has no use for.
    """
    _check(labels)
    own = load_metrics(metrics) if metrics else None
    if out is not None and format == HTML:
        check_place(out, folders)
    elif out is not None:
        check_target(out, format, folders)
    if query_sets is None:
        query_sets = query_sets_of(folders)
    if own is not None:
        measure(own, folders, query_sets)
    studies = read_studies(folders, query_sets, resamples=resamples)
    found = [observations(one) for one in studies]
    if out is not None and format == HTML:
        by_name = dict(zip(folder_names(folders), folders, strict=True))
        known = titles_by_run(folders) if titles is None else titles
        page.write(studies, found, by_name, known, out, own=own)
    elif out is not None:
        write_tables(every_table(studies, found, own), out, format)
    print_summary(studies, found)
    for line in request_lines([one.ground for one in studies], own):
        print(line)
    return out


def read_studies(
    folders: Sequence[RunFolder],
    query_sets: Mapping[str, QuerySet] | None = None,
    *,
    resamples: int = 10_000,
) -> list[Study]:
    """The runs of the folders, figured, ground by ground."""
    runs = read_folders(folders, query_sets)
    return [study(ground, resamples=resamples) for ground in grounds(runs)]


def every_table(
    studies: Sequence[Study],
    found: Sequence[Sequence[Observation]],
    own: OwnMetrics | None = None,
) -> list[Kept]:
    """Every table of the report, the runs first, then ground by ground as the page has them."""
    made = keep(
        [
            [
                tables.glance(one),
                *behind(observed),
                *other_tables(one, observed),
                *request_tables(one.ground, own),
            ]
            for one, observed in zip(studies, found, strict=True)
        ],
        "ground",
    )
    runs = conducttables.runs_table([one.ground for one in studies])
    return [Kept(RUNS, runs), *made]


def _check(labels: Path | None) -> None:
    if labels is not None:
        raise InputError(
            "--labels reads the turns of a conversation",
            where="runs of recbench have none",
            remedy="Leave this option out.",
        )
