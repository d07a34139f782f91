"""A small set of queries drawn from the films, without texts."""

from __future__ import annotations

from functools import lru_cache

from mystery_shopper.sources.histories import load_synthetic
from mystery_shopper.suites.recbench.draw import DrawOptions, draw_queries
from mystery_shopper.suites.recbench.query import Query, QuerySet

from .made import Place, films


def _no_text(query: Query, seed: int) -> str:
    del query, seed
    return ""


@lru_cache(maxsize=1)
def drawn_set() -> tuple[Place, QuerySet]:
    """The films and 72 queries about them, of the made-up users."""
    place = films()
    options = DrawOptions(queries=72, most_users=40)
    made = draw_queries(
        "recbench/films@1", place.graph, place.titles, load_synthetic(), _no_text, options
    )
    return place, made
