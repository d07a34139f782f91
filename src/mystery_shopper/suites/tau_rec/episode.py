"""One task being played: the rule-based user, the tools, and the recommendation that ends it."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from mystery_shopper.dialogue import (
    Ended,
    Ending,
    Event,
    Happening,
    Message,
    Tool,
    ToolResult,
    UserSaid,
    show_event,
)
from mystery_shopper.suites.tau_rec.desk import Desk


class User(Protocol):
    """Who speaks for the customer; one that has to be asked first answers by awaitables."""

    def open(self) -> UserSaid | Awaitable[UserSaid]:
        """The first words."""
        ...

    def hear(self, text: str) -> Happening:
        """The answer to the agent's words, with a verdict if an item was proposed."""
        ...


@dataclass(frozen=True)
class DisclosureEpisode:
    """The episode of a disclosure task."""

    user: User
    desk: Desk
    instructions: str

    def open(self) -> Happening:
        """The user's opening."""
        said = self.user.open()
        return [said] if isinstance(said, UserSaid) else _alone(said)

    def tools(self) -> Mapping[str, Tool]:
        """The same tools throughout."""
        return self.desk.tools

    def heard(self, text: str) -> Happening:
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


async def _alone(said: Awaitable[UserSaid]) -> Iterable[Event]:
    return [await said]
