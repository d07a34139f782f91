"""Correlations against scipy's and a plain count of pairs."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mystery_shopper.statistics import Correlation, kendall, pearson, spearman

Coefficient = Callable[[Any, Any], Correlation]

TIED = st.integers(0, 4).map(float)
ROWS = st.lists(st.tuples(TIED, TIED), min_size=2, max_size=12)
MISSING = TIED | st.none() | st.just(math.nan)


def varies(rows: list[tuple[float, float]]) -> bool:
    return all(len(set(side)) > 1 for side in zip(*rows, strict=True))


@settings(deadline=None)
@given(ROWS)
def test_with_ties_they_are_scipys(rows: list[tuple[float, float]]) -> None:
    x, y = zip(*rows, strict=True)
    for ours, theirs in (
        (pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)
    ):  # fmt: skip
        found = ours(x, y)
        assert (found.pairs, found.left_out) == (len(rows), 0)
        if varies(rows):
            assert found.value == pytest.approx(theirs(x, y).statistic, abs=1e-12)
        else:
            assert found.value is None


@settings(deadline=None)
@given(ROWS)
def test_kendalls_tau_counts_pairs(rows: list[tuple[float, float]]) -> None:
    def sign(a: float, b: float) -> int:
        return (a > b) - (a < b)

    signs = [
        (sign(one[0], other[0]), sign(one[1], other[1])) for one, other in combinations(rows, 2)
    ]
    agreed = sum(a * b for a, b in signs)
    size = math.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))
    found = kendall(*zip(*rows, strict=True)).value
    assert found == (pytest.approx(agreed / size) if size else None)


def test_many_pairs_are_scipys() -> None:
    random = np.random.default_rng(1)
    x = random.integers(0, 300, size=20_000)
    y = x + random.normal(0, 200, size=20_000).round()
    for ours, theirs in (
        (pearson, stats.pearsonr), (spearman, stats.spearmanr), (kendall, stats.kendalltau)
    ):  # fmt: skip
        assert ours(x, y).value == pytest.approx(theirs(x, y).statistic, abs=1e-12)


@settings(deadline=None)
@given(st.lists(st.tuples(MISSING, MISSING), max_size=12))
def test_incomplete_pairs_are_left_out_and_counted(rows: list[Any]) -> None:
    whole = [row for row in rows if all(v is not None and not math.isnan(v) for v in row)]
    for ours in (pearson, spearman, kendall):
        found = ours([row[0] for row in rows], [row[1] for row in rows])
        same = ours([row[0] for row in whole], [row[1] for row in whole])
        assert found == Correlation(same.value, len(whole), len(rows) - len(whole))


@pytest.mark.parametrize("ours", [pearson, spearman, kendall])
def test_edges(ours: Coefficient) -> None:
    assert ours([], []) == Correlation(None, 0, 0)
    assert ours([1.0], [2.0]) == Correlation(None, 1, 0)
    assert ours([0.1] * 3, [1.0, 2.0, 3.0]).value is None
    assert ours([1.0, 2.0, math.nan], [1.0, 1.0, 2.0]) == Correlation(None, 2, 1)
    grows = [0.1, 0.7, 1 / 3, 12.0, 5.0]
    assert ours(grows, grows).value == pytest.approx(1.0, abs=1e-15)
    assert ours(grows, [-v for v in grows]).value == pytest.approx(-1.0, abs=1e-15)
    assert ours([1e-300, 2e-300, 3e-300], [1e300, 2e300, -1e300]).value is not None


@pytest.mark.parametrize("ours", [pearson, spearman, kendall])
@pytest.mark.parametrize(
    ("x", "y", "told"),
    [
        ([1.0, 2.0], [1.0], "two rows of one length"),
        ([[1.0]], [[1.0]], "two rows of one length"),
        ([1.0, math.inf], [1.0, 2.0], "values must be finite"),
    ],
)
def test_rows_that_do_not_pair_are_refused(ours: Coefficient, x: Any, y: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        ours(x, y)
