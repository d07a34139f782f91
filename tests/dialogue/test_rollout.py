"""The loop: caps, call ids, both ways to drive it, and what an agent is shown."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from typing import Any

import pytest

from mystery_shopper.dialogue import (
    Act,
    AgentNoted,
    AgentSaid,
    CallTools,
    Ended,
    Ending,
    Event,
    Fault,
    Limits,
    Message,
    NotUnderstood,
    Played,
    ReferenceSaid,
    Say,
    StageChanged,
    ToolCall,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
    UserSaid,
    Verdict,
    View,
    perform,
    rollout,
    rollout_async,
    show_event,
)
from mystery_shopper.foundation import (
    InfrastructureFault,
)
from mystery_shopper.testing import (
    ScriptedAgent,
    StagedEpisode,
    SteppedClock,
    call,
    events_of,
    tool_errors,
)

SEARCH = ToolCall("search", {"letters": "r"})


def play(*acts: Any, limits: Limits | None = None, episode: Any = None, then: Any = None) -> Played:
    agent = ScriptedAgent(acts, then or Say("Hm."))
    return rollout(episode or StagedEpisode(budget=10**6), agent, limits)


def ending(played: Played) -> tuple[Ending, Fault | None, str]:
    ended = played.transcript.ended
    assert ended is not None
    assert events_of(played.transcript, Ended) == [ended]
    return ended.kind, ended.fault, ended.detail


class TestCaps:
    def test_twenty_turns(self) -> None:
        played = play(CallTools((SEARCH,), "thinking"))
        assert ending(played) == (Ending.TURN_CAP, Fault.AGENT, "")
        assert len(events_of(played.transcript, AgentSaid)) == 20
        # The user still answers the last words, so that what they bring about is scored.
        assert [type(event) for event in played.transcript.events[-3:]] == [
            AgentSaid,
            UserSaid,
            Ended,
        ]

    def test_an_ending_in_the_last_turn_is_no_cap(self) -> None:
        answer = [call("advance"), call("answer", colour="red"), call("answer", colour="blue")]
        played = play(*[Say("Hm.")] * 19, *answer)
        assert ending(played) == (Ending.RECOMMENDED, None, "")

    def test_150_calls_a_turn_and_the_tenth_past_it_ends_the_trial(self) -> None:
        played = play(then=CallTools((SEARCH,)))
        assert ending(played) == (Ending.TOOL_BUDGET, Fault.AGENT, "")
        assert tool_errors(played.transcript) == [None] * 150 + [ToolErrorKind.BUDGET] * 10

    def test_in_one_act_too(self) -> None:
        played = play(CallTools((SEARCH,) * 500))
        assert ending(played)[0] is Ending.TOOL_BUDGET
        assert len(tool_errors(played.transcript)) == 160

    def test_words_grant_the_next_150(self) -> None:
        spree = CallTools((SEARCH,) * 159)
        played = play(spree, Say("So many."), spree, Say("So many."))
        assert ending(played)[0] is Ending.TURN_CAP
        assert tool_errors(played.transcript) == ([None] * 150 + [ToolErrorKind.BUDGET] * 9) * 2

    def test_a_call_past_the_cap_does_not_reach_the_episode(self) -> None:
        episode = StagedEpisode()
        play(call("advance"), limits=Limits(calls=0), episode=episode)
        assert episode.stage == "browse"

    def test_seconds_are_the_agents_own_by_the_clock_given(self) -> None:
        agent = ScriptedAgent()
        played = rollout(StagedEpisode(), agent, Limits(seconds=50), SteppedClock(10))
        assert ending(played) == (Ending.TIME_CAP, Fault.AGENT, "")
        assert played.seconds == (10.0,) * 6
        assert len(events_of(played.transcript, AgentSaid)) == 5

    def test_the_seconds_of_an_act_that_failed_count_too(self) -> None:
        agent = ScriptedAgent([Say("x"), InfrastructureFault("down")])
        assert rollout(StagedEpisode(), agent, clock=SteppedClock(2)).seconds == (2.0, 2.0)

    def test_long_words_are_cut_and_the_cut_is_counted(self) -> None:
        note = CallTools((SEARCH,), "n" * 12)
        played = play(Say("s" * 15), note, limits=Limits(text=10, turns=2))
        assert events_of(played.transcript, AgentSaid)[0] == AgentSaid("s" * 10, 5)
        assert events_of(played.transcript, AgentNoted) == [AgentNoted("n" * 10, 2)]


class TestCallIds:
    def test_missing_and_repeated_ids_are_made_unique(self) -> None:
        given: tuple[Any, ...] = ("", None, "a", "a", "call_6", "", "a", 0, 3, "\ud800")
        played = play(
            CallTools(tuple(ToolCall("search", {}, name) for name in given[:5])),
            CallTools(tuple(ToolCall("search", {}, name) for name in given[5:])),
        )
        ids = [event.call_id for event in events_of(played.transcript, ToolCalled)]
        assert ids == [
            "call_1",
            "call_2",
            "a",
            "a#4",
            "call_6",
            "call_7",
            "a#7",
            "0",
            "3",
            "\ufffd",
        ]
        assert ids == [event.call_id for event in events_of(played.transcript, ToolReturned)]

    def test_an_agent_that_always_sends_one_id(self) -> None:
        played = play(CallTools((ToolCall("search", {}, "x" * 300),) * 150))
        ids = [event.call_id for event in events_of(played.transcript, ToolCalled)]
        assert len(set(ids)) == 150
        assert max(map(len, ids)) < 210


class Slow:
    """An agent that awaits before it acts."""

    def __init__(self, *acts: Act | Exception) -> None:
        self.inner = ScriptedAgent(acts)

    async def act(self, view: View) -> Act:
        await asyncio.sleep(0)
        return self.inner.act(view)


class TestAsynchronous:
    ACTS = (call("search", letters="r"), Say("Hm."), call("nothing"), ValueError("oops"))

    def test_both_loops_play_alike(self) -> None:
        plain = rollout(StagedEpisode(), ScriptedAgent(self.ACTS))
        mixed = asyncio.run(rollout_async(StagedEpisode(), ScriptedAgent(self.ACTS)))
        slow = asyncio.run(rollout_async(StagedEpisode(), Slow(*self.ACTS)))
        assert plain.transcript == mixed.transcript
        assert plain.transcript.events[:-1] == slow.transcript.events[:-1]
        assert ending(plain) == (Ending.ERROR, Fault.AGENT, "ValueError: oops")
        # An agent outside the package: the place is told too.
        *same, detail = ending(slow)
        assert same == [Ending.ERROR, Fault.AGENT]
        assert re.fullmatch(r"ValueError: oops \(test_rollout\.py, line \d+\)", str(detail))

    def test_limits_and_clock_are_heeded(self) -> None:
        playing = rollout_async(StagedEpisode(), Slow(), Limits(seconds=3), SteppedClock(2))
        played = asyncio.run(playing)
        assert ending(played)[0] is Ending.TIME_CAP
        assert played.seconds == (2.0, 2.0)

    def test_the_plain_loop_names_the_other(self) -> None:
        told = "AgentFault: this agent is asynchronous; play it with rollout_async"
        assert ending(rollout(StagedEpisode(), Slow())) == (Ending.ERROR, Fault.AGENT, told)

    def test_an_awaitable_that_is_no_coroutine(self) -> None:
        class Later(Awaitable[Act]):
            def __await__(self) -> Any:
                yield from ()
                return Say("Hm.")

        class Agent:
            def act(self, _: View) -> Awaitable[Act]:
                return Later()

        assert "asynchronous" in ending(rollout(StagedEpisode(), Agent()))[2]
        played = asyncio.run(rollout_async(StagedEpisode(), Agent(), Limits(turns=2)))
        assert ending(played)[0] is Ending.TURN_CAP

    def test_cancelling_leaves_nothing_behind(self) -> None:
        class Hanging:
            async def act(self, _: View) -> Act:
                await asyncio.Event().wait()
                raise AssertionError

        async def played() -> None:
            await asyncio.wait_for(rollout_async(StagedEpisode(), Hanging()), 0.01)

        with pytest.raises(TimeoutError):
            asyncio.run(played())


class TestViews:
    def test_each_view_holds_what_came_before_it_and_marks_the_new(self) -> None:
        agent = ScriptedAgent([CallTools((SEARCH,), "thinking"), Say("Hm.")])
        rollout(StagedEpisode(), agent, Limits(turns=2))
        first, second, third = agent.views
        assert first.messages == (Message("user", "Which colour would you take?"),)
        assert first.seen == 0
        assert second.messages[second.seen :] == (
            Message("agent", "thinking"),
            Message("agent", "", "call_1", "search", {"letters": "r"}),
            Message("tool", '["red","green","grey"]', "call_1", "search"),
        )
        assert third.messages[third.seen :] == (
            Message("agent", "Hm."),
            Message("user", "Please go on."),
        )
        assert third.messages[: third.seen] == second.messages
        assert first.instructions == StagedEpisode().instructions
        assert list(first.tools) == ["search", "advance"]

    def test_an_agent_that_meddles_with_its_messages_changes_no_evidence(self) -> None:
        class Meddler(ScriptedAgent):
            def act(self, view: View) -> Act:
                for message in view.messages:
                    if isinstance(message.arguments, dict):
                        message.arguments.clear()
                return super().act(view)

        sent = {"letters": "r"}
        agent = Meddler([CallTools((ToolCall("search", sent),))])
        played = rollout(StagedEpisode(), agent)
        assert sent == {"letters": "r"}
        assert events_of(played.transcript, ToolCalled)[0].arguments == {"letters": "r"}

    def test_an_agent_cannot_run_a_tool_unrecorded(self) -> None:
        class Sneak:
            def act(self, view: View) -> Act:
                view.tools["advance"].run(None)
                raise AssertionError

        assert "every call is recorded" in ending(rollout(StagedEpisode(), Sneak()))[2]

    @pytest.mark.parametrize(
        ("event", "message"),
        [
            (UserSaid("a", declined=("b",)), Message("user", "a")),
            (AgentSaid("a"), Message("agent", "a")),
            (AgentNoted("a"), Message("agent", "a")),
            (ReferenceSaid("a"), Message("agent", "a")),
            (ToolCalled("1", "x", {"a": 1}), Message("agent", "", "1", "x", {"a": 1})),
            (ToolReturned("1", "x", "{}"), Message("tool", "{}", "1", "x")),
            (StageChanged("b", "a"), Message("user", "a")),
            (StageChanged("b"), None),
            (Verdict("1", accepted=False, failed=("secret",)), None),
            (NotUnderstood("a"), None),
            (Ended(Ending.FINISHED), None),
        ],
    )
    def test_what_is_usually_shown(self, event: Event, message: Message | None) -> None:
        assert show_event(event) == message


def test_a_face_can_drive_the_stage_by_itself() -> None:
    steps = perform(StagedEpisode(), Limits(turns=1), SteppedClock(1))
    assert next(steps).seen == 0
    with pytest.raises(StopIteration) as stopped:
        steps.send(Say("Hm."))
    played: Played = stopped.value.value
    assert ending(played)[0] is Ending.TURN_CAP


def test_a_face_can_leave_before_the_end() -> None:
    steps = perform(StagedEpisode(), Limits(), SteppedClock(1))
    next(steps)
    steps.close()
