"""A colour is a type of query on the whole page, and axes fit what is drawn."""

from __future__ import annotations

import re

import pytest

from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.charts import Chart
from mystery_shopper.report.recbench import plots
from mystery_shopper.report.recbench.looks import TYPES, domain_of, flat, lines_of
from mystery_shopper.report.recbench.observations import observations
from mystery_shopper.report.recbench.study import Study, study

from .made import even, graded, ground_of, make_run, make_set

SET = make_set(30)


def estimates(*values: float) -> list[Estimate]:
    return [Estimate(value, value - 0.01, value + 0.01, 9, 0) for value in values]


@pytest.fixture(scope="module")
def two() -> Study:
    runs = make_run(SET, "one", graded), make_run(SET, "two", even, 2, history=True)
    return study(ground_of(*runs), resamples=200)


@pytest.mark.parametrize(
    ("values", "domain"),
    [
        ((), (0, 1)),
        ((0.02, 0.05), (0, 0.1)),
        ((0.02, 0.2), (0, 0.25)),
        ((0.1, 0.6), (0, 0.75)),
        ((0.05, 0.95), (0, 1)),
        ((0.8, 0.9), (0.75, 1)),
        ((0.93, 0.98), (0.9, 1)),
        ((0.52, 0.55), (0.5, 0.75)),
        ((0.3, 0.35), (0.25, 0.5)),
    ],
)
def test_an_axis_fits_what_is_drawn(values: tuple[float, ...], domain: tuple[float, float]) -> None:
    assert domain_of(estimates(*values)) == domain


def test_what_is_equal_everywhere_is_a_sentence() -> None:
    zero = Estimate(0.0, 0.0, 0.0, 9, 0)
    assert flat([zero, zero]) == "0.000"
    assert flat([zero, Estimate(0.5, 0.5, 0.5, 9, 0)]) == ""
    assert flat(estimates(0.5, 0.5)) == ""
    assert flat([zero]) == ""


def test_lines_of_one_type_share_its_colour_and_nothing_else() -> None:
    looks = lines_of(["interest"] * 4)
    assert len({one.colour for one in looks}) == 1
    assert len({one.mark for one in looks}) == len({one.dash for one in looks}) == 4


def test_a_colour_is_a_type_on_the_whole_page(two: Study) -> None:
    charts = [chart for one in observations(two) for chart in (*one.charts, *one.fives)]
    success = plots.by_type(two, "success")
    assert success is not None
    charts.append(success.drawn())
    conditions, profiles = {1, 2, 3}, {"Interest popularity": {4}, "Recall by group": {5}}
    assert len(charts) > 8
    for chart in charts:
        wanted = profiles.get(chart.title)
        if wanted is None:
            wanted = conditions if "type" not in chart.title else set(range(1, 6))
            assert _colours(chart) <= wanted, chart.title
        else:
            assert _colours(chart) == wanted, chart.title
        for place, kind in enumerate(TYPES, 1):
            if f">{kind}<" in chart.svg:
                assert place in _colours(chart), (chart.title, kind)


def test_a_note_says_where_an_axis_ends() -> None:
    low = study(ground_of(make_run(SET, "low", lambda _: 0.02)), resamples=200)
    drawn = plots.by_type(low, "cmr")
    assert drawn is not None
    assert "The axis runs from 0 to 0.1." in drawn.note
    assert ">0.1<" in drawn.drawn().svg
    assert ">1<" not in drawn.drawn().svg


def _colours(chart: Chart) -> set[int]:
    return {int(found) for found in re.findall(r"var\(--series-(\d)", chart.svg)}
