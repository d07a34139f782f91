"""The journal: whatever the order in which trials end, and wherever a crash falls, the run folder
ends as if the trials had been played in order."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.engine import RunFolder, RunPlan, sweep
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.trial import Trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.foundation import InputError

from .helpers import plan_of, write_tasks


@pytest.fixture(scope="module")
def plan(tmp_path_factory: pytest.TempPathFactory) -> RunPlan:
    return plan_of(write_tasks(tmp_path_factory.mktemp("journal")), trials=2)


@pytest.fixture(scope="module")
def swept(plan: RunPlan, tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    folder = RunFolder(tmp_path_factory.mktemp("swept") / "run")
    sweep(plan, folder)
    return folder


def journaled(folder: RunFolder, trials: list[Trial]) -> None:
    for trial in trials:
        folder.journal(trial, Timing(trial.key, (0.5,), {"agent": Usage(1, 10, 0, 5, None)}))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), first=st.integers(0, 17))
def test_any_order_settles_to_the_sweeps_bytes(
    seed: int, first: int, plan: RunPlan, swept: RunFolder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    trials = list(swept.trials())
    folder = RunFolder(tmp_path_factory.mktemp("run") / "r")
    folder.begin(plan)
    folder.append(trials[:first], [Timing(trial.key, (1.0,)) for trial in trials[:first]])
    rest = trials[first:]
    random.Random(seed).shuffle(rest)
    journaled(folder, rest)
    folder.settle(plan)
    assert folder.trials_file.read_bytes() == swept.trials_file.read_bytes()
    assert [timing.trial for timing in folder.timings()] == [trial.key for trial in trials]
    assert not folder.journal_file.exists()
    costs = {timing.trial: timing.usage for timing in folder.timings()}
    assert all(costs[trial.key]["agent"].output == 5 for trial in rest)


def test_an_incomplete_run_keeps_its_journal(
    plan: RunPlan, swept: RunFolder, tmp_path: Path
) -> None:
    trials = list(swept.trials())
    folder = RunFolder(tmp_path / "run")
    folder.begin(plan)
    journaled(folder, trials[:0:-1])
    folder.settle(plan)
    assert folder.journal_file.exists()
    assert {trial.key for trial in folder.trials()} == {trial.key for trial in trials[1:]}
    assert folder.begin(plan) == {trial.key for trial in trials[1:]}


def test_a_torn_line_is_cut_and_a_crash_while_settling_loses_nothing(
    plan: RunPlan, swept: RunFolder, tmp_path: Path
) -> None:
    trials = list(swept.trials())
    folder = RunFolder(tmp_path / "run")
    folder.begin(plan)
    journaled(folder, trials)
    whole = folder.journal_file.read_bytes()
    folder.journal_file.write_bytes(whole[:-20])
    assert len(folder.begin(plan)) == len(trials) - 1
    journaled(folder, trials[-1:])
    kept = folder.journal_file.read_bytes()
    folder.settle(plan)
    folder.journal_file.write_bytes(kept)  # As if the process died before the journal was dropped.
    assert len(folder.begin(plan)) == len(trials)
    assert len(list(folder.trials())) == len(trials)
    folder.settle(plan)
    assert folder.trials_file.read_bytes() == swept.trials_file.read_bytes()


def test_a_broken_line_in_the_middle_is_named(
    plan: RunPlan, swept: RunFolder, tmp_path: Path
) -> None:
    folder = RunFolder(tmp_path / "run")
    folder.begin(plan)
    journaled(folder, list(swept.trials())[:2])
    text = folder.journal_file.read_bytes()
    folder.journal_file.write_bytes(b"{}\n" + text)
    with pytest.raises(InputError, match="line 1: not a trial record"):
        list(folder.trials())


def test_usage_adds_up_and_an_unknown_price_stays_unknown() -> None:
    one = Usage(1, 10, 2, 3, 0.5)
    assert one.plus(one) == Usage(2, 20, 4, 6, 1.0)
    assert one.plus(Usage(1, 1, 1, 1, None)).cost is None
