"""The suite as an Inspect task: epochs are trials, and the log holds the same trials as a run."""

from __future__ import annotations

import importlib.metadata
import math
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.trial import decode_trial

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai import eval as inspect_eval

from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.registry import tau_rec
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks
from . import provider

assert provider


def test_the_entry_point_names_the_registry() -> None:
    [entry] = [
        entry
        for entry in importlib.metadata.entry_points(group="inspect_ai")
        if entry.name == "mystery_shopper"
    ]
    assert entry.value == tau_rec.__module__


def test_epochs_are_trials(tmp_path: Path) -> None:
    tasks = write_tasks(tmp_path)
    [log] = inspect_eval(
        tau_rec(condition="mixed,hidden", task_set=tasks),
        model="scripted/shopkeeper",
        epochs=2,
        display="none",
        log_dir=str(tmp_path / "logs"),
    )
    assert log.status == "success"
    logged = {
        trial.key: trial
        for sample in log.samples or []
        for trial in [decode_trial(sample.metadata["trial"])]
    }
    plan = plan_of(
        tasks, agent="model:scripted/shopkeeper", conditions=("mixed", "hidden"), trials=2
    )
    folder = RunFolder(tmp_path / "run")
    model = open_model(plan)
    run_lasting(plan, folder, casting_of(plan, model), model=model)
    ours = {trial.key: trial for trial in folder.trials()}
    assert logged.keys() == ours.keys()
    for key, trial in ours.items():
        assert logged[key].transcript == trial.transcript
        assert logged[key].score == trial.score
    assert log.results
    metrics = {name: metric.value for name, metric in log.results.scores[0].metrics.items()}
    wanted = [trial.score.success for trial in ours.values()]
    assert metrics["share"] == pytest.approx(sum(map(bool, wanted)) / len(wanted))
    assert math.isnan(metrics["volunteer"])
