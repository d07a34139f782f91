"""Whatever one trial's agent throws, the other trials of the run end as they would have."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import Ending, Fault
from mystery_shopper.engine import RunFolder, sweep
from mystery_shopper.engine.fence import fault_of
from mystery_shopper.foundation import AgentFault

from .helpers import plan_of

ODD = """
import asyncio, sys
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.dialogue import CallTools, ToolCall

made = 0


def deep(n):
    return deep(n + 1)


ODDITIES = {
    "system exit": lambda: sys.exit(3),
    "cancelled": lambda: (_ for _ in ()).throw(asyncio.CancelledError("stop it")),
    "recursion": lambda: deep(0),
    "memory": lambda: (_ for _ in ()).throw(MemoryError("no more")),
    "own": lambda: (_ for _ in ()).throw(type("Odd", (BaseException,), {})("oddity")),
    "group": lambda: (_ for _ in ()).throw(BaseExceptionGroup("many", [SystemExit(1)])),
}


class Agent:
    oddity = None
    in_making = False

    def __init__(self):
        global made
        made += 1
        self.odd = made == 3
        if self.odd and self.in_making:
            ODDITIES[self.oddity]()

    def _act(self):
        if self.odd:
            ODDITIES[self.oddity]()
        return CallTools((ToolCall("recommend", {"item_id": None}),))

    def act(self, view):
        return self._act()


class Awaited(Agent):
    async def act(self, view):
        await asyncio.sleep(0)
        return self._act()
"""
ODDITIES = ("system exit", "cancelled", "recursion", "memory", "own", "group")


def odd_module(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of agents, the third of which throws something."""
    import importlib

    (folder / f"{name}.py").write_text(ODD, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    importlib.invalidate_caches()
    return importlib.import_module(name)


@pytest.mark.parametrize("kind", ["Agent", "Awaited"])
@pytest.mark.parametrize("oddity", ODDITIES)
def test_one_odd_agent_ends_its_own_trial_only(
    oddity: str, kind: str, task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"odd_{kind}_{oddity}".replace(" ", "_")
    getattr(odd_module(name, tmp_path, monkeypatch), kind).oddity = oddity
    folder = RunFolder(tmp_path / "run")
    assert sweep(plan_of(task_file, agent=f"{name}:{kind}"), folder) == 9
    trials = list(folder.trials())
    assert [trial.fault for trial in trials] == [None, None, Fault.AGENT] + [None] * 6
    ended = trials[2].transcript.ended
    assert ended is not None
    assert ended.kind is Ending.ERROR
    assert ended.detail


def test_one_that_throws_in_its_making(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = odd_module("odd_making", tmp_path, monkeypatch)
    module.Agent.oddity, module.Agent.in_making = "system exit", True
    folder = RunFolder(tmp_path / "run")
    sweep(plan_of(task_file, agent="odd_making:Agent"), folder)
    trials = list(folder.trials())
    assert [trial.fault for trial in trials] == [None, None, Fault.AGENT] + [None] * 6
    assert "SystemExit: 3" in str(trials[2].transcript.ended)


@pytest.mark.parametrize(
    "error",
    [KeyboardInterrupt(), GeneratorExit(), BaseExceptionGroup("x", [KeyboardInterrupt()])],
)
def test_a_persons_stop_goes_through(error: BaseException) -> None:
    with pytest.raises(type(error)):
        fault_of(error)


def test_a_cancelling_from_outside_goes_through_and_the_agents_own_does_not() -> None:
    assert isinstance(fault_of(asyncio.CancelledError()), AgentFault)

    async def waits() -> None:
        try:
            await asyncio.sleep(10)
        except BaseException as error:
            raise fault_of(error) from error

    async def main() -> None:
        task = asyncio.create_task(waits())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


WORDS = """
from mystery_shopper.dialogue import CallTools


class Words:
    def act(self, view):
        return "Hello."


class Slow:
    async def act(self, view):
        return "Hello."


class Loose:
    def act(self, view):
        return CallTools("search")


async def later():
    return Words()
"""


@pytest.mark.parametrize(
    ("factory", "told"),
    [
        ("Words", "an act must be Say or CallTools, not str (Words of "),
        ("Slow", "an act must be Say or CallTools, not str (Slow of "),
        ("later", "an act must be Say or CallTools, not str (Words of "),
        ("Loose", "the calls of an act must be a tuple, not str (Loose of "),
    ],
)
def test_what_is_no_act_is_told_with_its_agent(
    factory: str, told: str, task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = f"of_words_{factory.lower()}"
    (tmp_path / f"{module}.py").write_text(WORDS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = RunFolder(tmp_path / "run")
    sweep(plan_of(task_file, agent=f"{module}:{factory}", only=["f001-mixed"]), folder)
    [trial] = folder.trials()
    ended = trial.transcript.ended
    assert ended is not None
    assert (ended.kind, ended.fault) == (Ending.ERROR, Fault.AGENT)
    assert ended.detail == f"TypeError: {told}{module}.py)"
