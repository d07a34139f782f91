"""The page in a real browser: figures, observations, tables, trials, phone, print, keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.report.recbench import tell

from ..browsing import axe, opened_page, text_beyond_charts
from .made import TITLES, even, graded, make_folder, make_plan, make_set, make_trials

pytestmark = pytest.mark.browser

EVIL = "</script><img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("recbench")
    return made(path).as_uri()


def made(path: Path) -> Path:
    """A page of two grounds: three runs over one set, and one over another."""
    first, second = make_set(9), make_set(4, "recbench/others@1", synthetic=False)
    folders = []
    changes: list[dict[str, Any]] = [{}, {"agent": EVIL}, {"history": True}]
    for number, change in enumerate(changes):
        plan = make_plan(first, **change)
        skill = even if number == 1 else graded
        trials = make_trials(first, plan, skill, number, faults=0.04)
        folders.append(make_folder(path / f"run-{number}", plan, trials))
    plan = make_plan(second)
    folders.append(make_folder(path / "other", plan, make_trials(second, plan)))
    out = path / "report.html"
    sets = {one.name: one for one in (first, second)}
    titles = {folder.path.name: TITLES for folder in folders}
    tell(folders, out, query_sets=sets, titles=titles, resamples=200)
    return out


@pytest.fixture
def page(browser: Any, report: str) -> Iterator[Any]:
    """The open report; at its end no request may have left and no error been told."""
    with opened_page(browser, report) as opened:
        yield opened


def test_every_figure_is_drawn_and_has_its_table(page: Any) -> None:
    figures = page.locator("figure")
    assert figures.count() > 20
    page.evaluate(
        "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
    )
    for one in figures.all():
        box = one.locator(".chart svg").bounding_box()
        assert box["width"] > 200
        assert box["height"] > 100
        assert one.locator("details table tbody tr").count() > 0


def test_text_stays_inside_its_chart(page: Any) -> None:
    assert text_beyond_charts(page) == []


def test_marks_of_one_row_do_not_lie_on_the_next_row_s_name(page: Any) -> None:
    figure = page.locator("#questions figure").filter(has_text="Recall by type").first
    figure.scroll_into_view_if_needed()
    touching = figure.evaluate(
        """(node) => {
             const box = (one) => one.getBoundingClientRect();
             const names = [...node.querySelectorAll(".mark-text text")].map(box);
             const marks = [...node.querySelectorAll(".mark-symbol path")]
               .filter((one) => !one.closest(".role-legend")).map(box);
             const touch = (m, t) => m.bottom > t.top + 1 && m.top < t.bottom - 1 &&
               m.right > t.left && m.left < t.right;
             if (!names.length || !marks.length) return -1;
             return marks.filter((m) => names.some((t) => touch(m, t))).length;
           }"""
    )
    assert touching == 0


def test_each_observation_has_a_place(page: Any) -> None:
    heads = page.locator("#questions .question").all_inner_texts()
    assert len(heads) == 16
    for number in range(1, 9):
        assert heads[number - 1].startswith(f"Observation {number}: ")
    page.locator(".verdicts a").nth(3).click()
    page.wait_for_function("() => location.hash === '#observation-1-4'")
    seen = page.locator(".verdicts:not(.claims) strong").all_inner_texts()
    assert len(seen) == 16
    assert set(seen) <= {"seen", "seen in part", "not seen", "cannot be told"}


def test_the_paper_s_figures_are_marked(page: Any) -> None:
    style = "(node) => getComputedStyle(node).fontStyle"
    for row in ("tr.paper th", ".answer.paper"):
        assert page.locator(row).first.evaluate(style) == "italic"
    assert page.locator("tr.paper", has_text="GPT-4o").count() == 2
    assert page.locator("#figures .paper").count() == 0


def test_grounds_are_kept_apart_and_synthetic_histories_labelled(page: Any) -> None:
    first = page.locator("#figures").inner_text()
    assert "synthetic: nobody lived them" in first
    assert "2 grounds" in first
    captions = set(page.locator("#tables caption").all_inner_texts())
    assert len(captions) <= 2


def test_nothing_that_agents_wrote_runs(page: Any) -> None:
    assert page.title().startswith("Mystery Shopper")
    assert page.locator("img, main b").count() == 0
    assert EVIL in page.locator("#figures").inner_text()


def test_a_trial_opens_by_its_address(page: Any, report: str) -> None:
    place = page.locator(".played").nth(2).get_attribute("id")
    page.goto(f"{report}#{place}")
    page.wait_for_function("() => document.querySelectorAll('.played[open]').length === 1")
    text = page.locator(".played[open]").inner_text()
    for words in ("Request", "Answer", "What each title came to", "The user's own group"):
        assert words in text
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_trials_are_filtered(page: Any) -> None:
    every = page.locator(".played").count()
    assert page.locator(".count").inner_text() == f"{every} trials"
    page.get_by_role("combobox", name="Type").select_option("implicit")
    page.get_by_text(f" of {every} trials").wait_for()
    assert (
        page.locator(".played:not([hidden])").count()
        == page.locator(".played[data-kind=implicit]").count()
    )
    page.get_by_role("searchbox", name="Words").fill("implicit-1-00 17")
    page.get_by_role("searchbox", name="Words").fill("nobody says this")
    page.get_by_text(f"0 of {every} trials").wait_for()
    page.get_by_role("button", name="Clear").click()
    page.get_by_text(f"{every} trials", exact=True).wait_for()


def test_a_long_list_of_trials_begins_with_some(page: Any) -> None:
    every = page.locator(".played").count()
    assert every > 40
    assert page.locator(".played:not([hidden])").count() == 40
    page.get_by_role("button", name=f"Show the other {every - 40}").click()
    assert page.locator(".played:not([hidden])").count() == every
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    assert not page.locator(".more").is_visible()


def test_a_trial_that_is_not_shown_yet_opens_by_its_address(page: Any, report: str) -> None:
    place = page.locator(".played").last.get_attribute("id")
    assert not page.locator(".played").last.is_visible()
    page.goto(f"{report}#{place}")
    page.wait_for_function("() => document.querySelectorAll('.played[open]').length === 1")
    assert page.locator(".played").last.is_visible()


def test_an_observation_without_data_is_a_line(page: Any) -> None:
    lines = page.locator("details.untold:not([open])")
    assert lines.count() == 2  # Of the second ground, which has one run.
    text = lines.first.inner_text()
    assert "cannot be told: needs two agents under one setting." in text
    assert "mystery-shopper run recbench --agent " in text
    assert lines.first.bounding_box()["height"] < 110
    page.locator(".verdicts a", has_text="4 The user's history").last.click()
    page.wait_for_function("() => location.hash === '#observation-2-4'")


def test_it_works_by_keyboard(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the figures"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'trials'")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.played summary')"):
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    assert page.locator(".played[open]").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(page: Any, report: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 400, "height": 800})
    for place in ("", f"#{page.locator('.played').first.get_attribute('id')}"):
        page.goto(report + place)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
    over = page.evaluate(
        """() => [...document.querySelectorAll("figure svg text")].filter((text) => {
             const at = text.getBoundingClientRect();
             return at.width && (at.left < 0 || at.right > 400 || at.height < 7);
           }).map((text) => text.textContent)"""
    )
    assert over == []
    light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(253, 252, 249)"
    assert light is (scheme == "light")


def test_print_opens_tables_and_leaves_closed_trials_out(page: Any) -> None:
    page.locator(".played summary").first.click()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator("details.table:not([open])").count() == 0
    assert page.locator(".played").first.is_visible()
    assert not page.locator(".played").nth(1).is_visible()
    assert not page.locator(".filters").is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details.table[open]").count() == 0


def test_marks_differ_without_colour(page: Any) -> None:
    """In greyscale series are told apart by the outline of their marks."""
    for title in ("Precision by type", "CMR with and without history", "Interest popularity"):
        figure = page.locator("#questions figure").filter(has_text=title).first
        legend = figure.locator(".role-legend-symbol path")
        shapes = [mark.get_attribute("d") for mark in legend.all()]
        assert len(shapes) == len(set(shapes)) > 1, title


def test_axe_finds_no_serious_fault(page: Any) -> None:
    opens = "(s) => { for (const one of document.querySelectorAll(s)) one.open = true; }"
    page.evaluate(opens, ".played:nth-child(-n+2)")
    # Colours first: on a long page they take a while.
    colours = ".warn, .verdicts, .answer, .played:nth-child(-n+2), .filters"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page, within=colours, rules=("color-contrast",)) == []
    page.evaluate(opens, "details.table, details.method, .played:nth-child(2) details")
    assert axe(page, without=("color-contrast",)) == []
