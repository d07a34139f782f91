"""The summary on a terminal: observations by name, and of several runs a row each."""

from __future__ import annotations

import io

from rich.console import Console

from mystery_shopper.report.recbench.console import observed_lines, print_summary
from mystery_shopper.report.recbench.observations import observations
from mystery_shopper.report.recbench.played import Played, read_played
from mystery_shopper.report.recbench.study import study

from .made import even, graded, ground_of, make_plan, make_run, make_set, make_trials

SET = make_set(12)


def printed(*runs: Played) -> list[str]:
    made = study(ground_of(*runs), resamples=100)
    console = Console(file=io.StringIO(), width=80)
    print_summary([made], [observations(made)], console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def test_one_run_is_told_type_by_type() -> None:
    lines = printed(make_run(SET, "graded", graded))
    firsts = [line.split()[0] for line in lines if line.strip()]
    for kind in ("explicit", "implicit", "misinformed", "interest", "demographics", "conditions"):
        assert kind in firsts
    assert not any("all conditions" in line for line in lines)
    assert not any("planned," in line for line in lines)
    assert max(map(len, lines)) <= 80


def test_of_several_runs_each_has_a_row() -> None:
    runs = [make_run(SET, f"run{n}", even, n, agent=f"agent{n}") for n in range(6)]
    lines, one = printed(*runs), printed(runs[0])
    count = f"{len(SET.queries)}/{len(SET.queries)}"
    firsts = [line.split()[0] for line in lines if count in line]
    assert firsts == [f"agent{n}" for n in range(6)]
    assert len([line for line in lines if "agent" not in line]) <= len(one) + 2
    assert max(map(len, lines)) <= 80


def test_an_address_stays_whole_in_a_row() -> None:
    addresses = [f"http://127.0.0.1:811{n}" for n in range(2)]
    runs = [make_run(SET, f"r{n}", even, n, agent=one) for n, one in enumerate(addresses)]
    lines = printed(*runs)
    assert sum(line.startswith(("127.0.0.1:8110 ", "127.0.0.1:8111 ")) for line in lines) == 2
    assert max(map(len, lines)) <= 80


def test_what_went_wrong_is_told_of_each_run() -> None:
    runs: list[Played] = []
    for number in range(2):
        plan = make_plan(SET, agent=f"agent{number}")
        trials = make_trials(SET, plan, even, number, faults=0.3)
        runs.append(read_played(f"run{number}", plan, trials, query_set=SET))
    lines = printed(*runs)
    assert any("agent1: " in line and "excluded" in line for line in lines)


def test_observations_are_named() -> None:
    made = study(ground_of(make_run(SET, "graded", graded)), resamples=100)
    text = " ".join(" ".join(observed_lines(observations(made))).split())
    untold = text.partition("cannot be told: ")[2].partition(": ")[0]
    assert "(1) agents differ on condition queries, " in untold
    assert " (4) the user's history" in untold
    assert max(map(len, observed_lines(observations(made)))) <= 80
