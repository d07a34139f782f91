"""Correction for several tests at once.

Source: Holm 1979, A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

from collections.abc import Sequence


def holm(p: Sequence[float | None]) -> tuple[float | None, ...]:
    """Holm's step-down adjusted p values, in the order given.

    The i-th smallest of m is multiplied by m - i + 1, never falls below the one before it, and
    never exceeds 1. None, an untested hypothesis, stays None and does not count in m. Raises
    ValueError for a p outside [0, 1].
    """
    tested = sorted((value, place) for place, value in enumerate(p) if value is not None)
    adjusted: list[float | None] = [None] * len(p)
    least = 0.0
    for rank, (value, place) in enumerate(tested):
        if not 0 <= value <= 1:
            raise ValueError(f"p value {place} is {value}, and must lie between 0 and 1")
        least = max(least, min(1.0, value * (len(tested) - rank)))
        adjusted[place] = least
    return tuple(adjusted)
