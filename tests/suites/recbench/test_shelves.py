"""Histories on a graph: what is kept, in which order, and what is refused."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.shelves import Shelves

from .world import graph_of, histories_of

GRAPH = graph_of({letter: {"is": [letter]} for letter in "abcd"})


def test_items_stand_by_position_in_the_order_consumed_each_once() -> None:
    shelves = Shelves.of(GRAPH, histories_of({"u": "dbad", "v": "xyz", "w": "cxa"}))
    assert shelves.users == ("u", "w")
    assert [shelves.at(place).tolist() for place in range(2)] == [[3, 1, 0], [2, 0]]
    assert shelves.consumers.tolist() == [2, 1, 1, 1]
    assert shelves.owners.tolist() == [0, 0, 0, 1, 1]
    assert (shelves.unknown, shelves.again, shelves.bare) == (4, 1, 1)


def test_of_equal_times_the_smaller_id_comes_first() -> None:
    histories = histories_of({"u": "dab"})
    still = dataclasses.replace(histories, time=np.zeros(3, np.int64))
    assert Shelves.of(GRAPH, still).at(0).tolist() == [0, 1, 3]


def test_histories_of_other_items_are_refused() -> None:
    with pytest.raises(InputError, match=r"none of the 3 interactions .* graph's 4 items"):
        Shelves.of(GRAPH, histories_of({"u": "xyz"}))


def test_a_user_that_occurs_twice_is_refused() -> None:
    histories = histories_of({"u": "ab", "v": "cd"})
    twice = dataclasses.replace(histories, users=("u", "u"))
    with pytest.raises(InputError, match="user 'u' occurs twice"):
        Shelves.of(GRAPH, twice)
