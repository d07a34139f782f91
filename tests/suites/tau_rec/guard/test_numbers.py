"""Numbers in words, against an independent speller."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.suites.tau_rec.guard.clauses import clauses
from mystery_shopper.suites.tau_rec.guard.numbers import numbers

UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = ["", "", *"twenty thirty forty fifty sixty seventy eighty ninety".split()]


def below_hundred(number: int) -> str:
    if number < 20:
        return UNITS[number]
    return TENS[number // 10] + (f"-{UNITS[number % 10]}" if number % 10 else "")


def spell(number: int) -> str:
    if number < 100:
        return below_hundred(number)
    if number < 1000:
        rest = f" and {below_hundred(number % 100)}" if number % 100 else ""
        return f"{UNITS[number // 100]} hundred{rest}"
    rest = number % 1000
    joint = " and " if 0 < rest < 100 else " "
    return f"{spell(number // 1000)} thousand{joint + spell(rest) if rest else ''}"


def read(text: str) -> list[tuple[float, bool]]:
    return [(n.value, n.decade) for clause in clauses(text) for n in numbers(clause.words)]


@given(st.integers(13, 99_999))
def test_spelt_numbers(number: int) -> None:
    assert read(f"It should be {spell(number)} at most.") == [(number, False)]


@given(st.integers(1300, 2199).filter(lambda year: year % 100 >= 10))
def test_years_in_two_halves(year: int) -> None:
    text = f"{below_hundred(year // 100)} {below_hundred(year % 100)}"
    assert read(f"since {text}, please") == [(year, False)]


@given(st.integers(0, 10**7))
def test_digits(number: int) -> None:
    assert read(f"at least {number}") == [(number, False)]
    assert read(f"at least {number:,}.") == [(number, False)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("£49.99", [(49.99, False)]),
        ("50cm", [(50, False)]),
        ("nineteen-ninety", [(1990, False)]),
        ("nineteen oh five", [(1905, False)]),
        ("two thousand and five", [(2005, False)]),
        ("nineteen hundred and ninety", [(1990, False)]),
        ("the 1990s", [(1990, True)]),
        ("the 1990's", [(1990, True)]),
        ("the '90s", [(1990, True)]),
        ("the nineties", [(1990, True), (2090, True)]),
        ("nineteen nineties", [(1990, True)]),
        ("the noughties", [(1900, True), (2000, True)]),
        ("one or two of us, ten at most", []),
        ("the first one", []),
        ("3 thousand", [(3000, False)]),
    ],
)
def test_wordings(text: str, found: list[tuple[float, bool]]) -> None:
    assert read(text) == found


def test_a_decade_tells_the_bounds_in_it() -> None:
    [decade] = numbers(("1990s",))
    assert [decade.tells(bound) for bound in (1989, 1990, 1995, 1999, 2000)] == [
        False, True, True, True, False,
    ]  # fmt: skip
