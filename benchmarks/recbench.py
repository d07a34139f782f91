"""The item graph, the shared relations, the titles and the scores of the suite `recbench`."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
from rapidfuzz import fuzz, process

from benchmarks.timing import Row, microseconds_each, row, seconds
from mystery_shopper.catalog import ItemGraph
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories import Histories, load_movielens, load_synthetic
from mystery_shopper.suites.recbench.answers import read_answer
from mystery_shopper.suites.recbench.draw import titles_of
from mystery_shopper.suites.recbench.queryfile import shipped_query_set
from mystery_shopper.suites.recbench.relations import shared_relations
from mystery_shopper.suites.recbench.scoring import Scorer
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.shelves import Shelves
from mystery_shopper.suites.recbench.titles import TitleIndex

MOVIELENS = Path(__file__).parents[2] / "shared" / "data" / "ml-latest-small"
TITLES = 10_000
ANSWERS = 30_000
LOOKED_UP_BY_PEER = 200


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


def titles_and_scores() -> list[Row]:
    """10,000 titles as agents write them, resolved among 16,852 films, the index included; and
    30,000 answers of ten titles each, read and scored. The peer of a title is the nearest spelling
    among all titles (rapidfuzz), on the first 200 of the same."""
    films, queries = load_films(), shipped_query_set()
    draw = np.random.default_rng(1)
    names = titles_of(films)
    written = [_as_written(names[at], draw) for at in draw.integers(len(names), size=TITLES)]
    answers = [
        "\n".join(f"{n}. {written[at]}" for n, at in enumerate(draw.integers(TITLES, size=10), 1))
        for _ in range(ANSWERS)
    ]

    def resolve() -> None:
        fresh = TitleIndex.of_catalogue(films)
        for one in written:
            fresh.resolve(one)

    # An index keeps what it has resolved, so each title is looked up once in a fresh one.
    index = TitleIndex.of_catalogue(films)
    once = seconds(lambda: [index.resolve(one) for one in written], repeat=1, warm=False)

    def nearest(one: str) -> object:
        return process.extractOne(one, names, scorer=fuzz.WRatio)

    peer = microseconds_each(nearest, written[:LOOKED_UP_BY_PEER], repeat=1)
    scorer = Scorer(Shelf(films), queries)
    asked = [queries.queries[place % len(queries.queries)] for place in range(ANSWERS)]

    def score() -> None:
        for query, text in zip(asked, answers, strict=True):
            scorer.of_answer(query, read_answer(text))

    told = "rapidfuzz extractOne, WRatio"
    return [
        row("10,000 titles resolved, index included (under 2 s)", seconds(resolve, repeat=3), "s"),
        row("one title", once / TITLES * 1e6, "us", told, peer),
        row("30,000 answers of 10 titles scored (under 10 s)",
            seconds(score, repeat=1, warm=False), "s"),
    ]  # fmt: skip


def _as_written(title: str, draw: np.random.Generator) -> str:
    """The title, or one of four slips in it."""
    kind = int(draw.integers(8))
    if kind == 0 and title.startswith("The "):
        return f"{title.removeprefix('The ')}, The"
    if kind == 1:
        return title.upper()
    if kind == 2:
        return title.replace(":", " -")
    if kind == 3 and len(title) > 8:
        at = int(draw.integers(1, len(title) - 1))
        return title[:at] + title[at + 1 :]
    return title
