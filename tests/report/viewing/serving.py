"""A viewer in a thread, for tests."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.report.viewing import Viewer, open_viewer


@contextmanager
def serving(*roots: Path) -> Generator[Viewer]:
    """A viewer of the roots that listens, until the block ends."""
    viewer = open_viewer(roots)
    thread = threading.Thread(target=viewer.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield viewer
    finally:
        viewer.shutdown()
        thread.join()
        viewer.server_close()


@dataclass(frozen=True)
class Got:
    """An answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return msgspec.json.decode(self.body)


def ask(viewer: Viewer, target: str, method: str = "GET", **headers: str | None) -> Got:
    """One request as it stands; a header of None is not sent."""
    connection = http.client.HTTPConnection("127.0.0.1", viewer.server_port, timeout=10)
    try:
        connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
        headers = {"Host": f"127.0.0.1:{viewer.server_port}"} | headers
        for name, value in headers.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders()
        response = connection.getresponse()
        return Got(response.status, dict(response.getheaders()), response.read())
    finally:
        connection.close()
