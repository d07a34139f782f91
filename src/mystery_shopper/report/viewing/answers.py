"""What the server tells a page: plain records, sent as JSON, each of a bounded size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, TypeVar

import msgspec

from mystery_shopper.report.browse import Entry, Record
from mystery_shopper.report.requests import RequestEntry, RequestRecord
from mystery_shopper.report.steps import Result, Results, Step

Line: TypeAlias = Entry | RequestEntry
"""A line of the list of trials, of either suite."""
RecordT = TypeVar("RecordT", Record, RequestRecord)
RESULT_BYTES = 4_000_000
STEP_BYTES = 8_000_000


class RunLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One run: what was planned and how far it is. `suite` is empty for the disclosure suite;
    `history`, `k` and `unscored` are recbench's. `ready`: all that is written has been read.
    `live`: not every planned trial has ended; `recent`: a trial was written in the last minutes.
    `problem` says why a folder cannot be read as a run. `strange` counts lines that are no trial.
    `mark` changes when the list of trials may have."""

    number: int
    name: str
    mark: str = ""
    agent: str = ""
    user: str = ""
    interface: str = ""
    prompt: str = ""
    conditions: tuple[str, ...] = ()
    task_set: str = ""
    suite: str = ""
    history: bool = False
    k: int = 0
    unscored: int = 0
    catalogue: str = ""
    trials: int = 0
    planned: int = 0
    done: int = 0
    excluded: int = 0
    success: int = 0
    failure: int = 0
    strange: int = 0
    ready: bool = False
    live: bool = False
    recent: bool = False
    problem: str = ""


class RunsAnswer(msgspec.Struct, frozen=True):
    """All runs."""

    runs: tuple[RunLine, ...]


class TrialsAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A page of a run's trials. `choices`: by filter, the values that occur. Of a search for words,
    `searched` of `within` trials have been read."""

    entries: tuple[Line, ...]
    matching: int
    total: int
    page: int
    pages: int
    choices: dict[str, tuple[tuple[str, str], ...]]
    searched: int | None = None
    within: int = 0


class TrialAnswer(msgspec.Struct, frozen=True, omit_defaults=True):
    """One trial, the results of its calls by hash, and its neighbours in the list."""

    entry: Line
    trial: Record | RequestRecord
    results: dict[str, Result]
    before: Line | None = None
    after: Line | None = None


def bounded_record(found: RecordT, *, step_bytes: int = STEP_BYTES) -> RecordT:
    """The record, with its last steps left off where it has more bytes of them than that; a last
    step says how many."""
    used = 0
    for place, step in enumerate(found.steps):
        used += len(msgspec.json.encode(step))
        if used > step_bytes:
            left = len(found.steps) - place
            told = Step("left_off", step.turn, f"{left:,} more events are too much for this page.")
            return msgspec.structs.replace(found, steps=(*found.steps[:place], told))
    return found


def bounded_results(
    steps: Sequence[Step], results: Results, *, most: int = RESULT_BYTES
) -> dict[str, Result]:
    """The results that the steps name, in their order, as far as they fit."""
    kept: dict[str, Result] = {}
    for step in steps:
        if not step.result or step.result in kept:
            continue
        found = results.by_hash[step.result]
        most -= len(msgspec.json.encode(found))
        if most < 0:
            break
        kept[step.result] = found
    return kept
