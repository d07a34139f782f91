"""Common sequences, groups of users and reasons, against plain counting."""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories import Demographics
from mystery_shopper.suites.recbench.profiles import (
    Before,
    CommonSequence,
    Reasons,
    closed_sequences,
    common_sequences,
    demographic_groups,
    preceding,
)
from mystery_shopper.suites.recbench.shelves import Shelves

from .world import data, graph_of, histories_of, shelves_of, small_world

LETTERS = graph_of({letter: {"is": [letter], "of": ["all"]} for letter in "abcdef"})


def runs(rows: list[str], least: int, longest: int = 5) -> dict[str, list[int]]:
    """Sequence -> the users, by cutting every piece out of every history."""
    found: dict[str, list[int]] = defaultdict(list)
    for user, row in enumerate(rows):
        pieces = {row[a : a + n] for n in range(2, longest + 1) for a in range(len(row) - n + 1)}
        for piece in pieces:
            found[piece].append(user)
    return {piece: users for piece, users in found.items() if len(users) >= least}


def spelt(one: CommonSequence | Before) -> str:
    return "".join(LETTERS.items[item] for item in one.items)


ROWS = st.lists(
    st.permutations("abcdef").flatmap(
        lambda order: st.integers(1, 6).map(lambda length: "".join(order[:length]))
    ),
    min_size=1,
    max_size=9,
)


@given(ROWS, st.integers(2, 4))
def test_common_sequences_are_those_that_counting_finds(rows: list[str], least: int) -> None:
    shelves = shelves_of(LETTERS, {f"u{n}": row for n, row in enumerate(rows)})
    found = common_sequences(shelves, least)
    true = runs(rows, least)
    assert {spelt(one): list(one.users) for one in found} == true
    assert [len(one.items) for one in found] == sorted(len(one.items) for one in found)
    closed = {spelt(one) for one in closed_sequences(found)}
    assert closed == {
        piece
        for piece, users in true.items()
        if not any(
            piece in other and len(other) == len(piece) + 1 and len(theirs) == len(users)
            for other, theirs in true.items()
        )
    }
    for one in found:
        fronts = Counter(
            row[at - n : at]
            for row in rows
            if (at := row.find(spelt(one))) >= 0
            for n in range(1, min(3, at) + 1)
        )
        told = preceding(shelves, one)
        assert {spelt(front): front.users for front in told} == fronts
        assert [front.users for front in told] == sorted(fronts.values(), reverse=True)


def test_a_sequence_of_one_user_is_nothing_common() -> None:
    shelves = shelves_of(LETTERS, {"u": "abc"})
    assert common_sequences(shelves, 2) == []
    with pytest.raises(InputError, match="at least 2 users"):
        common_sequences(shelves, 1)


def test_groups_and_their_marks_against_plain_counting() -> None:
    graph, _, histories = small_world()
    shelves = Shelves.of(graph, histories)
    groups = demographic_groups(shelves, 4, marks=7)
    everybody = {user: set(histories.items_of(user)) for user in histories.users}
    consumers = Counter(item for mine in everybody.values() for item in mine)
    seen: set[tuple[tuple[str, str], ...]] = set()
    for group in groups:
        members = [
            user
            for user in histories.users
            if all(getattr(histories.who(user), name) == value for name, value in group.attributes)
        ]
        assert [shelves.users[place] for place in group.users] == members
        assert len(members) >= 4
        seen.add(group.attributes)
        weights = {
            item: sum(item in everybody[user] for user in members)
            / len(members)
            * math.log(len(everybody) / consumers[item])
            for item in consumers
        }
        best = sorted(weights.values(), reverse=True)[:7]
        assert [mark.weight for mark in group.marks] == pytest.approx(best)
        for mark in group.marks:
            assert mark.weight == pytest.approx(weights[graph.items[mark.item]])
    names = {tuple(name for name, _ in attributes) for attributes in seen}
    assert ("gender",) in names
    assert ("gender", "age") in names
    assert ("age", "occupation") in names
    assert len(seen) == len(groups)


def test_a_user_of_whom_nothing_is_known_is_in_no_group() -> None:
    who = {"u": Demographics(gender="Female"), "v": Demographics("Female", "18-24", None)}
    histories = histories_of({"u": "ab", "v": "bc", "w": "cd"}, who)
    groups = demographic_groups(Shelves.of(LETTERS, histories), 1)
    assert [(dict(group.attributes), group.users) for group in groups] == [
        ({"gender": "Female"}, (0, 1)),
        ({"age": "18-24"}, (1,)),
        ({"gender": "Female", "age": "18-24"}, (1,)),
    ]
    with pytest.raises(InputError, match="at least one user"):
        demographic_groups(Shelves.of(LETTERS, histories), 0)


def test_an_item_that_all_consumed_marks_no_group() -> None:
    who = dict.fromkeys("uv", Demographics(gender="Male"))
    shelves = Shelves.of(LETTERS, histories_of({"u": "ab", "v": "ac"}, who))
    (group,) = demographic_groups(shelves, 2)
    assert [LETTERS.items[mark.item] for mark in group.marks] == ["b", "c"]
    assert [mark.share for mark in group.marks] == [0.5, 0.5]


def test_in_the_release_too_an_item_has_one_idf_whatever_the_group() -> None:
    groups = json.loads(data("recbench-plus", "UserBasedQuery.json").read_text("utf-8"))
    mark = re.compile(r"^(.+) - TF-IDF: ([\d.]+), Viewed by \d+ users \(([\d.]+)%\)$", re.M)
    idf: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for group in groups:
        for title, weight, percent in mark.findall(group["summary"]):
            share = float(percent) / 100
            # Both numbers are rounded.
            slack = 0.00006 / float(weight) + 0.00006 / share
            idf[title].append((float(weight) / share, slack))
    assert sum(len(seen) > 1 for seen in idf.values()) > 50
    for seen in idf.values():
        for number, slack in seen:
            assert number == pytest.approx(seen[0][0], rel=slack + seen[0][1])


FILMS = graph_of(
    {
        f"{n}": {"genre": ["War" if n < 5 else "Drama"], "by": [f"D{n % 5}"], "in": ["English"]}
        for n in range(20)
    }
)


def test_a_reason_names_what_its_subset_has_and_the_rest_of_the_list_has_not() -> None:
    everything = {"u": [str(n) for n in range(20)]}
    reasons = Reasons(shelves_of(FILMS, everything)).of([0, 1, 2, 9])
    by_subset = {reason.subset: reason.traits for reason in reasons}
    war = by_subset[0, 1, 2]
    assert [(t.relation, t.value, t.share, t.base) for t in war] == [("genre", "War", 0.75, 0.25)]
    assert reasons[0].subset == (0, 1, 2)
    # English is everywhere, Drama is rarer here than at large, and each director is here once.
    assert list(by_subset) == [(0, 1, 2)]
    assert (
        reasons[0].text
        == "over-represented: genre War (75% of the list, 25.00% of all items consumed)"
    )


def test_what_hardly_any_item_has_is_no_reason() -> None:
    rare = graph_of(
        {f"{n}": {"with": ["Cy"] if n < 4 else ["Di"] if n < 9 else ["Ed"]} for n in range(40)}
    )
    reasons = Reasons(shelves_of(rare, {"u": [str(n) for n in range(40)]}))
    assert reasons.of([0, 1, 39]) == []  # Only four films have Cy.
    assert [reason.subset for reason in reasons.of([4, 5, 39])] == [(4, 5)]


def test_a_list_without_anything_in_common_has_no_reason() -> None:
    reasons = Reasons(shelves_of(FILMS, {"u": [str(n) for n in range(20)]}))
    assert reasons.of([0, 6]) == []


def test_reasons_keep_to_at_least_three_tenths_of_the_list() -> None:
    shelves = shelves_of(FILMS, {"u": [str(n) for n in range(20)]})
    listed = [0, 5, 6, 7, 8, 9, 11, 12, 13, 18]
    for reason in Reasons(shelves).of(listed):
        assert len(reason.subset) >= 3
    assert np.isclose(Reasons(shelves).base.max(), 1.0)
