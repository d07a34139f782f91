"""From a trial to its rows. Those of recbench's trials are made in `requestmaking`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

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
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.tabular.rows import EventRow, TrialRow, TurnRow
from mystery_shopper.engine.trial import Trial
from mystery_shopper.engine.usage import PARTIES
from mystery_shopper.suites.tau_rec.score import Checks, Outcome, TauRecScore

_encode = msgspec.json.Encoder(order="deterministic").encode
_HELD = {Outcome.PASSED: True, Outcome.FAILED: False, Outcome.UNSCORED: None}
_POLICIES = {
    Outcome.PASSED: "policies_kept",
    Outcome.FAILED: "policies_broken",
    Outcome.UNSCORED: "policies_unscored",
}
_OF_ITS_OWN = ("checks", "policies")
_PLAIN = tuple(
    one for one in TauRecScore.__struct_fields__ if one not in (*_OF_ITS_OWN, "ending", "failure")
)


def place_of(run: str, trial: Trial) -> dict[str, str]:
    """The columns that every table begins with."""
    return {
        "run": run,
        "trial": trial.key,
        "task": trial.task,
        "family": trial.family,
        "condition": trial.condition,
        "agent": trial.agent,
    }


def trial_row(run: str, plan: RunPlan, trial: Trial, timing: Timing | None) -> TrialRow:
    """The row of a trial of tau_rec; without a timing, what it would tell is null."""
    score = trial.disclosure
    values: dict[str, Any] = {name: getattr(score, name) for name in _PLAIN}
    for name in Checks.__struct_fields__:
        values[name] = _HELD[getattr(score.checks, name)]
    for outcome, name in _POLICIES.items():
        kept = tuple(sorted(one for one, is_ in score.policies.items() if is_ is outcome))
        values[name] = kept if score.policies else None
    return TrialRow(
        **place_of(run, trial),
        **told_of(plan, trial),
        **values,
        **measured(timing, PARTIES),
        tier=trial.tier,
        template=trial.template,
        satisfiable=trial.satisfiable,
        tool_line=plan.tool_line,
    )


def told_of(plan: RunPlan, trial: Trial) -> dict[str, Any]:
    """What the trials of every suite tell: of the plan, of the record, and of how it ended."""
    score, ended = trial.score, trial.transcript.ended
    return {
        "number": trial.number,
        "user": trial.user,
        "suite": plan.suite,
        "task_set": plan.task_set,
        "catalogue": plan.source,
        "catalogue_size": plan.size,
        "interface": plan.interface,
        "prompt": plan.prompt,
        "seed": trial.seed,
        "canary": trial.canary,
        "attempts": trial.attempts,
        "fault": trial.fault.value if trial.fault is not None else None,
        "excluded": trial.excluded,
        "ending": score.ending.value,
        "failure": score.failure.value if score.failure is not None else None,
        "detail": (ended.detail or None) if ended is not None else None,
        "own_tools": any(isinstance(event, ForeignTools) for event in trial.transcript.events),
    }


def measured(timing: Timing | None, parties: Iterable[str]) -> dict[str, Any]:
    """What a clock, or a model of these parties, told of the trial; null where nothing did."""
    seconds = timing.seconds if timing is not None else None
    values: dict[str, Any] = {
        "acts": len(seconds) if seconds is not None else None,
        "agent_seconds": sum(seconds) if seconds else None,
        "wall_seconds": timing.wall if timing is not None else None,
        "http_statuses": (
            _encode(timing.statuses).decode() if timing is not None and timing.statuses else None
        ),
    }
    for party in parties:
        used = timing.usage.get(party) if timing is not None else None
        values |= {
            f"{party}_model_calls": used.calls if used else None,
            f"{party}_input_tokens": used.input if used else None,
            f"{party}_cached_tokens": used.cached if used else None,
            f"{party}_output_tokens": used.output if used else None,
            f"{party}_cost": used.cost if used else None,
            f"{party}_models": tuple(sorted(used.answered)) if used else None,
        }
    return values


@dataclass
class _Turn:
    """What has been gathered of one turn."""

    said: AgentSaid | None = None
    user: UserSaid | None = None
    verdict: Verdict | None = None
    ended: Ended | None = None
    notes: list[str] = field(default_factory=list[str])
    tools: list[str] = field(default_factory=list[str])
    lost: list[str] = field(default_factory=list[str])
    errors: int = 0
    own: int = 0

    def add(self, event: Event) -> None:
        match event:
            case AgentSaid():
                self.said = event
            case UserSaid():
                self.user = event
            case Verdict():
                self.verdict = event
            case Ended():
                self.ended = event
            case AgentNoted():
                self.notes.append(event.text)
            case ToolCalled():
                self.tools.append(event.name)
            case ToolReturned():
                self.errors += event.error is not None
            case ForeignCall():
                self.own += 1 + event.left_off
            case NotUnderstood():
                self.lost.append(event.about)
            case ForeignTools() | ReferenceSaid() | StageChanged():
                pass


def turn_rows(place: Mapping[str, str], trial: Trial, timing: Timing | None) -> list[TurnRow]:
    """The trial's turns in order."""
    turns: dict[int, _Turn] = {}
    for number, event in trial.transcript.by_turn():
        turns.setdefault(number, _Turn()).add(event)
    seconds = timing.turns if timing is not None else ()
    known: dict[str, None] = {}
    made: list[TurnRow] = []
    for number, turn in turns.items():
        if turn.user is not None:
            known |= dict.fromkeys(turn.user.disclosed)
        spent = seconds[number - 1] if 1 <= number <= len(seconds) else None
        made.append(_turn_row(place, number, turn, tuple(known), spent))
    return made


def _turn_row(
    place: Mapping[str, str], number: int, turn: _Turn, known: tuple[str, ...], spent: float | None
) -> TurnRow:
    said, user, verdict = turn.said, turn.user, turn.verdict
    return TurnRow(
        **place,
        turn=number,
        agent_said=said.text if said else None,
        agent_cut=said.cut if said else 0,
        notes=tuple(turn.notes),
        tools=tuple(turn.tools),
        tool_errors=turn.errors,
        own_calls=turn.own,
        proposal=verdict.item_id if verdict else None,
        accepted=verdict.accepted if verdict else None,
        failed=verdict.failed if verdict else None,
        others=verdict.others if verdict else None,
        user_said=user.text if user else None,
        asked=user.asked if user else None,
        generic=user.generic if user else None,
        not_understood=tuple(turn.lost),
        disclosed=user.disclosed if user else None,
        declined=user.declined if user else None,
        unconcerned=user.unconcerned if user else None,
        withheld=user.withheld if user else None,
        leaks=user.leaks if user else None,
        stood_in=user.stood_in if user else None,
        known=known,
        seconds=spent,
        ending=turn.ended.kind.value if turn.ended else None,
    )


def event_rows(place: Mapping[str, str], trial: Trial) -> Iterable[EventRow]:
    """The trial's events in order."""
    for number, (turn, event) in enumerate(trial.transcript.by_turn()):
        yield EventRow(
            **place,
            event=number,
            turn=turn,
            kind=str(event.__struct_config__.tag),
            payload=msgspec.json.encode(event).decode(),
            **_common(event)._asdict(),
        )


class _Common(NamedTuple):
    """The columns of an event's row that depend on its kind."""

    text: str | None = None
    tool: str | None = None
    call_id: str | None = None
    item_id: str | None = None
    error: str | None = None


def _common(event: Event) -> _Common:
    match event:
        case UserSaid() | AgentSaid() | AgentNoted() | ReferenceSaid():
            return _Common(event.text)
        case StageChanged():
            return _Common(event.text or None)
        case NotUnderstood():
            return _Common(event.about)
        case ToolCalled():
            return _Common(tool=event.name, call_id=event.call_id)
        case ToolReturned():
            error = event.error.value if event.error is not None else None
            return _Common(tool=event.name, call_id=event.call_id, error=error)
        case ForeignCall():
            return _Common(tool=event.name)
        case Verdict():
            return _Common(item_id=event.item_id)
        case Ended():
            return _Common(event.detail or None, item_id=event.item_id)
        case ForeignTools():
            return _Common()
