"""Correlations of paired values, with missing pairs left out and counted.

Sources: Pearson 1895; Spearman 1904; Kendall 1945 (tau-b, for ties), counted by the method of
Knight 1966.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mystery_shopper.statistics.bootstrap import Floats

_FEW = 64


@dataclass(frozen=True, slots=True)
class Correlation:
    """A coefficient in [-1, 1], over `pairs` complete pairs; `left_out` had a value missing.

    `value` is None below two pairs and where either side is constant: none is defined there.
    """

    value: float | None
    pairs: int
    left_out: int


Values = ArrayLike | Sequence[float | None]


def pearson(x: Values, y: Values) -> Correlation:
    """Pearson's r. `x`, `y`: (n,) floats, NaN or None where missing."""
    kept = _pairs(x, y)
    return Correlation(_product_moment(*kept[:2]), len(kept[0]), kept[2])


def spearman(x: Values, y: Values) -> Correlation:
    """Spearman's ρ: Pearson's r of the ranks, ties sharing the mean of theirs."""
    kept = _pairs(x, y)
    return Correlation(_product_moment(_ranks(kept[0]), _ranks(kept[1])), len(kept[0]), kept[2])


def kendall(x: Values, y: Values) -> Correlation:
    """Kendall's τ-b, in n log n."""
    first, second, left_out = _pairs(x, y)
    return Correlation(_tau_b(first, second), len(first), left_out)


def _product_moment(x: Floats, y: Floats) -> float | None:
    if len(x) < 2 or _constant(x) or _constant(y):
        return None
    x, y = _centred(x), _centred(y)
    size = math.sqrt(math.fsum(x * x)) * math.sqrt(math.fsum(y * y))
    return max(-1.0, min(1.0, math.fsum(x * y) / size))


def _centred(values: Floats) -> Floats:
    """Deviations from the mean, the largest of size one: no square over- or underflows."""
    largest = np.abs(values).max()
    values = values / largest
    values = values - math.fsum(values) / len(values)
    return values / np.abs(values).max()


def _ranks(values: Floats) -> Floats:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - (counts - 1) / 2)[place]


def _tau_b(x: Floats, y: Floats) -> float | None:
    count = len(x)
    if count < 2 or _constant(x) or _constant(y):
        return None
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    _, both = np.unique(np.stack([x, y]), axis=1, return_counts=True)
    pairs = count * (count - 1) // 2
    tied_x, tied_y, tied_both = _tied(x), _tied(y), _tied_counts(both)
    discordant, _ = _inversions(y)
    concordant = pairs - tied_x - tied_y + tied_both - discordant
    size = math.sqrt((pairs - tied_x) * (pairs - tied_y))
    return max(-1.0, min(1.0, (concordant - discordant) / size))


def _tied(values: Floats) -> int:
    return _tied_counts(np.unique(values, return_counts=True)[1])


def _tied_counts(counts: NDArray[np.intp]) -> int:
    return sum(int(count) * (int(count) - 1) // 2 for count in counts)


def _inversions(values: Floats) -> tuple[int, Floats]:
    """How many pairs stand in falling order, and the values sorted."""
    if len(values) <= _FEW:
        falling = np.triu(values[:, None] > values[None, :], 1)
        return int(falling.sum()), np.sort(values)
    middle = len(values) // 2
    left_count, left = _inversions(values[:middle])
    right_count, right = _inversions(values[middle:])
    above = len(left) - np.searchsorted(left, right, side="right")
    return left_count + right_count + int(above.sum()), np.sort(np.concatenate([left, right]))


def _constant(values: Floats) -> bool:
    return bool((values == values[0]).all())


def _pairs(x: Values, y: Values) -> tuple[Floats, Floats, int]:
    """The complete pairs, and how many were not."""
    first, second = (np.asarray(values, dtype=np.float64) for values in (x, y))
    if first.ndim != 1 or first.shape != second.shape:
        raise ValueError(
            f"a correlation needs two rows of one length, not shapes {first.shape} and "
            f"{second.shape}"
        )
    if np.isinf(first).any() or np.isinf(second).any():
        raise ValueError("values must be finite, or NaN where missing")
    kept = ~(np.isnan(first) | np.isnan(second))
    return first[kept], second[kept], int((~kept).sum())
