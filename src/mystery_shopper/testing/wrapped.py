"""Episodes around an episode: the same one with its customer or its tools put out of order."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from mystery_shopper.dialogue import (
    Ended,
    Episode,
    Event,
    Happening,
    Message,
    NotUnderstood,
    Tool,
    ToolErrorKind,
    ToolResult,
    UserSaid,
    Verdict,
    tool_error,
)


@dataclass
class Around:
    """Passes everything on; what differs is overridden."""

    inner: Episode

    @property
    def instructions(self) -> str:
        """The inner episode's."""
        return self.inner.instructions

    def open(self) -> Happening:
        """The inner episode's opening."""
        return self.inner.open()

    def tools(self) -> Mapping[str, Tool]:
        """The inner episode's tools."""
        return self.inner.tools()

    def heard(self, text: str) -> Happening:
        """What the inner episode makes of it."""
        return self.inner.heard(text)

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        """What the inner episode makes of it."""
        return self.inner.called(name, result)

    def show(self, event: Event) -> Message | None:
        """As the inner episode shows it."""
        return self.inner.show(event)


@dataclass
class Tampered(Around):
    """Every result of a tool goes through `change`; an end that a call would bring still comes."""

    change: Callable[[ToolResult], ToolResult] = field(default=lambda result: result)

    def tools(self) -> Mapping[str, Tool]:
        """The tools with their results changed."""
        return {
            name: replace(tool, run=self._run(tool)) for name, tool in self.inner.tools().items()
        }

    def _run(self, tool: Tool) -> Callable[[Any], ToolResult]:
        return lambda arguments: self.change(tool.run(arguments))


def emptied(result: ToolResult) -> ToolResult:
    """The result with nothing in any of its lists."""
    return ToolResult(json.dumps(_empty(json.loads(result.content))), result.error)


def refused(result: ToolResult) -> ToolResult:
    """An error in place of the result."""
    del result
    return tool_error(ToolErrorKind.REFUSED, "This does not work at the moment.")


def _empty(value: Any) -> Any:
    if isinstance(value, list):
        return []
    if isinstance(value, dict):
        return {key: _empty(part) for key, part in value.items()}
    return value


@dataclass
class Strange(Around):
    """The customer always says `words`, and nothing the agent does ends the conversation."""

    words: str = "Hm."

    def open(self) -> Iterable[Event]:
        """The strange words first."""
        return [UserSaid(self.words)]

    def heard(self, text: str) -> Iterable[Event]:
        """The same again."""
        del text
        return [UserSaid(self.words)]

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        """Nothing."""
        del name, result
        return []


SECRET = "a thing that only the scoring may see"
UNSEEN: tuple[Event, ...] = (Verdict("a1", False, (SECRET,), (SECRET,)), NotUnderstood(SECRET))


@dataclass
class Watched(Around):
    """Notes down what the inner episode does that an episode must not do."""

    problems: list[str] = field(default_factory=list[str])
    over: bool = False

    def open(self) -> Happening:
        """The opening, watched."""
        return self._watch("open", self.inner.open())

    def heard(self, text: str) -> Happening:
        """The answer, watched."""
        return self._watch("heard", self.inner.heard(text))

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        """What a call brings about, watched."""
        try:
            json.loads(result.content)
        except ValueError:
            self._note(f"the tool {name!r} gave a result that is not JSON: {result.content[:80]!r}")
        return self._batch("called", self.inner.called(name, result))

    def show(self, event: Event) -> Message | None:
        """What is shown; verdicts, readings and the ending must not be."""
        message = self.inner.show(event)
        if message is not None and isinstance(event, Verdict | NotUnderstood | Ended):
            self._note(f"show() lets the agent see a {type(event).__name__}")
        return message

    def _watch(self, name: str, happening: Happening) -> Happening:
        if isinstance(happening, Awaitable):
            return self._later(name, happening)
        return self._batch(name, happening)

    async def _later(self, name: str, happening: Awaitable[Iterable[Event]]) -> list[Event]:
        return self._batch(name, await happening)

    def _batch(self, name: str, events: Iterable[Event]) -> list[Event]:
        batch = list(events)
        for event in batch:
            if not isinstance(event, Event):  # pyright: ignore[reportUnnecessaryIsInstance]
                self._note(f"{name}() gave {type(event).__name__}, which is no event")
            elif self.over:
                self._note(f"{name}() gave {type(event).__name__} after the ending")
            self.over = self.over or isinstance(event, Ended)
        return batch

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            self.problems.append(problem)
