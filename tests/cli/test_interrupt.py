"""A run of a person's own agent, stopped in the middle of an act that takes for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

COMMAND = [sys.executable, "-m", "mystery_shopper", "run", "tau_rec"]
TASKS = [
    part
    for family in range(1, 7)
    for condition in ("volunteer", "hidden")
    for part in ("--task", f"f{family:03}-{condition}")
]
PLANNED = 12
AGENTS = """
import asyncio, os, time
from mystery_shopper.dialogue import CallTools, Say, ToolCall

QUICK = 4
made = 0
with open("pids", "a") as file:
    print(os.getpid(), file=file)


class Stuck:
    '''Its first trials in a process take little; the next one never ends, until UNSTUCK.'''

    def __init__(self):
        global made
        made += 1
        self.stuck = made > QUICK and not os.path.exists("unstuck")
        self.acts = 0

    def next(self):
        self.acts += 1
        if self.acts < 3:
            return Say("Which genre do you like?")
        return CallTools((ToolCall("recommend", {"item_id": None}),))

    def act(self, view):
        if self.stuck:
            time.sleep(1000)
        return self.next()


class Awaited(Stuck):
    async def act(self, view):
        if self.stuck:
            await asyncio.sleep(1000)
        return self.next()


class Deaf(Stuck):
    '''Lets nobody but SIGKILL end its process.'''

    def act(self, view):
        import signal

        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        return super().act(view)
"""


def started(folder: Path, agent: str, workers: int) -> subprocess.Popen[str]:
    (folder / "mine.py").write_text(AGENTS, encoding="utf-8")
    return subprocess.Popen(
        [*COMMAND, "--agent", f"mine:{agent}", *TASKS, "--workers", str(workers), "--out", "run"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )


def kept(folder: Path) -> int:
    """How many trials are on disk."""
    return len(list(RunFolder(folder / "run").trials()))


def until(true: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def lives(pid: str) -> bool:
    """Whether a process is there and no mere entry that nobody has asked for yet."""
    found = subprocess.run(["ps", "-o", "stat=", "-p", pid], capture_output=True, text=True)
    return found.stdout.strip()[:1] not in ("", "Z")


def all_ended(folder: Path) -> bool:
    return not any(map(lives, (folder / "pids").read_text().split()))


def played(folder: Path, agent: str) -> bytes:
    """The run as the same command leaves it where nothing gets stuck."""
    (folder / "unstuck").touch()
    process = started(folder, agent, 1)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0, out + err
    assert not (folder / "run" / "finished.jsonl").exists()
    return (folder / "run" / "trials.jsonl").read_bytes()


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """The bytes of an agent's run that was left alone."""

    @cache
    def alone(agent: str) -> bytes:
        return played(tmp_path_factory.mktemp("alone"), agent)

    return alone


@pytest.mark.parametrize(
    ("agent", "workers"), [("Stuck", 1), ("Stuck", 2), ("Awaited", 1), ("Deaf", 2)]
)
def test_ctrl_c_within_an_act_ends_soon_and_what_has_ended_is_kept(
    agent: str, workers: int, tmp_path: Path, undisturbed: Callable[[str], bytes]
) -> None:
    process = started(tmp_path, agent, workers)
    until(lambda: kept(tmp_path) == 4 * workers or process.poll() is not None)
    at = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert time.monotonic() - at < 4  # About 2 s where nothing else runs.
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert f"Stopped: {4 * workers} of 12 trials are kept. The same command goes on." in err
    until(lambda: all_ended(tmp_path), 5)
    assert kept(tmp_path) == 4 * workers
    if (agent, workers) == ("Stuck", 2):
        assert played(tmp_path, agent) == undisturbed(agent)


@pytest.mark.parametrize(("agent", "workers"), [("Stuck", 2), ("Awaited", 1), ("Stuck", 1)])
def test_a_killed_run_loses_no_trial_that_had_ended_and_leaves_nobody_behind(
    agent: str, workers: int, tmp_path: Path, undisturbed: Callable[[str], bytes]
) -> None:
    process = started(tmp_path, agent, workers)
    until(lambda: kept(tmp_path) == 4 * workers or process.poll() is not None)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
    until(lambda: all_ended(tmp_path), 10)
    assert kept(tmp_path) == 4 * workers
    assert undisturbed(agent).count(b"\n") == PLANNED
    assert played(tmp_path, agent) == undisturbed(agent)
