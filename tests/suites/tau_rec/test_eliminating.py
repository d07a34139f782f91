"""What the eliminating agent takes for candidates, and how it pins a proposal."""

from __future__ import annotations

import tracemalloc
from functools import cache
from typing import Any

import numpy as np
import pytest

from mystery_shopper.catalog import (
    Catalogue,
    Operator,
    Predicate,
    all_match,
    build_catalogue,
    parse_domain,
)
from mystery_shopper.suites.tau_rec.reference import Interviewer
from mystery_shopper.suites.tau_rec.reference.eliminating import _candidates, _values, _without
from mystery_shopper.suites.tau_rec.reference.interview import Known
from mystery_shopper.suites.tau_rec.scoring import score
from mystery_shopper.suites.tau_rec.shelf import Interface

from .helpers import (
    FARLAND,
    HIDDEN,
    NORLAND,
    NORTH,
    RED,
    SINCE,
    STATED,
    lamp_shelf,
    play,
    shelf_of,
    task,
)

S = Interface.STRUCTURED
CANDLES = b"""
name: candles
noun: {singular: candle, plural: candles}
title: name
popularity: fame
fields:
  name: {kind: text, keyword: true}
  colour: {kind: categories, requirement: true, keyword: true}
  lit:
    kind: flag
    requirement: true
    say: {wanted: it should be lit, unwanted: it should not be lit}
  fame: {kind: integer}
"""


@cache
def candles() -> Catalogue:
    """Forty red candles, the most popular ones unlit; of three nobody knows whether they are."""
    domain = parse_domain(CANDLES, "candles")
    values: dict[str, list[Any]] = {
        "name": [f"Candle {i}" for i in range(40)],
        "colour": [["Red"]] * 40,
        "lit": [None] * 3 + [False] * 30 + [True] * 7,
        "fame": [100 - i for i in range(40)],
    }
    return build_catalogue("candles", domain, [f"c{i:02}" for i in range(40)], values)


@pytest.mark.parametrize("wanted", [True, False])
def test_a_hidden_flag_is_found_within_two_proposals(wanted: bool) -> None:
    shelf = shelf_of(candles())
    given = task((RED, STATED), (Predicate("lit", Operator.EQUAL, wanted), HIDDEN))
    found = score(given, candles(), play(given, "eliminating", shelf=shelf))
    assert found.success
    assert (found.rejections, found.tool_errors) == (int(wanted), 0)


def test_a_flag_is_pinned_by_its_value() -> None:
    pins = [_values(candles().item(place), ("lit",)) for place in (0, 3, 39)]
    assert pins == [
        (),
        (Predicate("lit", Operator.EQUAL, False),),
        (Predicate("lit", Operator.EQUAL, True),),
    ]


@pytest.mark.parametrize(
    "predicates",
    [
        (),
        (RED,),
        (RED, SINCE),
        (NORTH,),
        (NORLAND, RED),
        (FARLAND,),
        (Predicate("land", Operator.CONTAINS, "North"),),
        (Predicate("land", Operator.CONTAINS, "Norland"),),
        (Predicate("colour", Operator.NOT_CONTAINS, "Blue"), NORTH),
        (Predicate("colour", Operator.EQUAL, "Red"),),
        (Predicate("colour", Operator.EQUAL, ("Gold", "Red")),),
        (Predicate("colour", Operator.CONTAINS_ANY, ("Gold", "Blue")),),
        (Predicate("made", Operator.EQUAL, 2005),),
        (Predicate("made", Operator.NOT_EQUAL, 2005), RED),
        (Predicate("made", Operator.IN, (1990, 2010)),),
    ],
)
@pytest.mark.parametrize("history", [frozenset[str](), frozenset({"a1", "a4", "a6", "zz"})])
def test_candidates_are_the_unread_that_meet_every_requirement(
    predicates: tuple[Predicate, ...], history: frozenset[str]
) -> None:
    shelf = lamp_shelf()
    found = _candidates(Interviewer(shelf, S), Known(predicates, history=history))
    items = map(shelf.catalogue.item, range(len(shelf.catalogue)))
    assert found.tolist() == [
        item.position
        for item in items
        if item.id not in history and all_match(predicates, item)
    ]  # fmt: skip


def test_an_unknown_label_leaves_no_candidate() -> None:
    wanted = (Predicate("land", Operator.WITHIN, "Nowhere"),)
    assert _candidates(Interviewer(lamp_shelf(), S), Known(wanted)).tolist() == []


def test_a_few_positions_are_taken_out_of_many() -> None:
    many = np.arange(0, 2_000_000, 2)
    assert _without(many[:6], np.array([0, 3, 4, 99])).tolist() == [2, 6, 8, 10]
    assert _without(many[:0], np.array([1])).tolist() == []
    tracemalloc.start()
    try:
        kept = _without(many, np.array([10, 11, 1_999_998]))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(kept) == len(many) - 2
    assert peak < 1.5 * many.nbytes
