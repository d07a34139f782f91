"""From a transcript to a score: against a count by hand, and in every ending."""

from __future__ import annotations

import math
import pickle

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.dialogue import (
    AgentNoted,
    AgentSaid,
    Ended,
    Ending,
    Fault,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
    Transcript,
    UserSaid,
)
from mystery_shopper.suites.recbench.answers import read_answer
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Query
from mystery_shopper.suites.recbench.request import handed
from mystery_shopper.suites.recbench.score import Failure, Figures, RecBenchScore
from mystery_shopper.suites.recbench.scoring import Scorer
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.stage import Setting

from .stage_world import VOTES, said, small_catalogue, small_queries, small_shelf

QUERIES = small_queries()
SHELF = small_shelf()
SCORER = Scorer(SHELF, QUERIES)
IDS = tuple(SHELF.catalogue.ids)


def first(kind: Kind, least: int = 2, named: bool = False) -> Query:
    return next(
        query
        for query in QUERIES.queries
        if query.kind is kind and len(query.own) >= least and (query.named or not named)
    )


EXPLICIT = first(Kind.EXPLICIT)
MISINFORMED = first(Kind.MISINFORMED, named=True)
GROUP = first(Kind.DEMOGRAPHICS)


def answer(*items: str, concerns: tuple[str, ...] = ()) -> str:
    """JSON of ids; what is no id is a title."""
    told = [{"title": SHELF.title_of[i], "id": i} if i in IDS else {"title": i} for i in items]
    return msgspec.json.encode({"recommendations": told, "concerns": concerns}).decode()


def off(query: Query, number: int = 1) -> list[str]:
    """Items of titles of their own that answer nothing."""
    odd = {"f003", "f004", "f007"}
    return [item for item in IDS if item not in query.withheld and item not in odd][:number]


def ending(kind: Ending, fault: Fault | None, *before: object) -> Transcript:
    return Transcript((UserSaid("x"), *before, Ended(kind, fault=fault)))  # type: ignore[arg-type]


# --- by hand ----------------------------------------------------------------------------------


def fits(query: Query, item: str) -> bool:
    """Whether an item meets the true conditions, from the catalogue's columns."""
    fields = {"starring": "cast"}
    values = SHELF.catalogue.item(IDS.index(item))
    return all(
        part.value in values[fields.get(part.relation, part.relation)] for part in query.parts
    )  # type: ignore[operator]


def by_hand(query: Query, items: list[str], most: int | None) -> dict[str, float | None]:
    """The figures of an answer of ids and unknown titles, counted one by one."""
    kept = [item for item in dict.fromkeys(items) if item not in query.named][:most]
    told: dict[str, float | None] = {"recommended": float(len(kept)), "failed": float(not kept)}
    for name, truth in (("own", query.own), ("all", query.matching)):
        hits = sum(item in truth for item in kept)
        told[f"precision_{name}"] = hits / len(kept) if kept else None
        told[f"recall_{name}"] = hits / len(set(truth)) if kept else None
        told[f"precision_{name}_with_empty"] = hits / len(kept) if kept else 0.0
        told[f"recall_{name}_with_empty"] = hits / len(set(truth))
    known = [item for item in kept if item in IDS]
    told["hallucinated"] = (len(kept) - len(known)) / len(kept) if kept else None
    told["cmr"] = None
    if kept and query.parts:
        told["cmr"] = sum(fits(query, item) for item in known) / len(kept)
    return told


TITLED = [item for item in IDS if item not in {"f003", "f004", "f007"}]


@given(
    st.sampled_from(QUERIES.queries),
    st.lists(st.sampled_from([*TITLED, "Zzyzx Qqq", "Xyzzy Vvv"]), max_size=12),
    st.integers(0, 6),
)
def test_the_figures_are_those_counted_by_hand(query: Query, items: list[str], own: int) -> None:
    items = [*query.matching[:own], *items]
    items = [item for item in items if item not in {"f003", "f004", "f007"}]
    score = said(answer(*items), query)
    for figures, most in ((score.figures, None), (score.at_five, 5)):
        for name, figure in by_hand(query, items, most).items():
            assert getattr(figures, name) == pytest.approx(figure), name
    kept = [item for item in dict.fromkeys(items) if item not in query.named]
    right = [item in query.matching if query.kind.is_profile else item in IDS and fits(query, item)
             for item in kept]  # fmt: skip
    assert score.success is (bool(right) and all(right))
    assert (score.failure is None) is score.success
    assert [pick.item_id or pick.text for pick in score.picks] == list(dict.fromkeys(items))
    assert [pick.named for pick in score.picks] == [i in query.named for i in dict.fromkeys(items)]


# --- kinds of answers -------------------------------------------------------------------------


def test_an_answer_that_fits_succeeds() -> None:
    score = said(answer(*EXPLICIT.own), EXPLICIT)
    assert (score.success, score.failure, score.ending) == (True, None, Ending.FINISHED)
    assert score.figures.precision_own == score.figures.recall_own == score.figures.cmr == 1
    assert score.headline == 1
    assert score.answer == ", ".join(EXPLICIT.own)
    assert (score.turns, score.calls, score.tool_errors) == (1, 0, 0)


def test_one_item_swapped_fails() -> None:
    score = said(answer(*EXPLICIT.own[1:], *off(EXPLICIT)), EXPLICIT)
    assert (score.success, score.failure) == (False, Failure.OFF_CONDITION)
    assert score.figures.cmr == pytest.approx(1 - 1 / len(EXPLICIT.own))
    score = said(answer(*GROUP.own[1:], *off(GROUP)), GROUP)
    assert (score.success, score.failure) == (False, Failure.OFF_LIST)
    assert score.figures.cmr is None
    assert score.headline == score.figures.precision_all


def test_an_unknown_title_counts_as_recommended_and_as_hallucinated() -> None:
    score = said(answer(EXPLICIT.own[0], "No Such Thing At All"), EXPLICIT)
    assert (score.success, score.failure) == (False, Failure.UNKNOWN_TITLE)
    assert score.figures.precision_own == score.figures.cmr == score.figures.hallucinated == 0.5
    assert [pick.found for pick in score.picks] == ["known", "unknown"]


def test_an_ambiguous_title_is_said_to_be_so() -> None:
    score = said(f"1. {SHELF.title_of[EXPLICIT.own[0]]}\n2. The Same", EXPLICIT)
    assert (score.success, score.failure) == (False, Failure.UNKNOWN_TITLE)
    assert score.picks[1].found == "ambiguous"
    assert (score.figures.ambiguous, score.figures.hallucinated) == (0.5, 0)


@pytest.mark.parametrize("text", ["", "   ", "None", '{"recommendations": []}', "I cannot help."])
def test_nothing_recommended_is_an_empty_answer(text: str) -> None:
    score = said(text, EXPLICIT)
    assert (score.success, score.failure) == (False, Failure.NO_RECOMMENDATION)
    assert score.figures.failed == 1
    assert score.figures.cmr is None
    assert score.figures.cmr_with_empty == 0
    assert score.headline == 0
    assert score.refused is bool(text.strip())


def test_only_what_the_request_names_is_no_recommendation() -> None:
    score = said(answer(*MISINFORMED.named), MISINFORMED)
    assert (score.success, score.failure) == (False, Failure.NO_RECOMMENDATION)
    assert all(pick.named for pick in score.picks)


def test_what_the_request_names_counts_neither_way() -> None:
    with_it = said(answer(*MISINFORMED.named, *MISINFORMED.own), MISINFORMED)
    without = said(answer(*MISINFORMED.own), MISINFORMED)
    assert with_it.figures == without.figures
    assert with_it.at_five == without.at_five


def test_naming_the_mistake_is_scored_where_there_is_one() -> None:
    title = SHELF.title_of[MISINFORMED.named[0]]
    part = next(part for part in MISINFORMED.parts if part.given is Given.CLAIM)
    told = f"“{title}” does not have {part.value} as {part.relation}."
    assert said(answer(concerns=(told,)), MISINFORMED).figures.names_mistake == 1
    assert said(answer(), MISINFORMED).figures.names_mistake == 0
    assert said(answer(concerns=(told,)), EXPLICIT).figures.names_mistake is None


def test_a_title_that_is_recommended_in_json_objects_to_nothing() -> None:
    title = SHELF.title_of[MISINFORMED.named[0]]
    part = next(part for part in MISINFORMED.parts if part.given is Given.CLAIM)
    told = f"{title} does not have {part.value} as {part.relation}"
    assert said(answer(told), MISINFORMED).figures.names_mistake == 0
    assert said(f"{told}.\n{answer(told)}", MISINFORMED).figures.names_mistake == 1


@pytest.mark.parametrize("form", ["1. This Is Not a Film (2011)\n2. {title}", "{title}, and that."])
def test_nor_does_one_of_a_list(form: str) -> None:
    """A title with a denial in it, beside the item that the claim is of."""
    title = SHELF.title_of[MISINFORMED.named[0]]
    assert said(form.format(title=title), MISINFORMED).figures.names_mistake == 0


def test_five_are_the_answers_first_five() -> None:
    query = first(Kind.EXPLICIT, 2)
    wrong = off(query, 5)
    score = said(answer(*wrong, *query.own), query)
    assert score.at_five.cmr == 0
    assert score.at_five.recommended == 5
    assert score.figures.cmr == pytest.approx(len(query.own) / (5 + len(query.own)))


# --- endings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "failure"),
    [
        (Ending.ERROR, Failure.ERROR),
        (Ending.OVERFLOW, Failure.OVERFLOW),
        (Ending.TIME_CAP, Failure.TIME_CAP),
        (Ending.TURN_CAP, Failure.TURN_CAP),
        (Ending.TOOL_BUDGET, Failure.TOOL_BUDGET),
    ],
)
def test_an_agents_fault_is_an_empty_answer(kind: Ending, failure: Failure) -> None:
    score = SCORER.score(EXPLICIT, Setting(), ending(kind, Fault.AGENT))
    assert (score.success, score.failure, score.ending) == (False, failure, kind)
    assert (score.figures.failed, score.figures.cmr_with_empty, score.turns) == (1, 0, 0)


@pytest.mark.parametrize("fault", [Fault.USER, Fault.INFRASTRUCTURE])
def test_nothing_is_scored_where_somebody_else_failed(fault: Fault) -> None:
    score = SCORER.score(EXPLICIT, Setting(), ending(Ending.ERROR, fault, AgentSaid("Heat")))
    assert (score.success, score.failure) == (None, None)
    assert score.figures == score.at_five == Figures()
    assert score.picks == ()


def test_words_beside_calls_are_no_answer_and_calls_are_counted() -> None:
    events = (
        AgentNoted(answer(*EXPLICIT.own)),
        ToolCalled("1", "search", {}),
        ToolReturned("1", "search", "{}"),
        ToolCalled("2", "nothing", {}),
        ToolReturned("2", "nothing", "{}", ToolErrorKind.UNKNOWN_TOOL),
    )
    score = SCORER.score(EXPLICIT, Setting(), ending(Ending.TOOL_BUDGET, Fault.AGENT, *events))
    assert (score.calls, score.tool_errors, score.turns) == (2, 1, 0)
    assert score.picks == ()


def test_the_last_words_are_the_answer() -> None:
    played = Transcript(
        (
            AgentSaid(answer(*off(EXPLICIT))),
            AgentSaid(answer(*EXPLICIT.own)),
            Ended(Ending.FINISHED),
        )
    )
    score = SCORER.score(EXPLICIT, Setting(), played)
    assert (score.success, score.turns) == (True, 2)


def test_a_transcript_without_an_ending_cannot_be_scored() -> None:
    with pytest.raises(ValueError, match="has no ending"):
        SCORER.score(EXPLICIT, Setting(), Transcript((UserSaid("x"),)))


# --- what cannot be scored --------------------------------------------------------------------


def test_a_relation_that_the_graph_lacks_leaves_cmr_and_success_unscored() -> None:
    lacking = msgspec.structs.replace(EXPLICIT, parts=(Part("composer", "Zimmer"),))
    for text in (answer(*EXPLICIT.own), answer(), "Zzyzx Qqq"):
        score = said(text, lacking)
        assert (score.success, score.failure) == (None, None)
        assert score.figures.cmr is None
        assert score.figures.cmr_with_empty is None
        assert score.figures.precision_own_with_empty is not None


def test_a_list_that_the_catalogue_lacks_leaves_success_unscored() -> None:
    strange = msgspec.structs.replace(GROUP, own=("x",), matching=("x", "y"))
    assert said(answer(*off(strange)), strange).success is None


# --- the history ------------------------------------------------------------------------------


def test_how_far_the_history_pulls_is_scored_only_where_it_was_handed_over() -> None:
    query = next(q for q in QUERIES.queries if q.parts and len(handed(q, QUERIES, SHELF).items) > 5)
    text = answer(*handed(query, QUERIES, SHELF).items[:4])
    assert said(text, query).figures.pulled is None
    assert said(text, query, Setting(history=True)).figures.pulled is not None


def test_an_answer_made_elsewhere_scores_as_a_runs_own() -> None:
    for setting in (Setting(), Setting(history=True)):
        for query in QUERIES.queries[::9]:
            text = answer(*query.own, *off(query), "Zzyzx Qqq")
            history = handed(query, QUERIES, SHELF).items if setting.history else ()
            assert SCORER.of_answer(query, read_answer(text), history) == said(text, query, setting)


def test_what_is_kept_of_a_query_never_serves_another_or_another_setting() -> None:
    scorer = Scorer(SHELF, QUERIES)
    changed = msgspec.structs.replace(EXPLICIT, own=EXPLICIT.own[:1])
    played = Transcript((AgentSaid(answer(*EXPLICIT.own)), Ended(Ending.FINISHED)))
    for query, setting in [(EXPLICIT, Setting()), (changed, Setting()),
                           (changed, Setting(history=True)), (EXPLICIT, Setting()),
                           (EXPLICIT, Setting(history=True))]:  # fmt: skip
        fresh = Scorer(SHELF, QUERIES).score(query, setting, played)
        assert scorer.score(query, setting, played) == fresh


def test_each_history_pulls_in_its_own_way() -> None:
    query = next(query for query in QUERIES.queries if query.parts)
    wrong = read_answer(answer(*off(query, 8)))
    for history in (off(query, 8), ["f001"], list(query.matching[:1]), off(query, 8)):
        fresh = Scorer(SHELF, QUERIES).of_answer(query, wrong, history)
        assert SCORER.of_answer(query, wrong, history) == fresh
    far = SCORER.of_answer(query, wrong, list(query.matching)).figures.pulled
    near = SCORER.of_answer(query, wrong, off(query, 8)).figures.pulled
    assert far is not None
    assert near is not None
    assert near > far


# --- popularity, and form ---------------------------------------------------------------------


def test_novelty_is_told_from_the_users_where_the_catalogue_knows_no_popularity() -> None:
    item = EXPLICIT.own[0]
    had = sum(item in person.items for person in QUERIES.people.values())
    score = said(answer(item), EXPLICIT)
    assert score.figures.novelty == pytest.approx(-math.log2(had / len(QUERIES.people)))
    nobody = msgspec.structs.replace(QUERIES, people={})
    score = Scorer(SHELF, nobody).of_answer(EXPLICIT, read_answer(answer(item)))
    assert score.figures.novelty is None
    voted = Shelf(small_catalogue(VOTES))
    score = Scorer(voted, QUERIES).of_answer(EXPLICIT, read_answer(answer(item)))
    assert score.figures.novelty == pytest.approx(-math.log2(int(item[1:]) / sum(range(240))))


@given(st.text(max_size=300), st.sampled_from(QUERIES.queries))
def test_any_words_can_be_scored_and_kept(text: str, query: Query) -> None:
    score = said(text, query)
    raw = msgspec.json.encode(score)
    assert msgspec.json.decode(raw, type=RecBenchScore) == score
    assert b"NaN" not in raw
    assert score.success in (True, False)
    assert (score.failure is None) == score.success


def test_a_scorer_travels() -> None:
    there = pickle.loads(pickle.dumps(SCORER))
    text = read_answer(answer(*EXPLICIT.own, *off(EXPLICIT)))
    assert there.of_answer(EXPLICIT, text) == SCORER.of_answer(EXPLICIT, text)
