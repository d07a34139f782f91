"""Paths: what they find in any JSON value, and what they say where they find nothing."""

from __future__ import annotations

import contextlib
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.agents.deployed.paths import MOST_FOUND, NotThere, Path, PathError

KEY = st.from_regex(r"[a-z_][a-z0-9_-]{0,5}", fullmatch=True) | st.text("a .[]?*é", max_size=4)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEY, inner, max_size=4),
    max_leaves=20,
)


def places(value: Any, text: str = "") -> list[tuple[str, Any]]:
    """Every (path, value) in a value, written and found without the code under test."""
    found = [(text, value)]
    if isinstance(value, dict):
        for key, inner in value.items():
            plain = re.fullmatch(r"[a-z_][a-z0-9_-]*", key)
            step = (f".{key}" if text else key) if plain else f'["{key}"]'
            found += places(inner, text + step)
    if isinstance(value, list):
        for number, inner in enumerate(value):
            found += places(inner, f"{text}[{number}]")
            found += places(inner, f"{text}[{number - len(value)}]")
    return found


@given(JSON)
def test_every_place_is_found_by_its_path(value: Any) -> None:
    for text, inner in places(value)[:200]:
        assert Path.read(text).find(value) == [inner]
        assert Path.read(text).first(value) == inner


@given(st.lists(st.fixed_dictionaries({"id": JSON}, optional={"more": JSON}), max_size=6))
def test_every_entry_of_a_list(rows: list[dict[str, Any]]) -> None:
    value = {"rows": rows}
    assert Path.read("rows[*].id").find(value) == [row["id"] for row in rows]
    there = [row["more"] for row in rows if "more" in row]
    assert Path.read("rows[*].more?").find(value) == there


@given(st.text('ab.[]?*"01- ', max_size=10), JSON)
def test_no_text_and_no_value_crash(text: str, value: Any) -> None:
    with contextlib.suppress(PathError, NotThere):
        assert isinstance(Path.read(text).find(value), list)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("order.id", "order is null, in which there is no id"),
        ("choices[1].text", "choices has 1 entries, and no [1]"),
        ("choices[0].message.content", "choices[0].message has no 'content'"),
        ("items.id", "the answer has no 'items'"),
        ("text[*]", "text is a text, in which there is no [*]"),
        ("choices.first", "choices is a list, in which there is no first"),
    ],
)
def test_a_path_that_finds_nothing_says_where(text: str, told: str) -> None:
    value = {"order": None, "text": "hi", "choices": [{"message": {}}]}
    with pytest.raises(NotThere, match=re.escape(told)):
        Path.read(text).find(value)


def test_optional_steps() -> None:
    assert Path.read("order?.id").find({"order": None}) == []
    assert Path.read("order?.id").find({}) == []
    assert Path.read("order?").find({"order": None}) == [None]
    assert Path.read("list[0]?").first({"list": []}) is None
    with pytest.raises(NotThere):
        Path.read("order?.id").find({"order": {}})


def test_what_is_found_is_bounded() -> None:
    assert len(Path.read("[*]").find(list(range(10**5)))) == MOST_FOUND


@pytest.mark.parametrize(
    "text", ["a..b", ".a", "a.", "a[", "a[b]", "a b", "[1", "a??", "ab[*", "$"]
)
def test_what_is_no_path(text: str) -> None:
    with pytest.raises(PathError, match="no path"):
        Path.read(text)
