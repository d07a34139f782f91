"""The arrays of histories and their order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories import AGES, Demographics, Histories, age_band
from mystery_shopper.sources.histories.demographics import occupation_named

USERS, ITEMS = ("ann", "bob", "cyd"), ("t3", "t1", "t2")
ROWS = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(1, 10), st.integers(0, 5)),
    min_size=1,
    max_size=30,
)


def histories(rows: list[tuple[int, int, int, int]]) -> Histories:
    user, item, halves, time = (np.array(column) for column in zip(*rows, strict=True))
    return Histories.build(
        USERS, ITEMS, user, item, halves / 2, time, {"ann": Demographics("Female", "25-34")},
        source="here",
    )  # fmt: skip


@given(ROWS)
def test_each_user_s_rows_are_by_time_and_then_by_item(
    rows: list[tuple[int, int, int, int]],
) -> None:
    found = histories(rows)
    assert found.items == tuple(sorted({ITEMS[item] for _, item, _, _ in rows}))
    seen: list[tuple[str, str, float, int]] = []
    for user in found.users:
        places = found.of(user)
        order = [(int(found.time[p]), found.items[found.item_index[p]]) for p in places]
        assert order == sorted(order)
        for place, item in zip(places, found.items_of(user), strict=True):
            seen.append((user, item, float(found.rating[place]), int(found.time[place])))
    expected = [(USERS[u], ITEMS[i], h / 2, t) for u, i, h, t in rows]
    assert sorted(seen) == sorted(expected)


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_does_not_matter(
    rows: list[tuple[int, int, int, int]], random: object
) -> None:
    distinct = list({(u, i): (u, i, h, t) for u, i, h, t in rows}.values())
    turned = distinct[:]
    random.shuffle(turned)  # type: ignore[attr-defined]
    assert histories(distinct).digest == histories(turned).digest


def test_what_is_known_of_a_user() -> None:
    found = histories([(0, 0, 8, 1), (1, 1, 6, 2)])
    assert found.who("ann") == Demographics("Female", "25-34", None)
    assert found.who("bob") == Demographics()
    assert found.users == ("ann", "bob")
    assert len(found.of("nobody")) == 0
    assert not found.synthetic


def test_only_some_users_or_items(small_catalogue: Callable[..., Catalogue]) -> None:
    small = small_catalogue()
    found = histories([(0, 0, 8, 1), (1, 1, 6, 2), (1, 0, 6, 3)])
    assert found.only(["bob"]).items_of("bob") == ("t1", "t3")
    assert found.only(["bob"]).users == ("bob",)
    with pytest.raises(InputError, match="no interaction"):
        found.within(small)
    assert found.positions_in(small).tolist() == [-1, -1]


def test_columns_of_different_length_are_refused() -> None:
    two, one = np.zeros(2, np.int64), np.zeros(1, np.int64)
    with pytest.raises(InputError, match="differ in length"):
        Histories.build(USERS, ITEMS, two, one, two.astype(float), two, source="here")


@pytest.mark.parametrize(("years", "band"), [(3, "Under 18"), (17, "Under 18"), (18, "18-24"),
    (34, "25-34"), (49, "45-49"), (55, "50-55"), (56, "56+"), (99, "56+")])  # fmt: skip
def test_the_band_of_an_age(years: int, band: str) -> None:
    assert age_band(years) == band
    assert band in AGES.values()


def test_words_of_the_small_release_mean_occupations_of_the_large_one() -> None:
    assert occupation_named("student", "Under 18") == "K-12 student"
    assert occupation_named("student", "18-24") == "college/grad student"
    assert occupation_named("engineer") == "technician/engineer"
    assert occupation_named("librarian") == "librarian"
