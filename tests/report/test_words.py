"""How figures are worded."""

from __future__ import annotations

import pytest

from mystery_shopper.report.words import p_value, told_p


@pytest.mark.parametrize(
    ("p", "at_floor", "cell", "told"),
    [
        (0.0123, False, "0.0123", "p = 0.0123"),
        (0.00011, True, "≤ 0.0001", "p ≤ 0.0001"),
        (2**-17, False, "< 0.0001", "p < 0.0001"),
        (0.00005, False, "0.0001", "p = 0.0001"),
        (1.0, False, "1.0000", "p = 1.0000"),
    ],
)
def test_a_p_value_is_never_nought(p: float, at_floor: bool, cell: str, told: str) -> None:
    assert (p_value(p, at_floor), told_p(p, at_floor)) == (cell, told)
