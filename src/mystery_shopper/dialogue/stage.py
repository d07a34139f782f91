"""The state of one performance: what has happened, what it cost, and what an act brings about."""

from __future__ import annotations

import sysconfig
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.dialogue.events import (
    AgentNoted,
    AgentSaid,
    Ended,
    Ending,
    Event,
    Fault,
    ForeignCall,
    ForeignTools,
    ToolCalled,
    ToolErrorKind,
    ToolReturned,
)
from mystery_shopper.dialogue.limits import Limits, clean_arguments, clean_text
from mystery_shopper.dialogue.protocols import (
    Act,
    CallTools,
    Episode,
    Message,
    Say,
    ToolCall,
    View,
)
from mystery_shopper.dialogue.tools import Tool, ToolResult, ToolSpec, invoke, tool_error
from mystery_shopper.foundation import AgentFault, ContextOverflow, InfrastructureFault, UserFault


class Hung(Exception):
    """The agent, or the user, did not answer within the cap."""


@dataclass
class Stage:
    """The state of one performance."""

    episode: Episode
    limits: Limits
    events: list[Event] = field(default_factory=list[Event])
    messages: list[Message] = field(default_factory=list[Message])
    seconds: list[float] = field(default_factory=list[float])
    by_turn: list[float] = field(default_factory=list[float])
    spent: float = 0.0
    turns: int = 0
    calls: int = 0
    ids: set[str] = field(default_factory=set[str])
    apart: bool = False

    @property
    def over(self) -> bool:
        return bool(self.events) and isinstance(self.events[-1], Ended)

    def add(self, events: Iterable[Event]) -> None:
        """Append events up to the first ending, each as it will be read back: nothing that an
        agent or an episode still holds can alter what happened. The ending is shown to nobody."""
        for event in events:
            self.events.append(_decode(_encode(event)))
            if self.over:
                return
            message = self.episode.show(event)
            if message is not None:
                self.messages.append(message)

    def view(self, instructions: str, seen: int) -> View:
        held = {name: _shown(tool.spec) for name, tool in self.episode.tools().items()}
        return View(instructions, held, tuple(self.messages), seen)

    def timed(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self.spent += seconds
        if len(self.by_turn) == self.turns:
            self.by_turn.append(0.0)
        self.by_turn[-1] += seconds

    def end(self, kind: Ending, fault: Fault | None = None, detail: object = "") -> None:
        text, _ = clean_text(detail, 500)
        self.add([Ended(kind, fault=fault, detail=text)])

    def foreign(self, reported: tuple[ForeignCall, ...] | None) -> None:
        """Keep what the agent tells of tools of its own: that it has them, and its calls."""
        if reported is None:
            return
        if not self.apart:
            self.apart = True
            self.add([ForeignTools()])
        kept = reported[: self.limits.calls]
        for left, call in zip(range(len(kept) - 1, -1, -1), kept, strict=True):
            name, _ = clean_text(call.name, 200)
            told = (
                clean_arguments(part, self.limits.text) for part in (call.arguments, call.result)
            )
            self.add([ForeignCall(name, *told, left_off=0 if left else len(reported) - len(kept))])

    def say(self, act: Say) -> str:
        self.foreign(act.foreign)
        text, cut = clean_text(act.text, self.limits.text)
        self.add([AgentSaid(text, cut)])
        self.turns += 1
        self.calls = 0
        return text

    def answered(self, events: Iterable[Event]) -> None:
        self.add(events)
        if not self.over and self.turns >= self.limits.turns:
            self.end(Ending.TURN_CAP, Fault.AGENT)

    def call(self, act: CallTools) -> None:
        self.foreign(act.foreign)
        if act.text:
            text, cut = clean_text(act.text, self.limits.text)
            self.add([AgentNoted(text, cut)])
        if not act.calls:
            raise AgentFault("the act holds no tool call and no words")
        for call in act.calls:
            if self.over:
                return
            self._one(call)

    def _one(self, call: ToolCall) -> None:
        self.calls += 1
        name, _ = clean_text(call.name, 200)
        arguments = clean_arguments(call.arguments, self.limits.text)
        call_id = self._call_id(call.call_id)
        self.add([ToolCalled(call_id, name, arguments)])
        past = self.calls - self.limits.calls
        if past > 0:
            result = tool_error(
                ToolErrorKind.BUDGET, "No more tool calls now: speak to the user or finish."
            )
        else:
            result = invoke(self.episode.tools(), name, arguments)
        self.add([ToolReturned(call_id, name, result.content, result.error)])
        if past >= self.limits.grace:
            self.end(Ending.TOOL_BUDGET, Fault.AGENT)
        elif past <= 0:
            self.add(self.episode.called(name, result))

    def _call_id(self, given: object) -> str:
        """The agent's own id where no call before had it, else one of ours."""
        asked, _ = clean_text(given, 200)
        unique, number = asked, len(self.ids) + 1
        while not unique or unique in self.ids:
            unique = f"{asked}#{number}" if asked else f"call_{number}"
            number += 1
        self.ids.add(unique)
        return unique

    def take(self, act: Act) -> str | None:
        """Do the act; gives its words where the user has to answer them."""
        if self.spent > self.limits.seconds:
            self.end(Ending.TIME_CAP, Fault.AGENT)
            return None
        check_act(act)
        if isinstance(act, Say):
            return self.say(act)
        self.call(act)
        return None

    def failed(self, error: Exception) -> None:
        """The agent gave no act."""
        match error:
            case ContextOverflow():
                self.end(Ending.OVERFLOW, Fault.AGENT, error)
            case InfrastructureFault():
                self.end(Ending.ERROR, Fault.INFRASTRUCTURE, error)
            case Hung():
                self.end(Ending.TIME_CAP, Fault.AGENT)
            case _:
                self.end(Ending.ERROR, Fault.AGENT, told(error, _place(error)))

    def broke(self, error: Exception) -> None:
        """The stage or the episode could not go on. An overflow here is of a user's own model."""
        match error:
            case AgentFault() if not isinstance(error, ContextOverflow):
                self.end(Ending.ERROR, Fault.AGENT, error)
            case UserFault():
                self.end(Ending.ERROR, Fault.USER, error)
            case InfrastructureFault():
                self.end(Ending.ERROR, Fault.INFRASTRUCTURE, error)
            case _:
                self.end(Ending.ERROR, Fault.USER, f"the episode failed: {told(error)}")


_encode = msgspec.json.Encoder().encode
_decode: Callable[[bytes], Event] = msgspec.json.Decoder(Event).decode


def told(error: Exception, place: str = "") -> str:
    """An error's kind and words, and where it arose."""
    kind = type(error).__name__
    return f"{kind}: {clean_text(error, max(100, 498 - len(kind) - len(place)))[0]}{place}"


def _place(error: BaseException) -> str:
    """The innermost line of the first file of a person's own that an agent's error passed through;
    empty where it passed through none. Only the file's own name is told, and no line of a package
    that was installed, so that the words are the same on every machine."""
    names = [(f.f_code.co_filename, line) for f, line in traceback.walk_tb(error.__traceback__)]
    own = [(name, line) for name, line in names if _is_own(name)]
    if not own and error.__cause__ is not None:
        return _place(error.__cause__)
    inner = next((line for name, line in reversed(own) if name == own[0][0]), None)
    return "" if inner is None else f" ({Path(own[0][0]).name}, line {inner})"


@cache
def _is_own(name: str) -> bool:
    path = Path(name)
    installed = {"site-packages", "dist-packages"} & set(path.parts)
    return not (name.startswith("<") or installed or any(path.is_relative_to(at) for at in _OTHERS))


_OTHERS = (
    Path(__file__).parent.parent,
    *(Path(sysconfig.get_paths()[name]) for name in ("stdlib", "platstdlib")),
)


@lru_cache(maxsize=1024)
def _shown(spec: ToolSpec) -> Tool:
    """A tool as an agent holds it, one for all trials."""
    return Tool(spec, _out_of_reach)


def _out_of_reach(_: Any) -> ToolResult:
    raise AgentFault("tools run through CallTools only, so that every call is recorded")


def check_act(act: object) -> None:
    """Raises AgentFault for what is no act, and for an act with parts that are none."""
    if not isinstance(act, Say | CallTools):
        raise AgentFault(f"an act must be Say or CallTools, not {type(act).__name__}")
    if isinstance(act, CallTools):
        _check_calls(act.calls)
    if act.foreign is not None:
        _check_foreign(act.foreign)


def _check_calls(calls: object) -> None:
    if not isinstance(calls, tuple | list):
        raise AgentFault(f"the calls of an act must be a tuple, not {type(calls).__name__}")
    for call in calls:
        if not isinstance(call, ToolCall):
            raise AgentFault(f"a call of an act must be a ToolCall, not {type(call).__name__}")


def _check_foreign(reported: object) -> None:
    if not isinstance(reported, tuple | list):
        raise AgentFault(f"foreign calls must be a tuple, not {type(reported).__name__}")
    for call in reported:
        if not isinstance(call, ForeignCall):
            raise AgentFault(f"a foreign call must be a ForeignCall, not {type(call).__name__}")
