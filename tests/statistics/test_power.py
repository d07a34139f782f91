"""What a panel detects, checked by simulated panels and by scipy's normal distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mystery_shopper.statistics import (
    Components,
    Contrast,
    Detectable,
    clustered_error,
    holm,
    minimum_detectable_effect,
    needed,
    paired_bootstrap,
    predicted_power,
    separated_share,
    variance_components,
)

Z = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)


def test_equal_clusters_give_the_standard_error_of_their_means() -> None:
    table = np.random.default_rng(1).normal(size=(30, 4))
    error, count = clustered_error(Contrast("c", table.ravel(), np.repeat(np.arange(30), 4)))
    assert error == pytest.approx(stats.sem(table.mean(axis=1)))
    assert count == 30
    found = minimum_detectable_effect(table.ravel(), np.repeat(np.arange(30), 4))
    assert found == Detectable(pytest.approx(Z * error), error, 30, 0.8, 0.05)
    strict = minimum_detectable_effect(table.ravel(), np.repeat(np.arange(30), 4), alpha=0.01)
    assert strict.effect == pytest.approx(
        (stats.norm.ppf(0.995) + stats.norm.ppf(0.8)) * stats.sem(table.mean(axis=1))
    )


def test_uneven_clusters_spread_as_the_bootstrap_does() -> None:
    random = np.random.default_rng(2)
    family = np.repeat(np.arange(200), random.integers(1, 6, size=200))
    values = random.normal(size=200)[family] + random.normal(size=len(family))
    error, _ = clustered_error(Contrast("c", values, family))
    (found,) = paired_bootstrap([Contrast("c", values, family)], seed=1)
    assert found.low is not None
    assert found.high is not None
    assert error == pytest.approx((found.high - found.low) / (2 * 1.96), rel=0.05)


def test_a_planted_effect_of_that_size_is_found_in_eighty_of_a_hundred_panels() -> None:
    random = np.random.default_rng(3)
    family = np.repeat(np.arange(51), 3)

    def panel(effect: float) -> np.ndarray:
        rates = np.clip(random.beta(2, 2, size=51), 0.2, 0.8)[family]
        tilt = random.normal(0, 0.1, size=51)[family]
        base = random.binomial(8, rates) / 8
        return random.binomial(8, np.clip(rates + tilt + effect, 0, 1)) / 8 - base

    detectable = minimum_detectable_effect(panel(0.0), family)
    effect = float(np.mean([minimum_detectable_effect(panel(0.0), family).effect or 0.0
                            for _ in range(50)]))  # fmt: skip
    assert detectable.effect == pytest.approx(effect, rel=0.3)
    hits = 0
    for seed in range(300):
        (found,) = paired_bootstrap(
            [Contrast("c", panel(effect), family)], seed=seed, resamples=400
        )
        assert found.p is not None
        hits += found.p < 0.05
    assert 0.72 <= hits / 300 <= 0.88


@pytest.mark.parametrize(
    ("values", "clusters", "count"),
    [([], [], 0), ([math.nan, None], ["a", "b"], 0), ([0.5, 1.0, None], ["a", "a", "b"], 1)],
)
def test_below_two_clusters_nothing_is_known(values: Any, clusters: Any, count: int) -> None:
    assert minimum_detectable_effect(values, clusters) == Detectable(None, None, count, 0.8, 0.05)


def test_constant_differences_have_no_error() -> None:
    found = minimum_detectable_effect([0.1] * 6, list("aabbcc"))
    assert (found.effect, found.standard_error, found.clusters) == (0.0, 0.0, 3)


def test_power_is_that_of_the_normal_test() -> None:
    for effect in (0.0, 0.02, -0.05, 0.3):
        tails = stats.norm(effect / 0.03)
        exact = tails.sf(stats.norm.ppf(0.975)) + tails.cdf(stats.norm.ppf(0.025))
        assert predicted_power(effect, 0.03) == pytest.approx(exact)
    assert predicted_power(Z * 0.03, 0.03) == pytest.approx(0.8, abs=1e-4)
    assert predicted_power(0.1, 0.0) == 1.0
    assert predicted_power(0.0, 0.0) == 0.05


def scores(
    random: np.random.Generator, families: int, trials: int, effect: float = 0.0
) -> tuple[np.ndarray, np.ndarray, float]:
    """0/1 trials of two sides over fresh families, and their difference's variance between
    families."""
    rates = random.uniform(0.3, 0.6, size=families)
    gain = random.uniform(effect - 0.2, effect + 0.2, size=families)
    base = random.random((families, trials)) < rates[:, None]
    candidate = random.random((families, trials)) < (rates + gain)[:, None]
    return base.astype(float), candidate.astype(float), 0.4**2 / 12


def test_the_components_are_those_that_made_the_data() -> None:
    random = np.random.default_rng(4)
    base, candidate, between = scores(random, 4_000, 4)
    found = variance_components(base.tolist(), candidate.tolist())
    assert found.families == 4_000
    assert found.between == pytest.approx(between, rel=0.2)
    within = sum(side.var(axis=1, ddof=1).mean() for side in (base, candidate))
    assert found.within == pytest.approx(within)


@settings(deadline=None)
@given(st.integers(2, 6), st.integers(2, 5), st.integers(0, 1000))
def test_they_put_the_variance_of_the_mean_together_again(
    families: int, trials: int, seed: int
) -> None:
    """σ²_b / F + σ²_w / (F n) is the squared standard error of the family means."""
    base, candidate, _ = scores(np.random.default_rng(seed), families, trials)
    found = variance_components(base.tolist(), candidate.tolist())
    means = candidate.mean(axis=1) - base.mean(axis=1)
    assert found.between is not None
    assert found.within is not None
    whole = found.between / families + found.within / (families * trials)
    if found.between:
        assert whole == pytest.approx(stats.sem(means) ** 2)
    else:
        assert whole >= stats.sem(means) ** 2 - 1e-12


def test_components_that_the_data_cannot_tell() -> None:
    nan = math.nan
    assert variance_components([], []) == Components(None, None, 0)
    assert variance_components([[1.0], [0.0]], [[1.0], [1.0]]) == Components(None, None, 2)
    assert variance_components([[1.0, 0.0]], [[1.0, 1.0]]) == Components(None, 0.5, 1)
    lost = variance_components([[1.0, nan, 0.0], [nan], [1.0]], [[1.0, 1.0], [1.0], []])
    assert lost == Components(None, 0.5, 1)
    same = variance_components([[1.0, 1.0]] * 3, [[1.0, 1.0]] * 3)
    assert same == Components(0.0, 0.0, 3)


def test_the_families_and_trials_that_are_needed_give_the_wanted_power() -> None:
    """Panels of the size that `needed` names find the effect about as often as asked."""
    random = np.random.default_rng(5)
    base, candidate, between = scores(random, 4_000, 4)
    within = float(sum(side.var(axis=1, ddof=1).mean() for side in (base, candidate)))
    wanted = needed(0.1, Components(between, within, 40), trials=4)
    assert wanted.families is not None
    assert wanted.trials is not None
    for families, trials in ((wanted.families, 4), (40, wanted.trials)):
        hits = 0
        for _ in range(600):
            one, other, _ = scores(random, families, trials, effect=0.1)
            means = other.mean(axis=1) - one.mean(axis=1)
            hits += abs(means.mean()) > 1.96 * stats.sem(means)
        assert 0.75 <= hits / 600 <= 0.87


@settings(deadline=None)
@given(
    st.floats(0.02, 0.5), st.floats(0, 0.3), st.floats(0, 0.5),
    st.integers(2, 80), st.integers(1, 8),
)  # fmt: skip
def test_what_is_needed_is_the_least_that_is_enough(
    effect: float, between: float, within: float, families: int, trials: int
) -> None:
    found = needed(effect, Components(between, within, families), trials=trials)

    def enough(f: int, n: int) -> bool:
        return Z * math.sqrt(between / f + within / (f * n)) <= effect * (1 + 1e-9)

    assert found.families is not None
    assert enough(found.families, trials)
    assert found.families == 2 or not enough(found.families - 1, trials)
    if found.trials is None:
        assert not enough(families, 10**9)
    else:
        assert enough(families, found.trials)
        assert found.trials == 1 or not enough(families, found.trials - 1)


def test_what_no_number_of_trials_can_settle() -> None:
    few = needed(0.01, Components(0.1, 0.2, 10), trials=4)
    assert few.trials is None
    assert few.families is not None
    assert few.families > 10_000
    for components in (Components(None, 0.1, 5), Components(0.1, None, 5)):
        assert needed(0.1, components, trials=1).families is None
    nothing = needed(0.0, Components(0.1, 0.1, 5), trials=1)
    assert (nothing.families, nothing.trials) == (None, None)
    still = needed(0.1, Components(0.0, 0.0, 5), trials=3)
    assert (still.families, still.trials, still.families_now, still.trials_now) == (2, 1, 5, 3)


def test_the_pairs_that_a_panel_separates() -> None:
    random = np.random.default_rng(6)
    levels = {"a": 0.2, "b": 0.25, "c": 0.5, "d": 0.52, "e": 0.9}
    values = {name: random.binomial(8, rate, size=60) / 8 for name, rate in levels.items()}
    family = np.arange(60) // 2
    found = separated_share(values, family, seed=1)
    assert (found.pairs, found.unmeasured) == (10, 0)
    assert [result.name for result in found.results][:4] == ["b - a", "c - a", "d - a", "e - a"]
    apart = sum(result.excludes_zero for result in found.results)
    assert found.separated == apart
    assert found.share == apart / 10
    assert 8 <= apart <= 10
    corrected = separated_share(values, family, seed=1, corrected=True)
    assert corrected.results == found.results
    assert corrected.separated == sum(
        p is not None and p < 0.05 for p in holm([result.p for result in found.results])
    )


def test_agents_without_scores_are_unmeasured_not_equal() -> None:
    values = {"a": [1.0, 0.0, 1.0], "b": [math.nan] * 3, "c": [0.0, 0.0, None]}
    found = separated_share(values, list("xyz"), seed=1)
    assert (found.pairs, found.unmeasured) == (1, 2)
    for few in ({}, {"a": [1.0]}):
        alone = separated_share(few, ["x"][: len(few)], seed=1)
        assert (alone.separated, alone.pairs, alone.share, alone.results) == (0, 0, None, ())


@pytest.mark.parametrize(
    ("work", "told"),
    [
        (lambda: minimum_detectable_effect([1.0], ["a"], power=1.0), "power is 1.0"),
        (lambda: minimum_detectable_effect([1.0], ["a"], alpha=0), "alpha is 0"),
        (lambda: minimum_detectable_effect([1.0], []), "1 tasks need as many cluster labels"),
        (lambda: minimum_detectable_effect([math.inf], ["a"]), "differences must be finite"),
        (lambda: predicted_power(0.1, -1), "must not be negative"),
        (lambda: variance_components([[1.0]], []), "1 families cannot be paired with 0"),
        (lambda: variance_components([[math.inf]], [[1.0]]), "scores must be finite"),
        (lambda: needed(0.1, Components(0.1, 0.1, 5), trials=0), "trials is 0"),
        (lambda: separated_share({"a": [1.0], "b": []}, ["x"], seed=1), "one score a task"),
    ],
)
def test_what_makes_no_sense_is_refused(work: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        work()
