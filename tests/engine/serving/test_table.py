"""One trial at a table, without a server: who is answered with what, and when it is over."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import (
    Act,
    CallTools,
    Ending,
    Fault,
    Message,
    Say,
    ToolCall,
    ToolErrorKind,
    View,
)
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.lasting import needs
from mystery_shopper.engine.planning import Wishes
from mystery_shopper.engine.serving import plan_served, serve_task
from mystery_shopper.engine.serving.calls import Answer, ClientAgent, act_of, answer_of
from mystery_shopper.engine.serving.table import OVER, Table
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError, MysteryShopperError
from mystery_shopper.testing import tool_errors

from ..helpers import scene_over

ASK = "Which genre, language, country, release year and format do you want?"
GONE = Answer((OVER,), error=True)


@dataclass
class Hand:
    """A clock that is set by hand."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Kept:
    """A table with what it kept."""

    table: Table
    clock: Hand
    trials: list[Trial] = field(default_factory=list[Trial])
    timings: list[Timing] = field(default_factory=list[Timing])

    def call(self, name: str, **given: Any) -> Answer:
        return self.table.call(name, given).result(30)


def lay(task_file: str, task: str = "f001-mixed", **changes: Any) -> Kept:
    plan = plan_served(Wishes("x", task_set=task_file, only=(task,)))
    clock = Hand()
    kept: Kept

    def keep(trial: Trial, timing: Timing) -> None:
        kept.trials.append(trial)
        kept.timings.append(timing)

    table = Table(
        plan,
        scene_over(plan),
        changes.get("keep", keep),
        changes.get("clock", clock),
    )
    kept = Kept(table, clock)
    table.open()
    return kept


@pytest.fixture
def laid(task_file: str) -> Iterator[Kept]:
    kept = lay(task_file)
    kept.table.start()
    yield kept
    if kept.table.failure is None:
        kept.table.leave()


def test_the_plan_is_of_one_trial_by_a_client(task_file: str) -> None:
    plan = plan_served(Wishes("x", task_set=task_file, only=("f002-hidden",), trials=8))
    assert (plan.agent, plan.tasks, plan.conditions) == ("mcp", ("f002-hidden",), ("hidden",))
    assert plan.count == 1


def test_words_are_answered_by_the_user_and_calls_by_their_results(laid: Kept) -> None:
    assert "Spain" in laid.call("say", text=ASK).texts[0]
    assert laid.call("get_history") == Answer(('{"history":[]}',))
    refused = laid.call("get_metadata", item_id="nobody")
    assert refused.error
    assert "no item" in refused.texts[0]
    last = laid.call("recommend", item_id=None)
    assert last == Answer(('{"recommended":null}', OVER))
    assert laid.call("say", text="Hello?") == laid.call("sneeze") == laid.table.start() == GONE
    (trial,) = laid.trials
    assert trial.score.ending is Ending.ABSTAINED
    assert laid.table.leave() is trial
    assert laid.trials == [trial]


def test_calls_at_once_are_played_in_their_order(laid: Kept) -> None:
    asked = [laid.table.call("get_metadata", {"item_id": f"nobody{at}"}) for at in range(20)]
    for at, place in enumerate(asked):
        assert f"nobody{at}'" in place.result(30).texts[0]


def test_what_comes_after_the_end_is_told_so(laid: Kept) -> None:
    places = [laid.table.call("recommend", {"item_id": None}) for _ in range(5)]
    first, *others = [place.result(30) for place in places]
    assert first.texts[0] == '{"recommended":null}'
    assert others == [GONE] * 4
    assert len(laid.trials) == 1


def test_the_last_words_of_the_user_are_heard(task_file: str) -> None:
    kept = lay(task_file)
    answers = [kept.call("say", text="Hm.") for _ in range(20)]
    assert OVER not in answers[18].texts
    assert answers[19].texts == (answers[18].texts[0], OVER)
    assert kept.trials[0].score.ending is Ending.TURN_CAP


def test_who_leaves_in_the_middle_is_excluded(task_file: str) -> None:
    kept = lay(task_file)
    kept.call("say", text=ASK)
    trial = kept.table.leave()
    assert [trial] == kept.trials
    assert trial is not None
    assert (trial.fault, trial.excluded) == (Fault.INFRASTRUCTURE, True)
    assert kept.call("get_history") == GONE


def test_calls_made_before_leaving_are_still_played(task_file: str) -> None:
    kept = lay(task_file)
    kept.table.start()
    place = kept.table.call("recommend", {"item_id": None})
    trial = kept.table.leave()
    assert trial is not None
    assert trial.score.ending is Ending.ABSTAINED
    assert place.result(0).texts[-1] == OVER


def test_who_never_acted_played_no_trial(task_file: str) -> None:
    kept = lay(task_file)
    assert kept.table.start().texts == (kept.table.opening,)
    assert kept.table.leave() is None
    assert kept.trials == []


def test_a_user_who_cannot_go_on_ends_the_trial_at_once(laid: Kept) -> None:
    told = laid.call("say", text="Welches Genre möchten Sie, und in welcher Sprache soll er sein?")
    assert told.texts[-1] == OVER
    assert (laid.trials[0].fault, laid.trials[0].attempts) == (Fault.USER, 1)


def test_a_trial_that_cannot_be_kept_is_an_error_to_the_caller(task_file: str) -> None:
    def full(*_: object) -> None:
        raise OSError("no space")

    kept = lay(task_file, keep=full)
    kept.table.start()
    assert kept.call("recommend", item_id=None).texts[-1] == OVER
    with pytest.raises(OSError, match="no space"):
        kept.table.leave()


def test_the_clients_time_is_from_an_answer_to_its_next_call() -> None:
    clock = Hand()
    agent = ClientAgent(clock)
    view = View("", {}, (), 0)

    acts: list[Act] = []

    def loop() -> None:
        for _ in range(4):
            acts.append(agent.act(view))
        agent.finish(GONE, GONE)

    def act_after(passed: float, *, looks: bool = False) -> None:
        clock.now += passed
        if looks:
            assert agent.shown()
            clock.now += passed
        place = agent.hand_in("say", {"text": "Hm."})
        assert place is not None
        place.result(30)

    threading.Thread(target=loop, daemon=True).start()
    clock.now += 5000  # Nobody has looked yet.
    act_after(3, looks=True)
    act_after(2)
    act_after(2, looks=True)  # Looking again is part of the client's work.
    act_after(0)
    assert [act.seconds for act in acts] == [3, 2, 4, 0]


def test_a_first_act_without_a_look_takes_no_time(task_file: str) -> None:
    kept = lay(task_file)
    kept.clock.now += 5000
    kept.call("say", text=ASK)
    kept.call("recommend", item_id=None)
    assert kept.timings[0].seconds == (0.0, 0.0)


def test_a_call_before_the_opening_is_refused_with_words_and_not_on_record(task_file: str) -> None:
    kept = lay(task_file)
    for name in ("search", "recommend", "sneeze"):
        refused = kept.call(name, genre="Horror")
        assert refused.error
        assert refused.texts[0].startswith("Call `start` first")
    assert not kept.table.start().error
    assert not kept.call("search", genre="Horror").error
    kept.call("recommend", item_id=None)
    assert tool_errors(kept.trials[0].transcript) == [None, None]


def test_a_client_that_was_told_the_opening_may_speak_at_once(task_file: str) -> None:
    kept = lay(task_file)
    assert "Spain" in kept.call("say", text=ASK).texts[0]
    assert not kept.call("get_history").error
    kept.table.leave()


def test_an_unknown_tool_is_answered_with_all_there_are(laid: Kept) -> None:
    told = json.loads(laid.call("sneeze").texts[0])
    assert told["error"] == "There is no tool 'sneeze'."
    assert told["tools"] == ["start", *(spec.name for spec in laid.table.specs())]
    assert told["tools"][:3] == ["start", "say", "search"]
    laid.call("recommend", item_id=None)
    assert tool_errors(laid.trials[0].transcript) == [ToolErrorKind.UNKNOWN_TOOL, None]


def test_a_call_taken_back_before_its_turn_is_not_played() -> None:
    agent = ClientAgent(Hand())
    taken_back = agent.hand_in("sneeze", {})
    kept = agent.hand_in("say", {"text": "a"})
    assert isinstance(taken_back, Future)
    assert isinstance(kept, Future)
    assert taken_back.cancel()
    view: Any = object()
    assert agent.act(view) == Say("a", 0.0)
    assert not kept.cancel()
    assert agent.acts == 1


@pytest.mark.parametrize(
    "given", [None, "", "x", [], 7, {}, {"text": 1}, {"text": None}, {"text": "a", "to": "b"}]
)
def test_words_that_are_none_go_on_record_as_a_bad_call(given: object) -> None:
    act, hint = act_of("say", given)
    assert act == CallTools((ToolCall("say", given),))
    assert '{"text"' in hint
    assert act_of("say", {"text": ""}) == (Say(""), "")


def test_a_bad_word_is_hinted_at_and_recorded(laid: Kept) -> None:
    answer = laid.call("say", words="Hello")
    assert answer.error
    assert "no tool" not in answer.texts[0]
    assert '{"text"' in answer.texts[1]
    assert not laid.call("say", text="Hello").error
    laid.call("recommend", item_id=None)
    assert tool_errors(laid.trials[0].transcript) == [ToolErrorKind.UNKNOWN_TOOL, None]


def test_an_answer_holds_what_others_said() -> None:
    result = Message("tool", '{"error": "no"}', "c", "search")
    own, words = Message("agent", "mine"), Message("user", "theirs")
    assert answer_of([own, words]) == Answer(("theirs",))
    assert answer_of([own, result, words], "hint", over="end") == Answer(
        ('{"error": "no"}', "theirs", "hint", "end"), error=True
    )
    assert answer_of([Message("tool", "[1]", "c", "a")]) == Answer(("[1]",))
    assert answer_of([Message("tool", "not JSON", "c", "a")]) == Answer(("not JSON",))
    assert answer_of([]) == Answer(("",))


def test_an_episode_that_cannot_begin_is_an_error(
    task_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise MysteryShopperError("no stage")

    monkeypatch.setattr("mystery_shopper.engine.suites.tau_rec.set_stage", broken)
    with pytest.raises(MysteryShopperError, match="no stage"):
        lay(task_file)


def test_a_suite_with_a_tool_of_our_name_is_refused(
    task_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mystery_shopper.engine.serving.table.START", "search")
    with pytest.raises(MysteryShopperError, match="tools of its own named"):
        lay(task_file)


def test_the_missing_extra_is_named(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str) -> object:
        return None if name == "mcp" else find_spec(name)

    monkeypatch.setattr(needs, "find_spec", without)
    plan = plan_served(Wishes("x", task_set=task_file, only=("f001-mixed",)))
    with pytest.raises(InputError, match=r"pip install 'mystery-shopper\[mcp\]'"):
        serve_task(plan, tmp_path / "run")
    assert not (tmp_path / "run").exists()
