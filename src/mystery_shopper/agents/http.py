"""An agent behind HTTP, by the protocol in `agents.wire`."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from mystery_shopper.agents.transport import (
    NoReply,
    Reply,
    Reset,
    Transport,
    Unreachable,
    Unsent,
)
from mystery_shopper.agents.wire import act_of, request_of
from mystery_shopper.dialogue import Act, View
from mystery_shopper.foundation import AgentFault, InfrastructureFault, InputError

REFUSED = (429, 503)
"""Statuses by which a server refuses for now: the request was not done, and is sent again."""
BROKEN = (502, 504)
"""Statuses of what stands before the server: the request may have been done."""
HARMLESS = ("GET", "HEAD", "OPTIONS", "PUT", "DELETE")
"""Methods whose requests do the same once or twice."""
SAME = "idempotency-key"
"""A header by which a server knows a request that it has seen already."""


class Refused(AgentFault):
    """An answer that is no success; `status` is its own."""

    def __init__(self, told: str, status: int) -> None:
        super().__init__(told)
        self.status = status


def is_wrong_door(status: int) -> bool:
    """Whether a server that answers so, before it has taken any request of a run, was asked at the
    wrong address or with the wrong key: whatever it refuses, unless it asks to come again."""
    return 300 <= status < 500 and status not in (408, 425, 429)


@dataclass
class Door:
    """Whether a run has found its server: its trials share it. A request that is refused before any
    was taken is the command's fault and not the agent's; `problem` is set then."""

    where: str
    problem: InputError | None = None
    _open: bool = False

    def check(self) -> None:
        """Raises InfrastructureFault where it is known to be the wrong one: nothing more is
        asked."""
        if self.problem is not None:
            raise InfrastructureFault(str(self.problem))

    def opened(self) -> None:
        """A request was taken."""
        self._open = True

    def refused(self, error: Refused) -> Exception:
        """What to raise for a refusal."""
        if self._open or not is_wrong_door(error.status):
            return error
        if self.problem is None:
            self.problem = InputError(
                f"the first request of the run was refused: {error}",
                where=self.where,
                remedy="Mend the address, its path or its key. A server that wants a header or a "
                "body of its own is described in an agent.yaml: docs/agents-deployed.md.",
            )
        return InfrastructureFault(str(self.problem))


@dataclass(frozen=True)
class Patience:
    """How long one answer may take, and how often and after what pause a request is sent again.

    The pause doubles with every try; a server's Retry-After is kept to, up to `longest`. Seconds.
    """

    timeout: float = 120.0
    tries: int = 4
    pause: float = 0.5
    longest: float = 60.0


@dataclass
class Line:
    """One trial's line to a server. `statuses` counts what came back, failed tries included."""

    transport: Transport
    patience: Patience = Patience()
    statuses: Counter[str] = field(default_factory=Counter[str])


@dataclass
class HttpAgent:
    """One trial with a server that speaks the protocol."""

    line: Line
    url: str
    trial: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    asked: int = 0
    door: Door | None = None

    async def act(self, view: View) -> Act:
        """One request, with a name of its own that every try bears, so that a server may tell them
        from a new one. Raises AgentFault for an answer that is none, InfrastructureFault where
        there is nobody to ask, or the run's first request was refused."""
        door = self.door or Door(self.url, _open=True)
        door.check()
        self.asked += 1
        name = hashlib.sha256(f"{self.trial}\n{self.asked}".encode()).hexdigest()[:32]
        body = json.dumps(request_of(view, self.trial)).encode()
        headers = {"content-type": "application/json", SAME: name, **self.headers}
        try:
            reply = await ask(self.line, "POST", self.url, body, headers)
        except Refused as error:
            raise door.refused(error) from None
        door.opened()
        return act_of(reply.body, reply.seconds)


async def ask(
    line: Line,
    method: str,
    url: str,
    body: bytes,
    headers: Mapping[str, str],
    *,
    harmless: bool | None = None,
) -> Reply:
    """One request with its tries. Raises AgentFault where the answer is no success, and
    InfrastructureFault where the server cannot be reached or asks us to slow down for good.

    What the server may have done already is asked for again only where doing it twice does no harm:
    `harmless` (where that is None, by the method: RFC 9110 §9.2.2), or with an Idempotency-Key by
    which the server knows it.
    """
    transport, patience, pause = line.transport, line.patience, line.patience.pause
    if harmless is None:
        harmless = method.upper() in HARMLESS
    twice = harmless or any(key.lower() == SAME for key in headers)
    again = (*REFUSED, *BROKEN) if twice else REFUSED
    for left in range(patience.tries - 1, -1, -1):
        try:
            reply = await transport.send(method, url, body, headers, patience.timeout)
        except Unreachable as error:
            if not left:
                raise InfrastructureFault(f"{url}: {error}") from None
            line.statuses["unreachable"] += 1
            await transport.rest(pause)
        except NoReply as error:
            line.statuses["no reply"] += 1
            if not (left and isinstance(error, Reset if twice else Unsent)):
                raise AgentFault(f"{url}: {error}") from None
            await transport.rest(pause)
        else:
            line.statuses[str(reply.status)] += 1
            if 200 <= reply.status < 300:
                return reply
            if reply.status not in again or not left:
                raise _refusal(url, reply)
            await transport.rest(min(_retry_after(reply, pause), patience.longest))
        pause *= 2
    raise AssertionError("the last try returns or raises")


def _refusal(url: str, reply: Reply) -> AgentFault | InfrastructureFault:
    start = reply.body[:120].decode("utf-8", "replace")
    text = f"{url} answered {reply.status}: {start!r}"
    if 300 <= reply.status < 400:
        # Followed, it would lead what we send, headers with credentials too, to another's door.
        place = header_of(reply.headers, "location") or "nowhere"
        text = f"{url} answered {reply.status}, a redirect to {place[:200]!r}; none is followed"
    return InfrastructureFault(text) if reply.status == 429 else Refused(text, reply.status)


def _retry_after(reply: Reply, pause: float) -> float:
    """The seconds that the server asks for; our own pause where it gives none, or a date."""
    text = header_of(reply.headers, "retry-after") or ""
    return max(pause, float(text)) if text.isdecimal() and len(text) < 7 else pause


def header_of(headers: Mapping[str, str], name: str) -> str | None:
    """A header's value, whatever the case of its name; None where it is not there."""
    return next((value for key, value in headers.items() if key.lower() == name.lower()), None)
