"""The in-process sweep: plays the planned trials of runs and keeps each as soon as it has ended.

Trials are written in the plan's order whatever the number of workers, so equal plans give equal
bytes. One that ends before its turn waits in the journal, from which it is copied when the trials
before it have ended.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence, Set
from contextlib import ExitStack

from mystery_shopper.engine.casting import cast
from mystery_shopper.engine.hands import Ended, Pace, Players, Queue, unbroken
from mystery_shopper.engine.journal import keys_in, taken_out, waiting
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.pool import play_all
from mystery_shopper.engine.store import Kept, RunFolder

CHUNK = 25
"""The most trials that a process plays before it asks for more."""
AT_ONCE = 10
"""Trials of an asynchronous agent in flight at once in a process."""
Progress = Callable[[int], None]


def sweep(
    plan: RunPlan,
    folder: RunFolder,
    *,
    workers: int = 1,
    at_once: int = AT_ONCE,
    progress: Progress = lambda _: None,
    only: Set[str] | None = None,
    in_flight: Progress = lambda _: None,
) -> int:
    """Play what is missing of the plan and write it to the folder; gives the number played. Of
    `only` these keys, where they are given, one after another in this process; `in_flight` is then
    told how many trials the same call without them plays side by side.

    Raises InputError where the folder belongs to another run. An interrupt leaves a valid run that
    the same call continues.
    """
    if only is None:
        return sweep_all([(plan, folder)], workers=workers, at_once=at_once, progress=progress)
    played, awaits = _sweep_some(plan, folder, only, progress)
    in_flight(workers * at_once if awaits else workers)
    return played


def _sweep_some(
    plan: RunPlan, folder: RunFolder, only: Set[str], progress: Progress
) -> tuple[int, bool]:
    """How many were played, and whether the agent is asynchronous. Trials out of the plan's order
    go through the journal, as a lasting run's do."""
    cast(plan.agent, plan.suite)
    with folder.writing(plan) as done:
        progress(len(done))
        wanted = [p for p in plan.planned() if p.key in only and p.key not in done]
        player = Players.of([plan]).player(0)
        for planned in wanted:
            trial, timing = player.play(planned)
            with unbroken():
                folder.journal(trial, timing)
                progress(1)
        folder.settle(plan)
    return len(wanted), player.awaits


def sweep_all(
    runs: Sequence[tuple[RunPlan, RunFolder]],
    *,
    workers: int = 1,
    at_once: int = AT_ONCE,
    progress: Progress = lambda _: None,
) -> int:
    """As `sweep` for several runs one after another, with one pool of workers."""
    for plan, _ in runs:
        cast(plan.agent, plan.suite)
    played = 0
    with ExitStack() as held:
        missing = []
        for plan, folder in runs:
            done = held.enter_context(folder.writing(plan))
            missing.append([planned for planned in plan.planned() if planned.key not in done])
            progress(plan.count - len(missing[-1]))
        queue = Queue(missing)
        turns = [Turns(plan, folder) for plan, folder in runs]

        def keep(ended: Ended) -> None:
            nonlocal played
            with unbroken():
                for place in sorted({place for place, _ in ended}):
                    turns[place].keep([kept for at, kept in ended if at == place])
                played += len(ended)
                progress(len(ended))

        if queue.size:
            pace = Pace(CHUNK, at_once)
            play_all([plan for plan, _ in runs], queue, keep, workers=workers, pace=pace)
        for plan, folder in runs:
            folder.settle(plan)
    return played


class Turns:
    """Writes the trials of a run in the plan's order."""

    def __init__(self, plan: RunPlan, folder: RunFolder) -> None:
        self._folder = folder
        written = set(keys_in(folder.trials_file))
        self._left = deque(p.key for p in plan.planned() if p.key not in written)
        self._early = waiting(folder.journal_file)

    def keep(self, ended: Sequence[Kept]) -> None:
        """Write those whose turn has come, and what waited for them; the others to the journal,
        before anything else, so that no trial is held in memory only."""
        now = {kept.key: kept for kept in ended}
        ready: list[str] = []
        while self._left and (self._left[0] in now or self._left[0] in self._early):
            ready.append(self._left.popleft())
        due = set(ready)
        early = [kept for kept in ended if kept.key not in due]
        if early:
            places = self._folder.journal_kept(early)
            self._early.update(zip((kept.key for kept in early), places, strict=True))
        for at in range(0, len(ready), CHUNK):
            self._write(ready[at : at + CHUNK], now)

    def _write(self, keys: Sequence[str], now: dict[str, Kept]) -> None:
        places = [self._early.pop(key) for key in keys if key not in now]
        waited = iter(taken_out(self._folder.journal_file, places) if places else ())
        self._folder.append_kept(
            [now[key] if key in now else Kept(key, *next(waited)) for key in keys]
        )
