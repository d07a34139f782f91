"""The hypotheses about a label field.

Source: τ-Rec-Books §5 (the eliminating agent lists the possible hidden requirements).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mystery_shopper.catalog import Catalogue, Hierarchy, Operator, Predicate, fold
from mystery_shopper.catalog.bits import Positions
from mystery_shopper.suites.tau_rec.hypotheses.axes import (
    Indices,
    ListAxis,
    Short,
    compact,
    spread,
)
from mystery_shopper.suites.tau_rec.hypotheses.classes import label_classes, ranked

MOST_ENTRIES = 2**21
"""How many (label set, hypothesis) entries are listed at most. Of candidates that would need more,
hypotheses of several labels are left out, the longest first."""

_POSITIVE = (Operator.CONTAINS, Operator.WITHIN, Operator.EQUAL)


@dataclass(frozen=True)
class Listing:
    """Class c satisfies the hypotheses `entries[starts[c]:starts[c + 1]]`; `names` holds the label
    codes of each hypothesis, padded with -1: shape (hypotheses, most)."""

    starts: Indices
    entries: Short
    names: Short


class LabelTable:
    """One up to `most` labels of a label field, parent labels included.

    A hypothesis is a set of labels of which none covers another; an item satisfies it when it bears
    each label or one below it. Items with one label set form a class. The hypotheses of all classes
    are listed once where there is room for them, else for each list of candidates anew.
    """

    def __init__(self, catalogue: Catalogue, field: str) -> None:
        column = catalogue.labels(field)
        self._field = field
        self._tree: Hierarchy = catalogue.domain.hierarchies[field]
        self._most = catalogue.domain.fields[field].most
        self._code_of = {fold(label): code for code, label in enumerate(column.labels)}
        related: set[int] = set()
        if self._tree:
            for label in column.labels:
                for up in self._tree.ancestors(label):
                    self._code_of.setdefault(fold(up), len(self._code_of))
            width = len(self._code_of)
            for key, code in self._code_of.items():
                above = [self._code_of[fold(up)] for up in self._tree.ancestors(key)]
                related.update(min(code, up) * width + max(code, up) for up in above)
        self._related = np.array(sorted(related), np.int64)
        classes = label_classes(column)
        self._class_of = classes.of
        self._starts, self._codes = classes.starts, classes.codes
        if self._tree:
            self._close(column.labels)
        everything = np.arange(len(classes), dtype=np.int64)
        room = self._room(everything)
        self._listing = self._list(everything, room) if room == self._most else None

    def _with_ancestors(self, label: str) -> Iterable[int]:
        for name in (label, *self._tree.ancestors(label)):
            code = self._code_of.get(fold(name))
            if code is not None:
                yield code

    def _close(self, labels: Sequence[str]) -> None:
        """Add to each class the labels above its own."""
        closed = [sorted(set(self._with_ancestors(label))) for label in labels]
        lengths = np.array([len(codes) for codes in closed], np.int64)
        starts = np.cumsum(lengths) - lengths
        flat = np.array([code for codes in closed for code in codes], np.int64)
        width = len(self._code_of)
        class_of = np.repeat(np.arange(len(self._starts) - 1), np.diff(self._starts))
        wide = lengths[self._codes]
        borne = flat[spread(starts[self._codes], wide)]
        keys = np.unique(np.repeat(class_of, wide) * width + borne)
        self._codes = keys % width
        self._starts = np.searchsorted(keys, np.arange(len(self._starts)) * width).astype(np.int64)

    def _room(self, classes: Indices) -> int:
        """How many labels a hypothesis about these classes may name: `most`, or what fits."""
        lengths = (self._starts[classes + 1] - self._starts[classes]).astype(np.float64)
        chosen, total = np.ones(len(lengths)), 0.0
        for count in range(1, self._most + 1):
            chosen = chosen * np.maximum(lengths - count + 1, 0) / count
            total += float(chosen.sum())
            if total > MOST_ENTRIES:
                return max(1, count - 1)
        return self._most

    def _list(self, classes: Indices, most: int) -> Listing:
        """The hypotheses of the classes: sets of k labels come from sets of k - 1 by each later
        label of the class that is related to none of them."""
        width = len(self._code_of)
        begin, end = self._starts[classes], self._starts[classes + 1]
        rows = np.repeat(np.arange(len(classes)), end - begin)
        places = spread(begin, end - begin)
        present, ids = ranked(self._codes[places], width)
        names = present[:, None]
        found_rows, found_ids, found_names = [rows], [ids.astype(np.int64)], [names]
        made = len(names)
        for _ in range(1, most):
            later = end[rows] - places - 1
            before, codes = np.repeat(ids, later), spread(places + 1, later)
            rows, places = np.repeat(rows, later), codes
            kept = self._unrelated(names[before], self._codes[places])
            rows, places, before = rows[kept], places[kept], before[kept]
            keys = before.astype(np.int64) * width + self._codes[places]
            present, ids = ranked(keys, len(names) * width)
            names = np.column_stack((names[present // width], present % width))
            found_rows.append(rows)
            found_ids.append(ids + np.int64(made))
            found_names.append(names)
            made += len(names)
        return _listing(len(classes), found_rows, found_ids, found_names)

    def _unrelated(self, names: Indices, codes: Indices) -> Indices:
        """Which rows of `names` hold no label that covers, or is covered by, the row's code."""
        if not len(self._related):
            return np.arange(len(codes))
        width = len(self._code_of)
        free = np.ones(len(codes), np.bool_)
        for column in names.T:
            pairs = np.minimum(column, codes) * width + np.maximum(column, codes)
            free &= ~np.isin(pairs, self._related)
        return np.flatnonzero(free)

    def axis(self, candidates: Positions, revealed: Sequence[Predicate], limit: int) -> ListAxis:  # noqa: ARG002
        """The hypotheses beyond the revealed labels and those above them."""
        present, groups = compact(self._class_of[candidates], len(self._starts) - 1)
        listing, whole, classes = self._listing, True, present
        if listing is None:
            room = self._room(present)
            listing, whole = self._list(present, room), room == self._most
            classes = np.arange(len(present))
        lengths = listing.starts[classes + 1] - listing.starts[classes]
        rows = np.repeat(np.arange(len(present), dtype=np.int32), lengths)
        entries = listing.entries[spread(listing.starts[classes], lengths)]
        said = self._said(revealed)
        if said:
            named = np.isin(listing.names, sorted(said))
            kept = np.flatnonzero(~named[entries].any(axis=1))
            rows, entries = rows[kept], entries[kept]
        listed, columns = compact(entries, len(listing.names))
        starts = np.searchsorted(rows, np.arange(len(present) + 1)).astype(np.int64)
        return ListAxis(groups, len(listed), starts, rows, columns, whole)

    def _said(self, revealed: Sequence[Predicate]) -> set[int]:
        return {
            code
            for predicate in revealed
            if predicate.field == self._field
            and predicate.op in _POSITIVE
            and isinstance(predicate.value, str)
            for code in self._with_ancestors(predicate.value)
        }


def _listing(
    classes: int, rows: Sequence[Indices], ids: Sequence[Indices], names: Sequence[Indices]
) -> Listing:
    """The hypotheses of one label, of two and so on as one list, sorted by class."""
    every = np.concatenate(rows)
    entries = np.concatenate(ids).astype(np.int32)
    if len(rows) > 1:
        entries = entries[np.argsort(every, kind="stable")]
    starts = np.zeros(classes + 1, np.int64)
    np.cumsum(np.bincount(every, minlength=classes), out=starts[1:])
    padded = np.full((sum(map(len, names)), len(names)), -1, np.int32)
    made = 0
    for some in names:
        padded[made : made + len(some), : some.shape[1]] = some
        made += len(some)
    return Listing(starts, entries, padded)
