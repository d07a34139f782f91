"""The one loop that plays an episode: show, take an act, hand it over, append, stop.

It is written once, as a generator that yields what the agent may see and takes its act, or yields
what the user is to be asked for and takes the answer; `rollout` and `rollout_async` drive it. It
knows no suite, no model and no disk.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextvars import Context
from dataclasses import dataclass
from typing import NoReturn, TypeAlias, TypeVar

from mystery_shopper.dialogue.events import (
    Event,
)
from mystery_shopper.dialogue.limits import Limits
from mystery_shopper.dialogue.protocols import (
    Act,
    Agent,
    CallTools,
    Episode,
    Happening,
    Say,
    View,
)
from mystery_shopper.dialogue.stage import Hung, Stage, told
from mystery_shopper.dialogue.transcript import Transcript
from mystery_shopper.foundation import AgentFault, UserFault

Clock = Callable[[], float]


@dataclass(frozen=True)
class Played:
    """A finished episode: its transcript, and the agent's seconds act by act, a failed act's
    included (never part of the transcript, since no two runs share them). `turns` are their sums
    turn by turn: up to each of its words to the user, and to its last act."""

    transcript: Transcript
    seconds: tuple[float, ...]
    turns: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """The user has yet to answer: send `Answered` back."""

    events: Awaitable[Iterable[Event]]


@dataclass(frozen=True, slots=True)
class Answered:
    """What the user's answer brought about."""

    events: Iterable[Event]


Performance: TypeAlias = Generator[View | Pending, Act | Answered, Played]


def _events_of(
    happening: Happening,
) -> Generator[View | Pending, Act | Answered, Iterable[Event]]:
    """What happened, once the user has answered. Whatever goes wrong till then is not the
    agent's."""
    if not isinstance(happening, Awaitable):
        return happening
    try:
        answer = yield Pending(happening)
    except AgentFault as error:
        raise UserFault(f"the user's own model: {told(error)}") from error
    if not isinstance(answer, Answered):
        raise TypeError("a pending user is answered by Answered")
    return answer.events


def perform(episode: Episode, limits: Limits, clock: Clock) -> Performance:
    """Play the episode: yields views and takes acts, yields what is pending and takes what was
    answered, returns what was played.

    Throw the agent's exception in where it failed to act; it ends the trial as its kind says. Throw
    the user's in where it failed to answer.
    """
    stage = Stage(episode, limits)
    seen = 0
    try:
        stage.add((yield from _events_of(episode.open())))
        instructions = episode.instructions
        while not stage.over:
            view = stage.view(instructions, seen)
            seen = len(stage.messages)
            started = clock()
            try:
                act = yield view
            except Exception as error:
                stage.timed(clock() - started)
                stage.failed(error)
            else:
                stage.timed(_seconds_of(act, clock() - started))
                text = stage.take(_act_of(act))
                if text is not None:
                    stage.answered((yield from _events_of(episode.heard(text))))
    except Exception as error:
        stage.broke(error)
    return Played(Transcript(tuple(stage.events)), tuple(stage.seconds), tuple(stage.by_turn))


def _act_of(act: Act | Answered) -> Act:
    if isinstance(act, Answered):
        raise TypeError("a view is answered by an act")
    return act


def _seconds_of(act: object, measured: float) -> float:
    """The adapter's own reading where it gave one that can be."""
    told = act.seconds if isinstance(act, Say | CallTools) else None
    return told if isinstance(told, float) and 0 <= told <= measured else measured


def _refuse(act: object) -> NoReturn:
    if inspect.iscoroutine(act):
        act.close()
    raise AgentFault("this agent is asynchronous; play it with rollout_async")


def _refuse_user(answer: object) -> NoReturn:
    if inspect.iscoroutine(answer):
        answer.close()
    raise UserFault("this user is asynchronous; play it with rollout_async")


def rollout(
    episode: Episode, agent: Agent, limits: Limits | None = None, clock: Clock = time.monotonic
) -> Played:
    """Play an episode with an agent and a user that answer at once."""
    steps = perform(episode, limits or Limits(), clock)
    try:
        step = next(steps)
        while True:
            try:
                if isinstance(step, Pending):
                    _refuse_user(step.events)
                act = agent.act(step)
                if inspect.isawaitable(act):
                    _refuse(act)
            except Exception as error:
                step = steps.throw(error)
            else:
                step = steps.send(act)
    except StopIteration as stop:
        return stop.value


class _Watch:
    """A clock that can be stopped for one reading. Of several trials in a loop an act that has come
    is timed before any other's tools run, which is our time and not the agent's."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._stopped: float | None = None

    def __call__(self) -> float:
        """The time, or once that at which it was stopped."""
        time, self._stopped = self._stopped, None
        return self._clock() if time is None else time

    async def stopped(self) -> None:
        """Stop it now, and let those be timed too whose acts have come meanwhile."""
        self._stopped = self._clock()
        await asyncio.sleep(0)


A = TypeVar("A")


async def _in_time(answer: Awaitable[A], limits: Limits) -> A:
    scope = asyncio.timeout(None)
    try:
        async with scope:
            # A timer holds its context, and with it the trial, until long after it was cancelled.
            until = asyncio.get_running_loop().time() + limits.seconds
            Context().run(scope.reschedule, until)
            return await answer
    except TimeoutError:
        if scope.expired():
            raise Hung from None
        raise  # The agent's or the user's own.


async def _answer(pending: Pending, limits: Limits) -> Answered:
    try:
        return Answered(await _in_time(pending.events, limits))
    except Hung:
        raise UserFault(f"the user gave no answer within {limits.seconds:g} s") from None


async def rollout_async(
    episode: Episode, agent: Agent, limits: Limits | None = None, clock: Clock = time.monotonic
) -> Played:
    """Play an episode with an agent and a user that may be asynchronous. An agent whose act hangs
    is cut off after the cap of seconds; the trial then ends as `time_cap`. A user that hangs as
    long has failed. Neither's time counts as the other's."""
    limits = limits or Limits()
    watch = _Watch(clock)
    steps = perform(episode, limits, watch)
    try:
        step = next(steps)
        while True:
            try:
                if isinstance(step, Pending):
                    given = await _answer(step, limits)
                else:
                    given = agent.act(step)
                    if inspect.isawaitable(given):
                        given = await _in_time(given, limits)
                        await watch.stopped()
            except Exception as error:
                step = steps.throw(error)
            else:
                step = steps.send(given)
    except StopIteration as stop:
        return stop.value
