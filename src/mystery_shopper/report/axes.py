"""Where an axis has its marks."""

from __future__ import annotations

from math import ceil, floor, isclose

_STEPS = (0.05, 0.1, 0.25)
_MOST_MARKS = 6


def marks_of(low: float, high: float) -> list[float]:
    """The multiples in the domain of the smallest of `_STEPS` that has both its ends, and six marks
    at most."""
    found: list[float] = []
    for step in _STEPS:
        first, last = ceil(low / step - 1e-9), floor(high / step + 1e-9)
        found = [round(place * step, 6) for place in range(first, last + 1)]
        ends = bool(found) and isclose(found[0], low) and isclose(found[-1], high)
        if ends and len(found) <= _MOST_MARKS:
            break
    return found
