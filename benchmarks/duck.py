"""The variants of the film catalogue as tables in DuckDB, and filters as SQL.

Two layouts: `lists` keeps the labels of a field as a list of text, as the Parquet file has them;
`one-hot` has a boolean column for each label that is asked for, which DuckDB reads fastest.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import Any

import duckdb
import numpy as np

from benchmarks.variants import source_rows
from mystery_shopper.catalog import Filters, StructuredIndex

FILTER_FIELDS = ("genre", "language", "country", "year")
_ORDER = {"popularity": "position", "recency": "year desc nulls last, position"}


class DuckTables:
    """Both tables in memory, for the items of the index and the labels that are asked for."""

    def __init__(self, index: StructuredIndex, asked: Sequence[Filters]) -> None:
        self._catalogue = index.catalogue
        self._connection = duckdb.connect(":memory:")
        pairs = [(n, label) for f in asked for n, labels in f.labels.items() for label in labels]
        self._flags = {pair: f"flag_{i}" for i, pair in enumerate(dict.fromkeys(pairs))}
        self._load()
        flags = ", ".join(f"{self._lists(*pair)} as {flag}" for pair, flag in self._flags.items())
        self._connection.execute(
            f"create table one_hot as select position, year, {flags} from items order by position"
        )

    def __enter__(self) -> DuckTables:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def ask(self, statement: tuple[str, list[float]]) -> list[Any]:
        """The rows (position, total on all pages) of a statement."""
        return self._connection.execute(*statement).fetchall()

    def statement(self, filters: Filters, order: str, layout: str) -> tuple[str, list[float]]:
        """The first 20 of what meets the filters, as SQL and its parameters."""
        pairs = [(name, label) for name, labels in filters.labels.items() for label in labels]
        meets = [self._lists(*pair) if layout == "lists" else self._flags[pair] for pair in pairs]
        meets += [f"{name} >= ?" for name in filters.lower]
        table = "items" if layout == "lists" else "one_hot"
        return (
            f"select position, count(*) over () from {table} where {' and '.join(meets)} "
            f"order by {_ORDER[order]} limit 20",
            list(filters.lower.values()),
        )

    def _lists(self, name: str, label: str) -> str:
        """The item bears the label or one below it. (Faster than `list_has_any`.)"""
        tree = self._catalogue.domain.hierarchies[name]
        covered = tree.covered(label, self._catalogue.labels(name).labels)
        quoted = ("'" + known.replace("'", "''") + "'" for known in covered)
        return "(" + " or ".join(f"list_contains({name}, {text})" for text in quoted) + ")"

    def _load(self) -> None:
        size = len(self._catalogue)
        rows = source_rows(size, FILTER_FIELDS) | {"position": np.arange(size)}
        self._connection.register("source", rows)
        with resources.as_file(resources.files("mystery_shopper") / "data/films.parquet") as path:
            self._connection.execute(
                "create temp table films as select *, row_number() over () - 1 as row"
                " from read_parquet(?)",
                [str(path)],
            )
        columns = ", ".join(f"f_{name}.{name}" for name in FILTER_FIELDS)
        joins = " ".join(
            f"join films f_{name} on f_{name}.row = source.{name}" for name in FILTER_FIELDS
        )
        self._connection.execute(
            f"create table items as select position, {columns} from source {joins}"
            " order by position"
        )
