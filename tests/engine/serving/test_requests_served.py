"""A request handed to an MCP client: its tools are the suite's, and its first words the answer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

pytest.importorskip("mcp", reason="needs the extra [mcp]")

from mcp import Client, StdioServerParameters, stdio_client

from mystery_shopper.dialogue import Ending, Fault
from mystery_shopper.engine import RunFolder, Wishes
from mystery_shopper.engine.loading import scene_of
from mystery_shopper.engine.replay import replay
from mystery_shopper.engine.serving import plan_served
from mystery_shopper.engine.serving.table import OVER, Table
from mystery_shopper.engine.trial import Trial

from ..requested import queries, shop

TASK = "explicit-1-001"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("served") / "shop")


def lay(folder: Path, kept: list[Trial], **wishes: Any) -> Table:
    plan = plan_served(Wishes("x", "recbench", catalog=str(folder), only=(TASK,), **wishes))
    table = Table(plan, scene_of(plan), lambda trial, _: kept.append(trial))
    table.open()
    return table


def test_the_first_words_are_the_answer(folder: Path) -> None:
    kept: list[Trial] = []
    table = lay(folder, kept, history=True)
    names = [spec.name for spec in table.specs()]
    assert names == ["say", "search", "get_metadata", "get_history"]
    assert queries().by_id[TASK].text in table.start().texts[0]
    assert "your other tools are as told above" in table.opening
    found = table.call("search", {"genre": "War"}).result(30)
    assert json.loads(found.texts[0])["total"]
    assert table.call("sneeze", {}).result(30).error
    ids = [{"id": item} for item in queries().by_id[TASK].own]
    last = table.call("say", {"text": json.dumps({"recommendations": ids})}).result(30)
    assert last.texts == (OVER,)
    assert not last.error
    assert table.call("say", {"text": "And?"}).result(30).error
    trial = table.leave()
    assert kept == [trial]
    assert trial is not None
    assert (trial.score.success, trial.score.ending) == (True, Ending.FINISHED)
    assert (trial.requested.calls, trial.requested.tool_errors) == (2, 1)


def test_a_bare_client_is_told_of_no_other_tool(folder: Path) -> None:
    kept: list[Trial] = []
    table = lay(folder, kept, interface="bare", k=2)
    table.start()
    assert [spec.name for spec in table.specs()] == ["say"]
    assert "other tools" not in table.opening
    assert "exactly 2 films" in table.opening
    table.call("say", {"text": ""}).result(30)
    (trial,) = kept
    assert trial.score.failure == "no_recommendation"


def test_a_client_that_leaves_before_its_answer_does_not_count(folder: Path) -> None:
    kept: list[Trial] = []
    table = lay(folder, kept)
    table.start()
    table.call("search", {"keywords": "War"}).result(30)
    table.leave()
    (trial,) = kept
    assert (trial.fault, trial.score.success) == (Fault.INFRASTRUCTURE, None)


def test_a_client_plays_over_stdio(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["-m", "mystery_shopper", "serve-mcp", "recbench", "--task", TASK, "--history"]
    command += ["--catalog", str(folder), "--out", str(out), "--k", "1"]

    async def play() -> str:
        server = StdioServerParameters(command=sys.executable, args=command)
        async with Client(stdio_client(server)) as client:
            (start,) = (await client.call_tool("start", {})).content
            await client.call_tool("get_history", {})
            own = queries().by_id[TASK].own[0]
            said = {"text": json.dumps({"recommendations": [{"id": own}]})}
            await client.call_tool("say", said)
            return start.text if start.type == "text" else ""

    told = anyio.run(play)
    assert "Please name exactly 1 film." in told
    (trial,) = RunFolder(out).trials()
    assert (trial.score.success, trial.agent, trial.requested.calls) == (True, "mcp", 1)
    assert replay(RunFolder(out)).difference is None
