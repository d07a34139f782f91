"""Playing the planned trials of one run, one after another."""

from __future__ import annotations

import asyncio
import inspect
import time
import weakref
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import TypeVar

from mystery_shopper.dialogue import (
    Act,
    Agent,
    Episode,
    Limits,
    Played,
    View,
    rollout,
    rollout_async,
)
from mystery_shopper.engine.casting import REMEDY, cast, own_object
from mystery_shopper.engine.fence import Fenced, FencedAsync, fault_of
from mystery_shopper.engine.plan import PlannedTrial, RunPlan
from mystery_shopper.engine.speakers import speaker_of
from mystery_shopper.engine.store import Timing
from mystery_shopper.engine.suites import Maker, Scene
from mystery_shopper.engine.trial import TRIAL_SCHEMA, Trial
from mystery_shopper.suites.tau_rec.stage import UserFactory

ATTEMPTS = 3
R = TypeVar("R")


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
    """Plays the trials of one plan on its scene. A trial whose user or infrastructure failed is
    played again, `attempts` times in all, then given back as excluded.

    `awaits` tells whether the agent is asynchronous, so that several of its trials may be in flight
    at once; where its name does not tell, the first trial does.
    """

    plan: RunPlan
    scene: Scene
    factory: Maker | None = None
    limits: Limits = field(default_factory=Limits)
    attempts: int = ATTEMPTS

    def __post_init__(self) -> None:
        self._factory = self.factory or cast(self.plan.agent, self.plan.suite)
        self._speaker = speaker_of(self.plan)
        self.awaits = self.factory is None and _is_awaited(self.plan.agent)
        # One event loop for all trials, so that a client that agents share outlives each. It is
        # opened by the first asynchronous agent and closed with the player.
        self._runner = asyncio.Runner()
        weakref.finalize(self, self._runner.close)

    def play(self, planned: PlannedTrial) -> tuple[Trial, Timing]:
        """Play one trial, again if it fell to a fault that is not the agent's."""
        started = time.monotonic()
        attempt = 0
        while True:
            attempt += 1
            played = self._played(*self._begin(planned.task, self._factory))
            trial = self._trial(planned, played, attempt)
            if self._last(trial, attempt):
                return trial, Timing(
                    trial.key, played.seconds, turns=played.turns, wall=time.monotonic() - started
                )

    def run(self, work: Coroutine[None, None, R]) -> R:
        """Run a coroutine in the loop of the player's trials."""
        return self._runner.run(work)

    def _played(self, episode: Episode, agent: Agent) -> Played:
        if inspect.iscoroutinefunction(getattr(agent, "act", None)):
            self.awaits = True
            return self.run(rollout_async(episode, FencedAsync(agent), self.limits))
        return rollout(episode, Fenced(agent), self.limits)

    async def play_async(
        self,
        planned: PlannedTrial,
        factory: Maker | None = None,
        speaker: UserFactory | None = None,
    ) -> tuple[Trial, Timing]:
        """As `play`, for agents and users that may be asynchronous; `factory` makes this trial's
        agent and `speaker` its user."""
        started = time.monotonic()
        attempt = 0
        while True:
            attempt += 1
            episode, agent = self._begin(planned.task, factory or self._factory, speaker)
            played = await rollout_async(episode, FencedAsync(agent), self.limits)
            trial = self._trial(planned, played, attempt)
            if self._last(trial, attempt):
                return trial, Timing(
                    trial.key, played.seconds, turns=played.turns, wall=time.monotonic() - started
                )

    def _begin(
        self, task: str, factory: Maker, speaker: UserFactory | None = None
    ) -> tuple[Episode, Agent]:
        episode = self.scene.episode(task, speaker or self._speaker)
        try:
            return episode, factory(self.scene, task)
        except Exception as error:
            return episode, _Stillborn(error)
        except BaseException as error:
            return episode, _Stillborn(fault_of(error))

    def _last(self, trial: Trial, attempt: int) -> bool:
        return not trial.excluded or attempt == self.attempts

    def _trial(self, planned: PlannedTrial, played: Played, attempts: int) -> Trial:
        ended, labels = played.transcript.ended, self.scene.tasks.labels(planned.task)
        return Trial(
            schema=TRIAL_SCHEMA,
            task=planned.task,
            family=labels.family,
            condition=labels.condition,
            tier=labels.tier,
            template=labels.template,
            satisfiable=labels.satisfiable,
            number=planned.number,
            agent=self.plan.agent,
            user=self.plan.user,
            seed=self.plan.seed_for(planned.task, planned.number, "agent"),
            canary=self.plan.canary,
            attempts=attempts,
            fault=ended.fault if ended is not None else None,
            score=self.scene.score(planned.task, played.transcript),
            transcript=played.transcript,
        )


def _is_awaited(name: str) -> bool:
    """Whether an agent's name alone tells that it is asynchronous: a class with such an act, or a
    factory that is awaited itself."""
    module, colon, attribute = name.partition(":")
    if not colon:
        return False
    found = own_object(module, attribute, "--agent", REMEDY)
    return inspect.iscoroutinefunction(found) or (
        inspect.isclass(found) and inspect.iscoroutinefunction(getattr(found, "act", None))
    )
