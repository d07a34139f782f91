"""What commands share: progress on stderr, and the number of workers."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mystery_shopper.engine import RunFolder


def worker_count(wanted: int) -> int:
    """The number of processes; 0 means one for each core this process may use."""
    if wanted > 0:
        return wanted
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@contextmanager
def progress_over(total: int, unit: str) -> Generator[Callable[[int], None]]:
    """A progress bar on stderr; gives a function that advances it."""
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
        task = bar.add_task("Playing", total=total)
        yield lambda count: bar.advance(task, count)


@contextmanager
def progress_to(what: str) -> Generator[Callable[[int, int], None]]:
    """A progress bar on stderr for work of which the total is told as it goes: (done, of)."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def tell(
    folders: Sequence[RunFolder], out: Path | None = None, labels: Path | None = None
) -> Path | None:
    """Write the runs' page if one is wanted, and print their summary to stdout."""
    from mystery_shopper.engine import load_tasks
    from mystery_shopper.foundation import InputError
    from mystery_shopper.report import print_summary, read_folders, summarise, write_report
    from mystery_shopper.suites.tau_rec.task import TaskSet

    task_sets: dict[str, TaskSet] = {}
    for name in {folder.plan().task_set for folder in folders}:
        try:
            task_sets[name] = load_tasks(name)
        except InputError:
            continue  # The report then shows only what the transcripts hold.
    if out is not None:
        out = write_report(folders, out, labels=labels, task_sets=task_sets)
    print_summary(summarise(read_folders(folders, labels=labels, task_sets=task_sets)))
    return out
