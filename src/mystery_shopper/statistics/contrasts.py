"""Paired contrasts, all tested on one draw of clusters.

A contrast is a mean of paired differences; its interval and p value come from resampling whole
clusters (families, dialogues, users). Every contrast of a report rests on the same drawn clusters.
Sources: τ-Rec-Books §4.2; Sakai 2006 and Smucker, Allan and Carterette 2007 (paired bootstrap in
retrieval evaluation); Davison and Hinkley 1997, §3.8 (resampling clusters).

The p value is Noreen's shift method (1989; Smucker et al. 2007, §2.4): the resampled estimates,
shifted to where no difference would put them, are as far from zero as the estimate in a share p of
the draws: p = (1 + #{|θ* - θ| >= |θ|}) / (B + 1), where one is added for the data themselves
(Davison and Hinkley 1997, §4.2). The smallest p that B resamples allow is 1 / (B + 1). An interval
and a p value near the edge may disagree by a hair, since the one holds percentiles and the other
sizes. Below some twenty clusters both are a little too sure; a sign-flip test is exact there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.statistics.designs import Column, Combined, Contrast, combined
from mystery_shopper.statistics.resampling import Exact, Floats, cluster_weights

__all__ = ["Combined", "Contrast", "ContrastResult", "paired_bootstrap"]

_SLACK = 1e-12
"""Two estimates that differ by less than this share of their size are a tie, not a rounding."""


@dataclass(frozen=True, slots=True)
class ContrastResult:
    """A contrast's estimate with a percentile interval and a two-sided p value.

    `estimate` is None when nothing was paired; `low`, `high`, `p` and `smallest_p` are None where a
    term has fewer than two clusters, of whose spread nothing is known. `tasks` rows were paired and
    scored (over all terms of a combined contrast), `unpaired` rows were not, and `clusters` have a
    row that was.
    """

    name: str
    estimate: float | None
    low: float | None
    high: float | None
    level: float
    p: float | None
    smallest_p: float | None
    tasks: int
    unpaired: int
    clusters: int

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval lies on one side of zero; False where there is none."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    @property
    def at_floor(self) -> bool:
        """Whether p is the smallest that the resamples allow, and so is to be read as "at most"."""
        return self.p is not None and self.p == self.smallest_p


def paired_bootstrap(
    contrasts: Sequence[Contrast | Combined],
    *,
    seed: int,
    resamples: int = 10_000,
    level: float = 0.95,
) -> tuple[ContrastResult, ...]:
    """One result a contrast, all on the same draws: of the clusters of all contrasts, united and
    sorted. A resample that draws no cluster of a contrast is left out of that contrast's.

    Raises ValueError for infinite differences, weights that are not positive, shapes that do not
    match, fewer than one resample, and a level outside (0, 1).
    """
    if not 0 < level < 1:
        raise ValueError(f"level is {level}, and must lie between 0 and 1")
    if resamples < 1:
        raise ValueError(f"resamples is {resamples}, and must be at least 1")
    every = [combined(contrast) for contrast in contrasts]
    # An average and its parts share their columns.
    terms = {id(term): term for whole in every for term in whole.terms}
    columns = {key: Column.of(term) for key, term in terms.items()}
    table = _Table.of(list(columns.values()))
    parts = [[columns[id(term)] for term in whole.terms] for whole in every]
    ratios = [
        table.ratio(whole.coefficients, some) if all(column.rows for column in some) else None
        for whole, some in zip(every, parts, strict=True)
    ]
    sums = table.sums(seed, resamples)
    return tuple(
        _result(whole, some, None if ratio is None else ratio.draws(sums), level)
        for whole, some, ratio in zip(every, parts, ratios, strict=True)
    )


@dataclass(frozen=True, slots=True)
class _Ratio:
    """A contrast as sums of a table's columns: `offset` plus each total over its size."""

    offset: float
    totals: tuple[tuple[int, int], ...]

    def draws(self, sums: Floats) -> Floats:
        """Its value in each resample, (resamples,), those left out that drew none of its rows."""
        every = np.full(sums.shape[1], self.offset)
        kept = np.ones(sums.shape[1], dtype=np.bool_)
        for total, size in self.totals:
            drawn = sums[size] > 0
            kept &= drawn
            every += sums[total] / np.where(drawn, sums[size], 1.0)
        return every if kept.all() else every[kept]


@dataclass(frozen=True, eq=False, slots=True)
class _Table:
    """Totals over each cluster, one column each; equal columns are held once."""

    clusters: NDArray[np.generic]
    columns: list[Floats]
    known: dict[bytes, int]

    @classmethod
    def of(cls, columns: Sequence[Column]) -> _Table:
        scored = [column.labels for column in columns if column.rows]
        return cls(np.unique(np.concatenate(scored)) if scored else np.empty(0), [], {})

    def ratio(self, coefficients: Sequence[float], columns: Sequence[Column]) -> _Ratio:
        """Takes the columns in. Terms of the same sizes, cluster by cluster, are added up first:
        they are one ratio."""
        offset, totals = 0.0, dict[int, Floats]()
        for coefficient, column in zip(coefficients, columns, strict=True):
            offset += coefficient * column.origin
            size = self._held(self._spread(column, column.sizes()))
            part = coefficient * self._spread(column, column.totals(column.origin))
            totals[size] = totals[size] + part if size in totals else part
        return _Ratio(offset, tuple((self._held(total), size) for size, total in totals.items()))

    def sums(self, seed: int, resamples: int) -> Floats:
        """(columns, resamples): each column's sum over the drawn clusters."""
        if not self.columns:
            return np.empty((0, resamples))
        count = len(self.clusters)
        exact = Exact(np.stack(self.columns, axis=1), count)
        blocks = cluster_weights(count, purpose="paired_bootstrap", seed=seed, resamples=resamples)
        return np.concatenate([exact.times(weights) for weights in blocks], axis=1)

    def _spread(self, column: Column, values: Floats) -> Floats:
        """A column's values by cluster, over all clusters."""
        every = np.zeros(len(self.clusters))
        every[np.searchsorted(self.clusters, column.labels.astype(self.clusters.dtype))] = values
        return every

    def _held(self, column: Floats) -> int:
        place = self.known.setdefault(column.tobytes(), len(self.columns))
        if place == len(self.columns):
            self.columns.append(column)
        return place


def _result(
    contrast: Combined, columns: Sequence[Column], draws: Floats | None, level: float
) -> ContrastResult:
    estimate = low = high = p = smallest = None
    if draws is not None:
        estimate = 0.0
        for coefficient, column in zip(contrast.coefficients, columns, strict=True):
            estimate += coefficient * column.estimate
        # A term of one cluster would look certain.
        if all(len(column.labels) > 1 for column in columns) and len(draws):
            tail = (1 - level) / 2
            low, high = (float(bound) for bound in np.quantile(draws, [tail, 1 - tail]))
            p, smallest = _shifted_p(draws, estimate), 1 / (len(draws) + 1)
    return ContrastResult(
        contrast.name,
        estimate,
        low,
        high,
        level,
        p,
        smallest,
        tasks=sum(column.rows for column in columns),
        unpaired=sum(column.unpaired for column in columns),
        clusters=len(set[str]().union(*(column.names for column in columns))),
    )


def _shifted_p(draws: Floats, estimate: float) -> float:
    away = np.abs(draws - estimate)
    slack = _SLACK * max(abs(estimate), float(away.max()))
    return (1 + int((away >= abs(estimate) - slack).sum())) / (len(draws) + 1)
