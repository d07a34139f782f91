"""Paired contrasts against plain loops and scipy's bootstrap, and at their edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mystery_shopper.foundation import generator
from mystery_shopper.statistics import (
    Combined,
    Contrast,
    ContrastResult,
    average,
    cluster_bootstrap,
    interaction,
    paired_bootstrap,
)

SCORE = st.floats(-5, 5) | st.just(math.nan) | st.sampled_from([0.0, 0.25, -0.5])
ROW = st.tuples(SCORE, st.sampled_from("abcde"), st.floats(0.1, 4))
ROWS = st.lists(ROW, min_size=1, max_size=10)


def column(name: str, rows: list[tuple[float, str, float]], weighted: bool = True) -> Contrast:
    return Contrast(
        name,
        [row[0] for row in rows],
        [row[1] for row in rows],
        [row[2] for row in rows] if weighted else None,
    )


def by_loops(
    every: list[list[tuple[float, str, float]]], seed: int, resamples: int
) -> list[list[float]]:
    """Draw clusters of all contrasts one by one; a contrast's mean is over the rows they bring."""
    names = sorted({c for rows in every for d, c, _ in rows if not math.isnan(d)})
    draws: list[list[float]] = [[] for _ in every]
    random = generator("paired_bootstrap", seed)
    for drawn in random.integers(len(names), size=(resamples, len(names))):
        for place, rows in enumerate(every):
            picked = [
                (d, w) for at in drawn for d, c, w in rows
                if c == names[at] and not math.isnan(d)
            ]  # fmt: skip
            if picked:
                total = math.fsum(w for _, w in picked)
                draws[place].append(math.fsum(d * w for d, w in picked) / total)
    return draws


@settings(max_examples=60, deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=3), st.integers(0, 99))
def test_results_are_those_of_plain_loops(every: list[Any], seed: int) -> None:
    found = paired_bootstrap(
        [column(str(place), rows) for place, rows in enumerate(every)], seed=seed, resamples=40
    )
    if all(math.isnan(row[0]) for rows in every for row in rows):
        assert all(result.estimate is None for result in found)
        return
    for result, rows, draws in zip(found, every, by_loops(every, seed, 40), strict=True):
        kept = [row for row in rows if not math.isnan(row[0])]
        clusters = {c for _, c, _ in kept}
        assert (result.tasks, result.unpaired) == (len(kept), len(rows) - len(kept))
        assert result.clusters == len(clusters)
        if not kept:
            assert result.estimate is None
            continue
        mean = math.fsum(d * w for d, _, w in kept) / math.fsum(w for _, _, w in kept)
        assert result.estimate == pytest.approx(mean, abs=1e-12)
        if len(clusters) < 2:
            assert (result.low, result.high, result.p, result.smallest_p) == (None,) * 4
            continue
        low, high = np.quantile(draws, [0.025, 0.975])
        assert (result.low, result.high) == pytest.approx((low, high), abs=1e-12)
        assert result.smallest_p == 1 / (len(draws) + 1)
        # A tie up to rounding counts as far; loops round otherwise.
        far = [sum(abs(d - mean) >= abs(mean) + room for d in draws) for room in (1e-9, -1e-9)]
        assert result.p is not None
        assert (far[0] + 1) / (len(draws) + 1) <= result.p <= (far[1] + 1) / (len(draws) + 1)


def scipys(values: np.ndarray, seed: int) -> Any:
    return stats.bootstrap(
        (values,),
        np.mean,
        n_resamples=40_000,
        method="percentile",
        rng=np.random.default_rng(seed),
    )


@pytest.mark.parametrize("shift", [0.0, 0.15, 1.0])
def test_interval_and_p_agree_with_scipys_bootstrap(shift: float) -> None:
    values = np.random.default_rng(1).normal(size=60) + shift
    (ours,) = paired_bootstrap([Contrast("c", values, range(60))], seed=1, resamples=40_000)
    theirs = scipys(values, 2)
    interval = theirs.confidence_interval
    assert (ours.low, ours.high) == pytest.approx((interval.low, interval.high), abs=0.012)
    draws, mean = theirs.bootstrap_distribution, values.mean()
    far = np.count_nonzero(np.abs(draws - mean) >= abs(mean))
    assert ours.p == pytest.approx((far + 1) / 40_001, abs=0.012)
    # And, for so smooth a mean, with the t test.
    assert ours.p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, abs=0.03)


def test_a_model_average_agrees_with_scipy_on_family_means() -> None:
    random = np.random.default_rng(3)
    table = random.integers(-8, 9, size=(51, 4, 3)) / 8 + random.normal(size=(51, 1, 1)) / 4
    family = np.repeat(np.arange(51), 3)
    agents = [Contrast(f"agent {a}", table[:, a].ravel(), family) for a in range(4)]
    *each, ours = paired_bootstrap([*agents, average("all", agents)], seed=1, resamples=40_000)
    theirs = scipys(table.mean(axis=(1, 2)), 4).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.004)
    assert ours.estimate == pytest.approx(table.mean(), abs=1e-12)
    assert ours.estimate == pytest.approx(np.mean([one.estimate for one in each]), abs=1e-12)
    assert (ours.tasks, ours.clusters, ours.unpaired) == (612, 51, 0)


def test_a_difference_of_differences_is_paired_by_its_draws() -> None:
    random = np.random.default_rng(5)
    keyword, gain = random.normal(size=80), random.normal(0.3, 0.1, size=80)
    family = np.arange(80) // 2
    first = Contrast("structured", keyword + gain, family)
    second = Contrast("keyword", keyword, family)
    both, own = paired_bootstrap(
        [interaction("gain", first, second), Contrast("own", gain, family)], seed=1
    )
    for name in ("estimate", "low", "high", "p"):
        assert getattr(both, name) == pytest.approx(getattr(own, name), abs=1e-12)
    assert (both.tasks, both.clusters) == (160, 40)
    averages = [average("a", [first, second]), average("b", [second])]
    (nested,) = paired_bootstrap([interaction("nested", *averages)], seed=1)
    assert nested.estimate == pytest.approx(gain.mean() / 2)


def test_an_average_counts_each_agent_the_same_whatever_was_lost() -> None:
    few = Contrast("few", [1.0, math.nan, math.nan], list("abc"))
    many = Contrast("many", [0.0, 0.0, 0.0], list("abc"))
    none = Contrast("none", [math.nan] * 3, list("abc"))
    mean, lost = paired_bootstrap(
        [average("mean", [few, many]), average("lost", [few, none])], seed=1, resamples=100
    )
    assert (mean.estimate, mean.tasks, mean.unpaired, mean.clusters) == (0.5, 4, 2, 3)
    assert (lost.estimate, lost.low, lost.p, lost.tasks, lost.unpaired) == (None, None, None, 1, 5)


def test_a_term_of_one_cluster_does_not_look_certain() -> None:
    one, other = Contrast("one", [1.0, 0.5], ["a", "a"]), Contrast("other", [0.5, 0.5], ["b", "c"])
    (found,) = paired_bootstrap([average("both", [one, other])], seed=1, resamples=200)
    assert (found.estimate, found.low, found.p, found.clusters) == (0.625, None, None, 3)


def test_weights_are_as_good_as_rows_repeated() -> None:
    rows = [(0.5, "a"), (-0.25, "b"), (1.0, "c"), (0.0, "a")]
    weights = [3, 1, 2, 1]
    repeated = [row for row, count in zip(rows, weights, strict=True) for _ in range(count)]
    (one,) = paired_bootstrap(
        [Contrast("w", [d for d, _ in rows], [c for _, c in rows], weights)], seed=2
    )
    (other,) = paired_bootstrap(
        [Contrast("w", [d for d, _ in repeated], [c for _, c in repeated])], seed=2
    )
    assert (one.estimate, one.low, one.high, one.p) == pytest.approx(
        (other.estimate, other.low, other.high, other.p), abs=1e-12
    )


def test_one_draw_serves_every_contrast_and_all_of_them_share_it() -> None:
    random = np.random.default_rng(6)
    values, family = random.normal(size=40), np.arange(40) // 2
    alone = paired_bootstrap([Contrast("a", values, family)], seed=1)
    together = paired_bootstrap(
        [Contrast("a", values, family), Contrast("b", values[:10] + 1, family[:10])], seed=1
    )
    assert together[0] == alone[0]
    twice = paired_bootstrap([Contrast("a", values, family)] * 2, seed=1)
    assert twice == (alone[0], alone[0])
    assert paired_bootstrap([], seed=1) == ()


def test_a_seed_repeats_and_no_bit_depends_on_the_order_of_rows_or_the_kind_of_label() -> None:
    random = np.random.default_rng(7)
    values, family = random.normal(size=45), np.arange(45) // 3
    order = random.permutation(45)
    one = paired_bootstrap([Contrast("a", values, family)], seed=1)
    assert paired_bootstrap([Contrast("a", values[order], family[order])], seed=1) == one
    names = [f"family-{place:02}" for place in family]
    assert paired_bootstrap([Contrast("a", values, names)], seed=1) == one
    assert paired_bootstrap([Contrast("a", values, family)], seed=2) != one


def test_fixed_results() -> None:
    """The same bytes on any machine: these were printed by one, to the last bit."""
    values = [(place * 7 % 11) / 3 - 1.2 for place in range(33)]
    (found,) = paired_bootstrap([Contrast("a", values, [place % 8 for place in range(33)])], seed=5)
    assert found == ContrastResult(
        name="a",
        estimate=0.4666666666666668,
        low=-0.01904761904761898,
        high=0.9818181818181817,
        level=0.95,
        p=0.07069293070692931,
        smallest_p=1 / 10_001,
        tasks=33,
        unpaired=0,
        clusters=8,
    )


@pytest.mark.parametrize("value", [0.1, 1 / 3, -7.7, 1e300, 5e-324])
def test_constant_data_give_the_degenerate_interval_and_the_smallest_p(value: float) -> None:
    (found,) = paired_bootstrap([Contrast("c", [value] * 7, list("aabbccd"))], seed=1)
    assert (found.estimate, found.low, found.high) == (value, value, value)
    assert found.p == found.smallest_p == 1 / 10_001
    assert found.at_floor
    assert found.excludes_zero


def test_an_average_of_constants_is_degenerate_too() -> None:
    one, other = (Contrast("c", [value] * 6, list("aabbcc")) for value in (0.1, 1 / 3))
    uneven = Contrast("c", [0.7, math.nan, 0.7, 0.7], list("aabd"))
    (found,) = paired_bootstrap([average("all", [one, other, uneven])], seed=1)
    assert found.low == found.high == found.estimate == pytest.approx((0.1 + 1 / 3 + 0.7) / 3)
    assert found.at_floor


def test_constant_zero_has_p_one() -> None:
    zero = Contrast("c", [0.0] * 6, list("aabbcc"))
    same, gone = paired_bootstrap([zero, interaction("i", zero, zero)], seed=1)
    for found in (same, gone):
        assert (found.estimate, found.low, found.high, found.p) == (0, 0, 0, 1)
        assert not found.excludes_zero
        assert not found.at_floor


@pytest.mark.parametrize(
    ("values", "clusters", "estimate"),
    [([], [], None), ([math.nan] * 2, ["a", "b"], None), ([0.5, 1.0], ["a", "a"], 0.75),
     ([None, 1.0], ["a", "b"], 1.0)],
)  # fmt: skip
def test_too_little_is_unmeasured(
    values: list[Any], clusters: list[str], estimate: float | None
) -> None:
    other = Contrast("other", [1.0, 2.0], ["c", "d"])
    for beside in ([], [other]):
        found, *_ = paired_bootstrap([Contrast("c", values, clusters), *beside], seed=1)
        assert found.estimate == estimate
        assert (found.low, found.high, found.p, found.smallest_p) == (None,) * 4
        assert not found.excludes_zero
        assert not found.at_floor


def test_the_smallest_p_after_holm_is_the_papers() -> None:
    """11 tests and 10,000 resamples: <= 0.0011 (τ-Rec-Books, table 4)."""
    (found,) = paired_bootstrap([Contrast("c", [1.0, 2.0, 3.0], "a b c".split())], seed=1)
    assert found.smallest_p is not None
    assert round(11 * found.smallest_p, 4) == 0.0011


def test_it_alarms_about_as_often_as_it_says() -> None:
    random = np.random.default_rng(8)
    alarms = 0
    for seed in range(300):
        rates = random.beta(2, 2, size=60)
        sides = random.binomial(8, rates, size=(2, 60)) / 8
        (found,) = paired_bootstrap(
            [Contrast("c", sides[1] - sides[0], np.arange(60))], seed=seed, resamples=400
        )
        assert found.p is not None
        alarms += found.p < 0.05
    assert 0.02 <= alarms / 300 <= 0.08


def test_the_shared_draw_agrees_with_the_interval_of_one_contrast() -> None:
    values, family = np.random.default_rng(9).normal(size=90), np.arange(90) // 3
    (ours,) = paired_bootstrap([Contrast("c", values, family)], seed=1, resamples=40_000)
    alone = cluster_bootstrap(values, family, seed=1, resamples=40_000)
    assert (ours.low, ours.high) == pytest.approx((alone.low, alone.high), abs=0.01)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"differences": [[1.0], [2.0]]}, r"c: differences must have one number a task, not shape"),
        ({"differences": [1.0, math.inf]}, "c: differences must be finite"),
        ({"clusters": ["a"]}, "c: 2 tasks need as many cluster labels"),
        ({"weights": [1.0]}, "c: 2 tasks need as many weights"),
        ({"weights": [1.0, 0.0]}, "c: weights must be positive"),
        ({"weights": [1.0, math.nan]}, "c: weights must be positive"),
        ({"level": 1.0}, "level is 1.0"),
        ({"resamples": 0}, "resamples is 0"),
    ],
)
def test_what_cannot_be_tested_is_refused(change: dict[str, Any], told: str) -> None:
    parts: dict[str, Any] = {"differences": [1.0, 2.0], "clusters": ["a", "b"]}
    options = {name: change[name] for name in ("level", "resamples") if name in change}
    parts |= {name: value for name, value in change.items() if name not in options}
    with pytest.raises(ValueError, match=told):
        paired_bootstrap([Contrast("c", **parts)], seed=1, **options)


def test_combinations_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="none: an average needs at least one contrast"):
        average("none", [])
    one = Contrast("c", [1.0], ["a"])
    with pytest.raises(
        ValueError, match="odd: 1 terms need as many coefficients, and at least one, not 2"
    ):
        paired_bootstrap([Combined("odd", (one,), (1.0, 2.0))], seed=1)
