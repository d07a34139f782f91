"""What a provider does to the tools of a call stays with that call, and trials share what none
spoils."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from mystery_shopper.dialogue import ToolSpec
from mystery_shopper.dialogue.models import ChatMessage
from mystery_shopper.engine.plan import ModelOptions
from mystery_shopper.suites.tau_rec.shelf import OfItem

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.event import ModelEvent
from inspect_ai.log import transcript
from inspect_ai.model import get_model

from mystery_shopper.engine.lasting.client import InspectModel
from mystery_shopper.engine.lasting.shared_tools import copies_twice, tools_of

from .provider import POLICIES, said

shares = pytest.mark.skipif(not copies_twice(), reason="this Inspect copies a call's tools once")


def calls(
    monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[Any], None], count: int, at_once: int
) -> list[ModelEvent]:
    """The events of so many calls, a number of them at a time, of a provider that does this with
    its tool."""

    def answer(_: Any, tools: Any, __: Any) -> Any:
        act(tools[0])
        return said("Done.")

    monkeypatch.setitem(POLICIES, name, answer)
    model = get_model(f"scripted/{name}", memoize=False)
    spec = ToolSpec("look", "Shows an item.", OfItem)

    async def talk() -> list[ModelEvent]:
        before = len(transcript().events)
        for _ in range(0, count, at_once):
            lines = [InspectModel(model, ModelOptions()) for _ in range(at_once)]
            heard = [ChatMessage("user", "Hello.")]
            await asyncio.gather(*[line.reply(heard, [spec]) for line in lines])
        return [event for event in transcript().events[before:] if isinstance(event, ModelEvent)]

    return asyncio.run(talk())


def spoil(tool: Any) -> None:
    tool.parameters.properties.clear()
    tool.description = "spoilt"


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_provider_may_spoil_its_tools(monkeypatch: pytest.MonkeyPatch, at_once: int) -> None:
    seen: list[tuple[str, list[str]]] = []

    def act(tool: Any) -> None:
        seen.append((tool.description, sorted(tool.parameters.properties)))
        spoil(tool)

    events = calls(monkeypatch, f"spoiler{at_once}", act, 8, at_once)
    assert seen == [("Shows an item.", ["item_id"])] * 8
    if copies_twice():  # An older Inspect logs what the provider has.
        assert [event.tools[0].description for event in events] == ["Shows an item."] * 8


def test_a_provider_may_begin_to_spoil_its_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def act(tool: Any) -> None:
        seen.append(tool.description)
        if len(seen) >= 3:
            spoil(tool)

    calls(monkeypatch, "late-spoiler", act, 6, 1)
    assert seen == ["Shows an item."] * 6


@shares
def test_one_provider_spoils_nothing_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet: list[Any] = []
    calls(monkeypatch, "quiet-one", quiet.append, 2, 1)
    calls(monkeypatch, "loud-one", spoil, 2, 1)
    calls(monkeypatch, "quiet-one", quiet.append, 2, 1)
    assert [tool.description for tool in quiet] == ["Shows an item."] * 4
    assert len({id(tool) for tool in quiet}) == 1


@shares
def test_calls_share_a_tool_that_nobody_spoils(monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[Any] = []
    events = calls(monkeypatch, "listener", handed.append, 4, 1)
    assert len({id(tool) for tool in handed}) == 1
    assert len({id(event.tools[0]) for event in events}) == 1
    assert events[0].tools[0] is not handed[0]
    dumped = events[0].tools[0].model_dump(exclude_none=True)
    assert sorted(dumped) == ["description", "name", "parameters"]


@shares
def test_calls_that_begin_before_the_first_has_ended_share_nothing() -> None:
    specs = [ToolSpec("look", "Shows an item.", OfItem)]

    def lent(tools: list[Any]) -> Any:
        return tools[0].model_copy(deep=True).model_copy(deep=True)

    with tools_of(specs, "early/bird") as tools:
        first = lent(tools)
        with tools_of(specs, "early/bird") as tools:
            second = lent(tools)
        with tools_of(specs, "early/bird") as tools:
            third = lent(tools)
    with tools_of(specs, "early/bird") as tools:
        fourth = lent(tools)
    assert first is fourth
    assert len({id(tool) for tool in (first, second, third)}) == 3
