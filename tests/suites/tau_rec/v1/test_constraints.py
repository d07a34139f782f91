"""The eight operators: each holds for the same films as on the plain values of the file."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, all_match
from mystery_shopper.sources.tau_rec_v1 import read_catalogue
from mystery_shopper.suites.tau_rec.v1.constraints import OPERATORS, predicates_for, v1_fields
from mystery_shopper.suites.tau_rec.wording import Wording

from .toys import films, meets, write

LABELS = {
    name: [*sorted({label for film in films() for label in film[name]}), "Nobody"]
    for name in ("genres", "cast", "streaming_services")
}
TEXTS = {
    name: [*sorted({film[name] for film in films()}), "Nobody"]
    for name in ("director", "content_rating")
}
NUMBERS = {"runtime": st.integers(50, 150), "rating": st.sampled_from([4.0, 5, 6.5, 7.25, 9.9])}


@cache
def catalogue() -> Catalogue:
    with TemporaryDirectory() as folder:
        found, problems = read_catalogue(write(Path(folder), []))
    assert found is not None
    assert not problems
    return found


@st.composite
def constraints(draw: st.DrawFn) -> tuple[str, str, Any]:
    """(field, operator, value): every combination that is taken."""
    field = draw(st.sampled_from([*LABELS, *TEXTS, *NUMBERS, "sponsored"]))
    if field == "sponsored":
        return field, draw(st.sampled_from(["==", "!="])), draw(st.booleans())
    if field in NUMBERS:
        op = draw(st.sampled_from(["<=", ">=", "==", "!=", "in"]))
        one = NUMBERS[field]
    elif field in TEXTS:
        op = draw(st.sampled_from(["==", "!=", "in"]))
        one = st.sampled_from(TEXTS[field])
    else:
        op = draw(st.sampled_from(["contains", "contains_any", "not_contains"]))
        one = st.sampled_from(LABELS[field])
    many = op in ("in", "contains_any") or (op == "not_contains" and draw(st.booleans()))
    return field, op, draw(st.lists(one, min_size=1, max_size=3, unique=True) if many else one)


def taken(field: str, op: str, value: Any) -> Any:
    wanted = tuple(value) if isinstance(value, list) else value
    predicates, problems = predicates_for(field, op, wanted, catalogue().domain)
    assert not problems
    return predicates


@given(constraints())
def test_each_operator_holds_for_the_same_films(drawn: tuple[str, str, Any]) -> None:
    field, op, value = drawn
    predicates = taken(field, op, value)
    ours = {item for item in catalogue().ids if all_match(predicates, catalogue().find(item))}  # pyright: ignore[reportArgumentType]
    assert ours == {film["id"] for film in films() if meets(film, field, op, value)}


@given(constraints())
def test_what_the_user_says_is_read_back(drawn: tuple[str, str, Any]) -> None:
    wording = Wording(catalogue().domain)
    predicates = taken(*drawn)
    said = "\n".join(map(wording.requirement, predicates))
    assert wording.read(said).predicates == tuple(dict.fromkeys(predicates))


@pytest.mark.parametrize(
    ("op", "value", "kept"),
    [(">=", "2025-01-01", {"x2", "x3", "x6"}), ("<=", "2024-12-31", {"x1", "x4", "x5"})],
)
def test_whole_years_of_the_release_date(op: str, value: str, kept: set[str]) -> None:
    predicates = taken("release_date", op, value)
    ours = {item for item in catalogue().ids if all_match(predicates, catalogue().find(item))}  # pyright: ignore[reportArgumentType]
    assert ours == kept == {f["id"] for f in films() if meets(f, "release_date", op, value)}


@pytest.mark.parametrize(
    ("field", "op", "value", "told"),
    [
        ("genres", "matches", "Drama", "op: 'matches' is no operator; use one of <= >= =="),
        ("genres", "within", "Drama", "op: 'within' is no operator"),
        ("mood", "==", "dark", "field: 'mood' is no field for constraints; use one of genres"),
        ("title", "==", "Kites", "field: 'title' is no field"),
        ("year", ">=", 2020, "field: 'year' is no field"),
        ("genres", "==", "Drama", "op: '==' does not fit 'genres', which holds several labels"),
        ("genres", "<=", 3, "op: '<=' does not fit 'genres'"),
        ("director", "contains", "Ray", "op: 'contains' does not fit 'director'"),
        ("runtime", "contains", 3, "op: 'contains' does not fit 'runtime', which holds a number"),
        ("sponsored", "in", (True,), "op: 'in' does not fit 'sponsored', which holds yes or no"),
        ("genres", "contains", ("Drama",), "value: ('Drama',) must be a text"),
        ("genres", "contains", 7, "value: 7 must be a text"),
        ("genres", "contains", " ", "value: ' ' must be a text"),
        ("genres", "contains_any", "Drama", "must be a list of different texts, not empty"),
        ("genres", "contains_any", (), "must be a list of different texts, not empty"),
        ("genres", "not_contains", ("Drama", "Drama"), "must be a list of different texts"),
        ("content_rating", "in", ("R", 3), "must be a list of different texts"),
        ("content_rating", "in", "R", "must be a list of different texts"),
        ("runtime", "<=", "120", "value: '120' must be a number"),
        ("runtime", "<=", True, "value: True must be a number"),
        ("runtime", "<=", float("inf"), "value: inf must be a number"),
        ("runtime", "in", 3, "must be a list of different numbers"),
        ("sponsored", "==", "no", "value: 'no' must be true or false"),
        ("sponsored", "==", 1, "value: 1 must be true or false"),
        ("release_date", ">=", "2025-02-01", "is no bound on whole years"),
        ("release_date", "==", "2025-01-01", "is no bound on whole years"),
        ("release_date", "<=", 2025, "is no bound on whole years"),
    ],
)
def test_what_is_not_understood_is_refused(field: str, op: str, value: Any, told: str) -> None:
    predicates, problems = predicates_for(field, op, value, catalogue().domain)
    assert predicates == []
    assert len(problems) == 1
    assert told in problems[0]


def test_every_field_and_operator_is_covered_here() -> None:
    fields = {*LABELS, *TEXTS, *NUMBERS, "sponsored", "release_date"}
    assert set(v1_fields(catalogue().domain)) == fields
    assert len(OPERATORS) == 8
