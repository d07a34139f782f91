"""Special functions that the tests need, so that the package runs without scipy."""

from __future__ import annotations

import math

_ENOUGH = 10.0
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
_TINY = 1e-300


def student_t_two_sided(t: float, df: float) -> float:
    """The chance that |T| >= |t|, T of Student's distribution with `df` degrees of freedom."""
    if df <= 0:
        raise ValueError(f"df is {df}, and must be above 0")
    if math.isinf(t):
        return 0.0
    square = t * t
    return _incomplete_beta(df / 2, 0.5, df / (df + square), square / (df + square))


def student_t_bound(share: float, df: float) -> float:
    """The t that |T| reaches or passes with the chance `share`, by bisection: the inverse of
    `student_t_two_sided`. Raises ValueError for a share outside (0, 1)."""
    if not 0 < share < 1:
        raise ValueError(f"share is {share}, and must lie between 0 and 1")
    low, high = 0.0, 1.0
    while student_t_two_sided(high, df) > share:
        low, high = high, 2 * high
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if student_t_two_sided(middle, df) > share:
            low = middle
        else:
            high = middle
    return high


def regularised_incomplete_beta(a: float, b: float, x: float) -> float:
    """I_x(a, b) for a, b > 0 and x in [0, 1].

    By its continued fraction (DLMF 8.17.22), evaluated by Lentz's method, on the side of the mean
    where it converges quickly.
    """
    if a <= 0 or b <= 0 or not 0 <= x <= 1:
        raise ValueError(f"I_x(a, b) needs a, b > 0 and x in [0, 1], not {a}, {b} and {x}")
    return _incomplete_beta(a, b, x, 1 - x)


def _incomplete_beta(a: float, b: float, x: float, y: float) -> float:
    """`y` is 1 - x, which the caller may know better than a subtraction does."""
    if x == 0 or y == 0:
        return 0.0 if x == 0 else 1.0
    front = math.exp(a * _log(x, y) + b * _log(y, x) - log_beta(a, b))
    if x > (a + 1) / (a + b + 2):
        return 1 - front * _fraction(b, a, y) / b
    return front * _fraction(a, b, x) / a


def _log(x: float, y: float) -> float:
    """log x, where y = 1 - x."""
    return math.log(x) if x < 0.5 else math.log1p(-y)


def _fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, 100_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away(1 + numerator * d)
            c = _away(1 + numerator / c)
            value *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return value


def _away(x: float) -> float:
    """x, kept from zero."""
    return x if abs(x) > _TINY else _TINY


def log_beta(a: float, b: float) -> float:
    """log B(a, b), without the cancellation of three large log-gammas where one is large.

    Source: Didonato and Morris 1992, Algorithm 708 (bcorr).
    """
    small, large = min(a, b), max(a, b)
    if large < _ENOUGH:
        return math.lgamma(small) + math.lgamma(large) - math.lgamma(small + large)
    total = small + large
    correction = _remainder(large) - _remainder(total)
    rest = (large - 0.5) * math.log1p(-small / total)
    if small < _ENOUGH:
        return math.lgamma(small) + correction + small * (1 - math.log(total)) + rest
    correction += _remainder(small)
    return (
        0.5 * math.log(2 * math.pi)
        + correction
        + (small - 0.5) * math.log(small / total)
        - 0.5 * math.log(large)
        + large * math.log1p(-small / total)
    )


def _remainder(x: float) -> float:
    """log Γ(x) - ((x - 1/2) log x - x + log(2π) / 2), for x >= 10: Stirling's series."""
    return math.fsum(term / x ** (2 * place + 1) for place, term in enumerate(_STIRLING))
