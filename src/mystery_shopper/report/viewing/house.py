"""The runs that a viewer shows: found, indexed as they grow, and asked for by number.

A run keeps its number as long as the viewer lives. Nothing is asked for by path.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mystery_shopper.engine.loading import load_book, load_part
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.suites.recbench import shelf_over
from mystery_shopper.foundation import InputError
from mystery_shopper.report.browse import Record, record
from mystery_shopper.report.requests import Dated, Ground, RequestRecord, by_id, request_record
from mystery_shopper.report.steps import Results
from mystery_shopper.report.viewing.answers import (
    RunLine,
    RunsAnswer,
    TrialAnswer,
    TrialsAnswer,
    bounded_record,
    bounded_results,
)
from mystery_shopper.report.viewing.finding import check_roots, found_runs
from mystery_shopper.report.viewing.heads import EXCLUDED, FAILURE, OUTCOMES, SUCCESS, UNSCORED
from mystery_shopper.report.viewing.index import Changed
from mystery_shopper.report.viewing.index import RunIndex as Index
from mystery_shopper.report.viewing.search import Searches, Wanted
from mystery_shopper.report.words import plain
from mystery_shopper.suites.recbench.query import QuerySet
from mystery_shopper.suites.recbench.score import RecBenchScore
from mystery_shopper.suites.tau_rec.task import Task, TaskSet

PAGE = 100
REFRESH_BYTES = 64_000_000
"""How much is read for one request; what is left is read for the next ones."""
RECENT_SECONDS = 120.0
SCAN_SECONDS = 2.0
_MOST_CHOICES = 200


@dataclass
class Room:
    """One run: its plan, its index and the searches in it. `lock` is held while any of it is
    used."""

    number: int
    name: str
    folder: RunFolder
    plan: RunPlan | None = None
    problem: str = ""
    ground: Ground = field(default_factory=Ground)
    tasks: TaskSet | None = None
    asked: bool = False
    ready: bool = False
    searches: Searches = field(default_factory=Searches)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.index = Index(self.folder)
        self.read_plan()

    def read_plan(self) -> None:
        """Read the plan, unless it has been."""
        if self.plan is None:
            try:
                self.plan, self.problem = self.folder.plan(), ""
            except InputError as error:
                self.problem = "; ".join(error.problems)

    @property
    def label(self) -> str:
        """What the run is called in its list of trials."""
        return plain(self.plan.agent, 40) if self.plan else self.name

    @property
    def suite(self) -> str:
        """The run's suite; empty where its plan cannot be read."""
        return self.plan.suite if self.plan else ""

    def task(self, name: str) -> Task | None:
        """A task of the plan's set; None where that is not here, or has another content."""
        self._ask()
        return self.tasks.by_id.get(name) if self.tasks else None

    def _ask(self) -> None:
        """Look once for the plan's tasks, and in recbench for the titles of its items."""
        if self.asked or self.plan is None:
            return
        self.asked = True
        plan = self.plan
        try:
            found = load_book(plan.suite, plan.task_set)
        except InputError:
            found = None
        if found is not None and found.digest != plan.task_set_digest:
            found = None
        if isinstance(found, TaskSet):
            self.tasks = found
        elif plan.suite == "recbench":
            queries = found if isinstance(found, QuerySet) else None
            self.ground = Ground(queries, _titles_of(plan), plan.history)

    def request_ground(self) -> Ground:
        """What is known beside the folder of a run of recbench."""
        self._ask()
        return self.ground


def _titles_of(plan: RunPlan) -> Dated:
    """Id -> title of the plan's catalogue; the id itself where that is not here, or is another."""
    try:
        catalogue = load_part(plan.source, plan.size)
    except InputError:
        return by_id
    if catalogue.digest != plan.catalogue_digest:
        return by_id
    shelf = shelf_over(catalogue, None)
    return lambda item: shelf.dated(item) if item in shelf.position_of else item


class House:
    """All runs at or below some folders. Safe for threads. Raises InputError where there is no run,
    or a root is no folder."""

    def __init__(self, roots: Sequence[Path]) -> None:
        check_roots(roots)
        self._roots = tuple(roots)
        self._rooms: list[Room] = []
        self._lock = threading.Lock()
        self._scanned = float("-inf")
        self.scan()

    def scan(self) -> None:
        """Take in runs that came since; at most every few seconds."""
        with self._lock:
            now = time.monotonic()
            if now - self._scanned < SCAN_SECONDS:
                return
            self._scanned = now
            known = {room.folder.path for room in self._rooms}
            for name, folder in found_runs(self._roots):
                if folder.path not in known:
                    self._rooms.append(Room(len(self._rooms), name, folder))

    def room(self, number: int) -> Room:
        """A run by number. Raises LookupError for one that is not there."""
        if not 0 <= number < len(self._rooms):
            raise LookupError("there is no such run")
        return self._rooms[number]

    def runs(self) -> RunsAnswer:
        """All runs as they are now."""
        self.scan()
        budget = REFRESH_BYTES
        lines: list[RunLine] = []
        for room in list(self._rooms):
            with room.lock:
                before = room.index.taken
                room.ready = room.index.refresh(max(1, budget))
                budget -= max(0, room.index.taken - before)
                lines.append(_line(room))
        return RunsAnswer(tuple(lines))

    def run(self, number: int) -> RunLine:
        """One run as it is now."""
        room = self.room(number)
        with room.lock:
            room.ready = room.index.refresh(REFRESH_BYTES)
            return _line(room)

    def trials(self, number: int, wanted: Wanted, page: int) -> TrialsAnswer:
        """A page of the trials that match; the last one where there are fewer pages."""
        room = self.room(number)
        with room.lock:
            room.ready = room.index.refresh(REFRESH_BYTES)
            found = room.searches.matches(room.index, room.label, wanted)
            pages = max(1, -(-len(found.rows) // PAGE))
            page = min(max(0, page), pages - 1)
            shown = found.rows[page * PAGE : (page + 1) * PAGE]
            return TrialsAnswer(
                tuple(room.index.entry(int(row)) for row in shown),
                len(found.rows),
                room.index.count,
                page,
                pages,
                _choices(room.index),
                found.searched,
                found.within,
            )

    def trial(self, number: int, key: str, wanted: Wanted) -> TrialAnswer:
        """One trial. Raises LookupError where there is none of that key, InputError where its line
        cannot be read."""
        room = self.room(number)
        with room.lock:
            room.ready = room.index.refresh(REFRESH_BYTES)
            try:
                return _trial(room, key, wanted)
            except Changed:
                # The files were replaced since the look at them, or written over in their place.
                room.index.anew()
                room.ready = room.index.refresh(REFRESH_BYTES)
                try:
                    return _trial(room, key, wanted)
                except (Changed, LookupError):
                    raise LookupError("the run's files have changed; load the page again") from None


def _trial(room: Room, key: str, wanted: Wanted) -> TrialAnswer:
    index = room.index
    row = index.find(key)
    if row is None:
        raise LookupError("there is no such trial in this run")
    trial, timing = index.read(row)
    results = Results()
    found: Record | RequestRecord
    if isinstance(trial.score, RecBenchScore):
        found = bounded_record(request_record(trial, room.request_ground(), results, timing))
    else:
        found = bounded_record(record(trial, room.task(trial.task), results, timing))
    rows = room.searches.matches(index, room.label, wanted, budget=0).rows
    at = int(np.searchsorted(rows, row))
    listed = at < len(rows) and int(rows[at]) == row
    before = int(rows[at - 1]) if listed and at > 0 else None
    after = int(rows[at + 1]) if listed and at + 1 < len(rows) else None
    return TrialAnswer(
        index.entry(row),
        found,
        bounded_results(found.steps, results),
        None if before is None else index.entry(before),
        None if after is None else index.entry(after),
    )


def _choices(index: Index) -> dict[str, tuple[tuple[str, str], ...]]:
    def pairs(words: Sequence[str]) -> tuple[tuple[str, str], ...]:
        return tuple((word, word) for word in words[:_MOST_CHOICES])

    there = set(index.rows["outcome"].tolist())
    asked = bool(index.rows["request"].any())
    return {
        "condition": pairs([word for word in index.names["condition"].words if word]),
        "outcome": pairs([name for place, name in enumerate(OUTCOMES) if place in there]),
        "failure": pairs([word for word in index.names["failure"].words if word]),
        **({"tier": pairs(sorted(filter(None, index.names["tier"].words)))} if asked else {}),
    }


def _line(room: Room) -> RunLine:
    room.read_plan()
    plan, index = room.plan, room.index
    if plan is None:
        return RunLine(room.number, room.name, problem=plain(room.problem, 400), ready=True)
    counts = np.bincount(index.rows["outcome"], minlength=len(OUTCOMES)).tolist()
    live = index.count < plan.count
    return RunLine(
        room.number,
        room.name,
        f"{index.generation}.{index.count}",
        plain(plan.agent),
        plain(plan.user),
        plan.interface,
        plan.prompt,
        plan.conditions,
        plan.task_set,
        "" if plan.suite == "tau_rec" else plan.suite,
        plan.history,
        plan.k,
        counts[UNSCORED],
        f"{plain(plan.source)}, {plan.size:,} items",
        plan.trials,
        plan.count,
        index.count,
        counts[EXCLUDED],
        counts[SUCCESS],
        counts[FAILURE],
        index.strange,
        room.ready,
        live,
        live and time.time() - index.touched < RECENT_SECONDS,
    )
