"""A server that breaks HTTP itself: bytes that no handler of ours would send."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import socket
import threading
import time
from collections.abc import Callable, Generator

import pytest

from mystery_shopper.agents.http import HttpAgent, Line, Patience
from mystery_shopper.dialogue import (
    Act,
    CallTools,
    Ending,
    Fault,
    Say,
    ToolErrorKind,
    Transcript,
    View,
    rollout,
)
from mystery_shopper.foundation import AgentFault, InfrastructureFault
from mystery_shopper.testing import ScriptedAgent, StagedEpisode, tool_errors

pytest.importorskip("httpx", reason="needs the extra [models]")

from mystery_shopper.engine.lasting.http import HttpxTransport

VIEW = View("Serve them.", {}, (), 0)
OK = b'{"say": "hi"}'
KEY = "a-key-of-ours"
Answer = bytes | Callable[[socket.socket], None]


def whole_request(one: socket.socket) -> bytes:
    """Head and body, so that closing does not reset what was sent."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += one.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    size = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
    while len(body) < size:
        body += one.recv(65536)
    return head


@contextlib.contextmanager
def server(answer: Answer) -> Generator[tuple[str, list[bytes]]]:
    """An address that answers every connection once with these bytes, and the heads it was sent."""
    heads: list[bytes] = []
    listening = socket.create_server(("127.0.0.1", 0))

    def serve(one: socket.socket) -> None:
        with one, contextlib.suppress(OSError):
            heads.append(whole_request(one))
            if callable(answer):
                answer(one)
            else:
                one.sendall(answer)

    def accept() -> None:
        with contextlib.suppress(OSError):
            while True:
                one, _ = listening.accept()
                threading.Thread(target=serve, args=(one,), daemon=True).start()

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/act", heads
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def http(body: bytes, status: str = "200 OK", *, length: bool = True, **headers: str) -> bytes:
    given = {"content-length": str(len(body))} if length else {}
    lines = {**given, **{name.replace("_", "-"): value for name, value in headers.items()}}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def asked(address: str, timeout: float = 2.0, **more: int) -> Act:
    patience = Patience(timeout=timeout, pause=0.01, longest=0.05, **more)
    transport = HttpxTransport()

    async def ask() -> Act:
        try:
            agent = HttpAgent(Line(transport, patience), address, "t", {"x-key": KEY})
            return await agent.act(VIEW)
        finally:
            await transport.close()

    return asyncio.run(ask())


def drip(one: socket.socket) -> None:
    one.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
    for _ in range(50):
        one.sendall(b" ")
        time.sleep(0.05)


def drip_head(one: socket.socket) -> None:
    one.sendall(b"HTTP/1.1 200 OK\r\n")
    for at in range(50):
        one.sendall(f"x-{at}: a\r\n".encode())
        time.sleep(0.05)


BOMB = gzip.compress(b" " * (64 * 2**20))
FAULTY: dict[str, tuple[Answer, str]] = {
    "drips its body": (drip, "no answer within 0.5 s"),
    "drips its head": (drip_head, "no answer within 0.5 s"),
    "says a body is longer": (http(OK, content_length="500"), "broke off"),
    "says a body is shorter": (http(OK, content_length="9"), "is not JSON"),
    "gives two lengths": (
        b"HTTP/1.1 200 OK\r\ncontent-length: 13\r\ncontent-length: 5\r\n\r\n" + OK,
        "broke off",
    ),
    "gives a length below zero": (http(OK, content_length="-1"), "broke off"),
    "breaks its chunks": (
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
        "broke off",
    ),
    "sends a gzip bomb": (http(BOMB, content_encoding="gzip"), "sent more than 10 MB"),
    "sends no gzip": (http(b"not gzip", content_encoding="gzip"), "broke off"),
    "cuts its gzip": (http(gzip.compress(OK)[:9], content_encoding="gzip"), "is not JSON"),
    "is no web server": (b"220 mail.example ESMTP\r\n", "broke off"),
    "says nothing": (b"", "broke off"),
    "has a status in words": (http(OK, "fine"), "broke off"),
    "has a status of its own": (http(OK, "999 So"), "answered 999"),
    "has a head without end": (
        b"HTTP/1.1 200 OK\r\n" + b"x: " + b"y" * 500_000 + b"\r\n\r\n",
        "broke off",
    ),
    "leads to a file": (http(b"", "302 Found", location="file:///etc/passwd"), "none is followed"),
    "leads to itself": (http(b"", "307 T", location="/act"), "a redirect to '/act'"),
    "leads nowhere": (http(b"", "301 T"), "none is followed"),
    "nests without end": (http(b'{"say":' + b"[" * 100_000 + b"]" * 100_000 + b"}"), "not JSON"),
    "has a number of 5,000 digits": (
        http(b'{"calls":[{"name":"a","arguments":{"b":' + b"9" * 5_000 + b"}}]}"),
        "not JSON",
    ),
    "is no UTF-8": (http(b'{"say": "\xff"}'), "not JSON"),
    "says null": (http(b'{"say": null, "calls": null}'), "neither"),
    "answers with a list": (http(b'[{"say": "hi"}]'), "not one JSON object"),
    "has calls by name": (http(b'{"calls": {"name": "search"}}'), "is not a list"),
    "asks to wait for ever": (http(b"", "503 X", retry_after="9" * 40), "answered 503"),
    "asks to wait in no number": (http(b"", "503 X", retry_after="²"), "answered 503"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_the_fault_is_the_agents(name: str) -> None:
    answer, told = FAULTY[name]
    with server(answer) as (address, _), pytest.raises(AgentFault) as fault:
        asked(address, timeout=0.5 if callable(answer) else 5.0, tries=2)
    assert told in str(fault.value)
    assert KEY not in str(fault.value)


def test_a_redirect_takes_our_headers_nowhere() -> None:
    with server(http(OK)) as (other, heads):
        away = http(b"", "307 Temporary Redirect", location=other)
        with server(away) as (address, _), pytest.raises(AgentFault, match="none is followed"):
            asked(address)
    assert heads == []


STRANGE: dict[str, tuple[bytes, str]] = {
    "two keys of one name": (http(b'{"say": "a", "say": "b"}'), "b"),
    "a lone surrogate": (http(b'{"say": "\\ud800"}'), "\ud800"),
    "a mark before it": (http(b"\xef\xbb\xbf" + OK), "hi"),
    "no length": (http(OK, length=False), "hi"),
    "interim answers": (b"HTTP/1.1 103 Early Hints\r\n\r\n" * 50 + http(OK), "hi"),
    "a header in latin-1": (b"HTTP/1.1 200 OK\r\nx: \xff\r\ncontent-length: 13\r\n\r\n" + OK, "hi"),
    "five million letters": (http(b'{"say": "' + b"a" * 5_000_000 + b'"}'), "a" * 5_000_000),
}


@pytest.mark.parametrize("name", STRANGE)
def test_what_is_strange_but_an_answer(name: str) -> None:
    answer, words = STRANGE[name]
    with server(answer) as (address, _):
        act = asked(address, timeout=5.0)
    assert isinstance(act, Say)
    assert act.text == words


BAD, TAKEN = ToolErrorKind.BAD_ARGUMENTS, None
ARGUMENTS = {
    "NaN": BAD,
    '{"letters": -Infinity, "b": 1e999}': BAD,
    '""': BAD,
    "null": BAD,
    '"{"': BAD,
    "[1]": BAD,
    '{"letters": ' + '{"a":' * 900 + "1" + "}" * 901: BAD,
    '{"letters": "a", "letters": 5}': BAD,
    "1e400": BAD,
    "true": BAD,
    # What JSON cannot hold stands in the transcript as the nearest text, and a text is wanted.
    '{"letters": NaN}': TAKEN,
    '{"letters": 1' + "0" * 4_000 + "}": TAKEN,
    '{"letters": "\\ud800"}': TAKEN,
}


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda text: text[:20])
def test_strange_arguments_end_no_trial(arguments: str) -> None:
    body = ('{"calls": [{"name": "search", "arguments": ' + arguments + "}]}").encode()

    with server(http(body)) as (address, _):
        act = asked(address)
    assert isinstance(act, CallTools)
    played = rollout(StagedEpisode(), ScriptedAgent([act], fallback=Say("Well?")))
    ended = played.transcript.ended
    assert ended is not None
    assert (ended.kind, ended.fault) == (Ending.TURN_CAP, Fault.AGENT)
    assert tool_errors(played.transcript) == [ARGUMENTS[arguments]]
    assert Transcript.from_json(played.transcript.to_json()) == played.transcript


@pytest.mark.parametrize("address", ["http://127.0.0.1:99999/", "http://xn--/", "http://[::1"])
def test_an_address_that_httpx_takes_and_cannot_use(address: str) -> None:
    with pytest.raises(InfrastructureFault, match="cannot be reached"):
        asked(address, tries=1)
