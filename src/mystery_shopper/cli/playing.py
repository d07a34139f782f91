"""Playing a plan into its folder, by whichever engine its agent needs, with progress."""

from __future__ import annotations

import sys
from collections.abc import Set
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mystery_shopper.cli.common import progress_over, tell
from mystery_shopper.cli.stages import stages

if TYPE_CHECKING:
    from mystery_shopper.engine import RunFolder, RunPlan
    from mystery_shopper.engine.bounds import Bounds


@dataclass(frozen=True)
class Means:
    """What a run may use: processes, trials and calls in flight, and a file of prices."""

    workers: int
    bounds: Bounds
    prices: Path | None = None


def play(plan: RunPlan, folder: RunFolder, means: Means, only: Set[str] | None = None) -> int:
    """Play what is missing of a plan, or of the trials with `only` these keys; gives how many went
    on at once."""
    from mystery_shopper.engine import sweep
    from mystery_shopper.engine.casting import talks
    from mystery_shopper.engine.lasting import run_through_inspect
    from mystery_shopper.engine.speakers import user_talks
    from mystery_shopper.engine.sweep import AT_ONCE

    try:
        with progress_over(plan.count, "trials") as advance:
            if not (talks(plan.agent) or user_talks(plan.user)):
                at_once = [means.workers]
                sweep(
                    plan,
                    folder,
                    workers=means.workers,
                    at_once=means.bounds.max_samples or AT_ONCE,
                    progress=advance,
                    only=only,
                    in_flight=at_once.append,
                )
                return at_once[-1]
            flown: list[int] = []
            run_through_inspect(
                plan,
                folder,
                means.bounds,
                advance,
                only=only,
                prices=means.prices,
                in_flight=flown.append,
            )
    except KeyboardInterrupt:
        print(f"\n{_stopped(plan, folder)} The same command goes on.", file=sys.stderr)
        raise
    # Where nothing was left to play, the trials are taken to have flown at once.
    return means.bounds.max_samples or max(flown) or len(only or ()) or 1


def _stopped(plan: RunPlan, folder: RunFolder) -> str:
    """What is kept of a run whose folder has just been let go."""
    from mystery_shopper.engine.head import read_head

    head = read_head(folder.path)
    if head is None or head.plan != plan.digest:
        return "Stopped."
    return f"Stopped: {head.done:,} of {head.planned:,} trials are kept."


def play_twin(plan: RunPlan, folder: RunFolder, means: Means, seed: int) -> None:
    """Play the twin of a run beside it, and print both and the gap."""
    from mystery_shopper.engine import RunFolder
    from mystery_shopper.engine.loading import load_book
    from mystery_shopper.engine.twin import twin_folder, twin_plan
    from mystery_shopper.report.comparing.reading import read_pair
    from mystery_shopper.report.twins import gaps, lines

    beside = RunFolder(twin_folder(folder.path, seed))
    with stages() as hear:
        fresh_plan = twin_plan(plan, seed, folder.path, hear)
    play(fresh_plan, beside, means)
    print()
    tell([beside])
    own, fresh = read_pair(folder, beside)
    sets = (load_book(plan.suite, plan.task_set), load_book(plan.suite, fresh_plan.task_set))
    print(f"\nWritten to {beside.path}.\n")
    for line in lines(gaps(own, fresh, seed=seed, sets=sets), plan.agent, plan.suite):
        print(line)
