"""Tables as columns: CSV and Parquet, a file a table, and `columns.json` that tells of them; or all
of it as one JSON file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb
import msgspec

from mystery_shopper.engine.tabular.writers import cell
from mystery_shopper.foundation import InputError
from mystery_shopper.report.columns import Typed, Value

VERSION = 1
ABOUT = "columns.json"
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r")
_TYPES = {"text": "VARCHAR", "integer": "BIGINT", "number": "DOUBLE"}
_BATCH = 200


class ColumnAbout(msgspec.Struct, frozen=True):
    """A column: `head` is what the report's page calls it, `unit` what its numbers count."""

    name: str
    head: str
    type: str
    unit: str


class TableAbout(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table; `file` where it has one of its own, `rows` where it has none."""

    id: str
    title: str
    note: str
    provenance: str
    columns: tuple[ColumnAbout, ...]
    file: str = ""
    rows: tuple[Mapping[str, Value], ...] | None = None


class Told(msgspec.Struct, frozen=True):
    """All tables of a report."""

    mystery_shopper_report: int
    written_by: str
    tables: tuple[TableAbout, ...]


def about(table: Typed, *, file: str = "", rows: bool = False) -> TableAbout:
    """What is told of a table, with its rows or without."""
    names = [column.name for column in table.columns]
    found = tuple(dict(zip(names, row, strict=True)) for row in table.rows) if rows else None
    columns = tuple(ColumnAbout(c.name, c.head, c.kind, c.unit) for c in table.columns)
    return TableAbout(table.id, table.title, table.note, table.provenance, columns, file, found)


def as_json(tables: Sequence[Typed], written_by: str) -> bytes:
    """All tables in one file: numbers as numbers, null where nothing was measured."""
    told = Told(VERSION, written_by, tuple(about(table, rows=True) for table in tables))
    return msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n"


def is_ours(data: bytes) -> bool:
    """Whether a file is one of these JSON files."""
    try:
        msgspec.json.decode(data, type=Told)
    except msgspec.MsgspecError:
        return False
    return True


def listed(folder: Path) -> set[str] | None:
    """The files of an earlier report in a folder; None where it is none."""
    try:
        told = msgspec.json.decode((folder / ABOUT).read_bytes(), type=Told)
    except (OSError, msgspec.MsgspecError):
        return None
    return {ABOUT, *(table.file for table in told.tables)}


def write_files(tables: Sequence[Typed], folder: Path, ending: str, written_by: str) -> None:
    """A file a table in the folder, which is there and empty, and `columns.json`."""
    told = [about(table, file=f"{table.id}.{ending}") for table in tables]
    if ending == "csv":
        for table, one in zip(tables, told, strict=True):
            (folder / one.file).write_bytes(as_csv(table))
    else:
        with duckdb.connect(config={"threads": 1}) as base:
            for table, one in zip(tables, told, strict=True):
                _write_parquet(base, table, folder / one.file, written_by)
    content = msgspec.json.encode(Told(VERSION, written_by, tuple(told)))
    (folder / ABOUT).write_bytes(msgspec.json.format(content, indent=2) + b"\n")


def as_csv(table: Typed) -> bytes:
    """CSV in UTF-8 as RFC 4180 has it. An empty cell is unmeasured. Words that a spreadsheet would
    take for a formula have an apostrophe before them; numbers are left as they are."""
    lines = [[column.name for column in table.columns]]
    lines += [[cell(_harmless(value)) for value in row] for row in table.rows]
    return "".join(",".join(line) + "\r\n" for line in lines).encode()


def _harmless(value: Value) -> Value:
    is_formula = isinstance(value, str) and value.startswith(_DANGEROUS)
    return f"'{value}" if is_formula else value


def _write_parquet(
    base: duckdb.DuckDBPyConnection, table: Typed, path: Path, written_by: str
) -> None:
    columns = ", ".join(f"{_name(c.name)} {_TYPES[c.kind]}" for c in table.columns)
    told = {"title": table.title, "note": table.note, "provenance": table.provenance}
    told |= {"units": msgspec.json.encode({c.name: c.unit for c in table.columns}).decode()}
    told |= {"written_by": written_by}
    metadata = ", ".join(f"{key}: {_literal(text)}" for key, text in told.items())
    places = f"({', '.join('?' * len(table.columns))})"
    try:
        base.execute(f"CREATE OR REPLACE TABLE made ({columns})")
        for start in range(0, len(table.rows), _BATCH):
            rows = table.rows[start : start + _BATCH]
            values = [value for row in rows for value in row]
            base.execute(f"INSERT INTO made VALUES {', '.join([places] * len(rows))}", values)
        base.execute(
            f"COPY made TO {_literal(str(path))} "
            f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{metadata}}})"
        )
    except duckdb.IOException as error:
        raise InputError(
            f"cannot be written ({error})", where=str(path), remedy="Make room, or choose --out."
        ) from None


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
