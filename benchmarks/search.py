"""Keyword search beside rank_bm25, structured search beside DuckDB, on 20,000 and 1,000,000 items.

Every peer answers the same queries, and its answers are compared with ours: a difference ends the
benchmark with an error.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from benchmarks.duck import FILTER_FIELDS, DuckTables
from benchmarks.timing import Row, microseconds_each, row
from benchmarks.variants import variants
from mystery_shopper.catalog import Filters, KeywordIndex, StructuredIndex, tokenize
from mystery_shopper.catalog.impacts import TokenField
from mystery_shopper.catalog.keyword import token_fields
from mystery_shopper.catalog.structured import Order
from mystery_shopper.foundation import random_source

WORD_FIELDS = ("title", "director", "writer", "cast", "genre", "language", "country")
ORDERS: tuple[Order, ...] = ("popularity", "recency")


def keyword() -> list[Row]:
    """Five fields, 20,000 items, 2 to 4 words a query."""
    return _keyword(20_000, queries=1000, peer_queries=30)


def keyword_million() -> list[Row]:
    """The same at 1,000,000 items."""
    return _keyword(1_000_000, queries=300, peer_queries=3)


def structured() -> list[Row]:
    """Four conditions, 20,000 items, the first page of 20."""
    return _structured(20_000, queries=500, peer_queries=100)


def structured_million() -> list[Row]:
    """The same at 1,000,000 items."""
    return _structured(1_000_000, queries=300, peer_queries=20)


def _keyword(size: int, queries: int, peer_queries: int) -> list[Row]:
    catalogue = variants(size, WORD_FIELDS)
    start = time.perf_counter()
    terms: dict[str, int] = {}
    fields = token_fields(catalogue, terms)
    index = KeywordIndex.from_codes(terms, fields, size)
    built = time.perf_counter() - start
    asked = _word_queries(list(terms), fields, queries)
    each = microseconds_each(index.search, asked)
    peer, scores = _rank_bm25(list(terms), fields, asked[:peer_queries])
    for query, expected in zip(asked[:peer_queries], scores, strict=True):
        _same_best(index.search(query), expected, query)
    used = index.starts.nbytes + index.documents.nbytes + index.impacts.nbytes
    return [
        row(f"keyword search, {size:,} items", each, "µs a query", "rank_bm25", peer),
        row(f"keyword index, {size:,} items: build", built, "s"),
        row(f"keyword index, {size:,} items: arrays", used / 1e6, "MB"),
    ]


def _word_queries(terms: list[str], fields: Sequence[TokenField], number: int) -> list[str]:
    """Queries of 2 to 4 words that one item holds, of any of its fields."""
    rng = random_source("benchmark queries")
    size = len(fields[0].offsets) - 1
    queries: list[str] = []
    while len(queries) < number:
        item = rng.randrange(size)
        codes = [int(code) for field in fields for code in _document(field, item)]
        if len(codes) >= 4:
            queries.append(" ".join(terms[code] for code in rng.sample(codes, rng.randint(2, 4))))
    return queries


def _document(field: TokenField, item: int) -> NDArray[np.int32]:
    return field.codes[field.offsets[item] : field.offsets[item + 1]]


def _rank_bm25(
    terms: list[str], fields: Sequence[TokenField], queries: Sequence[str]
) -> tuple[float, list[NDArray[np.float64]]]:
    """Microseconds a query over all fields, best 20 included, and the scores of every item.

    One field's index stands in memory at a time; its time to build is not counted.
    """
    spent = 0.0
    scores = [np.zeros(len(fields[0].offsets) - 1) for _ in queries]
    for field in fields:
        index = BM25Okapi(_documents(terms, field))
        for total, query in zip(scores, queries, strict=True):
            start = time.perf_counter()
            total += index.get_scores(tokenize(query))
            spent += time.perf_counter() - start
    start = time.perf_counter()
    for total in scores:
        np.argsort(total)[::-1][:20]
    spent += time.perf_counter() - start
    return spent / len(queries) * 1e6, scores


def _documents(terms: list[str], field: TokenField) -> Iterator[list[str]]:
    codes, offsets = field.codes.tolist(), field.offsets.tolist()
    for start, stop in pairwise(offsets):
        yield [terms[code] for code in codes[start:stop]]


def _same_best(found: Sequence[tuple[int, float]], scores: NDArray[np.float64], query: str) -> None:
    ours = np.array([score for _, score in found])
    theirs = np.sort(scores)[::-1][: len(found)]
    own = scores[[position for position, _ in found]]
    if not (np.allclose(ours, theirs, 0, 1e-9) and np.allclose(ours, own, 0, 1e-9)):
        raise AssertionError(f"keyword search differs from rank_bm25 for {query!r}")


def _structured(size: int, queries: int, peer_queries: int) -> list[Row]:
    index = StructuredIndex.build(variants(size, FILTER_FIELDS))
    asked = _filters(index, queries)
    with DuckTables(index, asked[:peer_queries]) as tables:
        rows: list[Row] = []
        for order in ORDERS:
            figure = microseconds_each(partial(index.search, order=order), asked)
            for layout in ("lists", "one-hot"):
                peer = _duckdb(tables, index, asked[:peer_queries], order, layout)
                name = f"structured search, {size:,} items, by {order}"
                rows.append(row(name, figure, "µs a query", f"DuckDB, {layout}", peer))
    return rows


def _duckdb(
    tables: DuckTables, index: StructuredIndex, asked: Sequence[Filters], order: Order, layout: str
) -> float:
    """Microseconds a query, after a comparison of every answer with ours."""
    statements = [tables.statement(filters, order, layout) for filters in asked]
    for filters, statement in zip(asked, statements, strict=True):
        theirs = tables.ask(statement)
        ours = index.search(filters, order=order)
        if ours != (theirs[0][1], tuple(position for position, _ in theirs)):
            raise AssertionError(f"structured search differs from DuckDB for {filters}")
    return microseconds_each(tables.ask, statements, repeat=3)


def _filters(index: StructuredIndex, number: int) -> list[Filters]:
    """Conditions on genre, language, country and year that one item meets."""
    rng = random_source("benchmark filters")
    catalogue = index.catalogue
    found: list[Filters] = []
    while len(found) < number:
        item = rng.randrange(len(catalogue))
        borne = {name: catalogue.labels(name).labels_of(item) for name in FILTER_FIELDS[:3]}
        year = catalogue.numbers("year").numbers[item]
        if all(borne.values()) and year == year:
            chosen = {name: (rng.choice(labels),) for name, labels in borne.items()}
            found.append(Filters(labels=chosen, lower={"year": int(year) // 10 * 10}))
    return found
