from __future__ import annotations

from typing import Any

import msgspec
import pytest

from mystery_shopper.agents import HumanAgent
from mystery_shopper.agents.human import parse_call
from mystery_shopper.dialogue import (
    Act,
    CallTools,
    Message,
    Say,
    Tool,
    ToolCall,
    ToolResult,
    ToolSpec,
    View,
)


class Search(msgspec.Struct, forbid_unknown_fields=True):
    genre: str | tuple[str, ...] | None = None
    year_min: float | None = None
    page: int = 1


class Query(msgspec.Struct, forbid_unknown_fields=True):
    query: str


class Keyed(msgspec.Struct, forbid_unknown_fields=True):
    keywords: str = ""
    genre: str | tuple[str, ...] | None = None
    page: int = 1


class Decide(msgspec.Struct, forbid_unknown_fields=True):
    item_id: str | None


class Nothing(msgspec.Struct, forbid_unknown_fields=True):
    pass


def tools(**arguments: type[msgspec.Struct]) -> dict[str, Tool]:
    return {
        name: Tool(ToolSpec(name, name, kind), lambda _: ToolResult("{}"))
        for name, kind in arguments.items()
    }


TOOLS = tools(search=Search, words=Query, recommend=Decide, history=Nothing)


class Typist:
    """A terminal at which somebody types these lines, then closes it."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)
        self.shown: list[Message] = []
        self.told: list[str] = []

    def show(self, message: Message) -> None:
        self.shown.append(message)

    def tell(self, text: str) -> None:
        self.told.append(text)

    def ask(self) -> str:
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def act(typist: Typist, *messages: Message, seen: int = 0) -> Act:
    return HumanAgent(typist).act(View("The rules.", TOOLS, messages, seen))


def parsed(line: str) -> Any:
    call = parse_call(line, TOOLS)
    return call.name, call.arguments


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("search", {}),
        ("search genre=Drama", {"genre": "Drama"}),
        ("search genre=Drama,Crime", {"genre": ["Drama", "Crime"]}),
        ("search genre=Drama genre=Crime", {"genre": ["Drama", "Crime"]}),
        ("search genre=A genre=B genre=C", {"genre": ["A", "B", "C"]}),
        ("search 'genre=Film noir' page=2", {"genre": "Film noir", "page": 2}),
        ('search genre="Film noir"', {"genre": "Film noir"}),
        ("search year_min=1990.5", {"year_min": 1990.5}),
        ("search year_min=soon", {"year_min": "soon"}),
        ("search year_min=none", {"year_min": None}),
        ("search genre=", {"genre": ""}),
        ("search Drama", {"genre": "Drama"}),
        ("search Drama,Crime", {"genre": ["Drama", "Crime"]}),
        ("words the old lantern", {"query": "the old lantern"}),
        ("words query=lantern", {"query": "lantern"}),
        ("words query=the lantern", {"query": "the lantern"}),
        ("words a=b", {"query": "a=b"}),
        ("words none", {"query": "none"}),
        ("words a,b", {"query": "a,b"}),
        ("recommend Q1", {"item_id": "Q1"}),
        ("recommend item_id=Q1", {"item_id": "Q1"}),
        ("recommend null", {"item_id": None}),
        ("recommend item_id=none", {"item_id": None}),
        ("history", {}),
        ("history all", {"all": "all"}),
    ],
)
def test_a_line_becomes_a_call(line: str, arguments: dict[str, Any]) -> None:
    assert parsed(line) == (line.split()[0], arguments)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("buy x", "no tool /buy"),
        ("", "cannot be read"),
        ("search 'genre=Drama", "No closing quotation"),
        ("search genre=Drama 1990", "/search takes [genre=...]"),
        ("search colour=red genre=Drama", "/search has no argument 'colour'"),
        ("search colour=red", "It takes [genre=...]"),
    ],
)
def test_a_line_that_is_no_call_says_what_to_type(line: str, told: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse_call(line, TOOLS)
    assert told in str(caught.value)


def test_words_are_said() -> None:
    assert act(Typist("  Which genre?  ")) == Say("Which genre?")


def test_a_slash_calls_a_tool() -> None:
    assert act(Typist("/recommend Q1")) == CallTools((ToolCall("recommend", {"item_id": "Q1"}),))


def test_an_empty_line_is_asked_again() -> None:
    assert act(Typist("", "   ", "Hi")) == Say("Hi")


def test_help_comes_first_and_when_asked_for() -> None:
    typist = Typist("/help", "/", "Hi")
    act(typist)
    assert len(typist.told) == 3
    assert len(set(typist.told)) == 1
    assert "/recommend item_id=..." in typist.told[0]
    assert "/search [genre=...] [year_min=...] [page=...]" in typist.told[0]


def test_help_comes_once_a_game() -> None:
    typist = Typist("Hi", "Hello")
    agent = HumanAgent(typist)
    view = View("", TOOLS, (), 0)
    agent.act(view)
    agent.act(view)
    assert len(typist.told) == 1


def test_the_rules_are_what_the_agent_is_told() -> None:
    typist = Typist("/rules", "Hi")
    act(typist)
    assert typist.told[-1] == "The rules."


def test_a_bad_call_is_explained_and_asked_again() -> None:
    typist = Typist("/buy", "Hi")
    assert act(typist) == Say("Hi")
    assert "There is no tool /buy" in typist.told[-1]
    assert "history, recommend, search, words" in typist.told[-1]


def test_only_what_is_new_is_shown_and_not_ones_own_words() -> None:
    typist = Typist("Hi")
    old, own, new = Message("user", "old"), Message("agent", "own"), Message("tool", "new")
    act(typist, old, own, new, seen=1)
    assert typist.shown == [new]


@pytest.mark.parametrize("lines", [("/quit",), ()])
def test_giving_up_ends_the_game(lines: tuple[str, ...]) -> None:
    with pytest.raises(KeyboardInterrupt):
        act(Typist(*lines))


ASKING = tools(search=Keyed)


@pytest.mark.parametrize(
    ("line", "given"),
    [
        ("search heat of 1995", {"keywords": "heat of 1995"}),
        ("search heat genre=War page=2", {"keywords": "heat", "genre": "War", "page": 2}),
        ("search genre=War genre=Drama", {"genre": ["War", "Drama"]}),
        ('search keywords="red heat" again', {"keywords": "red heat again"}),
        ("search year=1995", {"keywords": "year=1995"}),
        ("search", {}),
    ],
)
def test_words_without_a_name_are_keywords(line: str, given: dict[str, Any]) -> None:
    assert parse_call(line, ASKING).arguments == given


def answered(*lines: str) -> tuple[Act, Typist]:
    typist = Typist(*lines)
    return HumanAgent(typist).act(View("Rules.", ASKING, (Message("user", "Hi"),), 0)), typist


def test_where_nothing_is_decided_on_an_answer_has_many_lines() -> None:
    act, typist = answered("Heat (1995)", "/search is no tool here", "Alien", "", "never read")
    assert act == Say("Heat (1995)\n/search is no tool here\nAlien")
    assert "an empty line sends it" in " ".join(typist.told[0].split())
    assert "candidate_id" not in typist.told[0]
    assert answered("Heat")[0] == Say("Heat")
    assert isinstance(answered("/search heat")[0], CallTools)
    with pytest.raises(KeyboardInterrupt):
        answered("Heat", "/quit")
