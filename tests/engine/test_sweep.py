from __future__ import annotations

import pickle
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.dialogue import Ending, Fault, Say
from mystery_shopper.engine import RunFolder, RunPlan, Trial, sweep, sweep_all
from mystery_shopper.engine import player as player_module
from mystery_shopper.engine.hands import Item, Players
from mystery_shopper.engine.player import ATTEMPTS
from mystery_shopper.engine.store import Kept, Timing
from mystery_shopper.engine.suites.tau_rec import TauRecScene
from mystery_shopper.engine.sweep import Turns
from mystery_shopper.foundation import InfrastructureFault, InputError, RunStopped

from .helpers import always, lines, plan_of, player


@pytest.fixture(scope="module")
def plan(task_file: str) -> RunPlan:
    """36 trials: more than one batch."""
    return plan_of(task_file, agent="popularity", trials=4)


@pytest.fixture(scope="module")
def whole(plan: RunPlan, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of the run played in one go by one worker."""
    folder = RunFolder(tmp_path_factory.mktemp("whole"))
    assert sweep(plan, folder) == 36
    return folder.trials_file.read_bytes()


def test_every_planned_trial_is_played_in_order(whole: bytes, plan: RunPlan) -> None:
    found = [msgspec.json.decode(line, type=Trial).key for line in whole.splitlines()]
    assert found == [planned.key for planned in plan.planned()]


def test_the_same_plan_gives_the_same_bytes(whole: bytes, plan: RunPlan, tmp_path: Path) -> None:
    sweep(plan, RunFolder(tmp_path))
    assert (tmp_path / "trials.jsonl").read_bytes() == whole


def test_two_workers_give_the_same_bytes(whole: bytes, plan: RunPlan, tmp_path: Path) -> None:
    counts: list[int] = []
    assert sweep(plan, RunFolder(tmp_path), workers=2, progress=counts.append) == 36
    assert (tmp_path / "trials.jsonl").read_bytes() == whole
    assert (counts[0], sum(counts)) == (0, 36)
    assert not RunFolder(tmp_path).journal_file.exists()


class _Stop(KeyboardInterrupt):
    """A person's Ctrl-C."""


def interrupt_after(batches: int) -> Any:
    left = [batches + 1]

    def progress(_: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise _Stop

    return progress


def test_an_interrupted_run_goes_on_to_the_same_bytes(
    whole: bytes, plan: RunPlan, tmp_path: Path
) -> None:
    folder = RunFolder(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        sweep(plan, folder, progress=interrupt_after(0))
    kept = len(list(folder.trials()))
    assert 0 < kept < 36
    assert sweep(plan, folder) == 36 - kept
    assert folder.trials_file.read_bytes() == whole


@pytest.mark.parametrize("kept", [0, 1, 7, 35])
def test_a_crash_within_a_line_goes_on_to_the_same_bytes(
    whole: bytes, plan: RunPlan, tmp_path: Path, kept: int
) -> None:
    folder = RunFolder(tmp_path)
    folder.begin(plan)
    parts = whole.splitlines(keepends=True)
    folder.trials_file.write_bytes(b"".join(parts[:kept]) + parts[kept][:50])
    assert sweep(plan, folder) == 36 - kept
    assert folder.trials_file.read_bytes() == whole


def test_a_finished_run_is_left_as_it_is(whole: bytes, plan: RunPlan, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    sweep(plan, folder)
    counts: list[int] = []
    assert sweep(plan, folder, progress=counts.append) == 0
    assert counts == [36]
    assert folder.trials_file.read_bytes() == whole


def test_an_interrupt_within_a_trial_loses_that_trial_alone(
    plan: RunPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[object] = []
    real = player_module.rollout

    def rollout(*arguments: Any) -> Any:
        played.append(1)
        if len(played) == 30:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(player_module, "rollout", rollout)
    with pytest.raises(KeyboardInterrupt):
        sweep(plan, RunFolder(tmp_path))
    assert len(lines(RunFolder(tmp_path))) == 29


def test_several_runs_share_one_sweep(task_file: str, tmp_path: Path) -> None:
    plans = [plan_of(task_file, agent=name, conditions=["mixed"]) for name in ("oracle", "null")]
    runs = [(plan, RunFolder(tmp_path / plan.agent)) for plan in plans]
    assert sweep_all(runs) == 6
    for plan, folder in runs:
        found = list(folder.trials())
        assert [trial.agent for trial in found] == [plan.agent] * 3
        assert folder.plan() == plan
    assert sweep_all(runs) == 0


def test_a_trials_bytes_do_not_depend_on_its_neighbours(
    whole: bytes, task_file: str, tmp_path: Path
) -> None:
    alone = plan_of(task_file, agent="popularity", trials=4, only=["f002-hidden"])
    sweep(alone, RunFolder(tmp_path))
    assert [line for line in lines(RunFolder(tmp_path)) if line not in whole] == []


def test_clock_readings_stand_apart(plan: RunPlan, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    sweep(plan, folder)
    rows = [
        msgspec.json.decode(line, type=Timing)
        for line in folder.timings_file.read_bytes().splitlines()
    ]
    assert [row.trial for row in rows] == [planned.key for planned in plan.planned()]
    assert all(row.seconds for row in rows)


def test_the_scores_are_those_of_the_agents(task_file: str, tmp_path: Path) -> None:
    plans = [plan_of(task_file, agent=name) for name in ("oracle", "eliminating", "null")]
    runs = [(plan, RunFolder(tmp_path / plan.agent)) for plan in plans]
    sweep_all(runs)
    oracle, eliminating, null = (
        [trial.score.success for trial in folder.trials()] for _, folder in runs
    )
    assert oracle == eliminating == [True] * 9
    assert null == [False] * 6 + [True] * 3


def test_another_run_in_the_folder_is_refused(task_file: str, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    sweep(plan_of(task_file, agent="null", only=["f001-mixed"]), folder)
    before = folder.trials_file.read_bytes()
    with pytest.raises(InputError, match="agent"):
        sweep(plan_of(task_file, agent="oracle", only=["f001-mixed"]), folder)
    assert folder.trials_file.read_bytes() == before


def test_a_person_does_not_play_in_a_sweep(task_file: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'human'"):
        sweep(plan_of(task_file, agent="human"), RunFolder(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_plans_over_one_catalogue_share_what_was_loaded(task_file: str) -> None:
    plans = [
        plan_of(task_file, agent="null"),
        plan_of(task_file, agent="oracle"),
        plan_of(task_file, catalog="films:5000"),
    ]
    players = Players.of(plans)
    one, other, small = map(players.player, range(3))
    for each in (one, other, small):
        assert isinstance(each.scene, TauRecScene)
    assert players.player(0) is one
    assert other.scene.shelf is one.scene.shelf
    assert small.scene.shelf is not one.scene.shelf


def test_players_sent_to_another_process_need_not_read_again(task_file: str) -> None:
    plan = plan_of(task_file, agent="oracle", only=["f001-mixed"])
    item = Item(0, next(plan.planned()))
    _, here = Players.of([plan]).play(item)
    sent = pickle.loads(pickle.dumps(Players.of([plan])))
    assert sent.play(item)[1].trial == here.trial


# --- trials that end out of the plan's order -----------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_in_whatever_order_trials_end_and_wherever_it_stops_the_bytes_are_the_same(
    whole: bytes, plan: RunPlan, ended: list[Kept], data: st.DataObject
) -> None:
    """Each group that ended is on disk at once; a writer that died is followed by another."""
    left = data.draw(st.permutations(ended))
    with tempfile.TemporaryDirectory() as path:
        folder = RunFolder(Path(path))
        kept: set[str] = set()
        while left:
            with folder.writing(plan) as done:
                assert done == kept
                turns = Turns(plan, folder)
                for _ in range(data.draw(st.integers(1, 6))):
                    many = data.draw(st.integers(1, 9))
                    now, left = left[:many], left[many:]
                    turns.keep(now)
                    kept |= {one.key for one in now}
                    assert {trial.key for trial in folder.trials()} == kept
                    if folder.trials_file.exists():
                        assert whole.startswith(folder.trials_file.read_bytes())
                folder.settle(plan)
        assert folder.trials_file.read_bytes() == whole
        assert [timing.trial for timing in folder.timings()] == [one.key for one in ended]
        assert not folder.journal_file.exists()


@pytest.fixture(scope="module")
def ended(plan: RunPlan) -> list[Kept]:
    """The trials of the plan, in its order."""
    players = Players.of([plan])
    return [players.play(Item(0, planned))[1] for planned in plan.planned()]


# --- a person's own agents -----------------------------------------------------------------------

OWN = """
import asyncio, multiprocessing, os, sys, time
from mystery_shopper.dialogue import CallTools, Say, ToolCall

DONE = CallTools((ToolCall("recommend", {"item_id": None}),))
flying = most = made = 0


class Waiting:
    async def act(self, view):
        global flying, most
        flying += 1
        most = max(most, flying)
        # Later trials end first.
        await asyncio.sleep(0.002 * (40 - len(view.messages[0].text) % 37))
        flying -= 1
        return Say("Which genre?") if view.seen == 0 else DONE


def hidden():
    return Waiting()


class Uneven:
    def __init__(self):
        global made
        made += 1
        self.stuck = made == 4

    def act(self, view):
        if self.stuck:
            time.sleep(0.5)
        return DONE


class Dying:
    def __init__(self):
        global made
        made += 1

    def act(self, view):
        if made == 3:
            time.sleep(0.3)
            os._exit(7)
        return DONE


class Interrupting:
    async def act(self, view):
        global flying
        flying += 1
        if flying == 8:
            await asyncio.sleep(0.3)
            raise KeyboardInterrupt
        await asyncio.sleep(0 if flying < 3 else 10)
        return DONE
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module of a person's own agents, fresh for each test."""
    (tmp_path / "own_agents.py").write_text(OWN, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "own_agents", raising=False)
    yield import_module("own_agents")
    sys.modules.pop("own_agents", None)


@pytest.mark.parametrize(("agent", "most"), [("Waiting", 10), ("hidden", 10), ("Waiting", 3)])
def test_an_asynchronous_agent_plays_side_by_side_to_the_same_bytes(
    agent: str, most: int, own: Any, task_file: str, tmp_path: Path
) -> None:
    plan = plan_of(task_file, agent=f"own_agents:{agent}", trials=2)
    many, one = RunFolder(tmp_path / "many"), RunFolder(tmp_path / "one")
    sweep(plan, many, at_once=most)
    assert own.most == most
    own.most = 0
    sweep(plan, one, at_once=1)
    assert own.most == 1
    assert one.trials_file.read_bytes() == many.trials_file.read_bytes()
    assert not many.journal_file.exists()


@pytest.mark.usefixtures("own")
def test_workers_play_an_own_agent_to_the_same_bytes(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="own_agents:Waiting", trials=2)
    many, one = RunFolder(tmp_path / "many"), RunFolder(tmp_path / "one")
    assert sweep(plan, many, workers=2) == sweep(plan, one) == 18
    assert one.trials_file.read_bytes() == many.trials_file.read_bytes()


@pytest.mark.usefixtures("own")
def test_what_has_ended_is_kept_while_the_next_trial_goes_on(
    task_file: str, tmp_path: Path
) -> None:
    """The fourth trial takes half a second, those before it next to nothing."""
    at: list[float] = []
    sweep(
        plan_of(task_file, agent="own_agents:Uneven"),
        RunFolder(tmp_path / "run"),
        progress=lambda number: at.extend([time.monotonic()] * number),
    )
    assert len(at) == 9
    assert at[3] - at[2] > 0.3


@pytest.mark.usefixtures("own")
def test_an_interrupt_keeps_what_ended_of_trials_side_by_side(
    task_file: str, tmp_path: Path
) -> None:
    folder = RunFolder(tmp_path / "run")
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sweep(plan_of(task_file, agent="own_agents:Interrupting"), folder)
    assert time.monotonic() - started < 5
    assert len(list(folder.trials())) == 2


@pytest.mark.usefixtures("own")
def test_a_process_that_dies_stops_the_run_and_says_with_what(
    task_file: str, tmp_path: Path
) -> None:
    folder = RunFolder(tmp_path / "run")
    with pytest.raises(RunStopped, match=r"exit code 7.*In flight: .*f00\d-\w+#0") as stop:
        sweep(plan_of(task_file, agent="own_agents:Dying"), folder, workers=2)
    assert "goes on" in str(stop.value)
    assert 2 <= len(list(folder.trials())) <= 4


# --- faults -------------------------------------------------------------------------------------


class Flaky:
    """A factory whose first agents cannot be reached."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.made = 0

    def __call__(self, *_: Any) -> Any:
        self.made += 1
        if self.made <= self.failures:
            return always(InfrastructureFault("the line is dead"))()
        return always(Say("Which genre?"))()


def played(plan: RunPlan, factory: Any) -> Trial:
    return player(plan, factory).play(next(plan.planned()))[0]


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_an_infrastructure_fault_is_played_again(plan: RunPlan, failures: int) -> None:
    trial = played(plan, Flaky(failures))
    assert (trial.attempts, trial.excluded) == (failures + 1, False)
    assert trial.score.ending is Ending.TURN_CAP


def test_a_lasting_infrastructure_fault_excludes_the_trial(plan: RunPlan) -> None:
    factory = Flaky(99)
    trial = played(plan, factory)
    assert (trial.attempts, factory.made) == (ATTEMPTS, ATTEMPTS)
    assert (trial.fault, trial.excluded) == (Fault.INFRASTRUCTURE, True)
    assert (trial.score.success, trial.score.failure) == (None, None)
    assert trial.transcript.ended is not None
    assert "the line is dead" in trial.transcript.ended.detail


FOREIGN = "Расскажите, пожалуйста, подробнее, чего бы вам хотелось?"


def test_a_users_fault_is_played_again_and_then_excluded(plan: RunPlan) -> None:
    trial = played(plan, always(Say(FOREIGN)))
    assert (trial.attempts, trial.fault, trial.excluded) == (ATTEMPTS, Fault.USER, True)
    assert trial.score.success is None


def test_as_the_paper_has_it_no_language_is_a_fault(task_file: str) -> None:
    trial = played(plan_of(task_file, as_paper=True), always(Say(FOREIGN)))
    assert (trial.attempts, trial.excluded) == (1, False)
    assert trial.score.not_understood == 1


def test_an_agents_fault_counts_at_once(plan: RunPlan) -> None:
    trial = played(plan, always(RuntimeError("my own bug")))
    assert (trial.attempts, trial.fault, trial.excluded) == (1, Fault.AGENT, False)
    assert trial.score.success is False


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (ValueError("no such model"), Fault.AGENT),
        (InfrastructureFault("down"), Fault.INFRASTRUCTURE),
    ],
)
def test_an_agent_that_cannot_be_made_does_not_stop_the_run(
    plan: RunPlan, error: Exception, fault: Fault
) -> None:
    def factory(*_: Any) -> Any:
        raise error

    trial = played(plan, factory)
    assert (trial.fault, trial.score.ending) == (fault, Ending.ERROR)
    assert trial.transcript.ended is not None
    assert str(error) in trial.transcript.ended.detail


def test_an_excluded_trial_is_archived_and_not_played_again(plan: RunPlan, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.begin(plan)
    trial, timing = player(plan, Flaky(99)).play(next(plan.planned()))
    folder.append([trial], [timing])
    assert sweep(plan, folder) == 35
    assert [trial.excluded for trial in folder.trials()] == [True] + [False] * 35


def test_a_trial_tells_where_it_belongs(plan: RunPlan) -> None:
    trial = played(plan, None)
    assert (trial.key, trial.family, trial.condition) == ("f001-volunteer#0", "f001", "volunteer")
    assert (trial.tier, trial.satisfiable, trial.number) == ("simple", True, 0)
    assert trial.seed == plan.seed_for("f001-volunteer", 0, "agent")
    assert trial.user == "rule-based"


WRONG = """
import sys
from own_helper import deeper


class Direct:
    def act(self, view):
        return view["messages"]


class Awaited:
    async def act(self, view):
        return deeper(self.own(view))

    def own(self, view):
        return view["messages"]


class Elsewhere:
    def act(self, view):
        return deeper(view)


class Library:
    def act(self, view):
        import json

        json.loads(
            "{"
        )


class Making:
    def __init__(self):
        raise ValueError("no key")


class Leaving:
    def act(self, view):
        sys.exit(3)


class Long:
    def act(self, view):
        raise ValueError("x" * 9000)
"""


@pytest.mark.parametrize(
    ("agent", "said", "line"),
    [
        ("Direct", "TypeError: 'View' object is not subscriptable", 'return view["messages"]'),
        ("Awaited", "TypeError: 'View' object is not subscriptable", "def own"),
        ("Elsewhere", "KeyError: 'what'", "return deeper(view)"),
        ("Library", "JSONDecodeError: Expecting property name", "json.loads("),
        ("Making", "ValueError: no key", "raise ValueError"),
        ("Leaving", "AgentFault: SystemExit: 3", "sys.exit(3)"),
        ("Long", "ValueError: xxxxx", '"x" * 9000'),
    ],
)
def test_an_error_in_a_persons_own_agent_names_its_place(
    agent: str,
    said: str,
    line: str,
    task_file: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The person's own file and no other; its own name only, so that the words are the same on
    every machine."""
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    helper = "def deeper(view):\n    return {}['what']\n"
    (tmp_path / "own_helper.py").write_text(helper, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "wrong", raising=False)
    monkeypatch.delitem(sys.modules, "own_helper", raising=False)
    trial = played(plan_of(task_file, agent=f"wrong:{agent}"), None)
    assert trial.transcript.ended is not None
    detail = trial.transcript.ended.detail
    rows = WRONG.splitlines()
    at = next(number for number, text in enumerate(rows, 1) if line in text)
    at += line == "def own"
    assert detail.startswith(said)
    assert detail.endswith(f" (wrong.py, line {at})")
    assert len(detail) <= 500


def test_an_error_of_a_shipped_agent_names_no_place(plan: RunPlan) -> None:
    trial = played(plan, always(RuntimeError("my own bug")))
    assert trial.transcript.ended is not None
    assert trial.transcript.ended.detail == "RuntimeError: my own bug"
