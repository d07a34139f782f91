"""Tools: what an agent may call, with arguments that are checked before anything runs."""

from __future__ import annotations

import copy
import json
import keyword
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from mystery_shopper.dialogue.events import ToolErrorKind
from mystery_shopper.dialogue.limits import Limits, clean_arguments, clean_text

_TEXT = Limits().text


@dataclass(frozen=True)
class ToolSpec:
    """What the agent is told of a tool. `arguments` is a msgspec Struct type that forbids unknown
    fields; the JSON Schema comes from it. Raises TypeError for a type that lets them pass."""

    name: str
    description: str
    arguments: type[msgspec.Struct]

    def __post_init__(self) -> None:
        if not self.arguments.__struct_config__.forbid_unknown_fields:
            raise TypeError(
                f"{self.arguments.__name__} must be declared forbid_unknown_fields=True"
            )
        _ = self._schema

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of the arguments: one object, nothing referred to; the caller's own."""
        return copy.deepcopy(self._schema)

    @cached_property
    def _schema(self) -> dict[str, Any]:
        (root,), components = msgspec.json.schema_components([self.arguments])
        schema = _inline(root, components, ())
        schema.pop("title", None)
        return schema


@dataclass(frozen=True)
class ToolResult:
    """JSON text for the agent, and the kind of error if it is one."""

    content: str
    error: ToolErrorKind | None = None


@dataclass(frozen=True)
class Tool:
    """A tool in an agent's hands now: its spec and what runs with the checked arguments."""

    spec: ToolSpec
    run: Callable[[Any], ToolResult]


def tool_error(kind: ToolErrorKind, message: str, **more: Any) -> ToolResult:
    """An error as JSON text: {"error": message, ...}."""
    return ToolResult(msgspec.json.encode({"error": message, **more}).decode(), kind)


def argument_name(field: str, taken: set[str]) -> str:
    """A field's name as an argument's: an identifier that is not `taken` yet; it is from now on."""
    plain = re.sub(r"\W", "_", field, flags=re.ASCII).strip("_") or "field"
    if plain[0].isdigit() or keyword.iskeyword(plain):
        plain = f"field_{plain}"
    while plain in taken:
        plain += "_"
    taken.add(plain)
    return plain


def invoke(tools: Mapping[str, Tool], name: str, arguments: object) -> ToolResult:
    """Run a tool if it exists and its arguments fit; otherwise an error that says what to do.

    Arguments may be an object or the JSON text of one; whatever else comes is an error, never an
    exception. What the tool gets is as `clean_arguments` leaves it. What the tool itself raises is
    a fault of the episode, and passes through.
    """
    tool = tools.get(name)
    if tool is None:
        return tool_error(
            ToolErrorKind.UNKNOWN_TOOL,
            f"There is no tool {name[:80]!r}.",
            tools=list(tools),
        )
    if isinstance(arguments, str) and arguments.strip():
        try:
            arguments = json.loads(arguments, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            return _bad("The arguments are not valid JSON.", tool)
    if arguments is None or (isinstance(arguments, str) and not arguments.strip()):
        return _bad("The arguments are missing; send an object, {} if there are none.", tool)
    if not isinstance(arguments, Mapping):
        return _bad("The arguments must be one JSON object.", tool)
    try:
        clean = clean_arguments(arguments, _TEXT)
        checked = msgspec.convert(clean, tool.spec.arguments, str_keys=True)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        return _bad(f"The arguments do not fit: {clean_text(error, 500)[0]}.", tool)
    return tool.run(checked)


def _bad(message: str, tool: Tool) -> ToolResult:
    return tool_error(ToolErrorKind.BAD_ARGUMENTS, message, schema=tool.spec.schema)


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _inline(node: Any, components: Mapping[str, Any], within: tuple[str, ...]) -> Any:
    """The schema with each `$ref` replaced by what it refers to."""
    if isinstance(node, list):
        return [_inline(part, components, within) for part in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        name = str(node["$ref"]).removeprefix("#/$defs/")
        if name in within:
            raise TypeError(f"{name} refers to itself; a tool's arguments must not")
        rest = {key: part for key, part in node.items() if key != "$ref"}
        return {**_inline(components[name], components, (*within, name)), **rest}
    return {key: _inline(part, components, within) for key, part in node.items()}
