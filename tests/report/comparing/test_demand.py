"""What `--fail-if` reads, and when it fails."""

from __future__ import annotations

import re

import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.report.comparing import demand


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("success < -0.05", "success < -0.05"),
        (" success@hidden<-0.1 ", "success@hidden < -0.1"),
        ("pass^4 <= -0.02", "pass^4 <= -0.02"),
        ("turns >= 2", "turns >= 2"),
        ("tool-errors > 0.5", "tool-errors > 0.5"),
        ("success < 0", "success < 0"),
        ("success < -5e-2", "success < -0.05"),
    ],
)
def test_a_condition_is_a_measure_a_sign_and_a_number(text: str, read: str) -> None:
    assert str(demand(text)) == read


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is no condition"),
        ("success", "is no condition"),
        ("success < much", "is no condition"),
        ("success < nan", "is no condition"),
        ("success < -inf", "is no condition"),
        ("success == 0", "is no condition"),
        ("success << -1", "is no condition"),
        ("joy < -0.1", "is no measure"),
        ("pass^0 < -0.1", "is no measure"),
        ("success < 0.05", "holds where the two are equal"),
        ("turns > -1", "holds where the two are equal"),
        ("foo < 1", "is no measure"),
        ("sucess < 1", "'sucess' is no measure; did you mean 'success'?"),
    ],
)
def test_anything_else_is_refused_with_the_form(text: str, told: str) -> None:
    with pytest.raises(InputError, match=re.escape(told)) as caught:
        demand(text)
    assert caught.value.where == "--fail-if"
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("text", "estimate", "low", "high", "broken"),
    [
        ("success < -0.05", -0.08, -0.12, -0.01, True),
        ("success < -0.05", -0.08, -0.17, 0.01, False),
        ("success < -0.05", -0.04, -0.06, -0.02, False),
        ("success < -0.05", -0.05, -0.07, -0.02, False),
        ("success <= -0.05", -0.05, -0.07, -0.02, True),
        ("success < -0.05", 0.2, 0.1, 0.3, False),
        ("turns > 1", 1.5, 0.5, 2.5, True),
        ("turns > 1", -3.0, -4.0, -2.0, False),
        ("turns >= 1", 1.0, 0.1, 2.0, True),
        ("success < 0", 0.0, 0.0, 0.0, False),
        ("success < -0.05", None, None, None, None),
        ("success < -0.05", -0.5, None, None, None),
    ],
)
def test_it_fails_beyond_its_number_where_chance_is_ruled_out(
    text: str, estimate: float | None, low: float | None, high: float | None, broken: bool | None
) -> None:
    assert demand(text).broken(estimate, low, high) is broken
