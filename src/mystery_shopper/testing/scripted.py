"""An agent that plays a list of acts, and what tests of an agent's transcript often need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from mystery_shopper.dialogue import (
    Act,
    CallTools,
    Say,
    ToolCall,
    ToolErrorKind,
    ToolReturned,
    Transcript,
    View,
)

E = TypeVar("E")


@dataclass
class ScriptedAgent:
    """Plays `acts` in order, then `fallback` for ever. An exception among the acts is raised.

    `views` holds what it was shown, one view an act.
    """

    acts: Sequence[Act | Exception] = ()
    fallback: Act | Exception = Say("I have nothing to add.")  # noqa: RUF009 (Say is frozen)
    views: list[View] = field(default_factory=list[View])

    def act(self, view: View) -> Act:
        """The next act of the script."""
        place = len(self.views)
        self.views.append(view)
        chosen = self.acts[place] if place < len(self.acts) else self.fallback
        if isinstance(chosen, Exception):
            raise chosen
        return chosen


@dataclass
class SteppedClock:
    """A clock for `rollout`: each reading is `step` seconds after the one before, so that every
    act takes `step` seconds."""

    step: float
    now: float = 0.0

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def call(name: str, /, **arguments: object) -> CallTools:
    """An act of one tool call."""
    return CallTools((ToolCall(name, arguments),))


def events_of(transcript: Transcript, kind: type[E]) -> list[E]:
    """The events of one type, in order."""
    return [event for event in transcript.events if isinstance(event, kind)]


def tool_errors(transcript: Transcript) -> list[ToolErrorKind | None]:
    """How each tool call ended, in order: the kind of error, or None if it went well."""
    return [event.error for event in events_of(transcript, ToolReturned)]
