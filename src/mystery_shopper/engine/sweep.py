"""The in-process sweep: plays the planned trials of runs and writes them batch by batch.

Trials are written in the plan's order whatever the number of workers, so equal plans give equal
bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack

from mystery_shopper.engine.casting import cast
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.pool import Job, play_jobs
from mystery_shopper.engine.store import RunFolder

CHUNK = 25
Progress = Callable[[int], None]


def sweep(
    plan: RunPlan,
    folder: RunFolder,
    *,
    workers: int = 1,
    progress: Progress = lambda _: None,
) -> int:
    """Play what is missing of the plan and write it to the folder; gives the number played.

    Raises InputError where the folder belongs to another run. An interrupt leaves a valid run that
    the same call continues.
    """
    return sweep_all([(plan, folder)], workers=workers, progress=progress)


def sweep_all(
    runs: Sequence[tuple[RunPlan, RunFolder]],
    *,
    workers: int = 1,
    progress: Progress = lambda _: None,
) -> int:
    """As `sweep` for several runs one after another, with one pool of workers."""
    for plan, _ in runs:
        cast(plan.agent)
    with ExitStack() as held:
        jobs: list[Job] = []
        for index, (plan, folder) in enumerate(runs):
            done = held.enter_context(folder.writing(plan))
            missing = [planned for planned in plan.planned() if planned.key not in done]
            progress(plan.count - len(missing))
            jobs += [(index, missing[at : at + CHUNK]) for at in range(0, len(missing), CHUNK)]
        played = 0
        results = play_jobs([plan for plan, _ in runs], jobs, workers) if jobs else iter(())
        for (index, _), lines in zip(jobs, results, strict=True):
            runs[index][1].append_lines(lines)
            played += lines.number
            progress(lines.number)
    return played
