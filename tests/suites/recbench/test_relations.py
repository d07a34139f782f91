"""Shared relations: against a search through every set of conditions, and on real histories."""

from __future__ import annotations

import csv
from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.films import load_films
from mystery_shopper.suites.recbench.relations import shared_relations

from .world import data, graph_of

Pairs = dict[frozenset[Condition], tuple[int, ...]]

SERIES = graph_of(
    {
        "one": {"director": ["Ann"], "starring": ["Cy", "Di"], "genre": ["Drama"]},
        "two": {"director": ["Ann"], "starring": ["Cy"], "genre": ["Drama"]},
        "three": {"director": ["Bo"], "starring": ["Di"], "genre": ["Drama"]},
        "four": {"director": ["Bo"], "starring": ["Ed"], "genre": ["War"]},
    }
)


def told(graph: ItemGraph, history: list[int], **asked: bool) -> Pairs:
    found = shared_relations(graph, np.array(history, np.int64), **asked)
    pairs = {frozenset(pair.conditions): pair.group for pair in found}
    assert len(pairs) == len(found)
    return pairs


def brute(graph: ItemGraph, history: list[int]) -> Pairs:
    """Every set of one to four of all conditions, and the items of the history that meet it."""
    conditions = [Condition(r, value) for r in graph.relations for value in graph.values(r)]
    pairs: Pairs = {}
    for width in range(1, 5):
        for chosen in combinations(conditions, width):
            group = tuple(
                item
                for item in sorted(set(history))
                if all(graph.holds(item, c.relation, c.value) for c in chosen)
            )
            if len(group) >= 2:
                pairs[frozenset(chosen)] = group
    return pairs


def irreducible(pairs: Pairs) -> Pairs:
    """Those of which no smaller part picks the same group."""
    return {
        conditions: group
        for conditions, group in pairs.items()
        if not any(other < conditions and pairs[other] == group for other in pairs)
    }


def test_what_the_films_of_a_history_share() -> None:
    ann, cy = Condition("director", "Ann"), Condition("starring", "Cy")
    bo, di = Condition("director", "Bo"), Condition("starring", "Di")
    drama = Condition("genre", "Drama")
    pairs = told(SERIES, [3, 0, 1, 2])
    assert pairs[frozenset([ann])] == pairs[frozenset([ann, cy, drama])] == (0, 1)
    assert pairs[frozenset([drama])] == (0, 1, 2)
    assert pairs[frozenset([bo])] == (2, 3)
    assert pairs[frozenset([di, drama])] == (0, 2)
    assert told(SERIES, [0, 1, 2, 3], irreducible=True) == {
        frozenset([ann]): (0, 1),
        frozenset([cy]): (0, 1),
        frozenset([bo]): (2, 3),
        frozenset([di]): (0, 2),
        frozenset([drama]): (0, 1, 2),
    }


WORLDS = st.lists(
    st.lists(st.tuples(st.sampled_from("rst"), st.sampled_from("abcd")), min_size=1, max_size=9),
    min_size=1,
    max_size=8,
)


@given(WORLDS, st.data())
@settings(max_examples=120)
def test_pairs_are_those_of_a_search_through_every_set(
    rows: list[list[tuple[str, str]]], draws: st.DataObject
) -> None:
    graph = ItemGraph.of_triples((f"i{n}", r, v) for n, row in enumerate(rows) for r, v in row)
    history = draws.draw(st.lists(st.integers(0, len(graph) - 1), max_size=10))
    pairs = brute(graph, history)
    assert told(graph, history) == pairs
    assert told(graph, history, irreducible=True) == irreducible(pairs)
    compact = shared_relations(graph, np.array(history, np.int64), irreducible=True)
    every = list(compact.every())
    assert {frozenset(pair.conditions): pair.group for pair in every} == pairs
    assert len(every) == len(pairs)
    groups = list(compact.closed_groups())
    assert {closed.group for closed in groups} == set(pairs.values())
    for closed in groups:
        assert closed.group == tuple(i for i in graph.meets(closed.common).tolist() if i in history)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_more_conditions_than_asked_for(most: int) -> None:
    found = shared_relations(SERIES, np.arange(4), most=most)
    whole = shared_relations(SERIES, np.arange(4))
    assert found.widths.max() == min(most, 3)
    assert list(found) == [pair for pair in whole if len(pair.conditions) <= most]


def test_arrays_and_pairs_say_the_same() -> None:
    found = shared_relations(SERIES, np.array([2, 0, 1, 1]))
    assert found.codes.shape == (len(found), 4)
    assert found.widths.tolist() == [len(pair.conditions) for pair in found]
    assert found.sizes.tolist() == [len(pair.group) for pair in found]
    assert found.widths.tolist() == sorted(found.widths.tolist())
    for number, pair in enumerate(found):
        assert tuple(found.group(number).tolist()) == pair.group
        assert tuple(map(SERIES.condition, found.codes_at(number))) == pair.conditions


@pytest.mark.parametrize("history", [[], [2], [0, 3], [2, 2]])
def test_histories_that_share_nothing(history: list[int]) -> None:
    found = shared_relations(SERIES, np.array(history, np.int64))
    assert len(found) == 0
    assert list(found.every()) == []


@pytest.mark.parametrize(
    ("history", "most", "problem"),
    [([0, 4], 4, "not among the graph's 4"), ([-1, 0], 4, "not among"), ([0], 5, "5 conditions")],
)
def test_what_cannot_be_searched(history: list[int], most: int, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        shared_relations(SERIES, np.array(history), most=most)


def depth_first(graph: ItemGraph, history: list[int]) -> dict[tuple[int, ...], int]:
    """The irreducible pairs by another road: depth first, groups as bits of a whole number."""
    bits: dict[int, int] = defaultdict(int)
    for place, item in enumerate(history):
        for code in graph.codes_of(item).tolist():
            bits[code] |= 1 << place
    found: dict[tuple[int, ...], int] = {}

    def grow(codes: tuple[int, ...], group: int, parts: list[int], left: list[int]) -> None:
        for at, code in enumerate(left):
            met = group & bits[code]
            if met.bit_count() < 2 or any(part & bits[code] == met for part in parts):
                continue
            if codes and met == group:
                continue
            found[(*codes, code)] = met
            if len(codes) < 3:
                grown = [*(part & bits[code] for part in parts), *([group] if codes else [])]
                grow((*codes, code), met, grown or [], left[at + 1 :])

    def first() -> None:
        codes = sorted(code for code in bits if bits[code].bit_count() > 1)
        for at, code in enumerate(codes):
            found[(code,)] = bits[code]
            follow(code, codes[at + 1 :])

    def follow(code: int, left: list[int]) -> None:
        near = [other for other in left if (bits[code] & bits[other]).bit_count() > 1]
        for at, other in enumerate(near):
            met = bits[code] & bits[other]
            if met not in (bits[code], bits[other]):
                found[(code, other)] = met
                grow((code, other), met, [bits[code], bits[other]], near[at + 1 :])

    first()
    return found


def test_histories_of_movielens_against_another_search() -> None:
    links = data("ml-latest-small", "links.csv")
    ratings = data("ml-latest-small", "ratings.csv")
    graph = ItemGraph.of_catalogue(load_films())
    with links.open(encoding="utf-8") as lines:
        imdb = {row["movieId"]: f"tt{row['imdbId']}" for row in csv.DictReader(lines)}
    histories: dict[str, list[int]] = defaultdict(list)
    with ratings.open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            position = graph.position_of.get(imdb[row["movieId"]])
            if position is not None:
                histories[row["userId"]].append(position)
    by_length = sorted(histories.values(), key=len)
    for history in by_length[100:400:15]:
        items = sorted(history)
        found = shared_relations(graph, np.array(history), irreducible=True)
        theirs = {
            frozenset(codes): tuple(item for at, item in enumerate(items) if met >> at & 1)
            for codes, met in depth_first(graph, items).items()
        }
        ours = {
            frozenset(found.codes_at(pair)): tuple(found.group(pair).tolist())
            for pair in range(len(found))
        }
        assert ours == theirs
