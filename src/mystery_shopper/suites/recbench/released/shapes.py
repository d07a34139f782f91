"""Published files as bytes -> their records, each with its number and, where it is known, its line.

A file is one JSON array, JSON lines, one object whose values hold the records (a list for each
number of conditions), or such objects within each other. It may begin with a byte order mark, be in
latin-1, and hold NaN, which counts as no value.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

Record = Mapping[str, object]

_MARKS = frozenset(
    "source_user source_users sharedrelationships moviesubset booksubset itemsubset query group"
    " condition_num data_idx group_type direct_description_query situational_description_query"
    " summary moviesubsetid booksubsetid reason".split()
)
"""A key of these, in small letters, makes an object a record."""
_OWN_MARKS = frozenset(
    "source_user source_users sharedrelationships moviesubset booksubset itemsubset data_idx"
    " group_type direct_description_query situational_description_query".split()
)
"""Those that nothing but a published record has."""
_DEEPEST = 6
_SPACE = " \t\r\n\ufeff"


@dataclass(frozen=True)
class Found:
    """One entry of a file: its number from 1, its line (0: not known), the keys above it, the value
    that should be a record, and keys that occur twice in it."""

    number: int
    line: int
    under: str
    value: object
    twice: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands, for people."""
        return (
            f"record {self.number}"
            + (f" ({self.under})" if self.under else "")
            + (f", line {self.line}" if self.line else "")
        )


@dataclass
class FileRead:
    """What a file held. `broken`: places that are not JSON. `notes`: how it had to be read."""

    entries: list[Found] = field(default_factory=list[Found])
    broken: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])


def read_shape(raw: bytes) -> FileRead:
    """The records of a file. It never raises: what cannot be read stands in `broken`."""
    read = FileRead()
    text = decoded(raw, read.notes)
    decoder = _Decoder()
    start = _skip(text, 0)
    if start == len(text):
        read.broken.append("line 1: the file is empty")
    elif text.startswith("version https://git-lfs"):
        read.broken.append("line 1: is a pointer of Git LFS; fetch the file itself (git lfs pull)")
    elif text[start] == "<":
        read.broken.append("line 1: is a web page and not JSON; download the file itself")
    elif text[start] == "[":
        _array(text, start, decoder, read)
    else:
        _lines_or_object(text, start, decoder, read)
    return read


def decoded(raw: bytes, notes: list[str]) -> str:
    """A file as text: UTF-8, with a byte order mark or without, else latin-1, which is noted."""
    for mark, codec in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "")):
        if raw.startswith(mark) and codec:
            return raw.decode(codec, "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        notes.append(f"line {line}: is not UTF-8; the file was read as latin-1")
    try:
        return raw.decode("cp1252")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


class _Decoder:
    """JSON with NaN as no value; keys that occur twice are kept apart."""

    def __init__(self) -> None:
        self._twice: list[str] = []
        self._json = json.JSONDecoder(
            object_pairs_hook=self._pairs, parse_constant=lambda _: None, strict=False
        )

    def at(self, text: str, start: int) -> tuple[object, int, tuple[str, ...]]:
        """(value, end, keys that occur twice). Raises ValueError, RecursionError."""
        self._twice.clear()
        value, end = self._json.raw_decode(text, start)
        return value, end, tuple(dict.fromkeys(self._twice))

    def _pairs(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        made = dict(pairs)
        if len(made) < len(pairs):
            counted = Counter(key for key, _ in pairs)
            self._twice += [key for key, n in counted.items() if n > 1]
        return made


def _skip(text: str, start: int) -> int:
    while start < len(text) and text[start] in _SPACE:
        start += 1
    return start


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg}, column {error.colno})"
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return f"not JSON ({error})"


def _line(text: str, at: int, known: tuple[int, int]) -> int:
    """The line of a place, counted on from a known (place, line)."""
    return known[1] + text.count("\n", known[0], at)


def _array(text: str, start: int, decoder: _Decoder, read: FileRead) -> None:
    """The entries of an array one by one, so that each has its line."""
    at, known = start + 1, (start, text.count("\n", 0, start) + 1)
    wanted = True
    while True:
        at = _skip(text, at)
        mark = text[at : at + 1]
        line = _line(text, at, known)
        known = (at, line)
        if mark == "]":
            break
        if mark == "," and not wanted:
            at, wanted = at + 1, True
            continue
        if not mark or not wanted:
            ends = "the file ends within the list" if not mark else "not JSON (a comma is missing)"
            read.broken.append(f"line {line}: {ends}; what follows is lost")
            return
        try:
            value, at, twice = decoder.at(text, at)
        except (ValueError, RecursionError) as error:
            where = _line(text, getattr(error, "pos", at), known)
            read.broken.append(f"line {where}: {_why(error)}; what follows is lost")
            return
        wanted = False
        _spread(value, line, "", twice, read, 0)
    rest = _skip(text, at + 1)
    if rest < len(text):
        line = _line(text, rest, known)
        read.broken.append(f"line {line}: something follows the list; it is lost")


def _lines_or_object(text: str, start: int, decoder: _Decoder, read: FileRead) -> None:
    """One object for all, or an object a line; in the latter a bad line costs only itself."""
    first = text.count("\n", 0, start) + 1
    try:
        value, end, twice = decoder.at(text, start)
    except (ValueError, RecursionError) as error:
        lines = [line for line in text.split("\n") if line.strip(_SPACE)]
        if len(lines) > 1 and all(line.lstrip(_SPACE).startswith("{") for line in lines[:2]):
            _lines(text, decoder, read)
            return
        line = _line(text, getattr(error, "pos", start), (start, first))
        read.broken.append(f"line {line}: {_why(error)}")
        return
    if _skip(text, end) == len(text):
        _spread(value, first, "", twice, read, 0)
    elif "\n" in text[start:end]:
        _one_after_another(text, start, decoder, read)
    else:
        _lines(text, decoder, read)


def _one_after_another(text: str, start: int, decoder: _Decoder, read: FileRead) -> None:
    """Objects over several lines each, one behind the other."""
    at, known = start, (start, text.count("\n", 0, start) + 1)
    while at < len(text):
        line = _line(text, at, known)
        known = (at, line)
        try:
            value, at, twice = decoder.at(text, at)
        except (ValueError, RecursionError) as error:
            where = _line(text, getattr(error, "pos", at), known)
            read.broken.append(f"line {where}: {_why(error)}; what follows is lost")
            return
        _spread(value, line, "", twice, read, 0)
        at = _skip(text, at)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)


def _lines(text: str, decoder: _Decoder, read: FileRead) -> None:
    for number, line in enumerate(text.split("\n"), 1):
        start = _skip(line, 0)
        if start == len(line):
            continue
        try:
            value, end, twice = decoder.at(line, start)
            if line[end:].strip(_SPACE + ","):
                raise ValueError("something follows the record")
        except (ValueError, RecursionError) as error:
            read.broken.append(f"line {number}: {_why(error)}")
            continue
        _spread(value, number, "", twice, read, 0)


def _spread(
    value: object, line: int, under: str, twice: tuple[str, ...], read: FileRead, depth: int
) -> None:
    """Add an entry, or those of a list or an object that only holds others."""
    inner = list(_inner(value)) if depth < _DEEPEST else []
    if value == [] and depth:
        return  # No query of this kind.
    if not inner:
        read.entries.append(Found(len(read.entries) + 1, line, under, value, twice))
        return
    for key, one in inner:
        below = f"{under} {key}".strip() if key else under
        _spread(one, 0 if key else line, below, twice, read, depth + 1)


def _inner(value: object) -> Iterator[tuple[str, object]]:
    """(key, value) of what holds records and is none itself."""
    if isinstance(value, list):
        yield from (("", one) for one in cast("list[object]", value))
    elif isinstance(value, Mapping):
        entries = cast("Mapping[str, object]", value)
        if _is_marked(entries, _MARKS):
            return
        holding = [pair for pair in entries.items() if isinstance(pair[1], list | Mapping)]
        if len(holding) == len(entries):
            yield from holding
        else:  # What stands beside the records (a version, a count) is none.
            yield from (pair for pair in holding if _holds_records(pair[1]))


def _is_marked(entries: Mapping[str, object], marks: frozenset[str]) -> bool:
    return any(key.lower() in marks or "ground tru" in key.lower() for key in entries)


def _holds_records(value: object, depth: int = 0) -> bool:
    """Whether a value is a published record, or holds one."""
    if depth > _DEEPEST:
        return False
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, object]", value)
        return _is_marked(entries, _OWN_MARKS) or any(
            _holds_records(one, depth + 1) for one in entries.values()
        )
    values = cast("list[object]", value) if isinstance(value, list) else []
    return any(_holds_records(one, depth + 1) for one in values)
