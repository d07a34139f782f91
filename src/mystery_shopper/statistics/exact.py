"""Tests of paired differences that draw no clusters: the sign-flip test, and the paired t test.

Sources: Smucker, Allan and Carterette 2007 (randomisation and t tests in retrieval evaluation);
Fisher 1935, The Design of Experiments, §21; τ-Rec-Books §4.2 (sign flips over templates).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mystery_shopper.foundation import generator
from mystery_shopper.statistics.bootstrap import Floats, Labels
from mystery_shopper.statistics.resampling import BLOCK, Exact
from mystery_shopper.statistics.special import student_t_two_sided

_SLACK = 1e-12
"""Two sums that differ by less than this share of the largest are a tie, not a rounding."""


@dataclass(frozen=True, slots=True)
class SignFlip:
    """The share of sign assignments whose mean is as far from zero as the observed one.

    `exact`: all 2^clusters were counted, and `draws` is their number; otherwise `draws` were drawn
    and the observed one was added. `p` and `estimate` are None without data.
    """

    p: float | None
    exact: bool
    draws: int
    clusters: int
    estimate: float | None

    @property
    def smallest_p(self) -> float | None:
        """The least p that so many clusters, or draws, allow; None without data."""
        if not self.clusters:
            return None
        return 2 / self.draws if self.exact else 1 / (self.draws + 1)


@dataclass(frozen=True, slots=True)
class PairedT:
    """A two-sided paired t test. `t` and `p` are None below two differences and where all are the
    same, since nothing is then known of their spread; `estimate` is None without differences."""

    t: float | None
    df: int
    p: float | None
    estimate: float | None


def sign_flip(
    differences: ArrayLike | Sequence[float | None],
    *,
    seed: int,
    clusters: Labels | None = None,
    enumerate_up_to: int = 20,
    draws: int = 100_000,
) -> SignFlip:
    """A two-sided sign-flip test of the mean difference.

    `differences`: (tasks,) floats, NaN or None where unpaired, which are left out. `clusters`:
    (tasks,) labels of those whose signs flip together (templates); None where each is its own. Up
    to `enumerate_up_to` clusters every assignment of signs is counted; above, `draws` are drawn.
    """
    totals, tasks = _totals(differences, clusters)
    count = len(totals)
    if not count:
        return SignFlip(None, True, 0, 0, None)
    observed = math.fsum(totals)
    slack = _SLACK * math.fsum(np.abs(totals))
    if count <= enumerate_up_to:
        # Half of the assignments: a flip of all signs changes no size.
        sums = totals[:1]
        for total in totals[1:]:
            sums = np.concatenate([sums + total, sums - total])
        p = float((np.abs(sums) >= abs(observed) - slack).mean())
        return SignFlip(p, True, 2**count, count, observed / tasks)
    if draws < 1:
        raise ValueError(f"draws is {draws}, and must be at least 1")
    far = _drawn(totals, abs(observed) - slack, seed, draws)
    return SignFlip((1 + far) / (draws + 1), False, draws, count, observed / tasks)


def paired_t(differences: ArrayLike | Sequence[float | None]) -> PairedT:
    """Student's paired t test of independent differences, NaN or None left out."""
    kept, _ = _scored(differences)
    count = len(kept)
    if not count:
        return PairedT(None, 0, None, None)
    deviations = kept - kept[0]
    shift = math.fsum(deviations) / count
    mean = float(kept[0]) + shift
    if not deviations.any():
        return PairedT(None, count - 1, None, mean)
    # The largest deviation is of size one, so that no square under- or overflows.
    largest = float(np.abs(deviations).max())
    spread = math.fsum((deviations / largest - shift / largest) ** 2)
    t = mean / largest / math.sqrt(spread / (count - 1) / count)
    return PairedT(t, count - 1, student_t_two_sided(t, count - 1), mean)


def _drawn(totals: Floats, bound: float, seed: int, draws: int) -> int:
    """How many of the drawn assignments sum to a size of at least `bound`."""
    random = generator("sign_flip", seed)
    exact = Exact(totals[:, None], len(totals))
    step = max(1, BLOCK // len(totals))
    far = 0
    for start in range(0, draws, step):
        rows = min(step, draws - start)
        bits = random.integers(2, size=(rows, len(totals)))
        far += int((np.abs(exact.times((2 * bits - 1).astype(np.float64))) >= bound).sum())
    return far


def _totals(
    differences: ArrayLike | Sequence[float | None], clusters: Labels | None
) -> tuple[Floats, int]:
    """The sum of each cluster's differences, in the order of the labels, and how many they are."""
    kept, places = _scored(differences)
    if clusters is None or not len(kept):
        return kept, len(kept)
    labels = np.asarray(clusters)
    if labels.shape != places.shape:
        raise ValueError(
            f"{len(places)} differences need as many cluster labels, not shape {labels.shape}"
        )
    found, rows = np.unique(labels[places], return_inverse=True)
    order = np.lexsort((kept, rows))
    totals = np.zeros(len(found))
    np.add.at(totals, rows[order], kept[order])
    return totals, len(kept)


def _scored(
    differences: ArrayLike | Sequence[float | None],
) -> tuple[Floats, NDArray[np.bool_]]:
    array = np.asarray(differences, dtype=np.float64)
    if array.ndim != 1:
        raise ValueError(f"differences must be one row of numbers, not of shape {array.shape}")
    if np.isinf(array).any():
        raise ValueError("differences must be finite, or NaN where unpaired")
    kept = ~np.isnan(array)
    return array[kept], kept
