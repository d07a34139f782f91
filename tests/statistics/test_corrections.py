"""Holm's correction against the step-down procedure itself."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.statistics import holm

P = st.floats(0, 1) | st.sampled_from([0.0, 0.01, 0.05, 1.0])


def rejected(p: list[float], alpha: float) -> list[bool]:
    """Holm's procedure: from the smallest p on, reject while p <= alpha / (those left)."""
    found = [False] * len(p)
    for rank, place in enumerate(sorted(range(len(p)), key=lambda at: p[at])):
        if p[place] > alpha / (len(p) - rank):
            break
        found[place] = True
    return found


@given(st.lists(P, min_size=1, max_size=12), st.floats(0.001, 0.999))
def test_an_adjusted_p_rejects_what_the_procedure_rejects(p: list[float], alpha: float) -> None:
    for value, adjusted, out in zip(p, holm(p), rejected(p, alpha), strict=True):
        assert adjusted is not None
        assert adjusted >= value
        if not math.isclose(adjusted, alpha, rel_tol=1e-9):
            assert (adjusted <= alpha) == out


@given(st.lists(P, min_size=1, max_size=12))
def test_against_the_closed_formula(p: list[float]) -> None:
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate((len(p) - np.arange(len(p))) * np.array(p)[order])
    expected = np.empty(len(p))
    expected[order] = np.minimum(stepped, 1)
    assert holm(p) == tuple(expected.tolist())


@given(st.lists(P | st.none(), max_size=12))
def test_untested_hypotheses_do_not_count(p: list[float | None]) -> None:
    found = holm(p)
    assert [value is None for value in found] == [value is None for value in p]
    assert [value for value in found if value is not None] == list(
        holm([value for value in p if value is not None])
    )


def test_known_values() -> None:
    assert holm([0.01, 0.011]) == (0.02, 0.02)
    assert holm([0.04, None, 0.01, 0.03]) == (0.06, None, 0.03, 0.06)
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == ()
    assert holm([None]) == (None,)


@pytest.mark.parametrize("p", [-0.1, 1.1, math.nan])
def test_what_is_no_chance_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="p value 1 is"):
        holm([0.5, p])
