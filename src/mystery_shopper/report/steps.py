"""The events of a trial as its page shows them: plain steps, one an event.

A step names its tool's result by the hash of the text, so that a page stores every distinct result
once. Long texts are cut, and their full length is told.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from mystery_shopper.dialogue import (
    AgentNoted,
    AgentSaid,
    Ended,
    Event,
    ForeignCall,
    ForeignTools,
    NotUnderstood,
    ReferenceSaid,
    StageChanged,
    ToolCalled,
    ToolReturned,
    UserSaid,
    Verdict,
)
from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.words import ENDINGS

RESULT_CHARACTERS = 2_000
TEXT_CHARACTERS = 8_000


class Step(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event as the page shows it. `full` is the length of a text that was cut; `revealed` are
    the places of the facts disclosed so far; `result` the hash of a tool's result."""

    kind: str
    turn: int
    text: str = ""
    full: int = 0
    asked: tuple[str, ...] = ()
    generic: bool = False
    declined: tuple[str, ...] = ()
    unconcerned: tuple[str, ...] = ()
    fresh: tuple[int, ...] = ()
    revealed: tuple[int, ...] = ()
    name: str = ""
    arguments: str = ""
    result: str = ""
    error: str = ""
    item: str = ""
    title: str = ""
    accepted: bool | None = None
    failed: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    leaks: tuple[str, ...] = ()
    drafts: int = 0
    stood_in: bool = False


class Result(msgspec.Struct, frozen=True, omit_defaults=True):
    """A distinct tool result; `full` is the length of one that was cut."""

    text: str
    full: int = 0


@dataclass
class Results:
    """The distinct tool results by hash."""

    by_hash: dict[str, Result] = field(default_factory=dict[str, Result])

    def keep(self, content: str) -> str:
        """The hash of a result's text, and the result is kept."""
        key = hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:20]
        if key not in self.by_hash:
            self.by_hash[key] = Result(*cut(content, RESULT_CHARACTERS))
        return key


def cut(text: str, most: int) -> tuple[str, int]:
    """The text and 0, or its first `most` characters and its full length."""
    return (text, 0) if len(text) <= most else (text[:most], len(text))


def steps_of(trial: Trial, names: Sequence[str], results: Results) -> Iterator[Step]:
    """The steps of a trial whose facts are these, in order; results are kept in `results`."""
    places = {name: place for place, name in enumerate(names)}
    revealed: set[int] = set()
    returned = {
        event.call_id: event for event in trial.transcript.events if isinstance(event, ToolReturned)
    }
    titles = _titles(returned)
    for turn, event in trial.transcript.by_turn():
        if isinstance(event, UserSaid):
            told = {places[name] for name in event.disclosed}
            fresh = tuple(sorted(told - revealed))
            revealed |= told
            yield _user_step(turn, event, fresh, tuple(sorted(revealed)))
        elif isinstance(event, ToolCalled):
            yield _call_step(turn, event, returned.get(event.call_id), results)
        elif isinstance(event, ForeignCall):
            yield _foreign_step(turn, event, results)
        elif not isinstance(event, ToolReturned):
            yield _plain_step(turn, event, titles)


def _user_step(
    turn: int, event: UserSaid, fresh: tuple[int, ...], revealed: tuple[int, ...]
) -> Step:
    text, full = cut(event.text, TEXT_CHARACTERS)
    return Step(
        "user",
        turn,
        text,
        full,
        asked=event.asked,
        generic=event.generic,
        declined=event.declined,
        unconcerned=event.unconcerned,
        fresh=fresh,
        revealed=revealed,
        withheld=event.withheld,
        leaks=event.leaks,
        drafts=len(event.drafts),
        stood_in=event.stood_in,
    )


def _call_step(
    turn: int, event: ToolCalled, returned: ToolReturned | None, results: Results
) -> Step:
    arguments, full = cut(_json(event.arguments), RESULT_CHARACTERS)
    return Step(
        "call",
        turn,
        full=full,
        name=event.name,
        arguments=arguments,
        result=results.keep(returned.content) if returned else "",
        error=returned.error.value if returned and returned.error else "",
    )


def _foreign_step(turn: int, event: ForeignCall, results: Results) -> Step:
    """A call of the agent's own tool, as it was reported."""
    arguments, full = cut(_json(event.arguments), RESULT_CHARACTERS)
    told = event.result if isinstance(event.result, str) else _json(event.result)
    result = "" if event.result is None else results.keep(told)
    return Step("call", turn, full=full, name=event.name, arguments=arguments, result=result)


def _plain_step(turn: int, event: Event, titles: Mapping[str, str]) -> Step:
    match event:
        case AgentSaid() | AgentNoted() | ReferenceSaid():
            kinds = {AgentSaid: "agent", AgentNoted: "note", ReferenceSaid: "reference"}
            text, full = cut(event.text, TEXT_CHARACTERS)
            lost = 0 if isinstance(event, ReferenceSaid) else event.cut
            return Step(kinds[type(event)], turn, text, len(event.text) + lost if lost else full)
        case NotUnderstood():
            return Step("confused", turn, event.about)
        case Verdict():
            return Step(
                "verdict",
                turn,
                item=event.item_id,
                title=titles.get(event.item_id, ""),
                accepted=event.accepted,
                failed=event.failed,
                others=event.others,
            )
        case ForeignTools():
            return Step("stage", turn, "The agent works with tools of its own.", name="own tools")
        case StageChanged():
            return Step("stage", turn, event.text, name=event.stage)
        case Ended():
            ending = ENDINGS.get(event.kind, event.kind.value)
            item = event.item_id or ""
            return Step(
                "ended", turn, event.detail, name=ending, item=item, title=titles.get(item, ""),
                error=f"fault: {event.fault.value}" if event.fault else "",
            )  # fmt: skip
        case UserSaid() | ToolCalled() | ToolReturned() | ForeignCall():
            raise ValueError("words and calls have steps of their own")


def _json(value: object) -> str:
    try:
        return msgspec.json.encode(value).decode()
    except (TypeError, UnicodeEncodeError):
        return repr(value)


def _titles(returned: Mapping[str, ToolReturned]) -> dict[str, str]:
    """Item id -> name, as far as results tell: in a row, the field after the id."""
    found: dict[str, str] = {}
    for event in returned.values():
        if event.error is not None or event.name not in ("search", "get_history"):
            continue
        try:
            content: Any = msgspec.json.decode(event.content)
        except (msgspec.MsgspecError, UnicodeError):
            continue
        for rows in content.values() if isinstance(content, dict) else ():
            for row in rows if isinstance(rows, list) else ():
                if isinstance(row, dict) and len(row) > 1:
                    key, name = list(row.values())[:2]
                    if isinstance(key, str) and isinstance(name, str):
                        found.setdefault(key, name)
    return found
