"""Every command of docs/own-catalog.md, in order, in an empty folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.sources.infer import infer_domain
from mystery_shopper.sources.tables import open_table

from .pasted import commands_in, paste

DOC = Path(__file__).parents[1] / "docs" / "own-catalog.md"
DOCUMENTS = [
    {"title": f"Chair {i}", "price": i + 0.5, "colours": ["red", "blue"][: 1 + i % 2]}
    for i in range(2_500)
]


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", DOC.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.slow
def test_the_commands_work_when_pasted(tmp_path: Path) -> None:
    lines = commands_in(DOC.read_text(encoding="utf-8"))
    assert len(lines) >= 11
    for line in lines:
        paste(line, tmp_path)
    assert "popularity" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_yaml_in_the_page_is_a_field() -> None:
    import msgspec

    from mystery_shopper.catalog import FieldSpec

    text = blocks("yaml")[-1]
    (spec,) = msgspec.yaml.decode(text, type=dict[str, FieldSpec]).values()
    assert [block.nouns for block in spec.words.blocks()]


def test_the_templates_in_the_page_fit_the_shop() -> None:
    import yaml

    from mystery_shopper.catalog import load_domain
    from mystery_shopper.catalog.domain import parse_domain

    given = yaml.safe_load(blocks("yaml")[0])
    assert given["templates"]["simple"]
    source = resources.files("mystery_shopper") / "data" / "domains" / "shop.yaml"
    shop = yaml.safe_load(source.read_bytes()) | given
    text = yaml.safe_dump(shop, sort_keys=False).encode()
    assert parse_domain(text, "shop").fields == load_domain("shop").fields


def test_the_page_names_every_block_and_no_other() -> None:
    from mystery_shopper.catalog.words import block_names, list_names

    text = DOC.read_text(encoding="utf-8")
    (told,) = re.findall(r"The shipped blocks: (.*?)\.\n", text, re.DOTALL)
    assert re.findall(r"`(\w+)`", told) == list(block_names())
    (told,) = re.findall(r"`lists` takes shipped lists of values: (.*?)\.\n", text, re.DOTALL)
    assert set(re.findall(r"`(\w+)`", told)) <= set(list_names())


def test_the_page_names_every_key() -> None:
    from mystery_shopper.catalog import Domain, FieldSource, FieldSpec
    from mystery_shopper.catalog.specs import Formats

    text = DOC.read_text(encoding="utf-8")
    keys = {*Domain.__struct_fields__, *FieldSpec.__struct_fields__, *FieldSource.__struct_fields__,
            *Formats.__struct_fields__}  # fmt: skip
    told = keys - {"varieties", "personas"}
    assert [key for key in sorted(told) if f"`{key}" not in text] == []


class Server(BaseHTTPRequestHandler):
    """As much of a search engine's scroll as the page's script uses."""

    asked: list[str] = []  # noqa: RUF012

    def do_POST(self) -> None:
        body = self.body()
        self.asked.append(self.path)
        if self.path == "/products/_search?scroll=5m":
            assert body == {"size": 1000, "sort": ["_doc"]}
            self.page(0)
        else:
            assert self.path == "/_search/scroll"
            assert body["scroll"] == "5m"
            self.page(int(body["scroll_id"]))

    def do_DELETE(self) -> None:
        assert self.path == "/_search/scroll"
        self.asked.append(f"DELETE {self.body()['scroll_id']}")
        self.answer({"succeeded": True, "num_freed": 1})

    def body(self) -> Any:
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))

    def page(self, start: int) -> None:
        some = DOCUMENTS[start : start + 1000]
        hits = [{"_id": f"p{start + i}", "_source": doc} for i, doc in enumerate(some)]
        self.answer({"_scroll_id": str(start + len(some)), "hits": {"hits": hits}})

    def answer(self, body: object) -> None:
        data = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on stderr."""


@pytest.fixture
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    Server.asked = []
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_scroll_fetches_every_document_and_clears_up(tmp_path: Path, address: str) -> None:
    (script,) = blocks("python")
    environment = {**os.environ, "ES_URL": address, "no_proxy": "127.0.0.1"}
    subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, env=environment, check=True, timeout=120
    )
    assert Server.asked[0].startswith("/products/")
    assert Server.asked[-1] == "DELETE 2500"
    for name in ("products.jsonl", "products.parquet"):
        table = open_table(tmp_path / name)
        assert len(list(table.rows())) == len(DOCUMENTS)
        draft = infer_domain(table, name="products")
        assert "\nid: id\n" in draft.yaml
        assert re.search(r"colours:\n    kind: categories", draft.yaml)


def test_the_statement_for_postgres_is_a_copy_with_a_header() -> None:
    (statement,) = blocks("sql")
    assert statement.startswith("COPY (")
    assert statement.rstrip().endswith(") TO STDOUT WITH (FORMAT csv, HEADER)")
