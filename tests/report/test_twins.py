"""The gap between a run and its twin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import msgspec
import pytest

from mystery_shopper.dialogue import Ending
from mystery_shopper.engine import RunFolder, Wishes, load_tasks, make_plan, sweep
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.twin import twin_folder, twin_plan
from mystery_shopper.foundation import InputError
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.report.twins import Gap, Twins, asked_again, gaps, lines
from mystery_shopper.statistics.power import predicted_power
from mystery_shopper.suites.recbench.query import Kind, Part, Profile, Query, Style
from mystery_shopper.suites.recbench.queryfile import shipped_query_set
from mystery_shopper.suites.tau_rec.score import Failure

from .factory import make_plan as plan_of
from .factory import make_score, make_task_set, make_trial

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
    assert "No gap" in list(lines(found, "eliminating"))[-2]


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
    assert list(lines(found, "oracle"))[-1] == (
        "Too few families to tell: 6 on either side are needed."
    )


# --- how often it alarms ----------------------------------------------------


def synthetic(rates: Sequence[float], random: Random) -> Run:
    """Four trials of each task of a family, which succeed at its rate."""
    task_set = make_task_set(len(rates))
    plan = plan_of(task_set, trials=4)
    first = next(iter(task_set.by_id.values()))
    failed = make_score(success=False, failure=Failure.ASKED_NOTHING, ending=Ending.RECOMMENDED)
    seen = read_run(
        "run",
        plan,
        [make_trial(first, plan, n, score=s) for n, s in enumerate((failed, make_score()))],
        task_set=task_set,
    )
    lost, won = seen.rows
    by_family = dict(zip((family.id for family in task_set.families), rates, strict=True))
    rows = tuple(
        replace(
            won if random.random() < by_family[task.family.id] else lost,
            key=f"{name}#{number}",
            task=name,
        )
        for name, task in task_set.by_id.items()
        for number in range(4)
    )
    return Run("run", plan, seen.tasks, rows, None)


def drawn(seed: str, families: int, memorised: float = 0.0) -> Run:
    """Families of all difficulties, some of them known by heart."""
    random = Random(seed)
    rates = [
        1.0 if random.random() < memorised else random.betavariate(1, 2) for _ in range(families)
    ]
    return synthetic(rates, random)


@pytest.mark.parametrize("families", [3, 8, 51])
def test_equal_sets_show_a_gap_in_at_most_a_twentieth_of_cases(families: int) -> None:
    shown = sum(
        gaps(
            drawn(f"own {n}", families), drawn(f"fresh {n}", families), seed=n, resamples=400
        ).shown
        for n in range(40)
    )
    assert shown <= 2


def test_three_tenths_known_by_heart_are_found_at_the_power_that_is_told() -> None:
    """A success of 1/3 becomes one of 0.53: a gap of 0.2."""
    found = [
        gaps(drawn(f"own {n}", 51, 0.3), drawn(f"fresh {n}", 51), seed=n, resamples=400)
        for n in range(40)
    ]
    told = [one.gaps[-1].detectable or 0.0 for one in found]
    power = predicted_power(0.2, sum(told) / len(told) / 2.801585)
    assert power > 0.8
    assert sum(one.shown for one in found) / 40 == pytest.approx(power, abs=0.15)


def test_few_families_are_dealt_anew() -> None:
    best, worst = synthetic([1.0] * 6, Random(1)), synthetic([0.0] * 6, Random(1))
    last = gaps(best, worst, seed=1).gaps[-1]
    assert (last.gap, last.low, last.families) == (1.0, 1.0, 6)
    # Of the 924 ways to deal twelve families to two sides, two lie so far apart.
    assert last.p == pytest.approx(2 / 924, abs=0.0015)
    few = gaps(synthetic([1.0] * 5, Random(1)), synthetic([0.0] * 5, Random(1)), seed=1)
    assert (few.gaps[-1].low, few.gaps[-1].p, few.told, few.shown) == (1.0, None, False, False)
    assert "Too few families" in list(lines(few, "any"))[-1]


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


def test_repeats_of_requests_are_told_by_what_is_asked_for() -> None:
    """Of queries neither words nor who asks count, of profiles what is listed does."""
    parts = (Part("genre", "War"), Part("director", "A"))
    one = Query("q1", Kind.EXPLICIT, "u1", ("a",), ("a",), Style.DIRECT, "War?", parts)
    profile = Profile(3, ("a", "b"), "They liked it.")
    other = Query("q2", Kind.INTEREST, "u1", ("a",), ("a",), Style.DIRECT, "B?", profile=profile)
    change = msgspec.structs.replace
    fresh = (
        change(one, id="f1", user="u9", text="Any war?", parts=parts[::-1]),
        change(one, id="f2", kind=Kind.IMPLICIT),
        change(one, id="f3", parts=parts[:1]),
        change(other, id="f4", text="C?", profile=change(profile, users=9)),
        change(other, id="f5", profile=change(profile, listed=("a",))),
    )
    own, twin = (change(shipped_query_set(), queries=those) for those in ((one, other), fresh))
    assert asked_again(own, twin) == {"f1", "f4"}
    assert asked_again(own, None) == set()


def test_lines_of_requests_speak_of_queries_and_users() -> None:
    gap = Gap("demographics", 0.5, 0.4, 0.1, 0.05, 0.15, 9, 9, 7, None, 0.1)
    found = Twins((gap,), ("f1",), 3)
    told = list(lines(found, "graph", "recbench"))
    assert "queries" in told[0]
    assert told[2].startswith("demographics ")
    assert len({len(line.rstrip()) for line in told[1:3]}) == 1
    assert any("on the run's own queries" in line for line in told)
