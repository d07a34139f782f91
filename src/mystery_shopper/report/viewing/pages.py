"""The viewer's two pages, its style and its scripts: the same that the report's page has inside."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

import jinja2

ASSETS: Mapping[str, str] = {
    "page.css": "text/css",
    "browse.js": "text/javascript",
    "requests.js": "text/javascript",
    "view.js": "text/javascript",
}


@cache
def asset(name: str) -> bytes:
    """A file of `ASSETS`."""
    return _text(name).encode("utf-8")


def page_of(run: tuple[int, str, str] | None, suite: str = "") -> str:
    """The HTML of the list of runs, or of the run (number, name, label) of a suite."""
    return _template().render(run=run, suite=suite)


@cache
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_text),
    )  # fmt: skip
    return environment.get_template("view.html.j2")


def _text(name: str) -> str:
    source = resources.files("mystery_shopper.report") / "templates" / name
    return source.read_text(encoding="utf-8")
