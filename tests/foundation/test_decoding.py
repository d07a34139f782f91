"""Strict JSON, and structs of which every fault is told."""

from __future__ import annotations

import msgspec
import pytest

from mystery_shopper.foundation import at_most, decode_fields, parse_json


class Leg(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    length: int


class Stool(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    legs: tuple[Leg, ...]
    marks: dict[str, int] = {}


def test_every_fault_is_told_with_its_place() -> None:
    problems: list[str] = []
    value = {"name": 3, "legs": [{"length": 1}, {"length": "x"}, {}], "marks": {"a": None}, "z": 1}
    assert decode_fields(value, Stool, problems, "stool") == {}
    assert [problem.split(": ")[0] for problem in problems] == [
        "stool.z", "stool.name", "stool.legs[1].length", "stool.legs[2].length", "stool.marks.a",
    ]  # fmt: skip


def test_what_is_right_is_decoded() -> None:
    problems: list[str] = []
    found = decode_fields({"name": "low", "legs": [{"length": 4}]}, Stool, problems, "")
    assert (Stool(**found), problems) == (Stool("low", (Leg(4),)), [])


def test_what_is_no_object() -> None:
    problems: list[str] = []
    assert decode_fields([], Stool, problems, "stool") == {}
    assert problems == ["stool: Expected `object`, got `array`"]


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"{", "line 1, column 2: not JSON"),
        (b"[Infinity]", "Infinity is not JSON"),
        (b'"\xff"', "byte 1 is not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_json(raw: bytes, told: str) -> None:
    with pytest.raises(ValueError, match=told.split(":")[0]):
        parse_json(raw, [])


def test_keys_that_occur_twice_are_told() -> None:
    problems: list[str] = []
    assert parse_json(b'{"a": 1, "b": {"a": 1, "a": 2}}', problems) == {"a": 1, "b": {"a": 2}}
    assert problems == ["key 'a' occurs 2 times in one object"]


def test_long_lists_of_problems_are_cut() -> None:
    assert at_most("abc", 3) == ["a", "b", "c"]
    assert at_most("abcde", 3) == ["a", "b", "c", "and 2 more"]
