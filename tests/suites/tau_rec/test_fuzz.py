"""20,000 messages and calls, none of them kind, and not one crash of an episode of the suite."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mystery_shopper.dialogue import (
    Act,
    AgentSaid,
    CallTools,
    Ended,
    Ending,
    Fault,
    Limits,
    Say,
    ToolCall,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
    Transcript,
    View,
    rollout,
)
from mystery_shopper.foundation import AgentFault
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Task
from mystery_shopper.suites.tau_rec.taskfile import shipped_task_set
from mystery_shopper.testing import events_of, tool_errors

WANTED = 20_000
EXAMPLES = 650
LIMITS = Limits(turns=60, calls=60, grace=5, seconds=math.inf)
TASKS = ("f003-hidden", "f005-mixed", "f001-volunteer")
TOOLS = ("search", "get_metadata", "check_formats", "get_history", "recommend")
FIELDS = (
    "genre",
    "country",
    "year_min",
    "year_max",
    "formats",
    "order",
    "page",
    "item_id",
    "query",
)
ITEM = "tt0464141"


def nested(depth: int, of: str) -> Any:
    inner: Any = "the bottom"
    for _ in range(depth):
        inner = [inner] if of == "list" else {"genre": inner}
    return inner


DEEP = [nested(500, "list"), nested(500, "object"), {"genre": nested(5_000, "list")}]
DEEP_TEXT = ["[" * 20_000, '{"genre":' * 5_000, '{"genre":' * 300 + "1" + "}" * 300]
WORD = st.text(st.characters(), max_size=12) | st.sampled_from(
    [
        *("", " ", "null", "{}", "[]", "{", "\ud800", "x\udfff\ud83d", "\x00", "x" * 3_000),
        *(
            "Drama",
            "Sweden",
            "DVD",
            "recency",
            ITEM,
            "NaN",
            '"',
            "\u202e",
            "٣٫٥",
            "½",
            "-0",
            "1e999",
        ),
    ]
)
LEAF = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3_000)
    | st.sampled_from(
        [2**63, -(2**70), 10**400, 1e308, math.nan, math.inf, -math.inf, 0.5, b"\xff"]
    )
    | WORD
)
VALUE = LEAF | st.lists(LEAF, max_size=3) | st.dictionaries(WORD, LEAF, max_size=2)
OBJECT = st.dictionaries(st.sampled_from(FIELDS), VALUE, max_size=3) | st.fixed_dictionaries(
    {"item_id": VALUE}
)
ARGUMENTS: st.SearchStrategy[Any] = st.one_of(
    OBJECT,
    OBJECT.map(lambda given: json.dumps(given, default=str)),
    VALUE,
    st.sampled_from([*DEEP, *DEEP_TEXT, "", None, [], {}, (), 7, object()]),
)
NAME: st.SearchStrategy[Any] = st.sampled_from(TOOLS) | WORD | st.sampled_from([None, 7, b"search"])
CALL = st.builds(ToolCall, NAME, ARGUMENTS, st.sampled_from(["", "same", None, 7]))
SENTENCE = st.sampled_from(
    [
        "Which genre do you like?",
        "Anything else? And the country, the year and the format?",
        f"How about [[candidate_id:{ITEM}]]?",
        "[[candidate_id:]] [[candidate_id:nobody]] [[candidate_id:",
        "No, not horror; either drama or comedy (or both)?",
        "| genre | year |\n|---|---|\n| drama? | 1990? |",
        "- " * 500 + "?",
        "((((" * 300 + "genre?" + "))))" * 300,
    ]
)
SAY = st.builds(Say, WORD | SENTENCE | st.lists(SENTENCE | WORD, max_size=4).map(" ".join))
ACT: st.SearchStrategy[Any] = st.one_of(
    SAY,
    st.builds(CallTools, st.tuples(CALL), st.just("") | WORD),
    st.builds(CallTools, st.lists(CALL, min_size=2, max_size=4).map(tuple)),
)


@cache
def shelf() -> Shelf:
    return Shelf(load_films())


@cache
def task(name: str) -> Task:
    return shipped_task_set("tau_rec/films@1").by_id[name]


class Feeder:
    """Plays acts from one list over as many trials as they last; `left` once there are none."""

    def __init__(self, acts: list[Any]) -> None:
        self.acts: Iterator[Any] = iter(acts)
        self.left = False

    def act(self, view: View) -> Act:
        del view
        for act in self.acts:
            return act
        self.left = True
        raise AgentFault("no more")


def thrown(transcript: Transcript) -> int:
    """Messages and calls on record."""
    return sum(isinstance(event, AgentSaid | ToolCalled) for event in transcript.events)


def check(transcript: Transcript, of: Task) -> None:
    ended = transcript.ended
    assert ended is not None
    assert events_of(transcript, Ended) == [ended]
    assert not ended.detail.startswith("the episode failed"), ended.detail
    assert ended.fault is not Fault.INFRASTRUCTURE
    if ended.fault is Fault.USER:
        assert "language" in ended.detail
    text = transcript.to_json()
    json.loads(text)
    assert Transcript.from_json(text) == transcript
    called = [event.call_id for event in events_of(transcript, ToolCalled)]
    assert called == [event.call_id for event in events_of(transcript, ToolReturned)]
    for event in events_of(transcript, ToolReturned):
        found: Any = json.loads(event.content)
        assert (event.error is not None) == ("error" in found)
    shelf().scorer.score(of, transcript)


def play(acts: list[Any], of: Task, interface: Interface) -> list[Transcript]:
    """Throw all the acts: trial after trial, since some acts end one."""
    feeder, transcripts = Feeder(acts), list[Transcript]()
    while not feeder.left:
        episode = set_stage(of, shelf(), Setting(interface))
        transcripts.append(rollout(episode, feeder, LIMITS).transcript)
    return transcripts


def test_twenty_thousand_of_them_break_no_episode() -> None:
    total, errors = 0, set[ToolErrorKind | None]()

    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    @given(
        st.lists(ACT, min_size=12, max_size=40),
        st.sampled_from(TASKS),
        st.sampled_from(list(Interface)),
    )
    def throw(acts: list[Any], name: str, interface: Interface) -> None:
        nonlocal total
        for transcript in play(acts, task(name), interface):
            check(transcript, task(name))
            total += thrown(transcript)
            errors.update(tool_errors(transcript))

    throw()
    assert total >= WANTED
    assert errors >= {
        None,
        ToolErrorKind.UNKNOWN_TOOL,
        ToolErrorKind.BAD_ARGUMENTS,
        ToolErrorKind.REFUSED,
    }


FIVE = 5 * 2**20
HUGE = {
    "one word": "x" * FIVE,
    "words": "Which genre do you like? " * (FIVE // 25),
    "marks": "?!([{" * (FIVE // 5),
    "surrogates": "\ud800" * FIVE,
    "tags": f"[[candidate_id:{ITEM}]]" * (FIVE // 28),
    "lines": "- genre\n" * (FIVE // 8),
    "nothing": "\x00" * FIVE,
}


@pytest.mark.parametrize("kind", HUGE)
def test_five_megabytes_of(kind: str) -> None:
    """As a message, beside a call, as an argument, as all the arguments, as a tool's name."""
    text = HUGE[kind]
    calls = (
        ToolCall("get_metadata", {"item_id": text}),
        ToolCall("search", {"genre": [text, text], text: 1}),
        ToolCall("search", text),
        ToolCall(text, {}, text),
    )
    acts = [CallTools(calls, text), Say(text), Say("Which genre?")]
    for transcript in play(acts, task("f003-hidden"), Interface.STRUCTURED):
        check(transcript, task("f003-hidden"))
        assert len(transcript.to_json()) < 12 * LIMITS.text * 6
        assert all(len(event.text) <= LIMITS.text for event in events_of(transcript, AgentSaid))
        ended = transcript.ended
        assert ended is not None
        assert ended.kind is Ending.ERROR  # The feeder ran out, or the user cannot read it.
