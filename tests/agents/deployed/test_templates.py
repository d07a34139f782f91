"""Templates: slots, variables, braces; and the veil over secrets."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.agents.deployed.templates import TemplateReader, fill, slots_of
from mystery_shopper.agents.deployed.veil import Veil

KNOWN = ("text", "history", "session.token")


def reader(**environment: str) -> TemplateReader:
    return TemplateReader(environment, KNOWN, [])


def filled(body: object, values: dict[str, object], **environment: str) -> object:
    one = reader(**environment)
    tree = one.tree(body, "say.body")
    assert one.problems == []
    return fill(tree, values)


@given(st.text())
def test_a_text_without_braces_stays_as_it_is(text: str) -> None:
    plain = text.replace("{", "(").replace("}", ")")
    assert filled(plain, {}) == plain
    assert filled(text.replace("{", "{{").replace("}", "}}"), {}) == text


def test_slots_take_values() -> None:
    history = [{"role": "user", "content": 'a “b” "c"'}]
    body = {
        "a": "{history}",
        "b": "say: {text}!",
        "c": ["{text}", 5, None, True],
        "d": "{history}.",
    }
    found: Any = filled(body, {"text": "{text} ${X}", "history": history})
    assert found["a"] is history
    assert found["b"] == "say: {text} ${X}!"
    assert found["c"] == ["{text} ${X}", 5, None, True]
    assert json.loads(found["d"][:-1]) == history


def test_a_value_that_is_not_there_yet() -> None:
    assert filled({"a": "{session.token}", "b": "x{session.token}"}, {}) == {"a": None, "b": "x"}


def test_variables_are_put_in_and_noted_as_secrets() -> None:
    one = reader(KEY="abc{text}")
    tree = one.tree({"key": "Bearer ${KEY}"}, "x")
    assert fill(tree, {"text": "no"}) == {"key": "Bearer abc{text}"}
    assert list(slots_of(tree)) == []
    assert one.secrets == {"KEY": "abc{text}"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{txt}", "place: {txt} is unknown; use {text}, {history}, {session.token}"),
        ("${GONE}", "place: the environment variable 'GONE' is not set"),
        ("${}", "place: the environment variable '' is not set"),
        ("${EMPTY}", "'EMPTY' is not set"),
        ("${LINES}", "such as a line break"),
    ],
)
def test_faults_name_their_place(text: str, told: str) -> None:
    one = reader(EMPTY="", LINES="secret\nX-Other: 1")
    one.text(text, "place")
    [problem] = one.problems
    assert told in problem
    assert "secret" not in problem


def test_a_header_takes_no_letters_that_it_cannot_hold() -> None:
    one = reader(KEY="clé")
    one.text("${KEY}", "headers.key", header=True)
    assert len(one.problems) == 1


SECRET = st.text('abc/+="\\é %', min_size=4, max_size=20)


@given(SECRET, st.text(max_size=10), st.text(max_size=10))
def test_no_spelling_of_a_secret_passes(secret: str, before: str, after: str) -> None:
    veil = Veil.over({"KEY": secret})
    php = json.dumps(secret)[1:-1].replace("/", "\\/")
    for spelling in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1], php):
        assert veil.text(spelling) == "${KEY}"
        assert spelling not in veil.text(before + spelling + after).replace("${KEY}", "\x00")
    assert veil.tree({"a": [secret, 1, {secret: None}]}) == {"a": ["${KEY}", 1, {"${KEY}": None}]}


def test_the_longest_secret_goes_first() -> None:
    veil = Veil.over({"A": "token", "B": "token-of-b"})
    assert veil.text("token-of-b token") == "${B} ${A}"


def test_short_values_are_no_secrets() -> None:
    assert Veil.over({"A": "1"}).text("11") == "11"


def test_a_copy_can_be_added_to() -> None:
    veil = Veil.over({"A": "token"})
    veil.copy().add("others", "{x}")
    assert veil.text("others") == "others"
