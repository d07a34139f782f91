"""One trial's session with a deployed agent: opened, reopened once it has expired, closed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mystery_shopper.agents.deployed.loading import Deployed
from mystery_shopper.agents.deployed.requests import SESSION, Exchange, Misread
from mystery_shopper.agents.deployed.setup import Setup, excerpt, outline
from mystery_shopper.agents.deployed.veil import Veil
from mystery_shopper.agents.http import Line, ask
from mystery_shopper.agents.transport import NoReply, Reply, Transport, Unreachable
from mystery_shopper.dialogue.limits import Limits, clean_text
from mystery_shopper.foundation import AgentFault, InfrastructureFault, MysteryShopperError

TOKEN = 8
"""A value of a session with so many characters is hidden as a secret is."""


@dataclass
class Watched:
    """A transport that remembers the last answer and hides secrets in those that are refusals."""

    inner: Transport
    veil: Veil
    last: Reply | None = None

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        """See `Transport`."""
        self.last = None
        try:
            reply = await self.inner.send(method, url, body, headers, timeout)
        except (NoReply, Unreachable) as error:
            raise type(error)(self.veil.text(str(error))) from None
        self.last = reply
        if 200 <= reply.status < 300:
            return reply
        told = self.veil.text(reply.body.decode("utf-8", "replace"))
        return replace(reply, body=told.encode("utf-8", "replace"))

    async def rest(self, seconds: float) -> None:
        """See `Transport`."""
        await self.inner.rest(seconds)


@dataclass
class Answer:
    """An answer to `say`: its JSON value, its text for errors, and the seconds it took."""

    value: object
    told: str
    seconds: float


@dataclass
class Session:
    """What one trial keeps between its requests. `line` counts the statuses."""

    deployed: Deployed
    setup: Setup
    line: Line
    trial: str
    known: tuple[str, ...] = ()
    values: dict[str, object] = field(default_factory=dict[str, object])
    history: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    is_open: bool = False

    def __post_init__(self) -> None:
        self.veil = self.deployed.veil.copy()
        self._watched = Watched(self.line.transport, self.veil)
        self.line.transport = self._watched

    async def say(self, text: str) -> Answer:
        """The answer to the customer's words. A session that expired is opened again, once for
        each message. Raises AgentFault and InfrastructureFault as `agents.http.ask` does."""
        await self._open()
        self.history.append({"role": "user", "content": text})
        spent = 0.0
        try:
            reply = await self._ask(self.deployed.say, text)
        except AgentFault:
            last = self._watched.last
            if self.deployed.open is None or last is None or self._fresh:
                raise
            if last.status not in self.deployed.expired:
                raise
            spent, self.is_open = last.seconds, False
            spent += await self._open()
            reply = await self._ask(self.deployed.say, text)
        self._fresh = False
        value = self._json(reply, "say", excerpt(reply.body, self.veil))
        self._keep(self.deployed.say, value, reply)
        return Answer(value, excerpt(reply.body, self.veil), spent + reply.seconds)

    def heard(self, text: str) -> None:
        """Keep the agent's own words for `{history}`."""
        self.history.append({"role": "assistant", "content": text[: Limits().text]})

    async def close(self) -> None:
        """End the session if it was begun; what the server says to it is of no matter."""
        if self.deployed.close is not None and self.is_open:
            self.is_open = False
            self.line.patience = replace(self.line.patience, tries=1)
            try:
                await self._ask(self.deployed.close, "")
            except MysteryShopperError:
                return

    _fresh: bool = False
    """Whether the session was opened and has answered nothing since."""

    async def _open(self) -> float:
        """Open the session unless it is; gives the seconds it took."""
        if self.is_open:
            return 0.0
        self.values.clear()
        seconds = 0.0
        if self.deployed.open is not None:
            reply = await self._ask(self.deployed.open, "")
            seconds, value = reply.seconds, None
            if any(source.path for source in self.deployed.open.session.values()):
                value = self._json(reply, "open", "")
            self._keep(self.deployed.open, value, reply)
            self._fresh = True
        self.is_open = True
        return seconds

    async def _ask(self, exchange: Exchange, text: str) -> Reply:
        given: dict[str, object] = {
            "text": text,
            "history": self.history,
            "known": self.known,
            "trial": self.trial,
            **{SESSION + name: value for name, value in self.values.items()},
        }
        url, body, headers = exchange.request(given)
        try:
            # A message said twice would be in the conversation twice; a session opened twice is
            # one more that nobody uses.
            reply = await ask(
                self.line, exchange.method, url, body, headers, harmless=exchange.name != "say"
            )
        except (AgentFault, InfrastructureFault) as error:
            told = self.veil.text(str(error))
            last = self._watched.last
            kind = AgentFault if isinstance(error, AgentFault) else InfrastructureFault
            status = last.status if last else None
            raise self.setup.refused(exchange.name, status, told, kind) from None
        self.setup.reached(exchange.name)
        return reply

    def _json(self, reply: Reply, name: str, told: str) -> object:
        try:
            return json.loads(reply.body)
        except (ValueError, RecursionError):
            # A session's answer may hold its token, and what is no JSON cannot be outlined.
            shown = f"; it begins {told}" if told else f" but {len(reply.body)} bytes of other text"
            raise self.setup.misread(name, f"the answer to `{name}` is not JSON{shown}") from None

    def _keep(self, exchange: Exchange, value: object, reply: Reply) -> None:
        """Keep what the file asks for. Of an answer that lacks it only the shape is told, since
        its texts may be tokens."""
        for name, source in exchange.session.items():
            place = f"{exchange.name}.session.{name}"
            try:
                found = source.value(name, place, value, reply)
            except Misread as error:
                told = json.dumps(outline(value), ensure_ascii=False)
                raise self.setup.misread(exchange.name, str(error), told) from None
            if found is not None:
                self.values[name] = found
                if isinstance(found, str):
                    self.veil.add(found, f"{{{SESSION}{name}}}", TOKEN)
        if exchange.name == "open":
            self.setup.understood("open")

    def shown(self, text: str) -> str:
        """A text of the server's that may enter a transcript."""
        return self.veil.text(clean_text(text, len(text))[0])
