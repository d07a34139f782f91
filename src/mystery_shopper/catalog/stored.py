"""Columns as arrays in a folder, and back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.arrays import ArrayFolder, texts_arrays
from mystery_shopper.catalog.columns import (
    Column,
    FlagColumn,
    LabelColumn,
    NumberColumn,
    PointColumn,
    TextColumn,
)
from mystery_shopper.catalog.fields import Kind
from mystery_shopper.catalog.texts import Texts


def column_arrays(prefix: str, column: Column) -> dict[str, NDArray[Any]]:
    """The arrays of a column, their names beginning with the prefix."""
    match column:
        case LabelColumn():
            labels = texts_arrays(f"{prefix}.labels", Texts.build(column.labels))
            rows = {f"{prefix}.offsets": column.offsets, f"{prefix}.codes": column.codes}
            return {**labels, **rows}
        case NumberColumn():
            return {f"{prefix}.numbers": column.numbers}
        case TextColumn():
            return texts_arrays(f"{prefix}.texts", Texts.build(column.texts))
        case FlagColumn():
            return {f"{prefix}.flags": column.flags}
        case PointColumn():
            return {f"{prefix}.points": column.points}


def stored_column(
    arrays: ArrayFolder, kind: Kind, prefix: str, labels: int | None, size: int
) -> Column:
    """The column of a field of this kind, of `size` rows and so many labels. Raises InputError
    where its arrays cannot be such a column."""
    if kind.is_label:
        return _label_column(arrays, kind, prefix, labels, size)
    if kind.is_ordered:
        numbers = arrays.get(f"{prefix}.numbers", "<f8", (size,))
        if np.isinf(numbers).any():
            raise arrays.fail(f"{prefix}.numbers", "holds an infinite number")
        return NumberColumn(numbers, kind is Kind.INTEGER)
    if kind is Kind.TEXT:
        return TextColumn(arrays.texts(f"{prefix}.texts", size))
    if kind is Kind.FLAG:
        return FlagColumn(arrays.ranged(f"{prefix}.flags", "|i1", (size,), -1, 2))
    return PointColumn(arrays.get(f"{prefix}.points", "<f8", (size, 2)))


def _label_column(
    arrays: ArrayFolder, kind: Kind, prefix: str, count: int | None, size: int
) -> LabelColumn:
    labels: tuple[str, ...] = tuple(arrays.present_texts(f"{prefix}.labels", count))
    if any(one >= two for one, two in pairwise(labels)):
        raise arrays.fail(f"{prefix}.labels.blob", "holds labels out of order")
    codes = arrays.ranged(f"{prefix}.codes", "<i4", (None,), 0, len(labels))
    offsets = arrays.offsets(f"{prefix}.offsets", size, len(codes))
    single = kind is Kind.CATEGORY
    if single and size and int(np.diff(offsets).max()) > 1:
        raise arrays.fail(f"{prefix}.offsets", "gives a row of a category two labels")
    return LabelColumn(labels, offsets, codes, single)
