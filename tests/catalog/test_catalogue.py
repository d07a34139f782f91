from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, build_catalogue, parse_domain
from mystery_shopper.catalog.catalogue import hash_ranks
from mystery_shopper.foundation import InputError

Builder = Callable[..., Catalogue]
PLAIN = parse_domain(
    b"""
name: plain
noun: {singular: thing, plural: things}
title: name
fields:
  name: {kind: text}
  size: {kind: integer}
""",
    "plain",
)


def plain(ids: list[Any], sizes: tuple[int, ...] = (), **values: list[Any]) -> Catalogue:
    values.setdefault("name", [None] * len(ids))
    values.setdefault("size", [None] * len(ids))
    return build_catalogue("plain", PLAIN, ids, values, sizes)


def test_the_most_popular_stand_first_ties_by_id_and_missing_last(small_catalogue: Builder) -> None:
    catalogue = small_catalogue()
    assert catalogue.ids == ("i0", "i1", "i2", "i5", "i4", "i3")


def test_without_popularity_ids_order() -> None:
    assert plain(["b", "c", "a"]).ids == ("a", "b", "c")


def test_items_read_their_fields(small_catalogue: Builder) -> None:
    catalogue = small_catalogue()
    item = catalogue.item(0)
    assert (item.id, item.title, item["year"]) == ("i0", "The Lantern", 1994)
    assert item["genre"] == ("Drama", "Crime")
    assert catalogue.find("i4") == catalogue.item(4)
    assert catalogue.find("i4").title == "i4"  # type: ignore[union-attr]
    assert catalogue.find("nothing") is None
    with pytest.raises(KeyError):
        item["colour"]


def test_columns_by_kind(small_catalogue: Builder) -> None:
    catalogue = small_catalogue()
    assert catalogue.labels("language").single
    assert catalogue.numbers("rating").numbers[0] == 7.5
    for field in ("year", "title", "nothing"):
        with pytest.raises(KeyError):
            catalogue.labels(field)
    for field in ("genre", "title", "nothing"):
        with pytest.raises(KeyError):
            catalogue.numbers(field)


def test_the_vocabulary_is_that_of_requirement_fields(small_catalogue: Builder) -> None:
    assert small_catalogue().vocabulary() == {
        "genre": ("Comedy", "Crime", "Documentary", "Drama"),
        "language": ("Cantonese", "English", "Mandarin", "Nynorsk"),
    }


def test_row_order_does_not_change_the_digest() -> None:
    ids, sizes = [f"i{i}" for i in range(20)], [i % 7 for i in range(20)]
    one = plain(ids, size=sizes)
    rows = list(range(20))
    random.Random(1).shuffle(rows)
    other = plain([ids[row] for row in rows], size=[sizes[row] for row in rows])
    assert one.ids == other.ids
    assert one.digest == other.digest


@pytest.mark.parametrize("changed", [{"ids": ["a", "c"]}, {"size": [1, 3]}, {"name": ["x", ""]}])
def test_any_change_changes_the_digest(changed: dict[str, list[Any]]) -> None:
    given: dict[str, list[Any]] = {"ids": ["a", "b"], "size": [1, 2], "name": ["x", None]}
    other = given | changed
    one = plain(given["ids"], size=given["size"], name=given["name"])
    assert one.digest != plain(other["ids"], size=other["size"], name=other["name"]).digest


def test_digests_tell_ids_apart() -> None:
    assert plain(["a\x1fb", "c"]).digest != plain(["a", "b\x1fc"]).digest


def test_subsets_are_nested_and_fixed() -> None:
    ids = [f"i{i}" for i in range(50)]
    catalogue = plain(ids, (10, 20, 20, 0, 99), size=list(range(50)))
    assert catalogue.sizes == (10, 20, 50)
    ten, twenty = catalogue.nested(10), catalogue.nested(20)
    assert set(ten.ids) < set(twenty.ids) < set(catalogue.ids)
    assert catalogue.nested(50) is catalogue
    assert twenty.nested(10).ids == ten.ids
    assert twenty.nested(10).digest == ten.digest
    assert twenty.sizes == (10, 20)
    assert list(ten.ids) == [item for item in catalogue.ids if item in set(ten.ids)]
    assert ten.item(0)["size"] == catalogue.find(ten.ids[0])["size"]  # type: ignore[index]
    with pytest.raises(InputError, match=r"no subset of 11 items\nUse one of 10, 20, 50"):
        catalogue.nested(11)


def test_hash_ranks_are_those_of_sha256() -> None:
    ids = [f"i{i}" for i in range(30)]
    ordered = sorted(ids, key=lambda item: hashlib.sha256(item.encode()).hexdigest())
    assert [ids[i] for i in hash_ranks(ids).argsort()] == ordered


def test_an_empty_catalogue_is_refused() -> None:
    with pytest.raises(InputError, match="the catalogue is empty"):
        plain([])


def test_every_problem_is_named() -> None:
    with pytest.raises(InputError) as caught:
        build_catalogue("plain", PLAIN, ["a", "a", "", "b]", 5], {"size": ["x"] * 5})  # type: ignore[list-item]
    assert caught.value.problems == [
        "row 2: id 'a' occurs twice",
        "row 3: id '' is empty or holds a bracket or newline",
        "row 4: id 'b]' is empty or holds a bracket or newline",
        "row 5: id 5 is not a text",
        "field 'name' of domain plain has no column",
        "row 1 (id 'a'), field 'size': 'x' is not a number",
    ]
    assert "catalogue plain: 6 problems" in str(caught.value)


def test_many_bad_ids_are_cut_short() -> None:
    with pytest.raises(InputError) as caught:
        plain(["x"] * 500)
    assert len(caught.value.problems) == 21
    assert caught.value.problems[-1] == "and perhaps more"


def test_a_column_of_another_length_is_named() -> None:
    with pytest.raises(InputError, match="field 'size' has 1 values for 2 items"):
        plain(["a", "b"], size=[1])


@given(
    rows=st.lists(
        st.tuples(
            st.text(st.characters(exclude_characters="[]\r\n"), min_size=1, max_size=3),
            st.sampled_from([1, 2, 3, None]),
        ),
        min_size=1,
        max_size=15,
        unique_by=lambda row: row[0],
    )
)
def test_the_order_is_by_popularity_then_by_the_ids_text(
    rows: list[tuple[str, int | None]],
) -> None:
    domain = msgspec.structs.replace(PLAIN, popularity="size")
    values = {"size": [size for _, size in rows], "name": [None] * len(rows)}
    catalogue = build_catalogue("plain", domain, [one for one, _ in rows], values)
    expected = sorted(rows, key=lambda row: (-(row[1] or -1), row[0]))
    assert catalogue.ids == [one for one, _ in expected]
    assert [catalogue.item(i)["size"] for i in range(len(rows))] == [size for _, size in expected]
    hashed = {one: hashlib.sha256(one.encode("utf-8", "surrogatepass")).digest() for one, _ in rows}
    by_hash = [catalogue.ids[i] for i in catalogue.nesting.argsort()]
    assert by_hash == sorted(hashed, key=hashed.__getitem__)
