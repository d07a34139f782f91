"""Names of agents: shipped ones, and a person's own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mystery_shopper.dialogue import Fault
from mystery_shopper.engine import RunFolder, sweep
from mystery_shopper.engine.casting import agent_problems, cast, is_shipped
from mystery_shopper.engine.speakers import user_problems
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.reference import AGENTS

from .helpers import plan_of

OWN = """
import asyncio
from mystery_shopper import CallTools, Say, ToolCall

class Asks:
    def __init__(self):
        self.turn = 0

    def act(self, view):
        self.turn += 1
        if self.turn == 1:
            return Say("Which genre, language, country, year and format do you want?")
        return CallTools((ToolCall("recommend", {"item_id": None}),))

class AsksSlowly(Asks):
    async def act(self, view):
        await asyncio.sleep(0)
        return super().act(view)

async def asks_later():
    await asyncio.sleep(0)
    return Asks()

async def slowly_later():
    return AsksSlowly()

class OneLoop(AsksSlowly):
    loops = set()

    async def act(self, view):
        self.loops.add(asyncio.get_running_loop())
        assert len(self.loops) == 1
        return await super().act(view)

class Cross:
    async def act(self, view):
        raise RuntimeError("no key")

class Broken:
    def __init__(self):
        raise RuntimeError("no key")

number = 3
"""


@pytest.fixture(autouse=True)
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "own_agents.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "own_agents", raising=False)


@pytest.mark.parametrize("name", AGENTS)
def test_shipped_agents_are_found(name: str) -> None:
    assert is_shipped(name, "tau_rec")


@pytest.mark.parametrize("workers", [1, 2])
def test_a_persons_own_agent_plays(task_file: str, tmp_path: Path, workers: int) -> None:
    plan = plan_of(task_file, agent="own_agents:Asks", trials=30)
    folder = RunFolder(tmp_path / "run")
    sweep(plan, folder, workers=workers)
    trials = list(folder.trials())
    assert len(trials) == plan.count
    assert {trial.score.turns for trial in trials} == {1}
    assert all(trial.score.questions for trial in trials)


@pytest.mark.parametrize("name", ["AsksSlowly", "asks_later", "slowly_later", "OneLoop"])
@pytest.mark.parametrize("workers", [1, 2])
def test_an_asynchronous_agent_plays_the_same(
    name: str, workers: int, task_file: str, tmp_path: Path
) -> None:
    plain, slow = RunFolder(tmp_path / "plain"), RunFolder(tmp_path / "slow")
    sweep(plan_of(task_file, agent="own_agents:Asks", trials=4), plain)
    sweep(plan_of(task_file, agent=f"own_agents:{name}", trials=4), slow, workers=workers)
    theirs = slow.trials_file.read_text(encoding="utf-8")
    assert theirs.count(f"own_agents:{name}") == 36
    expected = plain.trials_file.read_text(encoding="utf-8")
    assert theirs.replace(f"own_agents:{name}", "own_agents:Asks") == expected


def test_what_an_asynchronous_agent_raises_is_its_fault(task_file: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    sweep(plan_of(task_file, agent="own_agents:Cross"), folder)
    for trial in folder.trials():
        ended = trial.transcript.ended
        assert ended is not None
        assert ended.fault is Fault.AGENT
        assert "no key" in ended.detail


def test_an_agent_that_cannot_be_made_fails_its_own_trials(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="own_agents:Broken", trials=1)
    folder = RunFolder(tmp_path / "run")
    sweep(plan, folder)
    assert {trial.score.success for trial in folder.trials()} == {False}


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("nobody", "no shipped agent"),
        ("own_agents:Nobody", "cannot be loaded"),
        ("no_module:Asks", "cannot be loaded"),
        (":Asks", "cannot be loaded"),
        ("own_agents:number", "is no factory"),
        ("human", "does not play by itself"),
    ],
)
def test_what_is_no_agent_is_told_with_a_remedy(name: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as caught:
        cast(name, "tau_rec")
    assert caught.value.remedy
    assert problem in agent_problems(name, "tau_rec")[0]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def broken(:", "SyntaxError: invalid syntax (spoilt.py, line 1)"),
        ("\nraise RuntimeError('at import')", "RuntimeError: at import, spoilt.py:2"),
        ("import sys\nsys.exit(4)", "SystemExit: 4, spoilt.py:2"),
        ("1 / 0", "ZeroDivisionError: division by zero, spoilt.py:1"),
    ],
)
def test_a_module_that_cannot_be_loaded_is_told_with_its_line(
    code: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "spoilt.py").write_text(code, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for problems in (agent_problems("spoilt:Mine"), user_problems("spoilt:Mine")):
        [problem] = problems
        assert told in problem


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("mine.py", "For a class in mine.py write mine:TheClass."),
        ("src/mine.py", "For a class in src/mine.py write mine:TheClass."),
        ("mine.Mine", "For Mine of the module mine write mine:Mine."),
        ("127.0.0.1:8117", "Write http://127.0.0.1:8117."),
        ("localhost:80/chat", "Write http://localhost:80/chat."),
    ],
)
def test_a_name_that_is_nearly_one_is_told_how_it_is_written(name: str, told: str) -> None:
    (problem,) = agent_problems(name, "tau_rec")
    assert told in problem
