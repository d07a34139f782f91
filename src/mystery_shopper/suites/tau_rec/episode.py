"""One task being played: the rule-based user, the tools, and the recommendation that ends it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

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
from mystery_shopper.suites.tau_rec.desk import Desk


class User(Protocol):
    """Who speaks for the customer."""

    def open(self) -> UserSaid:
        """The first words."""
        ...

    def hear(self, text: str) -> Iterable[Event]:
        """The answer to the agent's words, with a verdict if an item was proposed."""
        ...


@dataclass(frozen=True)
class DisclosureEpisode:
    """The episode of a disclosure task."""

    user: User
    desk: Desk
    instructions: str

    def open(self) -> Iterable[Event]:
        """The user's opening."""
        return [self.user.open()]

    def tools(self) -> Mapping[str, Tool]:
        """The same tools throughout."""
        return self.desk.tools

    def heard(self, text: str) -> Iterable[Event]:
        """The user's answer."""
        return self.user.hear(text)

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        """A recommendation ends the episode."""
        decision = self.desk.decision
        if name != "recommend" or result.error is not None or decision is None:
            return []
        kind = Ending.ABSTAINED if decision.item_id is None else Ending.RECOMMENDED
        return [Ended(kind, item_id=decision.item_id)]

    def show(self, event: Event) -> Message | None:
        """Words, calls and results."""
        return show_event(event)
