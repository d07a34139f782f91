"""The eliminating search against one that compares every hypothesis with every item."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import (
    Catalogue,
    Item,
    Operator,
    Predicate,
    all_match,
    build_catalogue,
    parse_domain,
)
from mystery_shopper.suites.tau_rec.hypotheses import (
    Elimination,
    HypothesisSpace,
    elimination,
)
from mystery_shopper.suites.tau_rec.hypotheses.tables import RangeTable

DOMAIN = b"""
name: stalls
noun: {singular: stall, plural: stalls}
title: sign
popularity: trade
fields:
  sign: {kind: text}
  smell: {kind: categories, requirement: true, most: 2}
  origin:
    kind: category
    requirement: true
    hierarchy: {North: [Fell, Moor], Fell: [High Fell]}
  cloth: {kind: categories, requirement: true, most: 2, hierarchy: {Wool: [Tweed, Felt]}}
  year: {kind: integer, requirement: true, step: 5}
  price: {kind: number, requirement: true}
  trade: {kind: integer}
"""
FIELDS = ("smell", "origin", "cloth", "year", "price")
SMELLS = ("tar", "salt", "rye", "soap")
ORIGINS = ("North", "Fell", "Moor", "High Fell", "Coast")
CLOTHS = ("Wool", "Tweed", "Felt", "Silk")

Hypothesis = tuple[Predicate, ...]


def stalls(rows: Sequence[dict[str, Any]]) -> Catalogue:
    domain = parse_domain(DOMAIN, "stalls")
    values = {name: [row.get(name) for row in rows] for name in domain.fields}
    return build_catalogue("stalls", domain, [f"s{i:03d}" for i in range(len(rows))], values)


def labels(item: Item, field: str) -> tuple[str, ...]:
    value = item[field]
    if value is None:
        return ()
    return value if isinstance(value, tuple) else (str(value),)  # pyright: ignore[reportReturnType]


def label_hypotheses(
    items: Sequence[Item], revealed: Sequence[Predicate], field: str
) -> list[Hypothesis]:
    domain = items[0].catalogue.domain
    tree = domain.hierarchies[field]
    said = {str(one.value) for one in revealed if one.field == field}
    said |= {up for label in set(said) for up in tree.ancestors(label)}
    found = {label for item in items for label in labels(item, field)}
    found |= {up for label in set(found) for up in tree.ancestors(label)}
    names = sorted(found - said)
    chosen = chain.from_iterable(
        combinations(names, count) for count in range(1, domain.fields[field].most + 1)
    )
    return [
        tuple(Predicate(field, Operator.WITHIN, label) for label in one)
        for one in chosen
        if not any(tree.related(a, b) for a, b in combinations(one, 2))
    ]


def bound_hypotheses(
    items: Sequence[Item], revealed: Sequence[Predicate], field: str
) -> list[Hypothesis]:
    values = sorted({float(item[field]) for item in items if item[field] is not None})  # pyright: ignore[reportArgumentType]
    said = {one.op for one in revealed if one.field == field}
    sought = {Operator.AT_LEAST, Operator.AT_MOST} - said or said
    one = [(Predicate(field, op, value),) for op in sorted(sought) for value in values]
    two = [
        (Predicate(field, Operator.AT_LEAST, low), Predicate(field, Operator.AT_MOST, high))
        for low, high in product(values, repeat=2)
        if low <= high and len(sought) == 2
    ]
    return one + two


def by_force(
    catalogue: Catalogue,
    candidates: Sequence[int],
    revealed: Sequence[Predicate],
    declined: Sequence[str],
) -> list[int]:
    """The proposals when every one of them is rejected."""
    items = [catalogue.item(position) for position in candidates]
    if not items or not declined:
        return list(candidates)
    lists = [
        (bound_hypotheses if field in ("year", "price") else label_hypotheses)(
            items, revealed, field
        )
        for field in declined
    ]
    alive = [tuple(chain.from_iterable(parts)) for parts in product(*lists)]
    proposals: list[int] = []
    while True:
        scores = [sum(all_match(one, item) for one in alive) for item in items]
        if not max(scores):
            return proposals
        best = items[scores.index(max(scores))]
        proposals.append(best.position)
        alive = [one for one in alive if not all_match(one, best)]


def proposed(hunt: Elimination) -> list[int]:
    found: list[int] = []
    while (best := hunt.best()) is not None:
        found.append(best)
        hunt.reject(best)
    return found


def matching(catalogue: Catalogue, revealed: Sequence[Predicate]) -> list[int]:
    return [p for p in range(len(catalogue)) if all_match(revealed, catalogue.item(p))]


ROW = st.fixed_dictionaries(
    {
        "smell": st.lists(st.sampled_from(SMELLS), max_size=3, unique=True),
        "origin": st.none() | st.sampled_from(ORIGINS),
        "cloth": st.lists(st.sampled_from(CLOTHS), max_size=3, unique=True),
        "year": st.none() | st.integers(1990, 1994),
        "price": st.none() | st.sampled_from([1.5, 2.25, 9.0]),
        "trade": st.integers(0, 3),
    }
)
REVEALED = st.lists(
    st.one_of(
        st.builds(Predicate, st.just("smell"), st.just(Operator.CONTAINS), st.sampled_from(SMELLS)),
        st.builds(Predicate, st.just("origin"), st.just(Operator.WITHIN), st.sampled_from(ORIGINS)),
        st.builds(Predicate, st.just("cloth"), st.just(Operator.WITHIN), st.sampled_from(CLOTHS)),
        st.builds(
            Predicate,
            st.just("year"),
            st.sampled_from([Operator.AT_LEAST, Operator.AT_MOST]),
            st.integers(1990, 1994),
        ),
    ),
    max_size=2,
)


@settings(deadline=None, max_examples=150)
@given(
    rows=st.lists(ROW, min_size=1, max_size=14),
    revealed=REVEALED,
    declined=st.lists(st.sampled_from(FIELDS), max_size=2, unique=True),
)
def test_proposals_are_those_of_brute_force(
    rows: list[dict[str, Any]], revealed: list[Predicate], declined: list[str]
) -> None:
    catalogue = stalls(rows)
    candidates = matching(catalogue, revealed)
    hunt = Elimination(catalogue, np.array(candidates, np.int64), revealed, declined)
    assert proposed(hunt) == by_force(catalogue, candidates, revealed, declined)


@settings(deadline=None, max_examples=50)
@given(
    rows=st.lists(ROW, min_size=2, max_size=14),
    declined=st.lists(st.sampled_from(FIELDS), min_size=1, max_size=2, unique=True),
    target=st.integers(0, 13),
)
def test_what_meets_the_hidden_requirement_is_found(
    rows: list[dict[str, Any]], declined: list[str], target: int
) -> None:
    catalogue = stalls(rows)
    item = catalogue.item(target % len(rows))
    hidden: list[Predicate] = []
    for field in declined:
        value = item[field]
        if isinstance(value, int | float):
            hidden.append(Predicate(field, Operator.AT_LEAST, value))
        hidden += [Predicate(field, Operator.WITHIN, one) for one in labels(item, field)[:1]
                   if not isinstance(value, int | float)]  # fmt: skip
    if {one.field for one in hidden} != set(declined):
        return
    everything = np.arange(len(catalogue), dtype=np.int64)
    hunt = Elimination(HypothesisSpace(catalogue), everything, (), declined)
    for _ in rows:
        best = hunt.best()
        assert best is not None
        if all_match(hidden, catalogue.item(best)):
            return
        hunt.reject(best)
    pytest.fail("no proposal met the hidden requirement")


def test_the_order_of_candidates_and_of_declined_fields_does_not_matter() -> None:
    rows = [{"smell": [SMELLS[i % 4], SMELLS[(i // 3) % 4]], "year": 1990 + i} for i in range(12)]
    catalogue = stalls(rows)
    space = HypothesisSpace(catalogue)
    forth = proposed(Elimination(space, np.arange(12), (), ["smell", "year"]))
    back = proposed(Elimination(space, np.arange(12)[::-1], (), ["year", "smell"]))
    assert forth == back


def test_without_a_declined_field_candidates_follow_by_popularity() -> None:
    catalogue = stalls([{"trade": trade} for trade in (1, 5, 3, 4)])
    hunt = Elimination(catalogue, np.array([0, 1, 3]), (), [])
    assert proposed(hunt) == [0, 1, 3]
    assert [catalogue.ids[p] for p in (0, 1, 3)] == ["s001", "s003", "s000"]


def test_a_third_declined_field_keeps_the_search_open() -> None:
    rows = [{"smell": ["tar"], "origin": "Coast", "year": 1990 + i} for i in range(4)]
    catalogue = stalls(rows)
    two = Elimination(catalogue, np.arange(4), (), ["smell", "origin"])
    three = Elimination(catalogue, np.arange(4), (), ["smell", "origin", "year"])
    assert proposed(two) == [0]
    assert proposed(three) == [0, 1, 2, 3]


def test_too_many_pairs_leave_the_first_field_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"smell": [SMELLS[i % 2]], "year": 1990 + i} for i in range(4)]
    catalogue = stalls(rows)
    assert proposed(Elimination(catalogue, np.arange(4), (), ["smell", "year"])) == [1, 2, 0, 3]
    monkeypatch.setattr(elimination, "MOST_PAIRS", 3)
    assert proposed(Elimination(catalogue, np.arange(4), (), ["smell", "year"])) == [0, 1, 2, 3]


def test_fields_that_carry_no_requirement_are_passed_over() -> None:
    catalogue = stalls([{"smell": ["tar"]}, {"smell": ["rye"]}])
    hunt = Elimination(catalogue, np.arange(2), (), ["sign", "unheard of", "smell"])
    assert proposed(hunt) == [0, 1]


def test_an_item_that_is_no_candidate_teaches_nothing() -> None:
    catalogue = stalls([{"smell": ["tar"]}, {"smell": ["tar"]}])
    hunt = Elimination(catalogue, np.array([0]), (), ["smell"])
    hunt.reject(1)
    hunt.reject(99)
    assert hunt.best() == 0


def test_nothing_fits_where_no_candidate_bears_a_value() -> None:
    catalogue = stalls([{"smell": []}, {"year": None}])
    assert Elimination(catalogue, np.arange(2), (), ["smell"]).best() is None
    assert Elimination(catalogue, np.arange(2), (), ["year"]).best() is None
    assert Elimination(catalogue, np.empty(0, np.int64), (), ["smell", "year"]).best() is None


def test_bounds_of_a_field_with_many_values_are_thinned() -> None:
    catalogue = stalls([{"price": i / 4, "year": i} for i in range(1000)])
    everything = np.arange(1000, dtype=np.int64)
    axis = RangeTable(catalogue, "price").axis(everything, (), 20)
    assert axis.size == 20 + 20 + 20 * 21 // 2
    both = HypothesisSpace(catalogue).axes(everything, (), ("year", "price"))
    assert [one.size for one in both] == [2 * 48 + 48 * 49 // 2] * 2
    hunt = Elimination(catalogue, everything, (), ["price", "year"])
    first = hunt.best()
    assert first is not None
    hunt.reject(first)
    assert hunt.best() not in (None, first)
