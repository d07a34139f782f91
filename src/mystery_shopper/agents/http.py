"""An agent behind HTTP, by the protocol in `agents.wire`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from mystery_shopper.agents.transport import NoReply, Reply, Reset, Transport, Unreachable
from mystery_shopper.agents.wire import act_of, request_of
from mystery_shopper.dialogue import Act, View
from mystery_shopper.foundation import AgentFault, InfrastructureFault

AGAIN = (429, 502, 503, 504)
"""Statuses that are tried again."""


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

    async def act(self, view: View) -> Act:
        """One request. Raises AgentFault for an answer that is none, InfrastructureFault where
        there is nobody to ask."""
        body = json.dumps(request_of(view, self.trial)).encode()
        headers = {"content-type": "application/json", **self.headers}
        reply = await ask(self.line, "POST", self.url, body, headers)
        return act_of(reply.body, reply.seconds)


async def ask(line: Line, method: str, url: str, body: bytes, headers: Mapping[str, str]) -> Reply:
    """One request with its tries. Raises AgentFault where the answer is no success, and
    InfrastructureFault where the server cannot be reached or asks us to slow down for good."""
    transport, patience, pause = line.transport, line.patience, line.patience.pause
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
            if not (left and isinstance(error, Reset)):
                raise AgentFault(f"{url}: {error}") from None
            await transport.rest(pause)
        else:
            line.statuses[str(reply.status)] += 1
            if 200 <= reply.status < 300:
                return reply
            if reply.status not in AGAIN or not left:
                raise _refusal(url, reply)
            await transport.rest(min(_retry_after(reply, pause), patience.longest))
        pause *= 2
    raise AssertionError("the last try returns or raises")


def _refusal(url: str, reply: Reply) -> AgentFault | InfrastructureFault:
    start = reply.body[:120].decode("utf-8", "replace")
    text = f"{url} answered {reply.status}: {start!r}"
    return InfrastructureFault(text) if reply.status == 429 else AgentFault(text)


def _retry_after(reply: Reply, pause: float) -> float:
    """The seconds that the server asks for; our own pause where it gives none, or a date."""
    text = next((v for k, v in reply.headers.items() if k.lower() == "retry-after"), "")
    return max(pause, float(text)) if text.isdecimal() and len(text) < 7 else pause
