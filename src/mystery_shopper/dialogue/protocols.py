"""What an episode and an agent are to the loop that plays them."""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

import msgspec

from mystery_shopper.dialogue.events import (
    AgentNoted,
    AgentSaid,
    Event,
    ForeignCall,
    ReferenceSaid,
    StageChanged,
    ToolCalled,
    ToolReturned,
    UserSaid,
)
from mystery_shopper.dialogue.tools import Tool, ToolResult


class Message(msgspec.Struct, frozen=True, gc=False):
    """One thing the agent may see. `tool` messages answer the call with the same `call_id`."""

    role: Literal["user", "agent", "tool"]
    text: str
    call_id: str = ""
    name: str = ""
    arguments: object = None


@dataclass(frozen=True, slots=True)
class View:
    """What the agent is shown: its instructions, the tools it holds now, and all that it may see.

    `messages[seen:]` is what came since its last act.
    """

    instructions: str
    tools: Mapping[str, Tool]
    messages: Sequence[Message]
    seen: int


@dataclass(frozen=True, slots=True)
class Say:
    """Words to the user. They end the agent's turn. `seconds`: what the act took, where an adapter
    knows it better than the clock does, since it had to wait for a free line first. `foreign`: the
    calls of the agent's own tools that led here, as far as it reports them; None for an agent that
    works with ours."""

    text: str
    seconds: float | None = None
    foreign: tuple[ForeignCall, ...] | None = None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the agent makes it. Arguments are not trusted; an empty id is given one."""

    name: str
    arguments: object = field(default_factory=dict[str, object])
    call_id: str = ""


@dataclass(frozen=True, slots=True)
class CallTools:
    """One or more calls, run in order. `text` is kept but not said to the user. `seconds` and
    `foreign` as for `Say`."""

    calls: tuple[ToolCall, ...]
    text: str = ""
    seconds: float | None = None
    foreign: tuple[ForeignCall, ...] | None = None


Act: TypeAlias = Say | CallTools


class Agent(Protocol):
    """The system under test, fresh for every trial."""

    def act(self, view: View) -> Act | Awaitable[Act]:
        """Say something or call tools. Raise ContextOverflow or InfrastructureFault as needed."""
        ...


Happening: TypeAlias = Iterable[Event] | Awaitable[Iterable[Event]]
"""What an episode brings about; an awaitable of it where a user has to be asked first."""


class Episode(Protocol):
    """One task being played. It says what there is to see and do, and when it is over: an `Ended`
    among the events it gives back ends it."""

    @property
    def instructions(self) -> str:
        """What the agent is told before the first word."""
        ...

    def open(self) -> Happening:
        """The first events."""
        ...

    def tools(self) -> Mapping[str, Tool]:
        """The tools that the agent holds now, by name."""
        ...

    def heard(self, text: str) -> Happening:
        """What the agent's words to the user bring about. What is raised while an awaitable of it
        is awaited is the user's fault, never the agent's."""
        ...

    def called(self, name: str, result: ToolResult) -> Iterable[Event]:
        """What a tool call brings about beyond its result."""
        ...

    def show(self, event: Event) -> Message | None:
        """What the agent sees of an event; `show_event` is the usual answer."""
        ...


def show_event(event: Event) -> Message | None:
    """Words, calls and results are seen; verdicts, readings and endings are not."""
    match event:
        case UserSaid():
            return Message("user", event.text)
        case AgentSaid() | ReferenceSaid() | AgentNoted():
            return Message("agent", event.text)
        case ToolCalled():
            return Message("agent", "", event.call_id, event.name, event.arguments)
        case ToolReturned():
            return Message("tool", event.content, event.call_id, event.name)
        case StageChanged() if event.text:
            return Message("user", event.text)
        case _:
            return None
