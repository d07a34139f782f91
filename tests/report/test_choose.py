"""Which trials the page holds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.report.choose import Shelf, ranking
from mystery_shopper.report.rows import Run, read_run

from .factory import make_plan, make_task_set, make_trials

TASKS = make_task_set(20)


def test_failures_come_first_and_runs_take_turns() -> None:
    runs = [
        read_run(name, plan, make_trials(TASKS, plan, n, faults=0.1))
        for n, name in enumerate("ab")
        for plan in [make_plan(TASKS, agent=name)]
    ]
    ranks = ranking(runs)
    rows = {(place, row.key): row for place, run in enumerate(runs) for row in run.rows}
    order = sorted(ranks, key=ranks.__getitem__)
    others = [rows[one].failure is None for one in order]
    assert others == sorted(others)
    assert set(others) == {False, True}
    assert len(order) == 120
    assert [place for place, _ in order[:6]] == [0, 1, 0, 1, 0, 1]
    assert len(ranking(runs, most=7)) == 7


def test_no_failure_gives_way_to_another_trial_and_the_rest_is_a_sample_by_seed() -> None:
    def runs(seed: int) -> list[Run]:
        plan = make_plan(TASKS, seed=seed)
        return [read_run("a", plan, make_trials(TASKS, plan, faults=0.2))]

    [run] = runs(7)
    failures = {(0, row.key) for row in run.rows if row.failure}
    others = {(0, row.key) for row in run.rows if not row.failure}
    assert len(failures) > 10
    assert len(others) > 30
    for most in (5, len(failures), len(failures) + 20, 500):
        shown = set(ranking([run], most))
        assert len(shown & failures) == min(most, len(failures))
        assert len(shown & others) == min(max(0, most - len(failures)), len(others))
    some = len(failures) + 20
    sample = set(ranking([run], some)) - failures
    assert set(ranking(runs(7), some)) - failures == sample
    assert set(ranking(runs(8), some)) - failures != sample
    # Successes and excluded trials stand in it as they come.
    kinds = {row.key: row.valid for row in run.rows}
    assert {kinds[key] for _, key in sample} == {False, True}


@given(st.data())
def test_what_stays_is_the_beginning_of_the_ranking_in_any_order(data: st.DataObject) -> None:
    results = st.dictionaries(st.sampled_from("abcdef"), st.just(0), max_size=3)
    length = {key: n + 1 for n, key in enumerate("abcdef")}
    trials = data.draw(st.lists(st.tuples(st.integers(1, 9), results), max_size=8))
    trials = [(size, {key: length[key] for key in keys}) for size, keys in trials]
    bound = data.draw(st.integers(0, 40))
    fitting = [r for r, (size, keys) in enumerate(trials) if size + sum(keys.values()) <= bound]
    expected: list[int] = []
    used: set[str] = set()
    total = 0
    for rank in fitting:
        size, keys = trials[rank]
        total += size + sum(length[key] for key in keys if key not in used)
        used |= set(keys)
        if total > bound:
            break
        expected.append(rank)
    shelf = Shelf(bound)
    for rank in data.draw(st.permutations(range(len(trials)))):
        shelf.offer(rank, *trials[rank])
    assert sorted(shelf.kept) == expected
    kept = {key for rank in expected for key in trials[rank][1]}
    assert {key for key in length if shelf.needs(key)} == kept
    assert shelf.used == sum(trials[r][0] for r in expected) + sum(length[key] for key in kept)
