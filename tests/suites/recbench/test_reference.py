"""The reference agents: what each is to score, and what none of them may know."""

from __future__ import annotations

import math
from collections import Counter
from functools import cache
from statistics import fmean

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.suites.recbench.answers import read_answer
from mystery_shopper.suites.recbench.query import CONDITION_KINDS, Kind, Person, Query, QuerySet
from mystery_shopper.suites.recbench.reference import AGENTS
from mystery_shopper.suites.recbench.reference.answering import FREE, Request
from mystery_shopper.suites.recbench.reference.crowd import NEAREST, Crowd
from mystery_shopper.suites.recbench.reference.graph import NOTHING_FITS, graph
from mystery_shopper.suites.recbench.request import handed
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.recbench.scoring import Scorer
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.stage import Setting

from .stage_world import (
    VOTES,
    films_queries,
    films_shelf,
    play,
    small_catalogue,
    small_queries,
    small_shelf,
)

QUERIES = small_queries()
ORACLES = ("oracle", "oracle-all")
OTHERS = tuple(name for name in AGENTS if name not in ORACLES)
PLAIN = Setting()
SETTINGS = (PLAIN, Setting(history=True), Setting(k=5), Setting(history=True, k=1))


def words(agent: str, query: Query, queries: QuerySet, shelf: Shelf, setting: Setting) -> str:
    return play(agent, query, queries, shelf, setting).transcript.events[-2].text  # type: ignore[union-attr]


def recommended(
    agent: str, query: Query, setting: Setting, shelf: Shelf | None = None
) -> list[str]:
    said = words(agent, query, QUERIES, shelf or small_shelf(), setting)
    return [str(item.id) for item in read_answer(said).items]


@cache
def scores(agent: str, setting: Setting = PLAIN) -> dict[str, RecBenchScore]:
    """The scores of an agent on the real films."""
    shelf, queries = films_shelf(), films_queries()
    scorer = Scorer(shelf, queries)
    return {
        query.id: scorer.score(
            query, setting, play(agent, query, queries, shelf, setting).transcript
        )
        for query in queries.queries
    }


def mean(agent: str, figure: str, *kinds: Kind, setting: Setting = PLAIN) -> float:
    by_id = films_queries().by_id
    found = [
        getattr(score.figures, figure)
        for name, score in scores(agent, setting).items()
        if not kinds or by_id[name].kind in kinds
    ]
    return fmean(one for one in found if one is not None)


# --- full marks and none ------------------------------------------------------------------------


def test_the_oracle_scores_full_marks() -> None:
    for name, score in scores("oracle").items():
        figures = score.figures
        assert score.success, name
        assert figures.precision_own == figures.recall_own == figures.precision_all == 1, name
        assert figures.cmr == (None if films_queries().by_id[name].kind.is_profile else 1)
        assert figures.failed == figures.hallucinated == figures.ambiguous == 0
        assert figures.names_mistake in (None, 1)


def test_the_other_oracle_answers_with_every_match() -> None:
    for name, score in scores("oracle-all").items():
        figures = score.figures
        assert score.success, name
        assert figures.precision_all == figures.recall_all == figures.recall_own == 1, name
    assert mean("oracle-all", "precision_own") < 0.7


@pytest.mark.parametrize("agent", ORACLES)
def test_an_oracle_leaves_out_what_is_named_and_what_the_catalogue_lacks(agent: str) -> None:
    query = next(query for query in QUERIES.queries if len(query.own) > 1)
    for k in (0, 2):
        odd = msgspec.structs.replace(
            query, own=("elsewhere", *query.own), matching=(*query.own, "x"), named=query.own[:1]
        )
        items = recommended(agent, odd, Setting(k=k))
        assert items == list(query.own[1:][: k or None])


def test_null_recommends_nothing() -> None:
    for score in scores("null").values():
        assert score.figures.failed == 1
        assert not score.success
        assert score.headline == 0
        assert score.refused


@pytest.mark.parametrize("step", ["swap", "drop", "add"])
def test_an_oracle_with_one_step_removed_fails(step: str) -> None:
    shelf, queries = films_shelf(), films_queries()
    scorer = Scorer(shelf, queries)
    for query in queries.queries:
        said = words("oracle", query, queries, shelf, Setting())
        told = msgspec.json.decode(said)
        wrong = next(i for i in reversed(shelf.catalogue.ids) if i not in query.withheld)
        odd = {"title": shelf.title_of[wrong], "id": wrong}
        items = told["recommendations"]
        told["recommendations"] = {
            "swap": [odd, *items[1:]], "drop": items[1:], "add": [*items, odd],
        }[step]  # fmt: skip
        score = scorer.of_answer(query, read_answer(msgspec.json.encode(told).decode()))
        figures = score.figures
        if step == "drop":
            assert (figures.recall_own_with_empty or 0) < 1
        else:
            assert not score.success
            assert (figures.precision_own or 0) < 1


# --- the order of the agents ----------------------------------------------------------------------


def test_graph_is_far_above_keywords_and_these_above_popularity() -> None:
    cmr = {agent: mean(agent, "cmr_with_empty", Kind.EXPLICIT) for agent in OTHERS}
    assert cmr["graph"] > 0.98
    assert cmr["graph"] > cmr["keyword"] + 0.5
    # Of 600 queries it is three times as much; these are 60.
    assert cmr["keyword"] > 1.5 * cmr["popularity"]
    assert cmr["null"] == 0


@pytest.mark.parametrize("kind", [Kind.IMPLICIT, Kind.MISINFORMED])
def test_graph_follows_references_and_sees_through_claims(kind: Kind) -> None:
    assert mean("graph", "cmr_with_empty", kind) > 0.98
    assert mean("graph", "cmr_with_empty", kind) > mean("keyword", "cmr_with_empty", kind) + 0.5


def test_graph_names_the_mistakes() -> None:
    assert mean("graph", "names_mistake", Kind.MISINFORMED) > 0.98
    assert mean("keyword", "names_mistake", Kind.MISINFORMED) == 0


def test_of_profiles_graph_uses_what_the_request_tells() -> None:
    for kind in (Kind.INTEREST, Kind.DEMOGRAPHICS):
        graphs = mean("graph", "precision_all_with_empty", kind)
        assert graphs > mean("keyword", "precision_all_with_empty", kind)
        assert graphs > mean("popularity", "precision_all_with_empty", kind)


# --- what they may know ---------------------------------------------------------------------------


@pytest.mark.parametrize("agent", OTHERS)
def test_no_agent_but_the_oracles_knows_the_truths(agent: str) -> None:
    for query in QUERIES.queries[::3]:
        blind = msgspec.structs.replace(
            query, kind=Kind.EXPLICIT, own=("f001",), matching=("f001", "f002"), parts=(),
            named=(), profile=None,
        )  # fmt: skip
        for setting in (Setting(), Setting(k=3)):
            shelf = small_shelf()
            seen = words(agent, query, QUERIES, shelf, setting)
            assert seen == words(agent, blind, QUERIES, shelf, setting)


@pytest.mark.parametrize("agent", OTHERS)
def test_no_agent_sees_what_is_withheld_of_the_users_history(agent: str) -> None:
    for query in QUERIES.queries[::5]:
        person = QUERIES.people[query.user]
        bare = msgspec.structs.replace(person, items=QUERIES.history(query))
        others = msgspec.structs.replace(QUERIES, people={**QUERIES.people, query.user: bare})
        for setting in SETTINGS:
            seen = words(agent, query, QUERIES, small_shelf(), setting)
            assert seen == words(agent, query, others, small_shelf(), setting)


@pytest.mark.parametrize("setting", SETTINGS)
def test_nobody_names_more_than_is_asked_for_or_what_the_user_had(setting: Setting) -> None:
    for query in QUERIES.queries[::4]:
        history = handed(query, QUERIES, small_shelf()).items if setting.history else ()
        for agent in AGENTS:
            items = recommended(agent, query, setting)
            assert len(items) == len(set(items))
            assert not set(items) & set(history)
            if agent in ("popularity", "history"):
                assert len(items) == (setting.k or FREE)
            elif agent not in ORACLES:
                assert len(items) <= (setting.k or FREE)
            elif setting.k:
                assert len(items) == min(setting.k, len(set(query.matching) - set(query.named)))


# --- one by one -----------------------------------------------------------------------------------


def test_popularity_follows_the_catalogue_where_it_knows() -> None:
    shelf, query = Shelf(small_catalogue(VOTES)), QUERIES.queries[0]
    assert recommended("popularity", query, Setting(k=3), shelf) == ["f239", "f238", "f237"]
    setting = Setting(history=True)
    history = handed(query, QUERIES, shelf).items
    expected = [item for item in shelf.catalogue.ids if item not in history][:FREE]
    assert recommended("popularity", query, setting, shelf) == expected


def test_popularity_follows_the_other_users_where_it_does_not() -> None:
    query = QUERIES.queries[0]
    had = Counter(
        item
        for user, person in QUERIES.people.items()
        if user != query.user
        for item in set(person.items)
    )
    expected = sorted(had, key=lambda item: (-had[item], item))[:FREE]
    assert recommended("popularity", query, Setting()) == expected


def test_keywords_are_the_requests_words() -> None:
    query = QUERIES.queries[0]
    hits = small_shelf().keyword.search(query.text, FREE)
    expected = [small_shelf().catalogue.ids[place] for place, _ in hits]
    assert recommended("keyword", query, Setting()) == expected


def near_by_hand(items: list[str], user: str, queries: QuerySet) -> list[str]:
    known = {item for person in queries.people.values() for item in person.items}
    mine = set(items) & known
    likeness = {
        other: len(mine & set(person.items)) / math.sqrt(len(mine) * len(set(person.items)))
        for other, person in queries.people.items()
        if other != user and mine & set(person.items)
    }
    nearest = sorted(likeness, key=lambda other: (-round(likeness[other], 12), other))[:NEAREST]
    votes: Counter[str] = Counter()
    for other in nearest:
        for item in set(queries.people[other].items):
            votes[item] += likeness[other]  # type: ignore[assignment]
    often = Counter(item for person in queries.people.values() for item in set(person.items))
    return sorted(votes, key=lambda item: (-round(votes[item], 9), -often[item], item))


@given(
    st.lists(st.sampled_from(small_shelf().catalogue.ids), max_size=8),
    st.sampled_from([*sorted(QUERIES.people), "nobody"]),
)
def test_the_nearest_are_those_found_by_hand(items: list[str], user: str) -> None:
    crowd = Crowd.of(QUERIES)
    found = list(crowd.near(items, user))
    assert sorted(found) == sorted(near_by_hand(items, user, QUERIES))
    assert found[:3] == near_by_hand(items, user, QUERIES)[:3]


def test_without_a_history_the_titles_named_stand_for_it() -> None:
    query = next(q for q in QUERIES.queries if q.kind is Kind.INTEREST and q.named)
    named = list(small_shelf().reader.read(query.text).named)
    near = [i for i in near_by_hand(named, query.user, QUERIES) if i not in named]
    assert recommended("history", query, Setting(k=3)) == near[:3]
    plain = next(q for q in QUERIES.queries if not q.named)
    assert recommended("history", plain, Setting()) == recommended("popularity", plain, Setting())


def test_a_user_alone_gets_what_is_popular() -> None:
    query = QUERIES.queries[0]
    alone = msgspec.structs.replace(QUERIES, people={query.user: Person(("f001", "f002"))})
    said = words("history", query, alone, small_shelf(), Setting(history=True))
    left = [i for i in small_shelf().catalogue.ids if i not in alone.history(query)]
    assert [item.id for item in read_answer(said).items] == left[:FREE]


def ask(text: str, k: int = 3) -> tuple[list[str], list[str]]:
    shelf = films_shelf()
    found = graph(Request(text, "nobody", (), k), shelf)
    return [shelf.title_of[item] for item in found.items], list(found.concerns)


def test_graph_reads_words_that_are_not_the_templates() -> None:
    items, concerns = ask("My gran adored Clint Eastwood and would kill for a western with him.")
    assert "Unforgiven" in items
    assert concerns == []
    likest, _ = ask("something like “Alien” please")
    assert "Aliens" in likest
    assert "Alien" not in likest


def test_graph_prefers_what_is_like_the_titles_told() -> None:
    shelf = Shelf(small_catalogue(VOTES))
    told = Request('I loved "Film No 10". I would like a drama film.', "nobody", (), 5)

    def likeness(item: str) -> float:
        """The sum over the values shared of ln(items / bearers)."""
        mine, other = (
            shelf.record(shelf.catalogue.item(shelf.position_of[i])) for i in (item, "f010")
        )
        shared = [
            (relation, value)
            for relation in shelf.graph.relations
            for value in set(mine[relation]) & set(other[relation])
        ]
        return sum(math.log(240 / shelf.graph.degree(*one)) for one in shared)

    dramas = [
        item
        for place, item in enumerate(shelf.catalogue.ids)
        if "Drama" in shelf.graph.values_of(place, "genre") and item != "f010"
    ]
    expected = sorted(dramas, key=lambda item: -round(likeness(item), 9))[:5]
    assert list(graph(told, shelf).items) == expected
    assert expected != dramas[:5]


@pytest.mark.parametrize("text", ["", "Tell me the meaning of life", "“", '"Nothing Known"'])
def test_graph_says_so_where_it_finds_nothing(text: str) -> None:
    assert ask(text) == ([], [NOTHING_FITS])


def test_graph_says_what_is_wrong_with_a_claim_and_what_is_right() -> None:
    items, concerns = ask(
        'I loved "Alien", which Woody Allen directed. More by Woody Allen, please.'
    )
    assert len(items) == 3
    assert concerns == [
        "“Alien (1979)” does not have Woody Allen as director: it has Ridley Scott."
    ]
    right = ask('I loved "Alien", which Ridley Scott directed. More by Ridley Scott, please.')
    assert right[1] == []


def test_figures_of_conditions_hold_with_the_history_too() -> None:
    setting = Setting(history=True)
    for figure in ("precision_own", "recall_own", "cmr"):
        assert mean("oracle", figure, *CONDITION_KINDS, setting=setting) == 1
    assert mean("graph", "cmr", Kind.EXPLICIT, setting=setting) > 0.98
