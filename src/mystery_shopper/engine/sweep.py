"""The in-process sweep: plays the planned trials of a run, on one or more processes.

Trials are written in the plan's order whatever the number of workers, so equal plans give equal
bytes. A trial whose user or infrastructure failed is played again, then archived as excluded.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from mystery_shopper.dialogue import Act, Limits, Played, View, rollout
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.engine.plan import PlannedTrial, RunPlan
from mystery_shopper.engine.store import RunFolder, Timing
from mystery_shopper.engine.trial import TRIAL_SCHEMA, Trial
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.prompts import Prompt, ToolLine
from mystery_shopper.suites.tau_rec.reference import AGENTS, AgentFactory
from mystery_shopper.suites.tau_rec.scoring import Scorer
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Task, TaskSet

ATTEMPTS = 3
CHUNK = 25
Progress = Callable[[int], None]
Batch = tuple[list[Trial], list[Timing]]


@dataclass
class _Stillborn:
    """An agent that could not be made: the trial ends by the fault that the error is."""

    error: Exception

    def act(self, view: View) -> Act:
        """Raises the error."""
        del view
        raise self.error


@dataclass
class Player:
    """Plays the trials of one plan. Loads what it needs once."""

    plan: RunPlan
    shelf: Shelf
    tasks: TaskSet
    factory: AgentFactory | None = None
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        self._scorer = Scorer(self.shelf.catalogue)
        self._setting = Setting(
            Interface(self.plan.interface),
            Prompt(self.plan.prompt),
            ToolLine(self.plan.tool_line),
            self.plan.as_paper,
        )
        self._factory = self.factory or AGENTS[self.plan.agent]

    def play(self, planned: PlannedTrial) -> tuple[Trial, Timing]:
        """Play one trial, again if it fell to a fault that is not the agent's."""
        task = self.tasks.by_id[planned.task]
        attempt = 0
        while True:
            attempt += 1
            played = self._once(task)
            ended = played.transcript.ended
            trial = self._trial(planned, task, played, attempt)
            if ended is None or not trial.excluded or attempt == ATTEMPTS:
                return trial, Timing(trial.key, played.seconds)

    def _once(self, task: Task) -> Played:
        episode = set_stage(task, self.shelf, self._setting)
        try:
            agent = self._factory(task, self.shelf, self._setting.interface)
        except Exception as error:
            agent = _Stillborn(error)
        return rollout(episode, agent, self.limits)

    def _trial(self, planned: PlannedTrial, task: Task, played: Played, attempts: int) -> Trial:
        ended = played.transcript.ended
        return Trial(
            schema=TRIAL_SCHEMA,
            task=task.id,
            family=task.family.id,
            condition=task.condition.value,
            tier=task.family.tier.value,
            template=task.family.template,
            satisfiable=task.family.satisfiable,
            number=planned.number,
            agent=self.plan.agent,
            user=self.plan.user,
            seed=self.plan.seed_for(task.id, planned.number, "agent"),
            canary=self.plan.canary,
            attempts=attempts,
            fault=ended.fault if ended is not None else None,
            score=self._scorer.score(task, played.transcript),
            transcript=played.transcript,
        )


@dataclass
class _Desk:
    """What one worker process keeps between batches."""

    players: dict[str, Player] = field(default_factory=dict[str, Player])

    def player(self, plan: RunPlan) -> Player:
        key = plan.digest
        if key not in self.players:
            shelf = next(
                (
                    player.shelf
                    for player in self.players.values()
                    if (player.plan.source, player.plan.size) == (plan.source, plan.size)
                ),
                None,
            )
            shelf = shelf or load_shelf(plan.source, plan.size)
            self.players[key] = Player(plan, shelf, load_tasks(plan.task_set))
        return self.players[key]


def play_batch(player: Player, batch: Iterable[PlannedTrial]) -> Batch:
    """The trials and timings of a batch, in order."""
    trials: list[Trial] = []
    timings: list[Timing] = []
    for planned in batch:
        trial, timing = player.play(planned)
        trials.append(trial)
        timings.append(timing)
    return trials, timings


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
    jobs: list[tuple[int, list[PlannedTrial]]] = []
    for plan, _ in runs:
        if plan.agent not in AGENTS:
            raise InputError(
                f"{plan.agent!r} does not play by itself",
                where="--agent",
                remedy=f"Use one of: {', '.join(AGENTS)}; or mystery-shopper play.",
            )
    for index, (plan, folder) in enumerate(runs):
        done = folder.begin(plan)
        missing = [planned for planned in plan.planned() if planned.key not in done]
        progress(plan.count - len(missing))
        jobs += [(index, missing[at : at + CHUNK]) for at in range(0, len(missing), CHUNK)]
    plans = [plan for plan, _ in runs]
    played = 0
    for (index, _), (trials, timings) in zip(jobs, _results(plans, jobs, workers), strict=True):
        runs[index][1].append(trials, timings)
        played += len(trials)
        progress(len(trials))
    return played


def _results(
    plans: Sequence[RunPlan], jobs: Sequence[tuple[int, list[PlannedTrial]]], workers: int
) -> Iterator[Batch]:
    """The batches' results in the order of the jobs."""
    workers = min(workers, len(jobs))
    if workers <= 1:
        desk = _Desk()
        for index, batch in jobs:
            yield play_batch(desk.player(plans[index]), batch)
        return
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, _start_worker, (tuple(plans),))
    try:
        yield from pool.map(_work, jobs)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class _Worker:
    """The state of this process when it is a worker."""

    plans: tuple[RunPlan, ...] = ()
    desk = _Desk()


def _start_worker(plans: tuple[RunPlan, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _Worker.plans = plans


def _work(job: tuple[int, list[PlannedTrial]]) -> Batch:
    index, batch = job
    return play_batch(_Worker.desk.player(_Worker.plans[index]), batch)
