"""The terminal's summary, the charts, the words, and the schema's page."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from rich.console import Console

from mystery_shopper.dialogue import Ended, Ending, Fault, Transcript
from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.axes import marks_of
from mystery_shopper.report.charts import charts, render, series_names, within
from mystery_shopper.report.console import print_summary
from mystery_shopper.report.glance import headline
from mystery_shopper.report.prose import introduction, method
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.report.schema_doc import results_schema_markdown
from mystery_shopper.report.summary import labels_for, summarise
from mystery_shopper.report.tables import tables
from mystery_shopper.report.words import bounds, figure, fitted, plain, plural, whole
from mystery_shopper.suites.tau_rec.score import Failure, Outcome

from .factory import faulty, make_plan, make_score, make_task_set, make_trial, make_trials

TASKS = make_task_set(20)
EVIL = "[red]</script><b>\x1b[2J"


def run_of(name: str, seed: int = 1, **changes: Any) -> Run:
    plan = make_plan(TASKS, **changes)
    return read_run(name, plan, make_trials(TASKS, plan, seed, faults=0.05), task_set=TASKS)


def printed(*runs: Run) -> str:
    stream = io.StringIO()
    print_summary(summarise(runs, resamples=50), Console(file=stream, width=80))
    return stream.getvalue()


def test_the_terminal_summary_fits_and_tells_denominators() -> None:
    text = printed(run_of("a", trials=2), run_of("b", 2, agent=EVIL, trials=2))
    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text
    assert "[red]" in text
    for word in ("planned", "valid", "excl.", "n. u.", "NVR abstained", "median proposals"):
        assert word in text
    assert "tau_rec/toys@1" in text
    assert "pass^2" in text


def test_the_terminal_says_that_groups_do_not_compare() -> None:
    assert "not comparable" in printed(run_of("a"), run_of("b", size=50))


def test_a_run_without_trials_prints_dashes() -> None:
    text = printed(read_run("a", make_plan(TASKS), [], task_set=TASKS))
    assert "–" in text
    assert "nan" not in text


def test_the_terminal_explains_its_heads_in_two_lines() -> None:
    lines = printed(run_of("a")).splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("pass^1:"))
    for word in ("pass^1:", "NVR:", "excl.:", "n. u.:"):
        assert word in " ".join(lines[start : start + 2])
    assert lines[start + 2] == "popularity"


def test_one_of_a_kind_is_singular() -> None:
    tasks = ("f009-hidden",)
    plan = make_plan(TASKS, tasks=tasks, size=1)
    run = read_run("a", plan, [make_trial(TASKS.by_id[tasks[0]], plan)], task_set=TASKS)
    group = summarise([run], resamples=10).groups[0]
    texts = (printed(run), str(group.provenance), introduction(group), *method(group))
    for text in texts:
        assert not re.search(r"\b1 (famil|task|run|item|request|planned trial)\w*s\b", text)
    assert "(1 task)" in texts[0]
    assert "1 family" in texts[1]


def test_all_tasks_where_nothing_fits_are_counted_of_a_single_condition() -> None:
    plan = make_plan(TASKS, tasks=("f009-mixed", "f001-mixed"))
    trials = [make_trial(TASKS.by_id[task], plan) for task in plan.tasks]
    table = headline(summarise([read_run("a", plan, trials)], resamples=10).groups[0])
    assert table.rows[0][table.head.index("NVR")] == "1.000"


def test_nothing_valid_is_said_first() -> None:
    plan = make_plan(TASKS, tasks=("f001-mixed", "f002-mixed"))
    broken = read_run("b", plan, [faulty(TASKS.by_id["f001-mixed"], plan)], task_set=TASKS)
    text = printed(broken)
    assert text.startswith("There is no valid trial")
    assert "of 2 planned trials 1 excluded and 1 not" in " ".join(text.split())
    whole_run = read_run("a", plan, make_trials(TASKS, plan), task_set=TASKS)
    assert printed(whole_run, broken).startswith("Without a valid trial")
    assert "valid trial" not in printed(whole_run)


def test_every_note_says_which_families_count() -> None:
    group = summarise([run_of("a", trials=2)], resamples=50).groups[0]
    for part in [headline(group), *tables(group), *charts(group)]:
        assert "families" in part.note, part.title
    elicitation = next(table for table in tables(group) if table.title == "Elicitation")
    assert elicitation.note.startswith("All families, satisfiable and NVR")
    assert "satisfiable families" in headline(group).note


def test_intervals_without_width_are_explained() -> None:
    plan = make_plan(TASKS)
    same = [make_trial(TASKS.by_id[task], plan) for task in plan.tasks]
    flat = headline(summarise([read_run("a", plan, same)], resamples=10).groups[0])
    assert "[1.000, 1.000]" in flat.rows[0][1]
    assert "a percentile bootstrap shows no spread" in flat.note
    hidden = tuple(f"f{number:03d}-hidden" for number in (0, 1, 2, 3, 4, 5, 6, 7))
    table = headline(summarise([run_of("a", 1, tasks=hidden)], resamples=200).groups[0])
    low, high = re.findall(r"[\d.]+", table.rows[0][1].split("[")[1])
    assert low < high
    assert "percentile" not in table.note


def scored_runs(*failures: Failure | None, **changes: Any) -> list[Run]:
    """A run of mixed tasks, all failing in these ways, a trial a task; None: a success."""
    tasks = tuple(f"f{number:03d}-mixed" for number in range(len(failures)))
    plan = make_plan(TASKS, tasks=tasks, conditions=("mixed",), **changes)
    trials = [
        make_trial(
            TASKS.by_id[task],
            plan,
            score=make_score(success=kind is None, failure=kind, proposals=1),
        )
        for task, kind in zip(tasks, failures, strict=True)
    ]
    return [read_run("a", plan, trials, task_set=TASKS)]


def test_the_terminal_says_why_trials_fail() -> None:
    kinds = [
        *[Failure.FORMATS_UNCHECKED] * 4,
        *[Failure.KNOWN_ITEM] * 3,
        *[Failure.NEEDLESS_ABSTENTION] * 2,
        Failure.TURN_CAP,
    ]
    text = printed(*scored_runs(*kinds, None))
    assert max(map(len, text.splitlines())) <= 80
    assert (
        "10 failures: 4 formats not checked, 3 recommended an item from the history, 2 abstained "
        "needlessly, 1 turn cap NVR"
    ) in " ".join(text.split())
    more = " ".join(printed(*scored_runs(*kinds, Failure.OVERFLOW, Failure.ERROR)).split())
    assert "1 turn cap and 2 others NVR" in more
    assert "1 failure: 1 turn cap" in printed(*scored_runs(Failure.TURN_CAP))
    assert "failure" not in printed(*scored_runs(None))


def test_proposals_are_of_hidden_tasks_on_the_page_and_in_the_terminal() -> None:
    mixed, every = scored_runs(None, None), [run_of("a", trials=2)]
    table = headline(summarise(mixed, resamples=10).groups[0])
    assert "proposals" not in table.head
    assert "Proposals" not in table.note
    assert "median proposals" not in printed(*mixed)
    table = headline(summarise(every, resamples=10).groups[0])
    told = table.rows[0][table.head.index("proposals")]
    assert f"median proposals a hidden success: {told}\n" in printed(*every)
    assert "Proposals: median a hidden success" in table.note


def test_what_a_user_gave_away_has_units() -> None:
    plan = make_plan(TASKS, tasks=("f001-mixed", "f002-mixed"), user="model:x/y")
    trials = [
        make_trial(TASKS.by_id[task], plan, score=make_score(leaks=600, leaked=leaked, stood_in=1))
        for task, leaked in (("f001-mixed", 0), ("f002-mixed", 1))
    ]
    text = " ".join(printed(read_run("a", plan, trials, task_set=TASKS)).split())
    assert (
        "user: 1,200 leaks (withheld facts in its drafts and replies), one reached the agent in "
        "1/2 trials; the rule-based user stood in for 2 replies"
    ) in text


def test_an_address_stays_whole_in_the_terminal() -> None:
    address = "http://127.0.0.1:8117"
    lines = printed(run_of("a", agent=address)).splitlines()
    assert [line for line in lines if line.startswith(f"{address} volunteer")]
    assert max(map(len, lines)) <= 80
    assert fitted(address, 21) == address
    assert fitted(f"{address} · keyword", 16) == "127.0.0.1:8117 · keyword"
    assert fitted("https://shop.example.com/agent", 16) == "shop.ex…om/agent"
    assert fitted("popularity · keyword", 16) == "popularity · keyword"


@pytest.mark.parametrize(
    ("domain", "marks"),
    [
        ((0, 0.1), [0, 0.05, 0.1]),
        ((0.9, 1), [0.9, 0.95, 1]),
        ((0, 0.25), [0, 0.05, 0.1, 0.15, 0.2, 0.25]),
        ((0.75, 1), [0.75, 0.8, 0.85, 0.9, 0.95, 1]),
        ((0, 0.5), [0, 0.1, 0.2, 0.3, 0.4, 0.5]),
        ((0.25, 0.75), [0.25, 0.5, 0.75]),
        ((0, 0.75), [0, 0.25, 0.5, 0.75]),
        ((0, 1), [0, 0.25, 0.5, 0.75, 1]),
    ],
)
def test_marks_of_an_axis_are_round(domain: tuple[float, float], marks: list[float]) -> None:
    assert marks_of(*domain) == pytest.approx(marks)


def test_labels_tell_runs_apart() -> None:
    assert labels_for([]) == []
    assert labels_for([run_of("a")]) == ["popularity"]
    two = [run_of("a", interface="structured"), run_of("b", interface="keyword")]
    assert labels_for(two) == ["popularity · structured", "popularity · keyword"]
    assert labels_for([run_of("a"), run_of("b")]) == ["popularity · a", "popularity · b"]
    assert labels_for([run_of("a"), run_of("a")]) == ["popularity · a · 1", "popularity · a · 2"]


def test_runs_of_other_users_or_families_are_not_in_one_group() -> None:
    few = tuple(task for task in TASKS.by_id if task < "f005")
    runs = [
        run_of("a"),
        run_of("b", user="model"),
        run_of("c", tasks=few),
        run_of("d", as_paper=True),
    ]
    assert len(summarise(runs, resamples=10).groups) == 4


def test_charts_are_svg_with_their_tables() -> None:
    group = summarise([run_of("a"), run_of("b", 2, agent=EVIL)], resamples=50).groups[0]
    drawn = charts(group)
    assert [chart.title for chart in drawn] == [
        "The disclosure gradient",
        "Success within r rejections",
        "How failures end",
    ]
    for chart in drawn:
        root = ElementTree.fromstring(chart.svg)
        assert len(list(root.iter("{http://www.w3.org/2000/svg}path"))) > 5
        assert "</script>" not in chart.svg
        assert not re.search(r"(href|src|url)=.http", chart.svg)
        assert chart.table.rows
    assert "var(--series-2" in drawn[0].svg
    assert "url(#hatch-" in drawn[2].svg
    assert render(within(group), "x") == render(within(group), "x")


def test_charts_of_many_runs_and_of_none() -> None:
    many = summarise([run_of(f"r{n}", n, agent=f"agent {n} " * 9) for n in range(8)], resamples=10)
    assert len(charts(many.groups[0])) == 3
    assert len(set(series_names(many.groups[0]))) == 8
    none = summarise([read_run("a", make_plan(TASKS), [], task_set=TASKS)], resamples=10)
    assert charts(none.groups[0]) == []


def test_tables_are_rectangular() -> None:
    group = summarise([run_of("a", trials=3), run_of("b", 2, trials=1)], resamples=10).groups[0]
    for table in [headline(group), *tables(group)]:
        assert table.rows
        assert {len(row) for row in table.rows} == {len(table.head)}


def test_numbers_are_worded() -> None:
    assert (figure(None), figure(float("nan")), figure(0.5), figure(0.0)) == (
        "–",
        "–",
        "0.500",
        "0.000",
    )
    assert (whole(None), whole(1200), whole(2.5)) == ("–", "1,200", "2.5")
    assert (bounds(None, None), bounds(0.1, 0.2)) == ("–", "[0.100, 0.200]")
    assert (plural(1, "run"), plural(2, "run")) == ("1 run", "2 runs")
    assert plural(1, "family", "families") == "1 family"
    assert plural(2, "family", "families") == "2 families"
    assert plain("a\x1b[2J\n\u202eb") == "a [2J b"
    assert (len(plain("x" * 500)), plain("\n")) == (120, "–")


def test_the_schema_page_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "results-schema.md"
    text = results_schema_markdown()
    assert page.read_text(encoding="utf-8") == text
    assert "written in the plan's order" in text
    assert "as they finished" not in text
    assert text.index("`error`, `overflow`, `time_cap`") > 0
    headings = {heading.lower() for heading in re.findall(r"^## (\w+)$", text, re.MULTILINE)}
    assert set(re.findall(r"\(#(\w+)\)", text)) <= headings


def test_policies_are_told_with_their_counts() -> None:
    families = tuple(
        msgspec.structs.replace(family, policies=("sponsored", "recommend_tool")[number % 2 :])
        for number, family in enumerate(TASKS.families[:4])
    )
    held = msgspec.structs.replace(TASKS, families=families, panel=(), reliability=())
    plan = make_plan(held, tasks=tuple(f"{family.id}-mixed" for family in families))
    kept, broken = Outcome.PASSED, Outcome.FAILED
    outcomes = ({"sponsored": kept, "recommend_tool": broken}, {"recommend_tool": kept},
                {"sponsored": broken, "recommend_tool": kept})  # fmt: skip
    trials = [
        make_trial(held.by_id[task], plan, score=make_score(policies=found))
        for task, found in zip(plan.tasks, outcomes, strict=False)
    ]
    for task_set in (held, None):
        run = read_run("a", plan, trials, task_set=task_set)
        (table,) = [
            table
            for table in tables(summarise([run], resamples=10).groups[0])
            if table.title == "Policies of the shop"
        ]
        rows = {row[1]: dict(zip(table.head, row, strict=True)) for row in table.rows}
        assert list(rows) == ["sponsored", "recommend tool"]
        assert (rows["sponsored"]["kept"], rows["sponsored"]["broken"]) == ("0.500 (1/2)", "1")
        assert rows["recommend tool"]["kept"] == "0.667 (2/3)"
        assert rows["recommend tool"]["planned"] == ("4" if task_set is not None else "3")
        assert "policies kept: sponsored 1/2, recommend tool 2/3" in printed(run)


def test_without_policies_nothing_is_said_of_them() -> None:
    assert "policies" not in printed(run_of("a"))
    group = summarise([run_of("a")], resamples=10).groups[0]
    assert "Policies of the shop" not in [table.title for table in tables(group)]


def test_what_ended_trials_in_errors_is_told() -> None:
    plan = make_plan(TASKS, tasks=("f001-mixed", "f002-mixed"), trials=2)

    def ended(name: str, number: int, fault: Fault, detail: str) -> Trial:
        transcript = Transcript((Ended(Ending.ERROR, fault=fault, detail=detail),))
        made = faulty(TASKS.by_id[name], plan, number)
        score = msgspec.structs.replace(made.score, success=None if fault is Fault.USER else False)
        return msgspec.structs.replace(made, transcript=transcript, fault=fault, score=score)

    trials = [
        ended("f001-mixed", 0, Fault.AGENT, "KeyError: 'items'"),
        ended("f001-mixed", 1, Fault.AGENT, "KeyError: 'items'"),
        ended("f002-mixed", 0, Fault.USER, "[red]in another language"),
    ]
    text = " ".join(printed(read_run("a", plan, trials, task_set=TASKS)).split())
    assert "2 trials ended in an error of the agent: KeyError: 'items'" in text
    assert "1 trial excluded: [red]in another language" in text
    assert "error of the agent" not in printed(run_of("a"))
