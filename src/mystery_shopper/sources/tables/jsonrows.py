"""JSON lines, and a small JSON file of one array of objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeAlias

import msgspec

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables.encoding import Encoding, encoding_of
from mystery_shopper.sources.tables.lines import TOO_LONG
from mystery_shopper.sources.tables.model import Broken, Entry, Nested, Table, Told
from mystery_shopper.sources.tables.stream import CUT, LONGEST, Source

SAMPLE = 5_000
"""So many lines name the columns."""
MOST_ARRAY = 64 << 20
NOT_JSON = "is not JSON"
NOT_OBJECT = "is not a JSON object"
UNKNOWN_KEY = "a key that the first lines do not have; it is left aside"
_REMEDY = (
    'Write one object a line, such as {"id": "a1", "title": "A lamp"}; take a list out of the'
    " object around it: jq -c '.products[]' FILE > FILE.jsonl"
)
Objects: TypeAlias = Callable[[], Iterator[tuple[int, dict[str, Any]] | Broken]]
_PLAIN = frozenset({str, int, float, bool, type(None)})


def open_lines(source: Source) -> Table:
    """A file with one object a line. Raises InputError where the first lines hold none."""
    encoding = encoding_of(source, b"\n")

    def objects() -> Iterator[tuple[int, dict[str, Any]] | Broken]:
        number = 0
        for block in source.lines():
            lines = block.split(b"\n")
            if block.endswith(b"\n"):
                lines.pop()
            for number, line in enumerate(lines, number + 1):  # noqa: B020
                if line and not line.isspace():
                    yield _object(number, line, encoding)

    packed = ", gzipped" if source.gzipped else ""
    return _table(source, f"JSON lines, {encoding.told}{packed}", objects)


def open_array(source: Source) -> Table:
    """A file of one array of objects. Raises InputError where it is large, or something else."""
    where = str(source.path)
    whole = source.head(MOST_ARRAY + 1)
    if len(whole) > MOST_ARRAY:
        raise InputError(
            f"is one JSON array of more than {MOST_ARRAY >> 20} MB",
            where=where,
            remedy="Write one object a line: jq -c '.[]' FILE > FILE.jsonl",
        )
    try:
        parts = msgspec.json.decode(whole, type=list[msgspec.Raw])
    except msgspec.DecodeError as error:
        at = re.search(r"byte (\d+)", str(error))
        line = whole.count(b"\n", 0, int(at.group(1)) if at else len(whole)) + 1
        said = str(error).removeprefix("JSON is malformed: ")
        raise InputError(
            f"line {line}: {NOT_JSON} ({said})",
            where=where,
            remedy="Export it again, one object a line.",
        ) from None

    def objects() -> Iterator[tuple[int, dict[str, Any]] | Broken]:
        line, place = 1, 0
        for part in parts:
            text = bytes(part)
            begin = whole.find(text, place)
            line += whole.count(b"\n", place, begin)
            yield _object(line, text, Encoding("utf-8"))
            place = begin + len(text)
            line += text.count(b"\n")

    return _table(source, "JSON, an array of objects", objects)


def _table(source: Source, form: str, objects: Objects) -> Table:
    names: dict[str, None] = {}
    first: Broken | None = None
    for entry in islice(objects(), SAMPLE):
        if isinstance(entry, Broken):
            first = first or entry
        else:
            names.update(dict.fromkeys(entry[1]))
    if first is not None and first.line == 1 and _is_one_object(source):
        raise InputError("is one JSON object", where=str(source.path), remedy=_REMEDY)
    if not names:
        raise InputError(
            [str(first) if first else "holds no object with a key"],
            where=str(source.path),
            remedy=_REMEDY,
        )
    columns = tuple(names)
    empty = [name for name in columns if not name.strip()]
    if empty:
        raise InputError("a key is empty", where=str(source.path), remedy="Give each key a name.")

    def read(told: Told) -> Iterator[Entry]:
        known = names.keys()
        heard: set[str] = set()
        for entry in objects():
            if isinstance(entry, Broken):
                yield entry
                continue
            line, found = entry
            if not found.keys() <= known:
                for key in found.keys() - known - heard:
                    heard.add(key)
                    told(Broken(line, key, UNKNOWN_KEY))
            yield line, _cells(found, columns)

    return Table(source.path, form, columns, read)


def _is_one_object(source: Source) -> bool:
    """Whether a file whose first line is no object is one as a whole."""
    whole = source.head(MOST_ARRAY + 1)
    if len(whole) > MOST_ARRAY:
        return False
    try:
        return isinstance(msgspec.json.decode(whole), dict)
    except (msgspec.DecodeError, RecursionError):
        return False


def _object(line: int, text: bytes, encoding: Encoding) -> tuple[int, dict[str, Any]] | Broken:
    try:
        found = msgspec.json.decode(text if encoding.codec == "utf-8" else _told(text, encoding))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return _unread(line, text, str(error))
    if not isinstance(found, dict):
        return Broken(line, None, NOT_OBJECT, f"it is a {_kind(found)}")
    return line, found


def _told(text: bytes, encoding: Encoding) -> str:
    if encoding.mixed and not text.isascii():
        try:
            return text.decode("utf-8")
        except UnicodeDecodeError:
            pass
    return text.decode(encoding.codec)


def _unread(line: int, text: bytes, said: str) -> Broken:
    """Why a line is not read: its bytes, or its grammar."""
    if text.endswith(CUT) and len(text) > LONGEST // 2:
        return Broken(line, None, TOO_LONG, f"over {LONGEST >> 20} MB")
    if b"\x00" in text:
        return Broken(line, None, "holds a NUL byte")
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        shown = f"{text[error.start]:02X}"
        return Broken(line, _key_before(text[: error.start]), "bytes that are not UTF-8", shown)
    more = said.removeprefix("JSON is malformed: ")
    if b"NaN" in text or b"Infinity" in text:
        more = "NaN and Infinity are no JSON; write null"
    return Broken(line, None, NOT_JSON, more)


def _key_before(text: bytes) -> str | None:
    """The key whose value the text breaks off in: the last text before a colon."""
    parts = text.decode("utf-8", "replace").split('"')
    keys = [
        parts[place] for place in range(1, len(parts) - 1, 2)
        if parts[place + 1].lstrip().startswith(":")
    ]  # fmt: skip
    return keys[-1] if keys else None


def _cells(found: Mapping[str, Any], columns: tuple[str, ...]) -> list[object]:
    cells: list[object] = [found.get(name) for name in columns]
    for place, cell in enumerate(cells):
        if type(cell) not in _PLAIN:
            cells[place] = _listed(cell)
    return cells


def _listed(cell: object) -> object:
    """A list of texts and numbers as it is (nulls left out); anything else as `Nested`."""
    if not isinstance(cell, list):
        return Nested("an object within the object")
    parts = [part for part in cell if part is not None]
    if all(type(part) in _PLAIN for part in parts):
        return parts
    return Nested("a list of objects or lists")


def _kind(found: object) -> str:
    names: dict[type, str] = {list: "list", str: "text", bool: "truth value", type(None): "null"}
    return names.get(type(found), "number")
