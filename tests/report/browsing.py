"""A real browser for tests of pages: it watches requests and errors, and asks axe-core.

A module that uses it marks its tests `browser`; the fixture `browser` comes from `conftest.py`:

    from .browsing import axe, opened_page

    pytestmark = pytest.mark.browser

    @pytest.fixture
    def page(browser, report):  # `report` is a page's address
        with opened_page(browser, report) as page:
            yield page  # afterwards no request has left and nothing has complained

    def test_it(page):
        assert axe(page) == []
"""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERIOUS = ("serious", "critical")


def chromium() -> str | None:
    """Where a Chromium is; None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium; skips where none is found, and says so."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    found = chromium()
    if found is None:
        pytest.skip(f"no page was tested: none of {', '.join(NAMES)} is installed")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=found, args=FLAGS)
        yield opened
        opened.close()


@dataclass
class Watched:
    """What a page asked for and complained of while it was open."""

    requests: list[str] = field(default_factory=list[str])
    complaints: list[str] = field(default_factory=list[str])

    def see(self, page: Any) -> None:
        """Watch a page from now on."""
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def left(self, address: str) -> list[str]:
        """The requests that went elsewhere: for a file to anything but itself, for a server to
        another origin."""
        home = urlsplit(address)
        return [url for url in self.requests if not _stays(url, address, home.scheme, home.netloc)]


def _stays(url: str, address: str, scheme: str, netloc: str) -> bool:
    if url.startswith("data:"):
        return True
    asked = urlsplit(url)
    if scheme == "file":
        return url.partition("#")[0] == address.partition("#")[0]
    return (asked.scheme, asked.netloc) == (scheme, netloc)


def no_requests_leave(watched: Watched, address: str) -> None:
    """Fails with the requests that left the page's own file or origin."""
    assert watched.left(address) == []


def no_console_errors(watched: Watched) -> None:
    """Fails with what the console was told, warnings included, and with uncaught errors."""
    assert watched.complaints == []


@contextmanager
def opened_page(
    browser: Any, address: str, *, width: int = 1200, height: int = 900
) -> Generator[Any]:
    """The page at an address; when it is left, no request may have left and nothing complained."""
    context = browser.new_context(viewport={"width": width, "height": height})
    try:
        page = context.new_page()
        page.set_default_timeout(10_000)
        watched = Watched()
        watched.see(page)
        page.goto(address)
        yield page
    finally:
        context.close()
    no_requests_leave(watched, address)
    no_console_errors(watched)


def axe(
    page: Any, *, within: str | None = None, rules: Sequence[str] = (), without: Sequence[str] = ()
) -> list[str]:
    """What axe-core finds that is serious or critical, a line each with the elements. `within`: a
    selector of the parts to look at; `rules`: only these; `without`: all but these. On a long page
    `color-contrast` takes most of the time, so ask it of a part with every colour in it."""
    if not page.evaluate("typeof window.axe === 'object'"):
        source = resources.files("axe_playwright_python") / "axe.min.js"
        # Evaluated by the debugger, so the page's content policy stays as it is.
        page.evaluate(source.read_text(encoding="utf-8"))
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = list(rules)
    if without:
        options["rules"] = {rule: {"enabled": False} for rule in without}
    found = page.evaluate(
        "([within, options]) => axe.run(within ?? document, options)", [within, options]
    )
    return [
        f"{one['impact']}: {one['id']}: {one['help']}: "
        + "; ".join(" ".join(map(str, node["target"])) for node in one["nodes"][:5])
        for one in found["violations"]
        if one["impact"] in SERIOUS
    ]


def text_beyond_charts(page: Any) -> list[str]:
    """The texts of charts that reach out of the page's middle."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll("figure svg")].flatMap((svg) => {
             const box = svg.closest("main").getBoundingClientRect();
             return [...svg.querySelectorAll("text")].filter((text) => {
               const at = text.getBoundingClientRect();
               return at.left < box.left - 1 || at.right > box.right + 1;
             }).map((text) => text.textContent);
           })"""
    )
    return found
