"""One request being played: the user asks once, and the agent's next words are the answer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mystery_shopper.dialogue import (
    Ended,
    Ending,
    Event,
    Message,
    Tool,
    ToolResult,
    UserSaid,
    show_event,
)
from mystery_shopper.suites.recbench.desk import Desk


@dataclass(frozen=True)
class RequestEpisode:
    """The episode of one request."""

    request: str
    desk: Desk
    instructions: str

    def open(self) -> Iterable[Event]:
        """The request."""
        return [UserSaid(self.request)]

    def tools(self) -> Mapping[str, Tool]:
        """The same tools throughout; none for a bare agent."""
        return self.desk.tools

    def heard(self, text: str) -> Iterable[Event]:  # noqa: ARG002
        """Whatever the agent says is its answer."""
        return [Ended(Ending.FINISHED)]

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:  # noqa: ARG002
        """A call brings about nothing beyond its result."""
        return []

    def show(self, event: Event) -> Message | None:
        """Words, calls and results."""
        return show_event(event)
