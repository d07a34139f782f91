"""The first rows of a table, column by column, as texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from itertools import chain
from typing import Any, Protocol, TypeAlias

from mystery_shopper.catalog import FieldSource
from mystery_shopper.sources.building.cells import label_reader
from mystery_shopper.sources.building.nothings import NO_VALUES
from mystery_shopper.sources.tables import Broken, Nested

Cell: TypeAlias = str | tuple[str, ...] | None
"""A text; several of them, where the file itself holds a list; None where there is nothing."""

_SHOWN = 28
_LINES = 5
NESTED = "{nested}"
"""The cell that stands for an object or for bytes."""


class TableLike(Protocol):
    """What is needed of a table: the names of its columns, and its rows in order. A row is a pair
    of line and cells; anything else that comes is a broken row."""

    @property
    def columns(self) -> Sequence[str]: ...

    def rows(self) -> Iterable[Any]: ...


@dataclass(frozen=True)
class ColumnSample:
    """One column's cells in the order of the rows."""

    name: str
    cells: tuple[Cell, ...]

    @cached_property
    def known(self) -> tuple[str | tuple[str, ...], ...]:
        """The cells that hold something."""
        return tuple(cell for cell in self.cells if cell and not says_nothing(cell))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The known cells that are one text."""
        return tuple(cell for cell in self.known if isinstance(cell, str))

    @cached_property
    def counts(self) -> Counter[str]:
        """Text -> how many cells are it."""
        return Counter(self.texts)

    @cached_property
    def is_list(self) -> bool:
        """Whether the file itself holds lists in this column."""
        return any(isinstance(cell, tuple) for cell in self.cells)

    @cached_property
    def labels(self) -> Counter[str]:
        """Label -> how many cells hold it, lists taken apart."""
        many = ((cell,) if isinstance(cell, str) else dict.fromkeys(cell) for cell in self.known)
        return Counter(chain.from_iterable(many))

    @cached_property
    def missing(self) -> int:
        """How many cells hold nothing, texts such as `N/A` included."""
        return len(self.cells) - len(self.known)

    @cached_property
    def missing_texts(self) -> tuple[str, ...]:
        """The texts of this column that stand for nothing, as they are written."""
        found = {cell for cell in self.cells if isinstance(cell, str) and says_nothing(cell)}
        return tuple(sorted(found))


@dataclass(frozen=True)
class Sample:
    """The first `rows` whole rows of a table; `whole`: it has no more. `broken`: rows that could
    not be read among them; `broken_lines`: the lines of the first few."""

    columns: tuple[ColumnSample, ...]
    rows: int
    whole: bool
    broken: int
    broken_lines: tuple[int, ...] = ()

    @property
    def where(self) -> str:
        """The words that bound a claim: of all rows, or of the first ones."""
        return f"in all {self.rows:,} rows" if self.whole else f"in the first {self.rows:,} rows"


def take_sample(table: TableLike, rows: int) -> Sample:
    """The first `rows` rows of the table. A row of too few cells is filled with nothing."""
    names = tuple(table.columns)
    kept: list[list[Cell]] = [[] for _ in names]
    taken = broken = 0
    lines: list[int] = []
    whole = True
    for row in table.rows():
        if not isinstance(row, tuple):
            broken += 1
            if isinstance(row, Broken) and len(lines) < _LINES:
                lines.append(row.line)
            continue
        if taken == rows:
            whole = False
            break
        cells: Sequence[object] = row[1]
        taken += 1
        for place, column in enumerate(kept):
            column.append(cell_of(cells[place]) if place < len(cells) else None)
    columns = tuple(ColumnSample(n, tuple(c)) for n, c in zip(names, kept, strict=True))
    return Sample(columns, taken, whole, broken, tuple(lines))


def says_nothing(cell: str | tuple[str, ...]) -> bool:
    """Whether a text stands for no value: `N/A`, `unknown`, `(no genres listed)`."""
    if isinstance(cell, tuple):
        return False
    text = cell.strip().lower()
    if text in NO_VALUES:
        return True
    return text.startswith(("(no ", "(not ", "no ", "not ")) and text.rstrip(")").endswith(
        (" listed", " given", " available", " specified", " known", " provided")
    )


def cell_of(value: object) -> Cell:
    """A file's value as a cell: numbers and dates as texts, lists as several texts."""
    if value is None:
        return None
    if isinstance(value, str):
        return _text_cell(value.strip())
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return None if value != value else str(int(value)) if value.is_integer() else repr(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, list | tuple):
        return tuple(text for text in map(_part, value) if text)
    if isinstance(value, Nested | dict):
        return NESTED
    return str(value).strip() or None


_read_labels = label_reader(FieldSource(), single=False)


def _text_cell(text: str) -> Cell:
    """The text; or its labels, where it is a list in JSON that the builder takes apart."""
    if text.startswith("[") and text.endswith("]"):
        labels = _read_labels(text)
        return text if labels == (text,) else labels
    return text or None


def _part(value: object) -> str:
    """One entry of a list as text."""
    cell = cell_of(value)
    return cell if isinstance(cell, str) else ""


def brief(text: object, most: int = _SHOWN) -> str:
    """A value fit for a comment: one line, printable, short."""
    kept = "".join(mark if mark.isprintable() else " " for mark in str(text))
    kept = " ".join(kept.split())
    return kept if len(kept) <= most else f"{kept[: most - 1]}…"
