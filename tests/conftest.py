"""Fixtures that several packages share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from mystery_shopper.catalog import Catalogue, build_catalogue, parse_domain

# The same examples each time, whatever else the machine does.
settings.register_profile(
    "steady",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("steady")

SMALL_DOMAIN = b"""
name: small
noun: {singular: film, plural: films}
title: title
popularity: popularity
recency: year
fields:
  title: {kind: text, keyword: true}
  genre: {kind: categories, requirement: true, keyword: true, most: 2}
  language:
    kind: category
    requirement: true
    keyword: true
    hierarchy: {Sinitic: [Chinese], Chinese: [Mandarin, Cantonese], Norwegian: [Nynorsk]}
  year: {kind: integer, requirement: true}
  rating: {kind: number}
  blurb: {kind: text, keyword: true}
  family: {kind: flag}
  place: {kind: point}
  popularity: {kind: integer}
formats: {simulated: [DVD, download, streaming]}
"""

SMALL_ROWS: tuple[Mapping[str, Any], ...] = (
    {"title": "The Lantern", "genre": ["Drama", "Crime"], "language": "Mandarin", "year": 1994,
     "rating": 7.5, "blurb": "A lantern maker's last job.", "family": False,
     "place": (52.5, 13.4), "popularity": 90},
    {"title": "Harbour", "genre": ["drama"], "language": "Cantonese", "year": 2001,
     "rating": 6.0, "blurb": None, "family": True, "place": (22.3, 114.2), "popularity": 70},
    {"title": "Night Ferry", "genre": ["Comedy"], "language": "English", "year": 2010,
     "rating": None, "blurb": "Two strangers, one ferry.", "family": None, "place": None,
     "popularity": 70},
    {"title": "Fjord", "genre": ["Documentary"], "language": "Nynorsk", "year": None,
     "rating": 8.25, "blurb": "The fjord in winter", "family": True, "place": (60.4, 5.3),
     "popularity": None},
    {"title": None, "genre": [], "language": None, "year": 1994, "rating": 7.5, "blurb": "",
     "family": False, "place": (52.4, 13.0), "popularity": 5},
    {"title": "O'Brien's Lantern", "genre": ["Comedy", "Drama"], "language": "english",
     "year": 2020, "rating": 5.0, "blurb": "A comedy about a lantern", "family": False,
     "place": (51.5, -0.1), "popularity": 12},
)  # fmt: skip


def make_small(
    rows: Sequence[Mapping[str, Any]] = SMALL_ROWS, sizes: Sequence[int] = ()
) -> Catalogue:
    """A catalogue with a field of every kind; ids are `i0`, `i1`, ... in the order of the rows.

    A field that a row lacks is missing in it.
    """
    domain = parse_domain(SMALL_DOMAIN, "small")
    values = {name: [row.get(name) for row in rows] for name in domain.fields}
    return build_catalogue("small", domain, [f"i{i}" for i in range(len(rows))], values, sizes)


@pytest.fixture(scope="session")
def small_catalogue() -> Callable[..., Catalogue]:
    """The builder `make_small`: call it with rows, or without for six hand-made items."""
    return make_small
