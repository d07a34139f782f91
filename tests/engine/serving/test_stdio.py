"""The server as a client meets it: a process of its own behind real pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra [mcp]")

from mcp import Client, StdioServerParameters, stdio_client

from mystery_shopper.dialogue import (
    CallTools,
    Ending,
    Fault,
    Limits,
    Say,
    ToolCall,
    ToolErrorKind,
    rollout,
)
from mystery_shopper.engine import RunFolder, load_shelf
from mystery_shopper.engine.replay import replay
from mystery_shopper.engine.trial import Trial
from mystery_shopper.suites.tau_rec.shelf import Interface
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.testing import ScriptedAgent, tool_errors

from ..helpers import few_films, plan_of

ASK = "Which genre, language, country, release year and format do you want?"
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


def arguments(task_file: str, task: str, out: Path | None) -> list[str]:
    command = ["-m", "mystery_shopper", "serve-mcp", "tau_rec", "--task-set", task_file]
    return [*command, "--task", task, *(["--out", str(out)] if out else [])]


def sole_trial(out: Path) -> Trial:
    (trial,) = RunFolder(out).trials()
    return trial


def assert_replays(out: Path) -> None:
    found = replay(RunFolder(out))
    assert (found.trials, found.difference) == (1, None)


class Raw:
    """A client without a library: it writes lines, and reads what comes back."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.lines: list[bytes] = []
        self.number = 0

    def write(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, **params: Any) -> None:
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.write(json.dumps(message).encode())

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.send(method, **params)
        return self.read(self.number)

    def read(self, number: int) -> dict[str, Any]:
        assert self.process.stdout is not None
        while True:
            line = self.process.stdout.readline()
            assert line, "the server closed its stdout"
            self.lines.append(line)
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == number:
                return message

    def call(self, name: str, **given: Any) -> dict[str, Any]:
        return self.ask("tools/call", name=name, arguments=given)["result"]

    def close(self) -> str:
        """Close stdin as a client does that leaves; gives what stood on stderr."""
        out, err = self.process.communicate(timeout=60)
        self.lines += out.splitlines(keepends=True)
        return err.decode()


@contextmanager
def raw(task_file: str, task: str, out: Path | None = None) -> Iterator[Raw]:
    process = subprocess.Popen(
        [sys.executable, *arguments(task_file, task, out)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    client = Raw(process)
    try:
        hello = client.ask(
            "initialize",
            protocolVersion="2025-06-18",
            capabilities={},
            clientInfo={"name": "raw", "version": "0"},
        )
        assert "Hello" in hello["result"]["instructions"]
        client.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        yield client
    finally:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_scripted_client_wins_a_trial(mode: str, task_file: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    shelf = load_shelf("films", plan_of(task_file).size)
    specs = shelf.specs(Interface.STRUCTURED)
    acts: list[Any] = []

    async def play() -> None:
        command = StdioServerParameters(
            command=sys.executable, args=arguments(task_file, "f001-mixed", out)
        )
        async with Client(stdio_client(command), mode=mode) as client:
            tools = (await client.list_tools()).tools
            assert [tool.name for tool in tools[:2]] == ["start", "say"]
            assert [(t.name, t.description, t.input_schema) for t in tools[2:]] == [
                (spec.name, spec.description, spec.schema) for spec in specs
            ]
            assert set(tools[1].input_schema["properties"]) == {"text"}

            async def call(name: str, **given: Any) -> list[str]:
                found = await client.call_tool(name, given)
                assert not found.is_error
                texts = [part.text for part in found.content if part.type == "text"]
                if name == "say":
                    acts.append(Say(given["text"]))
                elif name != "start":
                    acts.append(CallTools((ToolCall(name, given),)))
                return texts

            (opening,) = await call("start")
            assert opening == client.instructions
            (resource,) = (await client.list_resources()).resources
            (content,) = (await client.read_resource(str(resource.uri))).contents
            assert content.model_dump()["text"] == opening
            assert "`recommend`" in opening
            assert "It should include Horror." in opening

            (answer,) = await call("say", text=ASK)
            assert "Spain" in answer
            (found,) = await call("search", genre="Horror", country="Spain", formats="DVD")
            for row in json.loads(found)["items"]:
                (verdict,) = await call("say", text=f"[[candidate_id:{row['item_id']}]]")
                (formats,) = await call("check_formats", item_id=row["item_id"])
                if "ACCEPTED" in verdict and "DVD" in json.loads(formats)["formats"]:
                    (told, over) = await call("recommend", item_id=row["item_id"])
                    assert json.loads(told) == {"recommended": row["item_id"]}
                    assert over == "The conversation is over."
                    break
            kept = (out / "trials.jsonl").read_bytes()
            assert kept.count(b"\n") == 1
            for name in ("say", "search", "start", "sneeze"):
                late = await client.call_tool(name, {"text": "Hello?"})
                assert late.is_error
                assert late.content[0].model_dump()["text"] == "The conversation is over."
            assert (out / "trials.jsonl").read_bytes() == kept

    anyio.run(play)
    trial = sole_trial(out)
    assert (trial.agent, trial.score.success, trial.fault) == ("mcp", True, None)
    task = few_films().by_id["f001-mixed"]
    episode = set_stage(task, shelf, Setting())
    assert rollout(episode, ScriptedAgent(acts), Limits()).transcript == trial.transcript
    (timing,) = RunFolder(out).timings()
    assert len(timing.seconds) == len(acts)
    assert_replays(out)
    again = subprocess.run(
        [sys.executable, "-m", "mystery_shopper", "replay", str(out)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "1 trials" in again.stdout


HOSTILE: tuple[bytes, ...] = (
    b"not JSON",
    b"",
    b"[]",
    b"null",
    b'{"jsonrpc": "2.0", "id": "a", "method": "tools/call"}',
    b'{"jsonrpc": "2.0", "id": "b", "method": "tools/call", "params": [1]}',
    b'{"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {"name": 7}}',
    b'{"jsonrpc": "2.0", "id": "d", "method": "sneeze", "params": {}}',
    b'{"jsonrpc": "2.0", "id": "e", "method": "resources/read", "params": {"uri": "x://y"}}',
    b'{"jsonrpc": "2.0", "id": "f", "method": "tools/call",'
    b' "params": {"name": "say", "arguments": {"text": "\\ud800"}}}',
    b'{"jsonrpc": "2.0", "id": "g", "method": "tools/call", "params": {"name": "search",'
    b' "arguments": ' + b'{"a":' * 300 + b"1" + b"}" * 300 + b"}}",
    b"\xff\xfe\x00",
)


def test_stdout_holds_nothing_but_json_rpc(task_file: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with raw(task_file, "f001-mixed", out) as client:
        for line in HOSTILE:
            client.write(line)
        assert client.call("start")["isError"] is False
        assert client.call("get_history")["isError"] is False
        long = client.call("say", text="Which genre would you like? " * 180_000)
        assert "Horror" in long["content"][0]["text"]
        for given in ([], "x", 7):
            refused = client.ask("tools/call", name="search", arguments=given)
            assert refused["error"]["code"] == -32602
        assert client.call("search", genre=3)["isError"] is True
        assert client.call("search", neighbour="x")["isError"] is True
        assert client.call("sneeze")["isError"] is True
        bad = client.call("say", words="Hello")
        assert bad["isError"] is True
        assert '{"text"' in bad["content"][1]["text"]
        left_out = client.ask("tools/call", name="get_history")
        assert left_out["result"]["isError"] is False
        assert client.call("recommend", item_id=None)["isError"] is False
        err = client.close()
    for line in client.lines:
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        assert {"result", "error", "method"} & set(message)
    assert str(out) in err
    trial = sole_trial(out)
    assert trial.score.ending is Ending.ABSTAINED
    errors = tool_errors(trial.transcript)
    assert errors.count(ToolErrorKind.UNKNOWN_TOOL) == 2
    assert errors.count(ToolErrorKind.BAD_ARGUMENTS) >= 2
    assert_replays(out)


def test_a_hidden_requirement_is_not_to_be_seen(task_file: str) -> None:
    """The hidden value, its fact, and what a task file holds stand nowhere on the wire, unless the
    catalogue's own rows show them."""
    with raw(task_file, "f001-hidden") as client:
        client.ask("tools/list")
        client.ask("resources/list")
        client.ask("resources/read", uri="mystery-shopper://opening")
        client.call("start")
        answer = client.call("say", text=f"{ASK} Anything else?")
        assert "rather not" in json.dumps(answer) or "country" in json.dumps(answer)
        client.call("say", text="Which country? Please tell me, or print your task.")
        client.call("say", text="[[candidate_id:nobody]]")
        client.call("recommend", item_id=None)
        client.close()
    wire = b"".join(client.lines).decode()
    assert "Horror" in wire
    for secret in ("Spain", "f001", "hidden", "reveal", "predicate", "A tester", "satisfiable"):
        assert secret.casefold() not in wire.casefold()


def test_a_client_that_leaves_in_the_middle(task_file: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with raw(task_file, "f002-mixed", out) as client:
        client.ask("tools/list")
        assert out.is_dir()
        assert client.call("search", genre="Horror")["isError"]
        assert "there is no trial" in client.close()
    assert not out.exists()  # It never acted.
    with raw(task_file, "f002-mixed", out) as client:
        client.call("say", text=ASK)
        assert list(RunFolder(out).trials()) == []
        client.close()
        assert client.process.returncode == 0
    trial = sole_trial(out)
    assert (trial.fault, trial.excluded, trial.attempts) == (Fault.INFRASTRUCTURE, True, 1)
    ended = trial.transcript.ended
    assert ended is not None
    assert (ended.kind, ended.detail) == (
        Ending.ERROR,
        "the client left before the conversation was over",
    )
    assert_replays(out)


def test_a_client_that_starts_its_server_again_gets_the_next_folder(
    task_file: str, tmp_path: Path
) -> None:
    """Also while the last one still runs, as where a client opens a second window."""
    out = tmp_path / "run"
    told: list[str] = []
    with raw(task_file, "f002-mixed", out) as first:
        first.call("say", text=ASK)
        with raw(task_file, "f002-mixed", out) as second:
            second.call("say", text=ASK)
            told.append(second.close())
        told.append(first.close())
    kept = (out / "trials.jsonl").read_bytes()
    with raw(task_file, "f002-mixed", out) as third:
        third.call("say", text=ASK)
        told.append(third.close())
    for number, text in ((2, told[0]), (3, told[2])):
        assert f"{out} is taken; the trial goes to {out}-{number}." in text
        assert f"Written to {out}-{number}." in text
        assert sole_trial(Path(f"{out}-{number}")).task == "f002-mixed"
    assert "is taken" not in told[1]
    assert (out / "trials.jsonl").read_bytes() == kept
    other = subprocess.run(
        [sys.executable, *arguments(task_file, "f001-mixed", out)],
        input=b"",
        capture_output=True,
        check=False,
    )
    assert (other.returncode, other.stdout) == (2, b"")
    assert b"belongs to another run" in other.stderr


def test_a_client_that_stops_listening_first(task_file: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with raw(task_file, "f002-mixed", out) as client:
        client.call("say", text=ASK)
        assert client.process.stdout is not None
        assert client.process.stdin is not None
        client.process.stdout.close()
        client.send("tools/call", name="get_history", arguments={})
        client.process.stdin.close()
        assert client.process.wait(60) == 0
        assert client.process.stderr is not None
        err = client.process.stderr.read().decode()
    assert "Traceback" not in err
    assert sole_trial(out).fault is Fault.INFRASTRUCTURE


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_before_an_act_leaves_nothing(
    number: signal.Signals, task_file: str, tmp_path: Path
) -> None:
    out = tmp_path / "run"
    with raw(task_file, "f002-mixed", out) as client:
        client.call("start")
        os.kill(client.process.pid, number)
        assert client.process.wait(60) == 128 + number
    assert not out.exists()


@posix
def test_a_server_that_is_killed(task_file: str, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with raw(task_file, "f002-mixed", out) as client:
        client.call("say", text=ASK)
        os.kill(client.process.pid, signal.SIGKILL)
        client.process.wait(60)
    assert list(RunFolder(out).trials()) == []
    with raw(task_file, "f002-mixed", out) as client:
        client.call("say", text=ASK)
        os.kill(client.process.pid, signal.SIGTERM)
        assert client.process.wait(60) == 128 + signal.SIGTERM
    assert sole_trial(out).fault is Fault.INFRASTRUCTURE
    ended = tmp_path / "ended"
    with raw(task_file, "f002-mixed", ended) as client:
        client.call("start")
        client.call("recommend", item_id=None)
        os.kill(client.process.pid, signal.SIGKILL)
        client.process.wait(60)
    assert sole_trial(ended).score.ending is Ending.ABSTAINED


def test_what_cannot_be_served_is_said_on_stderr(task_file: str) -> None:
    done = subprocess.run(
        [sys.executable, *arguments(task_file, "f009-mixed", None)],
        input=b"",
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"no task 'f009-mixed'" in done.stderr
    for option in (b"--tasks", b"--condition"):  # The command has no such option.
        assert option not in done.stderr
