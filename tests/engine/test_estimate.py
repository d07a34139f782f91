"""An estimate: which trials it plays, that they stay, and what it says of the whole."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder, RunPlan, load_tasks, sweep
from mystery_shopper.engine.estimate import Range, choose, estimate
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.planning import Wishes, make_plan
from mystery_shopper.engine.usage import Usage

from .helpers import few_films, plan_of


@pytest.fixture(scope="module")
def films() -> RunPlan:
    return make_plan(Wishes(agent="null"))


def stratum(plan: RunPlan, name: str) -> tuple[str, str]:
    task = load_tasks(plan.task_set).by_id[name]
    return task.condition.value, task.family.tier.value


def test_a_dozen_is_spread_evenly_over_conditions_and_tiers(films: RunPlan) -> None:
    tasks = load_tasks(films.task_set)
    chosen = choose(films, tasks, 12)
    shares = Counter(stratum(films, planned.task) for planned in chosen)
    assert len(chosen) == len(set(chosen)) == 12
    assert len(shares) == 9
    assert set(shares.values()) == {1, 2}
    families = Counter(tasks.by_id[planned.task].family.id for planned in chosen)
    assert set(families.values()) == {1}
    order = list(films.planned())
    assert chosen == sorted(chosen, key=order.index)
    assert choose(films, tasks, 12) == chosen
    other = make_plan(Wishes(agent="null", seed=1))
    assert choose(other, tasks, 12) != chosen


@pytest.mark.parametrize(("wanted", "number"), [(1, 1), (8, 8), (9, 9), (99, 9)])
def test_it_never_draws_more_than_there_are(wanted: int, number: int, task_file: str) -> None:
    plan = plan_of(task_file, agent="null")
    assert len(choose(plan, few_films(), wanted)) == number


@pytest.mark.parametrize("workers", [1, 2])
def test_the_sample_stays_and_the_run_ends_as_an_undisturbed_one(
    workers: int, task_file: str, tmp_path: Path
) -> None:
    plan = plan_of(task_file, agent="popularity", trials=4)
    whole, sampled = RunFolder(tmp_path / "whole"), RunFolder(tmp_path / "sampled")
    sweep(plan, whole)
    keys = {planned.key for planned in choose(plan, few_films(), 12)}
    assert sweep(plan, sampled, only=keys) == 12
    assert {trial.key for trial in sampled.trials()} == keys
    assert sweep(plan, sampled, only=keys) == 0
    assert sweep(plan, sampled, workers=workers) == 24
    assert sampled.trials_file.read_bytes() == whole.trials_file.read_bytes()
    assert [t.trial for t in sampled.timings()] == [t.key for t in whole.trials()]
    assert not sampled.journal_file.exists()
    assert all(timing.wall for timing in sampled.timings())


def timing(key: str, tokens: int, cost: float | None = 0.1, wall: float | None = 2.0) -> Timing:
    used = Usage(1, tokens, 2 * tokens, 3 * tokens, cost)
    return Timing(key, (0.1,), {"agent": used, "user": Usage(1, 5, 0, 1, None)}, wall=wall)


def test_equal_trials_give_the_exact_sum(task_file: str) -> None:
    plan = plan_of(task_file, agent="model:a/b", trials=4)
    done = [timing(planned.key, 10) for planned in list(plan.planned())[:13]]
    found = estimate(plan, few_films(), done, in_flight=4)
    agent, user = found.parties
    assert (found.planned, found.done, found.timed) == (36, 13, 13)
    assert (agent.party, user.party) == ("agent", "user")
    for amount, value in ((agent.input, 360), (agent.cached, 720), (agent.output, 1080)):
        assert amount is not None
        assert (amount.value, amount.low, amount.high) == pytest.approx((value,) * 3)
    assert agent.cost is not None
    assert agent.cost.value == pytest.approx(3.6)
    assert user.cost is None
    assert found.seconds is not None
    assert found.seconds.value == pytest.approx(36 * 2.0 / 4)


def test_what_the_first_trials_wait_for_is_counted_once(task_file: str) -> None:
    """Two processes that build an index in five seconds, and trials of a tenth of one."""
    plan = plan_of(task_file, agent="null", trials=4)
    keys = [planned.key for planned in list(plan.planned())[:13]]
    walls = [5.1, 5.1, *[0.1] * 11]
    done = [timing(key, 1, wall=wall) for key, wall in zip(keys, walls, strict=True)]
    found = estimate(plan, few_films(), done, in_flight=2)
    assert found.startup == pytest.approx(5.0)
    assert found.seconds is not None
    assert found.seconds.value == pytest.approx(5.0 + 36 * 0.1 / 2)
    assert found.timed == 13
    # Slow trials among the later ones are no start, nor are firsts without any others.
    for some in (done[::-1], done[:2]):
        other = estimate(plan, few_films(), some, in_flight=2)
        assert other.startup == 0
    assert other.seconds is not None
    assert other.seconds.value == pytest.approx(36 * 5.1 / 2)


def test_each_stratum_counts_by_what_is_left_of_it(task_file: str) -> None:
    """Volunteer trials take 10 tokens and others 100; that more of the former are done must not
    lower the sum: 12 x 10 + 24 x 100."""
    plan = plan_of(task_file, agent="model:a/b", trials=4)
    tasks = few_films()

    def tokens(task: str) -> int:
        return 10 if tasks.by_id[task].condition.value == "volunteer" else 100

    planned = list(plan.planned())
    done = [p for p in planned if "volunteer" in p.task] + choose(plan, tasks, 9)
    there = [timing(p.key, tokens(p.task)) for p in dict.fromkeys(done)]
    agent = estimate(plan, tasks, there, in_flight=1).parties[0]
    assert agent.input is not None
    assert agent.input.value == pytest.approx(12 * 10 + 24 * 100)


def test_an_unknown_price_in_one_trial_is_an_unknown_price_of_the_whole(task_file: str) -> None:
    plan = plan_of(task_file, agent="model:a/b")
    keys = [planned.key for planned in plan.planned()][:4]
    done = [timing(keys[0], 1, None), *(timing(key, 1) for key in keys[1:])]
    assert estimate(plan, few_films(), done, in_flight=1).parties[0].cost is None


def test_what_is_done_has_no_interval_left_and_one_family_gives_none(task_file: str) -> None:
    plan = plan_of(task_file, agent="model:a/b")
    keys = [planned.key for planned in plan.planned()]
    done = [timing(key, 7 * place) for place, key in enumerate(keys)]
    found = estimate(plan, few_films(), done, in_flight=99)
    assert found.in_flight == 9
    assert found.parties[0].input == Range(252, 252, 252)
    one = estimate(plan, few_films(), done[:3], in_flight=1).parties[0].input
    assert one is not None
    assert math.isnan(one.low)
    assert one.value == pytest.approx(63)


def test_the_interval_holds_the_truth_about_as_often_as_it_says(films: RunPlan) -> None:
    """On made-up tokens that differ by tier and family, over many seeds of the sample. With a dozen
    families a percentile interval is known to fall a little short of its level."""
    import msgspec

    from mystery_shopper.foundation import random_source

    tasks = load_tasks(films.task_set)
    base = {"simple": 100, "medium": 200, "complex": 300}

    def tokens(task: str) -> int:
        family = tasks.by_id[task].family
        own = random_source("family", family.id).uniform(0.6, 1.4)
        return round(base[family.tier.value] * own * random_source(task).uniform(0.8, 1.2))

    truth = sum(tokens(planned.task) for planned in films.planned())
    held, total = 0, 0.0
    for seed in range(60):
        plan = msgspec.structs.replace(films, seed=seed)
        done = [timing(p.key, tokens(p.task)) for p in choose(plan, tasks, 12)]
        amount = estimate(plan, tasks, done, in_flight=1).parties[0].input
        assert amount is not None
        held += amount.low <= truth <= amount.high
        total += amount.value
    assert held >= 50
    assert total / 60 == pytest.approx(truth, rel=0.05)


def test_a_server_that_tells_nothing_is_not_taken_to_use_nothing(task_file: str) -> None:
    plan = plan_of(task_file, agent="http://127.0.0.1:1/act")
    [one] = estimate(plan, few_films(), [Timing("f001-mixed#0", (1.0,))], in_flight=1).parties
    assert (one.party, one.known, one.cost) == ("agent", False, None)
    here = plan_of(task_file, agent="null")
    found = estimate(here, few_films(), [Timing("f001-mixed#0", (1.0,))], in_flight=1)
    assert (found.parties, found.seconds, found.timed) == ((), None, 0)
