"""Agents behind real HTTP on loopback: a good one, and every way in which one can fail."""

from __future__ import annotations

import importlib.util
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mystery_shopper.dialogue import Ending, Fault
from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.replay import replay

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.engine.lasting import lines
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks

Serve = Callable[[BaseHTTPRequestHandler], None]
EXAMPLE = Path(__file__).parents[3] / "examples" / "http_agent.py"


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("http"))


@contextmanager
def server(serve: Serve) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.body = self.rfile.read(int(self.headers["content-length"]))
            serve(self)

        def log_message(self, *_: object) -> None:
            pass

    one = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    one.daemon_threads = True
    thread = threading.Thread(target=one.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{one.server_address[1]}/act"
    finally:
        one.shutdown()
        one.server_close()
        thread.join()


def answer(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200) -> None:
    handler.send_response(status)
    handler.send_header("content-length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


ABSTAIN = json.dumps({"calls": [{"name": "recommend", "arguments": {"item_id": None}}]}).encode()


def run(address: str, task_file: str, path: Path, in_flight: int = 8, **more: object) -> RunFolder:
    plan = plan_of(task_file, agent=address, conditions=("mixed",), **more)
    folder = RunFolder(path)
    run_lasting(plan, folder, lines.casting_of(plan, None), bounds=Bounds(max_samples=in_flight))
    return folder


def test_the_example_serves_customers(task_file: str, tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("http_agent", EXAMPLE)
    assert spec
    assert spec.loader
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)

    def serve(handler: BaseHTTPRequestHandler) -> None:
        reply = example.answer(json.loads(handler.body))  # type: ignore[attr-defined]
        answer(handler, json.dumps(reply).encode())

    with server(serve) as address:
        folder = run(address, task_file, tmp_path / "run")
    assert {trial.score.ending for trial in folder.trials()} == {Ending.RECOMMENDED}
    assert replay(folder).difference is None
    assert {str(timing.statuses) for timing in folder.timings()} == {"{'200': 2}"}


def test_a_server_that_takes_200_ms_reads_200_ms(task_file: str, tmp_path: Path) -> None:
    def serve(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.2)
        answer(handler, ABSTAIN)

    with server(serve) as address:
        folder = run(address, task_file, tmp_path / "run", in_flight=1, trials=4)
    seconds = sorted(s for timing in folder.timings() for s in timing.seconds)
    assert len(seconds) == 12
    # A busy machine adds to some; what is measured is told by the quicker ones.
    assert 0.2 <= seconds[len(seconds) // 4] <= 0.22


def hang(_: BaseHTTPRequestHandler) -> None:
    time.sleep(3)


def break_off(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.send_header("content-length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"say": "I was just')


def flood(handler: BaseHTTPRequestHandler) -> None:
    handler.send_response(200)
    handler.end_headers()
    try:
        for _ in range(100):
            handler.wfile.write(b" " * 2**20)
    except OSError:
        pass


FAULTY: dict[str, tuple[Serve, str]] = {
    "hangs": (hang, "no answer within"),
    "breaks off": (break_off, "broke off"),
    "answers 500": (lambda h: answer(h, b"oops", 500), "answered 500"),
    "answers HTML": (lambda h: answer(h, b"<html>Hello</html>"), "is not JSON"),
    "answers 100 MB": (flood, "sent more than 10 MB"),
    "answers nothing": (lambda h: answer(h, b""), "is not JSON"),
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_faulty_server_is_the_agents_fault(
    name: str, task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve, told = FAULTY[name]
    monkeypatch.setattr(lines, "PATIENCE", lines.Patience(timeout=0.5, tries=1))
    with server(serve) as address:
        folder = run(address, task_file, tmp_path / "run")
    trials = list(folder.trials())
    assert len(trials) == 3
    for trial in trials:
        ended = trial.transcript.ended
        assert ended is not None
        assert (ended.kind, ended.fault) == (Ending.ERROR, Fault.AGENT)
        assert told in ended.detail
        assert trial.score.success is False
    assert replay(folder).difference is None
