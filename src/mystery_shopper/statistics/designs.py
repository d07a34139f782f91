"""What a contrast is: the paired differences behind one mean, or a sum of such means.

The estimate is Σ c_i m_i over terms i, each m_i a weighted mean of paired differences. A plain
contrast has one term; an average over agents and conditions, or a difference of differences, has
several.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mystery_shopper.statistics.bootstrap import Floats, Labels


@dataclass(frozen=True, eq=False)
class Contrast:
    """Paired differences of tasks, candidate minus base, and the cluster each task belongs to.

    `differences`: (tasks,) floats, NaN or None where unpaired or unscored; `clusters`: (tasks,)
    labels; `weights`: (tasks,) positive floats, or None where every task counts the same. A task
    may have several rows.
    """

    name: str
    differences: ArrayLike | Sequence[float | None]
    clusters: Labels
    weights: ArrayLike | None = None


@dataclass(frozen=True, eq=False)
class Combined:
    """A sum of contrasts' means, each times its coefficient: an average over agents, a difference
    of differences. Unmeasured where one of its terms is."""

    name: str
    terms: tuple[Contrast, ...]
    coefficients: tuple[float, ...]


def average(name: str, contrasts: Sequence[Contrast | Combined]) -> Combined:
    """The plain average of contrasts, each counting the same: over agents, say."""
    if not contrasts:
        raise ValueError(f"{name}: an average needs at least one contrast")
    parts = [combined(contrast) for contrast in contrasts]
    return Combined(
        name,
        tuple(term for part in parts for term in part.terms),
        tuple(number / len(parts) for part in parts for number in part.coefficients),
    )


def interaction(name: str, first: Contrast | Combined, second: Contrast | Combined) -> Combined:
    """`first` minus `second`: a difference of differences."""
    ours, theirs = combined(first), combined(second)
    negative = tuple(-coefficient for coefficient in theirs.coefficients)
    return Combined(name, ours.terms + theirs.terms, ours.coefficients + negative)


def combined(contrast: Contrast | Combined) -> Combined:
    """A contrast as the sum of its one term; a combined one as it is, its shape checked."""
    if isinstance(contrast, Contrast):
        return Combined(contrast.name, (contrast,), (1.0,))
    if len(contrast.terms) != len(contrast.coefficients) or not contrast.terms:
        raise ValueError(
            f"{contrast.name}: {len(contrast.terms)} terms need as many coefficients, and at least "
            f"one, not {len(contrast.coefficients)}"
        )
    return contrast


@dataclass(frozen=True, eq=False, slots=True)
class Column:
    """The scored rows of a contrast, as deviations from one of its values: constant data then give
    exactly that constant. Sorted, so that the order in which rows came changes no bit.

    `labels`: the clusters that have a row, sorted; `places`: (rows,) each row's among them.
    """

    origin: float
    deviations: Floats
    weights: Floats
    labels: NDArray[np.generic]
    places: NDArray[np.intp]
    unpaired: int

    @classmethod
    def of(cls, contrast: Contrast) -> Column:
        """Raises ValueError for what cannot be a contrast, and says which."""
        differences, clusters, weights = _checked(contrast)
        kept = ~np.isnan(differences)
        unpaired = int((~kept).sum())
        differences, weights = differences[kept], weights[kept]
        labels, places = np.unique(clusters[kept], return_inverse=True)
        order = np.lexsort((weights, differences, places))
        origin = float(differences.min()) if len(differences) else 0.0
        return cls(
            origin, differences[order] - origin, weights[order], labels, places[order], unpaired
        )

    @property
    def rows(self) -> int:
        return len(self.deviations)

    @property
    def names(self) -> list[str]:
        """The clusters that have a row."""
        return [str(label) for label in self.labels.tolist()]

    @property
    def estimate(self) -> float:
        """The weighted mean; there must be a row."""
        total = math.fsum(self.weights)
        return self.origin + math.fsum(self.weights * self.deviations) / total

    def sizes(self) -> Floats:
        """(labels,) the weight of each cluster."""
        return self._per_cluster(self.weights)

    def totals(self, centre: float) -> Floats:
        """(labels,) the weighted total of each cluster's differences from `centre`."""
        return self._per_cluster(self.weights * (self.deviations - (centre - self.origin)))

    def shares(self, centre: float) -> dict[str, float]:
        """Each cluster's total over the weight of all rows: with a centre of 0 they add up to the
        estimate, with the estimate to 0."""
        shares = self.totals(centre) / math.fsum(self.weights)
        return dict(zip(self.names, shares.tolist(), strict=True))

    def _per_cluster(self, values: Floats) -> Floats:
        return np.bincount(self.places, weights=values, minlength=len(self.labels)).astype(
            np.float64
        )


def group_differences(
    contrast: Contrast | Combined, groups: Mapping[str, str] | None = None
) -> tuple[tuple[str, ...], Floats]:
    """One number a group of clusters, sorted by group, whose plain mean is the estimate: what a
    sign-flip test over templates flips.

    `groups`: the group of each cluster (the template of a family); None where each is its own.
    Empty where a term has no row. Raises ValueError for a cluster that has no group.
    """
    whole = combined(contrast)
    columns = [Column.of(term) for term in whole.terms]
    if not all(column.rows for column in columns):
        return (), np.empty(0)
    parts: dict[str, list[float]] = {}
    for coefficient, column in zip(whole.coefficients, columns, strict=True):
        for name, share in column.shares(0.0).items():
            if groups is not None and name not in groups:
                raise ValueError(f"{whole.name}: cluster {name} has no group")
            group = name if groups is None else groups[name]
            parts.setdefault(group, []).append(coefficient * share)
    names = tuple(sorted(parts))
    return names, np.array([math.fsum(parts[name]) * len(names) for name in names])


def clustered_error(contrast: Contrast | Combined) -> tuple[float | None, int]:
    """The standard error of the estimate, from the totals of its residuals over clusters, and the
    number of clusters; None where a term has fewer than two.

    Scaled by F / (F - 1), so that F clusters of one size give the standard error of their means.
    Source: Liang and Zeger 1986, of a linear combination of means.
    """
    whole = combined(contrast)
    columns = [Column.of(term) for term in whole.terms]
    count = len(set[str]().union(*(column.names for column in columns)))
    if any(len(column.labels) < 2 for column in columns):
        return None, count
    residuals: dict[str, list[float]] = {}
    for coefficient, column in zip(whole.coefficients, columns, strict=True):
        for name, share in column.shares(column.estimate).items():
            residuals.setdefault(name, []).append(coefficient * share)
    totals = [math.fsum(parts) for _, parts in sorted(residuals.items())]
    return math.sqrt(math.fsum(total * total for total in totals) * count / (count - 1)), count


def _checked(contrast: Contrast) -> tuple[Floats, NDArray[np.generic], Floats]:
    differences = np.asarray(contrast.differences, dtype=np.float64)
    if differences.ndim != 1:
        raise ValueError(
            f"{contrast.name}: differences must have one number a task, "
            f"not shape {differences.shape}"
        )
    clusters = np.asarray(contrast.clusters)
    weights = (
        np.ones(len(differences))
        if contrast.weights is None
        else np.asarray(contrast.weights, dtype=np.float64)
    )
    for what, array in (("cluster labels", clusters), ("weights", weights)):
        if array.shape != differences.shape:
            raise ValueError(
                f"{contrast.name}: {len(differences)} tasks need as many {what}, "
                f"not shape {array.shape}"
            )
    if np.isinf(differences).any():
        raise ValueError(f"{contrast.name}: differences must be finite, or NaN where unscored")
    if not ((weights > 0) & np.isfinite(weights)).all():
        raise ValueError(f"{contrast.name}: weights must be positive and finite")
    return differences, clusters, weights
