"""The adapters pass the public conformance kit, with scripted models, servers and people."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mystery_shopper.agents import HumanAgent
from mystery_shopper.agents.chat import ModelAgent, ToolMode
from mystery_shopper.agents.deployed import DeployedAgent, Session, Setup, load_deployed
from mystery_shopper.agents.http import HttpAgent, Line
from mystery_shopper.agents.transport import Reply
from mystery_shopper.dialogue import (
    Act,
    Agent,
    CallTools,
    Message,
    Say,
    ToolCall,
    ToolSpec,
    View,
)
from mystery_shopper.dialogue.models import ChatMessage, ChatReply
from mystery_shopper.engine.casting import cast
from mystery_shopper.testing.conformance import AgentConformance


def next_step(said: Sequence[str], heard: str) -> tuple[str, Any]:
    """What a plain clerk does next, from its own words so far and the last it heard."""
    proposed = [found for text in said for found in re.findall(r"candidate_id:(\w+)", text)]
    if not said:
        return "say", "Which colour, and which room?"
    if proposed and "ACCEPTED" in heard:
        return "recommend", {"item_id": proposed[-1]}
    left = [f"a{at}" for at in range(1, 7) if f"a{at}" not in proposed]
    return ("say", f"How about [[candidate_id:{left[0]}]]?") if left else ("recommend", {
        "item_id": None
    })  # fmt: skip


@dataclass
class Model:
    """A scripted model that keeps nothing between two calls."""

    async def reply(
        self,
        messages: Sequence[ChatMessage],
        tools: Sequence[ToolSpec] = (),
        shape: Mapping[str, Any] | None = None,
    ) -> ChatReply:
        said = [m.text for m in messages if m.role == "assistant" and m.text]
        heard = [m.text for m in messages if m.role != "assistant"]
        name, given = next_step(said, heard[-1])
        if shape is not None:
            answer = {"say": given} if name == "say" else {"call": name, "arguments": given}
            return ChatReply(json.dumps(answer))
        assert [tool.name for tool in tools] == ["search", "get_metadata", "recommend"]
        if name == "say":
            return ChatReply(given)
        return ChatReply(calls=(ToolCall(name, given, f"c{len(messages)}"),), stop="tool_calls")


@dataclass
class Server:
    """A server of the JSON protocol, without a socket."""

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        del method, url, headers, timeout
        shown: list[dict[str, Any]] = json.loads(body)["messages"]
        said = [m["text"] for m in shown if m["role"] == "agent" and m["text"]]
        heard = [m["text"] for m in shown if m["role"] != "agent"]
        name, given = next_step(said, heard[-1])
        answer = (
            {"say": given} if name == "say" else {"calls": [{"name": name, "arguments": given}]}
        )
        return Reply(200, {}, json.dumps(answer).encode(), 0.0)

    async def rest(self, seconds: float) -> None:
        del seconds


@dataclass
class Typist:
    """A person at a terminal who goes by what stands on the screen."""

    said: list[str] = field(default_factory=list[str])
    screen: list[str] = field(default_factory=list[str])

    def show(self, message: Message) -> None:
        self.screen.append(message.text)

    def tell(self, text: str) -> None:
        del text

    def ask(self) -> str:
        name, given = next_step(self.said, self.screen[-1] if self.screen else "")
        if name == "say":
            self.said.append(given)
            return given
        return f"/recommend {given['item_id'] or 'none'}"


class TestModelWithToolCalls(AgentConformance):
    deterministic = True

    def make_agent(self) -> Agent:
        return ModelAgent(Model())


class TestModelThatAnswersInJson(AgentConformance):
    deterministic = True

    def make_agent(self) -> Agent:
        return ModelAgent(Model(), ToolMode.JSON)


class TestHttp(AgentConformance):
    deterministic = True

    def make_agent(self) -> Agent:
        return HttpAgent(Line(Server()), "http://shop.example/", "t1")


@dataclass
class Clerk:
    """An agent of a person's own, asynchronous."""

    async def act(self, view: View) -> Act:
        said = [m.text for m in view.messages if m.role == "agent" and m.text]
        heard = [m.text for m in view.messages if m.role != "agent"]
        name, given = next_step(said, heard[-1])
        return Say(given) if name == "say" else CallTools((ToolCall(name, given),))


async def hired() -> Clerk:
    """A factory that has to be awaited."""
    await asyncio.sleep(0)
    return Clerk()


class TestOwnAsynchronousFactory(AgentConformance):
    deterministic = True

    def make_agent(self) -> Agent:
        factory = cast(f"{__name__}:hired")
        unused: Any = None
        return factory(unused, "")


AGENT_FILE = """
address: http://shop.example
open: {path: /login, session: {id: id}}
say: {path: "/talk/{session.id}", body: {text: "{text}", before: "{history}"}}
answer: {text: text, shown: "shown?", choice: "choice?", done: done}
"""


@dataclass
class DeployedShop:
    """A deployed agent's server, without a socket, that goes by the history it is sent."""

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        del method, headers, timeout
        if url.endswith("/login"):
            return Reply(200, {}, b'{"id": "s1"}', 0.0)
        history: list[dict[str, str]] = json.loads(body)["before"]
        said = [turn["content"] for turn in history if turn["role"] == "assistant"]
        name, given = next_step(said, history[-1]["content"])
        answer: dict[str, Any] = {"text": given, "done": False}
        if name == "recommend":
            answer = {"text": "", "done": True, "choice": given["item_id"]}
        elif found := re.search(r"candidate_id:(\w+)", given):
            # The tag is put by the adapter; the marker tells the clerk what it has shown.
            answer = {"text": f"candidate_id:{found[1]}", "done": False, "shown": found[1]}
        return Reply(200, {}, json.dumps(answer).encode(), 0.0)

    async def rest(self, seconds: float) -> None:
        del seconds


class TestDeployed(AgentConformance):
    deterministic = True

    def make_agent(self) -> Agent:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "agent.yaml"
            path.write_text(AGENT_FILE, encoding="utf-8")
            deployed = load_deployed(str(path), {})
        return DeployedAgent(Session(deployed, Setup("agent.yaml"), Line(DeployedShop()), "t1"))


class TestHuman(AgentConformance):
    deterministic = True

    def make_agent(self) -> Agent:
        return HumanAgent(Typist())
