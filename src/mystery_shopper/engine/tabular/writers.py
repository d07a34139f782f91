"""Text files of rows: CSV and JSON lines. They need nothing but the core."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from mystery_shopper.engine.tabular.rows import Place
from mystery_shopper.engine.tabular.schema import Table

_ENDS = frozenset(',"\r\n')


class JsonLines:
    """One JSON object a row, keys in the order of the columns; null is unmeasured."""

    def __init__(self, table: Table, path: Path) -> None:
        del table
        self._file = path.open("wb")

    def write(self, rows: Sequence[Place]) -> None:
        """See `batches.Sink`."""
        self._file.write(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class Csv:
    """CSV in UTF-8 as RFC 4180 has it: a head, `true` and `false`, lists as JSON. An empty cell is
    unmeasured; an empty text is written as two quotation marks."""

    def __init__(self, table: Table, path: Path) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._line([column.name for column in table.columns])

    def write(self, rows: Sequence[Place]) -> None:
        """See `batches.Sink`."""
        for row in rows:
            self._line(map(cell, msgspec.structs.astuple(row)))

    def _line(self, cells: Sequence[str] | map[str]) -> None:
        self._file.write(",".join(cells) + "\r\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def cell(value: object) -> str:
    """A value as CSV has it."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return _quoted(value) if not value or _ENDS.intersection(value) else value
        case tuple():
            return _quoted(msgspec.json.encode(value).decode())
        case _:
            return msgspec.json.encode(value).decode()


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
