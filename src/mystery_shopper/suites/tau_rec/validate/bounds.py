"""Whether a number is a bound that a customer may name: the documented rule, tested from scratch.

With a step a bound is a multiple of it. Without one it is a round number strictly between the least
and the greatest value: one of the 5 % quantiles, rounded to a unit of 1, 2 or 5 times a power of
ten, the greatest that is no wider than the tenth of the items around the quantile; of whole values
the unit is at least 1. All is decimal arithmetic on the values as they are written.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

PLACES = 20
_ROUND = (Decimal(1), Decimal(2), Decimal(5))
_SLACK = Decimal("1e-9")
"""Widths are differences of binary fractions: 19.99 - 9.99 is a little less than 10."""


def is_multiple(number: float, step: float) -> bool:
    """Whether the number is a multiple of the step, both as they are written."""
    return decimal(number) % decimal(step) == 0


def is_round_bound(number: float, ascending: NDArray[np.float64]) -> bool:
    """Whether the number follows the rule without a step over these values."""
    if not len(ascending) or not ascending[0] < number < ascending[-1]:
        return False
    whole = bool((ascending == np.rint(ascending)).all())
    wanted = decimal(number)
    return any(
        wanted % unit == 0 and 2 * abs(wanted - mark) <= unit
        for mark, wide in _quantiles(ascending)
        for unit in _units(wide, whole=whole)
    )


def decimal(number: float) -> Decimal:
    """The number as it is written, without a rest of its binary form."""
    return Decimal(repr(float(number)))


def _quantiles(ascending: NDArray[np.float64]) -> Iterator[tuple[Decimal, Decimal]]:
    """Each inner quantile and the width of the tenth of the items around it. A quantile between
    two values may be either."""
    last = len(ascending) - 1

    def near(place: int) -> set[Decimal]:
        low, rest = divmod(place * last, PLACES)
        found = [low] if 2 * rest < PLACES else [low + 1] if 2 * rest > PLACES else [low, low + 1]
        return {decimal(ascending[index]) for index in found}

    all_wide = decimal(ascending[-1]) - decimal(ascending[0])
    for place in range(1, PLACES):
        for mark in near(place):
            for below in near(place - 1):
                for above in near(place + 1):
                    yield mark, (above - below) or all_wide / PLACES


def _units(wide: Decimal, *, whole: bool) -> set[Decimal]:
    """The greatest round unit within the width, taken a little narrower and a little wider."""
    found: set[Decimal] = set()
    for size in (wide * (1 - _SLACK), wide * (1 + _SLACK)):
        power = Decimal(1).scaleb(size.adjusted())
        unit = max(mark * power for mark in _ROUND if mark * power <= size)
        found.add(max(unit, Decimal(1)) if whole else unit)
    return found
