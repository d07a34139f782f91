"""The special functions against scipy's."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import special, stats

from mystery_shopper.statistics.special import (
    log_beta,
    regularised_incomplete_beta,
    student_t_bound,
    student_t_two_sided,
)

SHAPE = st.floats(0.05, 500)


@settings(deadline=None, max_examples=400)
@given(SHAPE, SHAPE, st.floats(0, 1))
def test_the_incomplete_beta_function_is_scipys(a: float, b: float, x: float) -> None:
    found = regularised_incomplete_beta(a, b, x)
    assert found == pytest.approx(special.betainc(a, b, x), abs=1e-10)


@settings(deadline=None)
@given(st.floats(0.05, 60), st.floats(0.05, 60))
def test_log_beta_is_scipys(a: float, b: float) -> None:
    assert log_beta(a, b) == pytest.approx(special.betaln(a, b), rel=1e-12, abs=1e-12)


@settings(deadline=None)
@given(st.integers(1, 30), st.integers(1, 10**7))
def test_log_beta_of_whole_numbers_is_a_ratio_of_factorials(a: int, b: int) -> None:
    """scipy's loses digits here: B(a, b) = (a - 1)! / (b (b + 1) .. (b + a - 1))."""
    rising = math.prod(range(b, b + a))
    true = math.log(Fraction(math.factorial(a - 1), rising).numerator) - math.log(
        Fraction(math.factorial(a - 1), rising).denominator
    )
    assert log_beta(a, b) == pytest.approx(true, rel=1e-13, abs=1e-13)
    assert log_beta(b, a) == log_beta(a, b)


@settings(deadline=None, max_examples=400)
@given(st.floats(-40, 40), st.integers(1, 10**7))
def test_students_tails_are_scipys(t: float, df: int) -> None:
    theirs = 2 * stats.t.sf(abs(t), df)
    assert student_t_two_sided(t, df) == pytest.approx(theirs, abs=1e-10)
    if theirs > 1e-200:
        assert student_t_two_sided(t, df) == pytest.approx(theirs, rel=1e-8)


@pytest.mark.parametrize(
    ("t", "df"), [(1.6383560438182505, 17), (1.6690459207925605, 26), (1.6892775191144191, 39)]
)
def test_where_rounding_puts_both_sides_beyond_their_bounds(t: float, df: int) -> None:
    assert student_t_two_sided(t, df) == pytest.approx(2 * stats.t.sf(t, df), abs=1e-14)


@given(st.floats(0.1, 20), st.floats(0.1, 20), st.integers(-1, 1))
def test_where_the_sides_meet(a: float, b: float, step: int) -> None:
    middle = (a + 1) / (a + b + 2)
    x = middle if not step else math.nextafter(middle, step)
    found = regularised_incomplete_beta(a, b, x)
    assert found == pytest.approx(special.betainc(a, b, x), abs=1e-12)


def test_edges() -> None:
    assert student_t_two_sided(0.0, 3) == 1.0
    assert student_t_two_sided(math.inf, 3) == student_t_two_sided(-math.inf, 3) == 0.0
    assert student_t_two_sided(1.0, 1) == pytest.approx(0.5, abs=1e-15)
    assert student_t_two_sided(1e-200, 3) == 1.0
    assert regularised_incomplete_beta(2, 3, 0.0) == 0.0
    assert regularised_incomplete_beta(2, 3, 1.0) == 1.0
    assert regularised_incomplete_beta(1, 1, 0.3) == pytest.approx(0.3, abs=1e-15)


def test_outside_their_range_they_refuse() -> None:
    for a, b, x in ((0, 1, 0.5), (1, -1, 0.5), (1, 1, 1.5), (1, 1, math.nan)):
        with pytest.raises(ValueError, match="needs a, b > 0"):
            regularised_incomplete_beta(a, b, x)
    with pytest.raises(ValueError, match="df is 0"):
        student_t_two_sided(1.0, 0)


@pytest.mark.parametrize("df", [1, 2, 5, 7, 17, 50, 1000])
@pytest.mark.parametrize("share", [1e-6, 0.01, 0.05, 0.4, 0.999])
def test_the_bound_of_student_s_distribution_is_scipys(df: int, share: float) -> None:
    assert student_t_bound(share, df) == pytest.approx(stats.t.isf(share / 2, df), rel=1e-8)


@pytest.mark.parametrize("share", [0.0, 1.0, -0.1, math.nan])
def test_a_share_is_between_nothing_and_all(share: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        student_t_bound(share, 3)
