"""Percentile bootstrap intervals that resample clusters: task families, not single tasks.

Tasks of one family share a request, so they are not independent, and intervals that treat them as
if they were are too narrow. Source: Sakai 2006 (bootstrap in retrieval evaluation); Davison and
Hinkley 1997, §3.8 (resampling whole clusters); τ-Rec-Books §4.2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mystery_shopper.statistics.resampling import Floats, cluster_weights

Labels: TypeAlias = Sequence[str] | Sequence[int] | NDArray[np.generic]

_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over tasks and the bounds within which it is thought to lie at `level`.

    `scored` and `unscored` count tasks, `clusters` those with a scored task. All of `estimate`,
    `low` and `high` are NaN when nothing was scored.
    """

    estimate: float
    low: float
    high: float
    level: float
    scored: int
    unscored: int
    clusters: int

    @property
    def one_cluster(self) -> bool:
        """One cluster says nothing of the spread between clusters: the bounds are the estimate,
        and mean nothing."""
        return self.clusters == 1


def cluster_bootstrap(
    values: ArrayLike | Sequence[float | None],
    clusters: Labels,
    *,
    seed: int,
    resamples: int = 10_000,
    level: float = 0.95,
) -> Interval:
    """The mean of the scored tasks with a percentile interval.

    `values`: (tasks,) floats, NaN or None where unscored; `clusters`: (tasks,) labels. A cluster
    with no scored task takes no part. For a paired contrast pass the differences: they are NaN
    where either side is unscored, so both sides rest on the same tasks. Raises ValueError for
    infinite values, shapes that do not match, and a level outside (0, 1).
    """
    column = np.asarray(values, dtype=np.float64)
    if column.ndim != 1:
        raise ValueError(f"values must have one number a task, not shape {column.shape}")
    kept = ~np.isnan(column)
    labels = _labels(clusters, len(column))
    (found,) = cluster_bootstrap_columns(
        column[kept, None], labels[kept], seed=seed, resamples=resamples, level=level
    )
    return Interval(
        found.estimate,
        found.low,
        found.high,
        level,
        found.scored,
        int((~kept).sum()),
        found.clusters,
    )


def cluster_bootstrap_columns(
    values: ArrayLike,
    clusters: Labels,
    *,
    seed: int,
    resamples: int = 10_000,
    level: float = 0.95,
) -> tuple[Interval, ...]:
    """As `cluster_bootstrap` for several statistics of the same tasks, one interval a column.

    `values`: (tasks, statistics). All columns share the drawn clusters. A resample that draws no
    scored task of a column is left out of that column's percentiles.
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, and must lie between 0 and 1")
    table, labels = _table(values, clusters)
    draws = resampled_means(table, labels, seed=seed, resamples=resamples)
    return tuple(
        _interval(table[:, place], labels, draws[:, place], level)
        for place in range(table.shape[1])
    )


def resampled_means(
    values: ArrayLike, clusters: Labels, *, seed: int, resamples: int = 10_000
) -> Floats:
    """Means over the scored tasks of resampled clusters, (resamples, statistics).

    `values`: (tasks, statistics), NaN where unscored. Row r of every column rests on the same
    drawn clusters, so differences between columns are paired. NaN where no scored task was drawn.
    """
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}, and must be at least 1")
    table, labels = _table(values, clusters)
    if not len(table):
        return np.full((resamples, table.shape[1]), np.nan)
    # Deviations from a value of the column itself: constant data give exactly that constant.
    scored = ~np.isnan(table)
    origin = np.nan_to_num(table[scored.argmax(axis=0), np.arange(table.shape[1])])
    deviations = np.where(scored, table - origin, 0.0)
    _, place = np.unique(labels, return_inverse=True)
    sums, counts = _per_cluster(deviations, place), _per_cluster(scored.astype(np.float64), place)
    means = np.concatenate(
        [_ratios(weights, sums, counts) for weights in _weights(len(sums), seed, resamples)]
    )
    return means + origin


def _weights(clusters: int, seed: int, resamples: int) -> Iterator[Floats]:
    return cluster_weights(
        clusters, purpose="cluster_bootstrap", seed=seed, resamples=resamples, cells=_CELLS
    )


def _ratios(weights: Floats, sums: Floats, counts: Floats) -> Floats:
    return _divide(_weighted(weights, sums), _weighted(weights, counts))


def _weighted(weights: Floats, table: Floats) -> Floats:
    """`weights @ table` in one fixed order: a matrix product's last bits differ by machine."""
    total = np.zeros((len(weights), table.shape[1]))
    for column, row in zip(np.ascontiguousarray(weights.T), table, strict=True):
        total += column[:, None] * row
    return total


def _divide(total: Floats, size: Floats) -> Floats:
    return np.divide(total, size, out=np.full_like(total, np.nan), where=size > 0)


def _per_cluster(table: Floats, place: NDArray[np.intp]) -> Floats:
    """Sums of a (tasks, statistics) table over each cluster, (clusters, statistics)."""
    sums = np.zeros((int(place.max()) + 1, table.shape[1]))
    np.add.at(sums, place, table)
    return sums


def _interval(column: Floats, labels: NDArray[np.generic], draws: Floats, level: float) -> Interval:
    kept = ~np.isnan(column)
    scored, unscored = int(kept.sum()), int((~kept).sum())
    if not scored:
        return Interval(math.nan, math.nan, math.nan, level, 0, unscored, 0)
    origin = column[kept][0]
    estimate = float(origin + math.fsum(column[kept] - origin) / scored)
    clusters = len(np.unique(labels[kept]))
    if clusters == 1:
        return Interval(estimate, estimate, estimate, level, scored, unscored, 1)
    tail = (1 - level) / 2
    low, high = np.quantile(draws[~np.isnan(draws)], [tail, 1 - tail])
    return Interval(estimate, float(low), float(high), level, scored, unscored, clusters)


def _table(values: ArrayLike, clusters: Labels) -> tuple[Floats, NDArray[np.generic]]:
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"values must be (tasks, statistics), not of shape {table.shape}")
    if np.isinf(table).any():
        raise ValueError("values must be finite, or NaN where unscored")
    return table, _labels(clusters, len(table))


def _labels(clusters: Labels, tasks: int) -> NDArray[np.generic]:
    labels = np.asarray(clusters)
    if labels.shape != (tasks,):
        raise ValueError(f"{tasks} tasks need as many cluster labels, not shape {labels.shape}")
    return labels
