"""Cells as numbers: every wording of the report's tables is read, to the digits it shows."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.cellvalues import read_cell
from mystery_shopper.report.columns import column_name, typed
from mystery_shopper.report.disclosure.contrasttable import points
from mystery_shopper.report.every import every_table
from mystery_shopper.report.figures import Share
from mystery_shopper.report.summary import summarise
from mystery_shopper.report.tabular import Table, estimate, share
from mystery_shopper.report.words import bounds, duration, extremes, figure, money, whole
from mystery_shopper.report.worst import Extremes, Worst

from .disclosure.runs import all_runs

shares = st.floats(0, 1)
WORDS = {"HTTP statuses", "remark"}


def parts(text: str) -> dict[str, object]:
    found = read_cell(text)
    assert found is not None, text
    return dict(found.parts)


@given(shares, shares, shares, st.booleans(), st.booleans())
def test_an_estimate_is_read_back(
    value: float, low: float, high: float, interval: bool, excluded: bool
) -> None:
    worst = Worst(Extremes(low, high, 1), None) if excluded else None
    found = Estimate(value, low if interval else None, high if interval else None, 3, 0, worst)
    wanted = {"": round(value, 3)}
    if interval:
        wanted |= {"low": round(low, 3), "high": round(high, 3)}
    if excluded:
        wanted |= {"worst_low": round(low, 3), "worst_high": round(high, 3)}
    read = parts(estimate(found))
    assert read.keys() == wanted.keys()
    assert all(math.isclose(float(str(read[k])), wanted[k], abs_tol=6e-4) for k in wanted)


@given(st.integers(0, 10**7), st.integers(1, 10**7))
def test_a_share_keeps_its_counts_exactly(hits: int, more: int) -> None:
    read = parts(share(Share(hits, hits + more)))
    assert (read["hits"], read["of"]) == (hits, hits + more)
    assert read[""] == float(f"{hits / (hits + more):.3f}")


@given(st.integers(0, 10**12))
def test_counts_are_whole_numbers(count: int) -> None:
    assert parts(whole(count)) == {"": count}
    assert isinstance(parts(whole(count))[""], int)


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(-1, 1))
def test_points_keep_their_sign(value: float, low: float, high: float) -> None:
    read = parts(points(value, low, high))
    for name, number in {"": value, "low": low, "high": high}.items():
        assert math.isclose(float(str(read[name])), 100 * number, abs_tol=0.0501)


@given(st.floats(0, 5_000))
def test_waits_are_seconds(seconds: float) -> None:
    found = read_cell(duration(seconds))
    assert found is not None
    assert found.unit == "s"
    assert math.isclose(float(found.parts[""]), seconds, rel_tol=0.006, abs_tol=6e-5)


@pytest.mark.parametrize(
    ("text", "wanted", "unit"),
    [
        (money(12.3), {"": 12.3}, "USD"),
        (money(0.01234), {"": 0.0123}, "USD"),
        (money(1e-6), {"": 0.0001, "mark": "<"}, "USD"),
        (money(None), {}, ""),
        ("203 ms", {"": 0.203}, "s"),
        ("12 (34 %)", {"": 12, "percent": 34}, ""),
        ("≤ 0.0001", {"": 0.0001, "mark": "≤"}, ""),
        ("about 6", {"": 6, "mark": "about"}, ""),
        ("0.1500 (13)", {"": 0.15, "more": 13}, ""),
        ("0.0005, 0.15", {"": 0.0005, "2": 0.15}, ""),
        ("≤ 0.0011, 0.003", {"": 0.0011, "mark": "≤", "2": 0.003}, ""),
        ("17 / 16 / 15", {"": 17, "2": 16, "3": 15}, ""),
        ("70 families or 1,008 trials", {"families": 70, "trials": 1008}, ""),
        ("70 families", {"families": 70}, ""),
        ("19 of 28", {"hits": 19, "of": 28}, ""),
        ("82 of 91 (0.901)", {"hits": 82, "of": 91, "": 0.901}, ""),
        ("0.483–0.617", {"low": 0.483, "high": 0.617}, ""),
        ("$1.00–4.40", {"low": 1.0, "high": 4.4}, "USD"),
        (bounds(0.1, 0.9), {"low": 0.1, "high": 0.9}, ""),
        (extremes(0.1, 0.9), {"low": 0.1, "high": 0.9}, ""),
        ("1e+06", {"": 1e6}, ""),
        ("10,000,000,000,000,000,000 families", {"families": 1e19}, ""),
        ("– ‹0.000, 0.250›", {"worst_low": 0.0, "worst_high": 0.25}, ""),
        ("–", {}, ""),
        ("", {}, ""),
        (figure(math.nan), {}, ""),
        ("nan", {}, ""),
        ("inf", {}, ""),
    ],
)
def test_every_wording(text: str, wanted: dict[str, object], unit: str) -> None:
    found = read_cell(text)
    assert found is not None
    assert (dict(found.parts), found.unit) == (wanted, unit)


@pytest.mark.parametrize(
    "text", ["200: 58, 503: 2", "no valid trial", "1,23", "=1+1", "0.5 [0.1]", "1 2", "5 %", "(3)"]
)
def test_what_is_no_figure_is_words(text: str) -> None:
    assert read_cell(text) is None


def test_every_figure_of_a_real_report_is_read() -> None:
    """Independent of the grammar: the digits of a cell, in any order, are the numbers read."""
    tables = every_table(summarise(all_runs(), resamples=50))
    seen = 0
    for kept in tables:
        for row in kept.table.rows:
            for head, cell in zip(kept.table.head[kept.table.names :], row[kept.table.names :],
                                  strict=True):  # fmt: skip
                if head in WORDS:
                    continue
                digits = re.findall(r"[+-]?\d[\d,]*\.?\d*", cell)
                scale = 1000 if cell.endswith(" ms") else 1
                numbers = [n for n in parts(cell).values() if not isinstance(n, str)]
                told = sorted(float(text.strip(",").replace(",", "")) for text in digits)
                assert sorted(scale * float(str(n)) for n in numbers) == pytest.approx(told), cell
                seen += 1
    assert seen > 3_000
    assert len({kept.id for kept in tables}) == len(tables)


def test_heads_become_names() -> None:
    heads = ["pass^1", "not understood", "rejections ≤", "success | all", "95 % interval",
             "top 1,000", "of failures: untested", "p, templates", ""]  # fmt: skip
    assert [column_name(head) for head in heads] == [
        "pass_1", "not_understood", "rejections_at_most", "success_given_all", "interval",
        "top_1000", "of_failures_untested", "p_templates", "",
    ]  # fmt: skip


def test_a_table_becomes_columns_of_one_type() -> None:
    rows = (
        ("a", "0.500 [0.250, 0.750]", "51 / 50", "1.0 s", "12 (24 %)", "–", "3"),
        ("–", "–", "51", "203 ms", "0", "–", "x"),
    )
    table = Table("T", "n", "c", ("agent", "pass^1", "tasks", "p50", "capped", "", "odd"), rows, 1)
    made = typed(table, "t")
    assert [(c.name, c.kind, c.unit) for c in made.columns] == [
        ("agent", "text", ""),
        ("pass_1", "number", "share"),
        ("pass_1_low", "number", "share"),
        ("pass_1_high", "number", "share"),
        ("tasks", "integer", ""),
        ("tasks_2", "integer", ""),
        ("p50", "number", "s"),
        ("capped", "integer", ""),
        ("capped_percent", "integer", "%"),
        ("column_6", "number", ""),
        ("odd", "text", ""),
    ]
    assert made.rows == (
        ("a", 0.5, 0.25, 0.75, 51, 50, 1.0, 12, 24, None, "3"),
        (None, None, None, None, 51, 51, 0.203, 0, None, None, "x"),
    )


def test_the_papers_rows_are_told_from_ours() -> None:
    rows = (("a", "1.0"), ("paper: its 4 agents", "0.5"))
    made = typed(Table("T", "n", "c", ("agent", "success"), rows, 1), "t")
    assert [row[0] for row in made.rows] == ["runs", "paper"]
    plain = typed(Table("T", "n", "c", ("agent", "success"), rows[:1], 1), "t")
    assert [column.name for column in plain.columns] == ["agent", "success"]


def test_units_are_told_where_numbers_have_one() -> None:
    head = ("cost", "cost a valid trial", "not understood", "planned", "points", "pass^4", "p")
    made = typed(Table("T", "", "", head, (("–",) * len(head),), 0), "t")
    units = ["USD", "USD", "a trial", "trials", "points", "share", ""]
    assert [column.unit for column in made.columns] == units


def test_columns_of_one_head_have_names_of_their_own() -> None:
    made = typed(Table("T", "", "", ("a", "a", "a!"), (("1", "2", "3"),), 0), "t")
    assert len({column.name for column in made.columns}) == 3
