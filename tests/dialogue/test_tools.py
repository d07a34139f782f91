"""Schemas, and every kind of bad call: it never runs, never crashes, and says what to do."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from enum import StrEnum
from keyword import iskeyword
from typing import Annotated, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.dialogue import Tool, ToolErrorKind, ToolResult, ToolSpec, invoke, tool_error
from mystery_shopper.dialogue.tools import argument_name


def short(value: object) -> str:
    """A name for a case that may be too long to be its own."""
    return type(value).__name__


class Order(StrEnum):
    OLD = "old"
    NEW = "new"


class Span(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    low: int | None = None
    high: int | None = None


class Find(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words to find."""

    words: str
    page: Annotated[int, msgspec.Meta(ge=1)] = 1
    order: Order = Order.OLD
    years: Span | None = None
    any_of: tuple[Span, ...] = ()
    weight: float = 1.0
    more: Any = None


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No argument."""


@dataclass
class Bench:
    """A tool that remembers with what it ran."""

    ran: list[Any] = field(default_factory=list[Any])

    def tools(self) -> dict[str, Tool]:
        return {
            "find": Tool(ToolSpec("find", "Find.", Find), self.run),
            "stop": Tool(ToolSpec("stop", "Stop.", Nothing), self.run),
        }

    def run(self, arguments: Any) -> ToolResult:
        self.ran.append(arguments)
        return ToolResult('"ran"')

    def refuses(self, arguments: object, name: str = "find") -> dict[str, Any]:
        result = invoke(self.tools(), name, arguments)
        assert result.error is ToolErrorKind.BAD_ARGUMENTS
        assert self.ran == []
        return json.loads(result.content)


def test_the_schema_is_one_object_that_refers_to_nothing() -> None:
    schema = ToolSpec("find", "Find.", Find).schema
    assert "$ref" not in json.dumps(schema)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["words"]
    assert schema["description"] == "Words to find."
    assert "title" not in schema
    assert sorted(schema["properties"]["order"]["enum"]) == ["new", "old"]
    assert schema["properties"]["years"]["anyOf"][0]["type"] == "object"
    assert schema["properties"]["any_of"]["items"]["type"] == "object"
    assert ToolSpec("stop", "Stop.", Nothing).schema["properties"] == {}


def test_a_schema_is_its_readers_own() -> None:
    spec = ToolSpec("find", "Find.", Find)
    spec.schema["properties"].clear()
    assert spec.schema["properties"]


def test_a_type_that_lets_unknown_fields_pass_is_no_tools() -> None:
    class Open(msgspec.Struct):
        x: int

    with pytest.raises(TypeError, match="Open must be declared forbid_unknown_fields=True"):
        ToolSpec("x", "", Open)


class Endless(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    inner: Endless | None = None


def test_a_type_that_refers_to_itself_is_no_tools() -> None:
    with pytest.raises(TypeError, match="Endless refers to itself"):
        ToolSpec("x", "", Endless)


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        ({"words": "a"}, Find("a")),
        ('{"words":"a","page":2}', Find("a", 2)),
        (' {"words":"a","order":"new"}\n', Find("a", order=Order.NEW)),
        ({"words": "a", "years": {"low": 3}}, Find("a", years=Span(3))),
        ({"words": "", "more": [1, {"x": None}]}, Find("", more=[1, {"x": None}])),
        ({"words": "a", "weight": 2}, Find("a", weight=2.0)),
    ],
)
def test_good_arguments_run_as_an_object_or_as_its_text(arguments: object, seen: Find) -> None:
    bench = Bench()
    assert invoke(bench.tools(), "find", arguments) == ToolResult('"ran"')
    assert bench.ran == [seen]


@pytest.mark.parametrize(
    "name", ["", "seek", "Find", "find ", "x" * 10_000, "\ud800", "__class__"], ids=short
)
def test_an_unknown_tool_is_an_error_that_lists_the_tools(name: str) -> None:
    bench = Bench()
    result = invoke(bench.tools(), name, {"words": "a"})
    told = json.loads(result.content)
    assert result.error is ToolErrorKind.UNKNOWN_TOOL
    assert told["tools"] == ["find", "stop"]
    assert told["error"].startswith("There is no tool ")
    assert len(result.content) < 400
    assert bench.ran == []


def test_with_no_tool_in_hand_every_call_is_an_unknown_one() -> None:
    assert invoke({}, "find", {}).error is ToolErrorKind.UNKNOWN_TOOL


@pytest.mark.parametrize("arguments", [None, "", " \n", "null", " null "])
@pytest.mark.parametrize("name", ["find", "stop"])
def test_missing_arguments(arguments: object, name: str) -> None:
    told = Bench().refuses(arguments, name)
    assert told["error"] == "The arguments are missing; send an object, {} if there are none."
    assert told["schema"]["type"] == "object"


@pytest.mark.parametrize("arguments", [[], [1], 3, 2.5, True, "[]", '"x"', "7", "true", '"{}"'])
def test_arguments_that_are_no_object(arguments: object) -> None:
    assert Bench().refuses(arguments)["error"] == "The arguments must be one JSON object."


@pytest.mark.parametrize(
    "arguments",
    [
        "{",
        "{'words': 'a'}",
        '{"words": "a"} and more',
        '{"words": "a",}',
        "words=a",
        '{"words": "a", "weight": NaN}',
        '{"words": "a", "weight": -Infinity}',
        '{"words": "a", "page": ' + "9" * 10_000 + "}",
        "[" * 200_000,
        '{"more":' * 100_000,
        "\ud800",
        "\ufeff{}",
    ],
    ids=short,
)
def test_malformed_json(arguments: str) -> None:
    assert Bench().refuses(arguments)["error"] == "The arguments are not valid JSON."


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"words": "a", "colour": "red"},
        {"words": None},
        {"words": 5},
        {"words": ["a"]},
        {"words": "a", "page": "2"},
        {"words": "a", "page": 0},
        {"words": "a", "page": 1.5},
        {"words": "a", "page": True},
        {"words": "a", "page": 2**63},
        {"words": "a", "page": 10**6000},
        {"words": "a", "page": -(10**30)},
        '{"words": "a", "page": 100000000000000000000}',
        {"words": "a", "order": "oldest"},
        {"words": "a", "years": {"low": 1, "mid": 2}},
        {"words": "a", "years": [1, 2]},
        {"words": "a", "weight": math.nan},
        {"words": "a", "weight": math.inf},
        {"words": "a", "x" * 50_000: 1},
        {"words": "a", "\ud800": 1},
        '{"words": "a", "\\ud800": 1}',
        {1: "words"},
        {None: 1},
    ],
    ids=short,
)
def test_arguments_that_do_not_fit(arguments: object) -> None:
    told = Bench().refuses(arguments)
    assert told["error"].startswith("The arguments do not fit: ")
    assert len(told["error"]) < 600
    assert told["schema"]["required"] == ["words"]


def test_what_runs_holds_no_lone_surrogate_and_no_great_depth() -> None:
    bench = Bench()
    invoke(bench.tools(), "find", '{"words": "a\\ud800b", "more": ' + "[" * 200 + "]" * 200 + "}")
    (seen,) = bench.ran
    assert seen.words == "a\ufffdb"
    assert len(json.dumps(seen.more)) < 100


def test_an_error_can_carry_more() -> None:
    result = tool_error(ToolErrorKind.REFUSED, "No.", known=["a"])
    assert json.loads(result.content) == {"error": "No.", "known": ["a"]}
    assert result.error is ToolErrorKind.REFUSED


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.characters(categories=["Cs"])
    | st.binary(max_size=4)
    | st.just(object()),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.sampled_from(["words", "page", "more", "weight", "x"]), inner)
    ),
    max_leaves=10,
)


@settings(deadline=None)
@given(ANYTHING)
def test_nothing_that_an_agent_sends_is_an_exception(arguments: object) -> None:
    bench = Bench()
    result = invoke(bench.tools(), "find", arguments)
    json.loads(result.content)
    assert len(bench.ran) == (result.error is None)


@settings(deadline=None)
@given(st.text(alphabet='{}[]":,0123456789.eE+-wordspagemultrfNI \\'))
def test_nor_is_any_text(arguments: str) -> None:
    json.loads(invoke(Bench().tools(), "find", arguments).content)


@pytest.mark.parametrize(
    ("field", "argument"),
    [("genre", "genre"), ("scored by", "scored_by"), ("2nd", "field_2nd"), ("class", "field_class"),
     ("ÿ", "field"), ("_", "field"), ("scored-by", "scored_by_")],
)  # fmt: skip
def test_a_fields_name_becomes_an_identifier(field: str, argument: str) -> None:
    taken = {"page", *(["scored_by"] if "-" in field else [])}
    assert argument_name(field, taken) == argument
    assert argument in taken


@given(st.lists(st.text(max_size=12), max_size=8))
def test_names_of_arguments_are_identifiers_that_differ(fields: list[str]) -> None:
    taken: set[str] = set()
    names = [argument_name(field, taken) for field in fields]
    assert len(set(names)) == len(names)
    assert all(name.isidentifier() and not iskeyword(name) for name in names)
