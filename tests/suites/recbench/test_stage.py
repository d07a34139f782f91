"""The episode of one request: what is said, what is in hand, and how it ends."""

from __future__ import annotations

import hashlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.dialogue import AgentSaid, Ended, Ending, UserSaid, rollout
from mystery_shopper.suites.recbench.prompts import PROMPTS_VERSION
from mystery_shopper.suites.recbench.query import Person
from mystery_shopper.suites.recbench.request import MOST_HISTORY, handed
from mystery_shopper.suites.recbench.shelf import Interface
from mystery_shopper.suites.recbench.stage import Setting, instructions, set_stage

from .stage_world import Saying, small_queries, small_shelf

QUERIES = small_queries()
QUERY = next(query for query in QUERIES.queries if QUERIES.history(query) and query.named)


def opening(setting: Setting, query=QUERY, queries=QUERIES) -> str:
    (first,) = set_stage(query, queries, small_shelf(), setting).open()
    assert isinstance(first, UserSaid)
    return first.text


def test_without_more_the_request_is_the_querys_text() -> None:
    assert opening(Setting()) == QUERY.text


def test_a_number_is_asked_for_in_words() -> None:
    assert opening(Setting(k=5)) == f"{QUERY.text}\n\nPlease name exactly 5 films."
    assert opening(Setting(k=1)).endswith("Please name exactly 1 film.")


@pytest.mark.parametrize(
    ("k", "told"),
    [
        (0, "How many you name is up to you: all that fit well."),
        (1, "Name 1 film, whatever other number the request speaks of; none only where none fits."),
        (5, "Name 5 films, whatever other number the request speaks of; fewer only where fewer"),
    ],
)
def test_the_instructions_say_which_number_rules(k: int, told: str) -> None:
    text = instructions(small_shelf().catalogue.domain, Setting(k=k))
    assert f"\n- {told}" in text
    assert "exactly so many" not in text


def test_changed_words_need_a_new_version() -> None:
    """Raise PROMPTS_VERSION with any change of the words, then pin the new hash here."""
    everything = "\x1f".join(
        instructions(small_shelf().catalogue.domain, Setting(interface, history, k))
        for interface in Interface
        for history in (False, True)
        for k in (0, 1, 5)
    )
    pinned = {2: "53c99e2fd77aa93b"}
    assert pinned[PROMPTS_VERSION] == hashlib.sha256(everything.encode()).hexdigest()[:16]


def test_the_history_is_told_with_years_the_most_recent_last() -> None:
    history = QUERIES.history(QUERY)
    lines = opening(Setting(history=True, k=2)).split("\n\n")
    assert lines[0] == QUERY.text
    head, *told = lines[1].splitlines()
    assert head == "The films that I have watched, the most recent last:"
    assert told == [f"- {small_shelf().dated(item)}" for item in history]
    assert told[0].endswith(")")
    assert lines[2] == "Please name exactly 2 films."


def test_of_a_long_history_the_latest_are_told_and_how_many_there_are() -> None:
    known = [item for item in small_shelf().catalogue.ids if item not in QUERY.withheld]
    items = (*known[: MOST_HISTORY + 7], "no such item")
    queries = msgspec.structs.replace(QUERIES, people={QUERY.user: Person(items)})
    text = opening(Setting(history=True), queries=queries)
    assert f"The last {MOST_HISTORY} of the {MOST_HISTORY + 7} films that I have watched" in text
    told = [line for line in text.splitlines() if line.startswith("- ")]
    assert told == [f"- {small_shelf().dated(i)}" for i in known[7 : MOST_HISTORY + 7]]
    assert handed(QUERY, queries, small_shelf()).items == tuple(known[7 : MOST_HISTORY + 7])


def test_a_user_without_history_says_so() -> None:
    queries = msgspec.structs.replace(QUERIES, people={})
    text = opening(Setting(history=True), queries=queries)
    assert text.endswith("I have not watched any films yet that I could tell you of.")


def test_the_history_withholds_both_truths_and_what_is_named() -> None:
    for query in QUERIES.queries:
        assert not query.withheld & set(handed(query, QUERIES, small_shelf()).items)


@pytest.mark.parametrize("history", [False, True])
@pytest.mark.parametrize("interface", list(Interface))
def test_the_tools_in_hand_are_those_that_the_instructions_name(
    interface: Interface, history: bool
) -> None:
    setting = Setting(interface, history)
    episode = set_stage(QUERY, QUERIES, small_shelf(), setting)
    told = instructions(small_shelf().catalogue.domain, setting)
    assert episode.instructions == told
    tools = [spec.name for spec in small_shelf().specs(interface, history)]
    assert list(episode.tools()) == tools
    named = [name for name in ("search", "get_metadata", "get_history") if f"`{name}`" in told]
    assert named == tools
    assert ("no tools" in told) == (interface is Interface.BARE)
    assert '"recommendations"' in told
    assert '"concerns"' in told
    assert "{" not in told.replace('{"', "")


@given(st.text(max_size=200))
def test_any_words_end_the_episode(text: str) -> None:
    played = rollout(set_stage(QUERY, QUERIES, small_shelf(), Setting()), Saying(text))
    *_, said, ended = played.transcript.events
    assert isinstance(said, AgentSaid)
    assert ended == Ended(Ending.FINISHED)
