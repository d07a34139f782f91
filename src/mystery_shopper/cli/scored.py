"""Answers that were made elsewhere, scored: all that the forms of a report of them need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mystery_shopper.report.recbench.cells import demographic_groups, popularity_groups, shared_by
from mystery_shopper.report.recbench.played import Asked
from mystery_shopper.report.words import plural
from mystery_shopper.suites.recbench.missed import TitleAccount
from mystery_shopper.suites.recbench.query import QuerySet
from mystery_shopper.suites.recbench.summary import ANY_WIDTH, SummaryRow

POPULARITY = "popularity"
GROUPED = (POPULARITY, "gender", "age", "occupation")
"""What profile queries are grouped by (RecBench+ §6.1, figures 6 to 8)."""


@dataclass(frozen=True)
class Scored:
    """`rows` by kind and number of conditions, `groups` of profile queries (kind: what they are
    grouped by, width: the group). `k`: the K of the fixed figures. `history`: the histories were
    handed over."""

    queries: QuerySet
    catalogue: str
    answered: int
    k: int
    history: bool
    rows: tuple[SummaryRow, ...]
    groups: tuple[SummaryRow, ...]
    titles: TitleAccount

    @property
    def planned(self) -> int:
        """How many queries there are."""
        return len(self.queries.queries)

    def of_group(self, by: str) -> tuple[SummaryRow, ...]:
        """The groups by one thing."""
        return tuple(row for row in self.groups if row.kind == by)

    @property
    def by_kind(self) -> tuple[SummaryRow, ...]:
        """A row for each kind of query: of several numbers of conditions the one over all."""
        whole = {row.kind for row in self.rows if row.width == ANY_WIDTH}
        rows = [row for row in self.rows if row.width == ANY_WIDTH or row.kind not in whole]
        order = list(dict.fromkeys(row.kind for row in self.rows))
        return tuple(sorted(rows, key=lambda row: order.index(row.kind)))


def groups_of(queries: QuerySet) -> Mapping[tuple[str, str], Sequence[str]]:
    """(what it is by, its name) -> the ids of its queries: interests by how many users share them,
    the most popular fifth first, and the groups that demographics queries speak for."""
    asked = [Asked.of(query) for query in queries.queries]
    found: dict[tuple[str, str], Sequence[str]] = {}
    for name, some in popularity_groups(asked).items():
        low, high = shared_by(some)
        users = plural(high, "user") if low == high else f"{low:,}-{high:,} users"
        found[POPULARITY, f"{name}: {users}"] = [one.id for one in some]
    for (attribute, value), some in demographic_groups(asked).items():
        found[attribute, value] = [one.id for one in some]
    return found
