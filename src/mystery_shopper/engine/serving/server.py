"""The MCP server: the table's tools, `say` and `start`, over the library's low-level server.

A client sees the opening in the server's instructions, by the tool `start` and as a resource, since
clients differ in which of these they show to their model.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress

from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from mystery_shopper.engine.plan import package_version
from mystery_shopper.engine.serving.calls import Answer
from mystery_shopper.engine.serving.table import START, Table

OPENING = "mystery-shopper://opening"
_START = types.Tool(
    name=START,
    description="The rules and the customer's first words. Call this first; it changes nothing.",
    input_schema={"type": "object", "properties": {}},
)
_RESOURCE = types.Resource(
    name="opening",
    uri=OPENING,
    description="The rules and the customer's first words.",
    mime_type="text/plain",
)


def make_server(table: Table) -> Server:
    """A server that plays at an open table."""

    async def list_tools(
        context: ServerRequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        del context, params
        tools = [
            types.Tool(name=spec.name, description=spec.description, input_schema=spec.schema)
            for spec in table.specs()
        ]
        return types.ListToolsResult(tools=[_START, *tools])

    async def call_tool(
        context: ServerRequestContext, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        del context
        if params.name == START:
            return _result(table.start())
        left_out = "arguments" not in params.model_fields_set
        place = table.call(params.name, {} if left_out else params.arguments)
        return _result(await asyncio.wrap_future(place))

    async def list_resources(
        context: ServerRequestContext, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        del context, params
        return types.ListResourcesResult(resources=[_RESOURCE])

    async def read_resource(
        context: ServerRequestContext, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        del context
        if str(params.uri) != OPENING:
            raise MCPError(types.INVALID_PARAMS, f"there is one resource: {OPENING}")
        text = "\n".join(table.start().texts)
        content = types.TextResourceContents(uri=OPENING, mime_type="text/plain", text=text)
        return types.ReadResourceResult(contents=[content])

    return Server(
        "mystery-shopper",
        version=package_version(),
        instructions=table.opening,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


def _result(answer: Answer) -> types.CallToolResult:
    content: list[types.ContentBlock] = [types.TextContent(text=text) for text in answer.texts]
    return types.CallToolResult(content=content, is_error=answer.error)


def run_stdio(table: Table, left: Callable[[], object]) -> None:
    """Serve one client over stdin and stdout until it closes them. A signal to stop does as a
    client that leaves does: `left` is called, and the process ends."""
    try:
        asyncio.run(_serve(table, left))
    except* OSError:
        pass  # The client closed its end of stdout first.


async def _serve(table: Table, left: Callable[[], object]) -> None:
    def stop(number: int) -> None:
        try:
            left()
        finally:
            # The thread that reads stdin cannot be woken, and would keep the process.
            os._exit(128 + number)

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        with suppress(NotImplementedError):  # Windows has no such handlers.
            loop.add_signal_handler(number, stop, number)
    server = make_server(table)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
