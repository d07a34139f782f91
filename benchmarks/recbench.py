"""The item graph and the shared relations of the suite `recbench`."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from benchmarks.timing import Row, row, seconds
from mystery_shopper.catalog import ItemGraph
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories import Histories, load_movielens, load_synthetic
from mystery_shopper.suites.recbench.relations import shared_relations
from mystery_shopper.suites.recbench.shelves import Shelves

MOVIELENS = Path(__file__).parents[2] / "shared" / "data" / "ml-latest-small"


def graph_and_relations() -> list[Row]:
    """The graph of the films, and all shared relations of 610 users of MovieLens (of the made-up
    users where its files are not beside the project), for the first half of them and for all."""
    films = load_films()

    def build() -> None:
        graph = ItemGraph.of_catalogue(films)
        graph.items_of(graph.relations[0], "")

    graph = ItemGraph.of_catalogue(films)
    histories, whose = _histories()
    shelves = Shelves.of(graph, histories)
    # Shuffled, so that both halves have as many long histories.
    users = np.random.default_rng(1).permutation(len(shelves)).tolist()
    half = len(users) // 2
    first, pairs = _relations(shelves, users[:half])
    second, more = _relations(shelves, users[half:])
    return [
        row("item graph of the films (under 2 s)", seconds(build, repeat=3), "s"),
        row(f"shared relations of {half} {whose} users", first, "s"),
        row(f"shared relations of {len(users)} {whose} users (under 20 s)", first + second, "s"),
        row("irreducible pairs found", pairs + more, "pairs"),
    ]


def _relations(shelves: Shelves, users: list[int]) -> tuple[float, int]:
    start = time.perf_counter()
    pairs = sum(
        len(shared_relations(shelves.graph, shelves.at(user), irreducible=True)) for user in users
    )
    return time.perf_counter() - start, pairs


def _histories() -> tuple[Histories, str]:
    if MOVIELENS.is_dir():
        return load_movielens(MOVIELENS).histories, "MovieLens"
    return load_synthetic(), "made-up"
