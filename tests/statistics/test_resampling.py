"""The exact product against rational arithmetic, and the drawn clusters against a plain count."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.foundation import generator
from mystery_shopper.statistics.resampling import Exact, cluster_weights

VALUE = st.floats(-1e6, 1e6) | st.sampled_from([0.1, 1 / 3, -1e-9, 0.0, 0.125])
TABLE = st.integers(1, 9).flatmap(
    lambda rows: st.tuples(
        st.lists(VALUE, min_size=rows, max_size=rows),
        st.lists(st.integers(-3, 40), min_size=rows, max_size=rows),
    )
)


@settings(deadline=None)
@given(TABLE)
def test_the_product_is_the_true_one_rounded(drawn: tuple[list[float], list[int]]) -> None:
    values, weights = drawn
    exact = Exact(np.array(values)[:, None], sum(map(abs, weights)))
    found = exact.times(np.array([weights], dtype=np.float64))[0, 0]
    true = sum((w * Fraction(v) for v, w in zip(values, weights, strict=True)), Fraction())
    # One rounding, and what lies below the second slice of the largest value.
    room = Fraction(np.spacing(abs(float(true)))) + Fraction(max(map(abs, values))) / 2**80
    assert abs(Fraction(float(found)) - true) <= room


@settings(deadline=None)
@given(TABLE, st.randoms())
def test_no_bit_depends_on_the_order_of_the_sum(
    drawn: tuple[list[float], list[int]], random: object
) -> None:
    values, weights = np.array(drawn[0]), np.array(drawn[1], dtype=np.float64)
    order = np.array(sorted(range(len(values)), key=lambda _: random.random()))  # type: ignore[attr-defined]
    size = int(np.abs(weights).sum())
    one = Exact(values[:, None], size).times(weights[None])
    other = Exact(values[order, None], size).times(weights[None, order])
    assert one.tobytes() == other.tobytes()


def test_large_and_small_columns_do_not_disturb_each_other() -> None:
    table = np.array([[1e300, 1e-300, 0.0, 1.0], [2e300, 3e-300, 0.0, 1 / 3]])
    found = Exact(table, 5).times(np.array([[2.0, 3.0], [0.0, 1.0]]))
    np.testing.assert_allclose(
        found.T, [[8e300, 1.1e-299, 0, 3], [2e300, 3e-300, 0, 1 / 3]], rtol=1e-15
    )
    assert Exact(np.zeros((3, 0)), 3).times(np.ones((2, 3))).shape == (0, 2)


@pytest.mark.parametrize("cells", [1, 37, 10_000])
def test_weights_count_the_drawn_clusters(cells: int) -> None:
    blocks = list(cluster_weights(7, purpose="some", seed=3, resamples=50, cells=cells))
    drawn = generator("some", 3).integers(7, size=(50, 7))
    assert [len(block) for block in blocks][:1] == [min(50, max(1, cells // 7))]
    expected = [[row.tolist().count(place) for place in range(7)] for row in drawn]
    assert np.concatenate(blocks).tolist() == expected
