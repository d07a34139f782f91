"""The index over a run's files: what it holds, how it follows them, what it costs."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import msgspec
import pytest

from mystery_shopper.dialogue import AgentSaid, Ended, Ending, Transcript, UserSaid
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import encode_trial
from mystery_shopper.foundation import InputError
from mystery_shopper.report.browse import entry
from mystery_shopper.report.rows import read_run
from mystery_shopper.report.viewing.index import Changed, RunIndex

from ..factory import make_folder, make_plan, make_task_set, make_trial, make_trials

TASKS = make_task_set(12)
ALL = 10**9


def indexed(folder: RunFolder, budget: int = ALL) -> RunIndex:
    index = RunIndex(folder)
    while not index.refresh(budget):
        pass
    return index


def test_the_list_says_what_the_page_of_the_report_says(tmp_path: Path) -> None:
    plan = make_plan(TASKS, trials=2)
    trials = make_trials(TASKS, plan, faults=0.2)
    index = indexed(make_folder(tmp_path / "run", plan, trials))
    rows = {row.key: row for row in read_run("run", plan, trials).rows}
    assert index.count == len(trials) == 72
    for number, trial in enumerate(trials):
        assert index.entry(number) == entry(trial, rows[trial.key], 0)
        assert index.find(trial.key) == number
        assert index.read(number) == (trial, None)
    assert {index.entry(n).outcome for n in range(72)} == {"failure", "excluded", "success"}
    assert [index.find(key) for key in ("nobody#0", "f001-mixed", "f001-mixed#x", "")] == [None] * 4


def test_a_small_budget_gives_the_same_index(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    folder = make_folder(tmp_path / "run", plan, make_trials(TASKS, plan))
    whole, slow = indexed(folder), RunIndex(folder)
    looks = 1
    while not slow.refresh(5_000):
        looks += 1
    assert looks > 5
    assert (slow.rows == whole.rows).all()


def test_a_lasting_run_is_followed_through_its_journal_and_its_settling(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = make_trials(TASKS, plan)
    folder = make_folder(tmp_path / "run", plan, [])
    index = indexed(folder)
    assert index.count == 0
    for number, trial in enumerate(reversed(trials)):
        folder.journal(trial, Timing(trial.key, (number * 1.0,)))
        if number % 5 == 0:
            assert index.refresh(ALL)
            assert index.count == number + 1
    index.refresh(ALL)
    before = index.generation
    assert index.entry(0).key == trials[-1].key
    assert index.read(0)[1] == Timing(trials[-1].key, (0.0,))
    folder.settle(plan)
    with pytest.raises(Changed):
        index.read(3)
    assert index.refresh(ALL)
    assert index.generation == before + 1
    assert [index.entry(n).key for n in range(index.count)] == [trial.key for trial in trials]
    place = index.find(trials[-2].key)
    assert place == len(trials) - 2
    assert index.read(place) == (trials[-2], Timing(trials[-2].key, (1.0,)))


def test_of_two_trials_with_one_key_the_first_counts(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    first, *_ = trials = make_trials(TASKS, plan)
    folder = make_folder(tmp_path / "run", plan, trials)
    folder.journal(msgspec.structs.replace(first, attempts=9), Timing(first.key, ()))
    folder.append([msgspec.structs.replace(first, attempts=8)], [])
    index = indexed(folder)
    assert index.count == len(trials)
    assert index.read(0)[0].attempts == 1


def test_a_timing_that_comes_before_its_trial_is_found(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = make_trials(TASKS, plan)[:2]
    folder = make_folder(tmp_path / "run", plan, [])
    line = msgspec.json.encode(Timing(trials[1].key, (2.5,))) + b"\n"
    folder.timings_file.write_bytes(b"no json\n" + line + b'{"trial":"x"}\n')
    index = indexed(folder)
    folder.append(trials, [])
    index.refresh(ALL)
    assert [index.read(n)[1] for n in range(2)] == [None, Timing(trials[1].key, (2.5,))]


def test_lines_that_are_no_trials_are_counted_and_a_torn_one_waits(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = make_trials(TASKS, plan)[:3]
    folder = make_folder(tmp_path / "run", plan, trials[:1])
    line = encode_trial(trials[1])
    huge = line.replace(b'"number":0', b'"number":99999999999')
    assert huge != line
    with folder.trials_file.open("ab") as file:
        file.write(b"\xff\n{}\n" + huge + b"\n" + line[:50])
    index = indexed(folder)
    assert (index.count, index.strange) == (1, 3)
    with folder.trials_file.open("ab") as file:
        file.write(line[50:] + b"\n")
    index.refresh(ALL)
    assert (index.count, index.strange) == (2, 3)
    assert index.read(1)[0] == trials[1]


def test_a_line_that_only_its_head_can_be_read_of_is_refused_when_opened(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    [trial] = make_trials(TASKS, plan)[:1]
    folder = make_folder(tmp_path / "run", plan, [])
    folder.trials_file.write_bytes(encode_trial(trial)[:-1] + b',"more":1}\n')
    index = indexed(folder)
    assert index.count == 1
    with pytest.raises(InputError, match="cannot be read"):
        index.read(0)


def test_memory_does_not_grow_with_what_was_said(tmp_path: Path) -> None:
    plan = make_plan(TASKS, trials=4)
    words = Transcript((UserSaid("Hi."), AgentSaid("x" * 200_000), Ended(Ending.TURN_CAP)))
    folder = make_folder(tmp_path / "run", plan, [])
    for planned in plan.planned():
        task = TASKS.by_id[planned.task]
        folder.append([make_trial(task, plan, planned.number, transcript=words)], [])
    size = folder.trials_file.stat().st_size
    assert size > 28_000_000
    index = RunIndex(folder)
    tracemalloc.start()
    try:
        index.refresh(ALL)
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert index.count == plan.count == 144
    assert held < 100_000
    assert peak < 2_500_000
