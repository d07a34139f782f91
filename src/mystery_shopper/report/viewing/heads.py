"""Of a trial's line, what the viewer's list shows; the rest is passed over unread."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import msgspec

from mystery_shopper.dialogue import NOT_THE_AGENTS, Fault
from mystery_shopper.engine.journal import Timing
from mystery_shopper.report.recbench.words import FAILURES as REQUEST_FAILURES
from mystery_shopper.report.words import FAILURES

OUTCOMES = ("failure", "excluded", "success", "unscored")
FAILURE, EXCLUDED, SUCCESS, UNSCORED = range(4)
MOST_WORD = 300

Count: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class DisclosureHead(msgspec.Struct, tag="tau_rec"):
    """Of a score of the disclosure suite."""

    success: bool | None
    ending: str
    failure: str | None
    turns: Count
    proposals: Count
    calls: Count


class FiguresHead(msgspec.Struct):
    """Of the figures of a request, K free."""

    recommended: float | None = None
    precision_own: float | None = None
    recall_own: float | None = None
    cmr: float | None = None


class RequestHead(msgspec.Struct, tag="recbench"):
    """Of a score of recbench."""

    success: bool | None
    ending: str
    failure: str | None
    turns: Count
    calls: Count
    figures: FiguresHead


class Head(msgspec.Struct):
    """Of a trial's line."""

    task: Annotated[str, msgspec.Meta(max_length=MOST_WORD)]
    condition: str
    tier: str
    template: tuple[str, ...]
    satisfiable: bool
    number: Count
    fault: Fault | None
    score: DisclosureHead | RequestHead


class Finished(msgspec.Struct):
    """Of a line of a journal."""

    trial: Head


class Named(msgspec.Struct):
    """Of a line of timings."""

    trial: str


decode_head = msgspec.json.Decoder(Head).decode
decode_finished_head = msgspec.json.Decoder(Finished).decode
decode_named = msgspec.json.Decoder(Named).decode
decode_timing = msgspec.json.Decoder(Timing).decode


def outcome_of(head: Head) -> int:
    """The place of its outcome in `OUTCOMES`."""
    if head.fault in NOT_THE_AGENTS:
        return EXCLUDED
    if head.score.success is None:
        return UNSCORED if isinstance(head.score, RequestHead) else EXCLUDED
    return SUCCESS if head.score.success else FAILURE


def failure_of(head: Head, outcome: int) -> str:
    """The kind of failure of a failed trial in the words of its suite; else empty."""
    if outcome != FAILURE:
        return ""
    known = _REQUESTS if isinstance(head.score, RequestHead) else FAILURES
    return known.get(head.score.failure or "", "")


_REQUESTS: dict[str, str] = {kind.value: told for kind, told in REQUEST_FAILURES.items()}
