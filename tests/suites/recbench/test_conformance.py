"""What every suite keeps to: any agent can be played, a transcript is all that scoring sees, and
nothing that is withheld comes through."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.dialogue import (
    Act,
    Agent,
    CallTools,
    Ended,
    Ending,
    Episode,
    Limits,
    Say,
    ToolCall,
    ToolReturned,
    Transcript,
    UserSaid,
    View,
    rollout,
    rollout_async,
)
from mystery_shopper.suites.recbench.query import Query
from mystery_shopper.suites.recbench.reference import AGENTS
from mystery_shopper.suites.recbench.scoring import Scorer
from mystery_shopper.suites.recbench.shelf import Interface
from mystery_shopper.suites.recbench.stage import Setting, set_stage

from .stage_world import films_queries, films_shelf, play, small_queries, small_shelf

QUERIES = small_queries()
SETTINGS = [
    Setting(interface, history, k)
    for interface in Interface
    for history in (False, True)
    for k in (0, 5)
]


class Playing:
    """Plays acts one after the other, then says something."""

    def __init__(self, acts: Sequence[Act], last: str = "None") -> None:
        self.left = [*acts, Say(last)]
        self.views: list[View] = []

    def act(self, view: View) -> Act:
        """The next act."""
        self.views.append(view)
        return self.left.pop(0)


@pytest.mark.parametrize("agent", sorted(AGENTS))
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_agent_plays_every_cell_alike_each_time(agent: str, setting: Setting) -> None:
    shelf = small_shelf()
    cells = {query.cell: query for query in QUERIES.queries}
    for query in cells.values():
        first, again = (play(agent, query, QUERIES, shelf, setting).transcript for _ in range(2))
        assert first.to_json() == again.to_json()
        assert first.ended == Ended(Ending.FINISHED)
        kept = Transcript.from_json(first.to_json())
        score = Scorer(shelf, QUERIES).score(query, setting, first)
        assert Scorer(shelf, QUERIES).score(query, setting, kept) == score
        assert msgspec.json.decode(msgspec.json.encode(score), type=type(score)) == score
        assert (score.success is True) == (score.failure is None)


def test_an_episode_played_asynchronously_is_the_same() -> None:
    query, shelf, setting = QUERIES.queries[0], small_shelf(), Setting(history=True)

    def stage() -> tuple[Episode, Agent]:
        made = AGENTS["graph"](query, QUERIES, shelf, setting)
        return set_stage(query, QUERIES, shelf, setting), made

    there = asyncio.run(rollout_async(*stage()))
    assert there.transcript == rollout(*stage()).transcript


NAMES = st.sampled_from(["search", "get_metadata", "get_history", "recommend", "", "é\ud800"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
GIVEN = st.dictionaries(
    st.sampled_from(["keywords", "genre", "starring", "director", "page", "item_id"]),
    st.sampled_from(["War", "actor 3", "f010", 1, 2, ["War", "Drama"], None, ""]),
    max_size=3,
)
CALLS = st.builds(ToolCall, NAMES, GIVEN | JSON)
ACTS = st.builds(
    lambda calls, text: CallTools(tuple(calls), text),
    st.lists(CALLS, max_size=3),
    st.text(max_size=10),
)


@given(
    st.lists(ACTS, max_size=4),
    st.text(max_size=80),
    st.sampled_from(QUERIES.queries),
    st.sampled_from(SETTINGS),
)
def test_whatever_an_agent_does_it_ends_and_is_scored(
    acts: list[Act], last: str, query: Query, setting: Setting
) -> None:
    episode = set_stage(query, QUERIES, small_shelf(), setting)
    played = rollout(episode, Playing(acts, last), Limits(calls=5, grace=2)).transcript
    assert played.ended is not None
    assert played.ended.kind in (Ending.FINISHED, Ending.TOOL_BUDGET, Ending.ERROR)
    if played.ended.kind is Ending.ERROR:
        # An act without a call or a word; the episode itself never fails.
        assert "holds no tool call" in played.ended.detail
    score = Scorer(small_shelf(), QUERIES).score(query, setting, played)
    assert score.success is False or score.figures.recommended
    assert Transcript.from_json(played.to_json()) == played


@given(st.lists(ACTS, max_size=4), st.sampled_from(QUERIES.queries), st.booleans())
def test_the_history_never_comes_through_where_it_is_not_handed_over(
    acts: list[Act], query: Query, history: bool
) -> None:
    """What tools give depends on the user in nothing but what is handed over."""
    setting = Setting(history=history)
    person = QUERIES.people[query.user]
    told = msgspec.structs.replace(person, items=QUERIES.history(query) if history else ())
    bare = msgspec.structs.replace(QUERIES, people={query.user: told})
    blind = msgspec.structs.replace(query, own=(), matching=(), parts=(), profile=None, named=())
    seen = [
        rollout(set_stage(one, queries, small_shelf(), setting), Playing(acts)).transcript
        for one, queries in ((query, QUERIES), (blind, bare))
    ]
    assert seen[0] == seen[1]


def test_get_history_shows_no_item_of_the_truths() -> None:
    for queries, shelf in ((QUERIES, small_shelf()), (films_queries(), films_shelf())):
        for query in queries.queries:
            setting = Setting(history=True)
            agent = Playing([CallTools((ToolCall("get_history"),))])
            events = rollout(set_stage(query, queries, shelf, setting), agent).transcript.events
            (returned,) = (event for event in events if isinstance(event, ToolReturned))
            shown = [row["item_id"] for row in json.loads(returned.content)["history"]]
            assert not query.withheld & set(shown)
            assert isinstance(events[0], UserSaid)
            lines = events[0].text.splitlines()
            assert [line for line in lines if line.startswith("- ")] == [
                f"- {shelf.dated(item)}" for item in shown
            ]


def test_the_agent_sees_the_request_and_nothing_of_what_is_true() -> None:
    query = next(query for query in QUERIES.queries if query.profile is not None)
    agent = Playing([])
    rollout(set_stage(query, QUERIES, small_shelf(), Setting()), agent)
    (view,) = agent.views
    assert [message.text for message in view.messages] == [query.text]
    assert query.id not in view.instructions
    assert query.user not in view.instructions
