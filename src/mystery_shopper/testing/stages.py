"""A toy episode with stages, tools that change, a budget, and an update after the last answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import msgspec

from mystery_shopper.dialogue import (
    Ended,
    Ending,
    Event,
    Message,
    StageChanged,
    Tool,
    ToolErrorKind,
    ToolResult,
    ToolSpec,
    UserSaid,
    show_event,
    tool_error,
)

COLOURS = ("red", "green", "blue", "grey")
UPDATE = "One thing more: the colour you named is taken. Answer again."
HELD = {
    "browse": ("search", "advance"),
    "choose": ("search", "answer"),
    "updated": ("search", "answer"),
}


class Search(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Letters that the colour's name holds."""

    letters: str


class Advance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Nothing: an empty object."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a colour."""

    colour: str


SPECS = {
    "search": ToolSpec("search", "Find colours by letters.", Search),
    "advance": ToolSpec("advance", "Go on to choosing.", Advance),
    "answer": ToolSpec("answer", "Name a colour.", Answer),
}


@dataclass
class StagedEpisode:
    """Browse, then choose a colour, then, the answer given, hear an update and answer again.

    Each stage grants `budget` searches. `answers` holds the colours named.
    """

    budget: int = 2
    instructions: str = "Browse, advance, answer. Each stage grants a few searches."
    stage: str = "browse"
    searched: int = 0
    answers: tuple[str, ...] = ()

    def open(self) -> Iterable[Event]:
        """The first stage and the request."""
        yield StageChanged(self.stage)
        yield UserSaid("Which colour would you take?")

    def tools(self) -> Mapping[str, Tool]:
        """The tools of the stage."""
        runs = {"search": self._search, "advance": self._advance, "answer": self._answer}
        return {name: Tool(SPECS[name], runs[name]) for name in HELD[self.stage]}

    def heard(self, text: str) -> Iterable[Event]:
        """Words change nothing."""
        yield UserSaid("Please go on." if text.strip() else "You said nothing.")

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        """Advancing changes the stage; the first answer brings the update, the second the end."""
        if result.error is not None:
            return
        if name == "advance":
            yield self._enter("choose")
        elif name == "answer" and self.stage == "choose":
            yield self._enter("updated", UPDATE)
        elif name == "answer":
            yield Ended(Ending.RECOMMENDED, item_id=self.answers[-1])

    def show(self, event: Event) -> Message | None:
        """Words, calls, results and the update."""
        return show_event(event)

    def _enter(self, stage: str, text: str = "") -> StageChanged:
        self.stage, self.searched = stage, 0
        return StageChanged(stage, text)

    def _search(self, arguments: Search) -> ToolResult:
        self.searched += 1
        if self.searched > self.budget:
            return tool_error(ToolErrorKind.BUDGET, "No more searches in this stage.")
        found = [colour for colour in COLOURS if arguments.letters in colour]
        return ToolResult(msgspec.json.encode(found).decode())

    def _advance(self, _: Advance) -> ToolResult:
        return ToolResult('"on"')

    def _answer(self, arguments: Answer) -> ToolResult:
        if arguments.colour not in COLOURS:
            return tool_error(ToolErrorKind.REFUSED, f"No colour {arguments.colour[:40]!r}.")
        self.answers += (arguments.colour,)
        return ToolResult(msgspec.json.encode(arguments.colour).decode())
