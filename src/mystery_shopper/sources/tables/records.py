"""Lines of a CSV file to records (RFC 4180), where a broken line costs that line and no other.

Where every line of a block is a record of its own, the csv module reads the block at once.
Otherwise records are read one by one. A quote that is opened must be closed within `MOST_LINES`
lines and `MOST_TEXT` characters. Where a record of several lines fails, reading resumes at the
first line after its own that begins a right record.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from mystery_shopper.sources.tables.lines import TOO_LONG, Lines, fault_of
from mystery_shopper.sources.tables.model import Broken, Entry

MOST_LINES = 1_000
MOST_TEXT = 1 << 20

TOO_FEW = "too few cells"
TOO_MANY = "too many cells"
OPEN_QUOTE = "a quote is opened and not closed"
TEXT_AFTER = "text after a closing quote"
LONE_RETURN = "a carriage return outside quotes"
LONG_CELL = "a cell is too long"


@dataclass(frozen=True)
class Shape:
    """How records are written, and the columns that each must fill (none: any number of cells)."""

    separator: str
    newline: str
    encoding: str
    columns: tuple[str, ...] = ()

    def fits(self, cells: Sequence[str]) -> bool:
        """Whether this may be a record: as many cells as there are columns."""
        return not self.columns or len(cells) == len(self.columns)


class _Parse(NamedTuple):
    """One try at a record: its cells, or what csv says is wrong; and the lines it looked at."""

    cells: list[str]
    wrong: str | None
    used: int


def records(blocks: Iterator[Lines], shape: Shape) -> Iterator[Entry]:
    """Every record with the number of its first line, and the broken lines. Blank lines are left
    out."""
    feed = _Feed(blocks, shape)
    while (block := feed.block()) is not None:
        rows = _at_once(block.texts, shape)
        if rows is None:
            yield from feed.one_by_one()
            continue
        feed.drop(len(rows))
        if block.suspect:
            for line, cells in enumerate(rows, block.first):
                yield from _judged(line, cells, shape, suspect=True)
            continue
        width = len(shape.columns)
        for line, cells in enumerate(rows, block.first):
            if len(cells) == width:
                yield line, cells
            else:
                yield from _judged(line, cells, shape, suspect=False)


def _at_once(texts: list[str], shape: Shape) -> list[list[str]] | None:
    """The cells of each line, or None where the lines are not a record each."""
    try:
        rows = list(csv.reader(texts, delimiter=shape.separator, strict=True))
    except csv.Error:
        return None
    return rows if len(rows) == len(texts) else None


class _Feed:
    """The lines not yet read, with those that a record runs on into."""

    def __init__(self, blocks: Iterator[Lines], shape: Shape) -> None:
        self._blocks = blocks
        self._shape = shape
        self._texts: deque[str] = deque()
        self._first = 1
        self._suspect = False

    def block(self) -> Lines | None:
        """The lines that wait, or the next block of them; None at the end."""
        if not self._texts and not self._pull():
            return None
        return Lines(self._first, list(self._texts), self._suspect)

    def drop(self, count: int) -> None:
        """Count these lines as read."""
        for _ in range(count):
            self._texts.popleft()
        self._first += count

    def one_by_one(self) -> Iterator[Entry]:
        """The records of the lines that wait, one after the other, until none waits."""
        shape = self._shape
        while self._texts:
            line, suspect = self._first, self._suspect
            parse = self._parse(0)
            if parse.wrong is None and (parse.used == 1 or shape.fits(parse.cells)):
                self.drop(parse.used)
                yield from _judged(line, parse.cells, shape, suspect=suspect)
                continue
            text = shape.newline.join(self._text(ahead) or "" for ahead in range(parse.used))
            lost = self._resume(parse)
            if parse.wrong is None and lost == parse.used:
                broken = _miscounted(line, parse.cells, shape)
            else:
                broken = _misquoted(line, text, parse, shape, suspect=suspect)
            self.drop(lost)
            if lost > 1:
                # None of them begins a right record, so they go with it.
                with_it = f"line {line + 1} goes" if lost == 2 else (
                    f"lines {line + 1} to {line + lost - 1} go"
                )  # fmt: skip
                more = "; ".join(filter(None, (broken.more, f"{with_it} with it")))
                broken = replace(broken, more=more)
            yield broken

    def _pull(self) -> bool:
        for block in self._blocks:
            if not self._texts:
                self._first, self._suspect = block.first, False
            self._texts.extend(block.texts)
            self._suspect = self._suspect or block.suspect
            if self._texts:
                return True
        return False

    def _text(self, ahead: int) -> str | None:
        while len(self._texts) <= ahead:
            if not self._pull():
                return None
        return self._texts[ahead]

    def _parse(self, ahead: int) -> _Parse:
        reader = csv.reader(self._from(ahead), delimiter=self._shape.separator, strict=True)
        try:
            cells = next(reader)
        except csv.Error as error:
            return _Parse([], str(error), max(1, reader.line_num))
        return _Parse(cells, None, reader.line_num)

    def _from(self, ahead: int) -> Iterator[str]:
        size = 0
        for place in range(ahead, ahead + MOST_LINES):
            text = self._text(place)
            if text is None or size > MOST_TEXT:
                return
            size += len(text)
            yield text + self._shape.newline

    def _resume(self, parse: _Parse) -> int:
        """How many lines a failed record costs: up to the next that begins a right one."""
        for ahead in range(1, parse.used):
            following = self._parse(ahead)
            if following.wrong is not None or not self._shape.fits(following.cells):
                continue
            # The end of a quoted text may have as many cells, but it has half a pair of quotes.
            texts = (self._text(place) or "" for place in range(ahead, ahead + following.used))
            if sum(text.count('"') for text in texts) % 2 == 0:
                return ahead
        endless = parse.wrong is not None and "unexpected end" in parse.wrong
        return 1 if endless else parse.used


def _judged(line: int, cells: list[str], shape: Shape, *, suspect: bool) -> Iterator[Entry]:
    """The record, if it is one: nothing for a blank line, broken for one that does not fit."""
    if len(cells) <= 1 and len(shape.columns) != len(cells) and not "".join(cells).strip():
        return
    broken = _unread(line, cells, shape) if suspect else None
    if broken is not None:
        yield broken
    elif shape.fits(cells):
        yield line, cells
    else:
        yield _miscounted(line, cells, shape)


def _unread(line: int, cells: Sequence[str], shape: Shape) -> Broken | None:
    """The first cell that holds bytes that were not read, with the line on which they stand."""
    for place, cell in enumerate(cells):
        fault = fault_of(cell, shape.encoding)
        if fault is not None:
            at = line + cell.count(shape.newline, 0, fault.at)
            return Broken(at, _column(shape, place), fault.reason, fault.more)
        line += cell.count(shape.newline)
    return None


def _miscounted(line: int, cells: Sequence[str], shape: Shape) -> Broken:
    count, width = len(cells), len(shape.columns)
    more = f"{count}, where the header has {width}"
    if count < width:
        return Broken(line, shape.columns[count], TOO_FEW, more)
    return Broken(line, None, TOO_MANY, f"{more}: {shape.separator!r} within a text needs quotes")


def _misquoted(line: int, text: str, parse: _Parse, shape: Shape, *, suspect: bool) -> Broken:
    own = text.split(shape.newline, 1)[0]
    fault = fault_of(own, shape.encoding) if suspect else None
    if fault is not None and fault.reason == TOO_LONG:
        return Broken(line, None, fault.reason, fault.more)
    if fault is not None:
        before = next(csv.reader([own[: fault.at] + "x"], delimiter=shape.separator))
        return Broken(line, _column(shape, len(before) - 1), fault.reason, fault.more)
    said = parse.wrong or ""
    if "field larger" in said:
        return _overlong(line, own if parse.used == 1 else text, shape)
    if "new-line" in said:
        return Broken(line, None, LONE_RETURN)
    column = _column(shape, _quoted_cell(text, shape.separator))
    return Broken(line, column, TEXT_AFTER if parse.used == 1 and "' expected after" in said
                  else OPEN_QUOTE)  # fmt: skip


def _overlong(line: int, text: str, shape: Shape) -> Broken:
    """A cell that csv gave up on for its length: most often one quote that swallows the lines
    after it."""
    limit = f"{csv.field_size_limit():,} characters"
    for place, (start, end) in enumerate(_cells(text, shape.separator)):
        if end < 0 and text[start] == '"':
            return Broken(line, _column(shape, place), OPEN_QUOTE, f"within {limit}")
        if end < 0 or end - start > csv.field_size_limit():
            return Broken(line, _column(shape, place), LONG_CELL, f"over {limit}")
    return Broken(line, None, LONG_CELL, f"over {limit}")


def _column(shape: Shape, place: int) -> str | None:
    return shape.columns[place] if place < len(shape.columns) else None


def _quoted_cell(text: str, separator: str) -> int:
    """Which cell (from 0) holds the first quote that is not closed before a separator or the end of
    the line. Quotes count only where a cell begins with one."""
    cell = 0
    for cell, (_, end) in enumerate(_cells(text, separator)):
        if end < 0:
            return cell
    return cell + 1


def _cells(text: str, separator: str) -> Iterator[tuple[int, int]]:
    """Where each cell starts and where the separator after it stands; -1, and no further cell,
    where none follows."""
    place = 0
    while place < len(text):
        if text[place] != '"':
            end = text.find(separator, place)
        else:
            end = place + 1
            while (end := text.find('"', end)) >= 0 and text[end + 1 : end + 2] == '"':
                end += 2
            end += 1
            if end == 0 or text[end : end + 1] != separator:
                end = -1
        yield place, end
        if end < 0:
            return
        place = end + 1
