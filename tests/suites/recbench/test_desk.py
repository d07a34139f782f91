"""The tools: what they find, what they refuse, and what they never show."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.dialogue import ToolErrorKind, ToolResult, invoke
from mystery_shopper.suites.recbench.desk import Desk
from mystery_shopper.suites.recbench.request import handed
from mystery_shopper.suites.recbench.shelf import PAGE, Interface, Shelf
from mystery_shopper.suites.recbench.spellings import Spellings

from .stage_world import VOTES, films_shelf, small_catalogue, small_queries, small_shelf

SHELF = Shelf(small_catalogue(VOTES))
DESK = Desk(SHELF, Interface.TOOLS)


def call(name: str, desk: Desk = DESK, **arguments: object) -> ToolResult:
    return invoke(desk.tools, name, arguments)


def found(desk: Desk = DESK, **arguments: object) -> Mapping[str, Any]:
    result = call("search", desk, **arguments)
    assert result.error is None, result.content
    return json.loads(result.content)


def ids(answer: Mapping[str, Any]) -> list[str]:
    return [row["item_id"] for row in answer["items"]]


def bearers(desk: Desk, **wanted: str) -> list[str]:
    """By looking at every item's columns."""
    fields = {"starring": "cast"}
    catalogue = desk.shelf.catalogue
    return [
        item
        for place, item in enumerate(catalogue.ids)
        if all(
            value in (catalogue.item(place)[fields.get(name, name)] or ())  # type: ignore[operator]
            for name, value in wanted.items()
        )
    ]


def test_values_must_all_hold_the_most_popular_first() -> None:
    wanted = bearers(DESK, genre="War", director="Director C")
    assert len(wanted) > 1
    answer = found(genre="war", director=["director c"])
    assert ids(answer) == wanted
    assert (answer["total"], answer["page"], answer["pages"]) == (len(wanted), 1, 1)
    several = bearers(DESK, starring="Actor 3", genre="Drama")
    assert ids(found(starring=["Actor 3"], genre=["Drama"])) == several


def test_several_values_of_a_relation_must_all_be_borne() -> None:
    both = [item for item in bearers(DESK, genre="War") if item in bearers(DESK, genre="Drama")]
    answer = found(genre=["War", "Drama"])
    assert ids(answer) == both[:PAGE]
    assert answer["total"] == len(both)


def test_pages_go_through_everything() -> None:
    every: list[str] = []
    for page in range(1, 14):
        answer = found(page=page)
        every += ids(answer)
        assert (answer["total"], answer["pages"]) == (240, 12)
    assert every == list(SHELF.catalogue.ids)


def test_keywords_find_by_bm25() -> None:
    hits = [SHELF.catalogue.ids[place] for place, _ in SHELF.keyword.search("actor 12 war", PAGE)]
    assert ids(found(keywords="actor 12 war")) == hits
    assert ids(found(keywords="zzz")) == []


def test_keywords_and_values_both_hold_in_the_keywords_order() -> None:
    wanted = set(bearers(DESK, genre="War"))
    hits = [SHELF.catalogue.ids[place] for place, _ in SHELF.keyword.search("director c", 240)]
    expected = [item for item in hits if item in wanted]
    answer = found(keywords="director c", genre="War")
    assert answer["total"] == len(expected) > 1
    assert ids(answer) == expected[:PAGE]


def test_an_unknown_value_gives_those_near_to_it() -> None:
    result = call("search", genre="Wester")
    told = json.loads(result.content)
    assert result.error is ToolErrorKind.REFUSED
    assert "'Wester' as genre" in told["error"]
    assert told["known"][0] == "Western"
    assert set(told["known"]) == set(SHELF.graph.values("genre"))


@pytest.mark.parametrize(
    ("relation", "asked", "meant"),
    [
        ("director", "Spielberg", "Steven Spielberg"),
        ("director", "Clint", "Clint Eastwood"),
        ("director", "Steven Speilberg", "Steven Spielberg"),
        ("starring", "Depardieu", "Gérard Depardieu"),
        ("genre", "science fiction", "Sci-Fi"),
    ],
)
def test_of_the_films_the_value_meant_is_among_the_near(
    relation: str, asked: str, meant: str
) -> None:
    graph = films_shelf().graph
    if meant not in graph.values(relation):
        pytest.skip(f"the films have no {meant}")
    near = Spellings(graph).near(relation, asked)
    assert meant in near
    assert len(near) <= 40


def test_metadata_is_the_items_record() -> None:
    told = json.loads(call("get_metadata", item_id="f010").content)
    assert told == json.loads(json.dumps(SHELF.record(SHELF.catalogue.item(
        SHELF.position_of["f010"]))))  # fmt: skip
    assert call("get_metadata", item_id="nobody").error is ToolErrorKind.REFUSED


def test_history_shows_what_is_handed_and_nothing_of_the_answers() -> None:
    shelf, queries = small_shelf(), small_queries()
    for query in queries.queries:
        history = handed(query, queries, shelf)
        desk = Desk(shelf, Interface.TOOLS, history)
        told = json.loads(call("get_history", desk).content)
        shown = [row["item_id"] for row in told["history"]]
        assert tuple(shown) == history.items
        assert not query.withheld & set(shown)
    assert call("get_history").error is ToolErrorKind.UNKNOWN_TOOL


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(["keywords", "page", "genre", "director", "starring", "item_id", "x"])
WORDS = st.sampled_from(["War", "actor 3", "", " ", "director c", "\ud800", "é" * 300])


@given(
    st.sampled_from(["search", "get_metadata", "get_history", "recommend", ""]),
    st.dictionaries(NAMES, ODD | WORDS | st.lists(WORDS, max_size=3), max_size=4) | ODD,
)
def test_any_arguments_give_json_or_an_error_in_json(name: str, arguments: object) -> None:
    query = small_queries().queries[0]
    history = handed(query, small_queries(), small_shelf())
    result = invoke(Desk(small_shelf(), Interface.TOOLS, history).tools, name, arguments)
    told = json.loads(result.content)
    assert isinstance(told, dict)
    assert ("error" in told) == (result.error is not None)
    result.content.encode("utf-8")
