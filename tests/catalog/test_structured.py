from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import (
    Catalogue,
    Filters,
    Operator,
    Page,
    Predicate,
    StructuredIndex,
    UnknownLabel,
    all_match,
    formats_of,
)
from mystery_shopper.catalog.bits import positions_of
from mystery_shopper.catalog.columns import LabelColumn, NumberColumn
from mystery_shopper.catalog.fields import Hierarchy
from mystery_shopper.catalog.sets import BoundSets, LabelSets, nearest_first
from mystery_shopper.catalog.structured import MOST_SUGGESTED
from mystery_shopper.foundation import MysteryShopperError

Builder = Callable[..., Catalogue]
GENRES = ["Drama", "Crime", "Comedy", "War"]
LANGUAGES = ["Chinese", "Mandarin", "Cantonese", "Nynorsk", "English"]


def brute(catalogue: Catalogue, filters: Filters, order: str = "popularity") -> list[int]:
    """The positions that meet the filters, item by item, in the order asked for."""
    asked = [Predicate(name, Operator.WITHIN, label)
             for name, labels in filters.labels.items() for label in labels]  # fmt: skip
    asked += [Predicate(name, Operator.AT_LEAST, bound) for name, bound in filters.lower.items()]
    asked += [Predicate(name, Operator.AT_MOST, bound) for name, bound in filters.upper.items()]
    asked += [Predicate(name, Operator.EQUAL, flag) for name, flag in filters.flags.items()]
    wanted = {name.casefold() for name in filters.formats}
    found: list[int] = []
    for position in range(len(catalogue)):
        item = catalogue.item(position)
        had = {name.casefold() for name in formats_of(item)}
        if all_match(asked, item) and (not wanted or wanted & had):
            found.append(position)
    if order == "recency":
        years = [catalogue.item(position)["year"] for position in range(len(catalogue))]
        found.sort(key=lambda p: (years[p] is None, -(years[p] or 0), p))  # type: ignore[operator]
    return found


def rows_of(size: int, seed: int, distinct: int = 40) -> list[dict[str, Any]]:
    """Random rows with every field in use. `distinct` is how many ratings there are."""
    rng = random.Random(seed)
    return [
        {
            "genre": rng.sample(GENRES, rng.randint(0, 3)) + ([f"g{i}"] if i % 3 else []),
            "language": rng.choice([*LANGUAGES, None]),
            "year": rng.choice([None, *range(1990, 2020)]),
            "rating": rng.choice([None, *(i / 4 for i in range(distinct))]),
            "family": rng.choice([True, False, None]),
            "popularity": rng.randint(0, 50),
        }
        for i in range(size)
    ]


FILTERS = st.builds(
    Filters,
    labels=st.fixed_dictionaries(
        {},
        optional={
            "genre": st.lists(
                st.sampled_from(["DRAMA", "crime", "War", "g1", "G25"]), max_size=3
            ).map(tuple),
            "language": st.lists(
                st.sampled_from(["sinitic", "Chinese", "cantonese", "Norwegian"]), max_size=2
            ).map(tuple),
        },
    ),
    lower=st.fixed_dictionaries(
        {}, optional={"year": st.integers(1985, 2025), "rating": st.floats(-1, 12)}
    ),
    upper=st.fixed_dictionaries(
        {}, optional={"year": st.integers(1985, 2025), "rating": st.floats(-1, 12)}
    ),
    formats=st.lists(st.sampled_from(["dvd", "Streaming", "download"]), max_size=2).map(tuple),
    flags=st.fixed_dictionaries({}, optional={"family": st.booleans()}),
)


@pytest.fixture(scope="module")
def indexes(small_catalogue: Builder) -> list[StructuredIndex]:
    """Three sizes; in the largest the labels `g1`, `g25` are rare and the ratings are many."""
    return [
        StructuredIndex.build(small_catalogue(rows_of(size, seed, distinct)))
        for size, seed, distinct in ((30, 1, 5), (500, 2, 40), (3000, 3, 512))
    ]


@settings(max_examples=250, deadline=None)
@given(
    which=st.integers(0, 2),
    filters=FILTERS,
    order=st.sampled_from(["popularity", "recency"]),
    page=st.integers(1, 12),
    size=st.integers(1, 40),
)
def test_search_agrees_with_brute_force(
    indexes: list[StructuredIndex], which: int, filters: Filters, order: Any, page: int, size: int
) -> None:
    index = indexes[which]
    found = brute(index.catalogue, filters, order)
    expected = Page(len(found), tuple(found[(page - 1) * size : page * size]))
    assert index.search(filters, order=order, page=page, size=size) == expected
    assert positions_of(index.mask(filters)).tolist() == sorted(found)


@pytest.mark.parametrize("order", ["popularity", "recency"])
@pytest.mark.parametrize("labels", [{}, {"genre": ("Drama",)}, {"genre": ("g1",)}])
def test_pages_together_are_the_whole(
    indexes: list[StructuredIndex], order: Any, labels: dict[str, tuple[str, ...]]
) -> None:
    index, filters = indexes[2], Filters(labels=labels)
    whole = brute(index.catalogue, filters, order)
    pages: list[int] = []
    for page in range(1, len(whole) // 37 + 2):
        pages += index.search(filters, order=order, page=page, size=37).positions
    assert pages == whole


@pytest.mark.parametrize("order", ["popularity", "recency"])
def test_a_page_may_lie_far_off(small_catalogue: Builder, order: Any) -> None:
    """All that is found is old: the walk from the latest on has to go on to the end."""
    rows = [{"year": 2000 + i % 10, "genre": ["New"], "popularity": i} for i in range(8000)]
    rows += [{"year": 1950, "genre": ["Old"], "popularity": i * 11} for i in range(700)]
    index = StructuredIndex.build(small_catalogue(rows))
    filters = Filters(labels={"genre": ("Old",)})
    found = brute(index.catalogue, filters, order)
    for page, size in ((1, 20), (35, 20), (1, 700)):
        expected = tuple(found[(page - 1) * size : page * size])
        assert index.search(filters, order=order, page=page, size=size) == Page(700, expected)


def test_a_parent_may_have_few_bearers(small_catalogue: Builder) -> None:
    rows = [{"language": "English"}] * 2000 + [{"language": "Mandarin"}, {"language": "Cantonese"}]
    index = StructuredIndex.build(small_catalogue(rows))
    chinese = Filters(labels={"language": ("Chinese",)})
    assert index.search(chinese).total == 2
    assert positions_of(index.mask(chinese)).tolist() == brute(index.catalogue, chinese)


def test_labels_are_conjunctive_and_parents_accept_children(small_catalogue: Builder) -> None:
    index = StructuredIndex.build(small_catalogue())
    ids = index.catalogue.ids

    def found(**labels: tuple[str, ...]) -> set[str]:
        return {ids[p] for p in index.search(Filters(labels=labels)).positions}

    assert found(genre=("DRAMA", "comedy")) == {"i5"}
    assert found(language=("chinese",)) == {"i0", "i1"}
    assert found(language=("Sinitic", "Mandarin")) == {"i0"}
    assert found(genre=("drama",), language=("Nynorsk",)) == set()


@pytest.mark.parametrize("order", ["popularity", "recency"])
def test_beyond_the_last_page_and_nothing_found(small_catalogue: Builder, order: Any) -> None:
    index = StructuredIndex.build(small_catalogue())
    assert index.search(Filters(), order=order, page=2, size=4).total == 6
    assert len(index.search(Filters(), order=order, page=2, size=4).positions) == 2
    for page in (3, 10**30):
        assert index.search(Filters(), order=order, page=page, size=4) == Page(6, ())
    rare = Filters(labels={"genre": ("Crime",)})
    assert index.search(rare, order=order, page=9) == Page(1, ())
    upside_down = Filters(lower={"year": 2000}, upper={"year": 1990})
    assert index.search(upside_down, order=order) == Page(0, ())
    assert not index.mask(upside_down).any()


@pytest.mark.parametrize(("page", "size"), [(0, 20), (-1, 20), (1, 0)])
def test_pages_and_sizes_below_one_are_refused(
    small_catalogue: Builder, page: int, size: int
) -> None:
    with pytest.raises(ValueError, match="both must be at least 1"):
        StructuredIndex.build(small_catalogue()).search(Filters(), page=page, size=size)


def test_an_order_that_the_domain_lacks_is_refused(small_catalogue: Builder) -> None:
    catalogue = small_catalogue()
    domain = msgspec.structs.replace(catalogue.domain, recency=None)
    bare = Catalogue("bare", domain, catalogue.ids, catalogue.columns, catalogue.nesting, (6,))
    with pytest.raises(ValueError, match="domain small has no recency field"):
        StructuredIndex.build(bare).search(Filters(), order="recency")


def test_bounds_are_inclusive_and_missing_numbers_meet_none(small_catalogue: Builder) -> None:
    index = StructuredIndex.build(small_catalogue())
    nan, inf = float("nan"), float("inf")
    for lower, upper, total in ((1994, 1994, 2), (-inf, inf, 5), (inf, inf, 0), (nan, 2100, 0),
                                (1994.5, 2001, 1)):  # fmt: skip
        assert index.search(Filters(lower={"year": lower}, upper={"year": upper})).total == total


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("distinct", [1, 3, 300, 65_535, 65_536])
def test_bound_sets_are_comparisons(distinct: int, missing: bool) -> None:
    numbers = np.arange(max(distinct, 1000), dtype=np.float64) % distinct
    column = NumberColumn(np.append(numbers, np.nan) if missing else numbers, False)
    sets = BoundSets(column)
    inf = float("inf")
    for bound in (-inf, -1.0, 0.0, 0.5, 2.0, distinct - 1.0, float(distinct), inf, float("nan")):
        for _ in range(2):
            above, below = column.numbers >= bound, column.numbers <= bound
            assert positions_of(sets.at_least(bound)).tolist() == np.flatnonzero(above).tolist()
            assert positions_of(sets.at_most(bound)).tolist() == np.flatnonzero(below).tolist()


def test_bounds_of_no_numbers() -> None:
    sets = BoundSets(NumberColumn(np.full(5, np.nan), False))
    assert not positions_of(sets.at_least(0)).size
    assert not positions_of(sets.at_most(0)).size


def test_a_rare_label_never_costs_a_bit_set() -> None:
    rows = [[f"l{i}"] for i in range(3000)] + [["often"]] * 3000
    sets = LabelSets(LabelColumn.build(rows, single=True), Hierarchy())
    kinds = [sets.get(f"l{i}") for i in range(3000)]
    assert all(members is not None and members.bits is None for members in kinds)
    assert [members.positions.tolist() for members in kinds if members] == [
        [i] for i in range(3000)
    ]
    often = sets.get("OFTEN")
    assert often is not None
    assert often.bits is not None
    assert positions_of(often.bits).tolist() == list(range(3000, 6000))
    assert sets.get("often") is often


def test_an_unknown_label_suggests_the_nearest_first(small_catalogue: Builder) -> None:
    index = StructuredIndex.build(small_catalogue())
    with pytest.raises(UnknownLabel) as caught:
        index.search(Filters(labels={"genre": ("Comdey",)}))
    assert (caught.value.field, caught.value.label) == ("genre", "Comdey")
    assert caught.value.vocabulary == ("Comedy", "Crime", "Documentary", "Drama")
    assert caught.value.total == 4
    assert isinstance(caught.value, MysteryShopperError)
    assert "genre: there is no 'Comdey' among 4 known; the nearest: Comedy" in str(caught.value)


def test_parents_that_cover_an_item_can_be_asked_for(small_catalogue: Builder) -> None:
    index = StructuredIndex.build(small_catalogue())
    with pytest.raises(UnknownLabel) as caught:
        index.mask(Filters(labels={"language": ("Klingon",)}))
    assert set(caught.value.vocabulary) == {
        "Cantonese", "Chinese", "English", "Mandarin", "Norwegian", "Nynorsk", "Sinitic",
    }  # fmt: skip
    english = StructuredIndex.build(small_catalogue([{"language": "English"}]))
    with pytest.raises(UnknownLabel):
        english.search(Filters(labels={"language": ("Chinese",)}))


def test_a_long_vocabulary_and_a_long_label_are_cut(small_catalogue: Builder) -> None:
    rows = [{"genre": [f"label {i:04}"]} for i in range(500)]
    index = StructuredIndex.build(small_catalogue(rows))
    with pytest.raises(UnknownLabel) as caught:
        index.search(Filters(labels={"genre": ("labl 0321" + "x" * 10_000,)}))
    assert len(caught.value.vocabulary) == MOST_SUGGESTED
    assert caught.value.total == 500
    assert len(str(caught.value)) < 300
    with pytest.raises(UnknownLabel) as caught:
        index.search(Filters(labels={"genre": ("labl 0321",)}))
    assert caught.value.vocabulary[0] == "label 0321"


def test_an_unknown_format_names_the_formats(small_catalogue: Builder) -> None:
    catalogue = small_catalogue()
    with pytest.raises(UnknownLabel) as caught:
        StructuredIndex.build(catalogue).search(Filters(formats=("DVD", "vhs")))
    assert (caught.value.field, caught.value.label) == ("format", "vhs")
    assert sorted(caught.value.vocabulary) == ["DVD", "download", "streaming"]
    domain = msgspec.structs.replace(catalogue.domain, formats=None)
    bare = Catalogue("bare", domain, catalogue.ids, catalogue.columns, catalogue.nesting, (6,))
    with pytest.raises(UnknownLabel, match="format: there is no 'DVD'; nothing is known"):
        StructuredIndex.build(bare).search(Filters(formats=("DVD",)))


@pytest.mark.parametrize("label", ["", " ", "\ud800", "x" * 1000])
def test_any_label_can_be_asked_for(small_catalogue: Builder, label: str) -> None:
    with pytest.raises(UnknownLabel):
        StructuredIndex.build(small_catalogue()).search(Filters(labels={"genre": (label,)}))


@pytest.mark.parametrize(
    "filters",
    [
        Filters(labels={"year": ("x",)}),
        Filters(labels={"colour": ("x",)}),
        Filters(lower={"genre": 3}),
        Filters(upper={"colour": 3}),
        Filters(flags={"year": True}),
        Filters(flags={"colour": True}),
    ],
)
def test_a_field_of_another_kind_is_a_key_error(small_catalogue: Builder, filters: Filters) -> None:
    with pytest.raises(KeyError):
        StructuredIndex.build(small_catalogue()).search(filters)


def test_a_text_where_a_tuple_belongs_is_refused() -> None:
    with pytest.raises(TypeError, match="tuples of texts"):
        Filters(labels={"genre": "Drama"})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match="tuples of texts"):
        Filters(formats="DVD")  # type: ignore[arg-type]


def test_kept_sets_equal_fresh_ones_and_cannot_be_spoilt(indexes: list[StructuredIndex]) -> None:
    index = indexes[1]
    predicate = Predicate("genre", Operator.CONTAINS, "Drama")
    bits = index.bits(predicate)
    assert np.array_equal(bits, predicate.mask(index.catalogue))
    assert index.bits(Predicate("genre", Operator.CONTAINS, "Drama")) is bits
    kept = (
        Filters(),
        Filters(labels={"genre": ("Drama",)}),
        Filters(lower={"year": 2000}),
        Filters(flags={"family": True}),
        Filters(formats=("DVD",)),
    )
    for one in (bits, *map(index.mask, kept)):
        with pytest.raises(ValueError, match="read-only"):
            one[0] = 0


def test_nearest_first_keeps_every_label_once() -> None:
    labels = ["Sci-Fi", "Drama", "science fiction", "Docudrama"]
    found = nearest_first("sci fi", labels)
    assert found[0] == "Sci-Fi"
    assert sorted(found) == sorted(labels)
    assert nearest_first("x", []) == []
