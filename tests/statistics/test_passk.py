"""pass^k against counting every set of k trials."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import gammaln

from mystery_shopper.statistics import (
    cluster_bootstrap,
    pass_hat_all,
    pass_hat_interval,
    pass_hat_k,
    pass_hat_per_task,
)

TASK = st.integers(1, 7).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
TASKS = st.lists(TASK, min_size=1, max_size=8)


def by_counting(c: int, n: int, k: int) -> Fraction:
    trials = [True] * c + [False] * (n - c)
    sets = list(combinations(trials, k))
    return Fraction(sum(all(chosen) for chosen in sets), len(sets))


@settings(deadline=None)
@given(TASKS, st.data())
def test_against_every_set_of_k_trials(tasks: list[tuple[int, int]], data: st.DataObject) -> None:
    c, n = [task[0] for task in tasks], [task[1] for task in tasks]
    k = data.draw(st.integers(1, min(n)))
    each = [by_counting(passed, tried, k) for passed, tried in tasks]
    assert pass_hat_k(c, n, k) == float(sum(each, Fraction()) / len(each))
    assert pass_hat_per_task(c, n, k).tolist() == [float(share) for share in each]
    assert pass_hat_k(np.array(c), np.array(n, dtype=np.uint8), k) == pass_hat_k(c, n, k)


@settings(deadline=None)
@given(TASKS)
def test_the_first_is_the_mean_rate_and_it_never_rises(tasks: list[tuple[int, int]]) -> None:
    c, n = [task[0] for task in tasks], [task[1] for task in tasks]
    curve = pass_hat_all(c, n)
    assert list(curve) == list(range(1, min(n) + 1))
    assert curve[1] == pytest.approx(fmean(p / t for p, t in tasks))
    assert list(curve.values()) == sorted(curve.values(), reverse=True)
    assert all(0 <= value <= 1 for value in curve.values())


def test_known_values() -> None:
    assert pass_hat_k([2, 4], [4, 4], 2) == (1 / 6 + 1) / 2
    assert pass_hat_k([3], [4], 4) == 0
    assert pass_hat_all([4, 4], [4, 5]) == {1: 0.9, 2: 0.8, 3: 0.7, 4: 0.6}


def test_many_trials_stay_exact() -> None:
    c, n, k = 9_000, 10_000, 500
    logs = gammaln(c + 1) - gammaln(c - k + 1) - gammaln(n + 1) + gammaln(n - k + 1)
    assert pass_hat_k([c], [n], k) == pytest.approx(math.exp(logs), rel=1e-8)
    assert pass_hat_per_task([c], [n], k)[0] == pass_hat_k([c], [n], k)


def test_more_trials_than_there_are_is_refused_not_nought() -> None:
    told = r"pass\^3 needs 3 trials of every task; task 1 has n = 2"
    for refuse in (pass_hat_k, pass_hat_per_task):
        with pytest.raises(ValueError, match=told):
            refuse([3, 0, 1], [3, 2, 1], 3)


def test_a_task_that_was_never_tried_is_refused() -> None:
    with pytest.raises(ValueError, match="task 1 has n = 0"):
        pass_hat_all([1, 0], [1, 0])


def test_no_tasks_give_nothing() -> None:
    assert math.isnan(pass_hat_k([], [], 1))
    assert pass_hat_per_task([], [], 1).shape == (0,)
    assert pass_hat_all([], []) == {}


@pytest.mark.parametrize(
    ("c", "n", "k", "told"),
    [
        ([2], [1], 1, "task 0 has 2 successes in 1 trials"),
        ([1, -1], [1, 1], 1, "task 1 has -1 successes"),
        ([1], [1, 1], 1, "1 counts of successes do not match 2 of trials"),
        ([1], [1], 0, "k is 0"),
        ([0.5], [1], 1, "successes must be whole numbers, not float64"),
        ([1], [math.nan], 1, "trials must be whole numbers"),
        ([[1]], [1], 1, r"successes must have one number a task, not shape \(1, 1\)"),
    ],
)
def test_counts_that_are_none_are_refused(c: Any, n: Any, k: int, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        pass_hat_k(c, n, k)


def test_its_interval_is_that_of_the_tasks_over_families() -> None:
    random = np.random.default_rng(1)
    c, n, family = random.binomial(8, 0.6, size=60), np.full(60, 8), np.arange(60) // 3
    found = pass_hat_interval(c, n, family, 4, seed=1)
    assert found == cluster_bootstrap(pass_hat_per_task(c, n, 4), family, seed=1)
    assert found.estimate == pytest.approx(pass_hat_k(c, n, 4))
    assert found.low < found.estimate < found.high
    means = pass_hat_per_task(c, n, 4).reshape(20, 3).mean(axis=1)
    theirs = stats.bootstrap((means,), np.mean, n_resamples=10_000, method="percentile",
                             rng=random).confidence_interval  # fmt: skip
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_too_few_trials_are_unscored_in_an_interval() -> None:
    found = pass_hat_interval([4, 0, 2], [4, 1, 4], ["a", "b", "c"], 2, seed=1)
    assert (found.scored, found.unscored, found.clusters) == (2, 1, 2)
    assert found.estimate == pytest.approx((1 + 1 / 6) / 2)
    none = pass_hat_interval([1, 0], [1, 1], ["a", "b"], 2, seed=1)
    assert (none.scored, none.unscored) == (0, 2)
    assert math.isnan(none.estimate)
    assert pass_hat_interval([], [], [], 1, seed=1).scored == 0
    full = pass_hat_interval([8] * 4, [8] * 4, list("aabb"), 8, seed=1)
    assert (full.low, full.estimate, full.high) == (1.0, 1.0, 1.0)
    with pytest.raises(ValueError, match="k is 0"):
        pass_hat_interval([1], [1], ["a"], 0, seed=1)
    with pytest.raises(ValueError, match="task 0 has 2 successes in 1 trials"):
        pass_hat_interval([2], [1], ["a"], 1, seed=1)
