"""Tools of the agent's own: reported calls are kept as they were, within bounds, and not shown."""

from __future__ import annotations

from typing import Any

import pytest

from mystery_shopper.dialogue import (
    AgentSaid,
    CallTools,
    Ended,
    Ending,
    Event,
    Fault,
    ForeignCall,
    ForeignTools,
    Limits,
    Say,
    ToolCall,
    ToolCalled,
    Transcript,
    View,
    rollout,
)
from mystery_shopper.engine.replay import acts_of
from mystery_shopper.testing import ScriptedAgent, StagedEpisode

ONE = ForeignCall("sql", {"q": 1}, [2])


def played(*acts: Any, limits: Limits | None = None) -> tuple[Event, ...]:
    agent = ScriptedAgent(acts, Say("Hm.", foreign=()))
    return rollout(StagedEpisode(budget=10**6), agent, limits).transcript.events


def own(events: tuple[Event, ...]) -> list[Event]:
    return [event for event in events if isinstance(event, ForeignTools | ForeignCall)]


def test_the_marker_stands_once_before_the_first_act() -> None:
    events = played(Say("a", foreign=(ONE,)), Say("b", foreign=()), limits=Limits(turns=3))
    assert own(events) == [ForeignTools(), ONE]
    first = next(n for n, event in enumerate(events) if isinstance(event, AgentSaid))
    assert events[first - 2 : first] == (ForeignTools(), ONE)
    assert dict(Transcript(events).by_turn())[1] is not None


def test_an_agent_with_our_tools_leaves_no_marker() -> None:
    agent = ScriptedAgent((Say("a"),), Say("b"))
    events = rollout(StagedEpisode(budget=10**6), agent, Limits(turns=2)).transcript.events
    assert own(events) == []


def test_reported_calls_are_bounded_and_cleaned() -> None:
    bad = ForeignCall("x" * 500, {"a": "\ud800", "b": float("nan")}, object)
    events = played(Say("a", foreign=(bad,) * 9), limits=Limits(turns=1, calls=3))
    kept = [event for event in events if isinstance(event, ForeignCall)]
    assert [call.left_off for call in kept] == [0, 0, 6]
    assert (len(kept[0].name), kept[0].arguments) == (200, {"a": "\ufffd", "b": "nan"})
    assert isinstance(kept[0].result, str)
    assert Transcript.from_json(Transcript(events).to_json()).events == events


@pytest.mark.parametrize("foreign", ["sql", 5, ("sql",), [None]])
def test_what_are_no_calls_end_the_trial(foreign: Any) -> None:
    events = played(Say("a", foreign=foreign))
    ended = events[-1]
    assert isinstance(ended, Ended)
    assert (ended.kind, ended.fault) == (Ending.ERROR, Fault.AGENT)
    assert own(events) == []


def test_the_agent_is_not_shown_them() -> None:
    seen: list[View] = []

    class Watching:
        def act(self, view: View) -> Say:
            seen.append(view)
            return Say("a", foreign=(ONE,))

    rollout(StagedEpisode(budget=10**6), Watching(), Limits(turns=2))
    assert {message.role for message in seen[1].messages} == {"user", "agent"}


def test_a_transcript_gives_the_acts_back() -> None:
    call = ToolCall("search", {"letters": "r"}, "c1")
    acts = (
        Say("a", foreign=(ONE, ONE)),
        CallTools((call,), "note", foreign=(ONE,)),
        Say("b", foreign=()),
        CallTools((), "", foreign=(ONE,)),
    )
    events = played(*acts)
    assert sum(isinstance(event, ToolCalled) for event in events) == 1
    again = played(*acts_of(events))
    assert again == events
