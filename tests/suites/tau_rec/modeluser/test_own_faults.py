"""Whatever a person's own user does, the fault is the user's: the trial ends, the run does not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from mystery_shopper.dialogue import Ending, Fault, rollout, rollout_async
from mystery_shopper.engine.loading import load_shelf, load_tasks
from mystery_shopper.foundation import AgentFault, ContextOverflow, InfrastructureFault, UserFault
from mystery_shopper.suites.tau_rec.guard import Ear
from mystery_shopper.suites.tau_rec.modeluser import GuardedUser, OwnVoice
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.user import RuleUser
from mystery_shopper.testing import ScriptedAgent


class Raising:
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def open(self) -> Any:
        return "Hello."

    def hear(self, _: str) -> Any:
        raise self.error


class RaisingLater(Raising):
    async def hear(self, _: str) -> Any:
        raise self.error


class Giving(Raising):
    def __init__(self, words: Any) -> None:
        self.words = words

    def hear(self, _: str) -> Any:
        return self.words


def ended(make: Any, *, asynchronous: bool = False) -> Any:
    def speaker(rule: RuleUser, shelf: Shelf) -> GuardedUser:
        return GuardedUser(rule, Ear(shelf.catalogue), lambda: OwnVoice(make()))

    task = load_tasks("tau_rec/films@1").by_id["f003-mixed"]
    episode = set_stage(task, load_shelf("films", 5000), Setting(), speaker)
    agent = ScriptedAgent()
    if asynchronous:
        return asyncio.run(rollout_async(episode, agent)).transcript.ended
    return rollout(episode, agent).transcript.ended


ERRORS = {
    "ValueError": (ValueError("boom \ud800"), "the user's own code raised ValueError: boom"),
    "StopIteration": (StopIteration(), "the user's own code raised StopIteration"),
    "RecursionError": (RecursionError("deep"), "the user's own code raised RecursionError"),
    "SystemExit": (SystemExit(3), "the user's own code raised SystemExit: 3"),
    "CancelledError": (asyncio.CancelledError(), "the user's own code raised CancelledError"),
    "AgentFault": (AgentFault("mine"), "the user's own model: mine"),
    "ContextOverflow": (ContextOverflow("full"), "the user's own model: full"),
    "UserFault": (UserFault("so"), "so"),
}


@pytest.mark.parametrize("kind", [Raising, RaisingLater])
@pytest.mark.parametrize("name", ERRORS)
def test_what_it_raises_is_its_own_fault(name: str, kind: type[Raising]) -> None:
    error, told = ERRORS[name]
    if name == "StopIteration" and kind is RaisingLater:
        told = "the user's own code raised RuntimeError"  # So Python has it in coroutines.
    end = ended(lambda: kind(error), asynchronous=kind is RaisingLater)
    assert (end.kind, end.fault) == (Ending.ERROR, Fault.USER)
    assert end.detail.startswith(told)


@pytest.mark.parametrize("kind", [Raising, RaisingLater])
def test_a_provider_that_is_out_of_reach_is_nobodys(kind: type[Raising]) -> None:
    end = ended(lambda: kind(InfrastructureFault("down")), asynchronous=kind is RaisingLater)
    assert (end.kind, end.fault) == (Ending.ERROR, Fault.INFRASTRUCTURE)


@pytest.mark.parametrize("words", [None, b"words", 5, ["a"], (word for word in "ab")])
def test_what_is_no_text_is_its_fault(words: Any) -> None:
    end = ended(lambda: Giving(words))
    assert (end.kind, end.fault) == (Ending.ERROR, Fault.USER)
    assert "must answer with text" in end.detail


@pytest.mark.parametrize("words", ["a\ud800", "Go on. " * 1_000_000, "\x00\x1b[2J go on"])
def test_strange_text_is_text(words: str) -> None:
    end = ended(lambda: Giving(words))
    assert (end.kind, end.fault) == (Ending.TURN_CAP, Fault.AGENT)


def test_a_class_that_cannot_be_made_is_its_fault() -> None:
    def make() -> Any:
        raise RuntimeError("no such user")

    end = ended(make)
    assert (end.kind, end.fault) == (Ending.ERROR, Fault.USER)
    assert end.detail == "the user's own code raised RuntimeError: no such user"


def test_a_cancelling_from_outside_goes_through() -> None:
    class Slow(Raising):
        async def hear(self, _: str) -> Any:
            await asyncio.sleep(60)

    def made() -> Any:
        return Slow(ValueError())

    def speaker(rule: RuleUser, shelf: Shelf) -> GuardedUser:
        return GuardedUser(rule, Ear(shelf.catalogue), lambda: OwnVoice(made()))

    task = load_tasks("tau_rec/films@1").by_id["f003-mixed"]

    async def cancel() -> None:
        episode = set_stage(task, load_shelf("films", 5000), Setting(), speaker)
        playing = asyncio.create_task(rollout_async(episode, ScriptedAgent()))
        await asyncio.sleep(0.05)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing

    asyncio.run(cancel())
