"""A person as the agent, in the terminal."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from mystery_shopper.dialogue import Act, CallTools, Message, Say, Tool, ToolCall, View

HELP = """\
Type what you say to the customer, or a tool with a slash:
{tools}
  /help    shows this again
  /rules   shows what the agent is told
  /quit    gives up
Arguments are written name=value; a value with spaces goes in quotes; a list is a,b or repeated."""
DECIDING = """
Propose an item by writing [[candidate_id:ID]] in what you say. To recommend nothing, write
/recommend none."""
ANSWERING = """
What you say is your answer: one title a line, with a year behind one that several bear; an empty
line sends it. To recommend nothing, say so."""
DECIDES = "recommend"
"""The tool by which an item is decided on. Where there is none, words are the whole answer."""
FREE = ("query", "keywords")
"""Arguments that take every word which is given no other."""


class Terminal(Protocol):
    """Where the person reads and types."""

    def show(self, message: Message) -> None:
        """Show something that the agent may see."""
        ...

    def tell(self, text: str) -> None:
        """Say something about the game itself."""
        ...

    def ask(self) -> str:
        """One line from the person. Raises EOFError when there will be no more."""
        ...


@dataclass
class HumanAgent:
    """Shows what is new, and turns the person's line into an act."""

    terminal: Terminal
    started: bool = False

    def act(self, view: View) -> Act:
        """One act. Raises KeyboardInterrupt where the person gives up or the input has ended: the
        game is over, and nothing is scored."""
        if not self.started:
            self.started = True
            self.terminal.tell(self._help(view))
        for message in view.messages[view.seen :]:
            if message.role != "agent":
                self.terminal.show(message)
        while True:
            try:
                line = self.terminal.ask().strip()
            except EOFError:
                raise KeyboardInterrupt from None
            if line == "/quit":
                raise KeyboardInterrupt
            if line in ("/help", "/"):
                self.terminal.tell(self._help(view))
            elif line == "/rules":
                self.terminal.tell(view.instructions)
            elif line.startswith("/"):
                try:
                    return CallTools((parse_call(line[1:], view.tools),))
                except ValueError as error:
                    self.terminal.tell(str(error))
            elif line:
                return Say(line if DECIDES in view.tools else self._whole(line))

    def _whole(self, first: str) -> str:
        """An answer of several lines, up to an empty one or the end of the input."""
        lines = [first]
        while True:
            try:
                line = self.terminal.ask().strip()
            except EOFError:
                line = ""
            if line == "/quit":
                raise KeyboardInterrupt
            if not line:
                return "\n".join(lines)
            lines.append(line)

    @staticmethod
    def _help(view: View) -> str:
        rows = [f"  /{name} {_usage(tool)}" for name, tool in view.tools.items()]
        tail = DECIDING if DECIDES in view.tools else ANSWERING
        return HELP.format(tools="\n".join(rows) or "  (there is no tool)") + tail


def parse_call(line: str, tools: Mapping[str, Tool]) -> ToolCall:
    """A tool call from `name argument=value ...`; a lone value goes to the first argument.

    Raises ValueError, with what to type, for an unknown tool or an argument without a value.
    """
    try:
        name, *words = shlex.split(line)
    except ValueError as error:
        raise ValueError(f"That line cannot be read: {error}.") from None
    if name not in tools:
        raise ValueError(f"There is no tool /{name}. There are: {', '.join(sorted(tools))}.")
    properties: dict[str, Any] = tools[name].spec.schema.get("properties", {})
    free = next((argument for argument in FREE if argument in properties), "")
    given: dict[str, Any] = {}
    loose: list[str] = []
    for word in words:
        key, equals, text = word.partition("=")
        if equals and key.isidentifier() and key not in properties and not free:
            raise ValueError(f"/{name} has no argument {key!r}. It takes {_usage(tools[name])}")
        if not equals or key not in properties or key == free:
            loose.append(text if equals and key == free else word)
            continue
        value = _value(text, properties[key])
        known = given.get(key)
        if known is not None:
            value = [*(known if isinstance(known, list) else [known]), value]
        given[key] = value
    if loose and not free and len(words) > 1:
        raise ValueError(f"/{name} takes {_usage(tools[name])}")
    if loose:
        first = free or next(iter(properties), loose[0].partition("=")[0])
        given[first] = _value(" ".join(loose), properties.get(first, {}))
    return ToolCall(name, given)


def _usage(tool: Tool) -> str:
    properties: dict[str, Any] = tool.spec.schema.get("properties", {})
    required = set(tool.spec.schema.get("required", []))
    return " ".join(f"{n}=..." if n in required else f"[{n}=...]" for n in properties)


def _value(text: str, schema: Mapping[str, Any]) -> Any:
    """Text as what the schema takes: null, a number, a list, or the text itself."""
    kinds = {part.get("type") for part in schema.get("anyOf", [schema])}
    if "null" in kinds and text in ("null", "none", "None"):
        return None
    if kinds & {"number", "integer"}:
        try:
            return json.loads(text)
        except ValueError:
            return text
    if "array" in kinds and "," in text:
        return [part.strip() for part in text.split(",")]
    return text
