"""The tables' schemas, made from the rows' types. No pyarrow is needed to read them."""

from __future__ import annotations

import types
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

import msgspec

from mystery_shopper.engine.plan import SUITES
from mystery_shopper.engine.tabular.requestrows import RequestRow
from mystery_shopper.engine.tabular.rows import EventRow, Place, TrialRow, TurnRow

SCHEMA_VERSION = 1
"""Counts up whenever a column is added, taken away, renamed, or changes its type or meaning."""


class Kind(StrEnum):
    """What a column holds, by Arrow's name of it."""

    TEXT = "string"
    FLAG = "bool"
    WHOLE = "int64"
    SEED = "uint64"
    NUMBER = "double"
    TEXTS = "list<string>"


@dataclass(frozen=True, slots=True)
class Column:
    """A column; one that is `nullable` holds null where nothing was measured."""

    name: str
    kind: Kind
    nullable: bool
    about: str
    unit: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what a row of it is, and its columns in order. `suite` is empty where the runs of
    every suite have it."""

    name: str
    suite: str
    about: str
    row: type[Place]
    columns: tuple[Column, ...]

    @property
    def title(self) -> str:
        """What tells it from another suite's of its name."""
        return f"{self.name} of {self.suite}" if self.suite else self.name


_KINDS: dict[object, Kind] = {
    str: Kind.TEXT,
    bool: Kind.FLAG,
    int: Kind.WHOLE,
    float: Kind.NUMBER,
    tuple[str, ...]: Kind.TEXTS,
}


def _column(name: str, hint: Any) -> Column:
    if get_origin(hint) is not Annotated:
        raise TypeError(f"the column {name} is not described")
    kind, meta = get_args(hint)
    parts: tuple[Any, ...] = (kind,)
    if get_origin(kind) in (Union, types.UnionType):
        parts = get_args(kind)
    (whole,) = (part for part in parts if part is not types.NoneType)
    held = Kind.SEED if name == "seed" else _KINDS[whole]
    return Column(name, held, len(parts) > 1, meta.description, meta.extra["unit"])


def _table(name: str, row: type[Place], suite: str = "") -> Table:
    hints = get_type_hints(row, include_extras=True)
    columns = tuple(_column(field.name, hints[field.name]) for field in msgspec.structs.fields(row))
    return Table(name, suite, " ".join((row.__doc__ or "").split()), row, columns)


TRIALS = _table("trials", TrialRow, "tau_rec")
REQUESTS = _table("trials", RequestRow, "recbench")
TURNS = _table("turns", TurnRow)
EVENTS = _table("events", EventRow)
TABLES = (TRIALS, REQUESTS, TURNS, EVENTS)
NAMES = (TRIALS.name, TURNS.name, EVENTS.name)
"""The three that a run has."""


def tables_of(suite: str) -> tuple[Table, ...]:
    """The three tables of a suite's runs, in the order of `NAMES`. Raises KeyError for a suite that
    there is not."""
    return _OF_SUITE[suite]


_OF_SUITE = {
    suite: tuple(table for table in TABLES if table.suite in ("", suite)) for suite in SUITES
}
