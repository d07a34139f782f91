"""The worst case of excluded trials, against every assignment of outcomes to them."""

from __future__ import annotations

import io
from itertools import combinations, product
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.cells import Answers, Cell, cells
from mystery_shopper.report.console import print_summary
from mystery_shopper.report.glance import headline
from mystery_shopper.report.leftout import left_out
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.report.summary import summarise
from mystery_shopper.report.tables import tables
from mystery_shopper.report.worst import Extremes, Tried, tried, worst

from .factory import faulty, make_plan, make_score, make_task_set, make_trial

TASKS = make_task_set(4)
PLAN = make_plan(TASKS, trials=3)

# Outcomes of each task's three trials: a success, a failure, excluded, or not played.
OUTCOMES = {
    "f000-hidden": "+-x",
    "f001-hidden": "++x",
    "f002-hidden": "xx.",
    "f003-hidden": "-..",
    "f000-mixed": "+++",
    "f001-mixed": "--+",
}


def run_of(outcomes: dict[str, str] = OUTCOMES) -> Run:
    trials: list[Trial] = []
    for name, marks in outcomes.items():
        for number, mark in enumerate(marks):
            task = TASKS.by_id[name]
            if mark == "x":
                trials.append(faulty(task, PLAN, number))
            elif mark != ".":
                score = make_score(success=mark == "+", rejections=number)
                trials.append(make_trial(task, PLAN, number, score=score))
    return read_run("run", PLAN, trials, task_set=TASKS)


def by_hand(tasks: list[str], k: int, unplayed: bool) -> tuple[float, float, int] | None:
    """The least and greatest pass^k over every way in which the open trials could have ended."""
    open_marks = "x." if unplayed else "x"
    played = [marks if unplayed else marks.replace(".", "") for marks in tasks]
    played = [marks for marks in played if len(marks) >= k]
    if not played:
        return None
    number = sum(mark in open_marks for marks in played for mark in marks)
    values: list[float] = []
    for ends in product("+-", repeat=number):
        fill = iter(ends)
        whole = [[next(fill) if m in open_marks else m for m in marks] for marks in played]
        values.append(
            fmean(
                fmean(all(mark == "+" for mark in some) for some in combinations(marks, k))
                for marks in whole
            )
        )
    return min(values), max(values), len(played)


def as_tried(marks: str) -> Tried:
    won, lost = marks.count("+"), marks.count("-")
    return Tried(won, won + lost, marks.count("x"), marks.count("."))


def close(found: Extremes | None, expected: tuple[float, float, int] | None) -> None:
    if found is None or expected is None:
        assert (found, expected) == (None, None)
        return
    assert (found.low, found.high, found.tasks) == pytest.approx(expected)


@given(st.lists(st.text("+-x.", min_size=3, max_size=3), min_size=1, max_size=4))
@settings(max_examples=150, deadline=None)
def test_no_assignment_lies_outside_and_both_bounds_are_reached(marks: list[str]) -> None:
    tasks = [as_tried(one) for one in marks]
    for k in (1, 2, 3):
        found = worst(tasks, k)
        if not any("x" in one for one in marks):
            assert found is None
            continue
        expected = by_hand(marks, k, unplayed=False)
        if found is None:
            assert expected is None
            continue
        close(found.excluded, expected)
        every = by_hand(marks, k, unplayed=True) if any("." in one for one in marks) else None
        close(found.unplayed, every)


@given(st.lists(st.text("+-x", min_size=3, max_size=3), min_size=1, max_size=5))
@settings(deadline=None)
def test_pass_1_itself_lies_within(marks: list[str]) -> None:
    found = worst([as_tried(one) for one in marks])
    scored = [one.replace("x", "") for one in marks]
    values = [one.count("+") / len(one) for one in scored if one]
    if found is not None and values:
        assert found.excluded.low - 1e-12 <= fmean(values) <= found.excluded.high + 1e-12


def test_a_known_example() -> None:
    # 1 of 2 with one excluded: 1/3 or 2/3. 2 of 2 with one: 2/3 or 1. Two excluded: 0 or 1.
    found = worst([Tried(1, 2, 1, 0), Tried(2, 2, 1, 0), Tried(0, 0, 2, 1)])
    assert found is not None
    assert found.excluded.low == pytest.approx((1 / 3 + 2 / 3 + 0) / 3)
    assert found.excluded.high == pytest.approx((2 / 3 + 1 + 1) / 3)


def test_the_cells_of_a_run_carry_it() -> None:
    run = run_of()
    found = cells(run, resamples=20)
    hidden, mixed = found.at("hidden"), found.at("mixed")
    assert hidden is not None
    assert mixed is not None
    marks = [OUTCOMES[f"f00{n}-hidden"] for n in range(4)]
    for k, passed in enumerate(hidden.passes, 1):
        assert passed.worst is not None
        close(passed.worst.excluded, by_hand(marks, k, unplayed=False))
        close(passed.worst.unplayed, by_hand(marks, k, unplayed=True))
    assert {passed.worst for passed in mixed.passes} == {None}


def test_success_within_r_rejections_carries_it() -> None:
    run = run_of()
    within = cells(run, resamples=20).within
    assert within is not None
    hidden = [task for task in run.tasks if task.condition == "hidden"]
    none, any_ = within.estimates[0].worst, within.estimates[-1].worst
    # Only the first trial of a task needs no rejection: of f001's two successes one counts.
    assert none == worst(tried(run, hidden, lambda row: row.score.rejections == 0))
    assert none is not None
    assert none.excluded.low == pytest.approx((1 / 3 + 1 / 3 + 0 + 0) / 4)
    assert any_ is not None
    assert any_.excluded.low == pytest.approx((1 / 3 + 2 / 3 + 0 + 0) / 4)


def cell_text(run: Run, cell: Cell) -> str:
    group = summarise([run], resamples=20).groups[0]
    table = next(one for one in tables(group) if one.title == "Success by condition")
    row = next(r for r in table.rows if r[1:3] == (cell.condition, cell.answers.value))
    return row[table.head.index("pass^1")]


def test_every_success_table_shows_it_where_trials_are_excluded() -> None:
    run = run_of()
    group = summarise([run], resamples=20).groups[0]
    cell = cells(run, resamples=20).at("hidden", Answers.SATISFIABLE)
    assert cell is not None
    assert cell_text(run, cell).endswith("‹0.250, 0.667›")
    made = {table.title: table for table in [headline(group), *tables(group)]}
    for title in ("at a glance", "by condition", "by tier", "by template", "within r rejections"):
        table = made[f"Success {title}"]
        assert any("‹" in cell for row in table.rows for cell in row), title
        assert "had every excluded trial failed" in table.note
    (own,) = left_out(group)
    assert own.head[3:7] == ("pass^1", "worst case", "unplayed", "worst case with unplayed")
    row = next(r for r in own.rows if r[1:3] == ("hidden", "satisfiable"))
    assert row[3:7] == ("0.500", "‹0.250, 0.667›", "3", "‹0.250, 0.833›")
    assert {r[1] for r in own.rows} == {"hidden", "all"}


def test_nothing_is_said_of_it_where_no_trial_is_excluded() -> None:
    run = run_of({"f000-hidden": "+-.", "f001-mixed": "+++"})
    group = summarise([run], resamples=20).groups[0]
    assert left_out(group) == []
    for table in [headline(group), *tables(group)]:
        assert "‹" not in str(table)
    assert "worst case" not in printed(run)


def printed(run: Run) -> str:
    stream = io.StringIO()
    print_summary(summarise([run], resamples=20), Console(file=stream, width=80))
    return stream.getvalue()


def test_the_terminal_tells_it() -> None:
    lines = printed(run_of()).splitlines()
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    assert "worst case (all excluded failed, all succeeded): hidden ‹0.250, 0.667›" in text
    assert "unplayed as well: hidden ‹0.250, 0.833›" in text
    assert "all tasks: pass^1 0.567 ‹0.389, 0.667›, pass^2 0.500" in text
