"""Measures of the suite in the comparison's own terms."""

from __future__ import annotations

import math

import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.report.comparing import compare
from mystery_shopper.report.comparing.demand import Demand
from mystery_shopper.report.comparing.measures import Measure
from mystery_shopper.report.recbench.comparing import READINGS, measure
from mystery_shopper.report.rows import read_scored
from mystery_shopper.suites.recbench.query import Kind
from mystery_shopper.suites.recbench.score import RecBenchScore

from .made import graded, make_plan, make_score, make_set, make_trials

SET = make_set(12)


def test_every_measure_by_hand() -> None:
    query = next(one for one in SET.queries if one.kind is Kind.MISINFORMED)
    score = make_score(query, (*query.own, "A Film That Nobody Made"), names=True)
    size = len(query.own) + 1
    wanted = {
        "success": 0.0,
        "precision": len(query.own) / size,
        "recall": 1.0,
        "precision-all": len(query.own) / size,
        "recall-all": len(query.own) / len(query.matching),
        "cmr": len(query.own) / size,
        "ftr": 0.0,
        "names-mistake": 1.0,
        "hallucinated": 1 / size,
        "calls": 1.0,
        "tool-errors": 0.0,
    }
    for name, value in wanted.items():
        assert measure(name, "--fail-if").of_scores([score]) == pytest.approx(value), name
    assert READINGS.keys() - wanted == {"novelty", "diversity"}
    assert measure("novelty", "").of_scores([score]) > 0
    assert 0 <= measure("diversity", "").of_scores([score]) <= 1


def test_what_is_unscored_is_no_number() -> None:
    profile = next(one for one in SET.queries if one.kind is Kind.INTEREST)
    empty = make_score(profile, ())
    assert math.isnan(measure("cmr", "").of_scores([empty]))
    assert math.isnan(measure("precision", "").of_scores([empty]))
    assert measure("ftr", "").of_scores([empty]) == 1
    full = make_score(profile, profile.own)
    assert measure("precision", "").of_scores([empty, full]) == 1
    assert measure("ftr", "").of_scores([empty, full]) == 0.5


def test_names_and_types() -> None:
    one = measure("cmr@implicit", "--fail-if")
    assert isinstance(one, Measure)
    assert (str(one), one.condition, one.is_share) == ("cmr@implicit", "implicit", True)
    assert not measure("novelty", "").is_share
    with pytest.raises(InputError, match="'turns' is no measure of recbench"):
        measure("turns", "--fail-if")
    with pytest.raises(InputError, match="'hidden' is no type of query"):
        measure("cmr@hidden", "--fail-if")


def test_a_comparison_takes_them() -> None:
    plan = make_plan(SET)
    base, worse = (
        read_scored(name, plan, make_trials(SET, plan, skill, 5))
        for name, skill in (("base", graded), ("worse", lambda _: 0.1))
    )
    demand = Demand(measure("cmr@explicit", "--fail-if"), "<", -0.05)
    found = compare(base, worse, [demand], resamples=500)
    (failed,) = found.failed
    assert failed.measure == demand.measure
    values = []
    for run in (base, worse):
        rows = [row for row in run.rows if row.condition == "explicit"]
        scores = {row.task: row.score for row in rows}
        assert all(isinstance(one, RecBenchScore) for one in scores.values())
        values.append({task: one.figures.cmr for task, one in scores.items()})
    both = [
        after - before for task, before in values[0].items()
        if before is not None and (after := values[1][task]) is not None
    ]  # fmt: skip
    assert failed.result.estimate == pytest.approx(sum(both) / len(both))
