"""What a product file is read as."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

Row: TypeAlias = tuple[int, Sequence[object]]
"""A line number (from 1; in Parquet the row's number) and one cell for each column.

A cell is a text, an int, a float, a bool, None, a list of those, or `Nested`.
"""


@dataclass(frozen=True)
class Broken:
    """A line that gives no row. `reason` is one of a few sentences, so that lines can be counted by
    it; `more` is what is particular to this line. `column` is where it breaks, if that is known."""

    line: int
    column: str | None
    reason: str
    more: str = ""

    def __str__(self) -> str:
        place = f", column {self.column!r}" if self.column is not None else ""
        return f"line {self.line}{place}: {self.reason}" + (f" ({self.more})" if self.more else "")


@dataclass(frozen=True)
class Nested:
    """A cell that holds something other than texts and numbers; `what` names it."""

    what: str


Entry: TypeAlias = Row | Broken
Told: TypeAlias = Callable[[Broken], None]
Reader: TypeAlias = Callable[[Told], Iterator[Entry]]


def unheard(remark: Broken) -> None:
    """Hear a remark and do nothing."""
    del remark


@dataclass(frozen=True)
class Table:
    """A file that was opened. `form` says how it is read, for its owner to see; `columns` are its
    columns in the file's order; `unit` is what a row's number counts: line or row."""

    path: Path
    form: str
    columns: tuple[str, ...]
    reader: Reader
    unit: str = "line"

    def rows(self, told: Told = unheard) -> Iterator[Entry]:
        """The rows from the first on, in the file's order, mixed with the lines that give none.

        May be called again for another pass. `told` hears of what was left aside without breaking
        a row, once for each kind: a key that no column was made for. Raises InputError where the
        file can be read no further.
        """
        return self.reader(told)
