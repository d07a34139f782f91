"""Whose fault it is: what agents and episodes may get wrong, and how each trial ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import pytest

from mystery_shopper.dialogue import (
    Act,
    AgentSaid,
    CallTools,
    Ended,
    Ending,
    Event,
    Fault,
    Limits,
    Message,
    Played,
    Say,
    Tool,
    ToolCall,
    ToolCalled,
    ToolErrorKind,
    ToolResult,
    UserSaid,
    View,
    rollout,
)
from mystery_shopper.foundation import (
    AgentFault,
    ContextOverflow,
    InfrastructureFault,
    UserFault,
)
from mystery_shopper.testing import (
    ScriptedAgent,
    StagedEpisode,
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


def kind(value: object) -> str:
    """A name for a case that may have none of its own."""
    return type(value).__name__


class Mute:
    """Cannot be told in words."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class TestAgentsFaults:
    @pytest.mark.parametrize(
        ("error", "kind", "fault", "detail"),
        [
            (ContextOverflow("4096 tokens"), Ending.OVERFLOW, Fault.AGENT, "4096 tokens"),
            (InfrastructureFault("502"), Ending.ERROR, Fault.INFRASTRUCTURE, "502"),
            (AgentFault("no act"), Ending.ERROR, Fault.AGENT, "AgentFault: no act"),
            (UserFault("mine"), Ending.ERROR, Fault.AGENT, "UserFault: mine"),
            (ValueError("oops"), Ending.ERROR, Fault.AGENT, "ValueError: oops"),
            (TimeoutError(), Ending.ERROR, Fault.AGENT, "TimeoutError: "),
            (StopIteration(3), Ending.ERROR, Fault.AGENT, "StopIteration: 3"),
            (RecursionError("deep"), Ending.ERROR, Fault.AGENT, "RecursionError: deep"),
            (ValueError("\ud800"), Ending.ERROR, Fault.AGENT, "ValueError: \ufffd"),
            (ValueError(object()), Ending.ERROR, Fault.AGENT, "ValueError: <object object>"),
            (ValueError(Mute()), Ending.ERROR, Fault.AGENT, "ValueError: <ValueError>"),
        ],
        ids=kind,
    )
    def test_what_an_agent_raises(
        self, error: Exception, kind: Ending, fault: Fault, detail: str
    ) -> None:
        assert ending(play(Say("Hm."), error)) == (kind, fault, detail)

    def test_a_long_message_is_cut(self) -> None:
        assert len(ending(play(ValueError("x" * 9999)))[2]) == 500

    @pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
    def test_what_stops_the_program_is_not_kept(self, error: type[BaseException]) -> None:
        class Stopped:
            def act(self, _: View) -> Act:
                raise error

        with pytest.raises(error):
            rollout(StagedEpisode(), Stopped())

    @pytest.mark.parametrize(
        ("act", "told"),
        [
            (None, "an act must be Say or CallTools, not NoneType"),
            ("hello", "an act must be Say or CallTools, not str"),
            (SEARCH, "an act must be Say or CallTools, not ToolCall"),
            (Say, "an act must be Say or CallTools, not type"),
            (CallTools(()), "the act holds no tool call and no words"),
            (CallTools((), "words"), "the act holds no tool call and no words"),
            (CallTools(cast(Any, SEARCH)), "the calls of an act must be a tuple, not ToolCall"),
            (CallTools(cast(Any, None)), "the calls of an act must be a tuple, not NoneType"),
            (CallTools(cast(Any, ("x",))), "a call of an act must be a ToolCall, not str"),
            (CallTools(cast(Any, [SEARCH, {}])), "a call of an act must be a ToolCall, not dict"),
        ],
    )
    def test_an_act_that_is_none(self, act: Any, told: str) -> None:
        class Careless:
            def act(self, _: View) -> Act:
                return act

        played = rollout(StagedEpisode(), Careless())
        assert ending(played) == (Ending.ERROR, Fault.AGENT, told)
        assert not events_of(played.transcript, ToolCalled)

    def test_calls_may_come_in_a_list(self) -> None:
        played = play(CallTools(cast(Any, [SEARCH])))
        assert tool_errors(played.transcript) == [None]

    @pytest.mark.parametrize(
        ("text", "said"), [("", ""), (None, ""), (7, "7"), (Mute(), "<Mute>"), ("\ud800", "\ufffd")]
    )
    def test_words_that_are_hardly_any(self, text: Any, said: str) -> None:
        played = play(Say(text), limits=Limits(turns=1))
        assert events_of(played.transcript, AgentSaid) == [AgentSaid(said)]
        assert ending(played)[0] is Ending.TURN_CAP

    @pytest.mark.parametrize("name", [None, 5, "", ["search"], Mute(), "\ud800"])
    def test_a_tools_name_that_is_none(self, name: Any) -> None:
        played = play(CallTools((ToolCall(name, {}),)))
        assert tool_errors(played.transcript) == [ToolErrorKind.UNKNOWN_TOOL]

    @pytest.mark.parametrize(
        "arguments", [None, "", "{", [1], 10**6000, Mute(), object()], ids=kind
    )
    def test_arguments_that_are_none_are_told_and_recorded(self, arguments: Any) -> None:
        played = play(CallTools((ToolCall("search", arguments),)))
        assert tool_errors(played.transcript) == [ToolErrorKind.BAD_ARGUMENTS]
        assert ending(played)[0] is Ending.TURN_CAP


def nothing() -> Iterable[Event]:
    return ()


@dataclass
class Breaking(StagedEpisode):
    """Fails in one place: `where` names a method, which does `what`."""

    where: str = ""
    what: Callable[[], Any] = nothing

    def open(self) -> Iterable[Event]:
        return self.what() if self.where == "open" else super().open()

    def tools(self) -> Mapping[str, Tool]:
        return self.what() if self.where == "tools" else super().tools()

    def heard(self, text: str) -> Iterable[Event]:
        return self.what() if self.where == "heard" else super().heard(text)

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        return self.what() if self.where == "called" else super().called(name, result)

    def show(self, event: Event) -> Message | None:
        return self.what() if self.where == "show" else super().show(event)

    def _search(self, arguments: Any) -> ToolResult:
        return self.what() if self.where == "search" else super()._search(arguments)


def raising(error: Exception) -> Callable[[], Any]:
    def raises() -> Any:
        raise error

    return raises


def breaking_off() -> Iterable[Event]:
    yield UserSaid("I was about to say")
    raise UserFault("lost for words")


EVERYWHERE = ("open", "tools", "heard", "called", "show", "search")


class TestEpisodesFaults:
    @pytest.mark.parametrize("where", EVERYWHERE)
    @pytest.mark.parametrize(
        ("error", "fault", "detail"),
        [
            (UserFault("empty reply"), Fault.USER, "empty reply"),
            (InfrastructureFault("429"), Fault.INFRASTRUCTURE, "429"),
            (AgentFault("cheated"), Fault.AGENT, "cheated"),
            (ContextOverflow("x"), Fault.USER, "the episode failed: ContextOverflow: x"),
            (KeyError("id"), Fault.USER, "the episode failed: KeyError: 'id'"),
            (StopIteration(), Fault.USER, "the episode failed: StopIteration: "),
        ],
        ids=kind,
    )
    def test_wherever_it_fails_the_trial_ends_once(
        self, where: str, error: Exception, fault: Fault, detail: str
    ) -> None:
        episode = Breaking(where=where, what=raising(error))
        played = play(CallTools((SEARCH,)), episode=episode)
        assert ending(played) == (Ending.ERROR, fault, detail)

    @pytest.mark.parametrize("where", EVERYWHERE)
    def test_a_forgotten_return_is_the_episodes(self, where: str) -> None:
        episode = Breaking(where=where, what=lambda: None)
        played = play(CallTools((SEARCH,)), episode=episode)
        if where == "show":
            assert ending(played)[0] is Ending.TURN_CAP
        else:
            assert ending(played)[:2] == (Ending.ERROR, Fault.USER)

    def test_what_was_said_before_a_fault_is_kept(self) -> None:
        played = play(Say("Hm."), episode=Breaking(where="heard", what=breaking_off))
        assert ending(played) == (Ending.ERROR, Fault.USER, "lost for words")
        assert events_of(played.transcript, UserSaid)[-1].text == "I was about to say"

    @pytest.mark.parametrize(
        "event",
        [
            "a string",
            None,
            UserSaid(cast(Any, None)),
            UserSaid("\ud800"),
            ToolCalled("", "", object()),
        ],
        ids=kind,
    )
    def test_what_json_could_not_give_back_never_enters_a_transcript(self, event: Any) -> None:
        played = play(Say("Hm."), episode=Breaking(where="heard", what=lambda: [event]))
        assert ending(played)[:2] == (Ending.ERROR, Fault.USER)
        assert type(played.transcript).from_json(played.transcript.to_json()) == played.transcript

    def test_nothing_follows_an_ending(self) -> None:
        def endings() -> Iterable[Event]:
            yield Ended(Ending.ABSTAINED)
            raise AssertionError

        played = play(Say("Hm."), episode=Breaking(where="heard", what=endings))
        assert ending(played) == (Ending.ABSTAINED, None, "")
        two = [Ended(Ending.FINISHED), Ended(Ending.ABSTAINED), UserSaid("x")]
        assert ending(play(episode=Breaking(where="open", what=lambda: two)))[0] is Ending.FINISHED

    def test_calls_after_the_ending_do_not_run(self) -> None:
        answer = ToolCall("answer", {"colour": "red"})
        played = play(CallTools((ToolCall("advance"), answer, answer, answer, SEARCH)))
        assert ending(played)[0] is Ending.RECOMMENDED
        assert len(events_of(played.transcript, ToolCalled)) == 3

    def test_an_episode_that_is_over_before_it_begins_asks_nothing_of_the_agent(self) -> None:
        agent = ScriptedAgent()
        episode = Breaking(where="open", what=lambda: [Ended(Ending.FINISHED)])
        assert rollout(episode, agent).seconds == ()
        assert agent.views == []
