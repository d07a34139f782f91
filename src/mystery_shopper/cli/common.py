"""What commands share: progress on stderr, and the number of workers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def worker_count(wanted: int) -> int:
    """The number of processes; 0 means one for each core this process may use."""
    if wanted > 0:
        return wanted
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


@contextmanager
def progress_over(total: int, unit: str) -> Iterator[Callable[[int], None]]:
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
