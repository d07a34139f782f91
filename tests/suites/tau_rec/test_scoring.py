"""Every check, every kind of failure and every measure, on hand-made transcripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import build_catalogue
from mystery_shopper.dialogue import (
    AgentNoted,
    AgentSaid,
    CallTools,
    Ended,
    Ending,
    Event,
    Fault,
    Limits,
    NotUnderstood,
    Say,
    ToolCall,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
    Transcript,
    UserSaid,
    Verdict,
)
from mystery_shopper.suites.tau_rec.score import Checks, Elicited, Failure, Outcome, TauRecScore
from mystery_shopper.suites.tau_rec.scoring import Scorer, score
from mystery_shopper.suites.tau_rec.shelf import Interface
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Condition, Task, fact
from mystery_shopper.testing import ScriptedAgent

from .helpers import (
    BOTH,
    FARLAND,
    HIDDEN,
    NORTH,
    ON_ASK,
    RED,
    STATED,
    call,
    lamps,
    play,
    propose,
    shelf_of,
    tag,
    task,
)

PASSED, FAILED, UNSCORED = Outcome.PASSED, Outcome.FAILED, Outcome.UNSCORED
RED_FACT, NORTH_FACT = fact(RED), fact(NORTH)


def mixed(**more: Any) -> Task:
    """Red is stated; the North and the formats (E27) are askable; a1 is known. a4 is right."""
    return task((RED, STATED), (NORTH, ON_ASK), formats=("E27",), history=("a1",), **more)


def hidden(**more: Any) -> Task:
    """Red is stated and Norland-or-Sudland never; the formats are askable."""
    return task((RED, STATED), (NORTH, HIDDEN), formats=("E27",), **more)


def nvr() -> Task:
    """Nothing is red and from Farland."""
    return task((RED, STATED), (FARLAND, HIDDEN), satisfiable=False)


OPENED = UserSaid("Hello!", disclosed=(RED_FACT,))


def asked(*disclosed: str, declined: tuple[str, ...] = ()) -> list[Event]:
    """A question, and what the user gave on it."""
    answer = UserSaid("...", ("land", "format"), disclosed=disclosed, declined=declined)
    return [AgentSaid("Which land and plug?"), answer]


def proposed(item_id: str, accepted: bool | None) -> list[Event]:
    return [AgentSaid(tag(item_id)), Verdict(item_id, accepted), UserSaid("...")]


def called(name: str, content: Any, error: ToolErrorKind | None = None) -> list[Event]:
    text = msgspec.json.encode(content).decode()
    return [ToolCalled("1", name, {}), ToolReturned("1", name, text, error)]


def searched(*item_ids: str) -> list[Event]:
    return called("search", {"items": [{"item_id": item_id} for item_id in item_ids]})


def checked(item_id: str) -> list[Event]:
    return called("check_formats", {"item_id": item_id, "formats": []})


def recommended(item_id: str | None) -> list[Event]:
    kind = Ending.ABSTAINED if item_id is None else Ending.RECOMMENDED
    return [*called("recommend", {"recommended": item_id}), Ended(kind, item_id)]


def scored(given: Task, *parts: Event | list[Event]) -> TauRecScore:
    events: list[Event] = [OPENED]
    for part in parts:
        events += part if isinstance(part, list) else [part]
    return score(given, lamps(), Transcript(tuple(events)))


ALL = asked(NORTH_FACT, FORMATS_FACT)


def model() -> TauRecScore:
    """A trial as it should be."""
    return scored(
        mixed(), ALL, searched("a2", "a4"), proposed("a4", True), checked("a4"), recommended("a4")
    )


# --- success ------------------------------------------------------------------------------------


def test_a_model_trial_has_full_marks() -> None:
    assert model() == TauRecScore(
        success=True,
        ending=Ending.RECOMMENDED,
        failure=None,
        checks=Checks(*[PASSED] * 5),
        meets=True,
        elicited=Elicited.ALL,
        askable=2,
        elicited_facts=2,
        questions=1,
        not_understood=0,
        turns=2,
        calls=3,
        tool_errors=0,
        proposals=1,
        rejections=0,
        accepted=True,
        untested=False,
        before_proposals=False,
        after_decline=False,
        unsearched=False,
        untagged=0,
        recommended="a4",
        rank=4,
    )


def test_a_scorer_scores_the_same_again() -> None:
    scorer = Scorer(lamps())
    transcript = Transcript((OPENED, *recommended("a4")))
    assert scorer.score(mixed(), transcript) == scorer.score(mixed(), transcript)
    assert scorer.score(mixed(), transcript) == score(mixed(), lamps(), transcript)


def test_a_score_survives_json() -> None:
    again = msgspec.json.decode(msgspec.json.encode(model()), type=TauRecScore)
    assert again == model()


def test_a_transcript_without_an_ending_is_refused() -> None:
    with pytest.raises(ValueError, match="no ending"):
        score(mixed(), lamps(), Transcript((OPENED,)))


def test_the_right_item_succeeds_however_it_was_found() -> None:
    assert scored(mixed(), recommended("a4")).success is True


def test_abstaining_succeeds_where_nothing_fits() -> None:
    found = scored(nvr(), recommended(None))
    assert (found.success, found.meets, found.failure) == (True, None, None)


# --- the five checks ----------------------------------------------------------------------------


def test_a_second_recommendation_fails() -> None:
    found = scored(mixed(), called("recommend", {"recommended": "a2"}), recommended("a4"))
    assert found.checks.one_recommendation is FAILED
    assert found.success is False


def test_a_refused_recommendation_does_not_count() -> None:
    refused = called("recommend", {"error": "no"}, ToolErrorKind.BAD_ARGUMENTS)
    found = scored(mixed(), refused, recommended("a4"))
    assert found.checks.one_recommendation is PASSED
    assert (found.success, found.tool_errors) == (True, 1)


def test_a_known_item_fails_though_it_fits() -> None:
    found = scored(mixed(), checked("a1"), recommended("a1"))
    assert found.checks.not_from_history is FAILED
    assert (found.meets, found.success, found.failure) == (True, False, Failure.KNOWN_ITEM)


def test_formats_need_a_check_once_they_are_named() -> None:
    found = scored(mixed(), ALL, recommended("a4"))
    assert found.checks.formats_checked is FAILED
    assert (found.success, found.failure) == (False, Failure.FORMATS_UNCHECKED)


def test_a_check_of_another_item_does_not_count() -> None:
    found = scored(mixed(), ALL, checked("a2"), recommended("a4"))
    assert found.failure is Failure.FORMATS_UNCHECKED


def test_a_refused_check_does_not_count() -> None:
    refused = called("check_formats", {"error": "no"}, ToolErrorKind.BUDGET)
    assert scored(mixed(), ALL, refused, recommended("a4")).failure is Failure.FORMATS_UNCHECKED


def test_an_accepted_format_must_be_among_the_items() -> None:
    found = scored(mixed(), ALL, checked("a2"), recommended("a2"))
    assert found.checks.formats_checked is FAILED
    assert (found.meets, found.failure) == (True, Failure.FORMAT_UNAVAILABLE)


def test_a_check_before_the_formats_are_named_counts() -> None:
    assert scored(mixed(), checked("a4"), ALL, recommended("a4")).success is True


def test_unnamed_formats_need_no_check() -> None:
    found = scored(mixed(), asked(NORTH_FACT), recommended("a2"))
    assert found.checks.formats_checked is PASSED
    assert found.success is True


def test_formats_are_compared_without_case() -> None:
    given = task((RED, STATED), (NORTH, ON_ASK), formats=("e27",))
    assert scored(given, ALL, checked("a4"), recommended("a4")).success is True


def test_a_recommendation_fails_where_nothing_fits() -> None:
    found = scored(nvr(), recommended("a1"))
    assert found.checks.abstains_without_match is FAILED
    assert (found.success, found.meets) == (False, False)


def test_an_abstention_fails_where_something_fits() -> None:
    found = scored(mixed(), recommended(None))
    assert found.checks.recommends_with_match is FAILED
    assert (found.success, found.failure) == (False, Failure.NEEDLESS_ABSTENTION)


def test_each_check_gates_success() -> None:
    """With everything else right, one failed check is enough."""
    trials = {
        "one_recommendation": scored(
            mixed(), called("recommend", {"recommended": "a4"}), recommended("a4")
        ),
        "not_from_history": scored(mixed(), recommended("a1")),
        "formats_checked": scored(mixed(), ALL, recommended("a4")),
        "abstains_without_match": scored(nvr(), recommended("a1")),
        "recommends_with_match": scored(mixed(), recommended(None)),
    }
    for name, found in trials.items():
        failed = [n for n, o in msgspec.structs.asdict(found.checks).items() if o is FAILED]
        assert failed == [name]
        assert found.success is False


# --- endings ------------------------------------------------------------------------------------

CAPS = {
    Ending.TURN_CAP: Failure.TURN_CAP,
    Ending.TIME_CAP: Failure.TIME_CAP,
    Ending.TOOL_BUDGET: Failure.TOOL_BUDGET,
    Ending.OVERFLOW: Failure.OVERFLOW,
    Ending.ERROR: Failure.ERROR,
}


@pytest.mark.parametrize("ending", CAPS)
def test_a_cap_fails_and_keeps_the_sub_scores(ending: Ending) -> None:
    found = scored(
        mixed(), ALL, searched("a2"), proposed("a7", False), Ended(ending, fault=Fault.AGENT)
    )
    assert (found.success, found.failure, found.ending) == (False, CAPS[ending], ending)
    assert (found.elicited, found.elicited_facts) == (Elicited.ALL, 2)
    assert (found.proposals, found.rejections, found.turns, found.calls) == (1, 1, 2, 1)
    assert found.checks == Checks(PASSED, PASSED, PASSED, PASSED, FAILED)
    unscored = (found.meets, found.untested, found.unsearched, found.rank, found.recommended)
    assert unscored == (None,) * 5


@pytest.mark.parametrize("ending", CAPS)
def test_a_cap_is_no_abstention(ending: Ending) -> None:
    found = scored(nvr(), Ended(ending, fault=Fault.AGENT))
    assert found.success is False
    assert found.checks.abstains_without_match is FAILED


@pytest.mark.parametrize("fault", [Fault.USER, Fault.INFRASTRUCTURE])
@pytest.mark.parametrize("given", [mixed(), nvr()], ids=["satisfiable", "nvr"])
def test_somebody_elses_fault_leaves_the_trial_unscored(fault: Fault, given: Task) -> None:
    found = scored(given, ALL, Ended(Ending.ERROR, fault=fault))
    assert (found.success, found.failure) == (None, None)
    assert set(msgspec.structs.astuple(found.checks)) == {UNSCORED}
    assert found.questions == 1


# --- the kinds of failure -----------------------------------------------------------------------


def failure(given: Task, *parts: Event | list[Event]) -> Failure | None:
    return scored(given, *parts).failure


def test_a_hallucinated_id() -> None:
    found = scored(mixed(), searched("a4"), recommended("a99"))
    assert (found.failure, found.meets) == (Failure.UNKNOWN_ITEM, False)
    assert (found.unsearched, found.rank, found.recommended) == (True, None, "a99")


def test_a_title_in_place_of_an_id_is_unknown() -> None:
    assert failure(mixed(), recommended("Ember")) is Failure.UNKNOWN_ITEM


def test_a_rejected_item() -> None:
    assert failure(hidden(), proposed("a7", False), recommended("a7")) is Failure.REJECTED_ITEM


def test_a_stated_requirement_ignored() -> None:
    assert failure(mixed(), recommended("a3")) is Failure.IGNORED_REQUIREMENT


def test_an_elicited_requirement_ignored() -> None:
    given = task((RED, STATED), (FARLAND, ON_ASK))
    found = failure(given, asked(fact(FARLAND)), recommended("a1"))
    assert found is Failure.IGNORED_REQUIREMENT


def test_nothing_asked() -> None:
    given = task((RED, STATED), (FARLAND, ON_ASK))
    assert failure(given, recommended("a1")) is Failure.ASKED_NOTHING


def test_one_field_missed() -> None:
    given = task((RED, STATED), (FARLAND, ON_ASK))
    assert failure(given, asked(), recommended("a1")) is Failure.MISSED_FIELD


def test_a_question_that_was_not_understood_is_not_nothing() -> None:
    given = task((RED, STATED), (FARLAND, ON_ASK))
    heard: list[Event] = [AgentSaid("From where?"), NotUnderstood("From where?"), UserSaid("?")]
    assert failure(given, heard, recommended("a1")) is Failure.MISSED_FIELD


def test_a_hidden_requirement_failed_by_what_was_never_proposed() -> None:
    given = task((RED, STATED), (FARLAND, HIDDEN))
    assert failure(given, proposed("a2", False), recommended("a1")) is Failure.NEVER_PROPOSED


def test_a_rejection_comes_before_what_was_ignored() -> None:
    assert failure(mixed(), proposed("a3", False), recommended("a3")) is Failure.REJECTED_ITEM


def test_a_wrong_acceptance_is_not_the_requirements() -> None:
    """Only a user that judges wrongly leads here; the rule-based one cannot."""
    assert failure(nvr(), proposed("a1", True), recommended("a1")) is Failure.NOT_ABSTAINED


def with_policies(given: Task, *policies: str) -> Task:
    return Task(msgspec.structs.replace(given.family, policies=policies), given.condition)


def test_policies_gate_in_place_of_the_checks() -> None:
    """The recommended lamp is a known one and its plug was not checked: no policy speaks of it."""
    known = task((RED, STATED), formats=("E27",), history=("a1",))
    held = with_policies(known, "recommend_tool")
    found = scored(held, asked(FORMATS_FACT), Ended(Ending.RECOMMENDED, item_id="a1"))
    assert (found.success, found.failure) == (False, Failure.POLICY_BROKEN)
    assert found.policies == {"recommend_tool": FAILED}
    found = scored(held, asked(FORMATS_FACT), recommended("a1"))
    assert (found.success, found.failure) == (True, None)
    assert found.policies == {"recommend_tool": PASSED}
    assert set(msgspec.structs.astuple(found.checks)) == {UNSCORED}
    assert scored(known, asked(FORMATS_FACT), recommended("a1")).success is False


def test_the_history_policy_follows_from_the_transcript() -> None:
    held = with_policies(task((RED, STATED)), "watch_history")
    looked = ToolReturned("c1", "get_history", '{"history":[]}')
    failed = ToolReturned("c1", "get_history", '{"error":"no"}', ToolErrorKind.BAD_ARGUMENTS)
    assert scored(held, looked, recommended("a1")).success is True
    assert scored(held, recommended("a1")).success is False
    assert scored(held, failed, recommended("a1")).success is False


def test_a_requirement_missed_is_told_before_a_policy() -> None:
    held = with_policies(task((RED, STATED)), "watch_history")
    assert failure(held, recommended("a3")) is Failure.IGNORED_REQUIREMENT


def test_several_proposals_at_once_break_the_policy_where_nothing_fits() -> None:
    held = with_policies(nvr(), "single_recommendation")
    several = Verdict("a1", False, ("x",), ("a2",))
    found = scored(held, several, Ended(Ending.ABSTAINED))
    assert (found.success, found.failure) == (False, Failure.POLICY_BROKEN)
    assert scored(held, Ended(Ending.ABSTAINED)).success is True


def test_somebody_elses_fault_leaves_the_policies_unscored() -> None:
    held = with_policies(mixed(), "watch_history", "recommend_tool")
    found = scored(held, Ended(Ending.ERROR, fault=Fault.USER))
    assert (found.success, set(found.policies.values())) == (None, {UNSCORED})


def test_a_score_without_policies_is_written_as_before() -> None:
    plain = msgspec.json.encode(scored(mixed(), recommended("a1")))
    assert b"policies" not in plain
    assert b'"rank":1' in plain
    assert b'"elicited":' in plain
    assert msgspec.json.decode(plain, type=TauRecScore).policies == {}


def test_every_kind_of_failure_is_tested() -> None:
    source = Path(__file__).read_text(encoding="utf-8")
    assert [kind for kind in Failure if f"Failure.{kind.name}" not in source] == []


# --- the measures -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("disclosed", "elicited", "count"),
    [
        ((), Elicited.NONE, 0),
        ((NORTH_FACT,), Elicited.SOME, 1),
        ((FORMATS_FACT,), Elicited.SOME, 1),
        ((NORTH_FACT, FORMATS_FACT), Elicited.ALL, 2),
        ((RED_FACT,), Elicited.NONE, 0),
    ],
)
def test_elicitation_counts_askable_facts(
    disclosed: tuple[str, ...], elicited: Elicited, count: int
) -> None:
    found = scored(mixed(), asked(*disclosed), recommended("a4"))
    assert (found.elicited, found.elicited_facts, found.askable) == (elicited, count, 2)


def test_where_nothing_is_askable_elicitation_is_unscored() -> None:
    found = scored(task((RED, STATED), condition=Condition.VOLUNTEER), recommended("a4"))
    assert (found.elicited, found.askable, found.elicited_facts) == (None, 0, 0)


def test_questions_are_counted_by_the_users_reading() -> None:
    generic: list[Event] = [AgentSaid("Else?"), UserSaid("No.", generic=True)]
    silent: list[Event] = [AgentSaid("Fine."), UserSaid("Go on.")]
    found = scored(mixed(), ALL, generic, silent, recommended("a4"))
    assert (found.questions, found.turns) == (2, 3)


def test_what_was_not_understood_is_counted() -> None:
    heard: list[Event] = [AgentSaid("Boat?"), NotUnderstood("Boat?"), UserSaid("?")]
    found = scored(mixed(), heard, heard, recommended("a4"))
    assert (found.not_understood, found.questions) == (2, 0)


def test_only_judged_proposals_count() -> None:
    found = scored(
        mixed(),
        proposed("a3", False),
        proposed("zz", None),
        proposed("a7", False),
        proposed("a4", True),
        recommended("a4"),
    )
    assert (found.proposals, found.rejections, found.accepted) == (3, 2, True)


def test_an_item_never_accepted() -> None:
    assert scored(mixed(), proposed("a3", False), recommended("a4")).accepted is False


@pytest.mark.parametrize(
    ("before", "untested", "first"),
    [
        ([], True, True),
        (proposed("a3", False), True, False),
        (proposed("a4", True), False, False),
    ],
)
def test_commitments_without_a_test(before: list[Event], untested: bool, first: bool) -> None:
    found = scored(mixed(), before, recommended("a4"))
    assert (found.untested, found.before_proposals) == (untested, first)


def test_a_commitment_after_a_decline() -> None:
    declined = asked(declined=("land",))
    assert scored(hidden(), declined, recommended("a4")).after_decline is True
    assert scored(hidden(), ALL, recommended("a4")).after_decline is False


def test_an_abstention_is_no_commitment() -> None:
    found = scored(hidden(), asked(declined=("land",)), recommended(None))
    assert (found.untested, found.before_proposals, found.after_decline) == (None, None, None)


def test_an_id_that_no_search_returned() -> None:
    assert scored(mixed(), searched("a2"), recommended("a4")).unsearched is True
    assert scored(mixed(), searched("a2", "a4"), recommended("a4")).unsearched is False


@pytest.mark.parametrize(
    "result",
    [
        {"items": [{"item_id": "a40"}]},
        {"items": [{"item_id": "x", "name": "a4"}]},
        {"items": [{"item_id": "x", "name": '"item_id":"a4"'}]},
    ],
)
def test_only_the_whole_id_of_a_row_counts_as_found(result: Any) -> None:
    assert scored(mixed(), called("search", result), recommended("a4")).unsearched is True


def test_other_tools_are_no_search() -> None:
    seen = called("get_metadata", {"item_id": "a4"}) + called("get_history", {"history": []})
    assert scored(mixed(), seen, recommended("a4")).unsearched is True


def test_a_search_that_was_refused_found_nothing() -> None:
    refused = called("search", {"items": [{"item_id": "a4"}]}, ToolErrorKind.REFUSED)
    assert scored(mixed(), refused, recommended("a4")).unsearched is True


def test_answers_named_without_a_tag() -> None:
    told: list[Event] = [AgentSaid("There is Red Moon, Mist and Ember."), UserSaid("Go on.")]
    found = scored(mixed(), told, proposed("a4", True), recommended("a4"))
    assert found.untagged == 1


def test_every_tag_of_a_message_is_a_tag() -> None:
    both: list[Event] = [
        AgentSaid(f"Red Moon {tag('a2')} or Ember {tag('a4')}"),
        Verdict("a2", True, (), ("a4", "zz")),
        UserSaid("..."),
    ]
    assert scored(mixed(), both, recommended("a4")).untagged == 0


def test_words_beside_a_call_are_not_said() -> None:
    noted: list[Event] = [AgentNoted("Red Moon"), *searched("a2")]
    found = scored(mixed(), noted, recommended("a4"))
    assert (found.untagged, found.turns) == (0, 0)


@pytest.mark.parametrize(("item_id", "rank"), [("a1", 1), ("a4", 4), ("a8", 8)])
def test_exposure_is_the_popularity_rank(item_id: str, rank: int) -> None:
    assert scored(mixed(), recommended(item_id)).rank == rank


def test_tool_errors_of_every_kind_are_counted() -> None:
    errors = [called("buy", {"error": "no"}, kind) for kind in ToolErrorKind]
    found = scored(mixed(), *errors, recommended("a4"))
    assert (found.tool_errors, found.calls) == (4, 5)


# --- agents in the loop -------------------------------------------------------------------------


def trial(given: Task, *acts: Any, **setting: Any) -> TauRecScore:
    return score(given, lamps(), play(given, ScriptedAgent(acts), **setting))


QUESTION = Say("Is there anything on the land and the plug?")
STEPS: dict[str, Any] = {
    "ask": QUESTION,
    "propose": propose("a4"),
    "check": call("check_formats", item_id="a4"),
    "recommend": call("recommend", item_id="a4"),
}


@pytest.mark.parametrize("condition", Condition)
def test_an_oracle_earns_full_marks(condition: Condition) -> None:
    given = mixed(condition=condition)
    for interface in BOTH:
        found = score(given, lamps(), play(given, "oracle", interface=interface))
        assert found.success is True
        assert set(msgspec.structs.astuple(found.checks)) == {PASSED}


def test_the_steps_are_an_oracle() -> None:
    assert trial(mixed(), *STEPS.values()).success is True


@pytest.mark.parametrize(
    ("without", "expected"),
    [("check", Failure.FORMATS_UNCHECKED), ("recommend", Failure.TURN_CAP)],
)
def test_an_oracle_without_a_required_step_fails(without: str, expected: Failure) -> None:
    acts = [act for name, act in STEPS.items() if name != without]
    found = trial(mixed(), *acts)
    assert (found.success, found.failure) == (False, expected)


def test_an_oracle_without_its_question_elicits_nothing() -> None:
    found = trial(mixed(), *[act for name, act in STEPS.items() if name != "ask"])
    assert (found.elicited, found.questions) == (Elicited.NONE, 0)


def test_an_oracle_without_its_proposal_is_untested() -> None:
    found = trial(mixed(), *[act for name, act in STEPS.items() if name != "propose"])
    assert (found.untested, found.before_proposals) == (True, True)


@pytest.mark.parametrize("other", [item_id for item_id in lamps().ids if item_id != "a4"])
def test_an_oracle_that_takes_any_other_item_fails(other: str) -> None:
    acts = [QUESTION, call("check_formats", item_id=other), call("recommend", item_id=other)]
    assert trial(mixed(), *acts).success is False


def test_an_oracle_that_abstains_fails() -> None:
    assert trial(mixed(), *[*STEPS.values()][:-1], call("recommend", item_id=None)).success is False


@pytest.mark.parametrize("condition", Condition)
def test_doing_nothing_earns_nothing_where_something_fits(condition: Condition) -> None:
    given = mixed(condition=condition)
    assert score(given, lamps(), play(given, "null")).success is False
    assert trial(given, limits=Limits(turns=2)).success is False


def test_saying_a_title_recommends_nothing() -> None:
    found = trial(mixed(), QUESTION, Say("I recommend Ember."), limits=Limits(turns=2))
    assert (found.success, found.failure) == (False, Failure.TURN_CAP)


def test_the_turn_cap_counts_the_last_verdict() -> None:
    found = trial(hidden(), *[propose("a3")] * 3, limits=Limits(turns=3))
    assert (found.ending, found.turns, found.rejections) == (Ending.TURN_CAP, 3, 3)


def test_the_tool_budget_ends_the_trial_ten_calls_past_it() -> None:
    found = trial(mixed(), *[call("get_history")] * 200, limits=Limits(calls=5))
    assert (found.ending, found.calls, found.tool_errors) == (Ending.TOOL_BUDGET, 15, 10)


def test_a_hallucinated_tool_is_the_agents_error_and_not_the_end() -> None:
    found = trial(mixed(), call("buy", item_id="a4"), *STEPS.values())
    assert (found.success, found.tool_errors) == (True, 1)


def test_after_the_recommendation_nothing_counts() -> None:
    twice = CallTools(tuple(ToolCall("recommend", {"item_id": i}) for i in ("a4", "a3")))
    found = trial(mixed(), twice)
    assert (found.success, found.recommended) == (True, "a4")
    assert found.checks.one_recommendation is PASSED


def test_all_calls_of_a_transcript_are_evidence_enough() -> None:
    """A transcript that went through JSON scores the same."""
    given = mixed()
    played = play(given, "popularity")
    again = Transcript.from_json(played.to_json())
    assert score(given, lamps(), again) == score(given, lamps(), played)


def test_an_empty_message_ends_nothing() -> None:
    assert trial(mixed(), Say(""), *STEPS.values()).success is True


def test_an_id_with_any_marks_is_found_again() -> None:
    odd = 'q"ü\\ 日'
    values: dict[str, list[Any]] = {name: [None] for name in lamps().domain.fields}
    values["colour"] = ["Red"]
    shelf = shelf_of(build_catalogue("lamps", lamps().domain, [odd], values))
    given = task((RED, STATED))
    found = score(given, shelf.catalogue, play(given, "popularity", shelf=shelf))
    assert (found.success, found.unsearched, found.recommended) == (True, False, odd)


texts = st.one_of(
    st.text(max_size=20),
    st.sampled_from(["Which land?", "the plug", "anything else", "fremd", *map(tag, ["a4", "zz"])]),
)
arguments = st.one_of(
    st.none(),
    st.text(max_size=5),
    st.dictionaries(
        st.sampled_from(["item_id", "colour", "made_min", "page", "query", "x"]),
        st.one_of(st.none(), st.integers(), st.text(max_size=5), st.sampled_from(["a4", "Red"])),
        max_size=2,
    ),
)
names = st.sampled_from(
    ["search", "get_metadata", "check_formats", "get_history", "recommend", "x"]
)
calls = st.lists(st.builds(ToolCall, names, arguments), max_size=3).map(tuple)
acts = st.one_of(st.builds(Say, texts), st.builds(CallTools, calls))


@given(acts=st.lists(acts, max_size=8), interface=st.sampled_from(BOTH))
def test_whatever_an_agent_does_is_played_and_scored(acts: list[Any], interface: Interface) -> None:
    given_task = mixed()
    played = play(given_task, ScriptedAgent(acts), interface=interface, limits=Limits(turns=6))
    found = score(given_task, lamps(), played)
    assert played.ended is not None
    excluded = played.ended.fault is Fault.USER
    assert (found.success is None) == excluded
    assert not excluded or "fremd" in str(acts)
    assert found.success is not True or found.recommended in ("a2", "a4", "a5")
    assert score(given_task, lamps(), Transcript.from_json(played.to_json())) == found
