"""Which requests are sent again: none that a server may have done, unless doing it twice is
harmless or the server can tell."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from mystery_shopper.agents.http import HttpAgent, Line, Patience, ask
from mystery_shopper.agents.transport import NoReply, Reply, Reset, Unreachable, Unsent
from mystery_shopper.dialogue import View
from mystery_shopper.foundation import MysteryShopperError

VIEW = View("", {}, (), 0)


@dataclass
class Server:
    """Fails so at first, then answers."""

    first: Reply | Exception
    failures: int = 1
    keys: list[str | None] = field(default_factory=list[str | None])

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        del method, url, body, timeout
        self.keys.append(headers.get("idempotency-key"))
        if len(self.keys) <= self.failures:
            if isinstance(self.first, Exception):
                raise self.first
            return self.first
        return Reply(200, {}, b'{"say": "hi"}', 0.1)

    async def rest(self, seconds: float) -> None:
        del seconds


def tries(server: Server, method: str = "POST", **more: object) -> int:
    headers = {"Idempotency-Key": "x"} if more.pop("key", False) else {}
    one = ask(Line(server, Patience()), method, "http://a", b"", headers, **more)  # type: ignore[arg-type]
    try:
        asyncio.run(one)
    except MysteryShopperError:
        assert len(server.keys) == 1
    return len(server.keys)


def status(code: int) -> Reply:
    return Reply(code, {}, b"", 0.1)


@pytest.mark.parametrize(
    ("first", "plain", "twice"),
    [
        (Reset("broke off"), 1, 2),
        (status(502), 1, 2),
        (status(504), 1, 2),
        (Unsent("broke off while it was asked"), 2, 2),
        (Unreachable("away"), 2, 2),
        (status(429), 2, 2),
        (status(503), 2, 2),
        (NoReply("hung"), 1, 1),
        (status(500), 1, 1),
    ],
)
def test_what_may_have_been_done_is_not_asked_for_twice(
    first: Reply | Exception, plain: int, twice: int
) -> None:
    assert tries(Server(first)) == plain
    assert tries(Server(first), "PATCH") == plain
    assert tries(Server(first), "GET", harmless=False) == plain
    assert tries(Server(first), harmless=True) == twice
    assert tries(Server(first), "PUT") == twice
    assert tries(Server(first), key=True) == twice


def test_every_try_of_a_turn_bears_one_name_and_no_other_turn_does() -> None:
    server = Server(Reset("broke off"), failures=2)
    agent = HttpAgent(Line(server, Patience()), "http://agent/act", "f001-mixed#0-5-1")
    asyncio.run(agent.act(VIEW))
    asyncio.run(agent.act(VIEW))
    first, second, third, other = server.keys
    assert first is not None
    assert first == second == third != other
    assert first.isalnum()
    again = HttpAgent(Line(Server(status(200), 0), Patience()), "http://agent/act", "other trial")
    asyncio.run(again.act(VIEW))
    assert again.line.transport.keys[0] not in server.keys  # type: ignore[attr-defined]
