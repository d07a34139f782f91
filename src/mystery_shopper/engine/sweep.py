"""The in-process sweep: plays the planned trials of runs and writes them batch by batch.

Trials are written in the plan's order whatever the number of workers, so equal plans give equal
bytes. Some of them may be played before the rest, as an estimate does: those wait in the journal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from contextlib import ExitStack

from mystery_shopper.engine.casting import cast
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.pool import Job, Players, play_jobs
from mystery_shopper.engine.store import RunFolder

CHUNK = 25
Progress = Callable[[int], None]


def sweep(
    plan: RunPlan,
    folder: RunFolder,
    *,
    workers: int = 1,
    progress: Progress = lambda _: None,
    only: Set[str] | None = None,
) -> int:
    """Play what is missing of the plan and write it to the folder; gives the number played. Of
    `only` these keys, where they are given, one after another in this process.

    Raises InputError where the folder belongs to another run. An interrupt leaves a valid run that
    the same call continues.
    """
    if only is not None:
        return _sweep_some(plan, folder, only, progress)
    return sweep_all([(plan, folder)], workers=workers, progress=progress)


def _sweep_some(plan: RunPlan, folder: RunFolder, only: Set[str], progress: Progress) -> int:
    """Trials out of the plan's order go through the journal, as a lasting run's do."""
    cast(plan.agent)
    with folder.writing(plan) as done:
        progress(len(done))
        wanted = [p for p in plan.planned() if p.key in only and p.key not in done]
        player = Players.of([plan]).player(0)
        for planned in wanted:
            folder.journal(*player.play(planned))
            progress(1)
        folder.settle(plan)
    return len(wanted)


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
        for plan, folder in runs:
            folder.settle(plan)
    return played
