"""Krippendorff's α: how far raters agree beyond chance, with ratings missing.

Sources: Krippendorff 2011, Computing Krippendorff's Alpha-Reliability (the coincidence matrix and
the nominal, ordinal and interval differences); Passonneau 2006, Measuring Agreement on Set-valued
Items (MASI, which is used as α's difference as it stands, not squared; so is Jaccard's).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.statistics.bootstrap import Floats

Rating = Hashable | Set[Hashable] | None
"""A label, a number or a set of labels; None, or a NaN, where a rater gave none."""


class Scale(StrEnum):
    """What ratings are, and so how far two of them differ."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    JACCARD = "jaccard"
    MASI = "masi"


@dataclass(frozen=True, slots=True)
class Alpha:
    """1 is full agreement, 0 what chance gives, below 0 worse than chance.

    `value` is None where α is not defined, and `reason` then says why. `units` had at least two
    ratings, `ratings` of them in all; `left_out` ratings stood alone in their unit.
    """

    value: float | None
    reason: str | None
    units: int
    ratings: int
    left_out: int


def krippendorff_alpha(
    ratings: Sequence[Sequence[Rating]],
    scale: Scale | str,
    *,
    levels: Sequence[Hashable] | None = None,
) -> Alpha:
    """α of (raters, units) ratings.

    Ratings are hashable labels (nominal), numbers or the given `levels` from least to greatest
    (ordinal), numbers (interval), or sets of labels, of which the empty one is a rating (Jaccard,
    MASI). Raises ValueError for rows of unequal length and ratings that do not fit the scale.
    """
    scale = Scale(scale)
    units = _units(ratings)
    pairable = [unit for unit in units if len(unit) > 1]
    left_out = sum(len(unit) for unit in units if len(unit) == 1)
    values, places = _values([rating for unit in pairable for rating in unit], scale, levels)
    count = len(places)
    if not pairable:
        return Alpha(None, "no unit has two ratings", 0, 0, left_out)
    if len(values) == 1:
        return Alpha(None, "every rating is the same", len(pairable), count, left_out)
    owner = np.repeat(np.arange(len(pairable)), [len(unit) for unit in pairable])
    table = np.bincount(owner * len(values) + places, minlength=len(pairable) * len(values))
    table = table.reshape(len(pairable), len(values))
    differences = _differences(values, table.sum(axis=0), scale)
    observed, expected = _disagreements(table, differences)
    value = 1 - (count - 1) * observed / expected
    return Alpha(value, None, len(pairable), count, left_out)


def leave_one_out_alpha(
    ratings: Sequence[Sequence[Rating]],
    scale: Scale | str,
    *,
    levels: Sequence[Hashable] | None = None,
) -> tuple[Alpha, ...]:
    """α without each rater in turn, in the order of the rows: a rater whose absence lifts it far
    judges otherwise than the rest."""
    return tuple(
        krippendorff_alpha([*ratings[:place], *ratings[place + 1 :]], scale, levels=levels)
        for place in range(len(ratings))
    )


def jaccard_distance(first: Set[Hashable], second: Set[Hashable]) -> float:
    """1 - |A ∩ B| / |A ∪ B|; 0 for two empty sets."""
    return float(1 - _jaccard(first, second))


def masi_distance(first: Set[Hashable], second: Set[Hashable]) -> float:
    """1 - J M: Jaccard's share J, times M = 1 for equal sets, 2/3 where one holds the other, 1/3
    where they overlap, and 0 where they do not."""
    if first == second:
        return 0.0
    if first <= second or second <= first:
        weight = Fraction(2, 3)
    else:
        weight = Fraction(1, 3) if first & second else Fraction(0)
    return float(1 - _jaccard(first, second) * weight)


def _jaccard(first: Set[Hashable], second: Set[Hashable]) -> Fraction:
    union = len(first | second)
    return Fraction(len(first & second), union) if union else Fraction(1)


def _units(ratings: Sequence[Sequence[Rating]]) -> list[list[Rating]]:
    """The ratings of each unit, missing ones left out."""
    if len({len(row) for row in ratings}) > 1:
        raise ValueError("every rater needs one rating a unit, None where there is none")
    return [
        [rating for rating in unit if not _missing(rating)] for unit in zip(*ratings, strict=True)
    ]


def _missing(rating: Rating) -> bool:
    return rating is None or (isinstance(rating, float) and math.isnan(rating))


def _values(
    ratings: Sequence[Rating], scale: Scale, levels: Sequence[Hashable] | None
) -> tuple[list[Rating], list[int]]:
    """The distinct values, in order where they have one, and each rating's place among them."""
    if levels is not None and scale is not Scale.ORDINAL:
        raise ValueError(f"levels are for ordinal ratings, and these are {scale.value}")
    if scale in (Scale.JACCARD, Scale.MASI):
        for rating in ratings:
            if not isinstance(rating, Set):
                raise ValueError(f"{scale.value} needs sets of labels, not {rating!r}")
        found = [frozenset(rating) for rating in ratings if isinstance(rating, Set)]
        return _numbered(found, list(dict.fromkeys(found)))
    if levels is not None:
        unknown = [rating for rating in ratings if rating not in levels]
        if unknown:
            raise ValueError(f"{unknown[0]!r} is none of the levels")
        return _numbered(ratings, [level for level in levels if level in set(ratings)])
    if scale is Scale.NOMINAL:
        return _numbered(ratings, list(dict.fromkeys(ratings)))
    numbers: list[float] = []
    for rating in ratings:
        if not isinstance(rating, (int, float, np.integer, np.floating)) or math.isinf(rating):
            raise ValueError(f"{scale.value} needs finite numbers, not {rating!r}")
        numbers.append(float(rating))
    return _numbered(numbers, sorted(set(numbers)))


def _numbered(
    ratings: Sequence[Rating], values: Sequence[Rating]
) -> tuple[list[Rating], list[int]]:
    places = {value: place for place, value in enumerate(values)}
    return list(values), [places[rating] for rating in ratings]


def _differences(values: Sequence[Rating], counts: NDArray[np.intp], scale: Scale) -> Floats:
    """(values, values): how far apart two values are, squared where the scale has a distance."""
    if scale is Scale.NOMINAL:
        return 1.0 - np.eye(len(values))
    if scale is Scale.ORDINAL:
        # Ranks shared by ties: their difference counts the ratings between, ends by half.
        ranks = np.cumsum(counts) - counts / 2
        return (ranks[:, None] - ranks[None, :]) ** 2
    if scale is Scale.INTERVAL:
        numbers = np.array(values, dtype=np.float64)
        numbers = (numbers - numbers[0]) / np.abs(numbers - numbers[0]).max()
        return (numbers[:, None] - numbers[None, :]) ** 2
    distance: Callable[[Set[Hashable], Set[Hashable]], float] = (
        masi_distance if scale is Scale.MASI else jaccard_distance
    )
    sets = [value for value in values if isinstance(value, Set)]
    return np.array([[distance(one, other) for other in sets] for one in sets])


def _disagreements(table: NDArray[np.intp], differences: Floats) -> tuple[float, float]:
    """Observed and expected disagreement of (units, values) counts, each a sum over ordered pairs
    of values. Both use whole counts, and `fsum`, so that neither depends on an order."""
    sizes = table.sum(axis=1)
    coincidences = np.zeros(differences.shape)
    for size in np.unique(sizes):
        part = table[sizes == size]
        # A value has no difference from itself, so the diagonal needs no correction.
        coincidences += (part.T @ part) / (int(size) - 1)
    totals = table.sum(axis=0)
    return (
        math.fsum((coincidences * differences).ravel()),
        math.fsum((np.outer(totals, totals) * differences).ravel()),
    )
