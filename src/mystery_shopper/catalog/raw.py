"""From raw values, one a row, to a column. Every fault is named with its row, id and field.

None and NaN are missing, whatever the kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import chain
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def column_from_rows(kind: Kind, rows: Sequence[Any], ids: Sequence[str], field: str) -> Column:
    """The column of one field. Raises ValueError that names the first row that does not fit."""
    if len(rows) != len(ids):
        raise ValueError(f"field {field!r} has {len(rows)} values for {len(ids)} items")
    return _clean_column(kind, rows) or _checked_column(kind, rows, ids, field)


def _clean_column(kind: Kind, rows: Sequence[Any]) -> Column | None:
    """The column where every value is at once seen to be of the plain type, as a catalogue's own
    file has them; else None, and each value must be looked at."""
    types = set(map(type, rows))
    if kind is Kind.CATEGORIES and types <= {list, tuple, NoneType}:
        many = [() if row is None else row for row in rows]
        flat = list(chain.from_iterable(many))
        if set(map(type, flat)) <= {str} and all(map(str.strip, dict.fromkeys(flat))):
            return LabelColumn.from_flat(flat, list(map(len, many)), single=False)
    if kind.is_ordered and types <= {int, float, NoneType}:
        try:
            numbers = np.array([math.nan if row is None else row for row in rows], np.float64)
        except OverflowError:
            return None
        known = numbers[~np.isnan(numbers)]
        whole = kind is Kind.NUMBER or bool((known == np.floor(known)).all())
        return NumberColumn(numbers, kind is Kind.INTEGER) if whole and _finite(known) else None
    if kind is Kind.TEXT and types <= {str, NoneType}:
        return TextColumn(Texts.build(rows))
    return None


def _finite(numbers: NDArray[np.float64]) -> bool:
    return bool(np.isfinite(numbers).all())


def _checked_column(kind: Kind, rows: Sequence[Any], ids: Sequence[str], field: str) -> Column:
    if kind.is_label:
        single = kind is Kind.CATEGORY
        read = _category if single else _categories
        return LabelColumn.build(_read(rows, ids, field, read, ()), single=single)
    if kind.is_ordered:
        integral = kind is Kind.INTEGER
        read_number = _integer if integral else _number
        numbers = _read(rows, ids, field, read_number, math.nan)
        return NumberColumn(np.array(numbers, np.float64), integral)
    if kind is Kind.TEXT:
        return TextColumn(Texts.build(_read(rows, ids, field, _text, None)))
    if kind is Kind.FLAG:
        return FlagColumn(np.array(_read(rows, ids, field, _flag, -1), np.int8))
    nowhere = (math.nan, math.nan)
    return PointColumn(np.array(_read(rows, ids, field, _point, nowhere), np.float64))


def _read(
    rows: Sequence[Any], ids: Sequence[str], field: str, read: Callable[[Any], Any], missing: Any
) -> list[Any]:
    values: list[Any] = []
    for row, value in enumerate(rows):
        if value is None or (isinstance(value, float | np.floating) and math.isnan(value)):
            values.append(missing)
            continue
        try:
            values.append(read(value))
        except ValueError as error:
            shown = repr(value)
            shown = shown if len(shown) <= 100 else shown[:99] + "…"
            place = f"row {row + 1} (id {ids[row]!r}), field {field!r}"
            raise ValueError(f"{place}: {shown} is not {error}") from None
    return values


def _categories(value: Any) -> tuple[str, ...]:
    many = (value,) if isinstance(value, str) else value
    if not isinstance(many, list | tuple | np.ndarray):
        raise ValueError("a label or a list of labels")
    if not all(isinstance(label, str) and label.strip() for label in many):
        raise ValueError("a label or a list of labels")
    return tuple(many)


def _category(value: Any) -> tuple[str, ...]:
    labels = _categories(value)
    if len(labels) > 1:
        raise ValueError("a single label")
    return labels


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise ValueError("a number")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise ValueError("a finite number")
    return number


def _integer(value: Any) -> float:
    number = _number(value)
    if not number.is_integer():
        raise ValueError("a whole number")
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


def _flag(value: Any) -> int:
    if not isinstance(value, bool | np.bool_):
        raise ValueError("true or false")
    return int(value)


def _point(value: Any) -> tuple[float, float]:
    if not isinstance(value, list | tuple | np.ndarray) or len(value) != 2:
        raise ValueError("a latitude and a longitude")
    latitude, longitude = _number(value[0]), _number(value[1])
    if abs(latitude) > 90 or abs(longitude) > 180:
        raise ValueError("a latitude and a longitude in degrees")
    return latitude, longitude
