"""Proposing the item that fits the most hypotheses still alive.

With two declined fields a hypothesis is a pair (h1, h2). The score of a candidate is the number of
live pairs that it satisfies: at the start the product of two counts. A rejected item kills the live
pairs that it satisfies, a rectangle K of all pairs, and every score falls by how many of them the
candidate satisfies. Only newly killed pairs, and candidates that satisfy any, are ever looked at.
Source: τ-Rec-Books §5 (the eliminating agent).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mystery_shopper.catalog import Catalogue, Predicate
from mystery_shopper.catalog.bits import Positions
from mystery_shopper.suites.tau_rec.hypotheses.axes import Axis, OpenAxis
from mystery_shopper.suites.tau_rec.hypotheses.cells import Cells, DeadPairs
from mystery_shopper.suites.tau_rec.hypotheses.space import HypothesisSpace

FIELDS_TOGETHER = 2
MOST_KILLED = 2**22
"""How many pairs of hypotheses one item may satisfy; the sums over them stay exact in float32."""


class Elimination:
    """A search among candidates by verdicts.

    `source`: the catalogue, or better a space made of it once, since preparing a catalogue takes
    far longer than an elimination. `candidates`: the positions that match the revealed predicates
    and may be recommended. `declined`: the fields that hold something unsaid; one that cannot carry
    a requirement is passed over.

    Without a declined field all candidates are equal and follow by popularity. Two give the product
    of their hypotheses. Of three or more, the first two in the domain's order do; when their
    hypotheses are used up, the candidates not yet rejected follow by popularity, because the other
    fields may be why an item was rejected. Where some item satisfies more than `MOST_KILLED` pairs,
    the first field alone counts in the same way; and a field whose hypotheses of several labels
    were too many to list is followed by popularity too.
    """

    def __init__(
        self,
        source: Catalogue | HypothesisSpace,
        candidates: Positions,
        revealed: Sequence[Predicate],
        declined: Iterable[str],
    ) -> None:
        space = source if isinstance(source, HypothesisSpace) else HypothesisSpace(source)
        wanted = set(declined)
        fields = [name for name in space.catalogue.domain.requirement_fields if name in wanted]
        self._candidates = candidates = np.sort(candidates)
        axes = space.axes(candidates, revealed, fields[:FIELDS_TOGETHER])
        if np.prod([_largest(axis) for axis in axes]) > MOST_KILLED:
            axes = axes[:1]
        whole = all(axis.whole for axis in axes)
        self._open_ended = not axes or len(axes) < len(fields) or not whole
        while len(axes) < FIELDS_TOGETHER:
            axes.append(OpenAxis(np.zeros(len(candidates), np.int32)))
        # The side with the shorter lists comes first: the work grows with its length.
        self._first, self._second = sorted(axes, key=lambda a: (_largest(a), -len(a.counts)))
        self._cells = Cells(self._first, self._second, candidates)
        self._dead = DeadPairs(self._first.size, self._second.size)
        self._rejected: set[int] = set()
        self._passed = 0

    def best(self) -> int | None:
        """The position of the candidate that satisfies the most hypotheses still alive, ties by
        position; None when no candidate satisfies any."""
        found = self._cells.best()
        return self._next() if found is None and self._open_ended else found

    def reject(self, position: int) -> None:
        """Drop every hypothesis that the item satisfies, and never propose it again. An item that
        is no candidate failed something revealed, so it teaches nothing."""
        place = int(np.searchsorted(self._candidates, position))
        if place == len(self._candidates) or self._candidates[place] != position:
            return
        self._rejected.add(position)
        one = self._first.satisfied(int(self._first.groups[place]))
        other = self._second.satisfied(int(self._second.groups[place]))
        killed = self._dead.kill(one, other)
        if killed.any():
            self._cells.lower(one, other, killed)

    def _next(self) -> int | None:
        """The first candidate not yet rejected; rejections are never taken back."""
        while self._passed < len(self._candidates):
            position = int(self._candidates[self._passed])
            if position not in self._rejected:
                return position
            self._passed += 1
        return None


def _largest(axis: Axis) -> float:
    """How many hypotheses the group that satisfies the most does."""
    return float(axis.counts.max(initial=0.0))
