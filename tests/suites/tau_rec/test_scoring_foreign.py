"""Trials of agents with tools of their own: what only ours could show is unscored, the rest is
scored as of any agent."""

from __future__ import annotations

import msgspec
import pytest

from mystery_shopper.dialogue import (
    Ended,
    Ending,
    Event,
    ForeignCall,
    ForeignTools,
    ToolCalled,
    ToolReturned,
    Transcript,
    UserSaid,
)
from mystery_shopper.suites.tau_rec.score import Failure, Outcome, TauRecScore
from mystery_shopper.suites.tau_rec.scoring import score
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Task, fact

from .helpers import FARLAND, NORTH, ON_ASK, RED, STATED, lamps, task

FOREIGN = (ForeignTools(), ForeignCall("check_formats", {"item_id": "a4"}, {"formats": ["E27"]}))
TOLD = UserSaid("E27.", disclosed=(fact(NORTH), FORMATS_FACT))


def mixed() -> Task:
    return task((RED, STATED), (NORTH, ON_ASK), formats=("E27",), history=("a1",))


def trial(given: Task, item_id: str | None, *more: Event, own: bool = True) -> TauRecScore:
    kind = Ending.ABSTAINED if item_id is None else Ending.RECOMMENDED
    events: list[Event] = [
        UserSaid("Hello!", disclosed=(fact(RED),)),
        *(FOREIGN if own else ()),
        *more,
        ToolCalled("c", "recommend", {"item_id": item_id}),
        ToolReturned("c", "recommend", msgspec.json.encode({"recommended": item_id}).decode()),
        Ended(kind, item_id),
    ]
    return score(given, lamps(), Transcript(tuple(events)))


def test_the_call_is_unscored_and_does_not_fail() -> None:
    found = trial(mixed(), "a4", TOLD)
    assert found.checks.formats_checked is Outcome.UNSCORED
    assert (found.success, found.failure, found.unsearched) == (True, None, None)
    assert (found.calls, found.tool_errors) == (1, 0)


def test_the_same_with_our_tools_fails() -> None:
    found = trial(mixed(), "a4", TOLD, own=False)
    assert found.checks.formats_checked is Outcome.FAILED
    assert (found.failure, found.unsearched) == (Failure.FORMATS_UNCHECKED, True)


def test_a_format_that_the_item_lacks_is_seen_all_the_same() -> None:
    found = trial(mixed(), "a2", TOLD)
    assert found.checks.formats_checked is Outcome.FAILED
    assert (found.success, found.failure) == (False, Failure.FORMAT_UNAVAILABLE)


def test_without_formats_named_there_is_nothing_to_check() -> None:
    assert trial(mixed(), "a4").checks.formats_checked is Outcome.PASSED


@pytest.mark.parametrize(
    ("item_id", "failure"),
    [("a1", Failure.KNOWN_ITEM), ("a3", Failure.IGNORED_REQUIREMENT), ("a99", Failure.UNKNOWN_ITEM),
     (None, Failure.NEEDLESS_ABSTENTION)],
)  # fmt: skip
def test_what_can_be_seen_still_fails(item_id: str | None, failure: Failure) -> None:
    found = trial(mixed(), item_id, TOLD)
    assert (found.success, found.failure) == (False, failure)


def test_abstaining_where_nothing_fits_is_success() -> None:
    hopeless = task((RED, STATED), (FARLAND, ON_ASK), satisfiable=False)
    assert trial(hopeless, None).success is True
    assert trial(hopeless, "a4").success is False


def test_policies_that_calls_alone_keep_are_unscored() -> None:
    plain = mixed()
    held = Task(
        msgspec.structs.replace(
            plain.family, policies=("watch_history", "availability", "recommend_tool")
        ),
        plain.condition,
    )
    found = trial(held, "a4", TOLD)
    assert found.policies == {
        "watch_history": Outcome.UNSCORED,
        "availability": Outcome.PASSED,
        "recommend_tool": Outcome.PASSED,
    }
    assert found.success is True
    assert trial(held, "a1", TOLD).policies["watch_history"] is Outcome.FAILED
    assert trial(held, "a4", TOLD, own=False).policies["watch_history"] is Outcome.FAILED
