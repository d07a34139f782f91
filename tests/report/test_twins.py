"""The gap between a run and its twin."""

from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder, Wishes, load_tasks, make_plan, sweep
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.twin import twin_folder, twin_plan
from mystery_shopper.foundation import InputError
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.report.twins import Twins, gaps, lines

SEED = 7


MEMORY = """
from mystery_shopper.dialogue import CallTools, ToolCall
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.reference.catalogued import oracle_item
from mystery_shopper.suites.tau_rec.shelf import Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.taskfile import shipped_task_set

shelf = Shelf(load_films())
known = {
    set_stage(task, shelf, Setting()).open()[0].text: oracle_item(task, shelf)
    for task in shipped_task_set("tau_rec/films@1").by_id.values()
    if task.condition == "volunteer"
}


class Memory:
    def act(self, view):
        item = known.get(view.messages[0].text)
        if item is not None and len(view.messages) == 1:
            return CallTools((ToolCall("check_formats", {"item_id": item}),))
        return CallTools((ToolCall("recommend", {"item_id": item}),))
"""
"""It has learnt the published volunteer requests by heart, and can do nothing else."""


def played(plan: RunPlan, out: Path) -> Run:
    folder = RunFolder(out)
    sweep(plan, folder, workers=1)
    tasks = load_tasks(plan.task_set)
    return read_run(out.name, folder.plan(), folder.trials(), task_set=tasks)


def twins(agent: str, tmp_path: Path, *conditions: str) -> Twins:
    plan = make_plan(Wishes(agent=agent, block="panel", conditions=conditions))
    out = tmp_path / "run"
    twin = twin_plan(plan, SEED, out)
    return gaps(played(plan, out), played(twin, twin_folder(out, SEED)), seed=SEED)


def test_an_agent_that_works_its_answers_out_shows_no_gap(tmp_path: Path) -> None:
    found = twins("eliminating", tmp_path, "volunteer", "mixed")
    assert [(one.condition, one.own, one.fresh, one.gap) for one in found.gaps] == [
        ("volunteer", 1.0, 1.0, 0.0),
        ("mixed", 1.0, 1.0, 0.0),
        ("all", 1.0, 1.0, 0.0),
    ]
    assert not found.shown
    assert "No gap" in list(lines(found, "eliminating"))[-1]


def test_an_agent_that_has_memorised_the_panel_shows_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "learnt_by_heart.py").write_text(MEMORY, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    found = twins("learnt_by_heart:Memory", tmp_path, "volunteer")
    (gap,) = found.gaps
    assert gap.own == 1.0
    assert gap.fresh is not None
    assert gap.fresh <= 0.2  # What nothing fits is abstained on, and nothing else is known.
    assert gap.gap == pytest.approx(gap.own - gap.fresh)
    assert gap.low is not None
    assert gap.low > 0.6
    assert found.shown
    told = list(lines(found, "learnt"))
    assert "it may know them" in told[-1]
    assert all(len(line) <= 80 for line in told)


def test_the_twin_is_the_same_recipe_on_other_families(tmp_path: Path) -> None:
    plan = make_plan(Wishes(agent="null", block="panel", trials=2, seed=3))
    twin = twin_plan(plan, SEED, tmp_path / "run")
    assert twin == twin_plan(plan, SEED, tmp_path / "run")  # The file is there already.
    assert twin.task_set_digest != plan.task_set_digest
    assert (twin.count, twin.trials, twin.seed) == (plan.count, 2, 3)
    own, fresh = load_tasks(plan.task_set), load_tasks(twin.task_set)
    assert own.canary != fresh.canary
    assert [family.tier for family in fresh.families] == [f.tier for f in own.families]
    shared = {f.predicates for f in own.families} & {f.predicates for f in fresh.families}
    assert len(shared) < 20  # Of 150; among two predicates few are left to draw.


def test_families_that_both_ask_for_are_left_out(tmp_path: Path) -> None:
    plan = make_plan(Wishes(agent="oracle", block="reliability", trials=1, conditions=("mixed",)))
    run = played(plan, tmp_path / "run")
    found = gaps(run, run, seed=1)
    assert set(found.repeated) == run.families
    assert [(g.own_tasks, g.fresh_tasks, g.gap) for g in found.gaps] == [(18, 0, None)]
    assert list(lines(found, "oracle"))[-1] == "Too few families to tell."


def test_what_has_no_recipe_has_no_twin(tmp_path: Path) -> None:
    out = tmp_path / "run"
    single = make_plan(Wishes(agent="null", only=["f004-mixed"]))
    with pytest.raises(InputError, match="single tasks"):
        twin_plan(single, SEED, out)
    plan = make_plan(Wishes(agent="null"))
    with pytest.raises(InputError, match="came from the seed 1 themselves"):
        twin_plan(plan, 1, out)
    twin_folder(out, SEED).with_suffix(".tasks.json").write_bytes(b"{}")
    with pytest.raises(InputError, match="other tasks"):
        twin_plan(plan, SEED, out)
