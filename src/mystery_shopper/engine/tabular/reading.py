"""A run read as a stream: one trial at a time with its timing, so that memory stays flat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec

from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RUN_SCHEMA, RunPlan
from mystery_shopper.engine.store import RunFolder, folder_names, refuse_twice
from mystery_shopper.engine.tabular.making import event_rows, place_of, trial_row, turn_rows
from mystery_shopper.engine.tabular.requestmaking import request_row
from mystery_shopper.engine.tabular.requestrows import RequestRow
from mystery_shopper.engine.tabular.rows import EventRow, TrialRow, TurnRow
from mystery_shopper.engine.trial import TRIAL_SCHEMA, Trial
from mystery_shopper.foundation import InputError

_REMEDY = "Read it with the version that wrote it, which run.json names, or run again."


@dataclass(frozen=True)
class Rows:
    """The rows of one trial."""

    trial: TrialRow | RequestRow
    turns: list[TurnRow]
    events: Iterator[EventRow]


def run_names(folders: Sequence[RunFolder]) -> list[str]:
    """The folders' own names; the path as it was given where two are alike. Raises InputError for
    no folder and for one named twice."""
    if not folders:
        raise InputError("there is no run", remedy="Name one run's folder or more.")
    refuse_twice(folders)
    return folder_names(folders)


def open_run(folder: RunFolder) -> RunPlan:
    """The run's plan, once it is sure that its records are of this version's schema. Raises
    InputError where there is no run, or one of another schema."""
    plan = folder.plan()
    _check_schema("the run", plan.schema, RUN_SCHEMA, str(folder.run_file))
    first = _first_schema(folder)
    if first is not None:
        _check_schema("the first trial", first, TRIAL_SCHEMA, str(folder.trials_file))
    return plan


def rows_of(name: str, plan: RunPlan, folder: RunFolder) -> Iterator[Rows]:
    """The rows of a run, trial by trial in the order of its file. A torn last line is passed over.

    Raises InputError for a line that cannot be read, for a record of another schema, and for a
    trial that is not of this plan.
    """
    timings = _Timings(folder.timings())
    row_of = request_row if plan.suite == "recbench" else trial_row
    planned = set(plan.tasks)
    for trial in folder.trials():
        where = str(folder.trials_file)
        _check_schema(f"trial {trial.key}", trial.schema, TRIAL_SCHEMA, where)
        _check_planned(trial, plan, planned, where)
        timing = timings.of(trial.key)
        place = place_of(name, trial)
        yield Rows(
            row_of(name, plan, trial, timing),
            turn_rows(place, trial, timing),
            iter(event_rows(place, trial)),
        )


class _Timings:
    """Timings by trial. They stand in the order of the trials, so few are ever held; what is out
    of order is kept until its trial comes."""

    def __init__(self, stream: Iterator[Timing]) -> None:
        self._stream = stream
        self._ahead: dict[str, Timing] = {}

    def of(self, key: str) -> Timing | None:
        """The first timing of a trial; None where there is none."""
        if key in self._ahead:
            return self._ahead.pop(key)
        for timing in self._stream:
            if timing.trial == key:
                return timing
            self._ahead.setdefault(timing.trial, timing)
        return None


class _Marked(msgspec.Struct):
    """What any version's record tells of itself."""

    schema: int


def _first_schema(folder: RunFolder) -> int | None:
    """The schema of the first record: one of another is told as such, and not by its first field
    that does not fit. None where there is none that tells."""
    if not folder.trials_file.is_file():
        return None
    with folder.trials_file.open("rb") as file:
        line = file.readline()
    try:
        return msgspec.json.decode(line, type=_Marked).schema
    except (msgspec.MsgspecError, UnicodeError):
        return None


def _check_schema(what: str, found: int, known: int, where: str) -> None:
    if found != known:
        raise InputError(
            f"{what} is of schema {found}, and this version reads schema {known}",
            where=where,
            remedy=_REMEDY,
        )


def _check_planned(trial: Trial, plan: RunPlan, planned: set[str], where: str) -> None:
    problem = ""
    if trial.task not in planned or not 0 <= trial.number < plan.trials:
        problem = f"trial {trial.key} was not planned"
    elif trial.agent != plan.agent:
        problem = f"trial {trial.key} is by {trial.agent!r}, not {plan.agent!r}"
    elif trial.user != plan.user:
        problem = f"trial {trial.key} has the user {trial.user!r}, not {plan.user!r}"
    if problem:
        raise InputError(problem, where=where, remedy="Restore the run's folder, or run it again.")
