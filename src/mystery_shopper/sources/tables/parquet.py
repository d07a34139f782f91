"""Parquet, a few thousand rows at a time. Row numbers stand in for line numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables.model import Entry, Nested, Table, Told
from mystery_shopper.sources.tables.stream import State, changed, state_of

CHUNK = 5_000
MAGIC = b"PAR1"
_REMEDY = "Export it again as Parquet, or as CSV."
_NESTED = re.compile(r"^(STRUCT|MAP|UNION|BLOB|BIT|VARIANT|GEOMETRY)|\]\[")
_NUMBERS = frozenset(
    ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
     "UBIGINT", "UHUGEINT", "FLOAT", "DOUBLE", "BOOLEAN", "VARCHAR")
)  # fmt: skip


def open_parquet(path: Path, state: State) -> Table:
    """Raises InputError where the file cannot be read, holds no row, or is no longer in the
    state in which it was first opened."""
    import duckdb

    where = str(path)
    try:
        with duckdb.connect(":memory:") as connection:
            described = connection.execute(
                "describe select * from read_parquet(?, hive_partitioning = false)", [_plain(path)]
            ).fetchall()
            counted: Any = connection.execute(
                "select count(*) from read_parquet(?)", [_plain(path)]
            ).fetchone()
    except duckdb.Error as error:
        _check(path, state)
        raise _unreadable(path, error) from None
    types = {str(name): str(kind) for name, kind, *_ in described}
    if not counted[0]:
        raise InputError("holds no rows", where=where, remedy="Export it with its rows.")

    def read(told: Told) -> Iterator[Entry]:
        del told
        return _rows(path, types, state)

    return Table(path, f"Parquet, {counted[0]:,} rows", tuple(types), read, unit="row")


def _rows(path: Path, types: dict[str, str], state: State) -> Iterator[Entry]:
    import duckdb

    _check(path, state)
    wanted = ", ".join(_selected(name, kind) for name, kind in types.items())
    nested = [place for place, kind in enumerate(types.values()) if _NESTED.search(kind)]
    lists = [
        place for place, kind in enumerate(types.values())
        if kind.endswith("]") and place not in nested
    ]  # fmt: skip
    number = 0
    try:
        with duckdb.connect(":memory:") as connection:
            found = connection.execute(
                f"select {wanted} from read_parquet(?, hive_partitioning = false)", [_plain(path)]
            )
            while chunk := found.fetchmany(CHUNK):
                for row in chunk:
                    number += 1
                    yield number, (_tidied(row, nested, lists) if nested or lists else row)
    except duckdb.Error as error:
        _check(path, state)
        raise _unreadable(path, error, f"after row {number}") from None
    _check(path, state)


def _check(path: Path, state: State) -> None:
    """Raise InputError for a file that changed or is gone."""
    if not path.exists() or state_of(path.stat()) != state:
        raise changed(path)


def _selected(name: str, kind: str) -> str:
    """The column as texts, numbers, truth values, or lists of them; of a nested one whether there
    is a value."""
    quoted = '"' + name.replace('"', '""') + '"'
    if _NESTED.search(kind):
        return f"{quoted} is not null"
    listed = kind.endswith("]")
    base = kind[: kind.rindex("[")] if listed else kind
    if base in _NUMBERS:
        return quoted
    plain = "DOUBLE" if base.startswith("DECIMAL") else "VARCHAR"
    return f"{quoted}::{plain}{'[]' if listed else ''}"


def _tidied(row: tuple[object, ...], nested: list[int], lists: list[int]) -> list[object]:
    cells = list(row)
    for place in nested:
        cells[place] = Nested("a nested value or bytes") if cells[place] else None
    for place in lists:
        cell = cells[place]
        if isinstance(cell, list | tuple):
            cells[place] = [part for part in cell if part is not None]
    return cells


def _plain(path: Path) -> str:
    """The path with the marks of a file pattern made plain."""
    return re.sub(r"([*?\[])", r"[\1]", str(path))


def _unreadable(path: Path, error: Exception, place: str = "") -> InputError:
    first = str(error).splitlines()[0]
    said = f"cannot be read as Parquet {place}".rstrip()
    return InputError(f"{said} ({first})", where=str(path), remedy=_REMEDY)
