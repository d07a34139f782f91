"""The research questions as a whole: their words, what bad input makes of them, the terminal."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from mystery_shopper.report.disclosure.section import Section, sections
from mystery_shopper.report.disclosure.terminal import lines_of_tests
from mystery_shopper.report.page import write_report
from mystery_shopper.report.rows import Run, read_run

from ..factory import (
    faulty,
    make_folder,
    make_plan,
    make_score,
    make_task_set,
    make_trial,
    make_trials,
)
from .runs import FULL, SET, SMALL, all_runs, run_of


def asked(runs: list[Run]) -> tuple[Section, ...]:
    """The sections, where any warning is an error; every table is whole and no cell is NaN."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sections(runs, resamples=100)
    for section in found:
        for table in section.tables:
            assert {len(row) for row in table.rows} <= {len(table.head)}
            assert table.head[-4:] == ("planned", "valid", "excluded", "not understood")
            assert not [cell for row in table.rows for cell in row if "nan" in cell.lower()]
        for question in section.questions:
            assert question.answer.endswith(".")
            assert "None" not in question.answer
            for chart in question.charts:
                assert chart.table.rows
                assert chart.svg.count("<path") > 3
                assert re.search(r'role="img"[^>]*aria-label="[^"]{20,}"', chart.svg)
    return found


def words(section: Section, title: str) -> str:
    (one,) = [question for question in section.questions if title in question.title]
    return one.answer


@pytest.fixture(scope="module")
def whole() -> Section:
    (section,) = asked(all_runs())
    return section


def test_every_question_has_its_figure_and_an_answer(whole: Section) -> None:
    titles = [question.title for question in whole.questions]
    assert titles == [
        "The tests",
        "RQ1: Disclosure",
        "RQ2: Interface",
        "RQ3: Scale",
        "RQ4: Reliability",
        "How agents go about it",
    ]
    figures = [chart.title for question in whole.questions for chart in question.charts]
    assert figures == [
        "What the tests found",
        "The disclosure gradient across settings",
        "Success by catalogue size",
        "Success at every one of k trials",
        "Success by prompt",
    ]
    names = [table.title for table in whole.tables]
    assert len(names) == len(set(names)) == 20


def test_an_answer_says_differs_or_what_it_would_take(whole: Section) -> None:
    first = words(whole, "RQ1")
    assert re.match(
        r"Averaged over 4 settings of agent and interface, mixed tasks score [\d.]+ points lower "
        r"than volunteer ones over all families \((differs|not settled)",
        first,
    )
    told = "\n".join(question.answer for question in whole.questions)
    for verdict in re.findall(r"not settled[^)]*", told):
        assert re.search(
            r"would need (about [\d,]+|more than a million) families|no number is known", verdict
        )
    assert "not settled" in told
    assert "keyword search scores" in words(whole, "RQ3").lower()
    assert "of 6 pairs of agent and interface apart" in words(whole, "RQ4")
    assert "with the user module:Other success is" in words(whole, "RQ4")


def test_equal_runs_give_equal_sections(whole: Section) -> None:
    assert sections(all_runs(), resamples=100) == (whole,)


def scored(success: bool | None, tasks: int = 24, **changes: object) -> Run:
    """A run in which every trial ends alike; None: every score is missing."""
    task_set = make_task_set(tasks)
    plan = make_plan(task_set, user="rule-based", tool_line="own", **changes)
    trials = [
        make_trial(task_set.by_id[p.task], plan, p.number, score=make_score(success=success))
        for p in plan.planned()
    ]
    name = f"{plan.agent}-{plan.interface}-{plan.size}"
    return read_run(name, plan, trials, task_set=task_set)


def test_all_successes_differ_nowhere() -> None:
    (section,) = asked([scored(True), scored(True, interface="keyword")])
    assert "as high as keyword search" in words(section, "RQ2")
    assert "(no task differs)" in words(section, "RQ2")
    assert "differs, p" not in words(section, "RQ1")


def test_missing_scores_are_unmeasured_and_not_zero() -> None:
    (section,) = asked([scored(None), scored(None, interface="keyword")])
    assert "unmeasured, since no pair of tasks is scored on both sides" in words(section, "RQ2")
    assert "no trial is valid" in words(section, "RQ4").lower()
    assert not [chart for question in section.questions for chart in question.charts]


def test_one_family_has_no_spread() -> None:
    (section,) = asked([scored(True, 1), scored(False, 1, interface="keyword")])
    assert "100.0 points higher than keyword search" in words(section, "RQ2")
    assert "of one family, whose spread is unknown" in words(section, "RQ2")


def test_one_trial_says_that_repeats_are_unknown() -> None:
    (section,) = asked([run_of(trials=1)])
    assert "every task was played once" in words(section, "RQ4").lower()
    assert "Not run on both interfaces" not in words(section, "RQ2")
    assert "not run on both interfaces" in words(section, "RQ2")
    assert "only the whole catalogue was played" in words(section, "RQ3") or (
        "a catalogue of" in words(section, "RQ3")
    )


def test_a_run_without_a_condition_says_which_gap_cannot_be_told() -> None:
    run = run_of()
    kept = replace(
        run,
        tasks=tuple(task for task in run.tasks if task.condition != "volunteer"),
        rows=tuple(row for row in run.rows if row.condition != "volunteer"),
    )
    other = run_of(interface="keyword")
    (section,) = asked([kept, other])
    assert "of agent and interface, mixed tasks score" in words(section, "RQ1")
    (section,) = asked([kept, replace(kept, plan=other.plan, name="other")])
    assert "mixed tasks cannot be set against volunteer ones" in words(section, "RQ1")


def test_nothing_played_and_nothing_excluded_renders() -> None:
    run = run_of()
    empty = replace(run, rows=())
    (section,) = asked([empty, run_of(interface="keyword")])
    assert "unmeasured" in words(section, "RQ2")
    tasks = make_task_set(3)
    plan = make_plan(tasks)
    lost = read_run("x", plan, [faulty(tasks.by_id[p.task], plan) for p in plan.planned()])
    asked([lost])


def test_runs_of_other_tasks_stand_apart() -> None:
    other = run_of(task_set_digest="f" * 64)
    found = asked([run_of(), run_of(interface="keyword"), other])
    assert len(found) == 2
    assert "not run on both interfaces" in words(found[1], "RQ2")


def test_runs_that_allow_no_contrast_have_no_section() -> None:
    run = run_of()
    only = replace(
        run,
        tasks=tuple(task for task in run.tasks if task.condition == "mixed"),
        rows=tuple(row for row in run.rows if row.condition == "mixed"),
    )
    assert asked([only]) == ()
    assert asked([]) == ()


def test_another_user_alone_is_its_own_main_comparison() -> None:
    runs = [run_of(user="module:Other", interface=i) for i in ("structured", "keyword")]
    (section,) = asked(runs)
    assert "module:Other user" in section.introduction
    assert "scores" in words(section, "RQ2")


def test_the_largest_size_at_hand_is_not_called_all() -> None:
    (section,) = asked([run_of(size=SMALL), run_of(size=20)])
    assert "The whole catalogue was not played." in section.introduction
    names = [row[0] for table in section.tables for row in table.rows]
    assert not [name for name in names if "− all" in name]
    assert FULL > SMALL


def test_a_name_that_is_markup_or_control_stays_text() -> None:
    evil = "</svg><script>\x1b[31m"
    (section,) = asked([run_of(evil), run_of(evil, "keyword")])
    for question in section.questions:
        assert "\x1b" not in question.answer
        assert not [chart for chart in question.charts if "<script" in chart.svg]
    assert "\x1b" not in "\n".join(lines_of_tests([run_of(evil), run_of(evil, "keyword")]))


def test_the_terminal_has_a_line_a_test_within_80_columns() -> None:
    lines = lines_of_tests(all_runs(), resamples=100)
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    assert "the first alone at 0.05, the other 8 with Holm's correction" in " ".join(text.split())
    assert "> 1 million" in text
    for name in ("Interface, agents averaged", "Hidden − volunteer", "Interface × scale"):
        assert name in text
    assert lines_of_tests([run_of()]) == []
    missing = "\n".join(lines_of_tests([run_of(), run_of(prompt="ask")], resamples=100))
    assert "Not made: 1 test: not run on both interfaces; 3 tests: only the whole" in missing
    hidden = tuple(task for task in SET.by_id if task.endswith("-hidden"))
    alone = [run_of(name, tasks=hidden, conditions=("hidden",)) for name in ("a", "b")]
    assert lines_of_tests(alone, resamples=100) == []


def test_the_heads_count_the_tests_that_are_shown() -> None:
    """Without a second interface no test stands alone; with one condition none is shared."""
    hidden = tuple(task for task in SET.by_id if task.endswith("-hidden"))
    known = [run_of(), run_of(prompt="ask")]
    text = " ".join("\n".join(lines_of_tests(known, resamples=100)).split())
    assert "intervals; all 2 with Holm's correction. Needed" in text
    titles = {
        "Tests: 2 with Holm's correction": known,
        "Tests: the interface alone, and 8 with Holm's correction": all_runs(),
        "Tests: the interface alone": [
            run_of(interface=each, tasks=hidden, conditions=("hidden",))
            for each in ("structured", "keyword")
        ],
        "Tests": [run_of(name, tasks=hidden, conditions=("hidden",)) for name in ("a", "b")],
    }
    for title, runs in titles.items():
        (question,) = [one for s in asked(runs) for one in s.questions if one.title == "The tests"]
        every = [*question.tables, *(chart.table for chart in question.charts)]
        assert [table.title for table in every] == [title]


def test_pages_of_equal_runs_have_equal_bytes_and_keep_their_bound(tmp_path: Path) -> None:
    folders = []
    for interface in ("structured", "keyword"):
        plan = make_plan(SET, interface=interface, user="rule-based", tool_line="own", trials=2)
        folders.append(make_folder(tmp_path / interface, plan, make_trials(SET, plan)))
    pages = [
        write_report(folders, tmp_path / f"{n}.html", task_sets={SET.name: SET}).read_bytes()
        for n in range(2)
    ]
    assert pages[0] == pages[1]
    assert b'id="questions"' in pages[0]
    small = write_report(folders, tmp_path / "s.html", page_bytes=len(pages[0]) - 100_000)
    assert len(small.read_bytes()) <= len(pages[0]) - 100_000


def test_a_run_s_own_plan_decides_its_setting() -> None:
    asked_more = msgspec.structs.replace(run_of().plan, model=msgspec.structs.replace(
        run_of().plan.model, temperature=0.5))  # fmt: skip
    runs = [run_of(), replace(run_of(), plan=asked_more)]
    (section,) = asked(runs)
    assert section.introduction.startswith("2 settings: 2 agents")
