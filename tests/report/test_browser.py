"""The page in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from mystery_shopper.dialogue import (
    AgentSaid,
    Ended,
    Ending,
    NotUnderstood,
    ToolCalled,
    ToolReturned,
    Transcript,
    UserSaid,
)
from mystery_shopper.report.page import write_report

from .browsing import axe, opened_page, text_beyond_charts
from .factory import (
    make_folder,
    make_plan,
    make_score,
    make_task_set,
    make_transcript,
    make_trial,
    make_trials,
    page_of_results,
)

pytestmark = pytest.mark.browser

EVIL = "</script><img src=x onerror=document.title='owned'><b>bold</b>"
TASKS = make_task_set(12)


def long_transcript() -> Transcript:
    """20 turns of 150 calls with results of their own."""
    events: list[Any] = [UserSaid("Hello.")]
    for turn in range(20):
        for n in range(150):
            call = f"c{turn}-{n}"
            events.append(ToolCalled(call, "search", {"query": f"{turn} {n}"}))
            titles = [f"Film {turn} {n} {place}" for place in range(20)]
            events.append(ToolReturned(call, "search", page_of_results(titles)))
        events += [AgentSaid(f"Turn {turn}."), UserSaid("All right, go on.")]
    return Transcript((*events, Ended(Ending.TURN_CAP)))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("report")
    plan = make_plan(TASKS, agent=EVIL)
    trials = make_trials(TASKS, plan, faults=0.05)
    score = make_score(success=False, failure="rejected_item", rejections=2)
    evil, long = TASKS.by_id["f001-hidden"], TASKS.by_id["f000-hidden"]
    capped = make_score(success=False, failure="turn_cap", ending=Ending.TURN_CAP, recommended=None)
    asked = TASKS.by_id["f002-hidden"]
    readings = Transcript(
        (
            UserSaid("Hello."),
            AgentSaid("[[candidate_id:tt1]]"),
            UserSaid("###REJECTED###"),
            AgentSaid("Anything else?"),
            UserSaid("No.", generic=True),
            AgentSaid("Your shoe size?"),
            NotUnderstood("Your shoe size?"),
            UserSaid("I did not understand."),
            Ended(Ending.ABSTAINED),
        )
    )
    changed = {
        asked.id: make_trial(asked, plan, transcript=readings),
        evil.id: make_trial(evil, plan, score=score, transcript=make_transcript(evil, score, EVIL)),
        long.id: make_trial(long, plan, score=capped, transcript=long_transcript()),
    }
    trials = [changed.get(trial.task, trial) for trial in trials]
    other = make_plan(TASKS)
    folders = [
        make_folder(path / "first", plan, trials),
        make_folder(path / "second", other, make_trials(TASKS, other, 2)),
    ]
    return write_report(folders, path / "report.html", task_sets={TASKS.name: TASKS}).as_uri()


@pytest.fixture
def page(browser: Any, report: str) -> Iterator[Any]:
    """The open report; at its end no request may have left and no error been told."""
    with opened_page(browser, report) as opened:
        yield opened


def test_figures_are_drawn(page: Any) -> None:
    assert page.locator("#figures figure svg").count() == 3
    for place in range(3):
        box = page.locator("#figures figure svg").nth(place).bounding_box()
        assert box["width"] > 200
        assert box["height"] > 100
    assert page.locator("figure svg path").count() > 30


def test_text_stays_inside_its_chart(page: Any) -> None:
    assert text_beyond_charts(page) == []


def test_legend_entries_do_not_touch(page: Any) -> None:
    close = page.evaluate(
        """() => [...document.querySelectorAll("figure svg")].flatMap((svg) => {
             const boxes = (kind) => [...svg.querySelectorAll(`.role-legend-${kind} ${
               kind === "label" ? "text" : "path"}`)].map((node) => node.getBoundingClientRect());
             const symbols = boxes("symbol");
             if (!symbols.length && svg.closest("#figures")) return ["no legend"];
             return boxes("label").flatMap((text) => symbols.filter((symbol) =>
               symbol.top < text.bottom && symbol.bottom > text.top &&
               symbol.left > text.left && symbol.left < text.right + 4).map(() => text.left));
           })"""
    )
    assert close == []


def test_the_first_screen_holds_the_table_and_the_gradient(page: Any) -> None:
    first = page.locator(".glance figure").first
    assert "The disclosure gradient" in first.inner_text()
    for place in (first.locator("svg").first, page.locator(".glance table").first):
        box = place.bounding_box()
        assert box["y"] + box["height"] <= 900
    others = [figure.bounding_box() for figure in page.locator("#figures .charts figure").all()]
    assert len(others) == 2
    assert abs(others[0]["y"] - others[1]["y"]) < 1


def test_nothing_that_agents_wrote_runs(page: Any, report: str) -> None:
    page.goto(f"{report}#trial/first/f001-hidden%230")
    page.get_by_role("heading", name="f001-hidden#0").wait_for()
    page.locator(".calls").first.locator("summary").first.click()
    page.locator(".calls details summary").first.click()
    page.locator(".calls pre").first.wait_for()
    assert page.title().startswith("Mystery Shopper")
    assert page.locator("img, main b").count() == 0
    assert EVIL in page.locator("article").inner_text()


def test_a_trial_shows_what_was_known_revealed_and_withheld(page: Any, report: str) -> None:
    page.goto(f"{report}#trial/first/f001-hidden%230")
    text = page.locator("article").inner_text()
    assert "never stated" in text
    assert "withheld: year <= 1980" in text
    assert "withheld until asked: country within France" in text
    assert "now revealed: country within France" in text
    assert "Read as asking about: language, country, year, format" in text
    assert "Fails: year <= 1980" in text
    assert "Rejected: Mon Oncle (tt0)" in text
    assert "nothing." not in text


def test_a_reading_is_shown_only_where_there_is_one(page: Any, report: str) -> None:
    page.goto(f"{report}#trial/first/f002-hidden%230")
    text = page.locator("article").inner_text()
    assert "Read as asking about: anything at all" in text
    assert text.count("Read as") == 2
    assert text.count("Read as a question, but about nothing the customer knows") == 1


def test_filters(page: Any) -> None:
    rows = page.locator(".list tbody tr")
    every = rows.count()
    page.get_by_role("combobox", name="Condition").select_option("hidden")
    assert 0 < rows.count() < every
    page.get_by_role("combobox", name="Outcome").select_option("failure")
    page.get_by_role("combobox", name="Agent").select_option("0")
    page.get_by_role("combobox", name="Failure").select_option("recommended a rejected item")
    assert "f001-hidden#0" in rows.first.inner_text()
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function(
        "n => document.querySelectorAll('.list tbody tr').length === n", arg=every
    )
    page.get_by_role("searchbox", name="Words or item id").fill("turn 19.")
    page.wait_for_function("() => document.querySelectorAll('.list tbody tr').length === 1")
    assert "1 of" in page.locator(".count").inner_text()


def test_trials_are_filtered_by_task_and_by_what_a_proposal_failed(page: Any) -> None:
    page.get_by_role("searchbox", name="Task").fill("F001-hid")
    page.wait_for_function("() => document.querySelectorAll('.list tbody tr').length === 2")
    keys = page.locator(".list tbody .key").all_inner_texts()
    assert keys == ["f001-hidden#0", "f001-hidden#0"]
    page.get_by_role("searchbox", name="Words or item id").fill("year <= 1980 onerror")
    page.wait_for_function("() => document.querySelectorAll('.list tbody tr').length === 1")
    page.get_by_role("searchbox", name="Task").fill("nobody")
    page.get_by_text("No trial fits these filters.").wait_for()
    assert page.locator(".count").inner_text().startswith("0 of ")


@pytest.mark.parametrize(
    ("place", "colours"),
    [
        (
            "",
            ".glance, .charts figcaption, #tables details:first-of-type, .list tr:nth-child(-n+4)",
        ),
        ("#trial/first/f001-hidden%230", "#trials"),
    ],
)
def test_axe_finds_no_serious_fault(page: Any, report: str, place: str, colours: str) -> None:
    page.goto(report + place)
    page.locator("article.trial, .list").first.wait_for()
    page.evaluate(
        "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
    )
    # The figures' own faults are found on the first page.
    assert axe(page, within="#trials" if place else None, without=("color-contrast",)) == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert axe(page, within=colours, rules=("color-contrast",)) == []


def test_axe_sees_a_planted_fault(page: Any) -> None:
    page.evaluate("() => document.querySelector('main').append(new Image(1, 1))")
    assert any("image-alt" in fault for fault in axe(page, within="main", rules=("image-alt",)))


def test_it_works_by_keyboard(page: Any) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the figures"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'trials'")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.list a')"):
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    link = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("Enter")
    page.locator("article.trial").wait_for()
    assert page.evaluate("document.activeElement.tagName") == "H3"
    page.go_back()
    page.locator(".list").wait_for()
    assert page.evaluate("document.activeElement.getAttribute('href')") == link


def test_back_from_a_trial_that_the_list_leaves_out_goes_to_its_heading(page: Any) -> None:
    page.get_by_role("combobox", name="Condition").select_option("mixed")
    page.evaluate("() => { location.hash = '#trial/first/f001-hidden%230'; }")
    page.locator("article.trial").wait_for()
    page.go_back()
    page.locator(".list").wait_for()
    assert page.evaluate("document.activeElement.id") == "trials-head"


def test_a_long_trial_opens_at_once(page: Any, report: str) -> None:
    started = time.perf_counter()
    page.goto(f"{report}#trial/first/f000-hidden%230")
    page.get_by_text("Ended: turn cap").wait_for()
    page.locator(".calls").nth(19).locator("summary").first.click()
    page.locator(".calls").nth(19).locator("details").nth(149).locator("summary").click()
    page.locator(".calls pre").first.wait_for()
    assert time.perf_counter() - started < 3


def test_an_unknown_trial_is_told(page: Any, report: str) -> None:
    page.goto(f"{report}#trial/first/nobody%25")
    page.get_by_role("alert").wait_for()
    assert page.locator(".list").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(page: Any, report: str, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 400, "height": 800})
    for place in ("", "#trial/first/f001-hidden%230"):
        page.goto(report + place)
        assert page.evaluate("document.documentElement.scrollWidth") <= 400
    light = page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(253, 252, 249)"
    assert light is (scheme == "light")


def test_a_phone_shows_what_matters_of_the_tables(page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    table = page.locator(".glance .scroll").first
    heads = table.locator("thead th")
    assert [heads.nth(n).inner_text() for n in range(1, 5)] == [
        "volunteer",
        "mixed",
        "hidden",
        "NVR",
    ]
    for cells in (heads, table.locator("tbody tr").first.locator("td")):
        at = 4 if cells is heads else 3
        box = cells.nth(at).bounding_box()
        assert box["x"] + box["width"] <= 400
    page.wait_for_function("() => document.querySelector('.glance .scroll[data-more]')")
    hint = "getComputedStyle(document.querySelector('.glance .scroll'), '::before').content"
    assert "scroll sideways" in page.evaluate(hint)
    row = page.locator(".list tbody tr").first
    for part in (".key", ".failure", ".how", ".agent-name"):
        box = row.locator(part).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 400
    assert page.locator(".list").get_by_role("cell").count() > 0
    assert page.get_by_role("columnheader", name="how it went").count() == 1


def test_tables_open_in_print(page: Any) -> None:
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details.table:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details.table[open]").count() == 0
