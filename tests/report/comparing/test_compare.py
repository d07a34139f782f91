"""Two runs side by side: what is paired, what is found, and what is refused."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from scipy import stats

from mystery_shopper.dialogue import Ending
from mystery_shopper.engine.plan import ModelOptions, RunPlan
from mystery_shopper.foundation import InputError
from mystery_shopper.report.comparing import Comparison, compare, demand
from mystery_shopper.report.comparing.written import notes, verdicts
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.statistics.power import predicted_power
from mystery_shopper.suites.tau_rec.score import Failure
from mystery_shopper.suites.tau_rec.task import TaskSet

from ..factory import faulty, make_plan, make_score, make_task_set, make_trial

FAILED = make_score(success=False, failure=Failure.ASKED_NOTHING, ending=Ending.RECOMMENDED)
WON = make_score()


def run_of(
    successes: Mapping[str, Sequence[bool | None]],
    task_set: TaskSet,
    name: str = "base",
    **changes: Any,
) -> Run:
    """A run in which these tasks' trials went so; None is a trial that was lost."""
    trials = max(map(len, successes.values()))
    plan = make_plan(task_set, tasks=tuple(successes), trials=trials, **changes)
    made = [
        faulty(task_set.by_id[task], plan, number)
        if went is None
        else make_trial(task_set.by_id[task], plan, number, score=WON if went else FAILED)
        for task, rows in successes.items()
        for number, went in enumerate(rows)
    ]
    return read_run(name, plan, made, task_set=task_set)


SET = make_task_set(6)
TASKS = [name for name in SET.by_id if name.endswith("-mixed")]


def difference(found: Comparison, name: str) -> Any:
    return next(one for one in found.differences if str(one.measure) == name)


def test_tasks_are_paired_by_id_and_what_turned_over_is_named() -> None:
    before = {name: [True, True] for name in TASKS[:5]}
    after = {TASKS[0]: [True, True], TASKS[1]: [False, False], TASKS[2]: [True, False]}
    after |= {TASKS[3]: [None, True], TASKS[5]: [True, True]}
    found = compare(run_of(before, SET), run_of(after, SET, "candidate"))
    assert found.paired == 4
    assert found.only_base == (TASKS[4],)
    assert found.only_candidate == (TASKS[5],)
    all_ = difference(found, "success")
    assert (all_.base, all_.candidate) == (1.0, (1 + 0 + 0.5 + 1) / 4)
    assert all_.result.estimate == pytest.approx(-0.375)
    assert (all_.result.tasks, all_.result.clusters) == (4, 4)
    flipped = [(f.task, f.base, f.candidate, f.failure) for f in found.flips]
    assert flipped == [
        (TASKS[1], 1.0, 0.0, "asked_nothing"),
        (TASKS[2], 1.0, 0.5, "asked_nothing"),
    ]
    assert found.flips[1].trials == (f"{TASKS[2]}#0", f"{TASKS[2]}#1")
    assert found.candidate_counts.excluded == 1


def test_a_flip_back_is_won_and_stands_after_what_was_lost() -> None:
    before = {TASKS[0]: [False], TASKS[1]: [True]}
    after = {TASKS[0]: [True], TASKS[1]: [False]}
    found = compare(run_of(before, SET), run_of(after, SET, "candidate"))
    assert [(flip.task, flip.lost) for flip in found.flips] == [(TASKS[1], True), (TASKS[0], False)]
    assert difference(found, "success").result.estimate == 0.0


def test_equal_runs_differ_in_nothing() -> None:
    run = run_of({name: [True, False] for name in TASKS}, SET)
    found = compare(run, run, [demand("success < 0")])
    one = difference(found, "success")
    assert (one.result.estimate, one.result.low, one.result.high, one.result.p) == (0, 0, 0, 1)
    assert not found.failed
    assert not found.flips


@pytest.mark.parametrize(
    ("changes", "factor"),
    [
        ({}, ""),
        ({"agent": "other"}, "agent"),
        ({"model": ModelOptions(temperature=0.0)}, "agent"),
        ({"interface": "keyword"}, "interface"),
        ({"prompt": "ask", "instructions": "1" * 64}, "prompt"),
        ({"size": 50, "catalogue_digest": "d" * 64}, "catalogue size"),
        ({"user": "module:Class"}, "user"),
        ({"seed": 8, "version": "0.0.9"}, ""),
    ],
)
def test_one_factor_apart_is_a_contrast(changes: dict[str, Any], factor: str) -> None:
    rows = {name: [True] for name in TASKS}
    assert compare(run_of(rows, SET), run_of(rows, SET, "candidate", **changes)).factor == factor


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"agent": "other", "prompt": "ask"}, ("agent: popularity and other", "prompt: base")),
        ({"task_set_digest": "f" * 64}, ("task set: ",)),
        ({"source": "books"}, ("catalogue: toys and books",)),
        ({"catalogue_digest": "d" * 64}, ("catalogue's content",)),
        ({"as_paper": True}, ("rules as in the paper: False and True",)),
    ],
)
def test_what_differs_in_more_is_refused(changes: dict[str, Any], told: tuple[str, ...]) -> None:
    rows = {name: [True] for name in TASKS}
    base = run_of(rows, SET)
    other = read_run("candidate", make_plan(SET, tasks=tuple(rows), **changes), [])
    with pytest.raises(InputError) as caught:
        compare(base, other)
    for words in told:
        assert words in str(caught.value)


def test_no_task_in_common_is_refused() -> None:
    first, second = run_of({TASKS[0]: [True]}, SET), run_of({TASKS[1]: [True]}, SET, "candidate")
    with pytest.raises(InputError, match="no task in common"):
        compare(first, second)


def test_a_condition_that_the_runs_lack_is_refused() -> None:
    run = run_of({name: [True] for name in TASKS}, SET)
    with pytest.raises(InputError, match=r"no task of the condition 'hidden'.*\n?.*mixed"):
        compare(run, run, [demand("success@hidden < -0.1")])


def test_one_family_or_no_valid_trial_tells_nothing() -> None:
    one = run_of({TASKS[0]: [True]}, SET)
    found = compare(one, one, [demand("success < 0")])
    assert found.untold
    assert difference(found, "success").p is None
    lost = run_of({name: [None] for name in TASKS}, SET, "candidate")
    found = compare(run_of({name: [True] for name in TASKS}, SET), lost, [demand("success < 0")])
    gone = difference(found, "success")
    assert (gone.base, gone.candidate, gone.result.estimate, gone.broken) == (None,) * 4
    assert (found.paired, found.valid) == (6, 0)
    assert "6 tasks paired by id, 0 of them with a valid trial in both;" in next(notes(found))
    assert found.untold


def test_below_six_families_nothing_can_be_told() -> None:
    before, after = ({name: [went] for name in TASKS[:5]} for went in (True, False))
    found = compare(run_of(before, SET), run_of(after, SET, "candidate"), [demand("success < 0")])
    one = difference(found, "success")
    assert (one.result.estimate, one.result.high) == (-1.0, -1.0)
    assert (one.p, one.detectable, one.broken) == (2 / 2**5, None, None)
    assert found.untold
    assert not found.failed


def test_six_families_that_all_lose_fail_by_the_exact_test() -> None:
    before, after = ({name: [went] for name in TASKS} for went in (True, False))
    found = compare(run_of(before, SET), run_of(after, SET, "candidate"), [demand("success < 0")])
    one = difference(found, "success")
    assert (one.p, one.broken) == (2 / 2**6, True)


def test_what_few_families_detect_is_of_students_distribution() -> None:
    before = {name: [True, True] for name in TASKS}
    after = {name: [True, place % 2 == 0] for place, name in enumerate(TASKS)}
    one = difference(compare(run_of(before, SET), run_of(after, SET, "candidate")), "success")
    # Six differences, three of 0 and three of -1/2: a standard error of sqrt(0.075 / 6).
    error = math.sqrt(0.075 / 6)
    bounds = stats.t.ppf(0.975, 5) + stats.t.ppf(0.8, 5)
    assert one.detectable == pytest.approx(bounds * error, rel=1e-8)


def test_few_families_that_differ_among_many_are_tested_exactly() -> None:
    # Four of 51 lose: 1 resample in 64 draws none of them, yet equal agents do so 1 time in 8.
    before = dict.fromkeys(HARD, 4)
    lost = [name for name in HARD if name.endswith("-mixed")][:4]
    base, candidate = _quick(before), _quick(before | dict.fromkeys(lost, 0))
    one = difference(compare(base, candidate, [demand("success < 0")]), "success")
    assert one.result.excludes_zero
    assert (one.p, one.broken) == (2 / 2**4, False)
    candidate = _quick(before | dict.fromkeys(HARD, 3))
    one = difference(compare(base, candidate, [demand("success < 0")]), "success")
    assert one.exact is None
    assert (one.p, one.broken) == (one.result.p, True)


def test_a_run_that_is_not_finished_holds_no_condition() -> None:
    base = run_of({name: [True] for name in TASKS}, SET)
    half = replace(base, name="candidate", rows=base.rows[:-1])
    found = compare(base, half, [demand("success < 0")])
    assert found.unfinished == ("candidate",)
    assert found.untold
    assert [kind for kind, _ in verdicts(found)] == ["untold"]
    assert not compare(base, base, [demand("success < 0")]).untold


def test_pass_k_and_numbers_are_measures_too() -> None:
    before = {name: [True, True] for name in TASKS}
    after = {name: [True, False] for name in TASKS}
    found = compare(
        run_of(before, SET),
        run_of(after, SET, "candidate"),
        [demand("pass^2 < -0.5"), demand("turns > 1"), demand("pass^3 < 0")],
    )
    assert difference(found, "pass^2").result.estimate == -1.0
    assert difference(found, "pass^2").broken is True
    assert (difference(found, "turns").result.estimate, difference(found, "turns").broken) == (
        0,
        False,
    )
    assert difference(found, "pass^3").result.estimate is None
    assert difference(found, "pass^3").broken is None


# --- how often it alarms ----------------------------------------------------

PANEL = make_task_set(51)
HARD = {task: random.Random(f"hard {task}").betavariate(2, 1) for task in PANEL.by_id}


def noisy(seed: str, loss: float = 0.0, families: Set[str] | None = None) -> Run:
    """Four trials a task, each task with a difficulty of its own; a loss takes successes away from
    every task alike."""
    drawn = random.Random(seed)
    return _quick(
        {
            task: sum(drawn.random() < max(0.0, HARD[task] - loss) for _ in range(4))
            for task in HARD
            if families is None or task.partition("-")[0] in families
        }
    )


PLAN: RunPlan = make_plan(PANEL, trials=4)
FIRST = next(iter(PANEL.by_id.values()))
SEEN = read_run(
    "run",
    PLAN,
    [make_trial(FIRST, PLAN, number, score=score) for number, score in enumerate((FAILED, WON))],
    task_set=PANEL,
)


def _quick(successes: dict[str, int]) -> Run:
    """As `run_of`, without writing transcripts."""
    lost, won = SEEN.rows
    rows = tuple(
        replace(won if number < count else lost, key=f"{name}#{number}", task=name)
        for name, count in successes.items()
        for number in range(4)
    )
    tasks = tuple(task for task in SEEN.tasks if task.id in successes)
    return Run("run", PLAN, tasks, rows, PANEL)


def test_equal_agents_alarm_in_at_most_a_twentieth_of_comparisons() -> None:
    condition = [demand("success < 0")]
    alarms = sum(
        bool(compare(noisy(f"a{n}"), noisy(f"b{n}"), condition, resamples=400).failed)
        for n in range(200)
    )
    assert alarms <= 10  # 5 % of 200; a loss is one of the two sides of 5 %.


@pytest.mark.parametrize("families", [6, 10, 18])
def test_equal_agents_over_few_families_alarm_no_more_often(families: int) -> None:
    """The worst case of either sign: a loss and a rise together are both sides of 5 %."""
    conditions = [demand("success < 0"), demand("success > 0")]
    some = set(list(dict.fromkeys(task.partition("-")[0] for task in HARD))[:families])
    alarms = 0
    for n in range(200):
        before, after = (noisy(f"{side}{n}", families=some) for side in "ab")
        alarms += bool(compare(before, after, conditions, resamples=400).failed)
    assert alarms <= 10


def test_a_planted_loss_is_caught_at_the_power_that_is_predicted() -> None:
    condition = [demand("success < -0.05")]
    effect = sum(max(0.0, HARD[t] - 0.1) - HARD[t] for t in HARD) / len(HARD)
    caught, detectable = 0, []
    for n in range(100):
        found = compare(noisy(f"a{n}"), noisy(f"b{n}", 0.1), condition, resamples=400)
        caught += bool(found.failed)
        least = difference(found, "success").detectable
        assert least is not None
        detectable.append(least)
    factor = 1.959964 + 0.841621
    predicted = predicted_power(effect, sum(detectable) / len(detectable) / factor)
    assert effect == pytest.approx(-0.1, abs=0.01)
    assert predicted > 0.9
    assert caught / 100 == pytest.approx(predicted, abs=0.08)


def test_the_same_runs_give_the_same_comparison() -> None:
    first, second = noisy("a"), noisy("b")
    results = [msgspec.json.encode(compare(first, second).differences) for _ in range(2)]
    assert results[0] == results[1]


def test_success_and_nvr_are_those_of_a_report() -> None:
    """Of thirty families nothing fits three; a report's success is of the other 27."""
    tasks = make_task_set(30)
    barren = {f.id for f in tasks.families if not f.satisfiable}
    before = {task: [True] for task in tasks.by_id}
    after = {task: [task.split("-")[0] not in barren] for task in tasks.by_id}
    found = compare(
        run_of(before, tasks), run_of(after, tasks, "candidate"), [demand("pass^1 < 0")]
    )
    by_name = {str(one.measure): one for one in found.differences}
    assert (by_name["success"].base, by_name["success"].candidate) == (1.0, 1.0)
    assert (by_name["pass^1"].base, by_name["pass^1"].candidate) == (1.0, 1.0)
    assert (by_name["nvr@hidden"].base, by_name["nvr@hidden"].candidate) == (1.0, 0.0)
    assert by_name["nvr@hidden"].result.tasks == len(barren) == 3
    assert by_name["success"].result.tasks == len(tasks.by_id) - 3 * len(barren)
    assert found.valid == found.paired == len(tasks.by_id)
    assert len(found.flips) == 3 * len(barren)
