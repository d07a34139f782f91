"""One truth for two engines: each reference agent's trials on sixty shipped tasks are the same
bytes through the sweep and through Inspect."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder, sweep
from mystery_shopper.engine.casting import cast
from mystery_shopper.engine.loading import load_tasks
from mystery_shopper.suites.tau_rec.reference import AGENTS

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.lasting.stage import TrialCast

from ..helpers import plan_of

TASK_SET = "tau_rec/films@1"
FAMILIES = 20


@cache
def sixty() -> tuple[str, ...]:
    """Twenty families from all over the set, of every tier, each under its three conditions."""
    tasks = load_tasks(TASK_SET)
    step = len(tasks.families) // FAMILIES
    chosen = tasks.families[::step][:FAMILIES]
    families = {family.id for family in chosen}
    names = tuple(name for name, task in tasks.by_id.items() if task.family.id in families)
    assert len(names) == 60
    assert {family.tier for family in chosen} == {family.tier for family in tasks.families}
    assert {family.satisfiable for family in chosen} == {True, False}
    return names


@pytest.mark.parametrize(
    ("agent", "interface"),
    [*((name, "structured") for name in AGENTS), ("oracle", "keyword"), ("popularity", "keyword")],
)
def test_both_engines_write_the_same(agent: str, interface: str, tmp_path: Path) -> None:
    plan = plan_of(TASK_SET, agent=agent, only=sixty(), interface=interface)
    assert plan.count == 60
    swept, lasted = RunFolder(tmp_path / "swept"), RunFolder(tmp_path / "lasted")
    sweep(plan, swept)
    factory = cast(agent)
    played = run_lasting(plan, lasted, lambda *_: TrialCast(factory), bounds=Bounds(max_samples=8))
    assert played == 60
    assert lasted.trials_file.read_bytes() == swept.trials_file.read_bytes()
    assert lasted.trials_file.read_bytes().count(b"\n") == 60
    assert {timing.trial for timing in lasted.timings()} == {
        timing.trial for timing in swept.timings()
    }
