"""Krippendorff's α against the `krippendorff` package, published values and plain pairs."""

from __future__ import annotations

import math
import warnings
from itertools import permutations
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.statistics import (
    Alpha,
    Scale,
    jaccard_distance,
    krippendorff_alpha,
    leave_one_out_alpha,
    masi_distance,
)

N = None
# Krippendorff 2011, example C: four observers, twelve units, ratings missing.
PUBLISHED: list[list[int | None]] = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, N, N, N],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, N, 3],
    [N, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, N],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, N],
]

TABLE = st.integers(1, 7).flatmap(
    lambda units: st.lists(
        st.lists(st.integers(1, 5) | st.none(), min_size=units, max_size=units),
        min_size=2,
        max_size=5,
    )
)
SETS = st.frozensets(st.sampled_from("abc"))
SET_TABLE = st.integers(1, 5).flatmap(
    lambda units: st.lists(
        st.lists(SETS | st.none(), min_size=units, max_size=units), min_size=2, max_size=4
    )
)


def by_pairs(ratings: list[list[Any]], distance: Any) -> float | None:
    """α from its definition: mean differences within units and over all pairable ratings."""
    units = [[r for r in unit if r is not None] for unit in zip(*ratings, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    every = [rating for unit in units for rating in unit]
    expected = sum(distance(a, b) for a, b in permutations(every, 2))
    if not expected:
        return None
    observed = sum(
        sum(distance(a, b) for a, b in permutations(unit, 2)) / (len(unit) - 1) for unit in units
    )
    return 1 - (observed / len(every)) / (expected / (len(every) * (len(every) - 1)))


@pytest.mark.parametrize(
    ("scale", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_published_values(scale: str, value: float) -> None:
    found = krippendorff_alpha(PUBLISHED, scale)
    assert found.value is not None
    assert round(found.value, 3) == value
    assert found == Alpha(found.value, None, 11, 40, 1)


@settings(deadline=None)
@given(TABLE)
def test_it_is_the_krippendorff_packages(ratings: list[list[int | None]]) -> None:
    numbers = np.array([[math.nan if r is None else r for r in row] for row in ratings])
    for scale in (Scale.NOMINAL, Scale.ORDINAL, Scale.INTERVAL):
        found = krippendorff_alpha(ratings, scale)
        if found.value is None:
            assert found.reason in ("no unit has two ratings", "every rating is the same")
            continue
        with warnings.catch_warnings():
            # Units without ratings divide by nothing there.
            warnings.simplefilter("ignore")
            theirs = krippendorff.alpha(reliability_data=numbers, level_of_measurement=scale.value)
        assert found.value == pytest.approx(theirs, abs=1e-12)


@settings(deadline=None)
@given(SET_TABLE)
def test_sets_against_plain_pairs(ratings: list[list[frozenset[str] | None]]) -> None:
    for scale, distance in ((Scale.JACCARD, jaccard_distance), (Scale.MASI, masi_distance)):
        value = by_pairs(ratings, distance)
        found = krippendorff_alpha(ratings, scale).value
        assert found == (None if value is None else pytest.approx(value, abs=1e-12))


def test_sets_are_the_krippendorff_packages_with_a_distance_of_ones_own() -> None:
    codes = [frozenset(code) for code in ("", "a", "b", "ab", "abc", "cd")]
    numbers = np.random.default_rng(1).integers(0, 6, size=(4, 30)).astype(float)
    numbers[np.random.default_rng(2).random((4, 30)) < 0.2] = np.nan
    ratings = [[None if np.isnan(n) else codes[int(n)] for n in row] for row in numbers]

    def masi(v1: Any, v2: Any, **_: Any) -> Any:
        shapes = np.broadcast_arrays(v1, v2)
        flat = [
            masi_distance(codes[int(a)], codes[int(b)])
            for a, b in zip(shapes[0].ravel(), shapes[1].ravel(), strict=True)
        ]
        return np.array(flat).reshape(shapes[0].shape)

    def metric(v1: Any, v2: Any, i1: Any, i2: Any, n_v: Any, dtype: Any = float) -> Any:
        del i1, i2, n_v, dtype
        return masi(v1, v2)

    theirs = krippendorff.alpha(reliability_data=numbers, level_of_measurement=metric)
    assert krippendorff_alpha(ratings, "masi").value == pytest.approx(theirs, abs=1e-12)


def test_distances_of_sets() -> None:
    a, ab, abc, bc, none = (frozenset(text) for text in ("a", "ab", "abc", "bc", ""))
    assert jaccard_distance(ab, abc) == pytest.approx(1 / 3)
    assert masi_distance(ab, abc) == pytest.approx(1 - 2 / 3 * 2 / 3)
    assert masi_distance(ab, bc) == pytest.approx(1 - 1 / 3 * 1 / 3)
    assert masi_distance(a, bc) == jaccard_distance(a, bc) == 1
    assert masi_distance(none, none) == jaccard_distance(none, none) == 0
    assert masi_distance(none, a) == jaccard_distance(none, a) == 1
    assert masi_distance(ab, ab) == 0


def test_labels_may_be_words_and_levels_give_them_an_order() -> None:
    words = ["poor", "fair", "good", "fine", "best"]
    worded = [[None if r is None else words[r - 1] for r in row] for row in PUBLISHED]
    for scale, levels in (("nominal", None), ("ordinal", words)):
        assert krippendorff_alpha(worded, scale, levels=levels) == krippendorff_alpha(
            PUBLISHED, scale
        )
    assert krippendorff_alpha(worded, "ordinal", levels=sorted(words)) != krippendorff_alpha(
        PUBLISHED, "ordinal"
    )


def test_full_agreement_is_one_and_a_systematic_difference_is_below_zero() -> None:
    for scale in ("nominal", "ordinal", "interval"):
        assert krippendorff_alpha([[1, 2, 3], [1, 2, 3]], scale).value == 1.0
    found = krippendorff_alpha([[0, 1] * 4, [1, 0] * 4], "nominal").value
    assert found is not None
    assert found < 0


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize(
    ("ratings", "reason", "counts"),
    [
        ([], "no unit has two ratings", (0, 0, 0)),
        ([[], []], "no unit has two ratings", (0, 0, 0)),
        ([[1, 2, 3]], "no unit has two ratings", (0, 0, 3)),
        ([[1, None, math.nan], [None, 2, None]], "no unit has two ratings", (0, 0, 2)),
        ([[1, 1, 1], [1, 1, None]], "every rating is the same", (2, 4, 1)),
    ],
)
def test_where_none_is_defined(
    scale: str, ratings: Any, reason: str, counts: tuple[int, int, int]
) -> None:
    assert krippendorff_alpha(ratings, scale) == Alpha(None, reason, *counts)


def test_without_each_rater_in_turn() -> None:
    random = np.random.default_rng(3)
    truth = random.integers(1, 6, size=60)
    raters = [np.clip(truth + random.integers(-1, 2, size=60), 1, 5).tolist() for _ in range(4)]
    raters.append(random.integers(1, 6, size=60).tolist())
    found = leave_one_out_alpha(raters, "ordinal")
    assert len(found) == 5
    for place, one in enumerate(found):
        kept = [row for at, row in enumerate(raters) if at != place]
        theirs = krippendorff.alpha(reliability_data=kept, level_of_measurement="ordinal")
        assert one.value == pytest.approx(theirs, abs=1e-12)
    values = [one.value for one in found if one.value is not None]
    assert max(values) == values[4]
    assert leave_one_out_alpha([[1, 2], [1, 2]], "nominal")[0].value is None


@pytest.mark.parametrize(
    ("ratings", "scale", "levels", "told"),
    [
        ([[1], [1, 2]], "nominal", None, "every rater needs one rating a unit"),
        ([["a"], ["b"]], "interval", None, "interval needs finite numbers, not 'a'"),
        ([[1.0], [math.inf]], "interval", None, "interval needs finite numbers, not inf"),
        ([["a"], ["b"]], "ordinal", None, "ordinal needs finite numbers"),
        ([["a"], ["b"]], "ordinal", ["a"], "'b' is none of the levels"),
        ([["a"], ["b"]], "nominal", ["a"], "levels are for ordinal ratings"),
        ([["a"], ["b"]], "masi", None, "masi needs sets of labels, not 'a'"),
        ([[1], [2]], "ratio", None, "'ratio' is not a valid Scale"),
    ],
)
def test_ratings_that_do_not_fit_are_refused(
    ratings: Any, scale: str, levels: Any, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        krippendorff_alpha(ratings, scale, levels=levels)
