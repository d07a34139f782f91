"""How an adapter reaches a server: a protocol that the engine fills, since nothing below it opens a
socket."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from mystery_shopper.foundation import MysteryShopperError


@dataclass(frozen=True, slots=True)
class Reply:
    """A server's answer. `seconds` is what a person would have waited for it: from the sent request
    to the last byte, without our own waiting for a free line."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    seconds: float


class NoReply(MysteryShopperError):
    """The server gave no whole answer: it hung, broke off, or sent more than is taken."""


class Reset(NoReply):
    """The connection broke before the server began to answer, as when too many call at once. The
    server may have read the request, and may have done what it asks."""


class Unsent(Reset):
    """It broke before the whole request was sent, so the server cannot have done it."""


class Unreachable(MysteryShopperError):
    """There was no server to talk to."""


class Transport(Protocol):
    """Sends one request and gives its whole answer."""

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        """Raises NoReply and Unreachable."""
        ...

    async def rest(self, seconds: float) -> None:
        """Wait before the next try."""
        ...
