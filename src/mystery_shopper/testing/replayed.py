"""A toy episode that replays a reference dialogue whatever the agent says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mystery_shopper.dialogue import (
    AgentSaid,
    Ended,
    Ending,
    Event,
    Message,
    ReferenceSaid,
    Tool,
    ToolResult,
    UserSaid,
    show_event,
)

DIALOGUE = (
    ("I want a film for tonight.", "Which genre do you like?"),
    ("Something with trains.", "Then I would take The General."),
    ("Is it long?", "An hour and a quarter."),
)


@dataclass
class ReplayedEpisode:
    """Plays `dialogue`, pairs of a user's line and the reference's answer to it.

    The agent's own line is recorded, but what it sees as its own is the reference's, so that every
    turn is judged on the same past. Once the last line is answered the episode ends.
    """

    dialogue: tuple[tuple[str, str], ...] = DIALOGUE
    instructions: str = "Answer the user."
    answered: int = 0

    def open(self) -> Iterable[Event]:
        """The user's first line."""
        return self._next()

    def tools(self) -> Mapping[str, Tool]:
        """None."""
        return {}

    def heard(self, text: str) -> Iterable[Event]:
        """The reference's line in place of the agent's, then the user's next."""
        del text
        reference = ReferenceSaid(self.dialogue[self.answered][1])
        self.answered += 1
        return [reference, *self._next()]

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        """A call brings nothing about: there is no tool."""
        del name, result
        return []

    def show(self, event: Event) -> Message | None:
        """All but the agent's own words."""
        return None if isinstance(event, AgentSaid) else show_event(event)

    def _next(self) -> Iterable[Event]:
        if self.answered == len(self.dialogue):
            return [Ended(Ending.FINISHED)]
        return [UserSaid(self.dialogue[self.answered][0])]
