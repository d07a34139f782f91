"""The cluster bootstrap against scipy's, against plain loops, and at its edges."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mystery_shopper.foundation import generator
from mystery_shopper.statistics import (
    Interval,
    bootstrap,
    cluster_bootstrap,
    cluster_bootstrap_columns,
    resampled_means,
)

SCORE = st.floats(-5, 5) | st.just(math.nan)
ROWS = st.lists(st.tuples(SCORE, SCORE, st.sampled_from("abcd")), min_size=1, max_size=12)


def by_loops(values: Any, clusters: list[str], seed: int, resamples: int) -> np.ndarray:
    """Draw families one by one and average whatever scored tasks they bring."""
    families = sorted(set(clusters))
    random = generator("cluster_bootstrap", seed)
    rows: list[list[float]] = []
    for drawn in random.integers(len(families), size=(resamples, len(families))):
        picked = [
            row for place in drawn for row, c in zip(values, clusters, strict=True)
            if c == families[place]
        ]  # fmt: skip
        columns = [[x for x in column if not math.isnan(x)] for column in zip(*picked, strict=True)]
        rows.append([math.fsum(column) / len(column) if column else math.nan for column in columns])
    return np.array(rows)


@settings(max_examples=60, deadline=None)
@given(ROWS, st.integers(0, 99))
def test_draws_are_those_of_plain_loops(rows: list[Any], seed: int) -> None:
    values, clusters = [row[:2] for row in rows], [row[2] for row in rows]
    draws = resampled_means(values, clusters, seed=seed, resamples=20)
    np.testing.assert_allclose(draws, by_loops(values, clusters, seed, 20), atol=1e-12)


def test_the_bounds_are_the_percentiles_of_the_draws() -> None:
    random = np.random.default_rng(1)
    values, clusters = random.random(60), np.repeat(np.arange(20), 3)
    draws = resampled_means(values[:, None], clusters, seed=4, resamples=999)[:, 0]
    found = cluster_bootstrap(values, clusters, seed=4, resamples=999, level=0.9)
    assert (found.low, found.high) == tuple(np.quantile(draws, [0.05, 0.95]).tolist())
    assert found.estimate == pytest.approx(values.mean(), abs=1e-15)
    assert (found.level, found.scored, found.unscored, found.clusters) == (0.9, 60, 0, 20)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_with_one_task_a_cluster_it_agrees_with_scipy(level: float) -> None:
    values = np.random.default_rng(2).exponential(size=80)
    ours = cluster_bootstrap(values, np.arange(80), seed=1, resamples=40_000, level=level)
    theirs = stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=40_000,
        confidence_level=level,
        method="percentile",
        rng=np.random.default_rng(3),
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_with_equal_clusters_it_agrees_with_scipy_on_their_means() -> None:
    random = np.random.default_rng(5)
    values = (random.normal(size=(40, 1)) + random.normal(scale=0.3, size=(40, 4))).ravel()
    clusters = np.repeat(np.arange(40), 4)
    ours = cluster_bootstrap(values, clusters, seed=1, resamples=40_000)
    theirs = stats.bootstrap(
        (values.reshape(40, 4).mean(axis=1),),
        np.mean,
        n_resamples=40_000,
        method="percentile",
        rng=random,
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.015)
    loose = cluster_bootstrap(values, np.arange(160), seed=1)
    assert ours.high - ours.low > 1.5 * (loose.high - loose.low)


def test_uneven_clusters_agree_with_scipy_on_the_ratio() -> None:
    random = np.random.default_rng(6)
    sizes = random.integers(1, 9, size=50)
    clusters = np.repeat(np.arange(50), sizes)
    values = random.normal(size=50)[clusters] + random.normal(size=len(clusters))
    sums = np.bincount(clusters, weights=values)

    def ratio(total: np.ndarray, size: np.ndarray, axis: int = -1) -> np.ndarray:
        return total.sum(axis=axis) / size.sum(axis=axis)

    theirs = stats.bootstrap(
        (sums, sizes), ratio, paired=True, n_resamples=40_000, method="percentile", rng=random
    ).confidence_interval
    ours = cluster_bootstrap(values, clusters, seed=2, resamples=40_000)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.015)


def test_it_covers_the_mean_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(7)
    clusters = np.repeat(np.arange(60), 3)
    hits = 0
    for trial in range(200):
        rate = random.beta(2, 2, size=60)[clusters]
        found = cluster_bootstrap(random.random(180) < rate, clusters, seed=trial, resamples=800)
        hits += found.low <= 0.5 <= found.high
    assert 0.88 <= hits / 200 <= 0.99


def test_a_seed_repeats_and_another_differs() -> None:
    values, clusters = np.random.default_rng(8).random(30), np.arange(30) // 2
    one = cluster_bootstrap(values, clusters, seed=1)
    assert one == cluster_bootstrap(values, clusters, seed=1)
    assert one != cluster_bootstrap(values, clusters, seed=2)


def test_neither_the_order_of_tasks_nor_the_kind_of_label_matters() -> None:
    random = np.random.default_rng(9)
    values, clusters = (random.random(40) < 0.4).astype(float), np.arange(40) // 4
    shuffled = random.permutation(40)
    names = [f"family-{place:02}" for place in clusters]
    one = cluster_bootstrap(values, clusters, seed=1)
    assert cluster_bootstrap(values[shuffled], clusters[shuffled], seed=1) == one
    assert cluster_bootstrap(values, names, seed=1) == one


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    values, clusters = np.random.default_rng(10).integers(0, 2, 40), np.arange(40) // 2
    monkeypatch.setattr(bootstrap, "_CELLS", 7)
    small = cluster_bootstrap(values, clusters, seed=1, resamples=300)
    monkeypatch.undo()
    assert small == cluster_bootstrap(values, clusters, seed=1, resamples=300)


def test_unscored_tasks_are_left_out_and_counted() -> None:
    values: list[float | None] = [1.0, None, 0.0, math.nan, 1.0, 0.0, None]
    clusters = ["a", "a", "b", "b", "c", "d", "e"]
    found = cluster_bootstrap(values, clusters, seed=1)
    kept = cluster_bootstrap([1.0, 0.0, 1.0, 0.0], ["a", "b", "c", "d"], seed=1)
    assert (found.scored, found.unscored, found.clusters) == (4, 3, 4)
    assert (found.estimate, found.low, found.high) == (kept.estimate, kept.low, kept.high)
    assert kept.unscored == 0


@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 1 / 3, 1e300, -7.7])
def test_constant_data_give_that_constant(value: float) -> None:
    found = cluster_bootstrap([value] * 7, list("aabbccd"), seed=1)
    assert (found.estimate, found.low, found.high) == (value, value, value)
    assert not found.one_cluster


def test_one_cluster_is_degenerate_and_says_so() -> None:
    found = cluster_bootstrap([0.0, 1.0, math.nan, math.nan], ["a", "a", "a", "b"], seed=1)
    assert found == Interval(0.5, 0.5, 0.5, 0.95, 2, 2, 1)
    assert found.one_cluster


@pytest.mark.parametrize("values", [[], [math.nan] * 3, [None] * 3])
def test_no_data_give_nan_and_no_warning(values: list[Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = cluster_bootstrap(values, ["a", "b", "c"][: len(values)], seed=1)
    assert all(math.isnan(x) for x in (found.estimate, found.low, found.high))
    assert (found.scored, found.unscored, found.clusters) == (0, len(values), 0)
    assert not found.one_cluster


def test_columns_share_their_draws_so_contrasts_are_paired() -> None:
    random = np.random.default_rng(11)
    base = random.normal(size=50)
    table = np.stack([base, base + 0.2, np.full(50, np.nan)], axis=1)
    clusters = np.arange(50) // 2
    draws = resampled_means(table, clusters, seed=1, resamples=200)
    np.testing.assert_allclose(draws[:, 1] - draws[:, 0], 0.2)
    assert np.isnan(draws[:, 2]).all()
    first, second, third = cluster_bootstrap_columns(table, clusters, seed=1)
    assert first == cluster_bootstrap(base, clusters, seed=1)
    assert second.low == pytest.approx(first.low + 0.2)
    assert (third.scored, third.unscored, third.clusters) == (0, 50, 0)
    assert math.isnan(third.estimate)


def test_a_column_with_few_scored_clusters_uses_the_draws_that_have_any() -> None:
    table = np.full((6, 2), np.nan)
    table[:, 0] = range(6)
    table[:2, 1] = (0.0, 1.0)
    _, sparse = cluster_bootstrap_columns(table, list("abcdef"), seed=1, resamples=500)
    assert (sparse.low, sparse.estimate, sparse.high) == (0.0, 0.5, 1.0)
    assert (sparse.scored, sparse.unscored, sparse.clusters) == (2, 4, 2)
    empty = cluster_bootstrap_columns(np.empty((0, 2)), [], seed=1)
    assert [math.isnan(found.estimate) for found in empty] == [True, True]
    assert cluster_bootstrap_columns(np.empty((3, 0)), list("abc"), seed=1) == ()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"level": 0.0}, "level is 0.0"),
        ({"level": 95}, "level is 95"),
        ({"resamples": 0}, "resamples is 0"),
        ({"values": [[1.0], [2.0]]}, r"one number a task, not shape \(2, 1\)"),
        ({"values": [1.0, math.inf]}, "values must be finite"),
        ({"clusters": ["a"]}, r"2 tasks need as many cluster labels, not shape \(1,\)"),
        ({"clusters": [["a", "b"]]}, "as many cluster labels"),
    ],
)
def test_what_cannot_be_resampled_is_refused(change: dict[str, Any], told: str) -> None:
    given_: dict[str, Any] = {"values": [1.0, 2.0], "clusters": ["a", "b"], "seed": 1} | change
    with pytest.raises(ValueError, match=told):
        cluster_bootstrap(**given_)


def test_a_table_needs_two_sides() -> None:
    with pytest.raises(ValueError, match=r"\(tasks, statistics\), not of shape \(2,\)"):
        resampled_means([1.0, 2.0], ["a", "b"], seed=1)
