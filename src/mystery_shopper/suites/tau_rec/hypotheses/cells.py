"""Pairs of groups that have a candidate, and pairs of hypotheses that are dead."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.bits import Positions
from mystery_shopper.suites.tau_rec.hypotheses.axes import (
    BLOCK,
    Axis,
    Indices,
    Short,
    Weights,
    is_dense,
    product,
    spread,
)

_WORD = 64


class DeadPairs:
    """Which pairs (h1, h2) a rejected item satisfied.

    Rejection i kills a rectangle, the hypotheses that the item satisfies on either side. Each
    hypothesis keeps one bit a rejection, set where it was one of them; a pair is dead when its two
    hypotheses have a bit in common. So the room taken grows with the hypotheses, not their pairs.
    """

    def __init__(self, first: int, second: int) -> None:
        self._sizes = first, second
        self._words: list[tuple[NDArray[np.uint64], NDArray[np.uint64]]] = []
        self._rejections = 0

    def kill(self, one: Indices, other: Indices) -> NDArray[np.bool_]:
        """Kill all pairs of the hypotheses `one` and `other`; True for those alive so far: shape
        (one, other)."""
        dead = np.zeros((len(one), len(other)), np.bool_)
        for first, second in self._words:
            rows, columns = first[one], second[other]
            if rows.any() and columns.any():
                dead |= (rows[:, None] & columns) != 0
        alive = ~dead
        if alive.any():
            word, bit = divmod(self._rejections, _WORD)
            if word == len(self._words):
                zeros = (np.zeros(size, np.uint64) for size in self._sizes)
                self._words.append((next(zeros), next(zeros)))
            for bits, hypotheses in zip(self._words[word], (one, other), strict=True):
                bits[hypotheses] |= np.uint64(1 << bit)
            self._rejections += 1
        return alive


class Cells:
    """The pairs of groups (g1, g2) that have a candidate, sorted, and how many live pairs of
    hypotheses each satisfies. `candidates` are ascending; a cell's leader is its first."""

    def __init__(self, first: Axis, second: Axis, candidates: Positions) -> None:
        self._first, self._second = first, second
        height, width = len(first.counts), len(second.counts)
        keys = first.groups.astype(np.int64) * width + second.groups
        if is_dense(height * width, len(keys)):
            leaders = np.full(height * width, -1, np.int64)
            leaders[keys[::-1]] = candidates[::-1]
            present = np.flatnonzero(leaders >= 0)
            self._leaders = leaders[present]
        else:
            present, places = np.unique(keys, return_index=True)
            self._leaders = candidates[places]
        rows = present // max(1, width)
        self._columns: Short = (present - rows * width).astype(np.int32)
        self._starts = np.searchsorted(rows, np.arange(height + 1)).astype(np.int64)
        self._scores = first.counts[rows] * second.counts[self._columns]

    def best(self) -> int | None:
        """The candidate in a cell of the highest score, ties by position; None where all are 0."""
        top = self._scores.max(initial=0.0)
        return int(self._leaders[self._scores == top].min()) if top > 0 else None

    def lower(self, one: Indices, other: Indices, killed: NDArray[np.bool_]) -> None:
        """Take the killed pairs of the hypotheses `one` and `other` from every score: with M1 and
        M2 for which group satisfies which hypothesis, M1 · K · M2ᵀ where there is a cell."""
        rows = np.flatnonzero(killed.any(axis=1))
        columns = np.flatnonzero(killed.any(axis=0))
        newly = killed[np.ix_(rows, columns)].astype(np.float32)
        reached, across = self._second.weigh(other[columns], newly.T)
        place = np.full(len(self._second.counts), -1, np.int32)
        place[reached] = np.arange(len(reached))
        # With few rows, which of them a group satisfies is less to keep than its sum for each of
        # those reached on the other side.
        few = len(rows) < len(reached)
        weights = np.eye(len(rows), dtype=np.float32) if few else across.T
        touched, sums = self._first.weigh(one[rows], weights)
        lengths = self._starts[touched + 1] - self._starts[touched]
        cells = spread(self._starts[touched], lengths)
        right = place[self._columns[cells]]
        kept = np.flatnonzero(right >= 0)
        left, right = np.repeat(np.arange(len(touched)), lengths)[kept], right[kept]
        fallen = _products(sums, across, left, right) if few else sums[left, right]
        self._scores[cells[kept]] -= fallen


def _products(
    bears: Weights, across: Weights, left: Indices, right: NDArray[np.integer]
) -> Weights:
    """The inner products of row `left[i]` of one and row `right[i]` of the other; all of them at
    once where most are wanted, else a block at a time. Whole numbers, so exact."""
    if len(bears) * len(across) <= max(BLOCK, 4 * len(left)):
        return product(bears, across.T)[left, right]
    found = np.empty(len(left), np.float32)
    step = max(1, BLOCK // bears.shape[1])
    for start in range(0, len(left), step):
        part = slice(start, start + step)
        found[part] = np.einsum("ij,ij->i", bears[left[part]], across[right[part]])
    return found
