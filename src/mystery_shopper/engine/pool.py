"""Batches of trials on one or more processes, their results in the order of the batches."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.engine.plan import PlannedTrial, RunPlan
from mystery_shopper.engine.player import Player, play_batch
from mystery_shopper.engine.store import Lines
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.task import TaskSet

Job: TypeAlias = tuple[int, list[PlannedTrial]]
"""The place of a plan among the plans, and some of its trials."""


@dataclass
class Players:
    """The players of several plans, made when first asked for; plans over one catalogue share its
    shelf. Sent to another process it takes catalogues and task sets along, so that they need not be
    read again there."""

    plans: tuple[RunPlan, ...]
    shelves: dict[tuple[str, int], Shelf] = field(default_factory=dict[tuple[str, int], Shelf])
    task_sets: dict[str, TaskSet] = field(default_factory=dict[str, TaskSet])
    _made: dict[int, Player] = field(default_factory=dict[int, Player])

    @classmethod
    def of(cls, plans: Sequence[RunPlan]) -> Players:
        """With everything that the plans need, read by now."""
        return cls(
            tuple(plans),
            {(plan.source, plan.size): load_shelf(plan.source, plan.size) for plan in plans},
            {plan.task_set: load_tasks(plan.task_set) for plan in plans},
        )

    def player(self, place: int) -> Player:
        """The player of the plan at this place; the same one at each call."""
        if place not in self._made:
            plan = self.plans[place]
            shelf = self.shelves[plan.source, plan.size]
            self._made[place] = Player(plan, shelf, self.task_sets[plan.task_set])
        return self._made[place]

    def play(self, job: Job) -> Lines:
        """Play a batch; gives the lines to be written."""
        place, batch = job
        return Lines.of(*play_batch(self.player(place), batch))


def play_jobs(plans: Sequence[RunPlan], jobs: Sequence[Job], workers: int) -> Iterator[Lines]:
    """The results of the jobs in their order, whatever the number of processes."""
    players = Players.of(plans)
    workers = min(workers, len(jobs))
    if workers <= 1:
        yield from map(players.play, jobs)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _start_worker, (players,))
    try:
        with _interrupts_held():
            results = pool.map(_work, jobs)
        yield from results
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _interrupts_held() -> Generator[None]:
    """Hold SIGINT back, for this process until the block ends and for processes started in it for
    ever: an interrupt is for the process that writes, and a worker still importing could not yet
    ignore it."""
    mask = getattr(signal, "pthread_sigmask", None)
    if mask is None:  # Not on Windows.
        yield
        return
    before = mask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        mask(signal.SIG_SETMASK, before)


class _Worker:
    """The state of this process when it is a worker."""

    players = Players(())


def _start_worker(players: Players) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _Worker.players = players


def _end_with_parent() -> None:
    """End this worker when the process that writes has died: nobody reads what it plays."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _work(job: Job) -> Lines:
    return _Worker.players.play(job)
