"""Why trials recommended nothing, and which calls could not be made: from their transcripts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import msgspec

from mystery_shopper.dialogue import AgentSaid, Ending, Fault, ToolErrorKind, ToolReturned
from mystery_shopper.engine.trial import Trial
from mystery_shopper.report.words import ENDINGS, plain, plural
from mystery_shopper.suites.recbench.score import RecBenchScore

MOST_NAMES = 3
"""Of tools that are not there, or messages, that are told."""
ASKS = "ask back, and nobody replies: the first words are the answer"
REFUSES = "say that they have nothing to recommend"
NAMED = "name only what the request itself names"
UNREAD = "name no title that could be read"
MUTE = "say nothing at all"
_ENDED = {
    Ending.TOOL_BUDGET: "ended at the tool budget",
    Ending.TURN_CAP: "ended at the turn cap",
    Ending.TIME_CAP: "ended at the time cap",
    Ending.OVERFLOW: "ended where the context was full",
    Ending.ERROR: "ended in an error",
}
_QUESTION = re.compile(r"[?？](?=[\s\"'”’)\]*_]|\Z)")
_LAST = re.compile(r"[?？][\s\"'”’)\]*_]*\Z")


@dataclass(frozen=True, slots=True)
class Amiss:
    """What went wrong in a trial. `silent`: why it recommends nothing, empty where it recommends
    something. `absent`: the name of each tool called that is not there; `there`: those that are.
    `misfits`: of each call with unfit arguments, the tool and what was said to it."""

    silent: str = ""
    absent: tuple[str, ...] = ()
    there: tuple[str, ...] = ()
    misfits: tuple[str, ...] = ()


class Refused(msgspec.Struct):
    """An error as a tool gives it."""

    error: str = ""
    tools: tuple[str, ...] = ()


NOTHING = Amiss()


class Seen(Protocol):
    """What is told of a trial: `Answered` is one."""

    @property
    def amiss(self) -> Amiss: ...
    @property
    def fault(self) -> Fault | None: ...
    @property
    def score(self) -> RecBenchScore: ...
    @property
    def trouble(self) -> str: ...


def amiss_in(trial: Trial) -> Amiss:
    """What went wrong in a trial of the suite; `NOTHING` where all is well."""
    absent: list[str] = []
    misfits: list[str] = []
    there: tuple[str, ...] = ()
    if trial.requested.tool_errors:
        for event in trial.transcript.events:
            if not isinstance(event, ToolReturned):
                continue
            if event.error is ToolErrorKind.UNKNOWN_TOOL:
                absent.append(plain(event.name, 40))
                there = there or _told(event).tools
            elif event.error is ToolErrorKind.BAD_ARGUMENTS:
                misfits.append(f"{plain(event.name, 40)}: {plain(_told(event).error, 160)}")
    silent = _silent(trial)
    if not (silent or absent):
        return NOTHING
    return Amiss(silent, tuple(absent), there, tuple(misfits))


def _told(event: ToolReturned) -> Refused:
    try:
        return msgspec.json.decode(event.content, type=Refused)
    except msgspec.DecodeError:
        return Refused()


def _silent(trial: Trial) -> str:
    score = trial.requested
    if trial.excluded or any(not pick.named for pick in score.picks):
        return ""
    if score.ending is not Ending.FINISHED:
        return _ENDED.get(score.ending, f"ended: {ENDINGS[score.ending]}")
    said = [event.text for event in trial.transcript.events if isinstance(event, AgentSaid)]
    text = said[-1].strip() if said else ""
    if not text:
        return MUTE
    if score.picks:
        return NAMED
    if _LAST.search(text) or (not score.refused and _QUESTION.search(text)):
        return ASKS
    return REFUSES if score.refused else UNREAD


def lines(valid: Sequence[Seen]) -> list[str]:
    """The same of a run's valid trials, in a line each: why so many recommend nothing, and what was
    called in vain. None where all is well."""
    told: list[str] = []
    silent = Counter(one.amiss.silent for one in valid if one.amiss.silent)
    if silent:
        why = "; ".join(f"{count:,} {reason}" for reason, count in silent.most_common())
        whole = plural(len(valid), "valid trial")
        told.append(f"{silent.total():,} of {whole} recommend nothing: {why}")
    absent = Counter(name for one in valid for name in one.amiss.absent)
    if absent:
        there = next((one.amiss.there for one in valid if one.amiss.there), ())
        has = ", ".join(plain(name, 40) for name in there[:8]) or "none"
        told.append(f"{_calls(absent)} not there: {_named(absent)} (there are: {has})")
    misfits = Counter(
        what for one in valid if one.amiss.silent for what in one.amiss.misfits
    ).most_common(1)
    for what, often in misfits:
        told.append(f"{plural(often, 'call')} with arguments that do not fit, say {what}")
    return told


def message(one: Seen) -> str:
    """What a trial that is somebody's fault ended with: the error's words, else its ending, with
    the tools that were called and are not there."""
    told = one.trouble or ENDINGS[one.score.ending]
    names = names_of(one.amiss)
    return f"{told}; called, and not there: {names}" if names else told


def names_of(amiss: Amiss) -> str:
    """The tools that a trial called and are not there; empty where it called none."""
    names = sorted(set(amiss.absent))
    return ", ".join([*(f"`{name}`" for name in names[:MOST_NAMES]), *_others(len(names))])


def _calls(absent: Counter[str]) -> str:
    many = "tools that are" if len(absent) > 1 else "a tool that is"
    return f"{plural(absent.total(), 'call')} of {many}"


def _named(absent: Counter[str]) -> str:
    """Each name with its calls; without them where there is one."""
    if len(absent) == 1:
        return "".join(f"`{name}`" for name in absent)
    told = [f"`{name}` {often:,}" for name, often in absent.most_common(MOST_NAMES)]
    return ", ".join([*told, *_others(len(absent))])


def _others(names: int) -> list[str]:
    return [f"{names - MOST_NAMES:,} more"] if names > MOST_NAMES else []
