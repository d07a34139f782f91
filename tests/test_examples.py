"""The examples run as their first lines say."""

from __future__ import annotations

import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder, Trial

EXAMPLES = Path(__file__).parents[1] / "examples"
PROVIDER = Path(__file__).parent / "engine" / "lasting" / "provider.py"
PLAIN = "from mystery_shopper.cli.main import run; run()"


def play(command: str, out: Path, cwd: Path = EXAMPLES, main: str = PLAIN) -> list[Trial]:
    done = subprocess.run(
        [sys.executable, "-c", main, *shlex.split(command), "--out", str(out)],
        cwd=cwd,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return list(RunFolder(out).trials())


def test_an_own_agent_succeeds_as_often_as_the_readme_says(tmp_path: Path) -> None:
    command = "run tau_rec --agent own_agent:AsksOnce --tasks panel --workers 1"
    trials = [one for one in play(command, tmp_path / "mine") if one.satisfiable]
    won = Counter(one.condition for one in trials if one.score.success)
    assert won == {"volunteer": 45, "mixed": 45, "hidden": 11}
    assert len(trials) == 3 * 45
    readme = " ".join((EXAMPLES.parent / "README.md").read_text(encoding="utf-8").split())
    assert "45 requests that a film can meet it satisfies 45 when all is volunteered" in readme
    assert "45 mixed, and 11 hidden" in readme


def test_an_own_agent_answers_requests(tmp_path: Path) -> None:
    command = "run recbench --agent own_agent:AnswersOnce --tasks panel --workers 1"
    trials = play(command, tmp_path / "requests")
    named = [trial for trial in trials if trial.requested.picks]
    assert len(named) > 0.9 * len(trials)
    assert all(pick.item_id for trial in named for pick in trial.requested.picks)


@contextmanager
def served(folder: Path) -> Generator[str]:
    """The example server, from a copy that listens at a free port."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = str(one.getsockname()[1])
    text = (EXAMPLES / "http_agent.py").read_text(encoding="utf-8")
    assert text.count("8017") == 2
    (folder / "http_agent.py").write_text(text.replace("8017", port), encoding="utf-8")
    server = subprocess.Popen([sys.executable, "http_agent.py"], cwd=folder)
    try:
        for _ in range(200):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", int(port))) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def test_the_example_server_serves_both_suites(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra [models]")
    kinds = ("explicit-1-001", "implicit-2-001", "misinformed-1-001", "interest-001")
    asked = " ".join(f"--task {name}" for name in kinds)
    with served(tmp_path) as address:
        requests = play(f"run recbench --agent {address} {asked}", tmp_path / "requests")
        bare = play(f"run recbench --agent {address} {asked} --interface bare", tmp_path / "bare")
        shop = play(f"run tau_rec --agent {address} --task f004-mixed", tmp_path / "shop")
    assert [len(trial.requested.picks) for trial in requests] == [1] * len(kinds)
    assert all(pick.item_id for trial in requests for pick in trial.requested.picks)
    assert {trial.score.tool_errors for trial in requests} == {0}
    assert {trial.score.ending.value for trial in (*requests, *bare)} == {"finished"}
    assert [trial.score.ending.value for trial in shop] == ["recommended"]


def test_an_inspect_agent_serves_both_suites(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra [models]")
    shutil.copy(PROVIDER, tmp_path)
    shutil.copy(EXAMPLES / "inspect_agent.py", tmp_path)
    main = f"import provider; {PLAIN}"
    agent = "--agent inspect:inspect_agent:shopkeeper:scripted"
    [shop] = play(
        f"run tau_rec {agent}/shopkeeper --task f004-mixed", tmp_path / "1", tmp_path, main
    )
    assert shop.score.ending.value == "recommended"
    [answer] = play(
        f"run recbench {agent}/critic --task explicit-1-001", tmp_path / "2", tmp_path, main
    )
    assert answer.requested.picks


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.py")))
def test_every_example_says_which_suite_it_serves(name: str) -> None:
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    opening = text.split('"""')[1]
    assert "tau_rec" in opening
    assert "recbench" in opening
