"""Connections that break over real sockets: what the transport says of them, and what a server that
keeps state sees."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mystery_shopper.dialogue import Fault
from mystery_shopper.engine import RunFolder

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.agents.transport import Reset, Unreachable
from mystery_shopper.engine.lasting import lines
from mystery_shopper.engine.lasting.http import HttpxTransport
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of

ABSTAIN = json.dumps({"calls": [{"name": "recommend", "arguments": {"item_id": None}}]}).encode()


class Server:
    """Reads each request whole; breaks the connection of every key's first one, answers the rest.
    `seen` counts the keys."""

    def __init__(self, breaks: int = 1) -> None:
        self.breaks = breaks
        self.seen: Counter[str] = Counter()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.listener.getsockname()[1]}/act"

    def serve(self) -> None:
        while True:
            try:
                line, _ = self.listener.accept()
            except OSError:
                return
            with line:
                self.answer(line)

    def answer(self, line: socket.socket) -> None:
        text = b""
        while b"\r\n\r\n" not in text:
            text += line.recv(65536)
        head, _, body = text.partition(b"\r\n\r\n")
        pairs = [part.split(": ", 1) for part in head.decode().split("\r\n")[1:]]
        headers = {name.lower(): value for name, value in pairs}
        while len(body) < int(headers["content-length"]):
            body += line.recv(65536)
        key = headers.get("idempotency-key", "")
        self.seen[key] += 1
        if self.seen[key] <= self.breaks:
            # Reset rather than closed.
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return
        line.sendall(
            b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(ABSTAIN)
        )
        line.sendall(ABSTAIN)


@contextmanager
def served(breaks: int = 1) -> Iterator[Server]:
    server = Server(breaks)
    thread = threading.Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        # Wakes accept, which a mere close does not.
        server.listener.shutdown(socket.SHUT_RDWR)
        server.listener.close()
        thread.join(5)


def test_a_reset_after_sending_is_told_from_nobody_there() -> None:
    async def send(address: str) -> None:
        headers = {"idempotency-key": "k"}
        await HttpxTransport().send("POST", address, b"{}", headers, 5)

    with served() as server:
        with pytest.raises(Reset):
            asyncio.run(send(server.address))
        assert server.seen == {"k": 1}
    with pytest.raises(Unreachable):
        asyncio.run(send(server.address))


def test_an_agents_server_can_tell_a_try_from_a_new_turn(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "PATIENCE", lines.Patience(pause=0.01))
    with served() as server:
        plan = plan_of(task_file, agent=server.address, conditions=["mixed"])
        folder = RunFolder(tmp_path / "run")
        run_lasting(plan, folder, lines.casting_of(plan, None))
    assert [trial.fault for trial in folder.trials()] == [None] * 3
    assert sorted(server.seen.values()) == [2, 2, 2]


def test_a_deployed_agent_is_not_told_a_message_twice(task_file: str, tmp_path: Path) -> None:
    with served(breaks=99) as server:
        (tmp_path / "agent.yaml").write_text(
            f"address: {server.address}\n"
            'say: {path: "", body: {text: "{text}"}}\n'
            "answer: {text: say, choice: order}\n",
            encoding="utf-8",
        )
        plan = plan_of(task_file, agent=str(tmp_path / "agent.yaml"), only=["f001-mixed"])
        folder = RunFolder(tmp_path / "run")
        run_lasting(plan, folder, lines.casting_of(plan, None))
    assert server.seen == {"": 1}
    [trial] = folder.trials()
    assert trial.fault is Fault.AGENT
    assert "broke off before it answered" in str(trial.transcript.ended)
