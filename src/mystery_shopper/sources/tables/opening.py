"""What kind of file a file is, by its content."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables.delimited import open_delimited
from mystery_shopper.sources.tables.jsonrows import open_array, open_lines
from mystery_shopper.sources.tables.model import Table
from mystery_shopper.sources.tables.parquet import MAGIC, open_parquet
from mystery_shopper.sources.tables.stream import Source

FORMATS = "CSV (any separator), JSON lines or Parquet; CSV and JSON lines may be gzipped"
_FOREIGN = (
    (b"PK\x03\x04", "an Excel workbook or a ZIP file", "Save the sheet as CSV UTF-8, or unpack it"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook", "Save the sheet as CSV UTF-8"),
    (b"SQLite format 3", "an SQLite database", "Export a table: sqlite3 -csv -header FILE 'SELECT"
     " ...'"),
    (b"%PDF", "a PDF document", f"Export the products as {FORMATS}"),
    (b"BZh", "packed by bzip2", "Unpack it, or pack it with gzip"),
    (b"\xfd7zXZ", "packed by xz", "Unpack it, or pack it with gzip"),
    (b"\x28\xb5\x2f\xfd", "packed by zstd", "Unpack it, or pack it with gzip"),
    (b"ARROW1", "an Arrow file", "Write it as Parquet"),
)  # fmt: skip
_NO_FILES = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_BINARY_SHARE = 0.05
_BINARY_LEAST = 8


def open_table(path: Path) -> Table:
    """The rows of a product file: CSV, JSON lines, a JSON array, Parquet, gzipped or not.

    The file's name decides nothing. Raises InputError, with the remedy, where there is no such
    file, or it is empty, a folder, a pipe, without rows, or of another kind.
    """
    where = str(path)
    _check_kind(path)
    source = Source.of(path)
    head = source.head()
    if head.startswith(MAGIC):
        if source.gzipped:
            raise InputError("is gzipped Parquet", where=where, remedy="Unpack it: gunzip FILE")
        return open_parquet(path, source.state)
    for magic, name, remedy in _FOREIGN:
        if head.startswith(magic):
            raise InputError(f"is {name}", where=where, remedy=f"{remedy}.")
    text = head.lstrip()
    if not text:
        raise InputError("is empty", where=where, remedy=f"Give it products, as {FORMATS}.")
    if _is_binary(head):
        few, many = sorted((head[::2].count(0), head[1::2].count(0)))
        if many > len(head) // 4 and few < many // 4:
            said, remedy = "looks like UTF-16 without a byte order mark", "Save it as UTF-8."
        else:
            said, remedy = "is a binary file", f"Give {FORMATS}."
        raise InputError(said, where=where, remedy=remedy)
    inner = text[1:].lstrip()[:1]
    if text[:1] == b"[" and inner in (b"{", b"]"):
        return open_array(source)
    if text[:1] == b"{" and inner in (b'"', b"}"):
        return open_lines(source)
    return open_delimited(source)


def _check_kind(path: Path) -> None:
    """Raise InputError for what is no file. A file is read several times; a pipe gives its bytes
    once, and opening one without a writer would wait for ever."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # opening it says why
    if stat.S_ISDIR(mode):
        raise InputError("is a folder", where=str(path), remedy="Name a file in it.")
    for test, name in _NO_FILES:
        if test(mode):
            raise InputError(
                f"is {name}",
                where=str(path),
                remedy="Save it to a file first: it is read more than once.",
            )


def _is_binary(head: bytes) -> bool:
    """Many NUL bytes, or many control characters in what is no UTF-8."""
    controls = _CONTROL.findall(head)
    if len(controls) < _BINARY_LEAST or len(controls) < _BINARY_SHARE * len(head):
        return False
    try:
        # The head may end within a character.
        head[:-4].decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start < len(head) - 8
    return controls.count(b"\x00") >= _BINARY_LEAST
