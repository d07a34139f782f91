"""From a constraint of τ-Rec v1 to predicates of ours that hold for the same items.

What an operator takes depends on the field's kind. A combination that would mean something else
here than there, or nothing at all, is refused: it is never left out.

- numbers: `<=  >=  ==  !=` a number, `in` a list of numbers;
- one label: `==  !=` a text, `in` a list of texts;
- several labels: `contains` a text, `contains_any` a list, `not_contains` a text, or a list of
  which none may be there (one predicate for each);
- yes or no: `==  !=` true or false;
- the date of release: `>=` the first and `<=` the last day of a year, since the year alone carries
  requirements here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

from mystery_shopper.catalog import Domain, Kind, Operator, Predicate

RawValue: TypeAlias = bool | int | float | str | tuple[float | str, ...]

OPERATORS = ("<=", ">=", "==", "!=", "contains", "contains_any", "not_contains", "in")
_TAKEN: Mapping[Kind, tuple[str, ...]] = {
    Kind.INTEGER: ("<=", ">=", "==", "!=", "in"),
    Kind.NUMBER: ("<=", ">=", "==", "!=", "in"),
    Kind.CATEGORY: ("==", "!=", "in"),
    Kind.CATEGORIES: ("contains", "contains_any", "not_contains"),
    Kind.FLAG: ("==", "!="),
}
DATE_FIELD = "release_date"
"""The field of v1 whose year carries requirements here, as the domain's recency."""
_YEAR_EDGES = {">=": re.compile(r"([0-9]{4})-01-01"), "<=": re.compile(r"([0-9]{4})-12-31")}


def predicates_for(
    field: str, op: str, value: RawValue, domain: Domain
) -> tuple[list[Predicate], list[str]]:
    """(predicates, problems): what the constraint comes to, or why it cannot be understood. A
    problem begins with the part that is wrong: `field`, `op` or `value`."""
    if op not in OPERATORS:
        return [], [f"op: {op!r} is no operator; use one of {' '.join(OPERATORS)}"]
    if field == DATE_FIELD:
        return _date(op, value, domain)
    known = v1_fields(domain)
    if field not in known:
        return [], [f"field: {field!r} is no field for constraints; use one of {', '.join(known)}"]
    kind = domain.fields[field].kind
    if op not in _TAKEN[kind]:
        return [], [
            f"op: {op!r} does not fit {field!r}, which holds {_HOLDS[kind]}; use one of "
            f"{' '.join(_TAKEN[kind])}"
        ]
    want = _wrong_value(kind, op, value)
    if want:
        return [], [f"value: {value!r} must be {want} for {field} {op}"]
    return _predicates(field, op, value), []


def v1_fields(domain: Domain) -> tuple[str, ...]:
    """The fields of v1 that a constraint may name: those that carry requirements here, with the
    date in place of the year."""
    return tuple(
        DATE_FIELD if name == domain.recency else name for name in domain.requirement_fields
    )


_HOLDS: Mapping[Kind, str] = {
    Kind.INTEGER: "a number",
    Kind.NUMBER: "a number",
    Kind.CATEGORY: "one label",
    Kind.CATEGORIES: "several labels",
    Kind.FLAG: "yes or no",
}


def _predicates(field: str, op: str, value: RawValue) -> list[Predicate]:
    if isinstance(value, bool):
        return [Predicate(field, Operator.EQUAL, value == (op == "=="))]
    if op == "not_contains" and isinstance(value, tuple):
        return [Predicate(field, Operator.NOT_CONTAINS, part) for part in value]
    return [Predicate(field, Operator(op), value)]


def _date(op: str, value: RawValue, domain: Domain) -> tuple[list[Predicate], list[str]]:
    edge = _YEAR_EDGES.get(op)
    found = edge.fullmatch(value) if edge is not None and isinstance(value, str) else None
    if found is None or domain.recency is None:
        return [], [
            f"value: {DATE_FIELD} {op} {value!r} is no bound on whole years; "
            ">= 2025-01-01 and <= 2025-12-31 are"
        ]
    return [Predicate(domain.recency, Operator(op), int(found[1]))], []


def _wrong_value(kind: Kind, op: str, value: RawValue) -> str | None:
    """What the value should have been, None if it is right."""
    single, many, fits = _VALUES[kind]
    if isinstance(value, tuple):
        if op not in ("contains_any", "in", "not_contains"):
            return single
        ok = bool(value) and all(map(fits, value)) and len(set(value)) == len(value)
        return None if ok else many
    if op in ("contains_any", "in"):
        return many
    return None if fits(value) else single


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_bool(value: object) -> bool:
    return isinstance(value, bool)


_TEXTS = ("a text", "a list of different texts, not empty", _is_text)
_VALUES: Mapping[Kind, tuple[str, str, Callable[[object], bool]]] = {
    Kind.INTEGER: ("a number", "a list of different numbers, not empty", _is_number),
    Kind.NUMBER: ("a number", "a list of different numbers, not empty", _is_number),
    Kind.CATEGORY: _TEXTS,
    Kind.CATEGORIES: _TEXTS,
    Kind.FLAG: ("true or false", "true or false", _is_bool),
}
