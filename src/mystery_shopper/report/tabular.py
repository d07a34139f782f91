"""A table as text, and how its cells are worded: what every table of the report is made of."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mystery_shopper.report.cells import Counts, Estimate
from mystery_shopper.report.figures import Share
from mystery_shopper.report.words import DASH, bounds, extremes, figure, whole
from mystery_shopper.report.worst import Worst

COUNTED = ("planned", "valid", "excluded", "not understood")
_WORST = (
    "‹low, high›: the figure had every excluded trial failed, and had every one succeeded; the "
    "figure itself leaves them out."
)
_SEVERAL = (
    "From pass^2 on the figure may lie outside: tasks that lack valid trials count in the bounds."
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text. The first `names` columns are words, the others figures; `caption` is the
    provenance and `note` says what the figures are."""

    title: str
    note: str
    caption: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    names: int = 2


def counted(counts: Counts) -> tuple[str, str, str, str]:
    """The cells of `COUNTED`."""
    return (
        whole(counts.planned),
        whole(counts.valid),
        whole(counts.excluded),
        figure(counts.not_understood, 2),
    )


def share(value: Share) -> str:
    """A share with its counts, e.g. `0.250 (5/20)`."""
    return DASH if value.value is None else f"{figure(value.value)} ({value.hits}/{value.of})"


def estimate(found: Estimate) -> str:
    """An estimate with its interval, and its worst case where trials were excluded:
    `0.952 [0.912, 0.988] ‹0.905, 0.955›`."""
    interval = "" if found.low is None else f" {bounds(found.low, found.high)}"
    return f"{figure(found.value)}{interval}{worst_case(found.worst)}"


def worst_case(worst: Worst | None) -> str:
    """` ‹0.905, 0.955›` where trials were excluded, else nothing."""
    return "" if worst is None else f" {extremes(worst.excluded.low, worst.excluded.high)}"


def explained(table: Table) -> Table:
    """The table with what its worst cases are, where it has any."""
    if not any("‹" in cell for row in table.rows for cell in row[table.names :]):
        return table
    more = f" {_SEVERAL}" if "pass^2" in table.head else ""
    return replace(table, note=f"{table.note} {_WORST}{more}")
