"""Proposing the item that fits the most hypotheses still alive.

With two declined fields a hypothesis is a pair (h1, h2). The score of the group pair (g1, g2) is
the number of live pairs that it satisfies: at the start the product of two counts. A rejected item
kills the live pairs that it satisfies, a rectangle K of the matrix; every score then falls by
M1 · K · M2ᵀ, where M1 and M2 say which group satisfies which of the rectangle's hypotheses. Only
newly killed pairs are ever looked at. Source: τ-Rec-Books §5 (the eliminating agent).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod

import numpy as np

from mystery_shopper.catalog import Catalogue, Predicate
from mystery_shopper.catalog.bits import Positions
from mystery_shopper.suites.tau_rec.hypotheses.axes import OpenAxis
from mystery_shopper.suites.tau_rec.hypotheses.space import HypothesisSpace

FIELDS_TOGETHER = 2
MOST_PAIRS = 2**27
"""More pairs of hypotheses, or of groups, than this do not fit a matrix of reasonable size."""


class Elimination:
    """A search among candidates by verdicts.

    `source`: the catalogue, or better a space made of it once, since preparing a catalogue takes
    far longer than an elimination. `candidates`: the positions that match the revealed predicates
    and may be recommended. `declined`: the fields that hold something unsaid; one that cannot carry
    a requirement is passed over.

    Without a declined field all candidates are equal and follow by popularity. Two give the product
    of their hypotheses. Of three or more, the first two in the domain's order do; when their
    hypotheses are used up, the candidates not yet rejected follow by popularity, because the other
    fields may be why an item was rejected. Where two have more than `MOST_PAIRS` pairs, the first
    alone counts in the same way.
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
        if (
            prod(a.size for a in axes) > MOST_PAIRS
            or prod(len(a.counts) for a in axes) > MOST_PAIRS
        ):
            axes = axes[:1]
        self._open_ended = not axes or len(axes) < len(fields)
        while len(axes) < FIELDS_TOGETHER:
            axes.append(OpenAxis(np.zeros(len(candidates), np.int64)))
        self._first, self._second = axes
        self._rejected: set[int] = set()
        self._dead = np.zeros((self._first.size, self._second.size), np.bool_)
        self._scores = np.outer(self._first.counts, self._second.counts)
        width = self._scores.shape[1]
        cells = self._first.groups * width + self._second.groups
        leader = np.full(self._scores.size, -1, np.int64)
        leader[cells[::-1]] = candidates[::-1]
        self._cells = np.flatnonzero(leader >= 0)
        self._leaders = leader[self._cells]

    def best(self) -> int | None:
        """The position of the candidate that satisfies the most hypotheses still alive, ties by
        position; None when no candidate satisfies any."""
        scores = self._scores.reshape(-1)[self._cells]
        top = scores.max(initial=0.0)
        if top > 0:
            return int(self._leaders[scores == top].min())
        return self._next() if self._open_ended else None

    def reject(self, position: int) -> None:
        """Drop every hypothesis that the item satisfies, and never propose it again. An item that
        is no candidate failed something revealed, so it teaches nothing."""
        place = int(np.searchsorted(self._candidates, position))
        if place == len(self._candidates) or self._candidates[place] != position:
            return
        self._rejected.add(position)
        one = self._first.satisfied(int(self._first.groups[place]))
        other = self._second.satisfied(int(self._second.groups[place]))
        if not len(one) or not len(other):
            return
        rectangle = np.ix_(one, other)
        killed = ~self._dead[rectangle]
        self._dead[rectangle] = True
        rows, columns = np.flatnonzero(killed.any(axis=1)), np.flatnonzero(killed.any(axis=0))
        newly = killed[np.ix_(rows, columns)].astype(np.int32)
        across = newly @ self._second.incidence(other[columns]).T.astype(np.int32)
        self._scores -= self._first.incidence(one[rows]).astype(np.int32) @ across

    def _next(self) -> int | None:
        for position in self._candidates.tolist():
            if position not in self._rejected:
                return position
        return None
