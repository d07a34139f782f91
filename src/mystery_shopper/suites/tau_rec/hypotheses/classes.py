"""The distinct label sets of a field, found without looking at rows one by one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.columns import LabelColumn
from mystery_shopper.suites.tau_rec.hypotheses.axes import (
    Indices,
    Short,
    compact,
    is_dense,
)


@dataclass(frozen=True)
class Classes:
    """`of[row]` is the class of a row; class c bears `codes[starts[c]:starts[c + 1]]`, ascending.
    Class 0 bears no label."""

    of: Short
    starts: Indices
    codes: Indices

    def __len__(self) -> int:
        return len(self.starts) - 1


def label_classes(column: LabelColumn) -> Classes:
    """The rows of a column by what they bear; rows of one number of labels at a time."""
    counts = np.diff(column.offsets)
    of = np.zeros(len(column), np.int32)
    codes = [np.empty(0, np.int64)]
    lengths = [np.zeros(1, np.int64)]
    made = 1
    for length in np.flatnonzero(np.bincount(counts)).tolist():
        if not length:
            continue
        rows = np.flatnonzero(counts == length)
        sets = column.codes[column.offsets[rows][:, None] + np.arange(length)]
        sets.sort(axis=1)
        of[rows], first = _number(sets, len(column.labels))
        of[rows] += made
        made += len(first)
        codes.append(sets[first].reshape(-1).astype(np.int64))
        lengths.append(np.full(len(first), length, np.int64))
    starts = np.zeros(made + 1, np.int64)
    np.cumsum(np.concatenate(lengths), out=starts[1:])
    return Classes(of, starts, np.concatenate(codes))


def _number(sets: NDArray[np.int32], labels: int) -> tuple[Short, Indices]:
    """(numbers, first): equal rows of `sets` have one number, and row `first[i]` has number i."""
    present, numbers = ranked(sets[:, 0].astype(np.int64), labels)
    for column in sets.T[1:]:
        keys = numbers.astype(np.int64) * labels + column
        present, numbers = ranked(keys, len(present) * labels)
    first = np.empty(len(present), np.int64)
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]
    return numbers, first


def ranked(keys: Indices, size: int) -> tuple[Indices, Short]:
    """As `compact`, for keys below a `size` that may be far beyond their number."""
    if is_dense(size, len(keys)):
        return compact(keys, size)
    present, numbers = np.unique(keys, return_inverse=True)
    return present, numbers.reshape(-1).astype(np.int32)
