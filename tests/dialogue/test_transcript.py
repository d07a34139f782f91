"""A transcript outlives JSON and tells its turns apart."""

from __future__ import annotations

import json
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.dialogue import (
    AgentNoted,
    AgentSaid,
    Ended,
    Ending,
    Event,
    Fault,
    ForeignCall,
    ForeignTools,
    NotUnderstood,
    ReferenceSaid,
    StageChanged,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
    Transcript,
    UserSaid,
    Verdict,
)

TEXT = st.text(max_size=20)
TEXTS = st.lists(TEXT, max_size=3).map(tuple)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
OF_KIND: dict[type[Event], st.SearchStrategy[Event]] = {
    UserSaid: st.builds(UserSaid, TEXT, TEXTS, st.booleans(), TEXTS, TEXTS, TEXTS),
    NotUnderstood: st.builds(NotUnderstood, TEXT),
    AgentSaid: st.builds(AgentSaid, TEXT, st.integers(0, 9)),
    AgentNoted: st.builds(AgentNoted, TEXT, st.integers(0, 9)),
    ReferenceSaid: st.builds(ReferenceSaid, TEXT),
    ToolCalled: st.builds(ToolCalled, TEXT, TEXT, JSON),
    ToolReturned: st.builds(
        ToolReturned, TEXT, TEXT, TEXT, st.none() | st.sampled_from(ToolErrorKind)
    ),
    ForeignTools: st.builds(ForeignTools),
    ForeignCall: st.builds(ForeignCall, TEXT, JSON, JSON, st.integers(0, 9)),
    Verdict: st.builds(Verdict, TEXT, st.none() | st.booleans(), TEXTS, TEXTS),
    StageChanged: st.builds(StageChanged, TEXT, TEXT),
    Ended: st.builds(
        Ended, st.sampled_from(Ending), st.none() | TEXT, st.none() | st.sampled_from(Fault), TEXT
    ),
}
EVENTS = st.lists(st.one_of(*OF_KIND.values()), max_size=12).map(tuple)


def turns(*events: Event) -> list[int]:
    return [turn for turn, _ in Transcript(events).by_turn()]


def test_every_kind_is_tried() -> None:
    assert set(OF_KIND) == set(get_args(Event))


@settings(deadline=None)
@given(EVENTS)
def test_json_gives_an_equal_transcript_back(events: tuple[Event, ...]) -> None:
    transcript = Transcript(events)
    text = transcript.to_json()
    assert Transcript.from_json(text) == transcript
    assert Transcript.from_json(text).to_json() == text
    json.loads(text)


@settings(deadline=None)
@given(EVENTS)
def test_turns_never_go_back_and_miss_no_event(events: tuple[Event, ...]) -> None:
    numbered = list(Transcript(events).by_turn())
    assert [event for _, event in numbered] == list(events)
    steps = [turn for turn, _ in numbered]
    assert steps == sorted(steps)
    said = sum(isinstance(event, AgentSaid) for event in events)
    assert said <= max(steps, default=0) <= said + 1


def test_a_turn_runs_from_the_agents_work_to_what_its_words_bring_about() -> None:
    call = (ToolCalled("1", "x"), ToolReturned("1", "x", "{}"))
    assert turns(
        UserSaid("Hello."),
        *call,
        AgentNoted("Hm."),
        *call,
        AgentSaid("This one?"),
        Verdict("1", accepted=False),
        UserSaid("No."),
        AgentSaid("What then?"),
        NotUnderstood("What"),
        UserSaid("Sorry?"),
        *call,
        Ended(Ending.RECOMMENDED),
    ) == [0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3, 3]


def test_an_agent_that_speaks_first_does_so_in_turn_one() -> None:
    assert turns(AgentSaid("Hello."), UserSaid("Hello."), AgentSaid("So?")) == [1, 1, 2]
    assert turns(ReferenceSaid("Hello."), AgentSaid("So?")) == [0, 1]
    assert turns() == []


def test_the_ending_is_the_last_event_or_there_is_none() -> None:
    ended = Ended(Ending.FINISHED)
    assert Transcript((UserSaid("x"), ended)).ended is ended
    assert Transcript((UserSaid("x"),)).ended is None
    assert Transcript().ended is None


@pytest.mark.parametrize("text", ["{", "[]", '{"events":[{"type":"sneezed"}]}', '{"event":[]}'])
def test_what_is_no_transcript_is_refused(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        Transcript.from_json(text)
