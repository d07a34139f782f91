"""A small world of films, users and histories, drawn from a seed; and parts of such worlds."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.sources.histories import Demographics, Histories
from mystery_shopper.suites.recbench.draw import DrawOptions, draw_queries
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.shelves import Shelves

DATA = Path(__file__).parents[4] / "shared" / "data"
NAME = "recbench/small@1"
OPTIONS = DrawOptions(queries=240, widest=25, sequence_users=3, group_users=3)


def data(*parts: str) -> Path:
    """A file of the shared data; the test is skipped where it is not there."""
    path = DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip(f"needs {path}, which is not part of the project")
    return path


def graph_of(items: Mapping[str, Mapping[str, Sequence[str]]]) -> ItemGraph:
    """A graph of item -> relation -> values."""
    return ItemGraph.of_triples(
        (item, relation, value)
        for item, relations in items.items()
        for relation, values in relations.items()
        for value in values
    )


def histories_of(
    lists: Mapping[str, Sequence[str]],
    who: Mapping[str, Demographics] | None = None,
    items: Sequence[str] | None = None,
) -> Histories:
    """Histories of user -> items, consumed in this order, a second apart."""
    names = sorted({item for mine in lists.values() for item in mine}) if items is None else items
    place = {item: at for at, item in enumerate(names)}
    rows = [(u, place[i], t) for u, mine in enumerate(lists.values()) for t, i in enumerate(mine)]
    user, item, time = np.array(rows, np.int64).T
    rating = np.full(len(rows), 4.0, np.float32)
    return Histories.build(
        tuple(lists), names, user, item, rating, time, who or {}, source="made for a test",
        synthetic=True,
    )  # fmt: skip


def shelves_of(graph: ItemGraph, lists: Mapping[str, Sequence[str]]) -> Shelves:
    """The shelves of user -> items."""
    return Shelves.of(graph, histories_of(lists))


@lru_cache(maxsize=1)
def small_world(seed: int = 5) -> tuple[ItemGraph, tuple[str, ...], Histories]:
    """(graph, titles, histories) of 240 films and 60 users who watch runs of films together."""
    source = random.Random(seed)
    directors = [f"Director {letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    cast = [f"Actor {n}" for n in range(70)]
    genres = ["Comedy", "Crime", "Drama", "Horror", "Musical", "War", "Western"]
    graph = graph_of(
        {
            f"f{n:03}": {
                "director": [source.choice(directors)],
                "starring": source.sample(cast, 4),
                "genre": source.sample(genres, source.randint(1, 3)),
            }
            for n in range(240)
        }
    )
    ids = list(graph.items)
    runs = [source.sample(ids, source.randint(2, 4)) for _ in range(14)]
    lists: dict[str, list[str]] = {}
    for user in range(60):
        mine: list[str] = []
        for run in source.sample(runs, 5):
            mine += run + source.sample(ids, 4)
        lists[f"u{user:02}"] = list(dict.fromkeys(mine))
    who = {
        user: Demographics(
            source.choice(["Female", "Male"]),
            source.choice(["18-24", "25-34", "35-44"]),
            source.choice(["artist", "writer", "lawyer"]),
        )
        for user in lists
    }
    # Two films share a title, one has none.
    titles = ["" if n == 7 else "The Same" if n in (3, 4) else f"Film No {n}" for n in range(240)]
    return graph, tuple(titles), histories_of(lists, who)


def words(query: Query, seed: int) -> str:
    """A text for a query, told by its seed."""
    return f"Wanted: {query.id} {seed % 997}"


@lru_cache(maxsize=1)
def small_set() -> QuerySet:
    """The queries drawn from the small world."""
    graph, titles, histories = small_world()
    return draw_queries(NAME, graph, titles, histories, words, OPTIONS)
