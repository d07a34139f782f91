"""The report's figures against plain loops over the trials, and against the suite's summary."""

from __future__ import annotations

import math
from itertools import pairwise
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.report.recbench.cells import (
    GROUPS,
    by_demographics,
    by_popularity,
    by_type,
    popularity_groups,
    type_groups,
)
from mystery_shopper.report.recbench.played import COLUMNS, Asked, Played, figures_of
from mystery_shopper.suites.recbench.metrics import NAMES
from mystery_shopper.suites.recbench.query import Kind
from mystery_shopper.suites.recbench.score import Figures
from mystery_shopper.suites.recbench.summary import ALL, CONDITIONS, summarise

from .made import graded, make_run, make_set

SET = make_set(12)
RUN = make_run(SET, skill=graded, history=True)


def picked(run: Played, query: str) -> list[str | None]:
    """The items of a query's answer, without those that it names, by hand."""
    found = next(one for one in run.valid if one.asked.id == query)
    return [pick.item_id for pick in found.score.picks if not pick.named]


def test_the_figures_of_a_score_stand_in_the_order_of_the_metrics() -> None:
    assert Figures.__struct_fields__ == NAMES
    assert COLUMNS[:-1] == NAMES


@pytest.mark.parametrize(("kind", "width"), [("explicit", "2"), ("misinformed", ""), ("all", "")])
def test_precision_recall_and_ftr_by_hand(kind: str, width: str) -> None:
    queries = [
        one for one in SET.queries
        if kind == ALL or ((one.kind == kind and one.cell in (kind, f"{kind}/{width}"))
                           or (one.kind == kind and not width))
    ]  # fmt: skip
    precision, recall, matching, empty = [], [], [], 0
    for one in queries:
        items = picked(RUN, one.id)
        if not items:
            empty += 1
            continue
        own = [item for item in items if item in one.own]
        precision.append(len(own) / len(items))
        recall.append(len(own) / len(one.own))
        matching.append(sum(item in one.matching for item in items) / len(items))
    cell = next(c for c in by_type(RUN, resamples=50) if (c.kind, c.group) == (kind, width))
    assert cell.at("precision_own").value == pytest.approx(mean(precision))
    assert cell.at("recall_own").value == pytest.approx(mean(recall))
    assert cell.at("precision_all").value == pytest.approx(mean(matching))
    assert cell.at("failed").value == pytest.approx(empty / len(queries))
    zeros = [0.0] * empty
    assert cell.at("precision_own_with_empty").value == pytest.approx(mean(precision + zeros))
    assert cell.at("precision_own").tasks == len(precision)
    assert cell.counts.planned == cell.counts.valid == len(queries)


def test_the_first_five_by_hand() -> None:
    queries = [one for one in SET.queries if one.kind is Kind.IMPLICIT]
    found = []
    for one in queries:
        items = picked(RUN, one.id)[:5]
        if items:
            found.append(sum(item in one.matching for item in items) / len(items))
    cell = next(c for c in by_type(RUN, resamples=50) if (c.kind, c.group) == ("implicit", ""))
    assert cell.at("precision_all", five=True).value == pytest.approx(mean(found))


def test_they_agree_with_the_suite_s_summary() -> None:
    rows = summarise([one.entry for one in RUN.valid], 0, planned=RUN.planned, resamples=2_000)
    cells = {(c.kind, c.group): c for c in by_type(RUN, resamples=2_000)}
    assert {(row.kind, row.width) for row in rows} <= cells.keys()
    for row in rows:
        cell = cells[row.kind, row.width]
        assert (cell.counts.planned, cell.counts.valid) == (row.planned, row.answered)
        for five, figures in ((False, row.free), (True, row.at_five)):
            for name, theirs in figures.items():
                ours = cell.at(name, five=five)
                if math.isnan(theirs.estimate):
                    assert ours.value is None
                    continue
                assert ours.value == pytest.approx(theirs.estimate)
                assert ours.tasks == theirs.scored
                if ours.low is not None and ours.high is not None:
                    width = theirs.high - theirs.low
                    assert ours.low == pytest.approx(theirs.low, abs=0.3 * width + 1e-9)
                    assert ours.high == pytest.approx(theirs.high, abs=0.3 * width + 1e-9)


def test_figures_are_nan_where_unscored() -> None:
    table = figures_of(RUN.valid)
    profile = np.array([one.asked.kind == Kind.INTEREST for one in RUN.valid])
    assert np.isnan(table[profile, COLUMNS.index("cmr")]).all()
    assert not np.isnan(table[:, COLUMNS.index("failed")]).any()


def test_the_rows_by_type() -> None:
    groups = type_groups(RUN.asked)
    assert list(groups) == [
        *((kind, width) for kind in ("explicit", "implicit", "misinformed")
          for width in ("", "1", "2", "3-4")),
        ("interest", ""), ("demographics", ""), (CONDITIONS, ""), (ALL, ""),
    ]  # fmt: skip
    only = [one for one in RUN.asked if one.kind == "explicit"]
    assert (CONDITIONS, "") not in type_groups(only)
    assert (ALL, "") not in type_groups(only)
    assert type_groups([]) == {}


@given(st.lists(st.integers(1, 30), max_size=60))
def test_popularity_groups_are_fifths_from_the_most_popular(counts: list[int]) -> None:
    asked = [Asked(str(n), "interest", "", "u", popularity=c) for n, c in enumerate(counts)]
    groups = popularity_groups(asked)
    assert sum(map(len, groups.values())) == len(asked)
    assert set(groups) <= {str(n + 1) for n in range(GROUPS)}
    ranges = [[one.popularity or 0 for one in groups[name]] for name in sorted(groups)]
    for more, fewer in pairwise(ranges):
        assert min(more) >= max(fewer)
    sizes = {len(found) for found in ranges}
    assert not sizes or max(sizes) - min(sizes) <= 1
    if len(counts) >= GROUPS:
        assert list(groups) == ["1", "2", "3", "4", "5"]


def test_popularity_by_hand() -> None:
    interests = [one for one in SET.queries if one.profile and one.kind is Kind.INTEREST]
    popular = {one.id: one.profile.users for one in interests if one.profile}
    assert len(set(popular.values())) == len(interests)
    ranked = sorted(interests, key=lambda one: -popular[one.id])
    first = [one for rank, one in enumerate(ranked) if 5 * rank < len(ranked)]
    values = []
    for one in first:
        items = picked(RUN, one.id)
        if items:
            values.append(sum(item in one.own for item in items) / len(one.own))
    cell = by_popularity(RUN, resamples=50)[0]
    assert cell.group == "1"
    assert cell.at("recall_own").value == pytest.approx(mean(values))


def test_groups_by_hand() -> None:
    cells = {(c.part, c.group): c for c in by_demographics(RUN, resamples=50)}
    assert [part for part, _ in cells] == sorted(
        (part for part, _ in cells), key=("gender", "age", "occupation").index
    )
    for (part, value), cell in cells.items():
        queries = [
            one for one in SET.queries
            if one.profile is not None and one.profile.group.get(part) == value
        ]  # fmt: skip
        values = [
            sum(item in one.own for item in items) / len(one.own)
            for one in queries
            if (items := picked(RUN, one.id))
        ]
        assert cell.counts.planned == len(queries)
        assert cell.at("recall_own").value == pytest.approx(mean(values))
