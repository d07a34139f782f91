"""References through items, and claims that the graph contradicts."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.suites.recbench.implied import common_codes, find_reference, refers
from mystery_shopper.suites.recbench.mistaken import contradicted, find_claim

from .world import graph_of

GRAPH = graph_of(
    {
        "a": {"starring": ["Cy", "Di"], "director": ["Ann"]},
        "b": {"starring": ["Cy", "Ed"], "director": ["Ann"]},
        "c": {"starring": ["Cy", "Di", "Ed"], "director": ["Ann", "Bo"]},
        "d": {"starring": ["Di"], "director": ["Bo"]},
        "e": {"genre": ["War"]},
    }
)
ALL = np.ones(5, bool)


def code(relation: str, value: str) -> int:
    found = GRAPH.code(Condition(relation, value))
    assert found is not None
    return found


def values(positions: list[int], relation: str) -> set[str]:
    return {GRAPH.labels[found] for found in common_codes(GRAPH, positions, relation)}


def test_common_values() -> None:
    assert values([0], "starring") == {"Cy", "Di"}
    assert values([0, 1], "starring") == {"Cy"}
    assert values([0, 2], "starring") == {"Cy", "Di"}
    assert values([0, 4], "starring") == set()
    assert values([], "starring") == set()


def test_a_reference_says_one_value_and_no_other() -> None:
    assert refers(GRAPH, [0, 1], code("starring", "Cy"))
    assert not refers(GRAPH, [0, 2], code("starring", "Cy"))  # They share Di as well.
    assert refers(GRAPH, [0], code("director", "Ann"))
    assert not refers(GRAPH, [2], code("director", "Ann"))
    assert not refers(GRAPH, [3], code("director", "Ann"))


def test_a_reference_keeps_to_what_may_be_named() -> None:
    source = random.Random(1)
    for _ in range(20):
        found = find_reference(GRAPH, code("director", "Ann"), ALL, lambda p: p != 0, source)
        assert found in ((1,), (1, 2), (2, 1))
    nobody = find_reference(GRAPH, code("director", "Ann"), ALL, lambda _: False, source)
    assert nobody is None
    # Cy never appears alone: two items are needed, and with one only there is no reference.
    alone = find_reference(GRAPH, code("starring", "Cy"), ALL, lambda p: p < 1, source)
    assert alone is None


def test_the_better_known_items_come_first() -> None:
    known = np.array([False, True, False, False, False])
    source = random.Random(2)
    found = {find_reference(GRAPH, code("director", "Ann"), known, lambda _: True, source, 1)}
    assert found == {(1,)}


WORLDS = st.lists(
    st.lists(st.tuples(st.sampled_from("rs"), st.sampled_from("abcd")), min_size=1, max_size=5),
    min_size=2,
    max_size=9,
)


@given(WORLDS, st.integers(0, 999), st.integers(1, 3))
def test_references_and_claims_hold_what_they_promise(
    rows: list[list[tuple[str, str]]], seed: int, most: int
) -> None:
    graph = ItemGraph.of_triples((f"i{n}", r, v) for n, row in enumerate(rows) for r, v in row)
    source = random.Random(seed)
    everything = list(range(len(graph)))
    for one in range(len(graph.labels)):
        known = np.arange(len(graph)) % 2 == 0
        found = find_reference(graph, one, known, lambda p: p != 1, source, most)
        if found is not None:
            assert 1 <= len(found) <= most
            assert len(set(found)) == len(found)
            assert 1 not in found
            assert refers(graph, found, one)
        else:
            # No single item would have done.
            assert not any(refers(graph, [p], one) for p in everything if p != 1)
        claimed = find_claim(graph, one, everything, lambda p: p != 1, source, most)
        wrong = [p for p in everything if p != 1 and contradicted(graph, p, one)]
        assert (claimed is None) == (not wrong)
        if claimed is not None:
            assert set(claimed) <= set(wrong)
            assert len(set(claimed)) == len(claimed) <= most


def test_a_claim_is_contradicted_by_what_the_graph_knows() -> None:
    assert contradicted(GRAPH, 3, code("director", "Ann"))
    assert not contradicted(GRAPH, 2, code("director", "Ann"))
    assert not contradicted(GRAPH, 4, code("director", "Ann"))  # No director is known.
    claim = find_claim(GRAPH, code("director", "Ann"), range(5), lambda _: True, random.Random(1))
    assert claim == (3,)
    none = find_claim(GRAPH, code("director", "Ann"), [0, 1], lambda _: True, random.Random(1))
    assert none is None
