"""CSV with any separator: the separator and the header are read off the first lines."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables.encoding import Encoding, encoding_of
from mystery_shopper.sources.tables.lines import Lines, fault_of, numbered
from mystery_shopper.sources.tables.model import Broken, Entry, Table, Told
from mystery_shopper.sources.tables.records import Shape, records
from mystery_shopper.sources.tables.stream import Source

SEPARATORS = (",", ";", "\t", "|")
SAMPLE = 100
_REMEDY = "Give the file a header of distinct names, one for each column."


def open_delimited(source: Source) -> Table:
    """Raises InputError where the header cannot be used or no row follows it."""
    newline = _newline(source.head())
    encoding = encoding_of(source, newline)
    sample = _sample(source, encoding, newline)
    start, separator = _separator(sample, newline.decode("ascii"))
    shape = Shape(separator, newline.decode("ascii"), encoding.name)
    header, start = _header(source, sample, start, shape)
    whole = Shape(separator, shape.newline, encoding.name, header)

    def read(told: Told) -> Iterator[Entry]:
        del told
        return records(_from_line(numbered(source, encoding, newline), start), whole)

    shown = "tabs" if separator == "\t" else repr(separator)
    packed = ", gzipped" if source.gzipped else ""
    form = f"CSV, separated by {shown}, {encoding.told}{packed}"
    table = Table(source.path, form, header, read)
    if next(table.rows(), None) is None:
        raise InputError(
            "holds a header and no rows", where=str(source.path), remedy="Export it with its rows."
        )
    return table


def _newline(head: bytes) -> bytes:
    """A lone carriage return ends lines where the first newline outside quotes is one."""
    outside = b"".join(head.split(b'"')[::2])
    first = min((place for mark in b"\r\n" if (place := outside.find(bytes([mark]))) >= 0),
                default=-1)  # fmt: skip
    lone = first >= 0 and outside[first : first + 1] == b"\r" and outside[first : first + 2] != (
        b"\r\n"
    )  # fmt: skip
    return b"\r" if lone else b"\n"


def _sample(source: Source, encoding: Encoding, newline: bytes) -> list[str]:
    """The first lines."""
    lines: list[str] = []
    for block in numbered(source, encoding, newline):
        lines.extend(block.texts[: 10 * SAMPLE])
        if len(lines) >= SAMPLE:
            break
    return lines[: 10 * SAMPLE]


def _separator(sample: Sequence[str], newline: str) -> tuple[int, str]:
    """How many lines stand before the header, and the separator: that of a spreadsheet's line
    `sep=;`, else the one by which most records have as many cells as the header."""
    before = next((place for place, text in enumerate(sample) if text.strip()), 0)
    named = sample[before].strip() if sample else ""
    if named.lower().startswith("sep=") and named[4:] in (*SEPARATORS, ""):
        return before + 1, named[4:] or "\t"
    return before, max(SEPARATORS, key=lambda mark: _score(sample[before:], mark, newline))


def _score(sample: Sequence[str], separator: str, newline: str) -> tuple[bool, float, int]:
    lines = Lines(1, list(sample), False)
    entries = records(iter([lines]), Shape(separator, newline, "UTF-8"))
    widths = [len(entry[1]) for entry in islice(entries, SAMPLE) if not isinstance(entry, Broken)]
    if not widths:
        return False, 0.0, 0
    alike = Counter(widths)[widths[0]] / len(widths)
    return widths[0] > 1, round(alike, 1), widths[0]


def _header(
    source: Source, sample: Sequence[str], start: int, shape: Shape
) -> tuple[tuple[str, ...], int]:
    """The names of the columns, and how many lines stand before the first row."""
    where = str(source.path)
    reader = csv.reader(
        (text + shape.newline for text in sample[start:]), delimiter=shape.separator, strict=True
    )
    try:
        cells = next(reader)
    except (csv.Error, StopIteration) as error:
        raise InputError(
            f"line {start + 1}: the header cannot be read ({error})", where=where, remedy=_REMEDY
        ) from None
    names = tuple(cell.strip() for cell in cells)
    problems: list[str] = []
    for place, name in enumerate(names, 1):
        fault = fault_of(name, shape.encoding)
        if fault is not None:
            problems.append(f"line {start + 1}: the name of column {place}: {fault.reason}")
        elif not name:
            problems.append(f"line {start + 1}: column {place} of {len(names)} has no name")
    for name, count in Counter(filter(None, names)).items():
        if count > 1:
            places = ", ".join(str(n) for n, other in enumerate(names, 1) if other == name)
            problems.append(f"line {start + 1}: {count} columns are called {name!r} ({places})")
    if problems:
        raise InputError(problems, where=where, remedy=_REMEDY)
    return names, start + reader.line_num


def _from_line(blocks: Iterator[Lines], skipped: int) -> Iterator[Lines]:
    """The lines after the first few."""
    for block in blocks:
        if block.first + len(block.texts) <= skipped + 1:
            continue
        passed = max(0, skipped + 1 - block.first)
        yield Lines(block.first + passed, block.texts[passed:], block.suspect) if passed else block
