"""Drawing a set: every cell filled, each rule held to, the same bytes for the same seed."""

from __future__ import annotations

import dataclasses
from collections import Counter

import msgspec
import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.films import load_films
from mystery_shopper.suites.recbench.draw import (
    DEFAULT_QUERIES,
    DrawOptions,
    draw_queries,
    planned,
    titles_of,
)
from mystery_shopper.suites.recbench.query import CELLS, Given, Kind, Query, Style
from mystery_shopper.suites.recbench.queryfile import query_set_bytes
from mystery_shopper.suites.recbench.table import statistics_table

from .world import NAME, OPTIONS, graph_of, histories_of, small_set, small_world, words


def test_the_default_is_three_thousand_queries_over_eleven_cells() -> None:
    plan = planned(DEFAULT_QUERIES)
    assert list(plan) == list(CELLS)
    assert sum(plan.values()) == 3_000
    assert {plan[cell] for cell in CELLS if "/" in cell} == {250}
    assert plan["interest"] == plan["demographics"] == 375


@pytest.mark.parametrize("queries", [0, 1, 11, 23, 100, 2_999])
def test_every_query_is_planned(queries: int) -> None:
    assert sum(planned(queries).values()) == queries


def test_every_cell_is_filled() -> None:
    drawn = Counter(query.cell for query in small_set().queries)
    assert drawn == planned(OPTIONS.queries)
    assert small_set().origin.short == {}
    for kind in (Kind.EXPLICIT, Kind.IMPLICIT, Kind.MISINFORMED):
        widths = {len(query.parts) for query in small_set().queries if query.kind is kind}
        assert widths == {1, 2, 3, 4} or widths == {1, 2, 3}


@pytest.mark.parametrize("queries", [1, 5])
def test_a_cell_that_is_to_have_no_query_has_none(queries: int) -> None:
    graph, titles, histories = small_world()
    few = dataclasses.replace(OPTIONS, queries=queries)
    drawn = draw_queries(NAME, graph, titles, histories, words, few)
    assert Counter(query.cell for query in drawn.queries) == Counter(planned(queries))
    assert len(drawn.queries) == queries


def test_the_same_seed_gives_the_same_bytes_and_another_does_not() -> None:
    graph, titles, histories = small_world()
    again = draw_queries(NAME, graph, titles, histories, words, OPTIONS)
    assert query_set_bytes(again) == query_set_bytes(small_set())
    other = draw_queries(
        NAME, graph, titles, histories, words, dataclasses.replace(OPTIONS, seed=2)
    )
    asked = [query.conditions for query in other.queries]
    assert asked != [query.conditions for query in small_set().queries]
    assert other.canary != small_set().canary


def test_ids_texts_and_styles() -> None:
    queries = small_set().queries
    assert len({query.id for query in queries}) == len(queries)
    assert {"implicit-2-001", "misinformed-3-4-020", "interest-030"} <= set(small_set().by_id)
    assert all(query.text.startswith(f"Wanted: {query.id} ") for query in queries)
    assert {query.style for query in queries} == set(Style)


def test_users_are_asked_in_turns() -> None:
    for cell in CELLS[:9]:
        users = Counter(query.user for query in small_set().queries if query.cell == cell)
        assert max(users.values()) <= 2


def test_no_two_queries_of_a_kind_ask_for_the_same() -> None:
    asked = Counter((query.kind, frozenset(query.conditions)) for query in small_set().queries)
    assert max(n for (kind, _), n in asked.items() if not kind.is_profile) == 1


def named(query: Query) -> set[str]:
    return {item for part in query.parts for item in part.through}


def test_what_is_named_stands_in_no_truth_and_no_history() -> None:
    graph, titles, _ = small_world()
    for query in small_set().queries:
        history = small_set().history(query)
        assert history
        assert not {*query.own, *query.matching, *query.named} & set(history)
        assert not {*query.own, *query.matching} & set(query.named)
        if not query.kind.is_profile:
            assert named(query) == set(query.named)
        for item in query.named:
            # The nameless film and the two of one title are never named.
            assert titles[graph.position_of[item]] not in ("", "The Same")


def test_wide_conditions_stand_alone_only_where_asked() -> None:
    graph, titles, histories = small_world()
    assert max(len(graph.meets(q.conditions)) for q in small_set().queries if q.parts) <= 25
    wide = draw_queries(
        NAME, graph, titles, histories, words, dataclasses.replace(OPTIONS, widest=0)
    )
    alone = [graph.meets(q.conditions) for q in wide.queries if len(q.parts) == 1]
    assert max(map(len, alone)) > 25


def test_conditions_with_some_to_spare_are_drawn_only_where_asked() -> None:
    graph, titles, histories = small_world()
    loose = draw_queries(
        NAME, graph, titles, histories, words, dataclasses.replace(OPTIONS, irreducible=False)
    )

    def spare(queries: tuple[Query, ...], people: dict[str, tuple[str, ...]]) -> int:
        count = 0
        for query in queries:
            mine = {graph.position_of[item] for item in people[query.user]}
            group = mine.intersection(graph.meets(query.conditions).tolist())
            for left_out in query.conditions if len(query.parts) > 1 else ():
                rest = [one for one in query.conditions if one != left_out]
                count += mine.intersection(graph.meets(rest).tolist()) == group
        return count

    people = {user: histories.items_of(user) for user in histories.users}
    assert spare(small_set().queries, people) == 0
    assert spare(loose.queries, people) > 0


def test_a_masked_name_is_not_given_away_by_another_condition() -> None:
    # Each director is in the cast of the own films too: one name, two relations.
    graph = graph_of(
        {
            f"f{n}": {"director": [f"Ann {n // 6}"], "starring": [f"Ann {n // 6}", f"Bo {n % 5}"]}
            for n in range(60)
        }
    )
    lists = {f"u{n}": [f"f{(n * 7 + m * 5) % 60}" for m in range(20)] for n in range(12)}
    titles = [f"Film {n}" for n in range(60)]
    drawn = draw_queries(NAME, graph, titles, histories_of(lists), words, OPTIONS)
    implicit = [query for query in drawn.queries if query.kind is Kind.IMPLICIT]
    assert implicit
    for query in implicit:
        (masked,) = (part.value for part in query.parts if part.given is Given.REFERENCE)
        stated = [part.value for part in query.parts if part.given is Given.STATED]
        assert masked not in stated


def test_a_cell_with_no_more_to_give_says_how_many_are_missing() -> None:
    graph = graph_of({f"f{n}": {"by": [f"D{n // 3}"]} for n in range(9)})
    lists = {"u": ["f0", "f1", "f8"], "v": ["f3", "f4", "f5", "f7"]}
    drawn = draw_queries(
        "recbench/tiny@1", graph, [f"Film {n}" for n in range(9)], histories_of(lists), words,
        DrawOptions(queries=24),
    )  # fmt: skip
    counts = Counter(query.cell for query in drawn.queries)
    assert counts == {"explicit/1": 2, "implicit/1": 1, "misinformed/1": 2}
    assert drawn.origin.short["implicit/1"] == 1
    assert drawn.origin.short["explicit/2"] == 2
    assert drawn.origin.short["demographics"] == 3
    assert "explicit/1" not in drawn.origin.short
    assert drawn.origin.rejected["implicit/1: no reference"] > 0


def test_of_many_users_some_are_drawn() -> None:
    graph, titles, histories = small_world()
    few = dataclasses.replace(OPTIONS, most_users=6)
    drawn = draw_queries(NAME, graph, titles, histories, words, few)
    asking = {query.user for query in drawn.queries if query.parts}
    assert 1 < len(asking) <= 6


def test_what_cannot_be_drawn_from() -> None:
    graph, titles, histories = small_world()
    with pytest.raises(InputError, match="239 titles are given for 240 items"):
        draw_queries(NAME, graph, titles[1:], histories, words, OPTIONS)
    lonely = graph_of({letter: {"by": [letter]} for letter in "abc"})
    with pytest.raises(InputError, match="no two items of any one history share a value"):
        draw_queries(NAME, lonely, list("abc"), histories_of({"u": "abc"}), words, OPTIONS)
    with pytest.raises(InputError, match="none of the"):
        draw_queries(NAME, lonely, list("abc"), histories, words, OPTIONS)
    same = graph_of({letter: {"by": ["Ann"]} for letter in "abc"})
    with pytest.raises(InputError, match="no query can be drawn"):
        draw_queries(NAME, same, list("abc"), histories_of({"u": "abc"}), words, OPTIONS)


def test_items_that_nobody_consumed_are_no_hindrance() -> None:
    graph, _, histories = small_world()
    assert 0 < len(set(graph.items) - set(histories.items)) < len(graph)


def test_the_table_counts_by_type_and_number_of_conditions() -> None:
    rows = statistics_table(small_set())
    assert [(row.type, row.conditions) for row in rows[:4]] == [
        ("explicit", "1"), ("explicit", "2"), ("explicit", "3-4"), ("implicit", "1"),
    ]  # fmt: skip
    assert rows[-1].type == "all"
    assert rows[-1].queries == len(small_set().queries) == sum(r.queries for r in rows[:-1])
    one = [query for query in small_set().queries if query.cell == "misinformed/2"]
    row = next(row for row in rows if (row.type, row.conditions) == ("misinformed", "2"))
    assert row.queries == len(one)
    assert row.users == len({query.user for query in one})
    assert row.own == pytest.approx(sum(len(query.own) for query in one) / len(one))
    assert row.matching == pytest.approx(sum(len(query.matching) for query in one) / len(one))
    assert row.history is not None
    assert row.history > 0
    assert row.words == 3
    empty = statistics_table(msgspec.structs.replace(small_set(), queries=small_set().queries[:1]))
    assert empty[1].queries == 0
    assert empty[1].own is None


def test_titles_of_a_catalogue() -> None:
    films = load_films()
    titles = titles_of(films)
    assert len(titles) == len(films)
    assert titles[5] == films.item(5).title
