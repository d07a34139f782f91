"""A second labeller of agent turns, and what its labels say of the user's question matching.

The rule-based user reads questions by rules about language, so it may miss one, or answer one that
was not asked. Where a person or a model has labelled the agent's turns, a trial can be told from
one that the agent lost by itself, and mixed success gets a bound (τ-Rec-Books §6.5).

The file holds JSON lines in UTF-8: one object a line for one turn of one trial, blank lines passed
over. Its keys, and no others:

- `trial` (text, required): the trial's key as the page and `trials.jsonl` give it,
  `<task>#<number>`, e.g. `"f001-mixed#0"`;
- `turn` (whole number, required): the agent's turn, counted from 1 as on the trial's page; turn n
  ends with the agent's nth message to the user;
- `asks` (list of texts, `[]` if left out): the fields that the message asks about, by their names
  in the domain, e.g. `["genre", "year"]`; the formats are `"format"` or `"formats"`;
- `generic` (true or false, false if left out): whether it asks for anything further, whatever the
  field;
- `run` (text): the name of the run's folder; needed where a report holds several runs;
- `note` (text): why it is labelled so; nothing reads it.

    {"trial": "f001-mixed#0", "turn": 1, "asks": ["language", "year"]}
    {"trial": "f001-mixed#0", "turn": 2, "generic": true, "note": "Anything else?"}

A turn without a label says nothing; a label without `asks` and `generic` says that nothing was
asked. A line that is no such label is refused by its number, and so is a label for a trial, a turn
or a field that the report's runs do not have.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import msgspec

from mystery_shopper.catalog.domain import FORMATS_FIELD
from mystery_shopper.dialogue import Transcript, UserSaid
from mystery_shopper.foundation import InputError, read_whole
from mystery_shopper.suites.tau_rec.task import FORMATS_FACT

FORMAT_NAMES = frozenset({FORMATS_FIELD, FORMATS_FACT})


class Label(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one message of an agent asks: one line of a label file, as described above."""

    trial: str
    turn: int
    asks: tuple[str, ...] = ()
    generic: bool = False
    run: str | None = None
    note: str = ""


Turns: TypeAlias = Mapping[int, Label]


@dataclass(frozen=True, slots=True)
class Finding:
    """What the labels say of one trial. `turns`: readings that could be compared with a label;
    `missed`: the user did not read a question that the label has; `unearned`: the user gave a fact
    for a question that no label of the trial has."""

    turns: int
    missed: bool
    unearned: bool


@dataclass(frozen=True)
class Labels:
    """The labels of one file, by run (None: whichever run) and trial, and the lines of each."""

    turns: Mapping[tuple[str | None, str], Turns] = field(
        default_factory=dict[tuple[str | None, str], Turns]
    )
    lines: Mapping[Label, int] = field(default_factory=dict[Label, int])
    path: str = ""

    def of(self, run: str, trial: str) -> Turns:
        """The labels of one trial by turn; those that name the run come first."""
        return self.turns.get((run, trial)) or self.turns.get((None, trial)) or {}

    def count(self, run: str) -> int:
        """How many labels may speak of the run."""
        return sum(len(turns) for (name, _), turns in self.turns.items() if name in (None, run))

    def line_of(self, label: Label) -> int:
        """The line, from 1, on which the label stands."""
        return self.lines.get(label, 0)


def load_labels(path: str | Path, runs: Sequence[str] = ()) -> Labels:
    """The labels in a file of JSON lines; `runs` are the names of the report's runs.

    Raises InputError with every bad line: no label or an unknown key, a turn below 1, a turn
    labelled twice, a run that is not in the report, or no run where the report holds several.
    `labelcheck` holds the rest against the trials.
    """
    path = Path(path)
    lines = read_whole(path, "Name a label file.").split(b"\n")
    decode = msgspec.json.Decoder(Label).decode
    found: dict[tuple[str | None, str], dict[int, Label]] = {}
    places: dict[Label, int] = {}
    only = runs[0] if len(runs) == 1 else None
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            label = decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            problems.append(f"line {number}: not a label ({error})")
            continue
        turns = found.setdefault((label.run or only, label.trial), {})
        problem = _problem(label, turns, runs)
        if problem:
            problems.append(f"line {number}: {problem}")
        turns[label.turn] = label
        places[label] = number
    if problems:
        raise InputError(problems, where=str(path), remedy="Mend the label file.")
    return Labels(found, places, str(path))


def _problem(label: Label, turns: Turns, runs: Sequence[str]) -> str | None:
    if label.turn < 1:
        return f"turn is {label.turn}, and the agent's turns count from 1"
    if label.turn in turns:
        return f"turn {label.turn} of {label.trial} is labelled twice"
    if label.run is not None and runs and label.run not in runs:
        return f"run {label.run!r} is not in this report"
    if label.run is None and len(runs) > 1:
        return "name the run: this report holds several"
    return None


def compare(transcript: Transcript, labels: Turns) -> Finding | None:
    """The labels of one trial against what its user read; None where no reading has a label.

    A generic reading answers every field, so it misses no question. A fact counts as unearned if
    it came first for a turn whose label asks for nothing that brings it, and no other labelled turn
    of the trial asks for it.
    """
    turns, missed = 0, False
    known: set[str] = set()
    doubtful: set[str] = set()
    for turn, event in transcript.by_turn():
        if not isinstance(event, UserSaid):
            continue
        new = set(event.disclosed) - known
        known |= new
        label = labels.get(turn) if turn else None
        if label is None:
            continue
        turns += 1
        unread = set(map(_field, label.asks)) - set(map(_field, event.asked))
        missed = missed or (not event.generic and (bool(unread) or label.generic))
        doubtful |= {fact for fact in new if not _brings(label, fact)}
    if not turns:
        return None
    unearned = any(not any(_brings(label, fact) for label in labels.values()) for fact in doubtful)
    return Finding(turns, missed, unearned)


def _field(name: str) -> str:
    return FORMATS_FACT if name in FORMAT_NAMES else name


def _brings(label: Label, fact: str) -> bool:
    return label.generic or asks_for(label.asks, fact)


def asks_for(asks: Collection[str], fact: str) -> bool:
    """Whether a question about these fields brings the fact (its name begins with the field's)."""
    if fact == FORMATS_FACT:
        return any(name in FORMAT_NAMES for name in asks)
    return any(fact.startswith(f"{name} ") for name in asks)
