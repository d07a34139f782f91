"""Users that have to be asked first: who waits, whose time it is, and whose fault."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest

from mystery_shopper.dialogue import (
    AgentSaid,
    CallTools,
    Ended,
    Ending,
    Event,
    Fault,
    Limits,
    Say,
    ToolCall,
    Transcript,
    UserSaid,
    View,
    rollout,
    rollout_async,
)
from mystery_shopper.foundation import (
    AgentFault,
    ContextOverflow,
    InfrastructureFault,
    UserFault,
)
from mystery_shopper.testing import ScriptedAgent, StagedEpisode

Act = Say | CallTools


@dataclass
class Slow(StagedEpisode):
    """The toy episode with a user that answers later, or fails when it is to answer the nth time
    (0 is the opening)."""

    fails: int = -1
    error: Exception = field(default_factory=lambda: UserFault("gone"))
    wait: float = 0.0
    asked: int = 0

    def open(self) -> Any:
        return self._later(super().open())

    def heard(self, text: str) -> Any:
        return self._later(super().heard(text))

    async def _later(self, events: Iterable[Event]) -> Iterable[Event]:
        self.asked += 1
        await asyncio.sleep(self.wait)
        if self.asked - 1 == self.fails:
            raise self.error
        return list(events)


SCRIPT: tuple[Act, ...] = (
    Say("Hello."),
    CallTools((ToolCall("advance"), ToolCall("answer", {"colour": "red"}))),
    CallTools((ToolCall("answer", {"colour": "blue"}),)),
)


def play(episode: Any, *acts: Any, **limits: Any) -> tuple[Transcript, tuple[float, ...]]:
    played = asyncio.run(
        rollout_async(episode, ScriptedAgent(acts or SCRIPT), Limits(**limits) if limits else None)
    )
    return played.transcript, played.seconds


def test_a_user_that_answers_later_makes_the_same_transcript() -> None:
    at_once = rollout(StagedEpisode(), ScriptedAgent(SCRIPT)).transcript
    assert play(Slow())[0] == at_once
    assert at_once.ended
    assert at_once.ended.kind is Ending.RECOMMENDED


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (UserFault("no words"), Fault.USER),
        (InfrastructureFault("502"), Fault.INFRASTRUCTURE),
        (AgentFault("token limit"), Fault.USER),
        (ContextOverflow("full"), Fault.USER),
        (ValueError("oops"), Fault.USER),
        (TimeoutError("late"), Fault.USER),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_a_user_raises_is_never_the_agents(place: int, error: Exception, fault: Fault) -> None:
    ended = play(Slow(fails=place, error=error))[0].ended
    assert ended is not None
    assert (ended.kind, ended.fault) == (Ending.ERROR, fault)
    assert str(error) in ended.detail


def test_its_time_is_not_the_agents() -> None:
    transcript, seconds = play(Slow(wait=0.15), seconds=0.2)
    assert transcript.ended
    assert transcript.ended.kind is Ending.RECOMMENDED
    assert sum(seconds) < 0.1


def test_a_user_that_hangs_has_failed() -> None:
    ended = play(Slow(wait=5), seconds=0.1)[0].ended
    assert ended is not None
    assert (ended.kind, ended.fault) == (Ending.ERROR, Fault.USER)
    assert "no answer within 0.1 s" in ended.detail


def test_the_turn_cap_holds_after_the_answer() -> None:
    transcript, _ = play(Slow(), Say("One."), Say("Two."), turns=1)
    assert [type(event) for event in transcript.events[-3:]] == [AgentSaid, UserSaid, Ended]
    assert transcript.ended
    assert transcript.ended.kind is Ending.TURN_CAP


@pytest.mark.filterwarnings("error")
def test_who_cannot_wait_says_so() -> None:
    ended = rollout(Slow(), ScriptedAgent(SCRIPT)).transcript.ended
    assert ended == Ended(
        Ending.ERROR,
        fault=Fault.USER,
        detail="this user is asynchronous; play it with rollout_async",
    )


def test_an_asynchronous_agent_and_user_together() -> None:
    class Agent:
        def __init__(self) -> None:
            self.script = ScriptedAgent(SCRIPT)

        async def act(self, view: View) -> Act:
            await asyncio.sleep(0)
            return self.script.act(view)

    played = asyncio.run(rollout_async(Slow(), Agent()))
    assert played.transcript == rollout(StagedEpisode(), ScriptedAgent(SCRIPT)).transcript


def test_an_awaitable_that_is_no_coroutine_is_awaited() -> None:
    class Future(StagedEpisode):
        def heard(self, text: str) -> Any:
            found: asyncio.Future[Iterable[Event]] = asyncio.get_running_loop().create_future()
            found.set_result(list(StagedEpisode.heard(self, text)))
            return found

    make: Callable[[], Awaitable[Any]] = lambda: rollout_async(Future(), ScriptedAgent(SCRIPT))  # noqa: E731
    assert asyncio.run(_run(make)).transcript.ended.kind is Ending.RECOMMENDED


async def _run(make: Callable[[], Awaitable[Any]]) -> Any:
    return await make()
