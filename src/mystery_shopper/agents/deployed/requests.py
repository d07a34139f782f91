"""One kind of request to the agent's server, made from templates, and what is kept of answers."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote, urlencode

from mystery_shopper.agents.deployed.form import RequestForm
from mystery_shopper.agents.deployed.paths import NotThere, Path, PathError
from mystery_shopper.agents.deployed.templates import (
    Template,
    TemplateReader,
    Tree,
    as_text,
    fill,
    slots_of,
)
from mystery_shopper.agents.http import header_of
from mystery_shopper.agents.transport import Reply
from mystery_shopper.dialogue.limits import clean_text
from mystery_shopper.foundation import AgentFault

SESSION = "session."
GIVEN = ("text", "history", "known", "trial")
"""What a trial gives to templates: the customer's last words, the conversation so far, the ids of
the items that the customer knows already, and a name that no other trial of the run has."""

_LONGEST = 4_096
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_FRAMING = frozenset(("content-length", "transfer-encoding", "connection", "expect"))
_COOKIE = re.compile(r",\s*(?=[^;,=\s]+=)")


class Misread(Exception):
    """A path of the file that finds no such thing in an answer; says which, and what was amiss."""

    def __init__(self, place: str, path: str, reason: str) -> None:
        super().__init__(f"{place}: the path {path!r} finds nothing of use: {reason}")


@dataclass(frozen=True)
class Source:
    """Where a session's value is in an answer: in its JSON, a header or a cookie."""

    path: Path | None = None
    header: str = ""
    cookie: str = ""

    def value(self, name: str, place: str, answer: object, reply: Reply) -> object:
        """The value, None where it may be absent and is. Raises Misread."""
        if self.path is not None:
            try:
                found = self.path.first(answer)
            except NotThere as error:
                raise Misread(place, self.path.text, str(error)) from None
            if found is not None and not isinstance(found, str | int | float):
                raise Misread(place, self.path.text, "a session keeps texts and numbers")
        elif self.header:
            found = header_of(reply.headers, self.header)
        else:
            found = _cookie(reply.headers, self.cookie)
        if found is None and self.path is None:
            where = f"header:{self.header}" if self.header else f"cookie:{self.cookie}"
            raise Misread(place, where, "the answer does not bear it")
        if isinstance(found, str):
            found, cut = clean_text(found, _LONGEST)
            if cut:
                raise AgentFault(f"the session's {name!r} has more than {_LONGEST} characters")
        return found


def _cookie(headers: Mapping[str, str], name: str) -> str | None:
    """The value of a cookie that the answer sets; several headers come as one, joined by commas."""
    for cookie in _COOKIE.split(header_of(headers, "set-cookie") or ""):
        key, _, value = cookie.partition(";")[0].partition("=")
        if key.strip() == name:
            return value.strip()
    return None


@dataclass(frozen=True)
class Exchange:
    """One kind of request: `open`, `say` or `close`."""

    name: str
    method: str
    address: str
    path: Template
    headers: Mapping[str, Template]
    body: Tree
    form: Mapping[str, Template] | None
    session: Mapping[str, Source]

    def request(self, values: Mapping[str, object]) -> tuple[str, bytes, dict[str, str]]:
        """(URL, body, headers). A header whose session has no such value yet is left out."""
        plain = {name: _quoted(value) for name, value in values.items()}
        url = self.address + self.path.text(plain)
        headers: dict[str, str] = {}
        for name, template in self.headers.items():
            if all(values.get(slot) is not None for slot in template.slots):
                headers[name] = _sendable(name, template.text(values))
        if self.form is not None:
            fields = {name: template.text(values) for name, template in self.form.items()}
            headers.setdefault("content-type", "application/x-www-form-urlencoded")
            return url, urlencode(fields).encode(), headers
        if self.body is None:
            return url, b"", headers
        headers.setdefault("content-type", "application/json")
        return url, json.dumps(fill(self.body, values)).encode(), headers


def _quoted(value: object) -> str:
    return quote(as_text(value), safe="")


def _sendable(name: str, value: str) -> str:
    if not (value.isascii() and value.isprintable()):
        raise AgentFault(f"the header {name!r} would hold characters that cannot be sent")
    return value


def read_exchange(
    name: str, form: RequestForm, address: str, shared: Mapping[str, str], reader: TemplateReader
) -> Exchange:
    """The exchange of a form; `shared` headers are sent too, under its own. Faults go to the
    reader's problems."""
    problems = reader.problems
    if form.path and not form.path.startswith(("/", "?")):
        problems.append(f"{name}.path: {form.path!r} does not begin with '/'")
    if form.body is not None and form.form is not None:
        problems.append(f"{name}: send either a body or a form")
    headers: dict[str, Template] = {}
    for place, given in (("headers", shared), (f"{name}.headers", form.headers)):
        for header, value in given.items():
            if not _HEADER.fullmatch(header):
                problems.append(f"{place}: {header!r} is no header's name")
            template = reader.text(value, f"{place}.{header}", header=True)
            words = "".join(part for part in template.parts if isinstance(part, str))
            if not (words.isascii() and words.isprintable()):
                problems.append(f"{place}.{header}: holds characters that a header cannot")
            if header.lower() in _FRAMING:
                problems.append(f"{place}: {header!r} is set by what is sent, and not by the file")
            headers[header.lower()] = template
    fields = {
        key: reader.text(text, f"{name}.form.{key}") for key, text in (form.form or {}).items()
    }
    kept = {
        key: _source(text, f"{name}.session.{key}", problems) for key, text in form.session.items()
    }
    path, body = reader.text(form.path, f"{name}.path"), reader.tree(form.body, f"{name}.body")
    shown = None if form.form is None else fields
    return Exchange(name, form.method, address, path, headers, body, shown, kept)


def _source(text: str, place: str, problems: list[str]) -> Source:
    kind, colon, name = text.partition(":")
    if colon and kind in ("cookie", "header") and name:
        return Source(header=name) if kind == "header" else Source(cookie=name)
    try:
        return Source(Path.read(text))
    except PathError as error:
        problems.append(f"{place}: {error}")
        return Source()


def used_slots(exchange: Exchange) -> set[str]:
    """Every slot of the request."""
    used = {*exchange.path.slots, *slots_of(exchange.body)}
    for template in (*exchange.headers.values(), *(exchange.form or {}).values()):
        used |= template.slots
    return used
