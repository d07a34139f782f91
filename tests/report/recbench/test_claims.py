"""Verdicts follow from differences and their intervals, and from nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mystery_shopper.report.recbench.asking import (
    agents_on_conditions,
    conditions,
    difficulty,
    history,
    history_pairs,
    of_kinds,
    profiles,
)
from mystery_shopper.report.recbench.claims import (
    FEWEST,
    Claim,
    Form,
    Question,
    Side,
    Verdict,
    judged,
    overall,
    verdict_of,
)
from mystery_shopper.report.recbench.historytable import history_table
from mystery_shopper.report.recbench.played import COLUMNS, Played
from mystery_shopper.report.recbench.study import study
from mystery_shopper.suites.recbench.metrics import NAMES, Scores, history_effect
from mystery_shopper.suites.recbench.query import Kind

from .made import even, graded, ground_of, make_run, make_set

SET = make_set(20)
GRADED = make_run(SET, "graded", graded)
EVEN = make_run(SET, "even", even, agent="keyword")


def scores_of(run: Played, kind: Kind) -> Scores:
    """The answers to one type as the metrics take them."""
    places = run.places(lambda one: one.kind == kind)
    return Scores(
        tuple(run.valid[place].asked.id for place in places),
        tuple(run.users[places].tolist()),
        run.free[places][:, : len(NAMES)],
    )


@pytest.mark.parametrize(
    ("form", "low", "high", "verdict"),
    [
        (Form.ABOVE, 0.01, 0.2, Verdict.SEEN),
        (Form.ABOVE, -0.01, 0.2, Verdict.UNTOLD),
        (Form.ABOVE, -0.2, -0.01, Verdict.NOT_SEEN),
        (Form.ABOVE, 0.0, 0.0, Verdict.NOT_SEEN),
        (Form.BELOW, -0.2, -0.01, Verdict.SEEN),
        (Form.BELOW, -0.2, 0.01, Verdict.UNTOLD),
        (Form.BELOW, 0.0, 0.0, Verdict.NOT_SEEN),
        (Form.ALIKE, -0.04, 0.05, Verdict.SEEN),
        (Form.ALIKE, -0.06, 0.05, Verdict.UNTOLD),
        (Form.ALIKE, 0.06, 0.2, Verdict.NOT_SEEN),
        (Form.DIFFERENT, 0.01, 0.2, Verdict.SEEN),
        (Form.DIFFERENT, -0.2, 0.1, Verdict.UNTOLD),
        (Form.DIFFERENT, -0.02, 0.02, Verdict.NOT_SEEN),
        (Form.LOW, 0.0, 0.05, Verdict.SEEN),
        (Form.LOW, 0.02, 0.09, Verdict.UNTOLD),
        (Form.LOW, 0.06, 0.09, Verdict.NOT_SEEN),
    ],
)
def test_the_rule(form: Form, low: float, high: float, verdict: Verdict) -> None:
    assert verdict_of(form, low, high) is verdict


def test_a_difference_that_holm_does_not_keep_is_not_seen() -> None:
    assert verdict_of(Form.DIFFERENT, 0.01, 0.2, 0.06) is Verdict.UNTOLD
    assert verdict_of(Form.DIFFERENT, 0.01, 0.2, 0.04) is Verdict.SEEN


def claim(verdict: Verdict) -> Claim:
    return Claim("run", "what", "cmr", False, False, None, None, None, verdict)


@pytest.mark.parametrize(
    ("verdicts", "found"),
    [
        ("sss", Verdict.SEEN),
        ("sun", Verdict.IN_PART),
        ("suuu", Verdict.IN_PART),
        ("su", Verdict.SEEN),
        ("nu", Verdict.NOT_SEEN),
        ("uu", Verdict.UNTOLD),
        ("", Verdict.UNTOLD),
    ],
)
def test_the_verdict_over_several(verdicts: str, found: Verdict) -> None:
    known = {"s": Verdict.SEEN, "n": Verdict.NOT_SEEN, "u": Verdict.UNTOLD}
    assert overall([claim(known[one]) for one in verdicts]) is found


def test_what_agents_do_decides() -> None:
    """The same questions of an agent that is graded as the paper saw, of one that is the other way
    round, and of one that is perfect at everything."""
    turned = make_run(SET, "turned", lambda one: 1 - graded(one))
    perfect = make_run(SET, "perfect", lambda _: 1.0)
    for run, figure, verdict in (
        (GRADED, "cmr", Verdict.SEEN),
        (turned, "cmr", Verdict.NOT_SEEN),
        (perfect, "cmr", Verdict.NOT_SEEN),
    ):
        found = judged(list(difficulty(ground_of(run))), "test", resamples=500)
        mine = [one for one in found if one.figure == figure and "implicit below" in one.what]
        assert [one.verdict for one in mine] == [verdict], run.name


def test_an_unpaired_difference_by_hand() -> None:
    (found,) = judged(
        [Question("r", "w", "cmr", Form.BELOW,
                  (of_kinds(GRADED, Kind.IMPLICIT), of_kinds(GRADED, Kind.EXPLICIT)))],
        "test", resamples=500,
    )  # fmt: skip
    sides = []
    for kind in (Kind.IMPLICIT, Kind.EXPLICIT):
        values = [
            one.score.figures.cmr for one in GRADED.valid
            if one.asked.kind == kind and one.score.figures.cmr is not None
        ]  # fmt: skip
        sides.append(sum(values) / len(values))
    assert (found.first, found.second) == (pytest.approx(sides[0]), pytest.approx(sides[1]))
    assert found.difference is not None
    assert found.difference.estimate == pytest.approx(sides[0] - sides[1])
    assert found.difference.low is not None
    assert found.difference.low < sides[0] - sides[1] < (found.difference.high or 0)


def test_a_paired_difference_rests_on_the_same_queries() -> None:
    sides = (of_kinds(EVEN, Kind.EXPLICIT), of_kinds(GRADED, Kind.EXPLICIT))
    question = Question("r", "w", "cmr", Form.DIFFERENT, sides, paired=True)
    (found,) = judged([question], "test", resamples=500)
    ours, theirs = (
        {one.asked.id: one.score.figures.cmr for one in run.valid if one.asked.kind == "explicit"}
        for run in (EVEN, GRADED)
    )
    both = [
        (mine, other) for query, mine in ours.items()
        if mine is not None and (other := theirs[query]) is not None
    ]  # fmt: skip
    assert found.difference is not None
    assert found.difference.tasks == len(both)
    assert found.difference.estimate == pytest.approx(
        sum(mine - other for mine, other in both) / len(both)
    )


def test_the_history_s_effect_is_that_of_the_metrics() -> None:
    given = make_run(SET, "given", graded, 3, history=True)
    ground = ground_of(GRADED, given)
    assert [(a.label, b.label) for a, b in history_pairs(ground)] == [
        ("graph · with history", "graph · without history")
    ]
    found = judged(list(history(ground)), "test", resamples=500)
    table = history_table(study(ground, resamples=200))
    for kind in (Kind.EXPLICIT, Kind.MISINFORMED):
        effect = history_effect(scores_of(given, kind), scores_of(GRADED, kind), "cmr",
                                resamples=200)  # fmt: skip
        mine = next(one for one in found if one.what.startswith(f"CMR: {kind.value},"))
        assert mine.paired
        assert mine.difference is not None
        assert mine.difference.estimate == pytest.approx(effect.estimate)
        row = next(row for row in table.rows if row[1] == kind.value)
        assert row[table.head.index("CMR")].startswith(f"{effect.estimate:+.3f} ")


def test_too_few_users_tell_nothing() -> None:
    users = sorted({one.user for one in SET.queries})[: FEWEST - 1]
    few, some = (
        Side(GRADED, GRADED.places(lambda one, kind=kind: one.kind == kind and one.user in users))
        for kind in (Kind.EXPLICIT, Kind.MISINFORMED)
    )
    (found,) = judged(
        [Question("r", "w", "recall_own", Form.ABOVE, (few, some))], "test", resamples=200
    )
    assert found.verdict is Verdict.UNTOLD
    assert found.why == "fewer than 6 users"


def test_an_empty_side_tells_nothing() -> None:
    nobody = Side(GRADED, GRADED.places(lambda _: False))
    sides = (of_kinds(GRADED, Kind.EXPLICIT), nobody)
    (found,) = judged([Question("r", "w", "cmr", Form.ABOVE, sides)], "test", resamples=50)
    assert (found.verdict, found.difference) == (Verdict.UNTOLD, None)
    assert found.why == "nothing is scored on one side"


def test_more_conditions_are_asked_of_every_type_in_the_paper_s_direction() -> None:
    asked = list(conditions(ground_of(GRADED)))
    assert len(asked) == 9
    falling = [one.what for one in asked if one.form is Form.BELOW]
    assert falling == ["CMR: explicit, 3-4 conditions below 1"]
    assert {one.form for one in profiles(ground_of(GRADED))} == {Form.BELOW, Form.ALIKE}


def test_equal_inputs_give_equal_claims() -> None:
    first, second = (
        judged(list(difficulty(ground_of(GRADED))), "test", resamples=300) for _ in range(2)
    )
    assert first == second
    assert COLUMNS[-1] == "success"


def test_at_the_floor_nothing_can_be_told_and_the_margin_is_named() -> None:
    low = make_run(SET, "low", lambda _: 0.0)
    other = make_run(SET, "other", lambda _: 0.0, 2, agent="keyword")
    ground = ground_of(low, other)
    for ask in (difficulty, profiles, agents_on_conditions, conditions):
        found = judged(list(ask(ground)), "test", resamples=300)
        told = {(one.verdict, one.why) for one in found if one.figure != "failed"}
        assert told == {(Verdict.UNTOLD, "all at the floor: within 0.05 of 0")}, ask
    assert not [one for one in found if one.figure == "failed" and one.why]
    whats = [one.what for one in profiles(ground)]
    assert "precision: demographics and interest alike (within 0.05)" in whats


def test_an_agent_that_never_recommends_is_at_the_floor_of_ftr() -> None:
    sides = (of_kinds(GRADED, Kind.MISINFORMED), of_kinds(GRADED, Kind.EXPLICIT))
    question = Question("r", "w", "failed", Form.ABOVE, sides)
    silent = GRADED.free.copy()
    silent[:, COLUMNS.index("failed")] = 1.0
    run = replace(GRADED, answers=GRADED.answers)
    run.__dict__["free"] = silent
    muted = replace(question, sides=tuple(Side(run, one.places) for one in sides))
    (found,) = judged([muted], "test", resamples=200)
    assert (found.verdict, found.why) == (Verdict.UNTOLD, "all at the floor: within 0.05 of 1")


def test_one_side_above_the_margin_is_no_floor() -> None:
    low = make_run(SET, "low", lambda one: 0.9 if one.kind is Kind.EXPLICIT else 0.0)
    found = judged(list(difficulty(ground_of(low))), "test", resamples=300)
    by_what = {one.what: one for one in found}
    assert by_what["CMR: implicit below explicit"].verdict is Verdict.SEEN
    assert by_what["CMR: misinformed below explicit"].verdict is Verdict.SEEN
    assert by_what["CMR: misinformed below implicit"].verdict is Verdict.UNTOLD
    assert by_what["CMR: misinformed below implicit"].why == "all at the floor: within 0.05 of 0"


def test_agents_that_do_not_differ_are_alike_within_the_margin_that_is_named() -> None:
    twin = make_run(SET, "twin", graded, agent="keyword")
    found = judged(list(agents_on_conditions(ground_of(GRADED, twin))), "test", resamples=300)
    assert {(one.verdict, one.why) for one in found} == {
        (Verdict.NOT_SEEN, "alike within 0.05"),
    }
