"""Every block of docs/agents.md, as a newcomer would use it."""

from __future__ import annotations

import inspect
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest

from mystery_shopper.agents.wire import act_of, request_of
from mystery_shopper.dialogue import CallTools, Say, View
from mystery_shopper.engine import RunFolder, Trial

ROOT = Path(__file__).parents[1]
PROVIDER = ROOT / "tests" / "engine" / "lasting" / "provider.py"
TEXT = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
PLAIN = "from mystery_shopper.cli.main import run; run()"
SCRIPTED = f"import provider; {PLAIN}"
MODEL = "openai/gpt-5-mini"


def blocks(heading: str, language: str) -> list[str]:
    """The fenced blocks of a language in the section under a heading."""
    (section,) = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", TEXT, re.DOTALL | re.MULTILINE)
    return re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)


def command(
    line: str, folder: Path, main: str = PLAIN, typed: str | None = None
) -> subprocess.CompletedProcess[str]:
    name, *words = shlex.split(line)
    assert name == "mystery-shopper"
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
    return subprocess.run(
        [sys.executable, "-c", main, *words],
        cwd=folder,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )


def follow(script: str, folder: Path, main: str = PLAIN, typed: str | None = None) -> list[Trial]:
    """Run the lines of a script that are ours; gives the trials of its run."""
    lines = [line for line in script.splitlines() if line.startswith("mystery-shopper")]
    assert lines
    for line in lines:
        done = command(line, folder, main, typed)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    words = shlex.split(lines[0])
    out = folder / (words[words.index("--out") + 1] if "--out" in words else words[-1])
    assert list(out.glob("*.html")) or not any("report" in line for line in lines)
    trials = list(RunFolder(out).trials())
    assert trials
    return trials


def needs_models() -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra [models]")


@pytest.mark.slow
def test_a_python_object_plays_plain_and_async(tmp_path: Path) -> None:
    (code,), (script,) = blocks("A Python object", "python"), blocks("A Python object", "sh")
    plain, slow = tmp_path / "plain", tmp_path / "slow"
    for folder in (plain, slow):
        folder.mkdir()
    (plain / "mine.py").write_text(code, encoding="utf-8")
    changed = code.replace("    def act", "    async def act")
    assert changed != code
    (slow / "mine.py").write_text(changed, encoding="utf-8")
    trials = follow(script, plain)
    assert {trial.score.ending.value for trial in trials} == {"recommended", "abstained"}
    assert sum(trial.score.success is True for trial in trials) > len(trials) / 2
    assert follow(script, slow) == trials


@pytest.mark.slow
def test_a_models_name_plays(tmp_path: Path) -> None:
    needs_models()
    shutil.copy(PROVIDER, tmp_path)
    named, local = blocks("A model's name", "sh")
    assert MODEL in named
    follow(named.replace(MODEL, "scripted/shopkeeper"), tmp_path, SCRIPTED)
    own = local.replace("openai-api/local/my-model", "scripted/shopkeeper")
    assert own != local
    with socket.create_server(("127.0.0.1", 0)) as listening:  # A run asks first who is there.
        here = own.replace("127.0.0.1:8000", f"127.0.0.1:{listening.getsockname()[1]}")
        assert here != own
        assert follow(here, tmp_path, SCRIPTED)


@pytest.mark.slow
@pytest.mark.parametrize("heading", ["A model's name", "An Inspect agent, and other frameworks"])
def test_a_model_without_its_key_is_told_what_to_do(heading: str, tmp_path: Path) -> None:
    needs_models()
    for code in blocks(heading, "python"):
        (tmp_path / "inspected.py").write_text(code, encoding="utf-8")
    line = next(line for line in blocks(heading, "sh")[0].splitlines() if MODEL in line)
    done = command(line, tmp_path)
    assert done.returncode == 2, done.stderr
    told = " ".join(done.stderr.split())
    assert "install the provider's package and set its key" in told


def test_every_option_of_models_is_an_option() -> None:
    done = command("mystery-shopper run --help", ROOT)
    for option in re.findall(r"`(--[a-z-]+)", TEXT):
        if option not in ("--out", "--catalog", "--epochs"):  # The last is Inspect's.
            assert option in done.stdout, option


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@contextmanager
def serving(file: Path, port: int) -> Generator[None]:
    server = subprocess.Popen([sys.executable, file.name], cwd=file.parent)
    try:
        for _ in range(200):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield
    finally:
        server.terminate()
        server.wait()


@pytest.mark.slow
def test_an_http_endpoint_plays(tmp_path: Path) -> None:
    needs_models()
    port = free_port()
    example = (ROOT / "examples" / "http_agent.py").read_text(encoding="utf-8")
    (tmp_path / "http_agent.py").write_text(example.replace("8017", str(port)), encoding="utf-8")
    (script,) = blocks("An HTTP endpoint", "sh")
    assert "8017" in script
    with serving(tmp_path / "http_agent.py", port):
        trials = follow(script.replace("8017", str(port)), tmp_path)
    assert {trial.score.ending.value for trial in trials} == {"recommended"}


def test_the_protocol_is_as_the_page_shows_it() -> None:
    request, words, calls = blocks("An HTTP endpoint", "json")
    shown = json.loads(request)
    assert set(shown) == set(request_of(View("", {}, (), 0), "t"))
    assert isinstance(act_of(words.encode()), Say)
    assert isinstance(act_of(calls.encode()), CallTools)


@pytest.mark.slow
def test_an_inspect_agent_plays(tmp_path: Path) -> None:
    needs_models()
    shutil.copy(PROVIDER, tmp_path)
    heading = "An Inspect agent, and other frameworks"
    (code,), (script,) = blocks(heading, "python"), blocks(heading, "sh")
    (tmp_path / "inspected.py").write_text(code, encoding="utf-8")
    (trial,) = follow(script.replace(MODEL, "scripted/shopkeeper"), tmp_path, SCRIPTED)
    assert trial.score.ending.value == "recommended"


def test_every_argument_of_inspects_tasks_is_told() -> None:
    needs_models()
    from mystery_shopper.engine.lasting.registry import recbench, tau_rec

    (table,) = re.findall(
        r"^\| `-T` \| suite \| what \|\n(.*?)\n\n", TEXT, re.DOTALL | re.MULTILINE
    )
    told: dict[str, set[str]] = {"tau_rec": set(), "recbench": set(), "both": set()}
    for line in table.splitlines()[1:]:
        names, suite, _ = line.strip("| ").split(" | ", 2)
        told[suite].update(re.findall(r"`(\w+)`", names))
    for task in (tau_rec, recbench):
        assert set(inspect.signature(task).parameters) == told[task.__name__] | told["both"]


@pytest.mark.slow
def test_inspects_own_command_plays_both_suites(tmp_path: Path) -> None:
    needs_models()
    from inspect_ai.log import list_eval_logs, read_eval_log

    shutil.copy(PROVIDER, tmp_path / "scripted_provider.py")
    info = tmp_path / "scripted_provider-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: scripted-provider\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[inspect_ai]\nscripted = scripted_provider\n")
    (script,) = blocks("Inspect's own command", "sh")
    models = {"tau_rec": "scripted/shopkeeper", "recbench": "scripted/critic"}
    figures = {}
    for line, (suite, model) in zip(script.splitlines(), models.items(), strict=True):
        name, *words = shlex.split(line.replace(MODEL, model))
        assert (name, model in words) == ("inspect", True)
        done = subprocess.run(
            [sys.executable, "-m", "inspect_ai", *words, "--display", "plain", "--log-dir", suite],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        [log] = [read_eval_log(found) for found in list_eval_logs(str(tmp_path / suite))]
        assert log.results is not None
        figures[suite] = {score.name: score.metrics for score in log.results.scores}
        counted = figures[suite]["trials"]
        assert (counted["planned"].value, counted["valid"].value) == (5, 5)
    section = TEXT.split("## Inspect's own command")[1].split("\n## ")[0]
    for names in figures.values():
        assert all(f"`{name}`" in section for name in names)


@pytest.mark.slow
def test_one_request_is_answered(tmp_path: Path) -> None:
    heading = "The other suite: one request"
    (code,), (script,) = blocks(heading, "python"), blocks(heading, "sh")
    (tmp_path / "mine.py").write_text(code, encoding="utf-8")
    trials = follow(script, tmp_path)
    named = [trial for trial in trials if trial.requested.picks]
    assert len(named) > 0.9 * len(trials)


@pytest.mark.slow
def test_an_mcp_client_plays(tmp_path: Path) -> None:
    pytest.importorskip("mcp", reason="needs the extra [mcp]")
    from mcp import Client, StdioServerParameters, stdio_client

    (config,), (script,) = blocks("An MCP client", "json"), blocks("An MCP client", "sh")
    shop = json.loads(config)["mcpServers"]["shop"]
    assert shop["command"] == "mystery-shopper"
    parameters = StdioServerParameters(
        command=sys.executable, args=["-c", PLAIN, *shop["args"]], cwd=tmp_path
    )

    async def talk() -> set[str]:
        async with Client(stdio_client(parameters)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            await client.call_tool("start", {})
            await client.call_tool("say", {"text": "Which genre would you like?"})
            await client.call_tool("recommend", {"item_id": None})
            return names

    assert {"start", "say", "search", "recommend"} <= anyio.run(talk)
    (trial,) = follow(script, tmp_path)
    assert (trial.agent, trial.score.ending.value) == ("mcp", "abstained")


@pytest.mark.slow
def test_you_play(tmp_path: Path) -> None:
    (script,) = blocks("You", "sh")
    (trial,) = follow(script, tmp_path, typed="/help\nWhich genre?\n/recommend none\n")
    assert (trial.agent, trial.score.questions) == ("human", 1)


@pytest.mark.slow
def test_your_own_customer_comes(tmp_path: Path) -> None:
    heading = "Your own customer"
    (code,), (script,) = blocks(heading, "python"), blocks(heading, "sh")
    (tmp_path / "customer.py").write_text(code, encoding="utf-8")
    trials = follow(script, tmp_path)
    assert {trial.user for trial in trials} == {"customer:Blunt"}
    assert not any(trial.excluded or trial.score.leaked for trial in trials)
    assert sum(trial.score.leaks for trial in trials) > 0


def test_a_person_in_a_run_is_told_of_play(tmp_path: Path) -> None:
    done = command("mystery-shopper run tau_rec --agent human --out runs/me", tmp_path)
    assert done.returncode == 2
    assert "mystery-shopper play" in done.stderr


def test_links_lead_somewhere() -> None:
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^## (.+)$", TEXT, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        if target.startswith("#"):
            assert target[1:] in anchors, target
        elif not target.startswith("http"):
            assert (ROOT / "docs" / target).is_file(), target
