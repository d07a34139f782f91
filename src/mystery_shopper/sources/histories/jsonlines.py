"""JSON lines as a stream: one object at a time, gzipped or not, at any size of the file."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.tables.stream import CUT, LONGEST, Source

Record = Mapping[str, Any]
MOST_LITERAL = 1 << 20
"""A longer line of Python is not read."""
_MEND = "mend or delete the line"
_NOT_JSON = "is not JSON"


def objects(path: Path, ledger: Ledger, *, literals: bool = False) -> Iterator[tuple[int, Record]]:
    """(line, object) for each line; those that hold none are counted as bad. `literals`: a line may
    also be a Python dictionary, as in Amazon's metadata of 2014; only literals are read.

    Raises InputError where the file cannot be read, or is empty.
    """
    decode = msgspec.json.Decoder().decode
    number = 0
    for block in Source.of(path).lines():
        lines = block.split(b"\n")
        if block.endswith(b"\n"):
            lines.pop()
        for line in lines:
            number += 1
            if not line or line.isspace():
                continue
            try:
                found = decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                found = _literal(line) if literals else None
                if found is None:
                    what = _why(line, error)
                    kind = "JSON" if what.startswith(_NOT_JSON) else what.partition(" ")[0]
                    ledger.bad(path, number, what, kind)
                    continue
            if isinstance(found, dict):
                yield number, found
            else:
                ledger.bad(path, number, f"is no object but a {type(found).__name__}; {_MEND}")
    if not number:
        raise InputError("is empty", where=str(path), remedy="Download the file again.")


def _literal(line: bytes) -> object:
    """What a line of Python stands for; None where it is no literal, or too long."""
    if len(line) > MOST_LITERAL or not line.lstrip().startswith(b"{"):
        return None
    try:
        return ast.literal_eval(line.decode("utf-8"))
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return None


def _why(line: bytes, error: Exception) -> str:
    if line.endswith(CUT) and len(line) > LONGEST // 2:
        return f"is longer than {LONGEST >> 20} MB; {_MEND}"
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as wrong:
        return f"byte {wrong.start + 1} is not UTF-8; save the file as UTF-8"
    return f"{_NOT_JSON} ({str(error).removeprefix('JSON is malformed: ')}); {_MEND}"


def text_of(record: Record, *keys: str) -> str:
    """The text under the first of the keys that has one, without spaces around it; numbers as
    text; else ""."""
    for key in keys:
        value = record.get(key)
        if isinstance(value, str) and value.strip():
            return value.strip()
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return ""


def number_of(record: Record, *keys: str) -> float | None:
    """The finite number under the first of the keys that has one, also if written as text."""
    for key in keys:
        value = record.get(key)
        try:
            if isinstance(value, int | float | str) and not isinstance(value, bool):
                number = float(value)
                if math.isfinite(number):
                    return number
        except (ValueError, OverflowError):
            continue
    return None


def list_of(record: Record, key: str) -> list[Any]:
    """The list under a key; empty where there is none."""
    value = record.get(key)
    return list(value) if isinstance(value, list | tuple) else []
