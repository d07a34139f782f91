"""The figures of many answers by kind and number of conditions: means over queries, with intervals
that draw users (a user's queries share a history).

Source: RecBench+ §5.2 and its tables by condition type and number of conditions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np
from numpy.typing import NDArray

from mystery_shopper.foundation import derive_seed
from mystery_shopper.statistics import Interval, cluster_bootstrap_columns
from mystery_shopper.suites.recbench.metrics import NAMES, Floats
from mystery_shopper.suites.recbench.query import CELLS, CONDITION_KINDS, Query
from mystery_shopper.suites.recbench.score import Figures, RecBenchScore

Users = NDArray[np.str_]
CONDITIONS = "all conditions"
ALL = "all"
ANY_WIDTH = ""
"""The width of a row over every number of conditions, and of profile queries, which have none."""


@dataclass(frozen=True)
class Entry:
    """One scored answer: its query, the query's kind ("explicit", …), its number of conditions
    ("1", "2", "3-4", "" for a profile query) and the user that asks."""

    query_id: str
    kind: str
    width: str
    user: str
    score: RecBenchScore

    @classmethod
    def of(cls, query: Query, score: RecBenchScore) -> Entry:
        """The entry of a query's answer."""
        kind, _, width = query.cell.partition("/")
        return cls(query.id, kind, width, query.user, score)

    @property
    def cell(self) -> str:
        """The cell of the table, for example `implicit/3-4`."""
        return f"{self.kind}/{self.width}" if self.width else self.kind


@dataclass(frozen=True)
class SummaryRow:
    """The figures of the answers of one row.

    `kind`: a kind of query, `CONDITIONS` (the three kinds with conditions) or `ALL`. `planned`: how
    many answers there should be, `answered`: how many there are (an answer that recommends nothing
    is one), `users`: who asked those. `free`: name of a figure (`metrics.NAMES`) -> its mean with K
    free, `at_five` with the first K items. What nothing was scored on is NaN.
    """

    kind: str
    width: str
    planned: int
    answered: int
    users: int
    free: Mapping[str, Interval]
    at_five: Mapping[str, Interval]

    @property
    def missing(self) -> int:
        """How many answers there should be and are not."""
        return self.planned - self.answered


def summarise(
    entries: Sequence[Entry],
    seed: int,
    planned: Mapping[str, int] | None = None,
    *,
    resamples: int = 10_000,
) -> tuple[SummaryRow, ...]:
    """A row for each cell that has an answer or should have one, in the order of `query.CELLS`; one
    for each kind of several widths; one of all conditions and one of all.

    `planned`: cell (`query.Query.cell`) -> how many answers there should be; by default as many as
    there are. Raises ValueError where more were answered than planned.
    """
    answered = Counter(entry.cell for entry in entries)
    expected = dict(answered) if planned is None else dict(planned)
    beyond = sorted(cell for cell, n in answered.items() if n > expected.get(cell, 0))
    if beyond:
        raise ValueError(f"more answers than planned in {', '.join(beyond)}")
    both, users = _columns(entries)
    at: dict[str, list[int]] = {}
    for place, entry in enumerate(entries):
        at.setdefault(entry.cell, []).append(place)
    rows: list[SummaryRow] = []
    for kind, width, cells in _groups(expected):
        places = sorted(place for cell in cells for place in at.get(cell, ()))
        drawn = derive_seed(seed, "summary", f"{kind}/{width}")
        count = sum(expected[cell] for cell in cells)
        rows.append(_row(both, users, places, (kind, width), count, drawn, resamples))
    return tuple(rows)


def summarise_groups(
    entries: Sequence[Entry],
    groups: Mapping[tuple[str, str], Collection[str]],
    seed: int,
    *,
    resamples: int = 10_000,
) -> tuple[SummaryRow, ...]:
    """A row for each group of queries, (what it is by, its name) -> their ids; these two stand for
    the row's kind and width. A query may be in several groups."""
    at = {entry.query_id: place for place, entry in enumerate(entries)}
    both, users = _columns(entries)
    rows: list[SummaryRow] = []
    for (by, name), ids in groups.items():
        places = sorted(at[ident] for ident in ids if ident in at)
        drawn = derive_seed(seed, "groups", f"{by}/{name}")
        rows.append(_row(both, users, places, (by, name), len(ids), drawn, resamples))
    return tuple(rows)


def _columns(entries: Sequence[Entry]) -> tuple[Floats, Users]:
    """(the figures with K free, then with the first K, a row an answer; who asked)."""
    free = _table([entry.score.figures for entry in entries])
    five = _table([entry.score.at_five for entry in entries])
    users = np.array([entry.user for entry in entries], dtype=np.str_)
    return np.concatenate([free, five], axis=1), users


def _row(
    both: Floats,
    users: Users,
    places: Sequence[int],
    name: tuple[str, str],
    planned: int,
    seed: int,
    resamples: int,
) -> SummaryRow:
    """The row of the answers at these places."""
    at = np.array(places, dtype=np.intp)
    found = _intervals(both[at], users[at], seed, resamples)
    free, five = found[: len(NAMES)], found[len(NAMES) :]
    return SummaryRow(
        *name, planned, len(places), len(set(users[at].tolist())),
        dict(zip(NAMES, free, strict=True)), dict(zip(NAMES, five, strict=True)),
    )  # fmt: skip


def _intervals(table: Floats, users: Users, seed: int, resamples: int) -> list[Interval]:
    """An interval a column. Equal columns, of which there are many (K free and K = 5, with and
    without empty answers), are resampled once: all columns share the drawn users anyway."""
    columns = [column.tobytes() for column in table.T]
    first = {content: place for place, content in reversed(list(enumerate(columns)))}
    kept = sorted(first.values())
    found = cluster_bootstrap_columns(table[:, kept], users, seed=seed, resamples=resamples)
    at = dict(zip(kept, found, strict=True))
    return [at[first[content]] for content in columns]


def _groups(cells: Mapping[str, int]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """(kind, width, cells) of each row."""
    order = [cell for cell in CELLS if cells.get(cell)]
    order += sorted(cell for cell, n in cells.items() if n and cell not in CELLS)
    for cell in order:
        kind, _, width = cell.partition("/")
        yield kind, width, (cell,)
    kinds = list(dict.fromkeys(cell.partition("/")[0] for cell in order))
    of = {kind: tuple(c for c in order if c.partition("/")[0] == kind) for kind in kinds}
    yield from ((kind, ANY_WIDTH, of[kind]) for kind in kinds if len(of[kind]) > 1)
    conditions = [kind for kind in CONDITION_KINDS if kind in of]
    if len(conditions) > 1:
        yield CONDITIONS, ANY_WIDTH, tuple(cell for kind in conditions for cell in of[kind])
    if len(kinds) > 1:
        yield ALL, ANY_WIDTH, tuple(order)


def _table(figures: Sequence[Figures]) -> Floats:
    """(answers, figures), NaN where unscored."""
    # `Figures` has the order of `NAMES`; numpy reads None as NaN.
    rows = [msgspec.structs.astuple(one) for one in figures]
    return np.array(rows, dtype=np.float64).reshape(len(figures), len(NAMES))
