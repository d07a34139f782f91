"""The figures of many answers: means, counts and intervals, held against plain ones."""

from __future__ import annotations

import math
from statistics import fmean

import msgspec
import pytest

from mystery_shopper.dialogue import Ending
from mystery_shopper.statistics import cluster_bootstrap
from mystery_shopper.suites.recbench.metrics import NAMES
from mystery_shopper.suites.recbench.score import Figures, RecBenchScore
from mystery_shopper.suites.recbench.summary import (
    ALL,
    CONDITIONS,
    Entry,
    summarise,
    summarise_groups,
)


def entry(number: int, kind: str, width: str, user: str, cmr: float | None, five: float) -> Entry:
    free = Figures(cmr=cmr, cmr_with_empty=cmr or 0.0, failed=float(cmr is None), recommended=3.0)
    score = RecBenchScore(
        None, Ending.FINISHED, None, free, Figures(cmr=five), (), False, 1, 0, 0
    )  # fmt: skip
    return Entry(f"q{number}", kind, width, user, score)


ENTRIES = [
    entry(0, "explicit", "1", "a", 1.0, 1.0),
    entry(1, "explicit", "1", "a", 0.5, 0.25),
    entry(2, "explicit", "1", "b", None, 0.0),
    entry(3, "explicit", "3-4", "b", 0.2, 0.2),
    entry(4, "misinformed", "2", "c", 0.0, 0.0),
    entry(5, "interest", "", "interest 1", None, 0.0),
]


def test_rows_stand_by_cell_then_kind_then_all() -> None:
    rows = summarise(ENTRIES, 0, resamples=200)
    assert [(row.kind, row.width, row.answered) for row in rows] == [
        ("explicit", "1", 3),
        ("explicit", "3-4", 1),
        ("misinformed", "2", 1),
        ("interest", "", 1),
        ("explicit", "", 4),
        (CONDITIONS, "", 5),
        (ALL, "", 6),
    ]
    assert all(row.missing == 0 and set(row.free) == set(NAMES) for row in rows)


def test_means_are_over_scored_answers_and_intervals_draw_users() -> None:
    rows = {(row.kind, row.width): row for row in summarise(ENTRIES, 3, resamples=500)}
    row = rows["explicit", "1"]
    assert row.users == 2
    assert row.free["cmr"].estimate == fmean([1.0, 0.5])
    assert (row.free["cmr"].scored, row.free["cmr"].unscored, row.free["cmr"].clusters) == (2, 1, 1)
    assert row.free["cmr_with_empty"].estimate == fmean([1.0, 0.5, 0.0])
    assert row.at_five["cmr"].estimate == pytest.approx(fmean([1.0, 0.25, 0.0]))
    assert math.isnan(row.free["novelty"].estimate)
    every = rows[ALL, ""]
    scored = [e.score.figures.cmr for e in ENTRIES]
    plain = cluster_bootstrap(scored, [e.user for e in ENTRIES], seed=1, resamples=20_000)
    assert every.free["cmr"].estimate == plain.estimate
    assert every.free["cmr"].low == pytest.approx(plain.low, abs=0.1)
    assert every.free["cmr"].high == pytest.approx(plain.high, abs=0.1)


def test_the_same_seed_gives_the_same_intervals_and_equal_columns_are_equal() -> None:
    first, again = (summarise(ENTRIES, 7, resamples=300) for _ in range(2))
    told = [msgspec.json.encode((dict(row.free), dict(row.at_five))) for row in first]
    assert told == [msgspec.json.encode((dict(row.free), dict(row.at_five))) for row in again]
    same = [msgspec.structs.replace(e.score, at_five=e.score.figures) for e in ENTRIES]
    rows = summarise(
        [Entry(e.query_id, e.kind, e.width, e.user, s) for e, s in zip(ENTRIES, same, strict=True)],
        7, resamples=300,
    )  # fmt: skip
    assert all(
        msgspec.json.encode(dict(r.free)) == msgspec.json.encode(dict(r.at_five)) for r in rows
    )


def test_what_was_planned_and_not_answered_is_missing() -> None:
    planned = {
        "explicit/1": 5,
        "explicit/3-4": 1,
        "misinformed/2": 1,
        "interest": 1,
        "implicit/2": 4,
    }
    rows = {(row.kind, row.width): row for row in summarise(ENTRIES, 0, planned, resamples=100)}
    assert (rows["explicit", "1"].planned, rows["explicit", "1"].missing) == (5, 2)
    empty = rows["implicit", "2"]
    assert (empty.planned, empty.answered, empty.missing, empty.users) == (4, 0, 4, 0)
    assert math.isnan(empty.free["cmr"].estimate)
    assert (rows[ALL, ""].planned, rows[ALL, ""].missing) == (12, 6)
    with pytest.raises(ValueError, match="more answers than planned in explicit/1"):
        summarise(ENTRIES, 0, planned | {"explicit/1": 2}, resamples=100)


def test_no_answer_at_all_gives_rows_of_what_was_planned() -> None:
    (row,) = summarise([], 0, {"interest": 2}, resamples=100)
    assert (row.kind, row.planned, row.answered) == ("interest", 2, 0)


def test_figures_stand_in_the_order_of_their_names() -> None:
    # The table of figures is made from whole records: their order is that of the names.
    assert Figures.__struct_fields__ == NAMES


def test_groups_have_rows_of_their_own_and_may_share_queries() -> None:
    groups = {
        ("gender", "F"): ["q0", "q3"],
        ("age", "25-34"): ["q3", "q4", "unanswered"],
        ("age", "none"): ["unanswered"],
    }
    rows = {(row.kind, row.width): row for row in summarise_groups(ENTRIES, groups, 1)}
    assert list(rows) == list(groups)
    first = rows["gender", "F"]
    assert first.free["cmr"].estimate == pytest.approx(fmean([1.0, 0.2]))
    assert (first.planned, first.answered, first.users) == (2, 2, 2)
    second = rows["age", "25-34"]
    assert (second.planned, second.answered, second.missing) == (3, 2, 1)
    assert second.at_five["cmr"].estimate == pytest.approx(0.1)
    assert math.isnan(rows["age", "none"].free["cmr"].estimate)
