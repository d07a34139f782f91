"""A toy shop of six lamps, small and whole: a customer with a secret wish, tools, a verdict."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import msgspec

from mystery_shopper.dialogue import (
    Ended,
    Ending,
    Event,
    Message,
    Tool,
    ToolErrorKind,
    ToolResult,
    ToolSpec,
    UserSaid,
    Verdict,
    show_event,
    tool_error,
)

LAMPS: Mapping[str, tuple[str, str]] = {
    "a1": ("red", "kitchen"),
    "a2": ("red", "study"),
    "a3": ("blue", "kitchen"),
    "a4": ("blue", "study"),
    "a5": ("green", "kitchen"),
    "a6": ("green", "study"),
}
"""Item id -> colour and room."""
ACCEPTED, REJECTED, UNKNOWN = "###ACCEPTED###", "###REJECTED###", "I know no such lamp."
RULES = (
    "Help the customer to find one lamp. Finish with `recommend`: a lamp's id, or null if no lamp "
    "fits. Ask which colour and which room. Propose a lamp by writing [[candidate_id:ID]]."
)


class Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that the lamp's colour or room must be among; all lamps for none."""

    query: str


class OfLamp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lamp's id."""

    item_id: str


class Choice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A lamp's id, or null for none."""

    item_id: str | None


SPECS = {
    "search": ToolSpec("search", "Find lamps by words.", Query),
    "get_metadata": ToolSpec("get_metadata", "All about one lamp.", OfLamp),
    "recommend": ToolSpec("recommend", "Recommend one lamp, or none. This ends it.", Choice),
}


@dataclass
class ShopEpisode:
    """The customer wants a lamp of `colour` and tells it when asked; the `room` too."""

    colour: str = "red"
    room: str = "study"
    instructions: str = RULES
    chosen: list[str | None] = field(default_factory=list[str | None])

    def open(self) -> Iterable[Event]:
        """The request."""
        return [UserSaid("Hello! I am looking for a lamp.")]

    def tools(self) -> Mapping[str, Tool]:
        """Search, metadata and the recommendation."""
        runs = {"search": _search, "get_metadata": _metadata, "recommend": self._recommend}
        return {name: Tool(spec, runs[name]) for name, spec in SPECS.items()}

    def heard(self, text: str) -> Iterable[Event]:
        """A verdict on what is proposed, and an answer to what is asked."""
        lines: list[str] = []
        proposed = re.search(r"\[\[candidate_id:(\w+)\]\]", text)
        if proposed is not None:
            lamp = LAMPS.get(proposed[1])
            good = None if lamp is None else lamp == (self.colour, self.room)
            lines.append(UNKNOWN if good is None else ACCEPTED if good else REJECTED)
            wanted = {"colour": self.colour, "room": self.room}
            failed = [
                name
                for (name, value), has in zip(wanted.items(), lamp or (), strict=False)
                if value != has
            ]
            yield Verdict(proposed[1], good, tuple(failed))
        if "colour" in text.lower():
            lines.append(f"It should be {self.colour}.")
        if "room" in text.lower():
            lines.append(f"It is for the {self.room}.")
        yield UserSaid(" ".join(lines) or "Please go on.")

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        """A recommendation ends the episode."""
        if name != "recommend" or result.error is not None:
            return []
        lamp = self.chosen[-1]
        return [Ended(Ending.ABSTAINED if lamp is None else Ending.RECOMMENDED, item_id=lamp)]

    def show(self, event: Event) -> Message | None:
        """Words, calls and results."""
        return show_event(event)

    def _recommend(self, arguments: Choice) -> ToolResult:
        self.chosen.append(arguments.item_id)
        return _result({"recommended": arguments.item_id})


def _search(arguments: Query) -> ToolResult:
    words = set(arguments.query.lower().split())
    found = [_row(lamp) for lamp, about in LAMPS.items() if words <= set(about)]
    return _result({"total": len(found), "items": found})


def _metadata(arguments: OfLamp) -> ToolResult:
    if arguments.item_id not in LAMPS:
        return tool_error(ToolErrorKind.REFUSED, f"There is no lamp {arguments.item_id[:40]!r}.")
    return _result(_row(arguments.item_id))


def _row(lamp: str) -> dict[str, str]:
    colour, room = LAMPS[lamp]
    return {"item_id": lamp, "colour": colour, "room": room}


def _result(found: object) -> ToolResult:
    return ToolResult(msgspec.json.encode(found).decode())
