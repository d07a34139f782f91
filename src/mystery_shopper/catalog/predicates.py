"""Predicates: one condition on one field, on one item or on a whole catalogue.

A missing value satisfies no positive predicate; it satisfies `!=` and `not_contains`, which say
what an item must not bear. Labels are compared by their folded form, so case never matters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.bits import Bits, pack_bits
from mystery_shopper.catalog.catalogue import Catalogue, Item
from mystery_shopper.catalog.columns import (
    FlagColumn,
    LabelColumn,
    NumberColumn,
    PointColumn,
    TextColumn,
)
from mystery_shopper.catalog.domain import Domain
from mystery_shopper.catalog.fields import Hierarchy, Kind, fold

EARTH_RADIUS_KM = 6371.0088


class Operator(StrEnum):
    """What a predicate asks of a value."""

    AT_MOST = "<="
    AT_LEAST = ">="
    EQUAL = "=="
    NOT_EQUAL = "!="
    CONTAINS = "contains"
    CONTAINS_ANY = "contains_any"
    NOT_CONTAINS = "not_contains"
    IN = "in"
    WITHIN = "within"


Wanted: TypeAlias = bool | int | float | str | tuple[float | str, ...]

_LABEL = {
    Operator.EQUAL,
    Operator.NOT_EQUAL,
    Operator.CONTAINS,
    Operator.CONTAINS_ANY,
    Operator.NOT_CONTAINS,
    Operator.IN,
    Operator.WITHIN,
}
_ORDERED = {
    Operator.AT_MOST,
    Operator.AT_LEAST,
    Operator.EQUAL,
    Operator.NOT_EQUAL,
    Operator.IN,
}
OPERATORS: dict[Kind, set[Operator]] = {
    Kind.CATEGORY: _LABEL,
    Kind.CATEGORIES: _LABEL,
    Kind.INTEGER: _ORDERED,
    Kind.NUMBER: _ORDERED,
    Kind.TEXT: _LABEL - {Operator.WITHIN},
    Kind.FLAG: {Operator.EQUAL, Operator.NOT_EQUAL},
    Kind.POINT: {Operator.WITHIN},
}
_MANY = {Operator.CONTAINS_ANY, Operator.IN}
_NEGATIVE = {Operator.NOT_EQUAL, Operator.NOT_CONTAINS}


class Predicate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`field op value`. What each operator takes and means, by kind of field:

    - `<=  >=`: a number; the item's number is at most, at least it.
    - `==  !=`: labels: the item bears exactly this label (a tuple: exactly these), or not; numbers,
      texts and flags: equal, or not.
    - `contains  not_contains`: labels: one of the item's labels is this one, or none is; texts: the
      folded text holds the folded value, or does not.
    - `contains_any  in`: a list; one of the item's labels (its number, its text) is in it.
    - `within`: labels: one of the item's labels is this one or lies below it in the hierarchy;
      points: `(lat, lon, km)`; the great-circle distance is at most km.
    """

    field: str
    op: Operator
    value: Wanted

    def matches(self, item: Item) -> bool:
        """Whether the item satisfies the predicate."""
        domain = item.catalogue.domain
        kind = domain.fields[self.field].kind
        value = item[self.field]
        if value is None or value == ():
            return self.op in _NEGATIVE
        if kind.is_label:
            bears = (value,) if isinstance(value, str) else value
            return _label_holds(self, [str(b) for b in _iterate(bears)], domain)
        if kind is Kind.POINT:
            return _point_distance(value, self.value) <= _numbers(self.value)[2]
        if kind is Kind.TEXT:
            return _text_holds(self.op, _texts(self.value), fold(str(value)))
        return _number_holds(self, float(value))  # pyright: ignore[reportArgumentType]

    def mask(self, catalogue: Catalogue) -> Bits:
        """The bit set of all positions that satisfy the predicate."""
        return pack_bits(self._flags(catalogue))

    def _flags(self, catalogue: Catalogue) -> NDArray[np.bool_]:
        column = catalogue.columns[self.field]
        match column:
            case LabelColumn():
                return _label_flags(self, column, catalogue.domain.hierarchies[self.field])
            case NumberColumn():
                return _number_flags(self, column.numbers)
            case FlagColumn():
                numbers = column.flags.astype(np.float64)
                return _number_flags(self, np.where(numbers < 0, np.nan, numbers))
            case TextColumn():
                return _text_flags(self, column)
            case PointColumn():
                latitude, longitude, limit = _numbers(self.value)
                with np.errstate(invalid="ignore"):
                    distance = haversine_km(column.points.T, (latitude, longitude))
                    return distance <= limit

    def problems(self, domain: Domain) -> list[str]:
        """Why the predicate cannot be put to a catalogue of this domain; empty if it can."""
        spec = domain.fields.get(self.field)
        if spec is None:
            return [f"there is no field {self.field!r}; fields: {', '.join(domain.fields)}"]
        allowed = OPERATORS[spec.kind]
        if self.op not in allowed:
            names = " ".join(sorted(op.value for op in allowed))
            return [f"operator {self.op.value!r} does not fit {spec.kind.value} field "
                    f"{self.field!r}; use one of: {names}"]  # fmt: skip
        want = _wrong_value(spec.kind, self.op, self.value)
        if want:
            return [f"{self.field} {self.op.value} {self.value!r}: the value must be {want}"]
        return []


def all_match(predicates: Iterable[Predicate], item: Item) -> bool:
    """Whether the item satisfies every predicate."""
    return all(predicate.matches(item) for predicate in predicates)


def haversine_km(points: NDArray[np.float64], centre: tuple[float, float]) -> NDArray[np.float64]:
    """Great-circle distances in km from `centre` to points of shape (2, n), degrees (haversine)."""
    latitude, longitude = np.radians(points)
    latitude0, longitude0 = np.radians(centre)
    half = (
        np.sin((latitude - latitude0) / 2) ** 2
        + np.cos(latitude) * np.cos(latitude0) * np.sin((longitude - longitude0) / 2) ** 2
    )
    return 2 * EARTH_RADIUS_KM * np.arcsin(np.sqrt(np.clip(half, 0, 1)))


def _iterate(value: object) -> Iterable[object]:
    return value if isinstance(value, tuple) else (value,)


def _numbers(value: Wanted) -> tuple[float, ...]:
    return tuple(float(part) for part in _iterate(value))  # pyright: ignore[reportArgumentType]


def _texts(value: Wanted) -> list[str]:
    return [fold(str(part)) for part in _iterate(value)]


def _point_distance(point: object, wanted: Wanted) -> float:
    latitude, longitude = _iterate(point)
    centre = _numbers(wanted)
    where = np.array([[latitude], [longitude]], dtype=np.float64)
    return float(haversine_km(where, (centre[0], centre[1]))[0])


def _label_holds(predicate: Predicate, bears: list[str], domain: Domain) -> bool:
    wanted = _texts(predicate.value)
    folded = {fold(label) for label in bears}
    match predicate.op:
        case Operator.EQUAL:
            return folded == set(wanted)
        case Operator.NOT_EQUAL:
            return folded != set(wanted)
        case Operator.NOT_CONTAINS:
            return folded.isdisjoint(wanted)
        case Operator.WITHIN:
            tree = domain.hierarchies[predicate.field]
            return any(tree.covers(asked, label) for asked in wanted for label in bears)
        case _:
            return not folded.isdisjoint(wanted)


def codes_for(op: Operator, value: Wanted, column: LabelColumn, hierarchy: Hierarchy) -> list[int]:
    """The codes of the labels that the predicate names, for `within` those below them too."""
    wanted = _texts(value)
    if op is Operator.WITHIN:
        covered = {label for asked in wanted for label in hierarchy.covered(asked, column.labels)}
        return sorted(column.code_of[fold(label)] for label in covered)
    return sorted({column.code_of[label] for label in wanted if label in column.code_of})


def _label_flags(
    predicate: Predicate, column: LabelColumn, hierarchy: Hierarchy
) -> NDArray[np.bool_]:
    codes = codes_for(predicate.op, predicate.value, column, hierarchy)
    if predicate.op in (Operator.EQUAL, Operator.NOT_EQUAL):
        wanted = len(set(_texts(predicate.value)))
        hits = np.zeros(len(column), np.int32)
        for code in codes:
            hits[column.bearers(code)] += 1
        exact = (hits == wanted) & (np.diff(column.offsets) == wanted)
        return ~exact if predicate.op is Operator.NOT_EQUAL else exact
    absent = predicate.op is Operator.NOT_CONTAINS
    flags = np.full(len(column), absent)
    for code in codes:
        flags[column.bearers(code).astype(np.int64)] = not absent
    return flags


def _text_flags(predicate: Predicate, column: TextColumn) -> NDArray[np.bool_]:
    # Folding without the cache of `fold`: every text is met once.
    plain, op, wanted = fold.__wrapped__, predicate.op, _texts(predicate.value)
    absent = op in _NEGATIVE
    return np.fromiter(
        (absent if text is None else _text_holds(op, wanted, plain(text)) for text in column.texts),
        np.bool_,
        len(column),
    )


def _text_holds(op: Operator, wanted: list[str], folded: str) -> bool:
    match op:
        case Operator.EQUAL | Operator.IN:
            return folded in wanted
        case Operator.NOT_EQUAL:
            return folded not in wanted
        case Operator.NOT_CONTAINS:
            return all(part not in folded for part in wanted)
        case _:
            return any(part in folded for part in wanted)


_COMPARE: dict[Operator, Callable[[float, float], bool]] = {
    Operator.AT_MOST: lambda number, bound: number <= bound,
    Operator.AT_LEAST: lambda number, bound: number >= bound,
}


def _number_holds(predicate: Predicate, number: float) -> bool:
    wanted = _numbers(predicate.value)
    compare = _COMPARE.get(predicate.op)
    if compare is not None:
        return compare(number, wanted[0])
    return (number in wanted) != (predicate.op is Operator.NOT_EQUAL)


def _number_flags(predicate: Predicate, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
    wanted = _numbers(predicate.value)
    match predicate.op:
        case Operator.AT_MOST:
            return numbers <= wanted[0]
        case Operator.AT_LEAST:
            return numbers >= wanted[0]
        case Operator.NOT_EQUAL:
            return ~np.isin(numbers, wanted)
        case _:
            return np.isin(numbers, wanted)


def _wrong_value(kind: Kind, op: Operator, value: Wanted) -> str | None:
    """What the value should have been, or None if it is right."""
    many = isinstance(value, tuple)
    parts = list(_iterate(value))
    if kind is Kind.POINT:
        fits = len(parts) == 3 and all(_is_number(part) for part in parts)
        return None if fits else "[latitude, longitude, kilometres]"
    if kind is Kind.FLAG:
        return None if isinstance(value, bool) else "true or false"
    if op in _MANY and not many:
        return "a list"
    if (
        many
        and op not in _MANY
        and not (kind.is_label and op in (Operator.EQUAL, Operator.NOT_EQUAL))
    ):
        return "a single value"
    if not parts:
        return "a list that is not empty"
    if kind.is_ordered:
        return None if all(_is_number(part) for part in parts) else "a number"
    return None if all(isinstance(part, str) and part.strip() for part in parts) else "a text"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
