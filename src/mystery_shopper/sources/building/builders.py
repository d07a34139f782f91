"""One builder for each kind of field. Cells go in as rows stream by; a finished column comes out.

What is held while rows stream are arrays and each distinct text once, never a list a row.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import FieldSpec, Kind, fold
from mystery_shopper.catalog.columns import (
    Column,
    FlagColumn,
    LabelColumn,
    NumberColumn,
    PointColumn,
    TextColumn,
)
from mystery_shopper.catalog.texts import Texts
from mystery_shopper.sources.building.cells import (
    flag_reader,
    label_reader,
    missing_test,
    plain_text,
    read_point,
)
from mystery_shopper.sources.building.numbers import read_integer, read_number
from mystery_shopper.sources.building.unfit import Unfit
from mystery_shopper.sources.building.years import read_year

MOST_KEPT = 1 << 16
"""So many distinct cells of a column are remembered with their values."""
NONE, NUMBER, WORDS = 0, 1, 2
"""What a cell looks like: no value, a number, other text."""

ValueT = TypeVar("ValueT")


class Refusal(NamedTuple):
    """A cell that is no value of its field: its place in the batch, itself, and why."""

    place: int
    cell: object
    unfit: Unfit


class Builder(ABC, Generic[ValueT]):
    """Fills one column. A cell that is refused leaves its row without a value."""

    def __init__(self, read: Callable[[Any], ValueT], none: ValueT) -> None:
        self._read = read
        self._none = none
        self._kept: dict[str, ValueT] = {}
        self._refused = array("q")
        self._rows = 0

    def add(self, cells: Sequence[object]) -> list[Refusal]:
        """Read the cells of some rows; those that were refused."""
        kept, none, refused = self._kept, self._none, list[Refusal]()
        values: list[ValueT] = []
        append = values.append
        for place, cell in enumerate(cells):
            if cell.__class__ is str:
                value = kept.get(cell)  # pyright: ignore[reportArgumentType, reportCallIssue]
                if value is not None:
                    append(value)
                    continue
            if cell is None or cell != cell:
                append(none)
                continue
            try:
                value = self._read(cell)
            except Unfit as unfit:
                refused.append(Refusal(place, cell, unfit))
                append(none)
                continue
            if isinstance(cell, str) and len(kept) < MOST_KEPT:
                kept[cell] = value
            append(value)
        self._refused.extend(self._rows + refusal.place for refusal in refused)
        self._rows += len(cells)
        self._take(values)
        return refused

    def looks(self) -> NDArray[np.int8]:
        """What the cell of each row looks like."""
        looks = self._looks()
        looks[np.frombuffer(self._refused, np.int64)] = WORDS
        return looks

    @abstractmethod
    def known(self) -> int:
        """How many rows have a value."""

    @abstractmethod
    def finish(self) -> Column:
        """The column of all rows."""

    @abstractmethod
    def _take(self, values: Sequence[ValueT]) -> None: ...

    @abstractmethod
    def _looks(self) -> NDArray[np.int8]: ...


class Numbers(Builder[float]):
    """Integer and number fields."""

    def __init__(self, spec: FieldSpec) -> None:
        source, integral = spec.source, spec.kind is Kind.INTEGER
        is_missing = missing_test(source)
        read_plain = read_integer if integral else read_number

        def read(cell: object) -> float:
            if isinstance(cell, str) and is_missing(cell.strip()):
                return math.nan
            return read_year(cell) if source.part == "year" else read_plain(cell, source.decimal)

        super().__init__(read, math.nan)
        self._integral = integral
        self._numbers = array("d")

    def known(self) -> int:
        return int(np.count_nonzero(~np.isnan(np.frombuffer(self._numbers, np.float64))))

    def texts(self) -> Iterator[str]:
        """The distinct texts that were read as numbers, as far as they are remembered."""
        return (text for text, number in self._kept.items() if not math.isnan(number))

    def finish(self) -> NumberColumn:
        return NumberColumn(np.array(self._numbers, np.float64), self._integral)

    def _take(self, values: Sequence[float]) -> None:
        self._numbers.extend(values)

    def _looks(self) -> NDArray[np.int8]:
        numbers = np.frombuffer(self._numbers, np.float64)
        return np.where(np.isnan(numbers), NONE, NUMBER).astype(np.int8)


class Flags(Builder[int]):
    """Flags: 1, 0, or -1 for no value."""

    def __init__(self, spec: FieldSpec) -> None:
        is_missing, read_flag = missing_test(spec.source), flag_reader(spec.source)

        def read(cell: object) -> int:
            return -1 if isinstance(cell, str) and is_missing(cell.strip()) else read_flag(cell)

        super().__init__(read, -1)
        self._flags = array("b")

    def known(self) -> int:
        return len(self._flags) - self._flags.count(-1)

    def finish(self) -> FlagColumn:
        return FlagColumn(np.array(self._flags, np.int8))

    def _take(self, values: Sequence[int]) -> None:
        self._flags.extend(values)

    def _looks(self) -> NDArray[np.int8]:
        return np.where(np.frombuffer(self._flags, np.int8) < 0, NONE, NUMBER).astype(np.int8)


class Points(Builder[tuple[float, float]]):
    """Points on earth."""

    def __init__(self, spec: FieldSpec) -> None:
        is_missing, nowhere = missing_test(spec.source), (math.nan, math.nan)

        def read(cell: object) -> tuple[float, float]:
            return nowhere if isinstance(cell, str) and is_missing(cell.strip()) else (
                read_point(cell)
            )  # fmt: skip

        super().__init__(read, nowhere)
        self._parts = array("d")

    def known(self) -> int:
        return int(np.count_nonzero(~np.isnan(np.frombuffer(self._parts, np.float64)))) // 2

    def finish(self) -> PointColumn:
        return PointColumn(np.array(self._parts, np.float64).reshape(-1, 2))

    def _take(self, values: Sequence[tuple[float, float]]) -> None:
        for value in values:
            self._parts.extend(value)

    def _looks(self) -> NDArray[np.int8]:
        first = np.frombuffer(self._parts, np.float64)[::2]
        return np.where(np.isnan(first), NONE, NUMBER).astype(np.int8)


class Prose(Builder[str]):
    """Text fields: the texts one after the other in UTF-8, and where each ends."""

    def __init__(self, spec: FieldSpec) -> None:
        self._is_missing = missing_test(spec.source)
        super().__init__(plain_text, "")
        self._blob = bytearray()
        self._ends = array("q", [0])
        self._look = bytearray()

    def add(self, cells: Sequence[object]) -> list[Refusal]:
        """As every builder; without remembering cells, which seldom come twice."""
        refused: list[Refusal] = []
        texts: list[str] = []
        for place, cell in enumerate(cells):
            try:
                texts.append("" if cell is None or cell != cell else plain_text(cell))
            except Unfit as unfit:
                refused.append(Refusal(place, cell, unfit))
                texts.append("")
        self._refused.extend(self._rows + refusal.place for refusal in refused)
        self._rows += len(cells)
        self._take(texts)
        return refused

    def known(self) -> int:
        return len(self._look) - self._look.count(NONE)

    def finish(self) -> TextColumn:
        return TextColumn(
            Texts(np.frombuffer(bytes(self._blob), np.uint8), np.array(self._ends, np.int64))
        )

    def _take(self, values: Sequence[str]) -> None:
        at, ends, blob = self._ends[-1], self._ends, self._blob
        for text in values:
            if self._is_missing(text):
                part, look = b"\xff", NONE
            else:
                part, look = text.encode("utf-8", "surrogatepass"), look_of(text)
            blob += part
            at += len(part)
            ends.append(at)
            self._look.append(look)

    def _looks(self) -> NDArray[np.int8]:
        return np.frombuffer(bytes(self._look), np.int8).copy()


class Labels(Builder["int | tuple[int, ...]"]):
    """Label fields: each distinct spelling once, and its code in every row that bears it. A value
    is one code, or a tuple of none or several. `split`: whether a separator or a list was met."""

    def __init__(self, spec: FieldSpec) -> None:
        self._single = spec.kind is Kind.CATEGORY
        read_labels = label_reader(spec.source, single=self._single)
        self.split = False
        self.spellings: dict[str, int] = {}
        spellings, separator = self.spellings, spec.source.separator

        def read(cell: object) -> int | tuple[int, ...]:
            codes = tuple(
                spellings.setdefault(label, len(spellings)) for label in read_labels(cell)
            )
            if len(codes) > 1 or (separator and isinstance(cell, str) and separator in cell):
                self.split = True
            return codes[0] if len(codes) == 1 else codes

        super().__init__(read, ())
        self.codes = array("i")
        self._counts = array("i")

    def known(self) -> int:
        return int(np.count_nonzero(np.frombuffer(self._counts, np.int32)))

    def finish(self) -> LabelColumn:
        codes = np.frombuffer(self.codes, np.int32)
        counts = np.frombuffer(self._counts, np.int32).astype(np.int64)
        return LabelColumn.from_codes(list(self.spellings), codes, counts, single=self._single)

    def often(self) -> list[int]:
        """How often each spelling occurs, in the order of their codes."""
        codes = np.frombuffer(self.codes, np.int32)
        return np.bincount(codes, minlength=len(self.spellings)).tolist()

    def merged(self) -> list[list[tuple[str, int]]]:
        """The spellings that count as one label, where there are several, each with how often it
        occurs; the one that stands for all comes first."""
        groups: dict[str, list[tuple[str, int]]] = {}
        for label, count in zip(self.spellings, self.often(), strict=True):
            if count:
                groups.setdefault(fold(label), []).append((label, count))
        return [
            sorted(group, key=lambda one: (-one[1], one[0]))
            for group in groups.values()
            if len(group) > 1
        ]

    def _take(self, values: Sequence[int | tuple[int, ...]]) -> None:
        codes, counts = self.codes, self._counts
        for value in values:
            if isinstance(value, int):
                codes.append(value)
                counts.append(1)
            else:
                codes.extend(value)
                counts.append(len(value))

    def _looks(self) -> NDArray[np.int8]:
        counts = np.frombuffer(self._counts, np.int32)
        of_label = np.array([look_of(label) for label in self.spellings] or [0], np.int8)
        looks = np.zeros(len(counts), np.int8)
        bearing = np.flatnonzero(counts)
        starts = np.cumsum(counts) - counts
        looks[bearing] = of_label[np.frombuffer(self.codes, np.int32)[starts[bearing]]]
        return looks


AnyBuilder = Numbers | Flags | Points | Prose | Labels


def builder_for(spec: FieldSpec) -> AnyBuilder:
    """The builder of a field's kind."""
    if spec.kind.is_label:
        return Labels(spec)
    if spec.kind.is_ordered:
        return Numbers(spec)
    return {Kind.FLAG: Flags, Kind.POINT: Points, Kind.TEXT: Prose}[spec.kind](spec)


def look_of(text: str) -> int:
    """Whether a text is a number to look at."""
    if not text[0].isdecimal() and text[0] not in "+-.−":
        return WORDS
    return NUMBER if text.strip("+-−").replace(".", "", 1).replace(",", "").isdecimal() else WORDS
