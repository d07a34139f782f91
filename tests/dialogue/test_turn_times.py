"""The agent's seconds turn by turn: its own steps between the user's words, added up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import pytest

from mystery_shopper.dialogue import (
    Act,
    CallTools,
    Ended,
    Ending,
    Event,
    Message,
    Say,
    ToolCall,
    UserSaid,
    View,
    rollout,
    rollout_async,
    show_event,
)
from mystery_shopper.dialogue.rollout import Played
from mystery_shopper.dialogue.tools import Tool, ToolResult

CALL = CallTools((ToolCall("search"),))
TWO = CallTools((ToolCall("search"), ToolCall("search")))


@dataclass
class Talk:
    """An episode that answers everything, until the agent calls `done`."""

    clock: list[float]
    waits: float = 100.0
    instructions: str = ""

    def open(self) -> Iterable[Event]:
        return [UserSaid("Hello.")]

    def tools(self) -> Mapping[str, Tool]:
        return {}

    def heard(self, text: str) -> Iterable[Event]:
        del text
        self.clock[0] += self.waits  # The user's own time.
        return [UserSaid("Go on.")]

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        del result
        self.clock[0] += self.waits  # A tool's time.
        return [Ended(Ending.FINISHED)] if name == "done" else []

    def show(self, event: Event) -> Message | None:
        return show_event(event)


@dataclass
class Timed:
    """Acts that each take so many seconds; an exception is raised."""

    clock: list[float]
    script: list[tuple[float, Act | Exception]] = field(default_factory=list)

    def act(self, view: View) -> Act:
        del view
        seconds, act = self.script.pop(0)
        self.clock[0] += seconds
        if isinstance(act, Exception):
            raise act
        return act


def turns(*script: tuple[float, Act | Exception]) -> tuple[float, ...]:
    clock = [0.0]
    played = rollout(Talk(clock), Timed(clock, list(script)), clock=lambda: clock[0])
    assert sum(played.turns) == pytest.approx(sum(played.seconds))
    assert len(played.seconds) == len(script)
    return played.turns


def test_a_turn_is_the_agents_steps_up_to_its_words_or_its_last_act() -> None:
    done = CallTools((ToolCall("done"),))
    found = turns((1, CALL), (2, TWO), (4, Say("A?")), (8, Say("B?")), (16, CALL), (32, done))
    assert found == (7, 8, 48)


def test_a_failed_act_is_waited_for_too() -> None:
    assert turns((1, Say("A?")), (2, CALL), (4, ValueError("no"))) == (1, 6)


def test_an_adapters_own_reading_counts() -> None:
    found = turns((5, Say("A?", seconds=0.5)), (4, ValueError("no")))
    assert found == (0.5, 4)


def test_an_act_that_has_come_is_timed_before_the_tools_of_another_trial_run() -> None:
    """Both trials' acts come in one turn of the loop, and a tool takes 100 seconds."""
    clock = [0.0]

    class Waiting:
        left = ("search", "done")

        async def act(self, view: View) -> Act:
            del view
            await asyncio.sleep(0)
            name, *self.left = self.left
            return CallTools((ToolCall(name),))

    async def both() -> list[Played]:
        playing = (rollout_async(Talk(clock), Waiting(), clock=lambda: clock[0]) for _ in range(2))
        return await asyncio.gather(*playing)

    first, second = asyncio.run(both())
    assert first.seconds[0] == second.seconds[0] == 0
    assert clock[0] == 400
