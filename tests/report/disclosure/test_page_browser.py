"""The research questions in a real browser: figures, tables, phone, print and axe."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from mystery_shopper.report.page import write_report

from ..browsing import axe, opened_page
from ..factory import make_folder, make_plan, make_trials
from .runs import FULL, SET, SMALL

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("questions")
    changes: list[dict[str, Any]] = [
        {"interface": interface, "size": size}
        for interface, size in product(("structured", "keyword"), (FULL, SMALL))
    ]
    changes += [{"prompt": "ask"}, {"user": "module:Other"}]
    folders = []
    for number, change in enumerate(changes):
        more = {"user": "rule-based", "tool_line": "own", "trials": 2, **change}
        plan = make_plan(SET, **more)
        trials = make_trials(SET, plan, number, faults=0.05)
        folders.append(make_folder(path / f"run-{number}", plan, trials))
    return write_report(folders, path / "report.html", task_sets={SET.name: SET}).as_uri()


@pytest.fixture
def page(browser: Any, report: str) -> Iterator[Any]:
    """The open report; at its end no request may have left and no error been told."""
    with opened_page(browser, report) as opened:
        yield opened


def test_every_figure_is_drawn_and_has_its_table(page: Any) -> None:
    figures = page.locator("#questions figure")
    assert figures.count() == 5
    for one in figures.all():
        svg = one.locator(".chart svg")
        box = svg.bounding_box()
        assert box["width"] > 250
        assert box["height"] > 150
        assert svg.locator("path").count() > 5
        assert len(svg.get_attribute("aria-label")) > 40
        assert not one.locator("table").is_visible()
        one.locator("summary").click()
        assert one.locator("tbody tr").count() > 1
        assert one.locator("tbody tr").first.is_visible()


def test_the_questions_stand_before_the_tables_and_are_linked(page: Any) -> None:
    order = page.evaluate("[...document.querySelectorAll('main > section')].map((s) => s.id)")
    assert order == ["figures", "questions", "tables", "trials"]
    page.get_by_role("link", name="Questions").click()
    heads = page.locator("#questions .question").all_inner_texts()
    assert [head.partition(":")[0] for head in heads][1:5] == ["RQ1", "RQ2", "RQ3", "RQ4"]
    assert all(len(text) > 20 for text in page.locator("#questions .answer").all_inner_texts())


def test_the_paper_s_figures_are_marked(page: Any) -> None:
    style = "(node) => getComputedStyle(node).fontStyle"
    cell = page.locator("#questions td.paper").first
    assert cell.evaluate(style) == "italic"
    assert page.locator("#questions th.paper").count() >= 2
    assert page.locator("#questions tr.paper").count() > 5
    assert page.locator("#tables .paper").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_they_fit_a_phone(page: Any, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    over = page.evaluate(
        """() => [...document.querySelectorAll("#questions svg text")].filter((text) => {
             const at = text.getBoundingClientRect();
             return at.width && (at.left < 0 || at.right > 400 || at.height < 7);
           }).map((text) => text.textContent)"""
    )
    assert over == []


def test_marks_differ_without_colour(page: Any) -> None:
    """In greyscale series are told apart by the outline of their marks."""
    for title in ("The disclosure gradient across settings", "Success by prompt"):
        figure = page.locator("#questions figure").filter(has_text=title).first
        legend = figure.locator(".role-legend-symbol path")
        shapes = [mark.get_attribute("d") for mark in legend.all()]
        assert len(shapes) == len(set(shapes)) > 1


def test_tables_stand_in_print(page: Any) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    table = page.locator("#questions figure table").first
    assert table.is_visible()
    assert page.locator("#questions details:not([open])").count() == 0


def test_axe_finds_no_serious_fault(page: Any) -> None:
    for folded in page.locator("#questions details").all():
        folded.evaluate("node => { node.open = true; }")
    assert axe(page, within="#questions") == []
    page.emulate_media(color_scheme="dark")
    assert axe(page, within="#questions", rules=("color-contrast",)) == []
