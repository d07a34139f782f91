"""Patterns over an agent's words: what Python's own engine finds, in time that stays bounded."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.agents.deployed.patterns import IdPattern, PatternError

PATTERNS = [r"ref (?P<id>[A-Z0-9]+)", r"(?i)(a|b)-(?P<id>\d{1,3})", r"#(?P<id>[^#\s]+)"]


@given(st.sampled_from(PATTERNS), st.text("refABab-#019 \n", max_size=60))
def test_it_finds_what_python_finds(pattern: str, text: str) -> None:
    expected = [found["id"] for found in re.finditer(pattern, text)]
    assert IdPattern.read(pattern).ids(text) == expected


@pytest.mark.parametrize("pattern", [r"(?P<id>(a+)+)$", r"(?P<id>(?:a|aa)+)!", r"(a*)*(?P<id>b)"])
def test_no_pattern_hangs(pattern: str) -> None:
    started = time.monotonic()
    IdPattern.read(pattern).ids("a" * 200_000 + "c")
    assert time.monotonic() - started < 2


def test_any_text_can_be_read() -> None:
    assert IdPattern.read(r"(?P<id>x\d)").ids("\ud800\x00 x1 é x2") == ["x1", "x2"]


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (r"ref (\d+)", "has no group"),
        (r"(?P<id>", "no regular expression"),
        (r"(?P<id>a)(?=b)", "cannot be used"),
        (r"(?P<id>a)(?P=id)", "cannot be used"),
        (r"(?P<id>(a{900}){900})", "cannot be used"),
        ("(?P<id>" + "a" * 400 + ")", "more than 300"),
    ],
)
def test_what_cannot_be_used_is_said(pattern: str, told: str) -> None:
    with pytest.raises(PatternError, match=told):
        IdPattern.read(pattern)
