"""What a page shows of single trials: plain records, made from transcripts, task sets and clocks.

The report's page and `mystery-shopper view` show the same records with the same script.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from mystery_shopper.dialogue import UserSaid, Verdict
from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RULE_BASED
from mystery_shopper.engine.trial import Trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.report.rows import Row
from mystery_shopper.report.steps import Results, Step, steps_of
from mystery_shopper.report.words import ENDINGS, FAILURES
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT, Reveal, Task, fact

READING = 16


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """A requirement of the user's. `reveal` is empty where no task set tells of it; `turn` is that
    in which it was first disclosed, 0 for the opening, None for never."""

    name: str
    reveal: str = ""
    turn: int | None = None


class Clock(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a trial took: the agent's seconds and acts, its slowest act, the seconds of each turn
    from the first (empty in runs that did not keep them), and what each party's model used."""

    seconds: float
    acts: int
    slowest: float
    turns: tuple[float, ...] = ()
    usage: dict[str, Usage] = {}
    statuses: dict[str, int] = {}


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One trial as the page shows it. `held`: the task is held to policies, and `checks` are these
    in place of the suite's five. `clock` is None where no timing was written."""

    facts: tuple[Fact, ...]
    steps: tuple[Step, ...]
    checks: dict[str, str]
    scores: dict[str, str]
    formats: tuple[str, ...] = ()
    history: tuple[str, ...] = ()
    persona: str = ""
    known: bool = False
    held: bool = False
    clock: Clock | None = None


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
        trial.disclosure.proposals,
        trial.score.calls,
    )


def record(
    trial: Trial, task: Task | None, results: Results, timing: Timing | None = None
) -> Record:
    """The page's record of a trial. Without the task only what the transcript has is shown."""
    names = _fact_names(trial, task)
    reveals = _reveals(task)
    first = _first_turns(trial)
    score = trial.disclosure
    checks: dict[str, Any] = score.policies or msgspec.structs.asdict(score.checks)
    scores: dict[str, Any] = msgspec.structs.asdict(score)
    skipped = ("checks", "policies", "success", "failure", "ending")
    if trial.user == RULE_BASED:
        skipped += ("leaks", "leaked", "withheld", "stood_in")
    return Record(
        facts=tuple(Fact(name, reveals.get(name, ""), first.get(name)) for name in names),
        steps=tuple(steps_of(trial, names, results)),
        checks={_words(name): check.value for name, check in checks.items()},
        scores={
            _words(name): _told(value) for name, value in scores.items() if name not in skipped
        },
        formats=task.family.formats if task else (),
        history=task.family.history if task else (),
        persona=task.family.persona if task else "",
        known=task is not None,
        held=bool(score.policies),
        clock=clock_of(timing) if timing is not None else None,
    )


def clock_of(timing: Timing) -> Clock:
    """What a trial took."""
    seconds = [max(0.0, taken) for taken in timing.seconds]
    return Clock(
        round(sum(seconds), 6),
        len(seconds),
        round(max(seconds, default=0.0), 6),
        tuple(round(taken, 6) for taken in timing.turns),
        timing.usage,
        timing.statuses,
    )


def slack(clock: Clock | None) -> int:
    """How many bytes less a clock's readings take than `READING` each, so that what fits a page
    does not hang on how many digits they have."""
    if clock is None:
        return 0
    readings = (clock.seconds, clock.slowest, *clock.turns)
    return sum(READING - len(msgspec.json.encode(reading)) for reading in readings)


def haystack(line: Entry, label: str, found: Record) -> str:
    """The text that a search for words goes through, in lower case: the line's own words, then what
    was said, called, proposed and judged. The page's script does the same."""
    own = [line.key, label, line.template, line.ending, line.failure]
    return " ".join([*own, *said_in(found.steps)]).lower()


def said_in(steps: Iterable[Step]) -> Iterator[str]:
    """What was said, called, proposed and judged."""
    for step in steps:
        yield from (step.text, step.name, step.arguments, step.item, step.title, *step.failed)


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
