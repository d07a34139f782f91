"""Contrasts by hand: group differences, and clustered errors against the bootstrap's."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from mystery_shopper.statistics import (
    Contrast,
    average,
    clustered_error,
    group_differences,
    interaction,
    paired_bootstrap,
    sign_flip,
)

SCORE = st.floats(-2, 2) | st.just(math.nan)
ROWS = st.lists(st.tuples(SCORE, st.sampled_from("abcd")), min_size=1, max_size=9)


@settings(deadline=None)
@given(st.lists(ROWS, min_size=1, max_size=3))
def test_the_mean_over_groups_is_the_estimate(every: list[Any]) -> None:
    contrasts = [Contrast("c", [d for d, _ in rows], [c for _, c in rows]) for rows in every]
    whole = average("all", contrasts)
    (found,) = paired_bootstrap([whole], seed=1, resamples=1)
    for groups in (None, {"a": "x", "b": "x", "c": "y", "d": "z"}):
        names, values = group_differences(whole, groups)
        if found.estimate is None:
            assert (names, len(values)) == ((), 0)
        else:
            assert list(names) == sorted(set(names))
            assert values.mean() == pytest.approx(found.estimate, abs=1e-12)


def test_flipping_templates_flips_their_families() -> None:
    """The sign-flip test over templates is that of the rows, flipped a template at a time."""
    random = np.random.default_rng(1)
    families = [f"f{place}" for place in range(20)]
    template = {family: f"t{place % 7}" for place, family in enumerate(families)}
    values = random.normal(0.3, 1, size=20)
    names, groups = group_differences(Contrast("c", values, families), template)
    assert names == tuple(f"t{place}" for place in range(7))
    own = sign_flip(values, seed=1, clusters=[template[family] for family in families])
    found = sign_flip(groups, seed=1)
    assert (found.p, found.clusters) == (own.p, 7)
    assert found.estimate == pytest.approx(values.mean())


def test_groups_of_an_interaction() -> None:
    first = Contrast("first", [1.0, 0.0, 0.5], list("abc"))
    second = Contrast("second", [0.5, math.nan, 0.25], list("abc"))
    names, values = group_differences(
        interaction("i", first, second), {"a": "x", "b": "y", "c": "y"}
    )
    assert names == ("x", "y")
    # x: 1/3 - 0.5/2; y: 0.5/3 - 0.25/2; times two groups.
    assert values.tolist() == pytest.approx([2 * (1 / 3 - 1 / 4), 2 * (0.5 / 3 - 0.125)])
    with pytest.raises(ValueError, match="first: cluster a has no group"):
        group_differences(first, {})


def test_the_error_of_an_average_is_that_of_the_family_means() -> None:
    table = np.random.default_rng(2).normal(size=(30, 4, 3)) + np.arange(4)[:, None]
    family = np.repeat(np.arange(30), 3)
    agents = [Contrast(f"{a}", table[:, a].ravel(), family) for a in range(4)]
    error, count = clustered_error(average("all", agents))
    assert error == pytest.approx(stats.sem(table.mean(axis=(1, 2))))
    assert count == 30
    gap, _ = clustered_error(interaction("gap", agents[0], agents[3]))
    assert gap == pytest.approx(stats.sem((table[:, 0] - table[:, 3]).mean(axis=1)))


def test_the_error_of_uneven_terms_is_the_bootstraps() -> None:
    random = np.random.default_rng(3)
    contrasts = []
    for _ in range(3):
        family = random.integers(0, 80, size=250)
        values = random.normal(size=80)[family] + random.normal(size=250)
        contrasts.append(Contrast("c", values, family, random.uniform(0.5, 2, size=250)))
    whole = average("all", contrasts)
    (found,) = paired_bootstrap([whole], seed=1)
    error, _ = clustered_error(whole)
    assert found.low is not None
    assert found.high is not None
    assert error == pytest.approx((found.high - found.low) / (2 * 1.96), rel=0.06)


def test_below_two_clusters_a_term_has_no_error() -> None:
    one = Contrast("one", [0.5, 1.0], ["a", "a"])
    other = Contrast("other", [0.5, 1.0], ["a", "b"])
    assert clustered_error(one) == (None, 1)
    assert clustered_error(average("both", [one, other])) == (None, 2)
    assert clustered_error(Contrast("none", [], [])) == (None, 0)
    assert clustered_error(Contrast("same", [0.1] * 3, list("abc"))) == (0.0, 3)
