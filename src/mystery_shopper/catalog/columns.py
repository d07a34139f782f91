"""The columns of a catalogue, one class per kind of storage.

Rows are positions in popularity order. Every column knows how to give one value, to keep some rows,
and to hash itself. A missing value is `()` for labels and `None` otherwise.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.bits import Positions
from mystery_shopper.catalog.fields import fold
from mystery_shopper.catalog.texts import joined, taken
from mystery_shopper.foundation import digest_bytes

Point: TypeAlias = tuple[float, float]
Value: TypeAlias = tuple[str, ...] | str | int | float | bool | Point | None


@dataclass(frozen=True)
class LabelColumn:
    """Labels from a vocabulary, in compressed sparse rows.

    `labels` is sorted and has no two labels of one folded form; row i bears
    `codes[offsets[i]:offsets[i + 1]]`. `single` marks a category field.
    """

    labels: tuple[str, ...]
    offsets: NDArray[np.int64]
    codes: NDArray[np.int32]
    single: bool

    @classmethod
    def build(cls, rows: Sequence[Sequence[str]], *, single: bool) -> LabelColumn:
        """From one sequence of labels a row. Of labels that fold alike the most frequent one stands
        for all, of equally frequent ones the first sorted; a label that a row names twice is borne
        once."""
        flat = list(chain.from_iterable(rows))
        return cls.from_flat(flat, list(map(len, rows)), single=single)

    @classmethod
    def from_flat(cls, flat: Sequence[str], counts: Sequence[int], *, single: bool) -> LabelColumn:
        """As `build`, from all rows' labels one after the other and their number in each row."""
        labels, table = _vocabulary(Counter(flat))
        codes: NDArray[np.int32] = np.fromiter(map(table.__getitem__, flat), np.int32, len(flat))
        return cls(labels, *_once_a_row(codes, np.asarray(counts, np.int64), len(labels)), single)

    @classmethod
    def from_codes(
        cls, texts: Sequence[str], codes: NDArray[np.int32], counts: NDArray[np.int64], *,
        single: bool,
    ) -> LabelColumn:  # fmt: skip
        """As `from_flat`, where the label of entry i is `texts[codes[i]]`; texts that no entry
        names fall away."""
        often = np.bincount(codes, minlength=len(texts))
        named = np.flatnonzero(often).tolist()
        labels, code_of = _vocabulary({texts[code]: int(often[code]) for code in named})
        table = np.zeros(len(texts), np.int32)
        table[named] = [code_of[texts[code]] for code in named]
        return cls(labels, *_once_a_row(table[codes], counts, len(labels)), single)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def code_of(self) -> dict[str, int]:
        """Folded label -> code."""
        return {fold(label): code for code, label in enumerate(self.labels)}

    @property
    def rows_of(self) -> NDArray[np.int32]:
        """The row of each entry of `codes`."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def postings(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """(starts, rows): the rows that bear code c are `rows[starts[c]:starts[c + 1]]`, sorted."""
        # Sorting 16-bit numbers is ten times as fast.
        short = len(self.labels) <= 1 << 16
        order = np.argsort(self.codes.astype(np.uint16) if short else self.codes, kind="stable")
        starts = np.zeros(len(self.labels) + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.codes, minlength=len(self.labels)), out=starts[1:])
        return starts, self.rows_of[order]

    def bearers(self, code: int) -> NDArray[np.int32]:
        """The rows that bear the code, ascending."""
        starts, rows = self.postings
        return rows[starts[code] : starts[code + 1]]

    def labels_of(self, row: int) -> tuple[str, ...]:
        """The labels of a row, in the row's order."""
        codes = self.codes[self.offsets[row] : self.offsets[row + 1]]
        return tuple(self.labels[code] for code in codes.tolist())

    def value(self, row: int) -> Value:
        """The labels of a row as a tuple; a category's label as text, or None."""
        labels = self.labels_of(row)
        if self.single:
            return labels[0] if labels else None
        return labels

    def take(self, rows: Positions) -> LabelColumn:
        """The column of these rows only, with the vocabulary that they use."""
        counts = np.diff(self.offsets)[rows]
        offsets = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(counts, out=offsets[1:])
        shift = np.repeat(self.offsets[rows] - offsets[:-1], counts)
        codes = self.codes[np.arange(int(offsets[-1])) + shift]
        used = np.flatnonzero(np.bincount(codes, minlength=len(self.labels)))
        compact = np.zeros(len(self.labels), np.int32)
        compact[used] = np.arange(len(used))
        labels = tuple(self.labels[code] for code in used.tolist())
        return LabelColumn(labels, offsets, compact[codes], self.single)

    def digest(self) -> str:
        """SHA-256 of the content."""
        return digest_bytes(
            *joined(self.labels),
            np.ascontiguousarray(self.offsets, "<i8").tobytes(),
            np.ascontiguousarray(self.codes, "<i4").tobytes(),
        )


@dataclass(frozen=True)
class NumberColumn:
    """Numbers; NaN is missing. `integral` marks an integer field."""

    numbers: NDArray[np.float64]
    integral: bool

    def __len__(self) -> int:
        return len(self.numbers)

    def value(self, row: int) -> Value:
        """An int, a float, or None."""
        number = float(self.numbers[row])
        if number != number:
            return None
        return int(number) if self.integral else number

    def take(self, rows: Positions) -> NumberColumn:
        """The column of these rows only."""
        return NumberColumn(self.numbers[rows], self.integral)

    def digest(self) -> str:
        """SHA-256 of the content."""
        return digest_bytes(np.ascontiguousarray(self.numbers, "<f8").tobytes())


@dataclass(frozen=True)
class TextColumn:
    """Free text; None is missing."""

    texts: Sequence[str | None]

    def __len__(self) -> int:
        return len(self.texts)

    def value(self, row: int) -> Value:
        """The text, or None."""
        return self.texts[row]

    def take(self, rows: Positions) -> TextColumn:
        """The column of these rows only."""
        return TextColumn(taken(self.texts, rows))

    def digest(self) -> str:
        """SHA-256 of the content."""
        return digest_bytes(*joined(self.texts))


@dataclass(frozen=True)
class FlagColumn:
    """Yes (1), no (0) or missing (-1)."""

    flags: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.flags)

    def value(self, row: int) -> Value:
        """A bool, or None."""
        flag = int(self.flags[row])
        return None if flag < 0 else bool(flag)

    def take(self, rows: Positions) -> FlagColumn:
        """The column of these rows only."""
        return FlagColumn(self.flags[rows])

    def digest(self) -> str:
        """SHA-256 of the content."""
        return digest_bytes(self.flags.tobytes())


@dataclass(frozen=True)
class PointColumn:
    """Latitude and longitude in degrees, shape (n, 2); NaN is missing."""

    points: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.points)

    def value(self, row: int) -> Value:
        """(latitude, longitude), or None."""
        latitude, longitude = (float(part) for part in self.points[row])
        return None if latitude != latitude else (latitude, longitude)

    def take(self, rows: Positions) -> PointColumn:
        """The column of these rows only."""
        return PointColumn(self.points[rows])

    def digest(self) -> str:
        """SHA-256 of the content."""
        return digest_bytes(np.ascontiguousarray(self.points, "<f8").tobytes())


def _vocabulary(often: Mapping[str, int]) -> tuple[tuple[str, ...], dict[str, int]]:
    """(the labels, spelling -> code) of spellings and how often each occurs."""
    folded = {label: fold(label) for label in often}
    best: dict[str, str] = {}
    for label, key in folded.items():
        held = best.get(key)
        if held is None or (-often[label], label) < (-often[held], held):
            best[key] = label
    labels = tuple(sorted(best.values()))
    code_of = {folded[label]: code for code, label in enumerate(labels)}
    return labels, {label: code_of[key] for label, key in folded.items()}


def _once_a_row(
    codes: NDArray[np.int32], counts: NDArray[np.int64], labels: int
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The offsets and codes of rows of so many codes each, a code that a row repeats once."""
    if counts.size and int(counts.max()) > 1:
        rows = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
        _, first = np.unique(rows * labels + codes, return_index=True)
        if len(first) < len(codes):
            first.sort()
            codes = codes[first]
            counts = np.bincount(rows[first], minlength=len(counts))
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets, codes


Column: TypeAlias = LabelColumn | NumberColumn | TextColumn | FlagColumn | PointColumn
