"""Sign flips against every assignment and scipy's permutation test; the t test against scipy's."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mystery_shopper.statistics import PairedT, SignFlip, paired_t, sign_flip

EIGHTHS = st.integers(-16, 16).map(lambda number: number / 8)


@settings(deadline=None)
@given(st.lists(EIGHTHS, min_size=1, max_size=9))
def test_against_every_assignment_of_signs(values: list[float]) -> None:
    found = sign_flip(values, seed=1)
    sums = [
        abs(sum(sign * value for sign, value in zip(signs, values, strict=True)))
        for signs in product((1, -1), repeat=len(values))
    ]
    far = sum(size >= abs(sum(values)) for size in sums)
    assert found == SignFlip(
        far / 2 ** len(values), True, 2 ** len(values), len(values), sum(values) / len(values)
    )


@settings(deadline=None)
@given(st.lists(st.tuples(EIGHTHS, st.sampled_from("abcde")), min_size=1, max_size=12))
def test_tasks_of_a_cluster_flip_together(rows: list[tuple[float, str]]) -> None:
    names = sorted({name for _, name in rows})
    totals = [math.fsum(value for value, of in rows if of == name) for name in names]
    found = sign_flip([value for value, _ in rows], clusters=[name for _, name in rows], seed=1)
    assert found.p == sign_flip(totals, seed=1).p
    assert found.clusters == len(names)
    assert found.estimate == pytest.approx(sum(value for value, _ in rows) / len(rows))


def test_thirteen_templates_agree_with_scipy() -> None:
    values = np.random.default_rng(1).normal(0.4, 1, size=13)
    theirs = stats.permutation_test(
        (values, np.zeros(13)),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=math.inf,
        vectorized=True,
    )
    found = sign_flip(values, seed=1)
    assert found.exact
    assert found.p == pytest.approx(theirs.pvalue, abs=1e-15)
    assert found.estimate == pytest.approx(theirs.statistic)
    assert found.smallest_p == 2 / 2**13


def test_twenty_are_counted_and_twenty_one_are_drawn() -> None:
    values = np.random.default_rng(2).normal(0.3, 1, size=21)
    counted = sign_flip(values[:20], seed=1)
    assert (counted.exact, counted.draws, counted.clusters) == (True, 2**20, 20)
    drawn = sign_flip(values, seed=1)
    assert (drawn.exact, drawn.draws, drawn.clusters) == (False, 100_000, 21)
    assert drawn.smallest_p == 1 / 100_001
    true = sign_flip(values, seed=1, enumerate_up_to=21)
    assert true.exact
    assert true.p is not None
    error = math.sqrt(true.p * (1 - true.p) / 100_000)
    assert drawn.p == pytest.approx(true.p, abs=4 * error)
    assert sign_flip(values, seed=1) == drawn
    assert sign_flip(values, seed=2) != drawn


def test_one_sign_throughout_has_the_smallest_p() -> None:
    found = sign_flip([0.1] * 10, seed=1)
    assert found.p == found.smallest_p == 2 / 1024
    many = sign_flip([0.1] * 60, seed=1, draws=500)
    assert many.p == many.smallest_p == 1 / 501


def test_ties_that_only_rounding_parts_are_ties() -> None:
    assert sign_flip([0.1, 0.2, -0.3], seed=1).p == 1.0
    assert (
        sign_flip([0.1, 0.2, 0.3, 0.0, 0.7 - 0.4], seed=1).p == sign_flip([1, 2, 3, 0, 3], seed=1).p
    )


def test_no_difference_and_no_data() -> None:
    assert sign_flip([0.0] * 4, seed=1).p == 1.0
    assert sign_flip([0.0] * 40, seed=1, draws=50).p == 1.0
    assert sign_flip([0.5], seed=1) == SignFlip(1.0, True, 2, 1, 0.5)
    for nothing in ([], [math.nan, None]):
        found = sign_flip(nothing, seed=1)
        assert found == SignFlip(None, True, 0, 0, None)
        assert found.smallest_p is None
    with_gap = sign_flip([1.0, None, 2.0], seed=1, clusters=["a", "b", "b"])
    assert (with_gap.clusters, with_gap.estimate) == (2, 1.5)


@settings(deadline=None)
@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=30))
def test_the_t_test_is_scipys(values: list[float]) -> None:
    found = paired_t(values)
    spread = np.std(values, ddof=1)
    if spread <= 1e-9 * max(map(abs, values)):
        return
    theirs = stats.ttest_rel(values, np.zeros(len(values)))
    assert found.t == pytest.approx(theirs.statistic, rel=1e-6, abs=1e-9)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-6, abs=1e-10)
    assert found.df == theirs.df
    assert found.estimate == pytest.approx(np.mean(values), abs=1e-9)


def test_a_paired_t_test_to_ten_places() -> None:
    random = np.random.default_rng(4)
    for size in (2, 3, 10, 51, 450, 36_000):
        first, second = random.normal(size=(2, size))
        theirs = stats.ttest_rel(second + 0.02, first)
        found = paired_t(second + 0.02 - first)
        assert found.t == pytest.approx(theirs.statistic, rel=1e-9)
        assert found.p == pytest.approx(theirs.pvalue, abs=1e-10)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], PairedT(None, 0, None, None)),
        ([None, math.nan], PairedT(None, 0, None, None)),
        ([0.5], PairedT(None, 0, None, 0.5)),
        ([0.1, 0.1, None, 0.1], PairedT(None, 2, None, 0.1)),
        ([0.0, 0.0], PairedT(None, 1, None, 0.0)),
        ([1.0, -1.0], PairedT(0.0, 1, 1.0, 0.0)),
    ],
)
def test_where_no_t_is_defined(values: list[Any], expected: PairedT) -> None:
    found = paired_t(values)
    assert found.p == (pytest.approx(expected.p) if expected.p is not None else None)
    assert (found.t, found.df, found.estimate) == (expected.t, expected.df, expected.estimate)


@pytest.mark.parametrize("test", [paired_t, lambda values: sign_flip(values, seed=1)])
@pytest.mark.parametrize(
    ("values", "told"),
    [([math.inf], "differences must be finite"), ([[1.0]], "one row of numbers, not of shape")],
)
def test_differences_that_are_none_are_refused(test: Any, values: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        test(values)


def test_labels_and_draws_must_fit() -> None:
    with pytest.raises(ValueError, match="2 differences need as many cluster labels"):
        sign_flip([1.0, 2.0], seed=1, clusters=["a"])
    with pytest.raises(ValueError, match="draws is 0"):
        sign_flip([1.0] * 30, seed=1, draws=0)
