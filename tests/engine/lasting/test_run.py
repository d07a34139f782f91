"""One truth for two engines: the lasting engine writes what the sweep writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.engine import RunFolder, sweep
from mystery_shopper.engine.casting import cast

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.log import list_eval_logs, read_eval_log

from mystery_shopper.engine.lasting.run import Bounds, run_lasting
from mystery_shopper.engine.lasting.scorers import TRIAL
from mystery_shopper.engine.lasting.stage import TrialCast

from ..helpers import plan_of, write_tasks


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("lasting"))


def shipped(name: str) -> Any:
    return lambda *_: TrialCast(cast(name))


def test_inspects_log_holds_every_trial_once(task_file: str, tmp_path: Path) -> None:
    """That all agents' trials are the same by both engines stands in test_one_truth."""
    agent = "eliminating"
    plan = plan_of(task_file, agent=agent, trials=2)
    swept, lasted = RunFolder(tmp_path / "swept"), RunFolder(tmp_path / "lasted")
    sweep(plan, swept)
    bounds = Bounds(max_samples=4)
    assert run_lasting(plan, lasted, shipped(agent), bounds=bounds) == plan.count
    assert lasted.trials_file.read_bytes() == swept.trials_file.read_bytes()
    assert run_lasting(plan, lasted, shipped(agent)) == 0
    [log] = [read_eval_log(info) for info in list_eval_logs(str(lasted.path / "logs"))]
    assert log.status == "success"
    assert {sample.id for sample in log.samples or []} == {p.key for p in plan.planned()}
    by_key = {sample.id: sample.metadata[TRIAL] for sample in log.samples or []}
    read_back = [by_key[planned.key] for planned in plan.planned()]
    assert read_back == swept.trials_file.read_text(encoding="utf-8").splitlines()
