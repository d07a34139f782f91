from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, Kind, Operator, Predicate, all_match
from mystery_shopper.catalog.bits import has_bit, unpack_bits
from mystery_shopper.catalog.predicates import EARTH_RADIUS_KM, OPERATORS, haversine_km

Builder = Callable[..., Catalogue]
MANY = (Operator.CONTAINS_ANY, Operator.IN)
GENRES = ["Drama", "drama", "Crime", "Comedy", "ＣＲＩＭＥ", "War"]
LANGUAGES = ["Sinitic", "Chinese", "Mandarin", "cantonese", "Norwegian", "Nynorsk", "English"]
BLURBS = ["", "a lantern", "A LANTERN  lit", "ferry", "straße", "lantern"]
PLACES = [(52.5, 13.4), (22.3, 114.2), (-90.0, 0.0), (0.0, 180.0), (0.0, -180.0)]
POOL: dict[str, st.SearchStrategy[Any]] = {
    "genre": st.sampled_from([*GENRES, "Nothing"]),
    "language": st.sampled_from([*LANGUAGES, "Klingon"]),
    "year": st.sampled_from([1990, 1994, 2001.0, 2000.5, 1e308]),
    "rating": st.sampled_from([0, 0.5, -1.25, 7, 9.75]),
    "blurb": st.sampled_from(["lantern", "A LANTERN", "ferry", "STRASSE", "zebra"]),
}
ROW = st.fixed_dictionaries(
    {
        "genre": st.lists(st.sampled_from(GENRES), max_size=3),
        "language": st.none() | st.sampled_from(LANGUAGES),
        "year": st.none() | st.sampled_from([1990, 1994, 2001]),
        "rating": st.none() | st.sampled_from([0.5, -1.25, 7.0]),
        "blurb": st.none() | st.sampled_from(BLURBS),
        "family": st.none() | st.booleans(),
        "place": st.none() | st.sampled_from(PLACES),
    }
)


@st.composite
def predicates(draw: st.DrawFn) -> Predicate:
    """A valid predicate on any field of the small catalogue."""
    kinds = {"genre": Kind.CATEGORIES, "language": Kind.CATEGORY, "year": Kind.INTEGER,
             "rating": Kind.NUMBER, "blurb": Kind.TEXT, "family": Kind.FLAG,
             "place": Kind.POINT}  # fmt: skip
    field = draw(st.sampled_from(sorted(kinds)))
    op = draw(st.sampled_from(sorted(OPERATORS[kinds[field]])))
    if field == "family":
        return Predicate(field, op, draw(st.booleans()))
    if field == "place":
        limit = draw(st.sampled_from([0.001, 10, 1000, 12_000, 30_000]))
        return Predicate(field, op, (*draw(st.sampled_from(PLACES)), limit))
    several = op in MANY or (
        kinds[field].is_label and op in (Operator.EQUAL, Operator.NOT_EQUAL) and draw(st.booleans())
    )
    if several:
        return Predicate(field, op, tuple(draw(st.lists(POOL[field], min_size=1, max_size=3))))
    return Predicate(field, op, draw(POOL[field]))


PARENTS = {"chinese": "sinitic", "mandarin": "chinese", "cantonese": "chinese",
           "nynorsk": "norwegian"}  # fmt: skip


def _plain(text: str) -> str:
    return text.replace("ＣＲＩＭＥ", "crime").casefold().replace("  ", " ")


def _up(label: str) -> set[str]:
    """The label and everything above it."""
    found = {label}
    while label in PARENTS:
        label = PARENTS[label]
        found.add(label)
    return found


def _great_circle(one: tuple[float, float], other: tuple[float, float]) -> float:
    """By the chord of two points on the unit sphere: another formula than the haversine."""

    def point(place: tuple[float, float]) -> tuple[float, float, float]:
        latitude, longitude = map(math.radians, place)
        return (
            math.cos(latitude) * math.cos(longitude),
            math.cos(latitude) * math.sin(longitude),
            math.sin(latitude),
        )

    return 2 * EARTH_RADIUS_KM * math.asin(min(1.0, math.dist(point(one), point(other)) / 2))


def brute(predicate: Predicate, row: dict[str, Any]) -> bool:
    """What the operators mean, from the raw row, written apart from the code under test."""
    value, want, op = row[predicate.field], predicate.value, predicate.op.value
    if value is None or value == []:
        return op in ("!=", "not_contains")
    wants: list[Any] = list(want) if isinstance(want, tuple) else [want]
    if predicate.field == "place":
        return _great_circle(value, (wants[0], wants[1])) <= wants[2] + 1e-6
    if predicate.field in ("year", "rating", "family"):
        return {
            "<=": value <= wants[0],
            ">=": value >= wants[0],
            "!=": value not in wants,
            "==": value in wants,
            "in": value in wants,
        }[op]
    asked = {_plain(part) for part in wants}
    if predicate.field == "blurb":
        text = _plain(value)
        holds = any(part in text for part in asked)
        return {"==": text in asked, "in": text in asked, "!=": text not in asked,
                "not_contains": not holds}.get(op, holds)  # fmt: skip
    bears = {_plain(label) for label in ([value] if isinstance(value, str) else value)}
    within = any(asked & _up(label) for label in bears)
    return {"==": bears == asked, "!=": bears != asked, "not_contains": not bears & asked,
            "within": within}.get(op, bool(bears & asked))  # fmt: skip


@settings(max_examples=400)
@given(rows=st.lists(ROW, min_size=1, max_size=70), predicate=predicates())
def test_item_mask_and_brute_force_agree(
    small_catalogue: Builder, rows: list[dict[str, Any]], predicate: Predicate
) -> None:
    catalogue = small_catalogue(rows)
    assert predicate.problems(catalogue.domain) == []
    mask = predicate.mask(catalogue)
    for position in range(len(catalogue)):
        item = catalogue.item(position)
        expected = brute(predicate, rows[int(item.id[1:])])
        assert predicate.matches(item) == expected
        assert has_bit(mask, position) == expected


def _ids(catalogue: Catalogue, predicate: Predicate) -> list[str]:
    held = unpack_bits(predicate.mask(catalogue), len(catalogue))
    return sorted(item for item, flag in zip(catalogue.ids, held, strict=True) if flag)


@pytest.mark.parametrize(
    ("predicate", "ids"),
    [
        (Predicate("language", Operator.WITHIN, "chinese"), ["i0", "i1"]),
        (Predicate("language", Operator.WITHIN, "Sinitic"), ["i0", "i1"]),
        (Predicate("language", Operator.CONTAINS, "Chinese"), []),
        (Predicate("language", Operator.NOT_EQUAL, "English"), ["i0", "i1", "i3", "i4"]),
        (Predicate("genre", Operator.EQUAL, ("drama", "comedy")), ["i5"]),
        (Predicate("genre", Operator.EQUAL, ("Drama", "Comedy", "War")), []),
        (Predicate("genre", Operator.NOT_CONTAINS, "drama"), ["i2", "i3", "i4"]),
        (Predicate("year", Operator.AT_MOST, 2001), ["i0", "i1", "i4"]),
        (Predicate("year", Operator.IN, (10, 2010)), ["i2"]),
        (Predicate("year", Operator.EQUAL, 199), []),
        (Predicate("rating", Operator.NOT_EQUAL, 7.5), ["i1", "i2", "i3", "i5"]),
        (Predicate("family", Operator.EQUAL, False), ["i0", "i4", "i5"]),
        (Predicate("family", Operator.NOT_EQUAL, False), ["i1", "i2", "i3"]),
        (Predicate("blurb", Operator.CONTAINS, "LANTERN"), ["i0", "i5"]),
        (Predicate("blurb", Operator.EQUAL, "two strangers, one ferry."), ["i2"]),
        (Predicate("place", Operator.WITHIN, (52.5, 13.4, 40)), ["i0", "i4"]),
    ],
)
def test_meanings(small_catalogue: Builder, predicate: Predicate, ids: list[str]) -> None:
    assert _ids(small_catalogue(), predicate) == ids


def test_all_match_is_a_conjunction(small_catalogue: Builder) -> None:
    item = small_catalogue().find("i0")
    assert item is not None
    drama = Predicate("genre", Operator.CONTAINS, "Drama")
    late = Predicate("year", Operator.AT_LEAST, 2000)
    assert all_match([], item)
    assert all_match([drama], item)
    assert not all_match([drama, late], item)


def test_known_distances() -> None:
    berlin, places = (
        (52.52, 13.405),
        np.array([[48.8566, 52.52, -52.52], [2.3522, 13.405, -166.595]]),
    )
    assert haversine_km(places, berlin) == pytest.approx(
        [877.46, 0, math.pi * EARTH_RADIUS_KM], abs=0.1
    )


def test_predicates_survive_json() -> None:
    predicate = Predicate("place", Operator.WITHIN, (1.0, 2.5, 3.0))
    assert msgspec.json.decode(msgspec.json.encode(predicate), type=Predicate) == predicate
    with pytest.raises(msgspec.ValidationError, match=r"\$.op"):
        msgspec.json.decode(b'{"field": "a", "op": "like", "value": 1}', type=Predicate)


@pytest.mark.parametrize(
    ("predicate", "problem"),
    [
        (Predicate("colour", Operator.EQUAL, "red"), "there is no field 'colour'; fields: title, "),
        (
            Predicate("family", Operator.CONTAINS, True),
            "'contains' does not fit flag field 'family'",
        ),
        (Predicate("genre", Operator.AT_MOST, 3), "does not fit categories field 'genre'; use one"),
        (Predicate("family", Operator.EQUAL, "yes"), "the value must be true or false"),
        (Predicate("genre", Operator.IN, "Drama"), "the value must be a list"),
        (Predicate("genre", Operator.IN, ()), "the value must be a list that is not empty"),
        (Predicate("genre", Operator.EQUAL, ()), "the value must be a list that is not empty"),
        (Predicate("genre", Operator.CONTAINS, ("a", "b")), "the value must be a single value"),
        (Predicate("blurb", Operator.EQUAL, ("a", "b")), "the value must be a single value"),
        (Predicate("genre", Operator.CONTAINS, " "), "the value must be a text"),
        (Predicate("genre", Operator.CONTAINS, 5), "the value must be a text"),
        (Predicate("year", Operator.AT_MOST, "1990"), "the value must be a number"),
        (Predicate("year", Operator.AT_MOST, True), "the value must be a number"),
        (Predicate("year", Operator.AT_MOST, math.inf), "the value must be a number"),
        (Predicate("place", Operator.WITHIN, (1.0, 2.0)), "[latitude, longitude, kilometres]"),
        (Predicate("place", Operator.WITHIN, "Berlin"), "[latitude, longitude, kilometres]"),
    ],
)
def test_problems_say_what_is_wrong(
    small_catalogue: Builder, predicate: Predicate, problem: str
) -> None:
    (found,) = predicate.problems(small_catalogue().domain)
    assert problem in found
