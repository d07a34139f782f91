"""The eliminating search against one that compares every hypothesis with every item."""

from __future__ import annotations

import tracemalloc
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import chain, combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from mystery_shopper.catalog import (
    Catalogue,
    Item,
    Operator,
    Predicate,
    all_match,
    build_catalogue,
    parse_domain,
)
from mystery_shopper.catalog.columns import LabelColumn
from mystery_shopper.suites.tau_rec.hypotheses import (
    Elimination,
    HypothesisSpace,
    axes,
    cells,
    elimination,
)
from mystery_shopper.suites.tau_rec.hypotheses import labels as tables_of_labels
from mystery_shopper.suites.tau_rec.hypotheses.classes import label_classes
from mystery_shopper.suites.tau_rec.hypotheses.space import BOUNDS_ALONE
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
  loud: {kind: flag, requirement: true}
  trade: {kind: integer}
"""
FIELDS = ("smell", "origin", "cloth", "year", "price", "loud")
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


def flag_hypotheses(
    items: Sequence[Item], revealed: Sequence[Predicate], field: str
) -> list[Hypothesis]:
    if any(one.field == field for one in revealed):
        return []
    found = {bool(item[field]) for item in items if item[field] is not None}
    return [(Predicate(field, Operator.EQUAL, value),) for value in sorted(found)]


HYPOTHESES = {"year": bound_hypotheses, "price": bound_hypotheses, "loud": flag_hypotheses}


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
    lists = [HYPOTHESES.get(field, label_hypotheses)(items, revealed, field) for field in declined]
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
        assert best not in found
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
        "loud": st.none() | st.booleans(),
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
        st.builds(Predicate, st.just("loud"), st.just(Operator.EQUAL), st.booleans()),
    ),
    max_size=2,
)


@contextmanager
def room_for(block: int, entries: int) -> Generator[None]:
    """With other sizes of the tables that are made in passing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(axes, "BLOCK", block)
        patch.setattr(cells, "BLOCK", block)
        patch.setattr(axes, "SPARE", block)
        patch.setattr(tables_of_labels, "MOST_ENTRIES", entries)
        yield


@settings(deadline=None, max_examples=300)
@given(
    rows=st.lists(ROW, min_size=1, max_size=14),
    revealed=REVEALED,
    declined=st.lists(st.sampled_from(FIELDS), max_size=2, unique=True),
    block=st.sampled_from([1, 3, axes.BLOCK]),
)
def test_proposals_are_those_of_brute_force(
    rows: list[dict[str, Any]], revealed: list[Predicate], declined: list[str], block: int
) -> None:
    catalogue = stalls(rows)
    candidates = matching(catalogue, revealed)
    with room_for(block, tables_of_labels.MOST_ENTRIES):
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
        if isinstance(value, bool):
            hidden.append(Predicate(field, Operator.EQUAL, value))
        elif isinstance(value, int | float):
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
    monkeypatch.setattr(elimination, "MOST_KILLED", 3)
    assert proposed(Elimination(catalogue, np.arange(4), (), ["smell", "year"])) == [0, 1, 2, 3]


SMELLY = [{"smell": list(pair)} for pair in combinations(SMELLS, 2)] + [{"smell": list(SMELLS)}]


def test_few_candidates_have_hypotheses_of_several_labels_where_all_have_too_many() -> None:
    """All have 6 x 3 + 10 entries, the first two 2 x 3, the last alone 10."""
    catalogue = stalls(SMELLY)
    for candidates, room in (([0, 1], 6), ([6], 10), (list(range(7)), 28)):
        with room_for(axes.BLOCK, room):
            space = HypothesisSpace(catalogue)
            hunt = Elimination(space, np.array(candidates), (), ["smell"])
            axis = space.axes(np.array(candidates), (), ["smell"])[0]
            assert axis.whole
            assert proposed(hunt) == by_force(catalogue, candidates, (), ["smell"])


def test_without_room_for_several_labels_the_search_stays_open() -> None:
    catalogue = stalls(SMELLY)
    everything = np.arange(7)
    whole = proposed(Elimination(catalogue, everything, (), ["smell"]))
    assert whole == [6]
    with room_for(axes.BLOCK, 27):
        space = HypothesisSpace(catalogue)
        axis = space.axes(everything, (), ["smell"])[0]
        assert (axis.size, axis.whole) == (4, False)
        hunt = Elimination(space, everything, (), ["smell"])
        assert proposed(hunt) == [6, 0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("block", [1, 7, axes.BLOCK])
@pytest.mark.parametrize("field", FIELDS)
def test_sums_are_over_what_a_group_satisfies(field: str, block: int) -> None:
    rows = [
        {"smell": SMELLS[i % 4 :: 2], "cloth": CLOTHS[i % 3 : 3], "origin": ORIGINS[i % 5],
         "year": 1990 + i if i % 7 else None, "price": i / 2, "loud": (None, True, False)[i % 3]}
        for i in range(20)
    ]  # fmt: skip
    axis = HypothesisSpace(stalls(rows)).axes(np.arange(20), (), [field])[0]
    weights = np.arange(1, 2 * axis.size + 1, dtype=np.float32).reshape(-1, 2)
    some = np.arange(axis.size)[::2]
    expected = {
        group: weights[both].sum(axis=0).tolist()
        for group in range(len(axis.counts))
        if len(both := np.intersect1d(axis.satisfied(group), some))
    }
    with room_for(block, tables_of_labels.MOST_ENTRIES):
        groups, sums = axis.weigh(some, weights[some])
    assert dict(zip(groups.tolist(), sums.tolist(), strict=True)) == expected
    assert axis.counts.tolist() == [len(axis.satisfied(g)) for g in range(len(axis.counts))]


def test_a_missing_flag_satisfies_neither_side() -> None:
    catalogue = stalls([{"loud": one} for one in (None, True, False, None, True)])
    assert proposed(Elimination(catalogue, np.arange(5), (), ["loud"])) == [1, 2]
    said = [Predicate("loud", Operator.EQUAL, True)]
    assert proposed(Elimination(catalogue, np.array([1, 4]), said, ["loud"])) == []


def test_more_rejections_than_a_word_has_bits() -> None:
    rows = [{"origin": ORIGINS[i % 4], "price": float(i)} for i in range(100)]
    catalogue = stalls(rows)
    dead = cells.DeadPairs(3, 100)
    for place in range(100):
        assert dead.kill(np.array([0, 2]), np.array([place])).all()
    assert not dead.kill(np.array([0, 2]), np.arange(100)).any()
    assert dead.kill(np.array([0, 1]), np.arange(2)).tolist() == [[False] * 2, [True] * 2]
    hunt = Elimination(catalogue, np.arange(100), (), ["smell"])
    assert hunt.best() is None
    hunt = Elimination(catalogue, np.arange(100), (), [])
    assert proposed(hunt) == list(range(100))


@settings(deadline=None, max_examples=100)
@given(
    rows=st.lists(
        st.lists(st.sampled_from("abcdefgh"), max_size=4, unique=True), min_size=1, max_size=30
    ),
    spare=st.sampled_from([0, axes.SPARE]),
)
def test_rows_are_classed_by_their_label_sets(rows: list[list[str]], spare: int) -> None:
    column = LabelColumn.build(rows, single=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(axes, "SPARE", spare)
        classes = label_classes(column)
    for row, number in zip(rows, classes.of.tolist(), strict=True):
        codes = classes.codes[classes.starts[number] : classes.starts[number + 1]].tolist()
        assert codes == sorted(codes)
        assert {column.labels[code] for code in codes} == set(row)
    assert len(classes) == len({frozenset(row) for row in rows} | {frozenset()})


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


# --- a field of very many labels, against full matrices ------------------------------------------


def spaced(values: Sequence[float], limit: int) -> list[float]:
    """At most `limit` of the values, evenly spaced by rank."""
    every = sorted(set(values))
    if len(every) <= limit:
        return every
    return [every[round(place * (len(every) - 1) / (limit - 1))] for place in range(limit)]


def in_full(brands: Sequence[str], prices: NDArray[np.float64], rejections: int) -> list[int]:
    """The first proposals, all rejected, by a matrix of all pairs of a brand and a bound or two."""
    names = {name: place for place, name in enumerate(dict.fromkeys(brands))}
    bounds = spaced(prices.tolist(), BOUNDS_ALONE)
    sides = [(low, np.inf) for low in bounds] + [(-np.inf, high) for high in bounds]
    sides += [(low, high) for low in bounds for high in bounds if low <= high]
    inside = np.array([(low <= prices) & (prices <= high) for low, high in sides])
    alive = np.ones((len(names), len(sides)), np.int64)
    places = [names[name] for name in brands]
    found: list[int] = []
    for _ in range(rejections):
        scores = [int(alive[at] @ inside[:, i]) for i, at in enumerate(places)]
        best = scores.index(max(scores))
        found.append(best)
        alive[places[best], inside[:, best]] = 0
    return found


def test_many_brands_and_prices_are_as_full_matrices_have_it() -> None:
    rng = np.random.default_rng(3)
    size = 600
    brands = [f"b{one}" for one in rng.integers(0, 450, size)]
    prices = rng.integers(100, 90_000, size) / 100
    rows = [
        {"origin": brand, "price": price}
        for brand, price in zip(brands, prices.tolist(), strict=True)
    ]
    catalogue = stalls(rows)
    hunt = Elimination(catalogue, np.arange(size), (), ["origin", "price"])
    found: list[int] = []
    for _ in range(25):
        best = hunt.best()
        assert best is not None
        found.append(best)
        hunt.reject(best)
    assert found == in_full(brands, prices, 25)


def test_an_elimination_over_many_groups_takes_little_room() -> None:
    """A byte for every pair of hypotheses would take 0.4 GB here."""
    size = 100_000
    rng = np.random.default_rng(5)
    everything = np.arange(size)
    brands = (everything % 50_000).tolist()
    prices = (rng.integers(1, 90_000, size) / 4).tolist()
    rows = [
        {"origin": f"b{brand}", "price": price} for brand, price in zip(brands, prices, strict=True)
    ]
    space = HypothesisSpace(stalls(rows))
    space.axes(everything[:1], (), ["origin", "price"])
    tracemalloc.start()
    try:
        hunt = Elimination(space, everything, (), ["origin", "price"])
        for _ in range(3):
            best = hunt.best()
            assert best is not None
            hunt.reject(best)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40e6
