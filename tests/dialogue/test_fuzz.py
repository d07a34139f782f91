"""Whatever an agent does, an episode ends, once, and its transcript can be written and read."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mystery_shopper.dialogue import (
    CallTools,
    Ended,
    Fault,
    Limits,
    Say,
    ToolCall,
    ToolCalled,
    ToolReturned,
    Transcript,
    rollout,
)
from mystery_shopper.foundation import AgentFault, ContextOverflow, InfrastructureFault
from mystery_shopper.testing import ReplayedEpisode, ScriptedAgent, StagedEpisode, events_of

LIMITS = Limits(turns=5, calls=6, grace=2, seconds=math.inf, text=50)
WORD = st.text(max_size=8) | st.sampled_from(["\ud800", "x" * 99, "red", "", "null", "{", "{}"])
VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORD | st.binary(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORD, inner, max_size=3),
    max_leaves=6,
)
GOOD = st.sampled_from(
    [
        ToolCall("search", {"letters": "r"}),
        ToolCall("advance"),
        ToolCall("answer", {"colour": "red"}),
        ToolCall("answer", '{"colour": "blue"}'),
        ToolCall("answer", {"colour": "mauve"}),
    ]
)
NAME: Any = st.sampled_from(["search", "advance", "answer", "sneeze"]) | WORD | VALUE
CALL = GOOD | st.builds(ToolCall, NAME, VALUE, st.sampled_from(["", "a"]) | VALUE)
ACT: Any = st.one_of(
    st.builds(CallTools, st.lists(GOOD, min_size=1, max_size=3).map(tuple)),
    st.builds(CallTools, st.lists(CALL, max_size=4).map(tuple), WORD),
    st.builds(Say, WORD | VALUE),
)
LAST: Any = VALUE | st.sampled_from(
    [
        AgentFault("a"),
        ContextOverflow("b"),
        InfrastructureFault("c"),
        ValueError("d"),
        CallTools(()),
    ]
)
HEAVY = settings(max_examples=800, deadline=None, suppress_health_check=list(HealthCheck))


def check(transcript: Transcript) -> None:
    ended = transcript.ended
    assert ended is not None
    assert events_of(transcript, Ended) == [ended]
    assert not ended.detail.startswith("the episode failed")
    assert ended.fault is not Fault.USER
    text = transcript.to_json()
    json.loads(text)
    assert Transcript.from_json(text) == transcript
    called = [event.call_id for event in events_of(transcript, ToolCalled)]
    assert called == [event.call_id for event in events_of(transcript, ToolReturned)]
    assert len(set(called)) == len(called)
    for event in events_of(transcript, ToolReturned):
        json.loads(event.content)


@HEAVY
@given(st.lists(ACT, max_size=25), LAST)
def test_a_staged_episode_ends_whatever_the_agent_does(acts: list[Any], last: Any) -> None:
    played = rollout(StagedEpisode(), ScriptedAgent(acts, last), LIMITS)
    check(played.transcript)
    again = rollout(StagedEpisode(), ScriptedAgent(acts, last), LIMITS)
    assert again.transcript.to_json() == played.transcript.to_json()


@settings(HEAVY, max_examples=200)
@given(st.lists(ACT, max_size=10), LAST)
def test_so_does_a_replayed_one(acts: list[Any], last: Any) -> None:
    check(rollout(ReplayedEpisode(), ScriptedAgent(acts, last), LIMITS).transcript)
