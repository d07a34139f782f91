"""The nearest name is offered where one is near."""

from __future__ import annotations

import pytest

from mystery_shopper.foundation import did_you_mean


@pytest.mark.parametrize(
    ("name", "known", "told"),
    [
        ("recal", ("success", "recall"), "; did you mean 'recall'?"),
        ("f004-mixd", ("f004-hidden", "f014-mixed", "f004-mixed"), "; did you mean 'f004-mixed'?"),
        ("zebra", ("success", "recall"), ""),
        ("", ("success",), ""),
        ("success", (), ""),
    ],
)
def test_the_nearest_is_offered(name: str, known: tuple[str, ...], told: str) -> None:
    assert did_you_mean(name, known) == told
    assert did_you_mean(name, iter(known)) == told
