"""The transport over httpx: one client a run, bodies bounded, our own waiting kept out of times."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar, DefaultCookiePolicy

import anyio
import httpx

from mystery_shopper.agents.transport import NoReply, Reply, Reset, Unreachable, Unsent

MOST_BYTES = 10 * 2**20
"""An answer of more is cut off and counts as none."""


@dataclass
class HttpxTransport:
    """Sends requests, at most `connections` at a time."""

    connections: int = 32

    def __post_init__(self) -> None:
        self._client: httpx.AsyncClient | None = None
        self._lines = anyio.Semaphore(self.connections)

    async def send(
        self, method: str, url: str, body: bytes, headers: Mapping[str, str], timeout: float
    ) -> Reply:
        """See `agents.transport.Transport`."""
        if self._client is None:
            limits = httpx.Limits(max_connections=None, max_keepalive_connections=self.connections)
            # One trial's cookies must not reach another's requests: none is kept.
            jar = CookieJar(DefaultCookiePolicy(allowed_domains=()))
            self._client = httpx.AsyncClient(limits=limits, follow_redirects=False, cookies=jar)
        async with self._lines:
            started = time.monotonic()
            try:
                with anyio.fail_after(timeout):
                    return await self._one(self._client, method, url, body, headers, started)
            except (TimeoutError, httpx.TimeoutException):
                raise NoReply(f"no answer within {timeout:g} s") from None
            except (httpx.ConnectError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
                raise Unreachable(f"cannot be reached ({error})") from None
            except httpx.HTTPError as error:
                raise NoReply(f"broke off ({type(error).__name__}: {error})") from None
            except (ValueError, OSError, ExceptionGroup) as error:
                # What lies below httpx cannot use every address that httpx takes.
                raise Unreachable(f"cannot be reached ({type(error).__name__}: {error})") from None

    @staticmethod
    async def _one(
        client: httpx.AsyncClient,
        method: str,
        url: str,
        body: bytes,
        headers: Mapping[str, str],
        started: float,
    ) -> Reply:
        request = client.build_request(method, url, content=body, headers=headers, timeout=None)
        try:
            response = await client.send(request, stream=True)
        except httpx.WriteError as error:
            raise Unsent(f"broke off while it was asked ({type(error).__name__})") from None
        except (httpx.ReadError, httpx.RemoteProtocolError) as error:
            raise Reset(f"broke off before it answered ({type(error).__name__})") from None
        try:
            parts: list[bytes] = []
            size = 0
            async for part in response.aiter_bytes():
                size += len(part)
                if size > MOST_BYTES:
                    raise NoReply(f"sent more than {MOST_BYTES >> 20} MB")
                parts.append(part)
        finally:
            await response.aclose()
        seconds = time.monotonic() - started
        return Reply(response.status_code, dict(response.headers), b"".join(parts), seconds)

    async def close(self) -> None:
        """Close the connections that are kept open."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def rest(self, seconds: float) -> None:
        """See `agents.transport.Transport`."""
        await anyio.sleep(seconds)
