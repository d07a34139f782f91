"""Success by cell, against counts by brute force."""

from __future__ import annotations

from itertools import combinations
from statistics import fmean

import pytest

from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError, derive_seed
from mystery_shopper.report.cells import ALL, Answers, Cell, cells, count
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.statistics import cluster_bootstrap

from .factory import faulty, make_plan, make_score, make_task_set, make_trial, make_trials

RESAMPLES = 400
TASKS = make_task_set(30)
PLAN = make_plan(TASKS, trials=3)
TRIALS = make_trials(TASKS, PLAN, faults=0.1)[:-4]
RUN = read_run("run", PLAN, TRIALS, task_set=TASKS)
CELLS = cells(RUN, resamples=RESAMPLES)


def pass_by_hand(trials: list[Trial], k: int) -> list[float]:
    """The share of k-subsets of valid trials that all succeed, for each task that has one."""
    by_task: dict[str, list[bool]] = {}
    for trial in trials:
        if trial.score.success is not None:
            by_task.setdefault(trial.task, []).append(trial.score.success)
    return [
        fmean(all(subset) for subset in combinations(outcomes, k))
        for outcomes in by_task.values()
        if len(outcomes) >= k
    ]


def belongs(trial: Trial, cell: Cell) -> bool:
    return (
        cell.condition in (ALL, trial.condition)
        and (
            cell.answers is Answers.ALL
            or trial.satisfiable is (cell.answers is Answers.SATISFIABLE)
        )
        and cell.tier in (ALL, trial.tier)
        and cell.template in (ALL, " + ".join(trial.template))
    )


@pytest.mark.parametrize("cell", [*CELLS.by_answers, *CELLS.by_tier, *CELLS.by_template])
def test_passes_are_those_counted_by_hand(cell: Cell) -> None:
    mine = [trial for trial in TRIALS if belongs(trial, cell)]
    assert len(cell.passes) == PLAN.trials
    for k, found in enumerate(cell.passes, 1):
        expected = pass_by_hand(mine, k)
        assert found.tasks == len(expected)
        assert found.value == (pytest.approx(fmean(expected)) if expected else None)
        assert (
            found.low is None
            or found.value is None
            or found.low <= found.value <= (found.high or 0)
        )
    valid = [trial for trial in mine if trial.score.success is not None]
    assert (cell.counts.valid, cell.counts.excluded) == (len(valid), len(mine) - len(valid))
    assert cell.counts.not_understood == pytest.approx(fmean(t.score.not_understood for t in valid))


def test_planned_counts_hold_the_trials_that_were_never_played() -> None:
    whole = count(RUN, RUN.tasks)
    assert (whole.planned, whole.unplayed) == (PLAN.count, 4)
    cell = CELLS.at(ALL, Answers.ALL)
    assert cell is not None
    assert cell.counts == whole


def test_there_is_a_cell_for_every_condition_tier_and_template() -> None:
    assert len(CELLS.by_answers) == 4 * 3
    assert [cell.tier for cell in CELLS.by_tier[::4]] == ["simple", "medium", "complex"]
    assert len({cell.template for cell in CELLS.by_template}) == 3


def test_the_interval_is_the_bootstrap_over_families() -> None:
    cell = CELLS.at("hidden")
    assert cell is not None
    tasks = [t for t in RUN.tasks if t.request and t.request.satisfiable]
    values = [
        fmean(r.success for r in RUN.by_task[t.id] if r.valid) if t.condition == "hidden" else None
        for t in tasks
    ]
    families = [task.family for task in tasks]
    seed = derive_seed(PLAN.seed, "report", "answers satisfiable")
    expected = cluster_bootstrap(values, families, seed=seed, resamples=RESAMPLES)
    assert cell.passes[0].value == pytest.approx(expected.estimate)
    assert (cell.passes[0].low, cell.passes[0].high) == pytest.approx((expected.low, expected.high))


def test_success_within_rejections_is_that_counted_by_hand() -> None:
    assert CELLS.within is not None
    for r, found in enumerate(CELLS.within.estimates):
        by_task: dict[str, list[bool]] = {}
        for trial in TRIALS:
            if (
                trial.condition == "hidden"
                and trial.satisfiable
                and trial.score.success is not None
            ):
                kept = trial.score.success and trial.score.rejections <= r
                by_task.setdefault(trial.task, []).append(kept)
        assert found.value == pytest.approx(fmean(map(fmean, by_task.values())))
    assert len(CELLS.within.estimates) == 11
    hidden = CELLS.at("hidden")
    assert hidden is not None
    assert CELLS.within.estimates[-1].value == hidden.passes[0].value


def run_of(families: int, trials: list[Trial] | None = None, **changes: object) -> Run:
    tasks = make_task_set(families)
    return read_run("run", make_plan(tasks, **changes), trials or [], task_set=tasks)


def test_a_run_without_trials_has_no_figures_and_divides_by_nothing() -> None:
    for cell in cells(run_of(10), resamples=10).by_answers:
        assert cell.counts.valid == 0
        assert cell.counts.not_understood is None
        assert [(e.value, e.low, e.tasks) for e in cell.passes] == [(None, None, 0)]


def test_a_run_of_excluded_trials_has_no_figures() -> None:
    tasks = make_task_set(3)
    plan = make_plan(tasks)
    trials = [faulty(task, plan) for task in tasks.by_id.values()]
    cell = cells(read_run("run", plan, trials), resamples=10).at(ALL, Answers.ALL)
    assert cell is not None
    assert (cell.counts.excluded, cell.counts.valid, cell.passes[0].value) == (9, 0, None)


def test_one_survivor_does_not_make_a_perfect_score_look_sure() -> None:
    tasks = make_task_set(3)
    plan = make_plan(tasks, trials=2)
    task = tasks.by_id["f000-hidden"]
    trials = [make_trial(task, plan, 0), faulty(task, plan, 1)]
    cell = cells(read_run("run", plan, trials, task_set=tasks), resamples=10).at("hidden")
    assert cell is not None
    assert (cell.passes[0].value, cell.passes[0].low, cell.passes[0].tasks) == (1.0, None, 1)
    assert cell.passes[1].value is None
    assert (cell.counts.planned, cell.counts.valid, cell.counts.excluded) == (6, 1, 1)


def test_families_of_which_nothing_is_known_count_under_all_only() -> None:
    tasks = make_task_set(4)
    plan = make_plan(tasks)
    found = cells(
        read_run("run", plan, [make_trial(tasks.by_id["f001-mixed"], plan)]), resamples=10
    )
    whole, part = found.at(ALL, Answers.ALL), found.at(ALL)
    assert whole is not None
    assert part is not None
    assert (whole.counts.planned, part.counts.planned) == (12, 3)


def test_a_run_of_one_condition_has_no_row_for_all() -> None:
    tasks = make_task_set(5)
    only = tuple(task for task in tasks.by_id if task.endswith("mixed"))
    plan = make_plan(tasks, tasks=only, conditions=("mixed",))
    found = cells(read_run("run", plan, make_trials(tasks, plan), task_set=tasks), resamples=10)
    assert {cell.condition for cell in found.by_answers} == {"mixed"}
    assert found.within is None


def test_trials_in_another_order_give_the_same_run() -> None:
    assert read_run("run", PLAN, reversed(TRIALS), task_set=TASKS).rows == RUN.rows


def test_a_trial_that_was_not_planned_is_refused() -> None:
    trial = make_trial(TASKS.by_id["f000-mixed"], PLAN, 9)
    with pytest.raises(InputError, match="not planned"):
        read_run("run", PLAN, [trial])


def test_another_agents_trial_is_refused() -> None:
    trial = make_trial(TASKS.by_id["f000-mixed"], PLAN, agent="stranger", score=make_score())
    with pytest.raises(InputError, match="stranger"):
        read_run("run", PLAN, [trial])


def test_a_task_set_of_another_content_is_left_aside() -> None:
    assert read_run("run", PLAN, TRIALS, task_set=make_task_set(29)).task_set is None
