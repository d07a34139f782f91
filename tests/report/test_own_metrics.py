"""A person's own metrics: how they are found, what becomes of each answer, and their table."""

from __future__ import annotations

import math
import statistics
import weakref
from decimal import Decimal
from fractions import Fraction
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from mystery_shopper.engine import Trial
from mystery_shopper.foundation import InputError
from mystery_shopper.report import load_metrics, ownmetrics, write_report
from mystery_shopper.report.metrictable import averages, metric_lines, metric_tables
from mystery_shopper.report.ownmetrics import OwnMetrics, Readings
from mystery_shopper.report.page import read_folders
from mystery_shopper.report.summary import summarise
from mystery_shopper.statistics import cluster_bootstrap
from mystery_shopper.suites.tau_rec.task import Task

from .factory import faulty, make_folder, make_plan, make_task_set, make_trials

TASKS = make_task_set(10)
SETS = {TASKS.name: TASKS}


class Turns:
    """Gives each trial's turns, by way of the task as well."""

    name = "turns by requirement"

    def measure(self, trial: Trial, task: Task) -> float | None:
        assert task.id == trial.task
        assert len(trial.transcript.events) > 1
        return trial.score.questions / len(task.requirements)


class Given:
    """Gives what it is made with, trial by trial in the plan's order."""

    name = "given"

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)

    def measure(self, trial: Trial, task: Task) -> Any:
        del trial, task
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


class Unspeakable(Exception):
    """Cannot even be told."""

    def __str__(self) -> str:
        raise RuntimeError


def measured(tmp_path: Path, *metrics: Any, faults: float = 0.0, trials: int = 2) -> Any:
    """(summary, own) of a run measured."""
    plan = make_plan(TASKS, trials=trials)
    folder = make_folder(tmp_path / "run", plan, make_trials(TASKS, plan, 3, faults=faults))
    own = OwnMetrics(metrics)
    runs = read_folders([folder], task_sets=SETS, metrics=own)
    return summarise(runs, resamples=200), own


def test_averages_by_condition_with_intervals_over_families(tmp_path: Path) -> None:
    summary, own = measured(tmp_path, Turns(), faults=0.15)
    run = summary.runs[0].run
    readings = own.found["run", Turns.name]
    found = {one.condition: one for one in averages(run, Turns.name, readings)}
    assert list(found) == ["volunteer", "mixed", "hidden", "all"]
    for condition, average in found.items():
        tasks = [task for task in run.tasks if condition in ("all", task.condition)]
        means, families = [], []
        for task in tasks:
            rows = [row for row in run.by_task.get(task.id, ()) if row.valid]
            size = len(TASKS.by_id[task.id].requirements)
            if rows:
                means.append(statistics.fmean(row.score.questions / size for row in rows))
                families.append(task.family)
        assert average.found.mean.estimate == pytest.approx(statistics.fmean(means))
        assert average.found.mean.low < average.found.mean.estimate < average.found.mean.high
        spread = cluster_bootstrap(means, families, seed=1)
        assert average.found.mean.low == pytest.approx(spread.low, abs=0.05)
        assert average.found.mean.scored == len(means)
        assert (average.found.unscored, average.found.failed) == (0, 0)
        counts = average.counts
        assert counts.planned == 2 * len(tasks)
        assert counts.planned == counts.valid + counts.excluded
    assert found["all"].counts.excluded > 0
    assert len(readings.values) == found["all"].counts.valid


def test_an_excluded_trial_is_not_measured(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = [faulty(task, plan) for task in TASKS.by_id.values()]
    folder = make_folder(tmp_path / "run", plan, trials)
    own = OwnMetrics([Given(ValueError("never called"))])
    runs = read_folders([folder], task_sets=SETS, metrics=own)
    assert own.found["run", "given"] == Readings()
    (table,) = metric_tables(summarise(runs, resamples=50).groups[0], own)
    for row in table.rows:
        assert row[3:8] == ("–", "–", "0", "0", "0")
        assert row[9] == "0"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (ValueError("no such turn"), "ValueError: no such turn"),
        (KeyError("x"), "KeyError: 'x'"),
        (SystemExit(3), "wanted to end the program"),
        (Unspeakable(), "Unspeakable: <Unspeakable>"),
        (math.nan, "gave nan"),
        (-math.inf, "gave -inf"),
        (np.float64("nan"), "gave nan"),
        ("0.5", "gave str, not a number"),
        (Decimal("0.5"), "gave Decimal, not a number"),
        (1 + 2j, "gave complex, not a number"),
        ([1.0], "gave list, not a number"),
        (1e200, "gave 1e+200, which is beyond 1e+100"),
        (10**400, "OverflowError"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_no_score_is_a_failure_record(tmp_path: Path, answer: Any, told: str) -> None:
    summary, own = measured(tmp_path, Given(0.25, answer, None, 0.75), trials=1)
    readings = own.found["run", "given"]
    assert readings.failed == {"f000-mixed#0"}
    assert readings.first.startswith(f"f000-mixed#0: {told}")
    assert "f000-mixed#0" not in readings.values
    assert (readings.values["f000-volunteer#0"], readings.values["f000-hidden#0"]) == (0.25, None)
    (table,) = metric_tables(summary.groups[0], own)
    rows = {row[2]: row for row in table.rows}
    mixed = [0.75] * 9
    assert rows["mixed"][3:8] == (f"{statistics.fmean(mixed):.3f}", "[0.750, 0.750]", "9", "0", "1")
    assert rows["hidden"][5:8] == ("9", "1", "0")
    assert rows["all"][5:8] == ("28", "1", "1")
    assert rows["all"][8:11] == ("30", "30", "0")
    assert f"First failures: given of popularity on f000-mixed#0: {told}" in table.note
    lines = metric_lines(summary, own)
    assert lines[0].startswith("popularity · given: volunteer 0.700, mixed 0.750")
    assert lines[1].startswith(f"  failed on 1 trial, first on f000-mixed#0: {told}")


@pytest.mark.parametrize("answer", [True, 1, np.float32(1), np.int64(1), Fraction(1, 1)], ids=repr)
def test_every_real_number_is_a_score(tmp_path: Path, answer: Any) -> None:
    summary, own = measured(tmp_path, Given(answer), trials=1)
    (table,) = metric_tables(summary.groups[0], own)
    assert {row[3] for row in table.rows} == {"1.000"}


def test_an_asynchronous_measure_fails_and_is_not_left_waiting(tmp_path: Path) -> None:
    class Later:
        name = "later"

        async def measure(self, trial: Trial, task: Task) -> float:
            del trial, task
            return 1.0

    _, own = measured(tmp_path, Later(), trials=1)
    readings = own.found["run", "later"]
    assert (len(readings.failed), readings.values) == (30, {})
    assert "asynchronous" in readings.first


def test_a_metric_of_nothing_divides_by_nothing(tmp_path: Path) -> None:
    summary, own = measured(tmp_path, Given(None), trials=1)
    (table,) = metric_tables(summary.groups[0], own)
    assert {row[3:8] for row in table.rows if row[2] != "all"} == {("–", "–", "0", "10", "0")}
    plan = make_plan(TASKS)
    empty = make_folder(tmp_path / "empty", plan, [])
    bare = OwnMetrics([Turns()])
    runs = read_folders([empty], task_sets=SETS, metrics=bare)
    (table,) = metric_tables(summarise(runs, resamples=50).groups[0], bare)
    assert {row[3:8] for row in table.rows} == {("–", "–", "0", "0", "0")}


def test_one_family_has_no_interval_and_small_numbers_are_told(tmp_path: Path) -> None:
    tasks = make_task_set(1)
    plan = make_plan(tasks)
    folder = make_folder(tmp_path / "run", plan, make_trials(tasks, plan))
    own = OwnMetrics([Given(0.000012345)])
    runs = read_folders([folder], task_sets={tasks.name: tasks}, metrics=own)
    (table,) = metric_tables(summarise(runs, resamples=50).groups[0], own)
    assert {row[3:5] for row in table.rows} == {("1.23e-05", "–")}


def test_no_trial_is_held(tmp_path: Path) -> None:
    """When a trial is measured, those before the last are gone."""
    alive: list[weakref.ref[Any]] = []
    most: list[int] = []

    class Watching:
        name = "watching"

        def measure(self, trial: Trial, task: Task) -> float:
            del task
            most.append(sum(one() is not None for one in alive))
            alive.append(weakref.ref(_Tag.of(trial)))
            return 1.0

    class _Tag:
        """Lives as long as the trial's transcript, which bears no weak reference itself."""

        def __init__(self) -> None:
            self.trial: Any = None

        @classmethod
        def of(cls, trial: Trial) -> _Tag:
            tag = cls()
            event: Any = next(e for e in trial.transcript.events if hasattr(e, "arguments"))
            event.arguments["tag"] = tag
            return tag

    measured(tmp_path, Watching(), trials=1)
    assert len(most) == 30
    assert max(most) <= 2


def test_the_tasks_must_be_there(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    folder = make_folder(tmp_path / "run", plan, make_trials(TASKS, plan))
    for sets in ({}, {TASKS.name: make_task_set(11)}):
        with pytest.raises(InputError, match=r"the tasks of the run run .* cannot be read"):
            read_folders([folder], task_sets=sets, metrics=OwnMetrics([Turns()]))
    read_folders([folder], task_sets={}, metrics=OwnMetrics([]))


def test_the_page_has_the_table_and_escapes_what_a_metric_says(tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    folder = make_folder(tmp_path / "run", plan, make_trials(TASKS, plan))
    evil = Given(ValueError("<script>alert(1)</script>"))
    evil.name = "<b>evil</b>"
    own = OwnMetrics([Turns(), evil])
    write_report([folder], tmp_path / "with.html", task_sets=SETS, metrics=own)
    page = (tmp_path / "with.html").read_text(encoding="utf-8")
    assert "<h3>Own metrics</h3>" in page
    assert "turns by requirement" in page
    assert "<script>alert(1)" not in page
    assert "<b>evil" not in page
    group = summarise(read_folders([folder]), resamples=50).groups[0]
    assert metric_tables(group, None) == metric_tables(group, OwnMetrics([])) == []


# --- how a metric is found ----------------------------------------------------------------------

MODULE = """
class Good:
    name = "good"
    def measure(self, trial, task): return 1.0

class Same(Good): pass
class Nameless:
    def measure(self, trial, task): return 1.0
class Blank(Good): name = " "
class Mute: name = "mute"
class Narrow:
    name = "narrow"
    def measure(self, trial): return 1.0
class Picky(Good):
    def __init__(self, size): pass
number = 3
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "shop_metrics_made_up.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return "shop_metrics_made_up"


def test_a_class_of_a_module_in_the_current_folder(module: str) -> None:
    own = load_metrics([f"{module}:Good"])
    assert [metric.name for metric in own.metrics] == ["good"]
    assert load_metrics([]).metrics == []


def test_everything_wrong_is_said_at_once(module: str) -> None:
    names = ["Nameless", "Blank", "Mute", "Narrow", "Picky", "number", "absent", "Good", "Same"]
    with pytest.raises(InputError) as told:
        load_metrics([*(f"{module}:{name}" for name in names), "not_installed", "no_such:Thing"])
    problems = dict(zip([*names[:7], "other", "thing", "same"], told.value.problems, strict=True))
    assert "has no name" in problems["Nameless"]
    assert "has no name" in problems["Blank"]
    assert "no method `measure` that takes a trial and a task" in problems["Mute"]
    assert "no method `measure` that takes a trial and a task" in problems["Narrow"]
    assert "cannot be made (TypeError" in problems["Picky"]
    assert "cannot be called" in problems["number"]
    assert "has no attribute 'absent'" in problems["absent"]
    assert problems["other"] == "no metric 'not_installed' is installed (there: none)"
    assert "No module named 'no_such'" in problems["thing"]
    assert problems["same"] == "2 metrics are named 'good'"
    assert "docs/metrics.md" in str(told.value)


def test_an_installed_metric_by_its_entry_point(
    module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = ownmetrics.GROUP
    assert group == "mystery_shopper.metrics"
    points = [
        EntryPoint("shopworn", f"{module}:Good", group),
        EntryPoint("broken", f"{module}:absent", group),
    ]
    asked = SimpleNamespace(groups=[])

    def entry_points(*, group: str) -> list[EntryPoint]:
        asked.groups.append(group)
        return points

    monkeypatch.setattr(ownmetrics, "entry_points", entry_points)
    assert [metric.name for metric in load_metrics(["shopworn"]).metrics] == ["good"]
    assert asked.groups == [group]
    with pytest.raises(InputError, match="broken cannot be loaded"):
        load_metrics(["broken"])
    with pytest.raises(InputError, match=r"there: broken, shopworn"):
        load_metrics(["other"])
