"""Caps that cap, and text and arguments that any file can hold."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from decimal import Decimal
from enum import IntEnum, StrEnum
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.dialogue import Limits
from mystery_shopper.dialogue.limits import clean_arguments, clean_text
from mystery_shopper.foundation import InputError

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


def short(value: object) -> str:
    """A name for a case that may be too long to be its own."""
    return type(value).__name__


class Mute:
    """Cannot be told in words."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Torn(Mapping[str, int]):
    """A mapping that breaks as it is read."""

    def __getitem__(self, key: str) -> int:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        raise RuntimeError("torn")

    def __len__(self) -> int:
        return 1


class Number(IntEnum):
    TWO = 2


class Word(StrEnum):
    TWO = "two"


def test_the_caps_are_the_papers() -> None:
    limits = Limits()
    assert (limits.turns, limits.calls, limits.grace, limits.seconds) == (20, 150, 10, 600)


@pytest.mark.parametrize(
    ("caps", "told"),
    [
        ({"turns": 0}, "turns is 0"),
        ({"calls": -1}, "calls is -1"),
        ({"grace": 0}, "grace is 0"),
        ({"text": 0}, "text is 0"),
        ({"seconds": 0}, "seconds is 0"),
        ({"seconds": math.nan}, "seconds is nan"),
        ({"turns": 0, "grace": 0}, "2 problems"),
    ],
)
def test_caps_that_cap_nothing_are_refused(caps: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        Limits(**caps)


@pytest.mark.parametrize(
    ("text", "kept", "cut"),
    [
        ("hello", "hello", 0),
        ("hello world", "hello worl", 1),
        ("", "", 0),
        (None, "", 0),
        (5, "5", 0),
        (b"ab", "b'ab'", 0),
        ("é\u2028\0", "é\u2028\0", 0),
        ("a\ud800b", "a\ufffdb", 0),
        ("\udc00", "\ufffd", 0),
        ("\ud83d\ude00", "\U0001f600", 0),
        ("x" * 9 + "\ud83d\ude00", "x" * 9 + "\ufffd", 1),
        (Word.TWO, "two", 0),
        (Mute(), "<Mute>", 0),
        (10**6000, "<int>", 0),
    ],
    ids=short,
)
def test_clean_text(text: object, kept: str, cut: int) -> None:
    assert clean_text(text, 10) == (kept, cut)


def test_no_memory_address_enters_a_transcript() -> None:
    assert clean_text(object(), 100) == ("<object object>", 0)
    assert clean_text("kept at 0xAB", 100) == ("kept at 0xAB", 0)


@settings(deadline=None)
@given(
    st.text(st.characters()) | st.text(st.characters(categories=["Cs", "Lu"])), st.integers(1, 9)
)
def test_clean_text_can_always_be_written(text: str, limit: int) -> None:
    kept, cut = clean_text(text, limit)
    kept.encode("utf-8")
    assert len(kept) <= limit
    assert cut == max(0, len(text) - limit)
    assert clean_text(kept, limit) == (kept, 0)


@settings(deadline=None)
@given(JSON)
def test_what_json_can_hold_is_kept_as_it_is(value: object) -> None:
    clean = clean_arguments(value, 10_000)
    assert clean == value
    assert msgspec.json.decode(msgspec.json.encode(clean)) == value


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ((1, 2), [1, 2]),
        ({"b", "a"}, ["a", "b"]),
        (frozenset({3}), [3]),
        (MappingProxyType({"a": (1,)}), {"a": [1]}),
        ({1: "x", None: "y"}, {"1": "x", "": "y"}),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
        (np.float64(1.5), 1.5),
        (Number.TWO, 2),
        (Word.TWO, "two"),
        (2**63, str(2**63)),
        (-(2**63), -(2**63)),
        (10**6000, "<int>"),
        (Decimal("1.50"), "1.50"),
        (PurePosixPath("a/b"), "a/b"),
        (Mute(), "<Mute>"),
        ({"a": Mute()}, {"a": "<Mute>"}),
        (Torn(), "<Torn>"),
        ("\ud800", "\ufffd"),
        ({"\ud800": 1}, {"\ufffd": 1}),
    ],
    ids=short,
)
def test_the_rest_becomes_the_nearest_that_json_can_hold(value: object, kept: object) -> None:
    clean = clean_arguments(value, 1000)
    assert clean == kept
    assert type(clean) is type(kept)
    assert msgspec.json.decode(msgspec.json.encode(clean)) == kept


def test_depth_breadth_and_length_are_bounded_together() -> None:
    knot: list[object] = []
    knot += [knot, knot]
    assert len(json.dumps(clean_arguments(knot, 1000))) < 200_000
    assert len(json.dumps(clean_arguments([0] * 10**6, 1000))) < 40_000
    assert len(json.dumps(clean_arguments({str(n): n for n in range(10**5)}, 10**6))) < 200_000
    assert clean_arguments(["x" * 600, "y" * 600, "z"], 1000) == ["x" * 600, "y" * 400, ""]
    deep: object = 1
    for _ in range(100_000):
        deep = [deep]
    assert json.dumps(clean_arguments(deep, 10), ensure_ascii=False).count("[") == 32
