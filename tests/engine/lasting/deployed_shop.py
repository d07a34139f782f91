"""A shop's own agent behind HTTP: a login, sessions, and its own search in SQLite. It never sees
our tools; it asks, proposes and decides as our popularity agent does."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from mystery_shopper.catalog import Catalogue, Operator, Predicate, formats_of
from mystery_shopper.suites.tau_rec.reference.interview import Interviewer
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf

KEY = "k3y-of-the-shop/with=signs"
YAML = """
address: {address}
headers: {{x-key: "${{SHOP_KEY}}"}}
timeout: 20
open:
  path: /login
  body: {{customer: {{owns: "{{known}}"}}}}
  session: {{id: session.id, token: session.token, basket: "cookie:basket"}}
say:
  path: /sessions/{{session.id}}/messages
  headers: {{authorization: "Bearer {{session.token}}", cookie: "basket={{session.basket}}"}}
  body: {{message: {{text: "{{text}}"}}, before: "{{history}}"}}
close:
  method: DELETE
  path: /sessions/{{session.id}}
  headers: {{authorization: "Bearer {{session.token}}"}}
answer:
  text: reply.parts[*].text
  shown: cards[*].sku
  choice: order?.sku
  abstain: nothing
  calls: {{path: "tools[*]", name: name, arguments: input, result: output}}
ids: {{strip_prefix: "SKU-"}}
"""


def open_database(catalogue: Catalogue) -> sqlite3.Connection:
    """The shop's own tables: items by popularity, the labels that each falls under, formats."""
    base = sqlite3.connect(":memory:", check_same_thread=False)
    base.executescript(
        "CREATE TABLE items (sku TEXT PRIMARY KEY, rank INT, title TEXT, year INT);"
        "CREATE TABLE labels (field TEXT, label TEXT, sku TEXT);"
        "CREATE TABLE formats (label TEXT, sku TEXT);"
    )
    trees = catalogue.domain.hierarchies
    for position in range(len(catalogue)):
        item = catalogue.item(position)
        sku = f"SKU-{item.id}"
        base.execute(
            "INSERT INTO items VALUES (?,?,?,?)", (sku, position, item.title, item["year"])
        )
        for name in ("genre", "country", "language"):
            value = item[name]
            own = value if isinstance(value, tuple) else (value,)
            under = {str(one) for one in own if one} | {
                above for one in own if one for above in trees[name].ancestors(str(one))
            }
            base.executemany(
                "INSERT INTO labels VALUES (?,?,?)",
                [(name, label.casefold(), sku) for label in sorted(under)],
            )
        base.executemany(
            "INSERT INTO formats VALUES (?,?)", [(one.casefold(), sku) for one in formats_of(item)]
        )
    base.execute("CREATE INDEX by_label ON labels (sku, field, label)")
    base.execute("CREATE INDEX by_format ON formats (sku, label)")
    return base


@dataclass
class Visit:
    """One session."""

    token: str
    basket: str
    owns: Sequence[str]
    said: list[str] = field(default_factory=list[str])
    proposed: list[str] = field(default_factory=list[str])
    messages: int = 0


@dataclass
class DeployedShop:
    """The agent. `lasts`: after so many messages a session expires; it then remembers nothing but
    what the conversation sent along tells. `answers` replaces what it says, message by message."""

    shelf: Shelf
    base: sqlite3.Connection
    lasts: int = 10**9
    raw: Any = None
    visits: dict[str, Visit] = field(default_factory=dict[str, Visit])
    seen: Counter[str] = field(default_factory=Counter[str])
    bodies: list[str] = field(default_factory=list[str])
    lock: Any = field(default_factory=threading.Lock)

    def handle(self, method: str, path: str, headers: Any, body: bytes) -> tuple[int, Any, str]:
        """(status, answer, cookie)."""
        if headers.get("x-key") != KEY:
            return 401, {"error": f"wrong key: {headers.get('x-key')}"}, ""
        with self.lock:
            self.bodies.append(body.decode())
            if headers.get("cookie") and not path.endswith("/messages"):
                self.seen["unasked cookie"] += 1  # The file sends one with messages alone.
            if path == "/login":
                return self._login(json.loads(body))
            if not path.startswith("/sessions/"):
                return 404, {"error": f"there is no {path} here"}, ""
            name = path.split("/")[2]
            visit = self.visits.get(name)
            if visit is None or headers.get("authorization") != f"Bearer {visit.token}":
                self.seen["expired"] += 1
                return 401, {"error": "no such session"}, ""
            if method == "DELETE":
                del self.visits[name]
                self.seen["closed"] += 1
                return 204, None, ""
            if headers.get("cookie") != f"basket={visit.basket}":
                self.seen["foreign basket"] += 1
            visit.messages += 1
            if visit.messages > self.lasts:
                del self.visits[name]
                self.seen["expired"] += 1
                return 401, {"error": "expired"}, ""
            self.seen["messages"] += 1
            asked = json.loads(body)
            if self.raw is not None:
                return 200, self.raw(self.seen["messages"], visit), ""
            return 200, self._answer(visit, asked), ""

    def _login(self, body: Any) -> tuple[int, Any, str]:
        self.seen["opened"] += 1
        number = self.seen["opened"]
        name, token = f"s{number}", f"t0ken-{number:08d}"
        self.visits[name] = Visit(token, f"b{number}", body["customer"]["owns"])
        cookie = f"basket=b{number}; Expires=Wed, 21 Oct 2099 07:28:00 GMT; Path=/"
        return 200, {"session": {"id": name, "token": token}}, cookie

    def _answer(self, visit: Visit, asked: Any) -> Any:
        before = asked["before"]
        visit.said = [turn["content"] for turn in before if turn["role"] == "user"]
        words = [turn["content"] for turn in before if turn["role"] == "assistant"]
        visit.proposed = [sku for text in words for sku in re.findall(r"\((SKU-\S+)\)", text)]
        heard = [self.shelf.wording.read(text) for text in visit.said]
        if len(heard) == 1:
            return self.says(Interviewer(self.shelf, Interface.STRUCTURED).question)
        if heard[-1].accepted:
            return self.says("It is yours.", order={"sku": visit.proposed[-1]})
        predicates = [p for one in heard for p in one.predicates]
        formats = [f for one in heard for f in one.formats or ()]
        statement, values = _query(predicates, formats, [*visit.owns, *visit.proposed])
        row = self.base.execute(statement, values).fetchone()
        tools = [{"name": "sql", "input": {"where": statement}, "output": row}]
        if row is None:
            return self.says("We have nothing like that.", nothing=True, tools=tools)
        sku, title = row
        card = {"sku": sku, "title": title}
        return self.says(f"How about “{title}” ({sku})?", cards=[card], tools=tools)

    @staticmethod
    def says(text: str, **more: Any) -> Any:
        usual = {"cards": [], "order": None, "nothing": False, "tools": []}
        return {"reply": {"parts": [{"text": text}]}, **usual, **more}


def _query(
    predicates: Sequence[Predicate], formats: Sequence[str], out: Sequence[str]
) -> tuple[str, list[Any]]:
    where, values = ["1"], list[Any]()
    for predicate in predicates:
        if predicate.op in (Operator.AT_LEAST, Operator.AT_MOST):
            where.append(f"year {predicate.op.value} ?")
            values.append(predicate.value)
        else:
            where.append(
                "EXISTS (SELECT 1 FROM labels l WHERE l.sku=i.sku AND l.field=? AND l.label=?)"
            )
            values += [predicate.field, str(predicate.value).casefold()]
    if formats:
        marks = ",".join("?" * len(formats))
        where.append(f"EXISTS (SELECT 1 FROM formats f WHERE f.sku=i.sku AND f.label IN ({marks}))")
        values += [one.casefold() for one in formats]
    where.append(f"sku NOT IN ({','.join('?' * len(out))})")
    values += out
    return (
        f"SELECT sku, title FROM items i WHERE {' AND '.join(where)} ORDER BY rank LIMIT 1",
        values,
    )


@contextmanager
def serving(shop: DeployedShop) -> Iterator[str]:
    """The shop's address while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, answer, cookie = shop.handle(self.command, self.path, self.headers, body)
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            data = b"" if answer is None else data
            self.send_response(status)
            if cookie:
                self.send_header("set-cookie", "other=1; Path=/")
                self.send_header("set-cookie", cookie)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_DELETE = _serve  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    class Roomy(ThreadingHTTPServer):
        request_queue_size = 128  # Past the usual 5, callers that come at once are cut off.

    one = Roomy(("127.0.0.1", 0), Handler)
    one.daemon_threads = True
    thread = threading.Thread(target=one.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{one.server_address[1]}"
    finally:
        one.shutdown()
        one.server_close()
        thread.join()


def write_yaml(folder: Path, address: str, **swaps: str) -> str:
    """The shop's agent.yaml; each swap replaces the first line that begins with its name."""
    text = YAML.format(address=address)
    for old, new in swaps.items():
        text, found = re.subn(
            rf"(?m)^(\s*{old}):.*$", lambda m, n=new: f"{m[1]}: {n}", text, count=1
        )
        assert found, old
    path = folder / "agent.yaml"
    path.write_text(text, encoding="utf-8")
    return str(path)
