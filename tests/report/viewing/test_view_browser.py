"""The viewer in a real browser: its pages, filters, paging, keyboard, and a run that goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.usage import Usage
from mystery_shopper.report.page import write_report
from mystery_shopper.report.viewing import Viewer

from ..browsing import axe, opened_page
from ..factory import (
    make_folder,
    make_plan,
    make_score,
    make_task_set,
    make_transcript,
    make_trial,
    make_trials,
)
from .serving import serving

pytestmark = pytest.mark.browser

EVIL = "</script><img src=x onerror=document.title='owned'><b>bold</b>"
TASKS = make_task_set(20)
PLAN = make_plan(TASKS, agent=EVIL, trials=4)


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    path = tmp_path_factory.mktemp("view")
    trials = make_trials(TASKS, PLAN, faults=0.05)
    evil = TASKS.by_id["f001-hidden"]
    score = make_score(success=False, failure="rejected_item", rejections=2)
    script = make_transcript(evil, score, EVIL)
    trials[trials.index(next(one for one in trials if one.task == evil.id))] = make_trial(
        evil, PLAN, score=score, transcript=script
    )
    folder = make_folder(path / "first", PLAN, trials)
    used = {"agent": Usage(3, 1200, 40, 80, 0.0125), "user": Usage(2, 10, 0, 5, None)}
    timing = Timing("f001-hidden#0", (0.25, 12.0), used, {"200": 2, "503": 1}, (0.25, 12.0))
    folder.append([], [timing])
    other = make_plan(TASKS)
    make_folder(path / "second", other, make_trials(TASKS, other, 2)[:7])
    with serving(path) as made:
        yield made


@pytest.fixture
def page(browser: Any, viewer: Viewer) -> Iterator[Any]:
    with opened_page(browser, viewer.url) as opened:
        opened.locator(".list tbody tr").first.wait_for()
        yield opened


def waits_for_rows(page: Any, count: int) -> None:
    page.wait_for_function(
        "n => document.querySelectorAll('.list tbody .key').length === n", arg=count
    )


def test_from_the_runs_to_a_trial_and_back(page: Any) -> None:
    assert page.locator("tbody tr").count() == 2
    row = page.locator("tbody tr").first.inner_text()
    assert "volunteer, mixed, hidden" in row
    assert "complete" in row
    assert "going on" in page.locator("tbody tr").nth(1).inner_text()
    page.get_by_role("link", name="first").click()
    waits_for_rows(page, 100)
    page.get_by_text("240 of 240 planned trials").wait_for()
    page.get_by_role("searchbox", name="Task").fill("f001-hidden")
    waits_for_rows(page, 4)
    page.get_by_role("link", name="f001-hidden#0").click()
    page.locator("article.trial").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H3"
    page.go_back()
    waits_for_rows(page, 4)
    assert page.evaluate("document.activeElement.textContent") == "f001-hidden#0"


def test_a_trial_shows_the_truth_beside_the_conversation(page: Any, viewer: Viewer) -> None:
    page.goto(f"{viewer.url}runs/0#trial/first/f001-hidden%230")
    article = page.locator("article.trial")
    article.wait_for()
    text = article.inner_text()
    for told in (
        "Rejected: Mon Oncle (tt0)", "Fails: year <= 1980", "3 of 3 proposals", EVIL,
        "The agent took 12.3 s over 2 acts, the slowest 12.0 s.", "HTTP answers: 200 × 2, 503 × 1",
        "$0.0125", "unknown", "1,200", "Known after turn 1",
    ):  # fmt: skip
        assert told in text, told
    assert page.locator(".turn .at").nth(1).inner_text().split() == ["Turn", "1", "0.25", "s"]
    # At one moment, since the page may still be scrolling.
    places = page.evaluate(
        """() => [...document.querySelectorAll(".turn:has(.known)")].map((turn) => {
             const [said, known] = [".said", ".known"].map(
               (part) => turn.querySelector(part).getBoundingClientRect());
             return [known.left >= said.right, Math.abs(known.top - said.top) < 2];
           })"""
    )
    assert len(places) > 2
    assert all(beside and level for beside, level in places)
    calls = page.locator("details.calls").first
    assert not calls.evaluate("node => node.open")
    calls.locator("summary").first.click()
    calls.locator("details summary").first.click()
    assert "Mon Oncle" in calls.locator("pre").nth(1).inner_text()
    assert page.title() == "Mystery Shopper: first"
    assert page.locator("img, main b").count() == 0


def test_pages_of_the_list(page: Any, viewer: Viewer) -> None:
    page.goto(f"{viewer.url}runs/0")
    waits_for_rows(page, 100)
    first = page.locator(".key").first.inner_text()
    assert page.get_by_role("button", name="Previous page").is_disabled()
    page.get_by_role("button", name="Next page").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Page 2 of 3").wait_for()
    assert page.locator(".key").first.inner_text() != first
    assert page.evaluate("document.activeElement.textContent") == "Next page"
    page.get_by_role("button", name="Last").click()
    waits_for_rows(page, 40)
    page.get_by_role("combobox", name="Outcome").select_option("excluded")
    page.get_by_text("of 240 trials").wait_for()
    assert page.locator(".pager button").count() == 0
    page.get_by_role("button", name="Clear").click()
    waits_for_rows(page, 100)
    assert page.locator(".key").first.inner_text() == first


def test_filters_give_what_the_static_page_gives(
    page: Any, browser: Any, viewer: Viewer, tmp_path: Path
) -> None:
    run = viewer.house.room(0).folder
    report = write_report([run], tmp_path / "r.html", task_sets={TASKS.name: TASKS}).as_uri()
    page.goto(f"{viewer.url}runs/0")
    waits_for_rows(page, 100)
    with opened_page(browser, report) as static:
        for outcome, failure, words in (
            ("failure", "recommended a rejected item", ""),
            ("", "", 'tt1 <img "drama"'),
        ):
            keys: list[set[str]] = []
            for place in (page, static):
                place.get_by_role("combobox", name="Condition").select_option("hidden")
                place.get_by_role("combobox", name="Outcome").select_option(outcome)
                place.get_by_role("combobox", name="Failure").select_option(failure)
                place.get_by_role("searchbox", name="Words").fill(words)
                place.wait_for_timeout(300)
                keys.append(set(place.locator(".list .key").all_inner_texts()))
            assert keys[0] == keys[1]
            assert keys[0]


def test_a_run_that_goes_on_is_followed_and_then_left_alone(browser: Any, tmp_path: Path) -> None:
    plan = make_plan(TASKS)
    trials = make_trials(TASKS, plan)
    folder = make_folder(tmp_path / "run", plan, trials[:5])
    with serving(folder.path) as made, opened_page(browser, f"{made.url}runs/0") as page:
        waits_for_rows(page, 5)
        page.get_by_text("5 of 60 planned trials").wait_for()
        count = page.locator(".count")
        assert count.get_attribute("aria-live") == "polite"
        assert count.inner_text() == "5 trials"
        page.locator(".key a").nth(2).focus()
        folder.append(trials[5:9], [])
        waits_for_rows(page, 9)
        assert count.inner_text() == "9 trials"
        # Whoever reads the list keeps their place.
        assert page.evaluate("document.activeElement.textContent") == trials[2].key
        page.keyboard.press("Enter")
        page.locator("article.trial").wait_for()
        folder.append(trials[9:], [])
        page.get_by_text("60 of 60 planned trials").wait_for()
        page.get_by_text("complete").wait_for()
        assert page.locator("article.trial").count() == 1
        page.go_back()
        waits_for_rows(page, 60)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.wait_for_timeout(2_500)
        assert asked == []


def test_a_folder_that_is_no_run_and_a_trial_that_is_not_there(
    browser: Any, tmp_path: Path, viewer: Viewer
) -> None:
    (tmp_path / "run.json").write_text("{}", encoding="utf-8")
    with serving(tmp_path) as made, opened_page(browser, made.url) as page:
        page.get_by_text("unreadable: cannot be read as a run").wait_for()
    with opened_page(browser, f"{viewer.url}runs/0#trial/other/f001%230") as page:
        page.get_by_role("alert").wait_for()
        assert page.get_by_role("alert").inner_text() == "This trial is not in the run."
        waits_for_rows(page, 100)


@pytest.mark.parametrize("place", ["", "runs/0?", "runs/0#trial/first/f001-hidden%230"])
def test_axe_finds_no_serious_fault_and_a_phone_shows_it(
    page: Any, viewer: Viewer, place: str
) -> None:
    page.goto(viewer.url + place)
    page.locator("article.trial, .list .key").first.wait_for()
    page.evaluate(
        "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
    )
    assert axe(page, without=("color-contrast",)) == []
    colours = "header, main > section:first-of-type, .filters, .list tr:nth-child(-n+5), .trial"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page, within=colours, rules=("color-contrast",)) == []
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_print_shows_the_trial_with_its_calls_told(page: Any, viewer: Viewer) -> None:
    page.goto(f"{viewer.url}runs/0#trial/first/f001-hidden%230")
    page.locator("article.trial").wait_for()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".calls > summary").first.is_visible()
    assert page.locator(".state details:not([open])").count() == 0
    assert not page.locator(".crumbs").is_visible()
    assert page.locator(".known").first.is_visible()
