"""The statistics of a set of queries, by type and number of conditions (RecBench+, table 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

from mystery_shopper.suites.recbench.query import CELLS, Query, QuerySet


@dataclass(frozen=True)
class CellStatistics:
    """One row: how many queries and users, and means over the queries: items of the user's own
    group, all matching items, items named, items of the history handed over, words of the text.
    The means are None where there is no query. `short`: how many queries are missing."""

    type: str
    conditions: str
    queries: int
    users: int
    own: float | None
    matching: float | None
    named: float | None
    history: float | None
    words: float | None
    short: int


def statistics_table(query_set: QuerySet) -> tuple[CellStatistics, ...]:
    """A row for each cell, in the order of the cells, then one of all queries."""
    by_cell: dict[str, list[Query]] = {cell: [] for cell in CELLS}
    for query in query_set.queries:
        by_cell.setdefault(query.cell, []).append(query)
    short = query_set.origin.short
    rows: list[CellStatistics] = []
    for cell, queries in by_cell.items():
        kind, _, conditions = cell.partition("/")
        rows.append(_row(query_set, kind, conditions, queries, short.get(cell, 0)))
    return (*rows, _row(query_set, "all", "", query_set.queries, sum(short.values())))


def _row(
    query_set: QuerySet, kind: str, conditions: str, queries: Sequence[Query], short: int
) -> CellStatistics:
    def average(numbers: Sequence[int]) -> float | None:
        return mean(numbers) if numbers else None

    return CellStatistics(
        kind,
        conditions,
        len(queries),
        len({query.user for query in queries}),
        average([len(query.own) for query in queries]),
        average([len(query.matching) for query in queries]),
        average([len(query.named) for query in queries]),
        average([len(query_set.history(query)) for query in queries]),
        average([len(query.text.split()) for query in queries]),
        short,
    )
