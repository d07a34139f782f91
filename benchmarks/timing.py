"""How a time is taken, and the row that a benchmark reports."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One figure, and a peer's for the same work in the same unit. `ratio` is peer / ours."""

    name: str
    figure: float
    unit: str
    peer: str | None = None
    peer_figure: float | None = None
    ratio: float | None = None


def row(
    name: str, figure: float, unit: str, peer: str | None = None, peer_figure: float | None = None
) -> Row:
    """A row with its ratio filled in."""
    ratio = None if peer_figure is None else peer_figure / figure
    return Row(name, figure, unit, peer, peer_figure, ratio)


def seconds(work: Callable[[], object], repeat: int = 5, warm: bool = True) -> float:
    """The median wall time of `work` over `repeat` runs, the garbage collector at rest."""
    if warm:
        work()
    times: list[float] = []
    enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(repeat):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
    finally:
        if enabled:
            gc.enable()
    return statistics.median(times)


def microseconds_each(
    call: Callable[..., object], cases: Iterable[object], repeat: int = 5
) -> float:
    """Microseconds a call of `call(case)`: the mean over the cases, the median over the runs."""
    every = list(cases)

    def work() -> None:
        for case in every:
            call(case)

    return seconds(work, repeat) / len(every) * 1e6
