"""The toy episodes do what later suites will need of the stage."""

from __future__ import annotations

import inspect

import pytest

import mystery_shopper.dialogue.rollout as loop
from mystery_shopper.dialogue import (
    AgentSaid,
    CallTools,
    Ended,
    Ending,
    Limits,
    Message,
    ReferenceSaid,
    Say,
    StageChanged,
    ToolCall,
    ToolErrorKind,
    UserSaid,
    rollout,
)
from mystery_shopper.testing import (
    ReplayedEpisode,
    ScriptedAgent,
    StagedEpisode,
    SteppedClock,
    call,
    events_of,
    tool_errors,
)
from mystery_shopper.testing.replayed import DIALOGUE
from mystery_shopper.testing.stages import UPDATE

ADVANCE, SEARCH = call("advance"), call("search", letters="e")


def answer(colour: str) -> CallTools:
    return call("answer", colour=colour)


class TestStaged:
    def test_after_the_update_the_agent_must_answer_again(self) -> None:
        agent = ScriptedAgent([ADVANCE, answer("red"), answer("blue")])
        played = rollout(StagedEpisode(), agent)
        assert played.transcript.ended == Ended(Ending.RECOMMENDED, item_id="blue")
        stages = [event.stage for event in events_of(played.transcript, StageChanged)]
        assert stages == ["browse", "choose", "updated"]
        update = agent.views[2].messages
        assert update[-1] == Message("user", UPDATE)
        assert update.index(Message("user", UPDATE)) >= agent.views[2].seen

    def test_one_answer_is_not_enough(self) -> None:
        played = rollout(StagedEpisode(), ScriptedAgent([ADVANCE, answer("red")]))
        ended = played.transcript.ended
        assert ended is not None
        assert (ended.kind, ended.item_id) == (Ending.TURN_CAP, None)

    def test_tools_change_with_the_stage(self) -> None:
        agent = ScriptedAgent([answer("red"), ADVANCE, ADVANCE, answer("red"), answer("red")])
        played = rollout(StagedEpisode(), agent)
        unknown = ToolErrorKind.UNKNOWN_TOOL
        assert tool_errors(played.transcript) == [unknown, None, unknown, None, None]
        held = [list(view.tools) for view in agent.views]
        assert held == [["search", "advance"]] * 2 + [["search", "answer"]] * 3

    def test_tools_change_between_the_calls_of_one_act(self) -> None:
        calls = (ToolCall("advance"), ToolCall("advance"), ToolCall("answer", {"colour": "red"}))
        played = rollout(StagedEpisode(), ScriptedAgent([CallTools(calls)]))
        assert tool_errors(played.transcript) == [None, ToolErrorKind.UNKNOWN_TOOL, None]

    def test_each_stage_grants_its_own_budget(self) -> None:
        spree = [SEARCH] * 3
        acts = [*spree, ADVANCE, *spree, answer("red"), *spree, answer("red")]
        played = rollout(StagedEpisode(budget=2), ScriptedAgent(acts))
        of_stage = [None, None, ToolErrorKind.BUDGET, None]
        assert tool_errors(played.transcript) == of_stage * 3

    def test_a_refused_answer_is_none(self) -> None:
        acts = [ADVANCE, answer("mauve"), answer("red"), answer("grey")]
        played = rollout(StagedEpisode(), ScriptedAgent(acts))
        assert tool_errors(played.transcript) == [None, ToolErrorKind.REFUSED, None, None]
        assert played.transcript.ended == Ended(Ending.RECOMMENDED, item_id="grey")

    def test_words_are_answered(self) -> None:
        played = rollout(StagedEpisode(), ScriptedAgent([Say("Well?"), Say(" ")]), Limits(turns=2))
        said = [event.text for event in events_of(played.transcript, UserSaid)]
        assert said[1:] == ["Please go on.", "You said nothing."]


class TestReplayed:
    def test_the_agents_line_is_kept_and_the_references_is_shown(self) -> None:
        agent = ScriptedAgent([Say("mine 1"), Say("mine 2"), Say("mine 3")])
        played = rollout(ReplayedEpisode(), agent)
        kept = [event.text for event in events_of(played.transcript, AgentSaid)]
        assert kept == ["mine 1", "mine 2", "mine 3"]
        shown = [event.text for event in events_of(played.transcript, ReferenceSaid)]
        assert shown == [reference for _, reference in DIALOGUE]
        (first, first_answer), (second, second_answer), (third, _) = DIALOGUE
        assert agent.views[-1].messages == (
            Message("user", first),
            Message("agent", first_answer),
            Message("user", second),
            Message("agent", second_answer),
            Message("user", third),
        )
        assert played.transcript.ended == Ended(Ending.FINISHED)

    def test_the_agents_words_change_nothing_that_follows(self) -> None:
        def others(text: str) -> list[object]:
            transcript = rollout(ReplayedEpisode(), ScriptedAgent((), Say(text))).transcript
            return [event for event in transcript.events if not isinstance(event, AgentSaid)]

        assert others("one thing") == others("another") == others("")

    def test_there_is_no_tool(self) -> None:
        played = rollout(ReplayedEpisode(), ScriptedAgent([SEARCH]))
        assert tool_errors(played.transcript) == [ToolErrorKind.UNKNOWN_TOOL]
        assert played.transcript.ended == Ended(Ending.FINISHED)

    def test_every_turn_holds_one_line_of_each(self) -> None:
        transcript = rollout(ReplayedEpisode(), ScriptedAgent()).transcript
        turns = [turn for turn, _ in transcript.by_turn()]
        assert turns == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3]

    def test_an_empty_dialogue_is_over_at_once(self) -> None:
        played = rollout(ReplayedEpisode(dialogue=()), ScriptedAgent())
        assert played.transcript.events == (Ended(Ending.FINISHED),)


def test_a_scripted_agent_plays_then_falls_back_and_raises_what_it_must() -> None:
    agent = ScriptedAgent([Say("a")], fallback=RuntimeError("b"))
    played = rollout(StagedEpisode(), agent)
    assert [event.text for event in events_of(played.transcript, AgentSaid)] == ["a"]
    ended = played.transcript.ended
    assert ended is not None
    assert ended.detail == "RuntimeError: b"
    assert len(agent.views) == 2


def test_a_stepped_clock_steps() -> None:
    clock = SteppedClock(0.5)
    assert (clock(), clock()) == (0.5, 1.0)


@pytest.mark.parametrize("word", ["Staged", "Replayed", "Reference", "isinstance(episode", "suite"])
def test_the_loop_knows_neither_toy(word: str) -> None:
    code = inspect.getsource(loop).split('"""', 2)[2]
    assert word not in code
