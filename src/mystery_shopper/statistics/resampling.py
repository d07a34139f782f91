"""What the bootstraps share: how often each resample draws each cluster, and an exact product.

A BLAS product of floats differs in its last bits from machine to machine, since each adds up in an
order of its own. A product of whole numbers whose sums stay below 2^53 rounds nowhere, so that it
is the same everywhere, at the full speed of BLAS. `exact_product` splits floats into two such whole
numbers. Source: Ozaki et al. 2012, Error-free transformations of matrix multiplication.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.foundation import generator

Floats: TypeAlias = NDArray[np.float64]

BLOCK = 25_000
"""Cells of one block of weights: it stays in a processor's cache."""

_ALONE = 250_000
"""Multiplications that OpenBLAS leaves to one thread."""


def cluster_weights(
    clusters: int, *, purpose: str, seed: int, resamples: int, cells: int = BLOCK
) -> Iterator[Floats]:
    """How often each resample drew each cluster: (some, clusters) matrices, `resamples` rows in
    all, and no more than about `cells` cells at once. The size of a block changes no number."""
    random = generator(purpose, seed)
    step = max(1, cells // clusters)
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        drawn = random.integers(clusters, size=(rows, clusters))
        flat = (drawn + clusters * np.arange(rows)[:, None]).ravel()
        counts = np.bincount(flat, minlength=rows * clusters).reshape(rows, clusters)
        yield counts.astype(np.float64)


class Exact:
    """A (clusters, columns) table of finite floats, ready to be multiplied by whole weights.

    `times(weights)`: (columns, rows), each number the sum of its column's values times the weights
    of a row, rounded once. The weights are whole, and those of a row add up, by size, to no more
    than `weight`.
    """

    def __init__(self, table: Floats, weight: int) -> None:
        # A slice has so many bits that `weight` of them add up to less than 2^53.
        self._bits = 52 - max(weight, 1).bit_length()
        largest = np.abs(table).max(axis=0, initial=0.0)
        _, exponent = np.frexp(largest)
        self._shift = (exponent - self._bits)[:, None]
        scaled = np.ldexp(table, -self._shift[:, 0])
        high = np.rint(scaled)
        low = np.rint(np.ldexp(scaled - high, self._bits))
        # Counts, and scores that are few-bit fractions, need no second slice.
        self._split = low.any(axis=0)
        self._columns = table.shape[1]
        self._slices = np.concatenate([high, low[:, self._split]], axis=1).T.copy()

    def times(self, weights: Floats) -> Floats:
        found = _product(weights, self._slices)
        sums = found[: self._columns]
        sums[self._split] += np.ldexp(found[self._columns :], -self._bits)
        return np.ldexp(sums, self._shift)


def _product(weights: Floats, table: Floats) -> Floats:
    """`table @ weights.T`, in pieces so small that a BLAS starts no threads for them: several
    processes that each do so would wait for each other."""
    out = np.empty((len(table), len(weights)))
    rows = max(1, _ALONE // max(table.size, 1))
    for start in range(0, len(weights), rows):
        np.matmul(table, weights[start : start + rows].T, out=out[:, start : start + rows])
    return out
