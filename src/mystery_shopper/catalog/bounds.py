"""The bounds that a customer may name on an ordered field: round numbers.

A domain gives a step and the bounds are its multiples. Without a step they are read off the values:
each of the 5 % quantiles is rounded to a step of 1, 2 or 5 times a power of ten, the greatest that
is no wider than the tenth of the items around it. A price list with a long tail so gets fine
bounds where its items are and coarse ones above.
"""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

QUANTILES = 20
MOST_MULTIPLES = 10_000
_AROUND = 1


def bounds_of(numbers: NDArray[np.float64], step: float | None) -> tuple[int | float, ...]:
    """The bounds of a field's values (NaN is missing), ascending; whole ones are ints.

    With a step: its multiples from the least to the greatest value, or where those are more than
    `MOST_MULTIPLES` every second, third, ... of them. Without: round numbers strictly between them,
    at most one a quantile. Empty where there is no value.
    """
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return ()
    low, high = float(known.min()), float(known.max())
    if step is not None:
        return _multiples(low, high, Decimal(str(step)))
    marks = np.quantile(known, np.linspace(0, 1, QUANTILES + 1), method="nearest").tolist()
    whole = bool((known == np.floor(known)).all())
    found: set[float] = set()
    for place in range(1, QUANTILES):
        wide = marks[min(place + _AROUND, QUANTILES)] - marks[max(place - _AROUND, 0)]
        unit = _round_step(wide or (high - low) / QUANTILES, whole=whole)
        found.add(float(round(Decimal(str(marks[place])) / unit) * unit))
    return tuple(plain(bound) for bound in sorted(found) if low < bound < high)


def plain(number: float) -> int | float:
    """The number as an int where it is whole."""
    return int(number) if float(number).is_integer() else number


def _multiples(low: float, high: float, unit: Decimal) -> tuple[int | float, ...]:
    first, last = math.ceil(Decimal(str(low)) / unit), math.floor(Decimal(str(high)) / unit)
    every = max(1, -(-(last + 1 - first) // MOST_MULTIPLES))
    return tuple(plain(float(place * unit)) for place in range(first, last + 1, every))


def _round_step(wide: float, *, whole: bool) -> Decimal:
    """The greatest of 1, 2 and 5 times a power of ten that is at most `wide`; 1 or more for whole
    numbers."""
    if wide <= 0:
        return Decimal(1)
    power = Decimal(10) ** math.floor(math.log10(wide))
    steps = [mark * power for mark in (5, 2, 1) if float(mark * power) <= wide]
    step = steps[0] if steps else power
    return max(step, Decimal(1)) if whole else step
