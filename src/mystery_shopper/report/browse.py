"""What the page shows of single trials: plain records, made from transcripts and task sets.

A trial's record names each tool result by the hash of its text, so that the page stores every
distinct result once. Long texts are cut, and their full length is told.
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
from mystery_shopper.engine.plan import RULE_BASED
from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.rows import Row
from mystery_shopper.report.words import ENDINGS, FAILURES
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Reveal, Task, fact

RESULT_CHARACTERS = 2_000
TEXT_CHARACTERS = 8_000


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """A requirement of the user's. `reveal` is empty where no task set tells of it; `turn` is that
    in which it was first disclosed, 0 for the opening, None for never."""

    name: str
    reveal: str = ""
    turn: int | None = None


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


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One trial as the page shows it. `held`: the task is held to policies, and `checks` are these
    in place of the suite's five."""

    facts: tuple[Fact, ...]
    steps: tuple[Step, ...]
    checks: dict[str, str]
    scores: dict[str, str]
    formats: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    persona: str = ""
    known: bool = False
    held: bool = False


class Entry(msgspec.Struct, frozen=True):
    """One line of the page's list of trials."""

    key: str
    run: int
    condition: str
    tier: str
    template: str
    satisfiable: bool
    outcome: str
    failure: str
    ending: str
    turns: int
    proposals: int
    calls: int


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


def entry(trial: Trial, row: Row, run: int) -> Entry:
    """The list's line of a trial."""
    outcome = "success" if row.success else "failure" if row.valid else "excluded"
    return Entry(
        trial.key,
        run,
        trial.condition,
        trial.tier,
        " + ".join(trial.template),
        trial.satisfiable,
        outcome,
        FAILURES.get(row.failure or "", ""),
        ENDINGS.get(trial.score.ending, trial.score.ending.value),
        trial.score.turns,
        trial.score.proposals,
        trial.score.calls,
    )


def record(trial: Trial, task: Task | None, results: Results) -> Record:
    """The page's record of a trial. Without the task only what the transcript has is shown."""
    names = _fact_names(trial, task)
    reveals = _reveals(task)
    first = _first_turns(trial)
    score = trial.score
    checks: dict[str, Any] = score.policies or msgspec.structs.asdict(score.checks)
    scores: dict[str, Any] = msgspec.structs.asdict(score)
    skipped = ("checks", "policies", "success", "failure", "ending")
    if trial.user == RULE_BASED:
        skipped += ("leaks", "leaked", "withheld", "stood_in")
    return Record(
        facts=tuple(Fact(name, reveals.get(name, ""), first.get(name)) for name in names),
        steps=tuple(_steps(trial, names, results)),
        checks={_words(name): check.value for name, check in checks.items()},
        scores={
            _words(name): _told(value) for name, value in scores.items() if name not in skipped
        },
        formats=task.family.formats if task else (),
        history=task.family.history if task else (),
        persona=task.family.persona if task else "",
        known=task is not None,
        held=bool(score.policies),
    )


def _words(name: str) -> str:
    return name.replace("_", " ")


def _told(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "–" if value is None else str(value)


def _reveals(task: Task | None) -> dict[str, str]:
    if task is None:
        return {}
    found = {fact(r.predicate): r.reveal.value for r in task.requirements}
    if task.family.formats:
        asked = FORMATS_FACT in task.askable
        found[FORMATS_FACT] = Reveal.ON_ASK.value if asked else Reveal.STATED.value
    return found


def _fact_names(trial: Trial, task: Task | None) -> list[str]:
    """The task's requirements, then whatever else the transcript names."""
    names = dict.fromkeys(_reveals(task))
    for event in trial.transcript.events:
        if isinstance(event, UserSaid):
            names |= dict.fromkeys(event.disclosed)
        elif isinstance(event, Verdict):
            names |= dict.fromkeys(event.failed)
    return list(names)


def _first_turns(trial: Trial) -> dict[str, int]:
    found: dict[str, int] = {}
    for turn, event in trial.transcript.by_turn():
        if isinstance(event, UserSaid):
            for name in event.disclosed:
                found.setdefault(name, turn)
    return found


def _steps(trial: Trial, names: Sequence[str], results: Results) -> Iterator[Step]:
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
