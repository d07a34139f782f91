"""A person's own user, under the same guard as a model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from mystery_shopper.catalog import Catalogue
from mystery_shopper.dialogue import Verdict
from mystery_shopper.suites.tau_rec.modeluser.voice import Words
from mystery_shopper.suites.tau_rec.task import Task


class OwnUser(Protocol):
    """What a person writes: words only, plain or asynchronous. `hear` may be called again with the
    same text, where its reply could not be let out."""

    def open(self) -> str | Awaitable[str]:
        """The first message."""
        ...

    def hear(self, text: str) -> str | Awaitable[str]:
        """The reply to the agent's words."""
        ...


OwnUserClass: TypeAlias = Callable[[Task, Catalogue], OwnUser]


@dataclass
class OwnVoice:
    """The voice of a person's own user."""

    user: OwnUser
    _last: str | None = None

    def open(self) -> Words:
        """See `Voice`."""
        return self.user.open()

    def hear(self, text: str, verdict: Verdict | None) -> Words:
        """See `Voice`; the verdict stands before the words already."""
        del verdict
        self._last = text
        return self.user.hear(text)

    def again(self, draft: str, why: str) -> Words:
        """See `Voice`."""
        del draft, why
        return self.user.open() if self._last is None else self.user.hear(self._last)

    def settle(self, text: str) -> None:
        """The person's class keeps what it wants."""
