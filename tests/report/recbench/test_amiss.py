"""Why trials recommend nothing, and what was called in vain: on the terminal and on the page."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mystery_shopper.dialogue import (
    AgentSaid,
    Ended,
    Ending,
    Event,
    Fault,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
    Transcript,
    UserSaid,
)
from mystery_shopper.dialogue.tools import invoke
from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.recbench import tell
from mystery_shopper.report.recbench.amiss import (
    ASKS,
    MUTE,
    NAMED,
    NOTHING,
    REFUSES,
    UNREAD,
    Amiss,
    amiss_in,
    lines,
)
from mystery_shopper.report.recbench.conducttables import exclusions, nothing_recommended
from mystery_shopper.report.recbench.played import Played, read_played
from mystery_shopper.suites.recbench.answers import read_answer
from mystery_shopper.suites.recbench.query import Query
from mystery_shopper.suites.recbench.score import Failure

from .made import TITLES, even, ground_of, make_folder, make_plan, make_set, make_trial, make_trials

SET = make_set(8)
PLAN = make_plan(SET)
ASKED = [one for one in SET.queries if one.kind.value == "explicit"]


def said(text: str, one: Query = ASKED[0], items: tuple[str, ...] = ()) -> Trial:
    """A trial that ended with these words, read as the suite reads them."""
    trial = make_trial(one, PLAN, items=items, words=text or " ")
    refused = read_answer(text).refused
    return msgspec.structs.replace(
        trial, score=msgspec.structs.replace(trial.score, refused=refused)
    )


def stuck(one: Query = ASKED[0], names: tuple[str, ...] = ("recommend",) * 150) -> Trial:
    """A trial that called what is not there until the budget was used up."""
    tools = dict.fromkeys(("search", "get_metadata"))
    events: list[Event] = [UserSaid(one.text)]
    for n, name in enumerate(names):
        result = invoke(tools, name, {})  # type: ignore[arg-type]
        assert result.error is ToolErrorKind.UNKNOWN_TOOL
        events += [
            ToolCalled(f"c{n}", name, {}),
            ToolReturned(f"c{n}", name, result.content, result.error),
        ]
    events.append(Ended(Ending.TOOL_BUDGET, fault=Fault.AGENT))
    trial = make_trial(one, PLAN)
    score = msgspec.structs.replace(
        trial.score, ending=Ending.TOOL_BUDGET, failure=Failure.TOOL_BUDGET, refused=False,
        calls=len(names), tool_errors=len(names),
    )  # fmt: skip
    return msgspec.structs.replace(
        trial, fault=Fault.AGENT, score=score, transcript=Transcript(tuple(events))
    )


def played(*trials: Trial) -> Played:
    return read_played("run", PLAN, trials, query_set=SET)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Which genre, language and country do you want?", ASKS),
        ("I can recommend nothing yet. Which genre do you want?", ASKS),
        ("Do you want something old? Let me know.", ASKS),
        ("**Which genre?**", ASKS),
        ("None", REFUSES),
        ('{"recommendations": [], "concerns": ["Did he direct it?"]}', REFUSES),
        ("I will look around for a while.", UNREAD),
        ("See https://a.example/?q=x&r=y for more.", UNREAD),
        ("", MUTE),
    ],
)
def test_each_ending_without_a_recommendation_has_its_reason(text: str, why: str) -> None:
    assert amiss_in(said(text)).silent == why


def test_only_titles_of_the_request_are_no_recommendation() -> None:
    one = next(query for query in SET.queries if query.named)
    trial = said("1. That one", one, one.named)
    assert all(pick.named for pick in trial.requested.picks)
    assert amiss_in(trial).silent == NAMED


def test_a_recommendation_is_not_amiss_even_with_a_question() -> None:
    trial = said("1. Film No 1\n\nWould you like more?", items=("i001",))
    assert amiss_in(trial) is NOTHING
    assert lines(played(trial).valid) == []


def test_the_budget_is_told_with_the_tools_that_are_not_there() -> None:
    run = played(*(stuck(one) for one in ASKED[:3]))
    assert lines(run.valid) == [
        "3 of 3 valid trials recommend nothing: 3 ended at the tool budget",
        "450 calls of a tool that is not there: `recommend` (there are: search, get_metadata)",
    ]
    (row,) = exclusions(ground_of(run)).rows[:1]
    assert row[1:4] == (
        "agent's", "counts against it", "tool budget; called, and not there: `recommend`",
    )  # fmt: skip
    (row,) = nothing_recommended(ground_of(run)).rows
    assert row[1:4] == ("ended at the tool budget", "`recommend`", "3")


def test_several_names_are_told_with_their_calls_and_cleaned() -> None:
    names = ("buy", "buy", "order", "pay\x1b[31m", "ask", "ask", "ask")
    told = lines(played(stuck(names=names)).valid)[1]
    assert told.startswith("7 calls of tools that are not there: `ask` 3, `buy` 2, `order` 1, 1 mo")
    assert "\x1b" not in told


def test_a_call_in_vain_is_told_of_a_trial_that_recommends_too() -> None:
    trial = said("1. Film No 1", items=("i001",))
    lost = stuck(names=("recommend",))
    trial = msgspec.structs.replace(
        trial,
        score=msgspec.structs.replace(trial.score, tool_errors=1),
        transcript=Transcript((*lost.transcript.events[:-1], *trial.transcript.events[1:])),
    )
    assert amiss_in(trial) == Amiss("", ("recommend",), ("search", "get_metadata"))
    assert lines(played(trial).valid)[0].startswith("1 call of a tool that is not there")


@pytest.mark.parametrize("content", ["", "[]", "not json", '{"tools": 3}'])
def test_what_a_tool_is_said_to_have_given_may_be_anything(content: str) -> None:
    trial = stuck(names=("recommend",))
    events = list(trial.transcript.events)
    events[2] = ToolReturned("c0", "recommend", content, ToolErrorKind.UNKNOWN_TOOL)
    trial = msgspec.structs.replace(trial, transcript=Transcript(tuple(events)))
    assert amiss_in(trial).absent == ("recommend",)
    assert "(there are: none)" in lines(played(trial).valid)[1]


def test_arguments_that_do_not_fit_are_told_where_nothing_came_of_it() -> None:
    error = '{"error": "The arguments are not valid JSON."}'
    call = ToolReturned("c1", "search", error, ToolErrorKind.BAD_ARGUMENTS)
    for items, often in ((("i001",), 0), ((), 1)):
        trial = said("Hm.", items=items)
        events = (UserSaid("x"), call, AgentSaid("Hm."), Ended(Ending.FINISHED))
        trial = msgspec.structs.replace(
            trial,
            score=msgspec.structs.replace(trial.score, tool_errors=1),
            transcript=Transcript(events),
        )
        told = [line for line in lines(played(trial).valid) if "do not fit" in line]
        assert len(told) == often
        assert all("search: The arguments are not valid JSON." in line for line in told)


def test_who_is_excluded_recommends_nothing_by_nobody_s_choice() -> None:
    trial = make_trial(ASKED[0], PLAN, fault=Fault.INFRASTRUCTURE)
    assert amiss_in(trial) is NOTHING
    (row,) = exclusions(ground_of(played(trial))).rows[:1]
    assert row[2:4] == ("excluded", "503 Overloaded")


def test_the_terminal_and_the_page_say_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    trials = [stuck(one) for one in ASKED[:5]] + [said("Which one?", one) for one in ASKED[5:]]
    folder = make_folder(tmp_path / "run", PLAN, trials)
    page = tmp_path / "page.html"
    tell([folder], page, query_sets={SET.name: SET}, titles={"run": TITLES}, resamples=50)
    told = " ".join(capsys.readouterr().out.split())
    assert f"{len(ASKED)} of {len(ASKED)} valid trials recommend nothing: " in told
    assert f"{len(ASKED) - 5} {ASKS}; 5 ended at the tool budget" in told
    assert "750 calls of a tool that is not there: `recommend`" in told
    text = page.read_text(encoding="utf-8")
    assert "Answers that recommend nothing" in text
    assert "tool budget; called, and not there: `recommend`" in text
    assert "no message" not in text


def test_a_run_in_which_all_is_well_tells_nothing_of_it() -> None:
    trials = make_trials(SET, PLAN, even, silent=0.0)
    assert lines(played(*trials).valid) == []
