"""A session and what an agent makes of its answers, over a transport that gives set answers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.agents.deployed import DeployedAgent, Session, Setup, load_deployed
from mystery_shopper.agents.http import Line, Patience
from mystery_shopper.agents.transport import NoReply, Reply, Unreachable
from mystery_shopper.dialogue import (
    CallTools,
    ForeignCall,
    Message,
    Say,
    Tool,
    ToolSpec,
    Transcript,
    View,
    rollout_async,
)
from mystery_shopper.foundation import AgentFault, InfrastructureFault, InputError
from mystery_shopper.suites.recbench.answers import read_answer
from mystery_shopper.suites.tau_rec.shelf import Recommendation
from mystery_shopper.testing import StagedEpisode

KEY = "s3cret-key"
FILE = """
address: http://shop/api
headers: {{authorization: "Bearer ${{KEY}}"}}
say: {{path: /chat, body: {{q: "{{text}}", h: "{{history}}"}}}}
answer: {answer}
{more}
"""


@dataclass
class Server:
    """Gives these answers in order, the last one for ever."""

    answers: list[Any]
    sent: list[tuple[str, str, Any, Mapping[str, str]]] = field(default_factory=list)
    rests: list[float] = field(default_factory=list)

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        assert timeout > 0
        self.sent.append((method, url, body, headers))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Reply) else reply(answer)

    async def rest(self, seconds: float) -> None:
        self.rests.append(seconds)


def reply(body: object, status: int = 200, **headers: str) -> Reply:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Reply(status, {k.replace("_", "-"): v for k, v in headers.items()}, data, 0.25)


def agent(server: Server, folder: Path, answer: str, more: str = "") -> DeployedAgent:
    path = folder / "agent.yaml"
    path.write_text(FILE.format(answer=answer, more=more), encoding="utf-8")
    deployed = load_deployed(str(path), {"KEY": KEY})
    line = Line(server, Patience(tries=1))
    return DeployedAgent(Session(deployed, Setup(str(path)), line, "t#0", ("k1",)))


def view(text: str, *, tools: bool = True) -> View:
    spec = ToolSpec("recommend", "", Recommendation)
    held = {"recommend": Tool(spec, lambda _: None)} if tools else {}  # type: ignore[arg-type, return-value]
    return View("Our instructions.", held, (Message("user", text),), 0)


def act(one: DeployedAgent, text: str = "Hello", **more: Any) -> Any:
    return asyncio.run(one.act(view(text, **more)))  # type: ignore[arg-type]


def test_what_is_sent_is_the_template_filled_in(tmp_path: Path) -> None:
    server = Server([{"t": "Which?"}, {"t": "This?"}])
    one = agent(server, tmp_path, "{text: t, choice: c?}")
    assert act(one) == Say("Which?", 0.25, ())
    assert act(one, "A red one") == Say("This?", 0.25, ())
    method, url, body, headers = server.sent[1]
    assert (method, url) == ("POST", "http://shop/api/chat")
    assert headers["authorization"] == f"Bearer {KEY}"
    assert headers["content-type"] == "application/json"
    assert json.loads(body) == {
        "q": "A red one",
        "h": [
            {"role": "user", "content": "Hello"},
            {"role": "assistant", "content": "Which?"},
            {"role": "user", "content": "A red one"},
        ],
    }
    assert "instructions" not in str(server.sent)


def test_words_take_the_place_of_our_marks(tmp_path: Path) -> None:
    server = Server([{"t": "So."}])
    words = "words: {'##YES##': 'Fine, {text}.'}"
    act(agent(server, tmp_path, "{text: t, choice: c?}", words), "##YES##\nRed.")
    assert json.loads(server.sent[0][2])["q"] == "Fine, {text}.\nRed."


FULL = "{text: t, shown: 's[*]', choice: c, done: d, abstain: n}"
USUAL: dict[str, Any] = {"t": "So.", "s": [], "c": None, "d": False, "n": False}


@pytest.mark.parametrize(
    ("proposes", "more", "meant"),
    [
        ("shown", {}, "So."),
        ("shown", {"s": [7, "x"]}, "So. [[candidate_id:7]]"),
        ("shown", {"c": "9"}, "So."),
        ("choice", {"s": ["7"], "c": "9"}, "So. [[candidate_id:9]]"),
        ("choice", {"s": ["7"]}, "So."),
        ("shown", {"c": "9", "d": True}, {"item_id": "9"}),
        ("shown", {"d": True}, {"item_id": None}),
        ("shown", {"c": "9", "n": True}, {"item_id": None}),
        ("shown", {"t": "", "s": ["7"]}, "[[candidate_id:7]]"),
    ],
)
def test_what_answers_mean(proposes: str, more: Any, meant: Any, tmp_path: Path) -> None:
    found = act(agent(Server([USUAL | more]), tmp_path, FULL, f"proposes: {proposes}"))
    if isinstance(meant, str):
        assert found == Say(meant, 0.25, ())
    else:
        assert isinstance(found, CallTools)
        [call] = found.calls
        assert (call.name, call.arguments, found.text) == ("recommend", meant, "So.")


def test_without_a_choice_the_item_shown_last_is_it_when_done(tmp_path: Path) -> None:
    server = Server([USUAL | {"s": ["7"]}, USUAL | {"d": True}])
    one = agent(server, tmp_path, "{text: t, shown: 's[*]', done: d}")
    assert act(one) == Say("So. [[candidate_id:7]]", 0.25, ())
    assert act(one).calls[0].arguments == {"item_id": "7"}


def test_ids_and_abstention_are_read_from_the_words(tmp_path: Path) -> None:
    server = Server(
        [{"t": "Try ref A1 or ref B2."}, {"t": "You BOUGHT A1!"}, {"t": "Sorry, No Luck."}]
    )
    rules = (
        r"{text: t, shown: {pattern: 'ref (?P<id>\w+)'}, choice: {pattern: 'BOUGHT (?P<id>\w+)'},"
        " abstain: [no luck]}"
    )
    one = agent(server, tmp_path, rules, "ids: {add_prefix: f}")
    assert act(one).text == "Try ref A1 or ref B2. [[candidate_id:fA1]]"
    assert act(one).calls[0].arguments == {"item_id": "fA1"}
    assert act(one).calls[0].arguments == {"item_id": None}


@pytest.mark.parametrize(
    ("more", "ids"),
    [
        ({"s": [7, "x", 7]}, ["7", "x"]),
        ({"s": ["7", "9"], "c": "9", "d": True}, ["9", "7"]),
        ({"c": "9"}, ["9"]),
        ({"s": ["7"], "n": True}, []),
    ],
)
def test_where_no_tool_decides_what_it_names_is_its_answer(
    more: Any, ids: list[str], tmp_path: Path
) -> None:
    found = act(agent(Server([USUAL | more]), tmp_path, FULL), tools=False)
    told, _, words = found.text.partition("\n\n")
    assert json.loads(told) == {"recommendations": [{"id": one} for one in ids]}
    assert (words, found.seconds) == ("So.", 0.25)
    read = read_answer(found.text)
    assert [item.id for item in read.items] == ids
    assert read.refused == (not ids)


def test_where_no_tool_decides_words_without_ids_speak_alone(tmp_path: Path) -> None:
    server = Server([USUAL | {"t": "Heat (1995)"}, USUAL | {"t": "", "s": ["7"]}])
    one = agent(server, tmp_path, FULL)
    assert act(one, tools=False) == Say("Heat (1995)", 0.25, ())
    assert act(one, tools=False).text == '{"recommendations": [{"id": "7"}]}'


def test_ids_lead_whatever_the_words_hold(tmp_path: Path) -> None:
    links = " ".join(f"[film {n}](http://shop/{n})" for n in range(60))
    words = f'{links} {{"titles": ["Heat"]}} <think>'
    one = agent(Server([USUAL | {"t": words, "s": ["7"]}]), tmp_path, FULL)
    assert [item.id for item in read_answer(act(one, tools=False).text).items] == ["7"]


def test_reported_calls_come_along_without_secrets(tmp_path: Path) -> None:
    calls = [
        {"f": {"name": "sql", "args": '{"a": 1}'}, "out": [KEY]},
        {"f": {"name": 5, "args": {}}},
    ]
    server = Server([{"t": f"I use {KEY}.", "c": None, "k": calls}])
    answer = (
        "{text: t, choice: c, calls: {path: 'k[*]', name: f.name, arguments: f.args, result: out?}}"
    )
    found = act(agent(server, tmp_path, answer))
    assert found.text == "I use ${KEY}."
    assert found.foreign == (
        ForeignCall("sql", '{"a": 1}', ["${KEY}"]),
        ForeignCall("", {}, None),
    )


OPEN = """
open:
  path: /login
  form: {user: me, key: "${KEY}"}
  session: {token: token, id: id, at: "header:x-at"}
close: {path: "/bye/{session.id}", method: DELETE}
"""


def opened(tmp_path: Path, *answers: Any, more: str = OPEN) -> tuple[Server, DeployedAgent]:
    server = Server(list(answers))
    one = agent(server, tmp_path, "{text: t, choice: c?}", more)
    return server, one


LOGIN = reply({"token": "tok-12345678", "id": "a b/c"}, x_at="here")


def test_a_session_is_opened_once_and_closed_once(tmp_path: Path) -> None:
    server, one = opened(tmp_path, LOGIN, {"t": "a tok-12345678 b"}, {"t": "b"}, reply(b"", 500))
    assert act(one).text == "a {session.token} b"
    act(one)
    asyncio.run(one.session.close())
    asyncio.run(one.session.close())
    assert [(method, url) for method, url, *_ in server.sent] == [
        ("POST", "http://shop/api/login"),
        ("POST", "http://shop/api/chat"),
        ("POST", "http://shop/api/chat"),
        ("DELETE", "http://shop/api/bye/a%20b%2Fc"),
    ]
    assert server.sent[0][2] == b"user=me&key=s3cret-key"
    assert server.sent[0][3]["content-type"] == "application/x-www-form-urlencoded"
    assert one.session.values["at"] == "here"


def test_an_expired_session_is_opened_once_more_for_each_message(tmp_path: Path) -> None:
    gone = reply({"e": 1}, 401)
    server, one = opened(tmp_path, LOGIN, {"t": "a"}, gone, LOGIN, {"t": "b"}, gone, LOGIN, gone)
    act(one)
    assert act(one) == Say("b", 1.0 - 0.25, ())
    with pytest.raises(AgentFault, match="answered 401"):
        act(one)
    assert len(server.sent) == 8


def test_another_status_is_no_expiry(tmp_path: Path) -> None:
    server, one = opened(tmp_path, LOGIN, {"t": "a"}, reply({"e": KEY * 9}, 418))
    act(one)
    with pytest.raises(AgentFault, match="answered 418") as fault:
        act(one)
    assert "s3cret" not in str(fault.value)
    assert len(server.sent) == 3


def test_a_wrong_key_at_the_first_request_is_the_files_fault(tmp_path: Path) -> None:
    _, one = opened(tmp_path, reply({"error": f"bad {KEY}"}, 401))
    with pytest.raises(InfrastructureFault):
        act(one)
    problem = one.session.setup.problem
    assert isinstance(problem, InputError)
    assert "`open` was refused" in str(problem)
    assert "s3cret" not in str(problem)
    with pytest.raises(InfrastructureFault):
        act(one)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (reply(b"", 500), AgentFault),
        (reply(b"", 429), InfrastructureFault),
        (NoReply(f"broke off {KEY}"), AgentFault),
        (Unreachable(f"cannot {KEY}"), InfrastructureFault),
    ],
)
def test_a_first_request_that_fails_otherwise_is_not(
    answer: Any, fault: type[Exception], tmp_path: Path
) -> None:
    _, one = opened(tmp_path, answer)
    with pytest.raises(fault) as raised:
        act(one)
    assert one.session.setup.problem is None
    assert "s3cret" not in str(raised.value)


@pytest.mark.parametrize("token", ["a\nX-Evil: 1", "é" * 9, "x" * 5000, ["list"], {"a": 1}])
def test_a_hostile_token_is_refused(token: Any, tmp_path: Path) -> None:
    _, good = opened(tmp_path, LOGIN, {"t": "a"})
    act(good)
    path = tmp_path / "agent.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text.replace("say: {path: /chat,", "say: {path: /chat, headers: {x-t: '{session.token}'},"),
        encoding="utf-8",
    )
    deployed = load_deployed(str(path), {"KEY": KEY})
    server = Server([reply({"token": token, "id": "1"}, x_at="here"), {"t": "a"}])
    session = Session(deployed, good.session.setup, Line(server, Patience(tries=1)), "t", ())
    with pytest.raises(AgentFault):
        act(DeployedAgent(session))
    assert len(server.sent) == 1


def test_a_value_may_come_with_the_first_answer(tmp_path: Path) -> None:
    path = tmp_path / "agent.yaml"
    path.write_text(
        "address: http://shop\n"
        "say: {body: {q: '{text}', id: '{session.id}'}, headers: {x-id: '{session.id}'},"
        " session: {id: thread}}\n"
        "answer: {text: t, choice: c?}\n",
        encoding="utf-8",
    )
    server = Server([{"t": "a", "thread": 7}])
    deployed = load_deployed(str(path), {})
    one = DeployedAgent(Session(deployed, Setup(""), Line(server), "t"))
    act(one)
    act(one)
    assert [json.loads(sent[2])["id"] for sent in server.sent] == [None, 7]
    assert [sent[3].get("x-id") for sent in server.sent] == [None, "7"]


VALUE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["t", "s", "c", "d", "n", "k", "name"]), inner, max_size=6
        )
    ),
    max_leaves=12,
)
WHOLE = st.fixed_dictionaries(
    dict.fromkeys("scdnk", VALUE) | {"t": st.text() | VALUE}
) | VALUE  # fmt: skip


@given(st.lists(WHOLE.map(json.dumps).map(str.encode) | st.binary(max_size=20), max_size=4))
def test_no_answer_crashes_a_trial(tmp_path_factory: Any, bodies: list[bytes]) -> None:
    folder = tmp_path_factory.getbasetemp()
    answer = "{text: t, shown: s, choice: c, done: d, abstain: n, calls: {path: k, name: name?}}"
    server = Server([{**USUAL, "k": []}, *map(reply, bodies)])
    one = agent(server, folder, answer)
    for _ in range(len(bodies) + 1):
        try:
            found = act(one)
        except AgentFault:
            continue
        assert isinstance(found, Say | CallTools)
        msgspec.json.encode([call.arguments for call in found.foreign or ()])
    played = asyncio.run(rollout_async(StagedEpisode(), agent(server, folder, answer)))
    assert played.transcript.ended is not None
    assert Transcript.from_json(played.transcript.to_json()) == played.transcript
