"""Every block of docs/agents-deployed.md, as a newcomer would use it."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from mystery_shopper.agents.deployed import DeployedAgent, Session, Setup, load_deployed
from mystery_shopper.agents.deployed.form import AgentForm, AnswerForm, CallsForm, RequestForm
from mystery_shopper.agents.deployed.ids import Affixes, IdRule, read_ids
from mystery_shopper.agents.deployed.requests import GIVEN
from mystery_shopper.agents.http import Line, Patience
from mystery_shopper.agents.transport import Reply
from mystery_shopper.dialogue import Message, Say, View
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.answers import read_answer

from .pasted import paste

DOC = Path(__file__).parents[1] / "docs" / "agents-deployed.md"
TEXT = DOC.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.mark.slow
def test_the_page_works_when_pasted(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra [models]")
    port = str(free_port())
    (server,) = blocks("python")
    (tmp_path / "shop.py").write_text(server.replace("8019", port), encoding="utf-8")
    (tmp_path / "agent.yaml").write_text(blocks("yaml")[0].replace("8019", port), encoding="utf-8")
    (script,) = blocks("sh")
    export, *lines = script.splitlines()
    name, value = export.removeprefix("export ").split("=", 1)
    environment = os.environ | {name: value.strip('"')}
    shop = subprocess.Popen([sys.executable, "shop.py"], cwd=tmp_path)
    try:
        for _ in range(100):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", int(port))) == 0:
                    break
            time.sleep(0.05)
        for line in lines:
            paste(line, tmp_path, environment)
    finally:
        shop.terminate()
        shop.wait()
    trials = (tmp_path / "runs" / "shop" / "trials.jsonl").read_text(encoding="utf-8")
    assert "open sesame" not in trials
    assert '"recommended":"tt1074638"' in trials
    assert '"ending":"abstained"' in trials
    assert '"success":true' in trials


def test_the_rules_on_ids_are_read(tmp_path: Path) -> None:
    _, _, affixes, table = (msgspec.yaml.decode(block, type=dict) for block in blocks("yaml"))
    rule = read_ids(msgspec.convert(affixes["ids"], IdRule), tmp_path)
    assert isinstance(rule, Affixes)
    assert rule.ours("SKU-7") == "7-en"
    (tmp_path / "items.csv").write_text("sku,film_id\nA,f1\n", encoding="utf-8")
    assert read_ids(msgspec.convert(table["ids"], IdRule), tmp_path).ours("A") == "f1"


def test_the_first_file_loads(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    assert load_deployed(str(tmp_path / "agent.yaml"), {"SHOP_KEY": "x"}).open is not None


def test_a_file_of_words_alone_is_for_requests(tmp_path: Path) -> None:
    (tmp_path / "agent.yaml").write_text(blocks("yaml")[1], encoding="utf-8")
    assert load_deployed(str(tmp_path / "agent.yaml"), {}, decides=False).answer.choice is None
    with pytest.raises(InputError, match="name `choice`"):
        load_deployed(str(tmp_path / "agent.yaml"), {})


ANSWER = (
    'answer: {text: text, shown: "cards[*]", choice: "order?", abstain: "none?", done: "over?"}\n'
)


@pytest.mark.parametrize(
    ("answer", "ids"),
    [
        ({"cards": ["b", "a", "b"], "order": "a"}, ["a", "b"]),
        ({"cards": ["b", "c"], "over": False}, ["b", "c"]),
        ({"cards": ["b"], "order": "b", "none": True}, []),
        ({"cards": []}, None),
    ],
)
def test_what_stands_for_the_answer_to_a_request(
    answer: dict[str, object], ids: list[str] | None, tmp_path: Path
) -> None:
    first = blocks("yaml")[1]
    file = tmp_path / "agent.yaml"
    file.write_text(re.sub(r"^answer: .*\n", ANSWER, first, flags=re.MULTILINE), encoding="utf-8")
    deployed = load_deployed(str(file), {}, decides=False)
    asked: list[object] = []

    class Wire:
        async def send(self, method: str, url: str, body: bytes, *_: object) -> Reply:
            asked.append((method, url, msgspec.json.decode(body)))
            return Reply(200, {}, msgspec.json.encode({"text": "1. Heat (1995)"} | answer), 0.1)

        async def rest(self, _: float) -> None:
            raise AssertionError

    line = Line(Wire(), Patience())  # type: ignore[arg-type]
    agent = DeployedAgent(Session(deployed, Setup(str(file)), line, "t"))
    said = asyncio.run(agent.act(View("", {}, (Message("user", "Films, please."),), 0)))
    assert asked == [("POST", "http://127.0.0.1:8019/chat", {"message": "Films, please."})]
    assert isinstance(said, Say)
    read = read_answer(said.text)
    if ids is None:
        assert said.text == "1. Heat (1995)"
        assert [one.title for one in read.items] == ["Heat"]
    else:
        assert [one.id for one in read.items] == ids


def test_the_page_names_every_key() -> None:
    forms = (AgentForm, RequestForm, AnswerForm, CallsForm)
    keys = {key for form in forms for key in form.__struct_fields__}
    told = {*keys, *(f"{{{name}}}" for name in GIVEN)}
    assert [key for key in sorted(told) if f"`{key}`" not in TEXT] == []
