"""What the hypotheses about a field are, prepared once per catalogue and field.

Source: τ-Rec-Books §5 (the eliminating agent lists the possible hidden requirements).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, combinations
from typing import Protocol

import numpy as np

from mystery_shopper.catalog import Catalogue, Hierarchy, Operator, Predicate, fold
from mystery_shopper.catalog.bits import Positions
from mystery_shopper.suites.tau_rec.hypotheses.axes import (
    Axis,
    Indices,
    ListAxis,
    RangeAxis,
    compact,
)

_POSITIVE = (Operator.CONTAINS, Operator.WITHIN, Operator.EQUAL)


class Table(Protocol):
    """The hypotheses about one field, before the candidates are known."""

    def axis(self, candidates: Positions, revealed: Sequence[Predicate], limit: int) -> Axis:
        """The hypotheses that candidates may satisfy; `limit` caps the bounds of a range."""
        ...


class LabelTable:
    """One up to `most` labels of a label field, parent labels included.

    A hypothesis is a set of labels of which none covers another; an item satisfies it when it bears
    each label or one below it. `owned[c]` lists the hypotheses of the c-th distinct label set.
    """

    def __init__(self, catalogue: Catalogue, field: str) -> None:
        column = catalogue.labels(field)
        self._field = field
        self._tree: Hierarchy = catalogue.domain.hierarchies[field]
        names = {fold(label): label for label in column.labels}
        for label in column.labels:
            names.update((fold(up), up) for up in self._tree.ancestors(label))
        self._code_of = {key: code for code, key in enumerate(names)}
        above = [frozenset(self._with_ancestors(label)) for label in column.labels]
        most = catalogue.domain.fields[field].most
        self._closed = {key: frozenset(self._with_ancestors(key)) for key in names}
        keys = list(names)
        related = {
            (one, self._code_of[up])
            for one, key in enumerate(keys)
            for up in map(fold, self._tree.ancestors(key))
        }
        self._index: dict[tuple[int, ...], int] = {}
        classes: dict[frozenset[int], int] = {}
        owned: list[Indices] = []
        self._class_of = np.empty(len(catalogue), np.int64)
        bounds = column.offsets.tolist()
        codes = column.codes.tolist()
        for row in range(len(catalogue)):
            bears = frozenset(codes[bounds[row] : bounds[row + 1]])
            known = classes.get(bears)
            if known is None:
                known = classes[bears] = len(classes)
                closed = sorted(set(chain.from_iterable(above[code] for code in bears)))
                owned.append(self._enumerate(closed, most, related))
            self._class_of[row] = known
        self._starts = np.zeros(len(owned) + 1, np.int64)
        np.cumsum([len(one) for one in owned], out=self._starts[1:])
        self._entries = np.concatenate([*owned, np.empty(0, np.int64)])
        self._bearing = self._by_label()

    def _with_ancestors(self, label: str) -> Iterable[int]:
        for name in (label, *self._tree.ancestors(label)):
            code = self._code_of.get(fold(name))
            if code is not None:
                yield code

    def _enumerate(self, labels: list[int], most: int, related: set[tuple[int, int]]) -> Indices:
        found = [
            self._index.setdefault(chosen, len(self._index))
            for count in range(1, most + 1)
            for chosen in combinations(labels, count)
            if not any(
                (one, other) in related or (other, one) in related
                for one, other in combinations(chosen, 2)
            )
        ]
        return np.array(sorted(found), np.int64)

    def _by_label(self) -> dict[int, Indices]:
        """Label code -> the hypotheses that name it."""
        lists: dict[int, list[int]] = {}
        for chosen, number in self._index.items():
            for code in chosen:
                lists.setdefault(code, []).append(number)
        return {code: np.array(numbers, np.int64) for code, numbers in lists.items()}

    def axis(self, candidates: Positions, revealed: Sequence[Predicate], limit: int) -> Axis:  # noqa: ARG002
        """The hypotheses beyond the revealed labels and those above them."""
        present, groups = compact(self._class_of[candidates], len(self._starts) - 1)
        lengths = self._starts[present + 1] - self._starts[present]
        rows = np.repeat(np.arange(len(present)), lengths)
        ends = np.cumsum(lengths)
        shift = np.repeat(self._starts[present] - (ends - lengths), lengths)
        entries = self._entries[np.arange(len(rows)) + shift]
        said = self._said(revealed)
        if said:
            open_ = np.ones(len(self._index), np.bool_)
            for code in sorted(said):
                open_[self._bearing.get(code, np.empty(0, np.int64))] = False
            kept = np.flatnonzero(open_[entries])
            rows, entries = rows[kept], entries[kept]
        listed, columns = compact(entries, len(self._index))
        starts = np.searchsorted(rows, np.arange(len(present) + 1)).astype(np.int64)
        return ListAxis(groups, len(listed), starts, rows.astype(np.int64), columns)

    def _said(self, revealed: Sequence[Predicate]) -> set[int]:
        return {
            code
            for predicate in revealed
            if predicate.field == self._field
            and predicate.op in _POSITIVE
            and isinstance(predicate.value, str)
            for code in self._with_ancestors(predicate.value)
        }


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
        self._rank_of = np.full(len(numbers), self._distinct, np.int64)
        self._rank_of[known] = ranks.reshape(-1)

    def axis(self, candidates: Positions, revealed: Sequence[Predicate], limit: int) -> Axis:
        """The bounds that are not revealed; both where both or none are."""
        present, groups = compact(self._rank_of[candidates], self._distinct + 1)
        count = int((present < self._distinct).sum())
        said = {predicate.op for predicate in revealed if predicate.field == self._field}
        bounds = np.arange(count, dtype=np.int64)
        if count > limit:
            bounds = np.unique(np.linspace(0, count - 1, limit).round().astype(np.int64))
        lower = Operator.AT_LEAST not in said or Operator.AT_MOST in said
        upper = Operator.AT_MOST not in said or Operator.AT_LEAST in said
        low, high = _bounds(bounds, count, lower=lower, upper=upper)
        ranks = np.arange(len(present), dtype=np.int64)
        ranks[count:] = count + 1
        return RangeAxis(groups, ranks, low, high)


def _bounds(bounds: Indices, count: int, *, lower: bool, upper: bool) -> tuple[Indices, Indices]:
    """The first and the last rank that each hypothesis includes."""
    lows, highs = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    if lower:
        lows.append(bounds)
        highs.append(np.full(len(bounds), count, np.int64))
    if upper:
        lows.append(np.zeros(len(bounds), np.int64))
        highs.append(bounds)
    if lower and upper:
        first, last = np.triu_indices(len(bounds))
        lows.append(bounds[first])
        highs.append(bounds[last])
    return np.concatenate(lows), np.concatenate(highs)
