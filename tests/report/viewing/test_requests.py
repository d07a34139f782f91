"""Runs of recbench in the viewer: the index, what the server tells, and the pages in a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from tests.engine.requested import answered, asked, catalogue, plan_over, queries, shop

from mystery_shopper.dialogue import CallTools, Ended, Ending, Fault, Say, ToolCall, Transcript
from mystery_shopper.engine import RunFolder, Trial
from mystery_shopper.engine.journal import Timing
from mystery_shopper.report.requests import (
    MOST_TITLES,
    Ground,
    request_entry,
    request_haystack,
    request_record,
    verdict_of,
)
from mystery_shopper.report.steps import Results
from mystery_shopper.report.viewing import Viewer
from mystery_shopper.report.viewing.index import RunIndex
from mystery_shopper.suites.recbench.score import Figures, Pick
from mystery_shopper.testing import ScriptedAgent

from ..browsing import axe, opened_page
from .serving import ask, serving

EVIL = "<img src=x onerror=document.title='owned'><b>bold</b>"
KEY = "implicit-1-001#0"


def title(item: str) -> str:
    films = catalogue()
    return films.item(films.position_of[item]).title or item


def answer_to(task: str) -> ScriptedAgent:
    """What is right, what is not, a title that nobody bears, and what the request names."""
    query = queries().by_id[task]
    if task == "explicit-1-002":
        return ScriptedAgent([], Say("None. I cannot recommend anything."))
    wrong = next(i for i in catalogue().ids if i not in (*query.matching, *query.named))
    items = [*query.own[:1], *query.matching[-1:], wrong, *query.named[:1]]
    said = [*({"title": title(item)} for item in items), {"title": EVIL}]
    search = CallTools((ToolCall("search", {"keywords": "film"}),))
    return ScriptedAgent([search, Say(json.dumps({"recommendations": said}))])


def excluded(trial: Trial) -> Trial:
    score = msgspec.structs.replace(
        trial.requested, success=None, failure=None, ending=Ending.ERROR, picks=(),
        figures=Figures(), at_five=Figures(),
    )  # fmt: skip
    ended = Ended(Ending.ERROR, fault=Fault.INFRASTRUCTURE, detail="503")
    return msgspec.structs.replace(
        trial, fault=Fault.INFRASTRUCTURE, score=score, transcript=Transcript((ended,))
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """Ten queries with a history handed over; one trial was excluded, one could not be scored."""
    path = tmp_path_factory.mktemp("view")
    plan = plan_over(shop(path / "shop" / "few"), history=True)
    made = answered(path / "made", plan, lambda _, task: answer_to(task))
    trials = list(made.trials())
    lost = [trial.task for trial in trials].index("interest-002")
    none = [trial.task for trial in trials].index("misinformed-1-002")
    trials[lost] = excluded(trials[lost])
    trials[none] = msgspec.structs.replace(
        trials[none],
        score=msgspec.structs.replace(trials[none].requested, success=None, failure=None),
    )
    run = RunFolder(path / "runs" / "asked")
    run.begin(plan)
    run.append(trials, [Timing(KEY, (0.25, 1.5), {}, {}, (1.75,))])
    asked(path / "runs" / "oracle", path / "shop" / "few", "oracle")
    return run


@pytest.fixture(scope="module")
def viewer(folder: RunFolder) -> Iterator[Viewer]:
    with serving(folder.path.parent) as made:
        yield made


def test_the_index_says_what_the_trials_say(folder: RunFolder) -> None:
    index = RunIndex(folder)
    while not index.refresh(2_000):
        pass
    trials = list(folder.trials())
    assert index.count == len(trials) == 10
    for number, trial in enumerate(trials):
        assert index.entry(number) == request_entry(trial, 0)
        assert index.read(number)[0] == trial
    outcomes = {request_entry(trial, 0).outcome for trial in trials}
    assert outcomes == {"failure", "excluded", "unscored"}
    lines = {trial.task: request_entry(trial, 0) for trial in trials}
    empty, lost = lines["explicit-1-002"], lines["interest-002"]
    assert (empty.items, empty.precision, empty.failure) == (0, None, "recommended nothing")
    assert (lost.items, lost.cmr, lost.failure, lost.conditions) == (None, None, "", "")
    assert lines["implicit-1-001"].failure == "named a title that no item bears"


def test_what_a_title_came_to() -> None:
    query = queries().by_id["implicit-1-001"]
    others = [item for item in query.matching if item not in query.own]
    wrong = next(i for i in catalogue().ids if i not in (*query.matching, *query.named))
    profile = queries().by_id["interest-001"]
    for pick, of, told in (
        (Pick("x", query.own[0]), query, ("in the user's own group", True)),
        (Pick("x", others[0]), query, ("meets all conditions", True)),
        (Pick("x", wrong), query, ("breaks a condition", False)),
        (Pick("x", query.named[0], named=True), query,
         ("named in the request: counts neither way", None)),
        (Pick("x", None, "unknown"), query, ("no item bears this title", False)),
        (Pick("x", None, "ambiguous"), query, ("several items bear this title", False)),
        (Pick("x", wrong), None, ("", None)),
        (Pick("x", profile.own[0]), profile, ("in the subset that the reason speaks of", True)),
        (Pick("x", wrong), profile, ("not on the profile's list", False)),
    ):  # fmt: skip
        assert verdict_of(pick, of) == told


def test_the_verdicts_are_those_of_the_figures(folder: RunFolder) -> None:
    """The marks beside the titles, counted, are precision against all that fits."""
    ground = Ground(queries(), title, history=True)
    for trial in folder.trials():
        came = request_record(trial, ground, Results()).came
        counted = [one for one in came if one.good is not None]
        if counted:
            right = sum(one.good is True for one in counted)
            assert right / len(counted) == pytest.approx(trial.requested.figures.precision_all)


def test_a_record_without_its_query_set_shows_what_the_trial_has(folder: RunFolder) -> None:
    trial = next(one for one in folder.trials() if one.key == KEY)
    found = request_record(trial, Ground(), Results())
    assert (found.asked, found.history) == (None, None)
    assert found.came[0].item == found.came[0].title == trial.requested.picks[0].item_id
    assert len(found.figures) > 5
    whole = request_record(trial, Ground(queries(), title, history=True), Results())
    assert whole.asked is not None
    assert whole.history is not None
    query = queries().by_id[trial.task]
    assert whole.asked.own.shown == tuple(map(title, query.own))
    assert whole.asked.own.of + whole.asked.others.of == len(query.matching)
    assert whole.history.of == len(queries().history(query))
    text = request_haystack(request_entry(trial, 0), "me", found)
    assert EVIL.lower() in text
    assert str(trial.requested.picks[0].item_id) in text


def test_long_lists_are_bounded_and_counted() -> None:
    query = msgspec.structs.replace(
        queries().by_id["explicit-1-001"], matching=tuple(catalogue().ids)
    )
    from mystery_shopper.report.requests import asked_of

    found = asked_of(query, queries(), title)
    assert len(found.others.shown) == MOST_TITLES
    assert found.others.of == len(catalogue().ids) - len(query.own)


def test_the_server_tells_of_runs_and_filters(viewer: Viewer, folder: RunFolder) -> None:
    runs = ask(viewer, "/api/runs").json["runs"]
    mine = runs[0]
    assert (mine["suite"], mine["history"], mine["unscored"]) == ("recbench", True, 1)
    assert (mine["done"], mine["excluded"], mine["failure"]) == (10, 1, 8)
    found = ask(viewer, "/api/runs/0/trials?condition=implicit&outcome=failure").json
    assert [one["key"] for one in found["entries"]] == ["implicit-1-001#0", "implicit-1-002#0"]
    assert dict(found["choices"]["tier"]) == {"1": "1"}
    assert {value for value, _ in found["choices"]["outcome"]} == {
        "failure", "excluded", "unscored",
    }  # fmt: skip
    assert ask(viewer, "/api/runs/0/trials?outcome=unscored").json["matching"] == 1
    assert ask(viewer, "/api/runs/0/trials?tier=1").json["matching"] == 6
    assert ask(viewer, "/api/runs/0/trials?text=no+such+words").json["matching"] == 0
    item = next(iter(folder.trials())).requested.picks[0].item_id
    assert ask(viewer, f"/api/runs/0/trials?text={item}").json["matching"] >= 1


def test_pages_of_the_other_suite_load_nothing_more(viewer: Viewer) -> None:
    assert b"requests.js" in ask(viewer, "/runs/0").body
    from mystery_shopper.report.viewing.pages import page_of

    assert "requests.js" not in page_of((0, "run", "me"), "tau_rec")
    assert "data-suite" not in page_of((0, "run", "me"), "tau_rec")


# --- in a browser -------------------------------------------------------------------------------


@pytest.fixture
def page(browser: Any, viewer: Viewer) -> Iterator[Any]:
    with opened_page(browser, f"{viewer.url}runs/0") as opened:
        waits_for_rows(opened, 10)
        yield opened


def waits_for_rows(page: Any, count: int) -> None:
    page.wait_for_function(
        "n => document.querySelectorAll('.list tbody .key').length === n", arg=count
    )


@pytest.mark.browser
def test_the_list_and_its_filters(page: Any) -> None:
    page.get_by_text("10 of 10 planned trials, 1 excluded · success 0 of 8").wait_for()
    assert "1 unscored" in page.locator("#live").inner_text()
    facts = page.locator("#facts").inner_text()
    assert "history handed over, any number of items asked for" in facts
    assert "Customer" not in facts
    heads = page.locator(".list thead th").all_inner_texts()
    assert heads[4:] == [
        "type", "conditions", "items", "precision", "recall", "CMR", "calls",
    ]  # fmt: skip
    page.get_by_role("combobox", name="Type").select_option("misinformed")
    waits_for_rows(page, 2)
    page.get_by_role("combobox", name="Outcome").select_option("unscored")
    waits_for_rows(page, 1)
    page.get_by_role("button", name="Clear").click()
    waits_for_rows(page, 10)
    page.get_by_role("combobox", name="Conditions").select_option("1")
    waits_for_rows(page, 6)
    page.get_by_role("combobox", name="Failure").select_option("recommended nothing")
    waits_for_rows(page, 1)
    assert page.locator(".key").inner_text() == "explicit-1-002#0"
    page.get_by_role("button", name="Clear").click()
    page.get_by_role("searchbox", name="Query").fill("demographics")
    waits_for_rows(page, 2)


@pytest.mark.browser
def test_a_trial_shows_the_request_the_answer_and_what_was_right(page: Any, viewer: Viewer) -> None:
    page.goto(f"{viewer.url}runs/0#trial/asked/{KEY.replace('#', '%23')}")
    article = page.locator("article.trial")
    article.wait_for()
    query = queries().by_id["implicit-1-001"]
    part = query.parts[0]
    text = article.inner_text()
    for told in (
        query.text, f"Asked by {query.user}", part.relation, part.value,
        f"not named: told through {title(part.through[0])}",
        "Named in the request, so counted neither way",
        f"The user's own group: {len(query.own)} items",
        "History handed over", "✓ in the user's own group", "✗ breaks a condition",
        "✗ no item bears this title", "named in the request: counts neither way",
        f"5. {EVIL}" if query.named else EVIL, "named a title that no item bears", "1 condition",
        "The agent took 1.75 s over 2 acts", "1 tool call",
    ):  # fmt: skip
        assert told in text, told
    figures = page.get_by_role("region", name="Figures").inner_text()
    assert "CMR" in figures
    assert "hallucinated" in figures
    page.get_by_text("What else is right").click()
    others = [item for item in query.matching if item not in query.own]
    assert title(others[0]) in article.inner_text()
    assert page.title() == "Mystery Shopper: asked"
    assert page.locator("img, main b").count() == 0


@pytest.mark.browser
def test_a_refusal_and_a_profile(page: Any, viewer: Viewer) -> None:
    page.goto(f"{viewer.url}runs/0#trial/asked/explicit-1-002%230")
    page.get_by_text("The answer says that it will not or cannot recommend.").wait_for()
    page.goto(f"{viewer.url}runs/0#trial/asked/demographics-001%230")
    page.get_by_text("Why the answers fit:").wait_for()
    assert page.get_by_role("region", name="The group").is_visible()
    page.goto(f"{viewer.url}runs/0#trial/asked/interest-002%230")
    page.get_by_text("fault of the infrastructure").wait_for()
    assert page.get_by_text("Nothing was scored.").is_visible()


@pytest.mark.browser
@pytest.mark.parametrize("place", ["", f"#trial/asked/{KEY.replace('#', '%23')}"])
def test_axe_finds_no_serious_fault_and_a_phone_shows_it(
    page: Any, viewer: Viewer, place: str
) -> None:
    page.goto(f"{viewer.url}runs/0{place}")
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
