from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import bounds_of

numbers = st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=200)


def array(values: list[float]) -> np.ndarray:
    return np.array(values, np.float64)


def test_multiples_of_a_step() -> None:
    assert bounds_of(array([1903, 1921, float("nan")]), 5) == (1905, 1910, 1915, 1920)
    assert bounds_of(array([3.9, 4.4]), 0.1) == (3.9, 4, 4.1, 4.2, 4.3, 4.4)
    assert bounds_of(array([0.1, 0.31]), 0.1) == (0.1, 0.2, 0.3)
    assert bounds_of(array([7]), 5) == ()


def test_no_value_has_no_bound() -> None:
    assert bounds_of(array([]), None) == ()
    assert bounds_of(array([float("nan")]), 5) == ()


def test_quantiles_of_a_long_tail() -> None:
    """The squares of 1 to 100. By hand: the 10 % quantile is 121 and those beside it are 36 and
    256, so its step is 200 and the bound 200; the 90 % quantile is 8100, between 7396 and 9025,
    the step 1000 and the bound 8000."""
    bounds = bounds_of(array([float(n * n) for n in range(1, 101)]), None)
    assert bounds == (
        200,
        400,
        500,
        1000,
        1500,
        2000,
        2500,
        3000,
        4000,
        5000,
        6000,
        7000,
        8000,
        9000,
    )
    gaps = np.diff(bounds)
    assert gaps[:3].max() < gaps[-3:].min()


@given(numbers)
def test_quantile_bounds_are_round_few_and_inside(values: list[float]) -> None:
    bounds = bounds_of(array(values), None)
    assert len(bounds) <= 19
    assert list(bounds) == sorted(set(bounds))
    assert all(min(values) < bound < max(values) for bound in bounds)


@given(st.lists(st.integers(-2000, 2000), min_size=1, max_size=200))
def test_whole_numbers_have_whole_bounds(values: list[int]) -> None:
    assert all(isinstance(bound, int) for bound in bounds_of(array(list(map(float, values))), None))


@given(numbers, st.sampled_from([0.05, 0.1, 0.25, 0.5, 1, 2, 5, 1000]))
def test_multiples_are_exact(values: list[float], step: float) -> None:
    values = [value / 1000 for value in values]
    for bound in bounds_of(array(values), step):
        assert Decimal(str(bound)) % Decimal(str(step)) == 0
        assert min(values) <= bound <= max(values)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e9])
def test_scale_makes_no_difference(scale: float) -> None:
    plain = bounds_of(array([float(n) for n in range(1, 1000)]) * 1.5, None)
    scaled = bounds_of(array([float(n) for n in range(1, 1000)]) * 1.5 * scale, None)
    assert np.allclose(np.array(plain) * scale, scaled)


def test_a_tiny_step_gives_a_bounded_number_of_its_multiples() -> None:
    bounds = bounds_of(array([0.0, 20_000.0]), 1e-9)
    assert len(bounds) <= 10_000
    assert (bounds[0], bounds[-1]) == (0, pytest.approx(20_000, rel=1e-3))
