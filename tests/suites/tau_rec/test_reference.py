"""The reference agents on hand-made families, in every condition and on both interfaces."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import msgspec
import pytest

from mystery_shopper.catalog import Operator, Predicate, build_catalogue, parse_domain
from mystery_shopper.dialogue import (
    AgentSaid,
    CallTools,
    Message,
    Say,
    ToolCall,
    ToolCalled,
    Transcript,
    Verdict,
    View,
)
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.reference import AGENTS, Interviewer, Scripted, call, say
from mystery_shopper.suites.tau_rec.reference.catalogued import oracle_item
from mystery_shopper.suites.tau_rec.reference.eliminating import _values
from mystery_shopper.suites.tau_rec.score import Elicited, Outcome, TauRecScore
from mystery_shopper.suites.tau_rec.scoring import score
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.task import Condition, Task
from mystery_shopper.suites.tau_rec.taskfile import shipped_task_set
from mystery_shopper.testing import ScriptedAgent, events_of

from .helpers import (
    BOTH,
    FARLAND,
    HIDDEN,
    NORTH,
    ON_ASK,
    RED,
    SINCE,
    STATED,
    UNTIL,
    domain,
    lamp_shelf,
    lamps,
    play,
    shelf_of,
    task,
)

SUDLAND = Predicate("land", Operator.WITHIN, "Sudland")
BLUE = Predicate("colour", Operator.CONTAINS, "Blue")
NOWHERE = Predicate("land", Operator.WITHIN, "Nowhere")
S, K = Interface.STRUCTURED, Interface.KEYWORD

FAMILIES: dict[str, dict[str, Any]] = {
    "one hidden": {"given": ((RED, STATED), (SUDLAND, HIDDEN)), "formats": ("E27", "E14")},
    "known": {"given": ((RED, STATED), (NORTH, HIDDEN)), "formats": ("E27",), "history": ("a1",)},
    "two hidden": {"given": ((RED, STATED), (BLUE, HIDDEN), (SINCE, HIDDEN))},
    "years": {"given": ((RED, STATED), (SINCE, HIDDEN), (UNTIL, HIDDEN))},
    "askable": {"given": ((RED, STATED), (NORTH, ON_ASK), (UNTIL, HIDDEN)), "formats": ("solar",)},
    "nothing fits": {"given": ((RED, STATED), (FARLAND, HIDDEN)), "satisfiable": False},
}


def family_task(name: str, condition: Condition) -> Task:
    more = dict(FAMILIES[name])
    return task(*more.pop("given"), condition=condition, **more)


def trial(given: Task, agent: str, interface: Interface, shelf: Shelf | None = None) -> TauRecScore:
    shelf = shelf or lamp_shelf()
    return score(given, shelf.catalogue, play(given, agent, interface=interface, shelf=shelf))


every_family = pytest.mark.parametrize("name", FAMILIES)
every_condition = pytest.mark.parametrize("condition", Condition)
every_interface = pytest.mark.parametrize("interface", BOTH)


@every_family
@every_condition
@every_interface
def test_the_oracle_scores_full_marks(
    name: str, condition: Condition, interface: Interface
) -> None:
    found = trial(family_task(name, condition), "oracle", interface)
    assert (found.success, found.failure) == (True, None)
    assert set(msgspec.structs.astuple(found.checks)) == {Outcome.PASSED}
    assert found.elicited in (None, Elicited.ALL)


@every_family
@every_condition
@every_interface
@pytest.mark.parametrize("agent", ["popularity", "eliminating"])
def test_asking_and_proposing_solves_small_tasks(
    name: str, condition: Condition, interface: Interface, agent: str
) -> None:
    found = trial(family_task(name, condition), agent, interface)
    assert found.success is True
    assert found.unsearched in (False, None)
    assert (found.tool_errors, found.untagged, found.not_understood) == (0, 0, 0)


@every_condition
def test_eliminating_proposes_no_more_than_popularity(condition: Condition) -> None:
    for name in FAMILIES:
        given = family_task(name, condition)
        counts = [trial(given, agent, S).proposals for agent in ("eliminating", "popularity")]
        assert counts[0] <= counts[1]


def test_eliminating_learns_from_a_rejection() -> None:
    """Old Glow is Norland's: its rejection rules Norland out, so Red Moon is not proposed."""
    given = family_task("one hidden", Condition.HIDDEN)
    verdicts = events_of(play(given, "eliminating"), Verdict)
    assert [(v.item_id, v.accepted) for v in verdicts] == [("a1", False), ("a4", True)]
    by_rank = events_of(play(given, "popularity"), Verdict)
    assert [v.item_id for v in by_rank] == ["a1", "a2", "a4"]


@every_family
def test_one_proposal_a_turn_and_never_the_same_twice(name: str) -> None:
    for agent in ("popularity", "eliminating"):
        played = play(family_task(name, Condition.HIDDEN), agent)
        verdicts = events_of(played, Verdict)
        assert len({v.item_id for v in verdicts}) == len(verdicts)
        assert all(not v.others for v in verdicts)


@every_family
@every_interface
def test_no_ask_solves_what_is_volunteered(name: str, interface: Interface) -> None:
    given = family_task(name, Condition.VOLUNTEER)
    found = trial(given, "no-ask", interface)
    assert found.success is True
    assert (found.questions, found.proposals, found.turns) == (0, 0, 0)


@every_interface
def test_no_ask_fails_what_it_would_have_to_ask(interface: Interface) -> None:
    found = trial(family_task("one hidden", Condition.MIXED), "no-ask", interface)
    assert (found.success, found.recommended) == (False, "a1")


@every_interface
def test_who_asks_and_never_proposes_is_served_by_answers_alone(interface: Interface) -> None:
    mixed = trial(family_task("one hidden", Condition.MIXED), "ask-never-propose", interface)
    assert (mixed.success, mixed.recommended, mixed.proposals) == (True, "a4", 0)
    hidden = trial(family_task("one hidden", Condition.HIDDEN), "ask-never-propose", interface)
    assert (hidden.success, hidden.recommended, hidden.untested) == (False, "a1", True)
    assert hidden.questions == 1


@every_interface
@pytest.mark.parametrize("condition", [Condition.MIXED, Condition.HIDDEN])
def test_who_proposes_and_never_asks_is_served_by_verdicts(
    condition: Condition, interface: Interface
) -> None:
    found = trial(family_task("one hidden", condition), "propose-never-ask", interface)
    assert (found.success, found.recommended, found.questions) == (True, "a4", 0)
    assert (found.proposals, found.rejections, found.untested) == (3, 2, False)


@every_family
@every_condition
def test_null_earns_nothing_where_something_fits(name: str, condition: Condition) -> None:
    given = family_task(name, condition)
    found = trial(given, "null", S)
    assert found.success is not given.family.satisfiable
    assert (found.calls, found.turns) == (1, 0)


@pytest.mark.parametrize("agent", AGENTS)
@every_interface
def test_a_label_that_the_catalogue_lacks_matches_nothing(agent: str, interface: Interface) -> None:
    """So it is where a nested catalogue no longer holds a label that is required."""
    given = task((NOWHERE, STATED), (RED, STATED), condition=Condition.VOLUNTEER, satisfiable=False)
    assert trial(given, agent, interface).success is True


@pytest.mark.parametrize(
    "agent",
    ["popularity", "eliminating", "ask-never-propose", "propose-never-ask", "no-ask"],
)
def test_years_alone_are_no_keywords(agent: str) -> None:
    given = task((SINCE, STATED), condition=Condition.VOLUNTEER)
    assert trial(given, agent, K).recommended is None


def test_the_oracle_abstains_where_no_answer_can_be_had() -> None:
    given = task((RED, STATED), (NORTH, STATED), formats=("gas",))
    assert oracle_item(given, lamp_shelf()) is None


@pytest.mark.parametrize(
    ("formats", "history", "item_id"),
    [((), (), "a1"), ((), ("a1",), "a2"), (("e14",), (), "a2"), (("E27",), ("a1",), "a4")],
)
def test_the_oracle_takes_the_first_that_is_unread_and_to_be_had(
    formats: tuple[str, ...], history: tuple[str, ...], item_id: str
) -> None:
    given = task((RED, STATED), formats=formats, history=history)
    assert oracle_item(given, lamp_shelf()) == item_id


def crowd() -> Shelf:
    """Sixty red lamps, of which only the 31st is from Norland."""
    values: dict[str, list[Any]] = {name: [None] * 60 for name in domain().fields}
    values["colour"] = ["Red"] * 60
    values["land"] = ["Farland"] * 30 + ["Norland"] + ["Farland"] * 29
    values["fame"] = [100 - i for i in range(60)]
    return shelf_of(build_catalogue("lamps", domain(), [f"m{i:02}" for i in range(60)], values))


def test_popularity_turns_pages() -> None:
    shelf = crowd()
    read = tuple(f"m{i:02}" for i in range(25))
    given = task((RED, STATED), (NORTH, HIDDEN), history=read)
    played = play(given, "popularity", shelf=shelf)
    pages = [e.arguments["page"] for e in events_of(played, ToolCalled) if e.name == "search"]
    assert pages == [1, 2]
    assert score(given, shelf.catalogue, played).recommended == "m30"


def test_popularity_may_run_into_the_turn_cap() -> None:
    found = trial(task((RED, STATED), (NORTH, HIDDEN)), "popularity", S, crowd())
    assert (found.ending.value, found.turns, found.rejections) == ("turn_cap", 20, 19)


def test_eliminating_finds_at_once_what_fits_most_hypotheses() -> None:
    """Norland's lamp fits Norland and the North above it, each of the others Farland alone."""
    found = trial(task((RED, STATED), (NORTH, HIDDEN)), "eliminating", S, crowd())
    assert (found.success, found.rejections) == (True, 0)


def test_the_question_names_every_field() -> None:
    question = Interviewer(lamp_shelf(), S).question
    assert question == (
        "Do you have any requirements on the colour, the land, the year of making or the plug?"
    )


def test_a_single_field_is_asked_plainly() -> None:
    one = parse_domain(
        b"{name: n, noun: {singular: x, plural: xs}, title: t, fields: "
        b"{t: {kind: text}, hue: {kind: category, requirement: true}}}",
        "n",
    )
    shelf = shelf_of(build_catalogue("n", one, ["1"], {"t": ["T"], "hue": ["Red"]}))
    assert Interviewer(shelf, S).question == "Do you have any requirements on the hue?"
    given = task((Predicate("hue", Operator.CONTAINS, "Red"), HIDDEN))
    for agent in ("oracle", "popularity", "eliminating"):
        found = trial(given, agent, S, shelf)
        assert (found.success, found.elicited) == (True, None)


def test_bounds_of_one_field_are_joined() -> None:
    later = Predicate("made", Operator.AT_LEAST, 2005)
    arguments = Interviewer(lamp_shelf(), S).arguments([SINCE, later, UNTIL, RED, BLUE], ["E27"])
    assert arguments == {
        "colour": ["Red", "Blue"],
        "made_min": 2005,
        "made_max": 2010,
        "formats": ["E27"],
    }


def test_a_proposal_is_found_by_its_own_values() -> None:
    """By every label and by a bound on either side; a value that is missing is not searched for."""
    fields = ("colour", "land", "made")
    ember, dune = (lamps().item(lamps().position_of[item_id]) for item_id in ("a4", "a7"))
    arguments = [
        Interviewer(lamp_shelf(), S).arguments(_values(i, fields), ()) for i in (ember, dune)
    ]
    assert arguments == [
        {"colour": ["Red", "Blue"], "land": ["Sudland"], "made_min": 2005, "made_max": 2005},
        {"colour": ["Gold", "Blue"], "land": ["Farland"]},
    ]


def test_an_unknown_item_is_proposed_by_its_id() -> None:
    steps = Interviewer(lamp_shelf(), S).propose("zz")
    assert next(steps) == Say("I propose “zz” [[candidate_id:zz]].")


# --- scripts ------------------------------------------------------------------------------------


def view(*messages: Message) -> View:
    return View("", {}, messages, 0)


def test_a_script_starts_from_the_opening_and_abstains_when_it_has_run_out() -> None:
    heard: list[str] = []

    def script(opening: str) -> Any:
        heard.append(opening)
        answer = yield from say("Hm?")
        heard.append(answer)

    agent = Scripted(script)
    assert agent.act(view(Message("user", "Hello"))) == Say("Hm?")
    assert agent.act(view(Message("agent", "Hm?"), Message("user", "Yes."))) == CallTools(
        (ToolCall("recommend", {"item_id": None}),)
    )
    assert heard == ["Hello", "Yes."]


def test_a_script_may_start_from_silence() -> None:
    agent = Scripted(lambda opening: say(opening + "?"))  # type: ignore[arg-type,return-value]
    assert agent.act(view()) == Say("?")


def test_a_call_without_an_answer_found_nothing() -> None:
    steps = call("search", page=1)
    assert next(steps) == CallTools((ToolCall("search", {"page": 1}),))
    with pytest.raises(StopIteration) as stop:
        steps.send([])
    assert stop.value.value == {}


# --- the oracle with one step removed -----------------------------------------------------------


def without(played: Transcript, step: str) -> list[Any]:
    """The acts of a transcript but those of one kind."""
    acts: list[Any] = []
    for event in played.events:
        match event:
            case AgentSaid() if step != ("propose" if "[[" in event.text else "ask"):
                acts.append(Say(event.text))
            case ToolCalled() if event.name != step:
                acts.append(CallTools((ToolCall(event.name, event.arguments),)))
            case _:
                pass
    return acts


@every_condition
@pytest.mark.parametrize(
    ("step", "measure", "value"),
    [
        ("recommend", "success", False),
        ("check_formats", "success", False),
        ("propose", "untested", True),
        ("ask", "elicited", Elicited.NONE),
    ],
)
def test_every_step_of_the_oracle_counts(
    condition: Condition, step: str, measure: str, value: object
) -> None:
    if step == "ask" and condition is Condition.VOLUNTEER:
        pytest.skip("there is nothing to ask")
    given = family_task("known", condition)
    acts = without(play(given, "oracle"), step)
    found = score(given, lamps(), play(given, ScriptedAgent(acts)))
    assert getattr(found, measure) == value


# --- the shipped set, with the real reader --------------------------------------------------------


@cache
def figures(
    agent: str, *conditions: Condition, block: str = "all", size: int | None = None
) -> dict[bool, tuple[int, int]]:
    """Whether something fits -> how many of these tasks are solved, and how many there are."""
    films = load_films()
    shelf = Shelf(films if size is None else films.nested(size))
    solved: Counter[bool] = Counter()
    count: Counter[bool] = Counter()
    for given in shipped_task_set().select(block, conditions):
        found = trial(given, agent, S, shelf)
        assert (found.not_understood, found.tool_errors, found.untagged) == (0, 0, 0)
        solved[given.family.satisfiable] += bool(found.success)
        count[given.family.satisfiable] += 1
    return {fits: (solved[fits], count[fits]) for fits in (True, False)}


def test_the_oracle_solves_the_panel() -> None:
    assert figures("oracle", Condition.HIDDEN, block="panel") == {True: (45, 45), False: (6, 6)}


def test_null_solves_what_nothing_fits() -> None:
    assert figures("null", *Condition, block="panel") == {True: (0, 135), False: (18, 18)}


@pytest.mark.parametrize("size", [5000, None])
@pytest.mark.parametrize("agent", ["popularity", "eliminating"])
def test_asking_solves_whatever_is_volunteered_or_askable(agent: str, size: int | None) -> None:
    conditions = (Condition.VOLUNTEER, Condition.MIXED)
    found = figures(agent, *conditions, block="panel", size=size)
    assert found == {True: (90, 90), False: (12, 12)}


def test_eliminating_finds_what_is_never_stated() -> None:
    hard, easy = (figures(name, Condition.HIDDEN) for name in ("eliminating", "popularity"))
    assert hard[True][0] >= 128
    assert hard[False] == (15, 15)
    assert 60 <= easy[True][0] <= min(105, hard[True][0] - 25)
    assert easy[False][0] <= 8


def test_without_asking_only_the_volunteers_are_served() -> None:
    assert figures("no-ask", Condition.VOLUNTEER) == {True: (135, 135), False: (15, 15)}
    assert figures("no-ask", Condition.MIXED)[True][0] <= 20
    hidden = figures("no-ask", Condition.HIDDEN)
    assert hidden[True][0] <= 20
    assert hidden[False][0] == 0


def test_asking_alone_and_proposing_alone_each_serve_some() -> None:
    conditions = (Condition.MIXED, Condition.HIDDEN)
    asks = {one: figures("ask-never-propose", one, block="panel") for one in conditions}
    proposes = {one: figures("propose-never-ask", one, block="panel") for one in conditions}
    assert asks[Condition.MIXED] == {True: (45, 45), False: (6, 6)}
    assert 0.1 <= asks[Condition.HIDDEN][True][0] / 45 <= 0.35
    assert asks[Condition.HIDDEN][False][0] == 0
    for found in proposes.values():
        assert 0.25 <= found[True][0] / 45 <= 0.5
        assert found[False][0] == 0
