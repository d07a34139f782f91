"""What commands share: progress on stderr, and the number of workers."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from mystery_shopper.engine import RunFolder
    from mystery_shopper.suites.tau_rec.task import TaskSet


def worker_count(wanted: int) -> int:
    """The number of processes; 0 means one for each core this process may use."""
    if wanted > 0:
        return wanted
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@contextmanager
def progress_over(total: int, unit: str) -> Generator[Callable[[int], None]]:
    """A progress bar on stderr; gives a function that advances it. Until something has ended it
    says that it gets ready, and that time is no measure of what is left."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(unit),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Getting ready", total=total)

        def advance(count: int) -> None:
            if count:
                bar.update(task, advance=count, description="Playing")

        yield advance


@contextmanager
def counted_bar(what: str) -> Generator[tuple[Progress, TaskID]]:
    """A bar on stderr of one task, with how much of it is done and for how long it runs."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield bar, bar.add_task(what, total=None)


@contextmanager
def progress_to(what: str) -> Generator[Callable[[int, int], None]]:
    """A progress bar on stderr for work of which the total is told as it goes: (done, of)."""
    with counted_bar(what) as (bar, task):
        yield lambda done, total: bar.update(task, completed=done, total=total)


def tell(
    folders: Sequence[RunFolder],
    out: Path | None = None,
    labels: Path | None = None,
    metrics: Sequence[str] = (),
    format: str = "html",
) -> Path | None:
    """Write the runs' report if one is wanted, and print their summary to stdout. `metrics` are
    names of a person's own; they need a report. Raises InputError for runs of several suites."""
    if suite_of(folders) != "tau_rec":
        from mystery_shopper.report import recbench

        return recbench.tell(folders, out, labels, metrics, format)
    from mystery_shopper.report import (
        load_metrics,
        print_summary,
        read_folders,
        summarise,
    )
    from mystery_shopper.report.disclosure.terminal import lines_of_tests
    from mystery_shopper.report.every import every_table
    from mystery_shopper.report.formats import HTML, check_target, write_tables
    from mystery_shopper.report.metrictable import metric_lines
    from mystery_shopper.report.page import write_page
    from mystery_shopper.report.place import check_place

    own = load_metrics(metrics) if metrics else None
    task_sets = task_sets_of(folders)
    if out is not None and format == HTML:
        check_place(out, folders)
    elif out is not None:
        check_target(out, format, folders)
    runs = read_folders(folders, labels=labels, task_sets=task_sets, metrics=own)
    summary = summarise(runs)
    if out is not None and format == HTML:
        write_page(summary, runs, folders, out, metrics=own)
    elif out is not None:
        write_tables(every_table(summary, own), out, format)
    print_summary(summary)
    for line in metric_lines(summary, own):
        print(line)
    for line in lines_of_tests(runs):
        print(line)
    return out


def suite_of(folders: Sequence[RunFolder]) -> str:
    """The suite of the runs. Raises InputError where they are of several."""
    from mystery_shopper.foundation import InputError

    suites = list(dict.fromkeys(folder.plan().suite for folder in folders))
    if len(suites) > 1:
        raise InputError(
            f"the runs are of {' and '.join(suites)}, which no table could hold side by side",
            where=str(folders[0].path),
            remedy="Name the runs of one suite at a time.",
        )
    return suites[0]


def tell_protocol(
    folders: Sequence[RunFolder],
    out: Path | None,
    labels: Path | None,
    metrics: Sequence[str],
    format: str,
) -> bool:
    """Hold the runs against the paper's protocol, print what it asks for, and write that if it is
    wanted; gives whether everything is met."""
    from mystery_shopper.engine.store import folder_names
    from mystery_shopper.report import load_metrics, read_folders, summarise, write_report
    from mystery_shopper.report.every import keep
    from mystery_shopper.report.formats import HTML, check_target, write_tables
    from mystery_shopper.report.metrictable import metric_lines, metric_tables
    from mystery_shopper.report.protocol import (
        Commands,
        find,
        protocol_lines,
        protocol_tables,
        read_protocol,
    )

    own = load_metrics(metrics) if metrics else None
    task_sets = task_sets_of(folders)
    if out is not None and format != HTML:
        check_target(out, format, folders)
    if out is not None and format == HTML:
        write_report(folders, out, labels=labels, task_sets=task_sets, metrics=own)
    runs = read_folders(folders, labels=labels, task_sets=task_sets, metrics=own)
    names = folder_names(folders)
    commands = Commands({n: folder.path for n, folder in zip(names, folders, strict=True)})
    protocols = read_protocol(runs)
    grounds = [(one, find(one)) for one in protocols]
    for place, (one, found) in enumerate(grounds):
        print("\n" if place else "", end="")
        for line in protocol_lines(one, found, commands):
            print(line)
    summary = summarise(runs) if own is not None else None
    if summary is not None:
        for line in metric_lines(summary, own):
            print(line)
    if out is not None and format != HTML:
        tables = keep([protocol_tables(one, found, commands) for one, found in grounds], "ground")
        groups = () if summary is None else summary.groups
        tables += keep([metric_tables(group, own) for group in groups], "group")
        write_tables(tables, out, format)
    return all(one.holds for one in protocols)


def task_sets_of(folders: Sequence[RunFolder]) -> dict[str, TaskSet]:
    """The task sets of the runs, by name; one that cannot be read is left out, and the report then
    shows only what the transcripts hold."""
    from mystery_shopper.engine import load_tasks
    from mystery_shopper.foundation import InputError

    found: dict[str, TaskSet] = {}
    for name in {folder.plan().task_set for folder in folders}:
        with suppress(InputError):
            found[name] = load_tasks(name)
    return found


@contextmanager
def slow_lines(
    what: str, now: Callable[[], float] = time.monotonic
) -> Generator[Callable[..., None]]:
    """Tells on stderr how far a work is, from two seconds after the first time that it is told: in
    one line on a terminal, else in a line every ten seconds. The function takes a format and its
    numbers."""
    terminal = sys.stderr.isatty()
    pause, end = (0.5, "\r") if terminal else (10.0, "\n")
    due: float | None = None
    told = False

    def line(form: str, *numbers: int) -> None:
        nonlocal due, told
        if due is None:
            due = now() + 2
        elif now() >= due:
            print(f"{what}: {form.format(*numbers)}", end=end, file=sys.stderr, flush=True)
            due, told = now() + pause, True

    try:
        yield line
    finally:
        if told and terminal:
            print(file=sys.stderr)


@contextmanager
def told_slowly(
    what: str, now: Callable[[], float] = time.monotonic
) -> Generator[Callable[[int, int], None]]:
    """The same of work that is counted: the function takes (done, of)."""
    with slow_lines(what, now) as line:
        yield lambda done, total: line("{:,} of {:,}", done, total)
