"""The HTTP protocol: what is sent, what answers mean, and what is done about failures."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.agents.http import HttpAgent, Line, Patience
from mystery_shopper.agents.transport import NoReply, Reply, Reset, Unreachable
from mystery_shopper.agents.wire import act_of, request_of
from mystery_shopper.dialogue import CallTools, Ending, Fault, Say, ToolCall, View, rollout_async
from mystery_shopper.foundation import AgentFault, InfrastructureFault
from mystery_shopper.testing import StagedEpisode


@dataclass
class Server:
    """A transport that gives these answers in order, the last one for ever."""

    answers: list[Reply | Exception]
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        assert (method, url, timeout) == ("POST", "http://agent/act", 120.0)
        self.requests.append(json.loads(body))
        self.headers.append(headers)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def rest(self, seconds: float) -> None:
        self.rests.append(seconds)


def reply(body: object, status: int = 200, **headers: str) -> Reply:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(status, {k.replace("_", "-"): v for k, v in headers.items()}, data, 0.25)


def agent(server: Server, **patience: Any) -> HttpAgent:
    return HttpAgent(Line(server, Patience(**patience)), "http://agent/act", "t1", {"x-key": "k"})


VIEW = View("Serve them.", {}, (), 0)


def test_what_is_sent() -> None:
    server = Server([reply({"say": "Hello?"})])
    act = asyncio.run(agent(server).act(VIEW))
    assert act == Say("Hello?", 0.25)
    assert server.requests == [
        {"protocol": 1, "trial": "t1", "instructions": "Serve them.", "tools": [], "messages": [],
         "new": 0}
    ]  # fmt: skip
    assert server.headers[0]["x-key"] == "k"


@pytest.mark.parametrize(
    ("answer", "act"),
    [
        ({"say": ""}, Say("")),
        ({"calls": [], "text": "hm"}, CallTools((), "hm")),
        ({"calls": [{"name": "search", "arguments": {"a": 1}, "id": "x"}]},
         CallTools((ToolCall("search", {"a": 1}, "x"),))),
        ({"calls": [{"name": None}, {"arguments": "{"}]},
         CallTools((ToolCall("", None, ""), ToolCall("", "{", "")))),
        ({"calls": [{"name": "a"}], "text": 5}, CallTools((ToolCall("a", None, ""),))),
    ],
)  # fmt: skip
def test_what_answers_mean(answer: object, act: object) -> None:
    assert act_of(json.dumps(answer).encode()) == act


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"<html>Sorry</html>", "is not JSON"),
        (b"", "is not JSON"),
        (b"\xff\xfe", "is not JSON"),
        (b"[" * 100_000, "is not JSON"),
        (b"[]", "is list"),
        (b"null", "is NoneType"),
        (b"{}", 'neither "say"'),
        (b'{"say": 5}', 'neither "say"'),
        (b'{"calls": "search"}', "is not a list"),
        (b'{"calls": {"name": "x"}}', "is not a list"),
        (b'{"calls": ["search"]}', "is not an object"),
    ],
)
def test_what_is_no_answer_is_the_agents_fault(body: bytes, told: str) -> None:
    with pytest.raises(AgentFault, match=told):
        act_of(body)


@given(st.binary(max_size=200))
def test_no_bytes_crash(body: bytes) -> None:
    with contextlib.suppress(AgentFault):
        assert isinstance(act_of(body), Say | CallTools)


def test_retry_after_is_kept_to_and_pauses_double() -> None:
    server = Server(
        [reply({}, 503), reply({}, 429, Retry_After="7"), reply({}, 502, retry_after="Wed, 21 Oct"),
         reply({"say": "at last"})]
    )  # fmt: skip
    one = agent(server)
    assert asyncio.run(one.act(VIEW)) == Say("at last", 0.25)
    assert server.rests == [0.5, 7.0, 2.0]
    assert one.line.statuses == {"503": 1, "429": 1, "502": 1, "200": 1}


def test_a_pause_has_an_end() -> None:
    server = Server([reply({}, 503, retry_after="86400"), reply({"say": "hi"})])
    asyncio.run(agent(server).act(VIEW))
    assert server.rests == [60.0]


@pytest.mark.parametrize(
    ("answer", "fault", "tries"),
    [
        (reply(b"oops", 500), AgentFault, 1),
        (reply(b"no", 404), AgentFault, 1),
        (reply(b"moved", 302), AgentFault, 1),
        (reply(b"busy", 503), AgentFault, 4),
        (reply(b"slow down", 429), InfrastructureFault, 4),
        (NoReply("no answer within 120 s"), AgentFault, 1),
        (Reset("broke off before it answered"), AgentFault, 4),
        (Unreachable("cannot be reached"), InfrastructureFault, 4),
    ],
)
def test_failures_are_typed(answer: Any, fault: type[Exception], tries: int) -> None:
    server = Server([answer])
    with pytest.raises(fault):
        asyncio.run(agent(server).act(VIEW))
    assert len(server.requests) == tries


def test_a_trial_over_the_protocol() -> None:
    server = Server([reply({"say": "Which colour?"}), reply(b"garbage")])
    played = asyncio.run(rollout_async(StagedEpisode(), agent(server)))
    assert played.seconds[0] == 0.25 or played.seconds[0] < 0.25
    ended = played.transcript.ended
    assert ended is not None
    assert (ended.kind, ended.fault) == (Ending.ERROR, Fault.AGENT)
    assert server.requests[1]["new"] == 1
    assert [m["role"] for m in server.requests[1]["messages"]] == ["user", "agent", "user"]


def test_calls_and_results_share_an_id() -> None:
    from mystery_shopper.dialogue import Message

    messages = (
        Message("agent", "", "c1", "search", {"q": 1}),
        Message("tool", "[]", "c1", "search"),
    )
    shown = request_of(View("", {}, messages, 1), "t")["messages"]
    assert shown == [
        {"role": "agent", "text": "", "call_id": "c1", "name": "search", "arguments": {"q": 1}},
        {"role": "tool", "text": "[]", "call_id": "c1", "name": "search"},
    ]
