"""The server's handlers, with the library's client in the same process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra [mcp]")

from mcp import Client, MCPError

from mystery_shopper.engine.planning import Wishes
from mystery_shopper.engine.serving import plan_served
from mystery_shopper.engine.serving.server import OPENING, make_server
from mystery_shopper.engine.serving.table import OVER, Table
from mystery_shopper.engine.trial import Trial

from ..helpers import scene_over


def serve(
    task_file: str, play: Callable[[Client], Awaitable[None]], mode: str = "auto"
) -> Trial | None:
    plan = plan_served(Wishes("x", task_set=task_file, only=("f001-mixed",)))
    table = Table(plan, scene_over(plan), lambda *_: None)
    table.open()

    async def meet() -> None:
        async with Client(make_server(table), mode=mode) as client:
            await play(client)

    anyio.run(meet)
    return table.leave()


async def text_of(client: Client, name: str, given: dict[str, Any] | None = None) -> list[str]:
    found = await client.call_tool(name, given)
    return [part.text for part in found.content if part.type == "text"]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_opening_is_told_in_three_ways(task_file: str, mode: str) -> None:
    async def play(client: Client) -> None:
        (opening,) = await text_of(client, "start")
        assert client.instructions == opening
        (content,) = (await client.read_resource(OPENING)).contents
        assert content.model_dump()["text"] == opening
        assert opening.endswith("It should include Horror.")

    assert serve(task_file, play, mode) is None


def test_an_unknown_resource_is_refused(task_file: str) -> None:
    async def play(client: Client) -> None:
        (resource,) = (await client.list_resources()).resources
        assert str(resource.uri) == OPENING
        with pytest.raises(MCPError, match="there is one resource"):
            await client.read_resource("mystery-shopper://task")

    serve(task_file, play)


def test_calls_at_once_are_all_answered(task_file: str) -> None:
    """Each by what it asked for, in the order in which they came."""

    async def play(client: Client) -> None:
        answers: dict[str, list[str]] = {}
        await text_of(client, "start")

        async def ask(item_id: str) -> None:
            answers[item_id] = await text_of(client, "get_metadata", {"item_id": item_id})

        async with anyio.create_task_group() as group:
            for at in range(12):
                group.start_soon(ask, f"nobody{at}")
        assert all(name in text for name, (text,) in answers.items())
        assert (await text_of(client, "recommend", {"item_id": None}))[-1] == OVER
        assert await text_of(client, "start") == [OVER]

    trial = serve(task_file, play)
    assert trial is not None
    assert trial.score.calls == 13


def test_arguments_that_are_left_out_are_none_given(task_file: str) -> None:
    async def play(client: Client) -> None:
        await client.read_resource(OPENING)
        assert await text_of(client, "get_history") == ['{"history":[]}']
        found = await client.call_tool("recommend")
        assert found.is_error  # It needs one.

    serve(task_file, play)
