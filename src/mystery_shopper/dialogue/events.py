"""What happened, one typed record each. The list of them is the only evidence that scoring sees.

Events hold no clock reading: two runs with one seed give the same bytes. The turn of an event is
not stored either; it follows from the order (see `Transcript.by_turn`).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeAlias

import msgspec


class Ending(StrEnum):
    """How an episode came to its end."""

    FINISHED = "finished"
    RECOMMENDED = "recommended"
    ABSTAINED = "abstained"
    TURN_CAP = "turn_cap"
    TIME_CAP = "time_cap"
    TOOL_BUDGET = "tool_budget"
    OVERFLOW = "overflow"
    ERROR = "error"


class Fault(StrEnum):
    """Whose fault an ending is. Only the agent's counts against the agent."""

    AGENT = "agent"
    USER = "user"
    INFRASTRUCTURE = "infrastructure"


NOT_THE_AGENTS = (Fault.USER, Fault.INFRASTRUCTURE)
"""Faults that exclude a trial: it is played again, then counts in no figure."""


class ToolErrorKind(StrEnum):
    """Why a tool call gave an error."""

    UNKNOWN_TOOL = "unknown_tool"
    BAD_ARGUMENTS = "bad_arguments"
    REFUSED = "refused"
    BUDGET = "budget"


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """The base of all events. Like all that hundreds of trials in flight hold by the thousand and
    that refers to plain data alone, it is none of the garbage collector's business."""


class UserSaid(_Event, frozen=True, tag="user_said"):
    """The user's words, and what they gave: the facts disclosed and the fields declined.

    `asked` and `generic` are the user's own reading of the message before; `unconcerned` are the
    fields asked about on which the user has no requirement.

    Of a user whose words code does not choose: `disclosed` is what code finds in them, and
    `declined` and `unconcerned` what was due by the reading. `withheld`: facts that were due and
    never came. `leaks`: the facts that had to stay unsaid, one entry for each time that a draft or
    the words gave one away. `drafts`: replies that were drawn and not let out; the agent never sees
    them. `stood_in`: the words are the rule-based user's, since none drawn could be let out.
    """

    text: str
    asked: tuple[str, ...] = ()
    generic: bool = False
    disclosed: tuple[str, ...] = ()
    declined: tuple[str, ...] = ()
    unconcerned: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    leaks: tuple[str, ...] = ()
    drafts: tuple[str, ...] = ()
    stood_in: bool = False


class NotUnderstood(_Event, frozen=True, tag="not_understood"):
    """The agent asked something that matched no field of the domain; `about` is its beginning."""

    about: str


class AgentSaid(_Event, frozen=True, tag="agent_said"):
    """The agent's words to the user. `cut` counts characters beyond the length kept."""

    text: str
    cut: int = 0


class AgentNoted(_Event, frozen=True, tag="agent_noted"):
    """Words beside a tool call. They are kept, and the user does not hear them."""

    text: str
    cut: int = 0


class ReferenceSaid(_Event, frozen=True, tag="reference_said"):
    """A line of a reference dialogue, shown to the agent as its own."""

    text: str


class ToolCalled(_Event, frozen=True, tag="tool_called"):
    """A tool call as the agent made it, whatever its arguments."""

    call_id: str
    name: str
    arguments: Any = None


class ToolReturned(_Event, frozen=True, tag="tool_returned"):
    """What a call gave: JSON text, or an error told to the agent."""

    call_id: str
    name: str
    content: str
    error: ToolErrorKind | None = None


class ForeignTools(_Event, frozen=True, tag="foreign_tools"):
    """The agent works with tools of its own, which nobody here sees or runs. It stands once, before
    the agent's first act; what only our tools can show is unscored in such a trial."""


class ForeignCall(_Event, frozen=True, tag="foreign_call"):
    """A call of a tool of the agent's own, as the agent reports it; it is never run again.

    `left_off` counts reported calls that followed this one in the same answer and were not kept.
    """

    name: str
    arguments: Any = None
    result: Any = None
    left_off: int = 0


class Verdict(_Event, frozen=True, tag="verdict"):
    """The user's judgement of a proposed item, decided by code; None for an id nobody knows.

    `failed` names the requirements that the item does not meet. The agent never sees them.
    """

    item_id: str
    accepted: bool | None
    failed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


class StageChanged(_Event, frozen=True, tag="stage_changed"):
    """The episode moved to another stage; a text is shown to the agent."""

    stage: str
    text: str = ""


class Ended(_Event, frozen=True, tag="ended"):
    """The last event."""

    kind: Ending
    item_id: str | None = None
    fault: Fault | None = None
    detail: str = ""


Event: TypeAlias = (
    UserSaid
    | NotUnderstood
    | AgentSaid
    | AgentNoted
    | ReferenceSaid
    | ToolCalled
    | ToolReturned
    | ForeignTools
    | ForeignCall
    | Verdict
    | StageChanged
    | Ended
)
