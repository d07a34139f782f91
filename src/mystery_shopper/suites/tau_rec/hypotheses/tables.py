"""What the hypotheses about an ordered field and about a flag are, prepared once per catalogue.

Source: τ-Rec-Books §5 (the eliminating agent lists the possible hidden requirements).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from mystery_shopper.catalog import Catalogue, Kind, Operator, Predicate
from mystery_shopper.catalog.bits import Positions
from mystery_shopper.catalog.columns import FlagColumn
from mystery_shopper.suites.tau_rec.hypotheses.axes import (
    Axis,
    Indices,
    ListAxis,
    RangeAxis,
    compact,
)
from mystery_shopper.suites.tau_rec.hypotheses.labels import LabelTable

_MISSING = 2


class Table(Protocol):
    """The hypotheses about one field, before the candidates are known."""

    def axis(self, candidates: Positions, revealed: Sequence[Predicate], limit: int) -> Axis:
        """The hypotheses that candidates may satisfy; `limit` caps the bounds of a range."""
        ...


def table_of(catalogue: Catalogue, field: str) -> Table:
    """The table of a field that carries requirements, by its kind."""
    kind = catalogue.domain.fields[field].kind
    if kind is Kind.FLAG:
        return FlagTable(catalogue, field)
    return (RangeTable if kind.is_ordered else LabelTable)(catalogue, field)


class RangeTable:
    """>= a, <= b, or both, over the candidates' distinct values of an ordered field.

    A revealed bound is not sought again. Beyond `limit` distinct values the bounds stand at `limit`
    of them, evenly spaced by rank (prices have thousands, and the pairs grow with the square).
    """

    def __init__(self, catalogue: Catalogue, field: str) -> None:
        numbers = catalogue.numbers(field).numbers
        self._field = field
        known = ~np.isnan(numbers)
        values, ranks = np.unique(numbers[known], return_inverse=True)
        self._distinct = len(values)
        self._rank_of = np.full(len(numbers), self._distinct, np.int32)
        self._rank_of[known] = ranks.reshape(-1)

    def axis(self, candidates: Positions, revealed: Sequence[Predicate], limit: int) -> RangeAxis:
        """The bounds that are not revealed; both where both or none are."""
        present, ranks = compact(self._rank_of[candidates], self._distinct + 1)
        count = int((present < self._distinct).sum())
        said = {predicate.op for predicate in revealed if predicate.field == self._field}
        bounds = np.arange(count, dtype=np.int64)
        if count > limit:
            bounds = np.unique(np.linspace(0, count - 1, limit).round().astype(np.int64))
        lower = Operator.AT_LEAST not in said or Operator.AT_MOST in said
        upper = Operator.AT_MOST not in said or Operator.AT_LEAST in said
        low, high = _bounds(len(bounds), lower=lower, upper=upper)
        every = np.arange(count)
        place_of = np.full(len(present), _beyond(len(bounds)), np.int64)
        place_of[:count] = np.searchsorted(bounds, every, "right") + np.searchsorted(bounds, every)
        places, places_groups = compact(place_of, _beyond(len(bounds)) + 1)
        return RangeAxis(places_groups[ranks], places, low, high)


def _beyond(bounds: int) -> int:
    """The place of a missing value. That of bound i is 2i + 1, and 2i is between it and the one
    before; nothing ends later than the place after the last bound."""
    return 2 * bounds + 1


def _bounds(count: int, *, lower: bool, upper: bool) -> tuple[Indices, Indices]:
    """The first and the last place that each hypothesis about so many bounds includes."""
    at = 2 * np.arange(count, dtype=np.int64) + 1
    lows, highs = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    if lower:
        lows.append(at)
        highs.append(np.full(count, _beyond(count) - 1, np.int64))
    if upper:
        lows.append(np.zeros(count, np.int64))
        highs.append(at)
    if lower and upper:
        first, last = np.triu_indices(count)
        lows.append(at[first])
        highs.append(at[last])
    return np.concatenate(lows), np.concatenate(highs)


class FlagTable:
    """Yes or no. An item without the flag satisfies neither, and a revealed flag hides nothing."""

    def __init__(self, catalogue: Catalogue, field: str) -> None:
        column = catalogue.columns[field]
        if not isinstance(column, FlagColumn):
            raise KeyError(field)
        self._field = field
        self._flags = column.flags

    def axis(self, candidates: Positions, revealed: Sequence[Predicate], limit: int) -> ListAxis:  # noqa: ARG002
        """Those of the two that a candidate satisfies."""
        flags = self._flags[candidates]
        present, groups = compact(np.where(flags < 0, np.int8(_MISSING), flags), _MISSING + 1)
        said = any(predicate.field == self._field for predicate in revealed)
        count = 0 if said else int((present < _MISSING).sum())
        starts = np.minimum(np.arange(len(present) + 1, dtype=np.int64), count)
        entries = np.arange(count, dtype=np.int32)
        return ListAxis(groups, count, starts, entries, entries)
