"""Two runs of recbench side by side: its measures, its users as clusters, and what is refused."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from tests.engine.requested import asked, plan_over, queries, shop

from mystery_shopper.dialogue import Fault
from mystery_shopper.engine import RunFolder, Trial, Wishes, make_plan, sweep
from mystery_shopper.engine.suites import Score
from mystery_shopper.foundation import InputError
from mystery_shopper.report.comparing import asked_in, compare, junit, markdown, measures_of
from mystery_shopper.report.comparing.plans import contrasted
from mystery_shopper.report.comparing.reading import read_pair, write_pair
from mystery_shopper.report.comparing.shown import print_comparison
from mystery_shopper.report.comparing.written import cells, linked, notes, verdicts
from mystery_shopper.report.recbench.comparing import READINGS
from mystery_shopper.report.rows import RunOf, read_scored

READ = measures_of("recbench")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shop(tmp_path_factory.mktemp("shop") / "few")


@pytest.fixture(scope="module")
def folders(place: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[RunFolder, RunFolder]:
    """The oracle and the popularity agent, on all sixty queries."""
    path = tmp_path_factory.mktemp("runs")
    one, two = (asked(path / a, place, a, only=()) for a in ("oracle", "popularity"))
    return one, two


@pytest.fixture(scope="module")
def pair(folders: tuple[RunFolder, RunFolder]) -> tuple[RunOf[Score], RunOf[Score]]:
    return read_pair(*folders)


def values(folder: RunFolder, name: str, kind: str = "") -> dict[str, float]:
    """Query -> what a measure reads of its only trial, where it reads anything."""
    found = {t.task: READINGS[name](t.requested) for t in folder.trials() if kind in t.condition}
    return {task: value for task, value in found.items() if value is not None}


def test_differences_are_of_the_same_queries_and_draw_users(
    folders: tuple[RunFolder, RunFolder], pair: tuple[RunOf[Score], RunOf[Score]]
) -> None:
    found = compare(*pair, resamples=300)
    assert (found.factor, found.paired) == ("agent", 60)
    names = [str(one.measure) for one in found.differences]
    assert names[:6] == ["success", "precision", "recall", "cmr", "ftr", "hallucinated"]
    assert names[6:] == [f"success@{kind}" for kind in pair[0].conditions]
    for one in found.differences:
        name, _, kind = str(one.measure).partition("@")
        before, after = (values(folder, name, kind) for folder in folders)
        both = before.keys() & after.keys()
        wanted = math.fsum(after[task] - before[task] for task in both) / len(both)
        assert one.result.estimate == pytest.approx(wanted), name
        assert one.result.tasks == len(both)
        assert one.result.clusters == len({queries().by_id[task].user for task in both})
    assert len({query.user for query in queries().queries}) < 60


def test_conditions_fail_hold_and_are_written(pair: tuple[RunOf[Score], RunOf[Score]]) -> None:
    texts = ("cmr < -0.05", "precision@implicit < -0.05", "ftr > 0.1")
    found = compare(*pair, [asked_in(text).of(READ) for text in texts], resamples=300)
    assert [kind for kind, _ in verdicts(found)] == ["failed", "failed", "held"]
    root = ElementTree.fromstring(junit(found, "page.html"))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "2", "0")
    text = markdown(found, "page.html")
    assert (
        "| measure | base | candidate | diff. | 95 % interval | p | detectable | queries |" in text
    )
    assert "queries lost" in text
    assert "page.html#trial/oracle/explicit-1-001%230" in text
    told = " ".join(notes(found))
    assert "60 queries paired by id" in told
    assert "users resampled 300 times" in told
    assert "families" not in told + text


def test_it_is_printed_in_the_suites_words(
    pair: tuple[RunOf[Score], RunOf[Score]], capsys: pytest.CaptureFixture[str]
) -> None:
    print_comparison(compare(*pair, resamples=300))
    shown = capsys.readouterr().out
    assert "users" in shown.splitlines()[1]
    assert "queries lost:" in shown
    assert "off condition" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_measures_of_the_other_suite_are_none(pair: tuple[RunOf[Score], RunOf[Score]]) -> None:
    for text, told in (
        ("elicited < -0.1", "'elicited' is no measure of recbench"),
        ("recal < 1", "'recal' is no measure of recbench; did you mean 'recall'?"),
        ("cmr@explict < -0.1", "'explict' is no type of query; did you mean 'explicit'?"),
        ("pass^2 < -0.1", "no measure of recbench"),
        ("cmr@hidden < -0.1", "'hidden' is no type of query"),
    ):
        with pytest.raises(InputError, match=told.replace("^", r"\^")):
            asked_in(text).of(READ)
    with pytest.raises(InputError, match="'cmr' is no measure"):
        asked_in("cmr < -0.1").of(measures_of("tau_rec"))
    only = RunOf(
        pair[0].name, pair[0].plan,
        tuple(task for task in pair[0].tasks if task.condition != "implicit"), pair[0].rows,
    )  # fmt: skip
    with pytest.raises(InputError, match="share no query of the type of query 'implicit'"):
        compare(only, pair[1], [asked_in("cmr@implicit < -0.1").of(READ)], resamples=100)


def test_runs_of_two_suites_are_refused(
    folders: tuple[RunFolder, RunFolder], tmp_path: Path
) -> None:
    other = RunFolder(tmp_path / "disclosed")
    sweep(make_plan(Wishes(agent="null", only=("f001-mixed",))), other)
    for one, two in ((folders[0], other), (other, folders[0])):
        with pytest.raises(InputError, match="is a run of recbench"):
            read_pair(one, two)
        with pytest.raises(InputError, match="recbench"):
            contrasted(one.plan(), two.plan())
    with pytest.raises(InputError, match="named 2 times"):
        read_pair(folders[0], folders[0])


@pytest.mark.parametrize(
    ("changes", "factor"),
    [
        ({"history": True}, "history"),
        ({"k": 5}, "items asked for"),
        ({"interface": "bare"}, "interface"),
        ({"agent": "graph"}, "agent"),
        ({}, ""),
    ],
)
def test_the_factors_are_the_suites_own(changes: dict[str, Any], factor: str, place: Path) -> None:
    base = plan_over(place)
    assert contrasted(base, plan_over(place, **changes)) == factor


def test_two_factors_are_refused_by_name(place: Path) -> None:
    with pytest.raises(InputError) as told:
        contrasted(plan_over(place), plan_over(place, history=True, k=5))
    text = str(told.value)
    assert "history: not handed over and handed over" in text
    assert "items asked for: any number and 5" in text
    assert "tool line" not in text


def test_unscored_and_excluded_trials_turn_nothing_over(place: Path) -> None:
    plan = plan_over(place, "oracle")
    run = asked(place.parent / "again", place, "oracle")
    trials: list[Trial] = list(run.trials())
    change = msgspec.structs.replace
    unscored = change(trials[0], score=change(trials[0].requested, success=None))
    lost = change(trials[1], fault=Fault.INFRASTRUCTURE)
    base = read_scored("base", plan, trials)
    after = read_scored("after", plan, [unscored, lost, *trials[2:]])
    found = compare(base, after, resamples=100)
    assert found.flips == ()
    assert (found.paired, found.valid) == (10, 8)
    assert found.candidate_counts.excluded == 1
    precision = next(one for one in found.differences if one.measure.name == "precision")
    assert precision.result.tasks == 9


def test_queries_that_nobody_tells_of_still_pair(place: Path) -> None:
    plan = plan_over(place, "oracle")
    trials = list(asked(place.parent / "once more", place, "oracle").trials())
    half = read_scored("half", plan, trials[:5])
    assert [task.condition for task in half.tasks[5:]] == [""] * 5
    known = read_scored("half", plan, trials[:5], tasks=queries())
    assert [task.family for task in known.tasks] == [queries().by_id[t].user for t in plan.tasks]
    found = compare(known, read_scored("whole", plan, trials), resamples=100)
    assert (found.paired, found.valid, found.unfinished) == (10, 5, ("base",))


def test_the_page_holds_both_runs(folders: tuple[RunFolder, RunFolder], tmp_path: Path) -> None:
    demand = asked_in("recall < -0.05").of(READ)
    found = compare(*read_pair(*folders), [demand], resamples=100)
    first = {(place, key) for flip in linked(found) for place, key in enumerate(flip.trials)}
    write_pair(*folders, tmp_path / "page.html", first, found)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "oracle" in text
    assert "popularity" in text
    shown = text[text.index('id="differences"') : text.index('id="questions"')]
    assert '<strong class="failure">failed</strong>: recall &lt; -0.05: -' in shown
    for one in found.differences:
        measure, _, _, difference, interval, *_ = cells(one)
        row = shown[shown.index(f'<th scope="row">{measure}</th>') :]
        assert row.index(f"{difference} <small>{interval}</small>") < row.index("</tr>")
    assert " users resampled 100 times" in shown


def test_every_link_to_a_trial_that_turned_over_leads_to_it(
    folders: tuple[RunFolder, RunFolder], tmp_path: Path
) -> None:
    found = compare(*read_pair(*folders), resamples=100)
    first = {(place, key) for flip in linked(found) for place, key in enumerate(flip.trials)}
    write_pair(*folders, tmp_path / "page.html", first, found)
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    links = set(re.findall(r'href="#(trial/[^"]+)"', text))
    there = set(re.findall(r' id="(trial/[^"]+)"', text))
    wanted = set(re.findall(r"#(trial/[^)]+)\)", markdown(found, "page.html")))
    assert links
    assert links <= there
    assert wanted <= there
