"""A list of runs reads headers only, and says of a run no more than its head knows."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest

from mystery_shopper.agents import Terminal
from mystery_shopper.dialogue import Fault
from mystery_shopper.engine import RunFolder, RunPlan, sweep
from mystery_shopper.engine.head import read_head
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.listing import list_runs
from mystery_shopper.engine.playing import draw_task, play_by_hand
from mystery_shopper.engine.replay import replay
from mystery_shopper.foundation import InputError
from mystery_shopper.report import read_folders, summarise

from .helpers import plan_of, some_trials


@pytest.fixture(scope="module")
def plan(task_file: str) -> RunPlan:
    return plan_of(task_file, agent="popularity", trials=2)


@pytest.fixture(scope="module")
def played(plan: RunPlan, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = RunFolder(tmp_path_factory.mktemp("played") / "popular")
    sweep(plan, folder)
    return folder


@pytest.fixture
def folder(played: RunFolder, tmp_path: Path) -> RunFolder:
    """A copy that a test may spoil."""
    return RunFolder(Path(shutil.copytree(played.path, tmp_path / "popular")))


def test_a_run_is_told_by_its_headers(folder: RunFolder, plan: RunPlan) -> None:
    [run] = list_runs(folder.path.parent)
    assert run.name == "popular"
    assert run.plan is not None
    assert (run.plan.agent, run.plan.user, run.plan.count) == ("popularity", "rule-based", 18)
    assert run.plan.conditions == ("volunteer", "mixed", "hidden")
    assert run.head is not None
    assert (run.head.planned, run.head.done, run.head.excluded) == (18, 18, 0)
    assert run.started.startswith("20")
    assert run.head.plan == plan.digest


def test_its_success_is_the_reports(folder: RunFolder) -> None:
    """Over all conditions, which hold as many tasks each."""
    head = read_head(folder.path)
    assert head is not None
    [run] = summarise(read_folders([folder])).runs
    cells = [run.cells.at(condition) for condition in ("volunteer", "mixed", "hidden")]
    shares = [cell.passes[0].value or 0.0 for cell in cells if cell is not None]
    assert head.success is not None
    assert head.success == pytest.approx(sum(shares) / 3)
    assert 0 <= head.success < 1


def test_the_trials_are_never_opened(folder: RunFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    before = folder.run_file.read_bytes()
    size = folder.trials_file.stat().st_size
    folder.trials_file.write_bytes(b"\xff" * size)  # Poison: it could not be decoded.
    opened: list[str] = []
    real = Path.open

    def spy(path: Path, *arguments: object, **more: object) -> object:
        opened.append(path.name)
        return real(path, *arguments, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Path, "open", spy)
    [run] = list_runs(folder.path.parent)
    assert run.head is not None
    assert run.head.done == 18
    assert set(opened) <= {"run.json", "head.json"}
    assert folder.run_file.read_bytes() == before


def test_listing_does_not_grow_with_the_trials(folder: RunFolder) -> None:
    """200 runs, one with a file of trials that nobody reads in that time: 20 GB, all holes."""
    root = folder.path.parent
    for number in range(200):
        shutil.copytree(folder.path, root / f"r{number:03}", ignore=shutil.ignore_patterns("t*"))
    with (root / "r000" / "trials.jsonl").open("wb") as file:
        file.truncate(20 * 2**30)
    started = time.process_time()
    found = list_runs(root)
    assert time.process_time() - started < 1
    assert len(found) == 201


def test_a_change_since_makes_it_stale(folder: RunFolder, plan: RunPlan) -> None:
    with folder.trials_file.open("ab") as file:
        file.write(b'{"schema":')  # As a writer at work, or one that was killed, leaves it.
    [run] = list_runs(folder.path.parent)
    assert run.head is None
    kept = folder.trials_file.read_bytes()[:-10], folder.run_file.read_bytes()
    assert sweep(plan, folder) == 0
    [again] = list_runs(folder.path.parent)
    assert again.head is not None
    assert (folder.trials_file.read_bytes(), folder.run_file.read_bytes()) == kept


def test_a_run_that_was_stopped_is_counted_so_far(plan: RunPlan, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")

    def stop(_: int) -> None:
        if folder.trials_file.exists():
            raise KeyboardInterrupt

    first, *_ = plan.planned()
    sweep(plan, folder, only={first.key})
    head = read_head(folder.path)
    assert head is not None
    assert (head.planned, head.done) == (18, 1)
    began = head.started
    with pytest.raises(KeyboardInterrupt):
        sweep(plan, folder, progress=stop)
    head = read_head(folder.path)
    assert head is not None
    assert (head.done, head.started) == (len(list(folder.trials())), began)
    assert head.done > 1


def test_excluded_trials_are_counted_and_a_key_once(plan: RunPlan, tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    one, two, three = some_trials(plan)
    lost = msgspec.structs.replace(one, fault=Fault.INFRASTRUCTURE)
    with folder.writing(plan):
        folder.append([lost, two, three, two], [Timing(one.key, ())])
    head = read_head(folder.path)
    assert head is not None
    assert (head.done, head.excluded) == (3, 1)


def test_replay_and_report_pass_it_by(folder: RunFolder) -> None:
    before = summarise(read_folders([folder]))
    (folder.path / "head.json").write_bytes(b"nonsense")
    assert replay(folder).difference is None
    assert summarise(read_folders([folder])) == before
    [run] = list_runs(folder.path.parent)
    assert run.head is None


def test_a_person_who_left_has_given_up_and_one_who_plays_has_not(
    task_file: str, tmp_path: Path
) -> None:
    seen: list[bool] = []

    class Leaver:
        def ask(self, *_: object) -> str:
            seen.extend(run.given_up for run in list_runs(tmp_path))
            raise KeyboardInterrupt

        def __getattr__(self, _: str) -> Any:
            return self.ask

    plan = draw_task(plan_of(task_file, agent="human"))
    with pytest.raises(KeyboardInterrupt):
        play_by_hand(plan, cast(Terminal, Leaver()), tmp_path / "mine")
    assert set(seen) == {False}
    [run] = list_runs(tmp_path)
    assert run.given_up
    assert run.head is not None
    assert run.head.done == 0
    (tmp_path / "mine" / "head.json").unlink()  # As one that was killed.
    assert list_runs(tmp_path)[0].given_up


def test_another_agents_run_is_never_given_up(plan: RunPlan, tmp_path: Path) -> None:
    with RunFolder(tmp_path / "run").writing(plan):
        pass
    assert not list_runs(tmp_path)[0].given_up


def test_a_head_of_another_plan_says_nothing(folder: RunFolder) -> None:
    head = read_head(folder.path)
    other = msgspec.structs.replace(head, plan="0" * 64)
    (folder.path / "head.json").write_bytes(msgspec.json.encode(other))
    [run] = list_runs(folder.path.parent)
    assert run.head is None


@pytest.mark.parametrize("content", [b"", b"[]", b'{"plan": 3}', b"\xff"])
def test_a_plan_that_cannot_be_read_hides_no_other(folder: RunFolder, content: bytes) -> None:
    broken = folder.path.parent / "broken"
    broken.mkdir()
    (broken / "run.json").write_bytes(content)
    found = {run.name: run.plan for run in list_runs(folder.path.parent)}
    assert found["broken"] is None
    assert found["popular"] is not None


def test_runs_lie_below_each_other_and_the_newest_comes_first(
    folder: RunFolder, tmp_path: Path
) -> None:
    deep = tmp_path / "demo" / "old"
    shutil.copytree(folder.path, deep)
    (deep / "head.json").unlink()
    os.utime(deep / "run.json", (1e9, 1e9))
    found = list_runs(tmp_path)
    assert [run.name for run in found] == ["popular", str(Path("demo") / "old")]
    assert found[1].started == "2001-09-09 01:46"
    [itself] = list_runs(folder.path)
    assert itself.name == "popular"


def test_within_a_minute_the_later_comes_first(folder: RunFolder, tmp_path: Path) -> None:
    written = folder.run_file.stat().st_mtime_ns // 60_000_000_000 * 60_000_000_000
    for name, later in (("b", 1), ("a", 2), ("d", 3), ("c", 3)):
        place = Path(shutil.copytree(folder.path, tmp_path / name))
        os.utime(place / "run.json", ns=(0, written + later))
    found = list_runs(tmp_path)
    assert len({run.started for run in found}) == 1
    assert [run.name for run in found if run.name != "popular"] == ["c", "d", "a", "b"]


def test_no_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        list_runs(tmp_path / "nowhere")
    assert list_runs(tmp_path) == []


def test_a_folder_that_takes_no_head_stops_no_run(
    plan: RunPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import mystery_shopper.engine.store as store

    real = store.write_whole

    def full(path: Path, data: bytes) -> None:
        if path.name == "head.json":
            raise InputError("cannot be written", where=str(path), remedy="")
        real(path, data)

    monkeypatch.setattr(store, "write_whole", full)
    folder = RunFolder(tmp_path / "run")
    assert sweep(plan, folder) == 18
    assert read_head(folder.path) is None


def test_a_plan_tells_its_suite_and_one_of_old_is_of_the_first(played: RunFolder) -> None:
    (run,) = list_runs(played.path)
    assert run.plan is not None
    assert run.plan.suite == "tau_rec"
    assert (
        msgspec.convert(
            {
                "agent": "a",
                "task_set": "t",
                "conditions": [],
                "user": "u",
                "tasks": [],
                "trials": 1,
            },
            type(run.plan),
        ).suite
        == "tau_rec"
    )
