"""pass^k: the chance that k trials of a task all succeed.

Source: τ-bench (Yao et al. 2024, §4); τ-Rec-Books §4.2. With c successes in n trials, C(c, k) of
the C(n, k) sets of k trials succeed throughout, so their ratio estimates the chance without bias.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.statistics.bootstrap import Interval, Labels, cluster_bootstrap

Counts: TypeAlias = Sequence[int] | NDArray[np.integer]


def pass_hat_k(successes: Counts, trials: Counts, k: int) -> float:
    """The mean over tasks of C(c, k) / C(n, k), exact up to the last rounding; NaN for no tasks.

    `successes` and `trials`: (tasks,) whole numbers, 0 <= c <= n, valid trials only. Raises
    ValueError for a task with fewer than k trials: what was not tried is unmeasured, not 0.
    """
    counts = _checked(successes, trials, k)
    if not counts:
        return math.nan
    passing: Counter[int] = Counter()
    for c, n in counts:
        passing[n] += math.comb(c, k)
    total = sum((Fraction(sets, math.comb(n, k)) for n, sets in passing.items()), Fraction())
    return float(total / len(counts))


def pass_hat_per_task(successes: Counts, trials: Counts, k: int) -> NDArray[np.float64]:
    """C(c, k) / C(n, k) of each task, (tasks,): what a bootstrap over families resamples.

    Raises ValueError as `pass_hat_k` does.
    """
    counts = _checked(successes, trials, k)
    return np.array([math.comb(c, k) / math.comb(n, k) for c, n in counts], dtype=np.float64)


def pass_hat_all(successes: Counts, trials: Counts) -> dict[int, float]:
    """pass^k for k = 1 .. the least number of trials of any task; empty for no tasks.

    Raises ValueError for a task with no trial: leave it out, and say how many were.
    """
    counts = _checked(successes, trials, 1)
    least = min((n for _, n in counts), default=0)
    return {k: pass_hat_k(successes, trials, k) for k in range(1, least + 1)}


def pass_hat_interval(
    successes: Counts,
    trials: Counts,
    clusters: Labels,
    k: int,
    *,
    seed: int,
    resamples: int = 10_000,
    level: float = 0.95,
) -> Interval:
    """pass^k with the percentile interval of a bootstrap over clusters.

    A task with fewer than k trials is unscored: it is left out and counted, never taken for 0.
    `clusters`: (tasks,) labels. Raises ValueError for counts that are none, and for k below 1.
    """
    if k < 1:
        raise ValueError(f"k is {k}, and must be at least 1")
    counts = _counts(successes, trials)
    each = [math.comb(c, k) / math.comb(n, k) if n >= k else math.nan for c, n in counts]
    return cluster_bootstrap(each, clusters, seed=seed, resamples=resamples, level=level)


def _checked(successes: Counts, trials: Counts, k: int) -> list[tuple[int, int]]:
    """As `_counts`, each task with at least k trials."""
    if k < 1:
        raise ValueError(f"k is {k}, and must be at least 1")
    counts = _counts(successes, trials)
    for task, (_, tried) in enumerate(counts):
        if k > tried:
            raise ValueError(
                f"pass^{k} needs {k} trials of every task; task {task} has n = {tried}"
            )
    return counts


def _counts(successes: Counts, trials: Counts) -> list[tuple[int, int]]:
    """(successes, trials) of each task, in Python's own integers."""
    c, n = _whole(successes, "successes"), _whole(trials, "trials")
    if len(c) != len(n):
        raise ValueError(f"{len(c)} counts of successes do not match {len(n)} of trials")
    for task, (passed, tried) in enumerate(zip(c, n, strict=True)):
        if not 0 <= passed <= tried:
            raise ValueError(f"task {task} has {passed} successes in {tried} trials")
    return list(zip(c, n, strict=True))


def _whole(counts: Counts, name: str) -> list[int]:
    array = np.asarray(counts)
    if array.ndim != 1:
        raise ValueError(f"{name} must have one number a task, not shape {array.shape}")
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"{name} must be whole numbers, not {array.dtype}")
    return [int(count) for count in array]
