"""The viewer's server: loopback only, reading only, and for pages of its own only.

A request must name a loopback host, so that no other site's page can reach it under a name of its
own (DNS rebinding). Runs are named by number and assets by a fixed list; no path of the system is
ever made from a request.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

import msgspec

from mystery_shopper.foundation import InputError
from mystery_shopper.report.viewing.house import House
from mystery_shopper.report.viewing.pages import ASSETS, asset, page_of
from mystery_shopper.report.viewing.search import Wanted

HOST = "127.0.0.1"
MOST_BYTES = 16_000_000
MOST_TARGET = 2_500
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@dataclass(frozen=True)
class Reply:
    """A status, what kind of body, and the body."""

    status: HTTPStatus
    kind: str
    body: bytes


def told(status: HTTPStatus, why: str) -> Reply:
    """A refusal that says why."""
    return Reply(status, "application/json", msgspec.json.encode({"error": why}))


def _json(value: object) -> Reply:
    body = msgspec.json.encode(value)
    if len(body) > MOST_BYTES:
        return told(HTTPStatus.INSUFFICIENT_STORAGE, "this is too large to be shown")
    return Reply(HTTPStatus.OK, "application/json", body)


def answer(house: House, target: str) -> Reply:
    """The answer to a GET of a request target. Nothing here raises for what a client can ask."""
    if len(target) > MOST_TARGET:
        return told(HTTPStatus.REQUEST_URI_TOO_LONG, "the address is too long")
    try:
        parts = urlsplit(target)
        query = {
            name: values[-1]
            for name, values in parse_qs(parts.query, max_num_fields=20, errors="replace").items()
        }
        for pattern, handler in _ROUTES:
            found = pattern.fullmatch(parts.path)
            if found is not None:
                return handler(house, query, *found.groups())
    except LookupError as error:
        return told(HTTPStatus.NOT_FOUND, str(error.args[0]))
    except InputError as error:
        return told(HTTPStatus.UNPROCESSABLE_ENTITY, str(error))
    except ValueError as error:
        return told(HTTPStatus.BAD_REQUEST, str(error))
    except OSError as error:
        why = f"a file of the run cannot be read ({error.strerror or error})"
        return told(HTTPStatus.SERVICE_UNAVAILABLE, why)
    return told(HTTPStatus.NOT_FOUND, "there is no such page")


def _wanted(query: Mapping[str, str]) -> Wanted:
    return Wanted(*(query.get(name, "")[:300] for name in Wanted.__dataclass_fields__))


def _page(query: Mapping[str, str]) -> int:
    text = query.get("page", "0")
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        raise ValueError("page is a number from 0")
    return int(text)


def _html(house: House, query: Mapping[str, str], number: str | None = None) -> Reply:
    del query
    run = None if number is None else house.room(int(number))
    shown = None if run is None else (run.number, run.name, run.label)
    text = page_of(shown, "" if run is None else run.suite)
    return Reply(HTTPStatus.OK, "text/html", text.encode("utf-8", "replace"))


def _asset(house: House, query: Mapping[str, str], name: str) -> Reply:
    del house, query
    return Reply(HTTPStatus.OK, ASSETS[name], asset(name))


def _runs(house: House, query: Mapping[str, str]) -> Reply:
    del query
    return _json(house.runs())


def _run(house: House, query: Mapping[str, str], number: str) -> Reply:
    del query
    return _json(house.run(int(number)))


def _trials(house: House, query: Mapping[str, str], number: str) -> Reply:
    return _json(house.trials(int(number), _wanted(query), _page(query)))


def _trial(house: House, query: Mapping[str, str], number: str) -> Reply:
    return _json(house.trial(int(number), query.get("key", ""), _wanted(query)))


_ROUTES: Sequence[tuple[re.Pattern[str], Callable[..., Reply]]] = tuple(
    (re.compile(pattern, re.ASCII), handler)
    for pattern, handler in (
        (r"/", _html),
        (r"/runs/(\d{1,6})", _html),
        (rf"/assets/({'|'.join(map(re.escape, ASSETS))})", _asset),
        (r"/api/runs", _runs),
        (r"/api/runs/(\d{1,6})", _run),
        (r"/api/runs/(\d{1,6})/trials", _trials),
        (r"/api/runs/(\d{1,6})/trial", _trial),
    )
)


def loopback_host(header: str | None, port: int) -> bool:
    """Whether a Host header names this server on loopback."""
    if header is None:
        return False
    name = header.strip().lower()
    return any(name == f"{own}:{port}" or (port == 80 and name == own) for own in _LOOPBACK)


class _Handler(BaseHTTPRequestHandler):
    server_version = "mystery-shopper"
    sys_version = ""
    timeout = 30.0

    def do_GET(self) -> None:
        self._reply(self._answer(), body=True)

    def do_HEAD(self) -> None:
        self._reply(self._answer(), body=False)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base class refuses, with our headers: a bad request, or a method that there is
        not."""
        del explain
        if code == HTTPStatus.NOT_IMPLEMENTED:
            self._reply(told(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD"), body=True)
        else:
            status = HTTPStatus(code)
            self._reply(told(status, message or status.phrase), body=True)

    def _answer(self) -> Reply:
        viewer = cast(Viewer, self.server)
        hosts = self.headers.get_all("Host") or []
        if len(hosts) != 1 or not loopback_host(hosts[0], viewer.server_port):
            return told(HTTPStatus.FORBIDDEN, "this server answers to loopback names only")
        return answer(viewer.house, self.path)

    def _reply(self, reply: Reply, *, body: bool) -> None:
        self.send_response(reply.status)
        text = reply.kind.startswith("text/")
        self.send_header("Content-Type", f"{reply.kind}; charset=utf-8" if text else reply.kind)
        self.send_header("Content-Length", str(len(reply.body)))
        if reply.status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", "GET, HEAD")
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        self.end_headers()
        if body:
            self.wfile.write(reply.body)

    def log_message(self, format: str, *args: Any) -> None:
        """A viewer is silent."""


class Viewer(ThreadingHTTPServer):
    """Serves a house on loopback until it is shut down."""

    daemon_threads = True

    def __init__(self, house: House, port: int) -> None:
        self.house = house
        super().__init__((HOST, port), _Handler)

    @cached_property
    def url(self) -> str:
        """Where the list of runs is."""
        return f"http://{HOST}:{self.server_port}/"

    def server_bind(self) -> None:
        """Bind, without asking for this machine's name, which may wait for a name server."""
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = HOST, self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no error; others are told on stderr."""
        error = sys.exception() if sys.version_info >= (3, 12) else sys.exc_info()[1]
        if not isinstance(error, ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def open_viewer(roots: Sequence[Path], port: int = 0) -> Viewer:
    """A viewer of the runs at or below the roots, listening; port 0 takes a free one. Raises
    InputError for a root without a run, and for a port that cannot be had."""
    house = House(roots)
    try:
        return Viewer(house, port)
    except OSError as error:
        raise InputError(
            f"port {port} cannot be had ({error.strerror or error})",
            where="--port",
            remedy="Name another port, or leave it out for a free one.",
        ) from None
