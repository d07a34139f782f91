"""Which trials the page shows, and what it says of each."""

from __future__ import annotations

from pathlib import Path

from mystery_shopper.dialogue import Fault
from mystery_shopper.report.recbench.grounds import grounds
from mystery_shopper.report.recbench.reading import read_folders
from mystery_shopper.report.recbench.trials import MOST_TITLES, chosen, shown, tally
from mystery_shopper.suites.recbench.query import Kind

from .made import ITEMS, TITLES, even, make_folder, make_plan, make_set, make_trial, make_trials

SET = make_set(8)
PLAN = make_plan(SET)


def test_failures_come_first_the_types_take_turns(tmp_path: Path) -> None:
    trials = make_trials(SET, PLAN, even, faults=0.1)
    folder = make_folder(tmp_path / "run", PLAN, trials)
    (ground,) = grounds(read_folders([folder], {SET.name: SET}))
    ranks = chosen([ground], 40)
    assert sorted(ranks.values()) == list(range(40))
    by_key = {one.key: one for one in ground.members[0].played.answers}
    order = [by_key[key] for _, key in sorted(ranks, key=lambda one: ranks[one])]
    assert {one.outcome for one in order[:20]} == {"failure"}
    assert len({one.asked.kind for one in order[:5]}) == 5
    asked = {("run", order[-1].key)}
    assert chosen([ground], 40, asked)["run", order[-1].key] == 0
    everything = chosen([ground], 10_000)
    outcomes = [by_key[key].outcome for _, key in sorted(everything, key=lambda o: everything[o])]
    assert outcomes == sorted(outcomes, key=["failure", "unscored", "excluded", "success"].index)
    assert len(outcomes) == len(trials)


def test_a_trial_tells_what_every_title_came_to(tmp_path: Path) -> None:
    query = next(one for one in SET.queries if one.kind is Kind.MISINFORMED)
    other = next(item for item in query.matching if item not in query.own)
    wrong = next(item for item in ITEMS if item not in (*query.matching, *query.named))
    items = (query.own[0], other, wrong, query.named[0], "A Film That Nobody Made")
    trial = make_trial(query, PLAN, items=items, words="Try <i>these</i>.")
    folder = make_folder(tmp_path / "run", PLAN, [trial])
    found = grounds(read_folders([folder], {SET.name: SET}))
    (one,) = shown(found, {"run": folder}, {"run": TITLES})
    assert [(came.verdict, came.good) for came in one.came] == [
        ("in the user's own group", True),
        ("meets all conditions", True),
        ("breaks a condition", False),
        ("named in the request: counts neither way", None),
        ("no item bears it", False),
    ]
    assert one.answer == "Try <i>these</i>."
    assert one.request == query.text
    assert one.own == tuple(TITLES[item] for item in query.own)
    assert set(one.own).isdisjoint(one.matching)
    assert f"wrongly claimed of {TITLES[query.named[0]]}" in one.conditions[0]
    assert dict(one.figures)["precision"] == "0.250"
    assert dict(one.figures)["hallucinated"] == "0.250"
    assert tally(found, [one]) == "1 of 1 failures"


def test_without_the_set_or_the_titles_the_trial_stands_as_it_is(tmp_path: Path) -> None:
    query = SET.queries[0]
    folder = make_folder(tmp_path / "run", PLAN, [make_trial(query, PLAN, items=query.own)])
    (one,) = shown(grounds(read_folders([folder])), {"run": folder}, {})
    assert one.request == query.text
    assert [came.item for came in one.came] == list(query.own)
    assert {came.verdict for came in one.came} == {""}
    assert one.own == one.matching == one.conditions == ()


def test_long_answers_and_lists_are_bounded(tmp_path: Path) -> None:
    query = SET.queries[0]
    trial = make_trial(query, PLAN, items=ITEMS[:90], words="word " * 5_000)
    fault = make_trial(SET.queries[1], PLAN, fault=Fault.USER)
    folder = make_folder(tmp_path / "run", PLAN, [trial, fault])
    one, other = shown(grounds(read_folders([folder])), {"run": folder}, {})
    assert (len(one.answer), one.answer_full) == (4_000, 25_000)
    assert (len(one.came), one.more) == (MOST_TITLES, 90 - MOST_TITLES)
    assert (other.outcome, other.mark) == ("excluded", "fault of the user")
    assert other.trouble == "503 Overloaded"
