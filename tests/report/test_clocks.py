"""Latency, HTTP statuses, tokens and money: what `timings.jsonl` tells, and does not."""

from __future__ import annotations

import io
import random
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import Trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.report.clocks import Clocks, gather, together
from mystery_shopper.report.console import print_summary
from mystery_shopper.report.latency import latency
from mystery_shopper.report.page import read_folders, write_report
from mystery_shopper.report.spending import spending
from mystery_shopper.report.summary import Group, summarise
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import duration, money

from .factory import faulty, make_folder, make_plan, make_task_set, make_trial

TASKS = make_task_set(4)
PLAN = make_plan(TASKS, conditions=("mixed",), tasks=tuple(f"f00{n}-mixed" for n in range(4)))
KEYS = [f"{task}#0" for task in PLAN.tasks]


def trials(excluded: int = 1) -> list[Trial]:
    """Four trials; the last are excluded."""
    tasks = [TASKS.by_id[task] for task in PLAN.tasks]
    kept = len(tasks) - excluded
    return [
        *(make_trial(task, PLAN) for task in tasks[:kept]),
        *(faulty(task, PLAN) for task in tasks[kept:]),
    ]


def folder(path: Path, timings: list[Timing] | None, excluded: int = 1) -> RunFolder:
    made = make_folder(path, PLAN, trials(excluded))
    made.timings_file.unlink(missing_ok=True)
    if timings is not None:
        lines = (msgspec.json.encode(timing) + b"\n" for timing in timings)
        made.timings_file.write_bytes(b"".join(lines))
    return made


def group_of(*folders: RunFolder) -> Group:
    (group,) = summarise(read_folders(folders), resamples=10).groups
    return group


def cells(table: Table, place: int = 0) -> dict[str, str]:
    return dict(zip(table.head, table.rows[place], strict=True))


def printed(*folders: RunFolder) -> str:
    stream = io.StringIO()
    summary = summarise(read_folders(folders), resamples=10)
    print_summary(summary, Console(file=stream, width=80))
    assert max(map(len, stream.getvalue().splitlines())) <= 80
    return " ".join(stream.getvalue().split())


def timed(place: int, *turns: float, **more: object) -> Timing:
    return msgspec.structs.replace(Timing(KEYS[place], turns, turns=turns), **more)


def test_latency_is_over_the_turns_of_valid_trials(tmp_path: Path) -> None:
    timings = [timed(0, 0.1, 0.2), timed(1, 0.3, 0.4), timed(2, 1.5), timed(3, 99.0)]
    run = folder(tmp_path / "run", timings)
    (table,) = latency(group_of(run))
    row = cells(table)
    assert (row["p50"], row["p95"], row["turns"], row["timed trials"]) == (
        "300 ms",
        "1.50 s",
        "5",
        "3",
    )
    assert (row["planned"], row["valid"], row["excluded"]) == ("4", "3", "1")
    assert "remark" not in row
    assert "agent's turn: p50 300 ms, p95 1.50 s (5 turns of 3 trials)" in printed(run)


@given(st.lists(st.floats(0, 1e4), min_size=1, max_size=60), st.floats(0.01, 1))
def test_a_percentile_is_the_least_turn_that_so_many_do_not_exceed(
    turns: list[float], share: float
) -> None:
    found = gather([Timing("a#0", (), turns=tuple(turns))], {"a#0": True}).turn(share)
    reaching = [one for one in turns if sum(t <= one for t in turns) >= share * len(turns)]
    assert found == min(reaching)


def test_statuses_are_counted_over_every_trial(tmp_path: Path) -> None:
    timings = [
        timed(0, 0.1, statuses={"200": 2}),
        timed(1, 0.1, statuses={"503": 1, "200": 1}),
        timed(3, 0.1, statuses={"429": 4, "no reply": 1}),
    ]
    run = folder(tmp_path / "run", timings)
    told = "200: 3, 429: 4, 503: 1, no reply: 1"
    assert cells(latency(group_of(run))[0])["HTTP statuses"] == told
    assert f"HTTP {told}" in printed(run)


@pytest.mark.parametrize(
    ("timings", "excluded", "why"),
    [
        (None, 1, "no clock readings"),
        ([], 1, "no clock readings"),
        ([timed(3, 0.5)], 1, "no clock readings"),
        ([Timing(KEYS[0], (0.5,))], 1, "timed by act, not by turn"),
        ([timed(0, 0.5)], 4, "no valid trial"),
    ],
)
def test_where_nothing_was_timed_there_is_a_dash_and_why(
    tmp_path: Path, timings: list[Timing] | None, excluded: int, why: str
) -> None:
    run = folder(tmp_path / "run", timings, excluded)
    row = cells(latency(group_of(run))[0])
    assert (row["p50"], row["p95"], row["turns"], row["remark"]) == ("–", "–", "0", why)
    assert f"agent's turn: – ({why})" in printed(run)
    assert "nan" not in printed(run)


def test_odd_lines_are_passed_over(tmp_path: Path) -> None:
    """A torn last line, one that is no timing, a trial told of twice, and one of no trial here."""
    good = [timed(0, 0.1, usage={"agent": Usage(1, 10, 0, 1, 0.5)}), timed(1, 0.3)]
    odd = [timed(0, 7.0), Timing("nobody#9", (9.0,), {"agent": Usage(9, 9, 9, 9)}, turns=(9.0,))]
    run = folder(tmp_path / "run", [*good, *odd])
    with run.timings_file.open("ab") as file:
        file.write(b'{"trial": 5}\n\xff\xfe\n[]\n\n')
        file.write(msgspec.json.encode(timed(2, 5.0))[:-9])
    row = cells(latency(group_of(run))[0])
    assert (row["p50"], row["p95"], row["turns"]) == ("100 ms", "300 ms", "2")
    assert row["remark"] == "1 reading of no trial here left out"
    assert cells(spending(group_of(run))[0])["input"] == "10"
    page = write_report([run], tmp_path / "page.html")
    assert "100 ms" in page.read_text(encoding="utf-8")


def test_many_runs_some_without_timings(tmp_path: Path) -> None:
    folders = [
        folder(tmp_path / f"run{n}", None if n % 2 else [timed(0, n / 10 + 0.1)]) for n in range(12)
    ]
    (table,) = latency(group_of(*folders))
    assert len(table.rows) == 12
    told = [(cells(table, n)["p50"], cells(table, n)["remark"]) for n in range(3)]
    assert told == [("100 ms", ""), ("–", "no clock readings"), ("300 ms", "")]
    write_report(folders, tmp_path / "page.html")


def test_tokens_and_money_by_party(tmp_path: Path) -> None:
    agent = {"agent": Usage(2, 100, 50, 10, 0.25), "user": Usage(1, 30, 0, 3, 0.01)}
    judged = {**agent, "judge": Usage(1, 7, 0, 1, 0.125)}
    timings = [timed(0, 1.0, usage=agent), timed(1, 1.0, usage=judged), timed(3, 1.0, usage=agent)]
    run = folder(tmp_path / "run", timings)
    (table,) = spending(group_of(run))
    names = ["calls", "input", "cached", "output", "cost", "metered trials"]
    found = {
        row[1:3]: [cells(table, n)[name] for name in names] for n, row in enumerate(table.rows)
    }
    # Three trials are metered; the last of them is excluded, so that two are valid.
    assert found == {
        ("agent", "in all"): ["6", "300", "150", "30", "$0.7500", "3"],
        ("agent", "a valid trial"): ["2", "100", "50", "10", "$0.2500", "2"],
        ("user", "in all"): ["3", "90", "0", "9", "$0.0300", "3"],
        ("user", "a valid trial"): ["1", "30", "0", "3", "$0.0100", "2"],
        ("judge", "in all"): ["1", "7", "0", "1", "$0.1250", "3"],
        ("judge", "a valid trial"): ["0.50", "3.50", "0", "0.50", "$0.0625", "2"],
        ("all", "in all"): ["10", "397", "150", "40", "$0.9050", "3"],
        ("all", "a valid trial"): ["3.50", "134", "50", "14", "$0.3225", "2"],
    }
    text = printed(run)
    assert "agent's tokens: 300 in (+ 150 cached), 30 out, $0.7500" in text
    assert "a valid trial: 100 in (+ 50 cached), 10 out, $0.2500" in text
    assert "all tokens: 397 in (+ 150 cached), 40 out, $0.9050" in text


def test_an_unknown_price_is_unknown_and_never_nothing(tmp_path: Path) -> None:
    known, unknown = Usage(1, 10, 0, 1, 0.5), Usage(1, 10, 0, 1, None)
    timings = [
        timed(0, 1.0, usage={"agent": known, "user": known}),
        timed(1, 1.0, usage={"agent": unknown, "user": known}),
    ]
    run = folder(tmp_path / "run", timings)
    (table,) = spending(group_of(run))
    costs = {row[1:3]: cells(table, n)["cost"] for n, row in enumerate(table.rows)}
    assert costs["agent", "in all"] == costs["agent", "a valid trial"] == "unknown"
    assert costs["user", "in all"] == "$1.00"
    assert costs["all", "in all"] == "unknown"
    assert "cost unknown" in printed(run)
    assert money(None) == "unknown"


def test_a_run_without_models_has_no_table_of_tokens(tmp_path: Path) -> None:
    run = folder(tmp_path / "run", [timed(0, 1.0)])
    assert spending(group_of(run)) == []
    assert "tokens" not in printed(run)


def test_a_model_that_was_not_metered_has_dashes(tmp_path: Path) -> None:
    plan = msgspec.structs.replace(PLAN, agent="model:some/one", user="model:some/two")
    run = make_folder(tmp_path / "run", plan, [make_trial(TASKS.by_id[PLAN.tasks[0]], plan)])
    (table,) = spending(group_of(run))
    assert [row[1:3] for row in table.rows] == [
        ("agent", "in all"),
        ("agent", "a valid trial"),
        ("user", "in all"),
        ("user", "a valid trial"),
    ]
    assert {cells(table, n)["cost"] for n in range(4)} == {"–"}
    assert "agent's tokens: – (nothing was metered)" in printed(run)


def test_the_order_of_the_lines_does_not_matter() -> None:
    rng = random.Random(5)
    timings = [
        Timing(f"t#{n}", (), {"agent": Usage(1, n, n, n, rng.random())}, {}, (rng.random(),))
        for n in range(200)
    ]
    valid = {timing.trial: n % 3 > 0 for n, timing in enumerate(timings)}
    first = gather(timings, valid)
    rng.shuffle(timings)
    assert gather(timings, valid) == first
    assert gather([], {}) == Clocks()
    assert together([]) == Usage()


def test_pages_of_runs_that_differ_in_clock_readings_differ_in_these_alone(tmp_path: Path) -> None:
    def page(name: str, *turns: float) -> str:
        run = folder(tmp_path / name / "run", [timed(0, *turns), timed(1, 0.5)])
        return write_report([run], tmp_path / name / "page.html").read_text(encoding="utf-8")

    first, again, other = page("a", 0.1, 0.4), page("b", 0.1, 0.4), page("c", 12.25, 17.0)
    assert first == again
    assert first != other
    table = re.compile(r'aria-label="Latency".*?</table>', re.DOTALL)
    assert table.sub("", strip(first)) == table.sub("", strip(other))
    (shown,) = table.findall(other)
    assert "12.25 s" in shown


def strip(page: str) -> str:
    """Without the clocks of single trials."""
    return re.sub(r'"clock":\{.*?\}', "", page)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, "–"),
        (0.0, "0.0 ms"),
        (0.00042, "0.4 ms"),
        (0.2031, "203 ms"),
        (1.344, "1.34 s"),
        (134.4, "134 s"),
    ],
)
def test_waits_in_words(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("dollars", "text"),
    [
        (None, "unknown"),
        (0.0, "$0.00"),
        (0.00001, "< $0.0001"),
        (0.01234, "$0.0123"),
        (1234.5, "$1,234.50"),
    ],
)
def test_money_in_words(dollars: float | None, text: str) -> None:
    assert money(dollars) == text


def test_the_note_says_that_a_turn_may_take_several_requests(tmp_path: Path) -> None:
    (table,) = latency(group_of(folder(tmp_path / "run", None)))
    assert "It may take several requests to a server" in table.note
