"""Blocks of bytes to numbered lines of text. What does not decode is marked, not lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mystery_shopper.sources.tables.encoding import Encoding
from mystery_shopper.sources.tables.stream import CUT, LONGEST, Source

TOO_LONG = "the line is too long"
_BAD = re.compile("[\x00\udc80-\udcff]+")
_CUT = "".join(map(chr, (0xDC00 + byte for byte in CUT)))


class Lines(NamedTuple):
    """Consecutive lines without their newlines. `first` is the number of the first of them, from 1.
    `suspect`: some of them may hold what `fault_of` finds."""

    first: int
    texts: list[str]
    suspect: bool


class Fault(NamedTuple):
    """What a text holds that no text should; `at` is the place in the text."""

    reason: str
    more: str
    at: int


def numbered(source: Source, encoding: Encoding, newline: bytes) -> Iterator[Lines]:
    """The lines of the file, some thousand at a time."""
    mark = newline.decode("ascii")
    first = 1
    for block in source.lines(newline):
        text, suspect = _decoded(block, encoding, newline)
        lines = text.split(mark)
        if block.endswith(newline):
            lines.pop()
        yield Lines(first, lines, suspect or "\x00" in text)
        first += len(lines)


def fault_of(text: str, encoding: str) -> Fault | None:
    """The first thing in a text that stands for bytes that were not read, or a NUL. `encoding` is
    `Encoding.name`."""
    found = _BAD.search(text)
    if found is None:
        return None
    marks = found.group()
    if _CUT in marks:
        return Fault(TOO_LONG, f"over {LONGEST >> 20} MB", found.start())
    if marks[0] == "\x00":
        return Fault("holds a NUL byte", "", found.start())
    raw = marks.replace("\x00", "").encode("utf-8", "surrogateescape")
    shown = " ".join(f"{byte:02X}" for byte in raw[:4])
    if encoding.startswith("UTF"):
        return Fault(f"bytes that are not {encoding}", shown, found.start())
    return Fault(f"UTF-8 in a file in {encoding}", shown, found.start())


def _decoded(block: bytes, encoding: Encoding, newline: bytes) -> tuple[str, bool]:
    if encoding.codec != "utf-8":
        cut = CUT in block
        if not (encoding.mixed or cut) or block.isascii():
            return block.decode(encoding.codec), False
        return newline.decode("ascii").join(
            _one_byte(line, encoding.codec) for line in block.split(newline)
        ), True  # fmt: skip
    try:
        return block.decode("utf-8"), False
    except UnicodeDecodeError:
        return block.decode("utf-8", "surrogateescape"), True


def _one_byte(line: bytes, codec: str) -> str:
    """A line of a one-byte encoding; bytes above 127 are marked where the line is valid UTF-8."""
    if line.isascii():
        return line.decode("ascii")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return line.decode("ascii", "surrogateescape") if line.endswith(CUT) else line.decode(codec)
    return line.decode("ascii", "surrogateescape")
