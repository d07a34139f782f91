"""A table of the report as columns of one type each, with names that a program can use.

`0.952 [0.912, 0.988]` under `pass^1` becomes `pass_1`, `pass_1_low` and `pass_1_high`. A cell that
is unmeasured is None in all of its columns; a part that no row has gets no column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from mystery_shopper.foundation import slug
from mystery_shopper.report.cellvalues import (
    DOLLARS,
    HITS,
    MARK,
    MORE,
    OF,
    PERCENT,
    VALUE,
    Number,
    Reading,
    order,
    read_cell,
)
from mystery_shopper.report.disclosure.published import MARK as PAPER
from mystery_shopper.report.tabular import COUNTED, Table
from mystery_shopper.report.words import DASH

Value: TypeAlias = str | Number | None
Kind: TypeAlias = Literal["text", "integer", "number"]
_WORDS = frozenset({"HTTP statuses", "remark"})
"""Heads of columns that are words whatever stands in them."""
SOURCE = "source"
"""Says whose figures a row holds, in a table that also has the paper's."""
_TRIALS = frozenset({*COUNTED[:3], "trials", "metered trials", "timed trials", "labelled trials"})


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, the head it came from, and the unit of its numbers, empty where there
    is none or the head tells."""

    name: str
    head: str
    kind: Kind
    unit: str


@dataclass(frozen=True, slots=True)
class Typed:
    """A table as columns; `id` tells it from the report's others."""

    id: str
    title: str
    note: str
    provenance: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]


def typed(table: Table, id: str) -> Typed:
    """The table as columns of words and numbers."""
    columns: list[Column] = []
    values: list[Sequence[Value]] = []
    taken: set[str] = {SOURCE}
    papers = [row[0].startswith(f"{PAPER}: ") for row in table.rows]
    if any(papers):  # A row of the paper's figures must not fall into a mean over ours.
        columns.append(Column(SOURCE, "", "text", ""))
        values.append([PAPER if theirs else "runs" for theirs in papers])
    for place, head in enumerate(table.head):
        cells = [row[place] for row in table.rows]
        key = column_name(head) or f"column_{place + 1}"
        for column, found in _split(key, head, cells, is_name=place < table.names):
            columns.append(_renamed(column, taken))
            values.append(found)
    rows = tuple(zip(*values, strict=True)) if table.rows else ()
    return Typed(id, table.title, table.note, table.caption, tuple(columns), rows)


def column_name(head: str) -> str:
    """A head as a name: `rejections ≤` is `rejections_at_most`, `success | all` is
    `success_given_all`, `top 1,000` is `top_1000`."""
    text = head.removeprefix("95 % ").replace("≤", " at most ").replace("|", " given ")
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    return slug(text).replace("-", "_") if re.search(r"\w", text) else ""


def _renamed(column: Column, taken: set[str]) -> Column:
    """The column under a name that no other has."""
    name, number = column.name, 2
    while name in taken:
        name, number = f"{column.name}_again_{number}", number + 1
    taken.add(name)
    return Column(name, column.head, column.kind, column.unit)


def _split(
    key: str, head: str, cells: Sequence[str], *, is_name: bool
) -> list[tuple[Column, Sequence[Value]]]:
    is_name = is_name or head in _WORDS
    readings = [] if is_name else [read_cell(cell) for cell in cells]
    known = [reading for reading in readings if reading is not None]
    if is_name or len(known) < len(readings):
        words = [None if cell in (DASH, "") else cell for cell in cells]
        return [(Column(key, head, "text", ""), words)]
    known = _alike(known)
    parts = order(part for reading in known for part in reading.parts)
    unit = next((reading.unit for reading in known if reading.unit), "")
    made: list[tuple[Column, Sequence[Value]]] = []
    for part in parts or [VALUE]:
        found = [reading.parts.get(part) for reading in known]
        name = f"{key}_{part}" if part else key
        shared = part == VALUE and HITS in parts
        column = Column(name, head, _kind(part, found), _unit(head, part, unit, shared=shared))
        made.append((column, found))
    return made


def _alike(readings: Sequence[Reading]) -> list[Reading]:
    """`51` beside `51 / 50 / 49` means 51 at each place, as tables tell only what differs."""
    places = {p for reading in readings for p in reading.parts if p.isdecimal()}
    if not places:
        return list(readings)
    return [
        Reading({**reading.parts, **dict.fromkeys(places, reading.parts[VALUE])}, reading.unit)
        if set(reading.parts) == {VALUE}
        else reading
        for reading in readings
    ]


def _kind(part: str, values: Sequence[Value]) -> Kind:
    if part == MARK:
        return "text"
    there = [value for value in values if value is not None]
    return "integer" if there and all(isinstance(value, int) for value in there) else "number"


def _unit(head: str, part: str, unit: str, *, shared: bool) -> str:
    if part in (MARK, MORE):
        return ""
    if part in (HITS, OF) or head in _TRIALS:
        return "trials"
    if part == PERCENT:
        return "%"
    if unit or shared or head.startswith("pass^"):
        return unit or "share"
    if head.startswith("cost"):
        return DOLLARS
    if head == COUNTED[3]:
        return "a trial"
    return "points" if "points" in head or head == "detectable" else ""
