"""Where each trial of a run stands in its files, and what the list shows of it.

Memory is a few dozen bytes a trial, whatever was said in it: a trial itself is read by seeking to
its line. The index follows the files of a run that goes on, and is made anew when they are replaced
(as a lasting run does when it is complete).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mystery_shopper.engine.journal import Timing, decode_finished
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.trial import Trial, decode_trial
from mystery_shopper.foundation import InputError
from mystery_shopper.report.browse import Entry
from mystery_shopper.report.requests import RequestEntry
from mystery_shopper.report.viewing.heads import (
    MOST_WORD,
    OUTCOMES,
    RequestHead,
    decode_finished_head,
    decode_head,
    decode_named,
    decode_timing,
    failure_of,
    outcome_of,
)
from mystery_shopper.report.viewing.tail import MOST_LINE, Tail
from mystery_shopper.report.words import ENDINGS

SETTLED, JOURNAL = range(2)
_WORDS = ("task", "condition", "tier", "template", "ending", "failure")
_MOST_WAITING = 10_000
_ROW = np.dtype(
    [
        ("source", "u1"), ("outcome", "u1"), ("satisfiable", "?"), ("offset", "i8"),
        ("length", "i4"), ("clock", "i8"), ("task", "i4"), ("number", "i4"), ("condition", "i4"),
        ("tier", "i4"), ("template", "i4"), ("ending", "i4"), ("failure", "i4"), ("turns", "i4"),
        ("proposals", "i4"), ("calls", "i4"), ("request", "?"), ("items", "f8"),
        ("precision", "f8"), ("recall", "f8"), ("cmr", "f8"),
    ]
)  # fmt: skip


@dataclass
class Names:
    """Words by number; number 0 is the empty word."""

    words: list[str] = field(default_factory=lambda: [""])
    _numbers: dict[str, int] = field(default_factory=lambda: {"": 0})

    def number(self, word: str) -> int:
        """The number of a word, a new one where it is new."""
        found = self._numbers.setdefault(word, len(self.words))
        if found == len(self.words):
            self.words.append(word)
        return found

    def find(self, word: str) -> int:
        """The number of a word; -1 for one that is not there."""
        return self._numbers.get(word, -1)


class Changed(Exception):
    """A line is not the one that was indexed: the files were replaced since."""


class RunIndex:
    """The trials of one run's folder, in the order of its files; of two with one key the first.

    `generation` changes when the files were replaced, and with them the numbers of the rows.
    `unreadable` counts lines that are no trial. Not safe for threads: the holder locks.
    """

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self.generation = 0
        self._begin()

    def _begin(self) -> None:
        self.generation += 1
        self.unreadable = self.count = 0
        self.names = {kind: Names() for kind in _WORDS}
        self._rows = np.zeros(64, _ROW)
        self._places: dict[tuple[int, int], int] = {}
        self._waiting: dict[tuple[int, int], int] = {}
        self._trials = Tail(self.folder.trials_file)
        self._journal = Tail(self.folder.journal_file)
        self._timings = Tail(self.folder.timings_file)

    @property
    def rows(self) -> NDArray[Any]:
        """What is known of each trial: a record array with the fields of the list."""
        return self._rows[: self.count]

    @property
    def strange(self) -> int:
        """Lines that are no trial, or too long to be read."""
        return self.unreadable + self._trials.skipped + self._journal.skipped

    @property
    def taken(self) -> int:
        """How many bytes of the files have been read."""
        return self._trials.offset + self._journal.offset + self._timings.offset

    @property
    def touched(self) -> float:
        """When a file of trials was last written to, in seconds since 1970; 0 where there is
        none."""
        return max(self._trials.touched(), self._journal.touched())

    def refresh(self, budget: int) -> bool:
        """Take in what was added to the files, about `budget` bytes of it; True when nothing is
        left to read."""
        if any(tail.replaced() for tail in (self._trials, self._journal, self._timings)):
            self.anew()
        for tail, source in ((self._trials, SETTLED), (self._journal, JOURNAL)):
            before = tail.offset
            for at, line in tail.lines(budget):
                self._take(source, at, line)
            budget -= tail.offset - before
            if budget <= 0:
                return False
        before = self._timings.offset
        for at, line in self._timings.lines(budget):
            self._time(at, line)
        return self._timings.offset - before < budget

    def anew(self) -> None:
        """Forget all that was read: the files hold something else."""
        self._begin()

    def _take(self, source: int, at: int, line: bytes) -> None:
        try:
            head = decode_head(line) if source == SETTLED else decode_finished_head(line).trial
        except msgspec.MsgspecError:
            self.unreadable += 1
            return
        place = (self.names["task"].number(head.task), head.number)
        if place in self._places:
            return
        if self.count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.zeros(len(self._rows), _ROW)])
        score = head.score
        outcome = outcome_of(head)
        # The words of the list, so that a filter compares what a reader sees.
        words = {
            "condition": head.condition,
            "tier": head.tier,
            "template": " + ".join(head.template),
            "ending": ENDINGS.get(score.ending, score.ending),
            "failure": failure_of(head, outcome),
        }
        row = self._rows[self.count]
        row["source"], row["offset"], row["length"] = source, at, len(line)
        row["outcome"], row["satisfiable"] = outcome, head.satisfiable
        row["task"], row["number"] = place
        row["clock"] = self._waiting.pop(place, -1)
        for kind, word in words.items():
            row[kind] = self.names[kind].number(word[:MOST_WORD])
        row["turns"], row["calls"] = score.turns, score.calls
        if isinstance(score, RequestHead):
            free = score.figures
            row["request"] = True
            row["items"], row["precision"] = _number(free.recommended), _number(free.precision_own)
            row["recall"], row["cmr"] = _number(free.recall_own), _number(free.cmr)
        else:
            row["proposals"] = score.proposals
        self._places[place] = self.count
        self.count += 1

    def _time(self, at: int, line: bytes) -> None:
        try:
            task, _, number = decode_named(line).trial.rpartition("#")
        except msgspec.MsgspecError:
            return
        if not number.isdecimal() or len(number) > 9:
            return
        place = (self.names["task"].number(task), int(number))
        found = self._places.get(place)
        if found is not None:
            if self._rows[found]["clock"] < 0:
                self._rows[found]["clock"] = at
        elif len(self._waiting) < _MOST_WAITING:
            # Its trial was written after the trials were read; it comes with the next look.
            self._waiting.setdefault(place, at)

    def key(self, number: int) -> str:
        """The key of the trial in a row."""
        row = self._rows[number]
        return f"{self.names['task'].words[row['task']]}#{row['number']}"

    def find(self, key: str) -> int | None:
        """The row of a trial; None where there is none."""
        task, _, number = key.rpartition("#")
        if not number.isdecimal() or len(number) > 9:
            return None
        return self._places.get((self.names["task"].find(task), int(number)))

    def entry(self, number: int) -> Entry | RequestEntry:
        """The list's line of a row."""
        row = self._rows[number]
        words = {kind: self.names[kind].words[row[kind]] for kind in _WORDS}
        if row["request"]:
            items = _told(row["items"])
            return RequestEntry(
                self.key(number),
                0,
                words["condition"],
                words["tier"],
                OUTCOMES[row["outcome"]],
                words["failure"],
                words["ending"],
                None if items is None else int(items),
                _told(row["precision"]),
                _told(row["recall"]),
                _told(row["cmr"]),
                int(row["calls"]),
            )
        return Entry(
            self.key(number),
            0,
            words["condition"],
            words["tier"],
            words["template"],
            bool(row["satisfiable"]),
            OUTCOMES[row["outcome"]],
            words["failure"],
            words["ending"],
            int(row["turns"]),
            int(row["proposals"]),
            int(row["calls"]),
        )

    def line(self, number: int) -> bytes:
        """The bytes of a trial's line. Raises `Changed` where its file was replaced."""
        row = self._rows[number]
        tail = self._trials if row["source"] == SETTLED else self._journal
        found = tail.read(int(row["offset"]), int(row["length"]))
        if found is None:
            raise Changed
        return found

    def read(self, number: int) -> tuple[Trial, Timing | None]:
        """A trial and what it took. Raises `Changed` where the files are not those that were read,
        and InputError where the line is no whole record."""
        row = self._rows[number]
        line = self.line(number)
        try:
            if row["source"] == JOURNAL:
                finished = decode_finished(line)
                trial, timing = finished.trial, finished.timing
            else:
                trial, timing = decode_trial(line), self._timing(int(row["clock"]))
        except msgspec.MsgspecError as error:
            if not self._is_still(row["source"] == SETTLED, line):
                raise Changed from None
            raise InputError(
                f"the trial {self.key(number)} cannot be read ({error})",
                where=str(self.folder.path),
                remedy="Restore the file, or run again into another folder.",
            ) from None
        if trial.key != self.key(number):
            raise Changed
        return trial, timing

    def _is_still(self, settled: bool, line: bytes) -> bool:
        """Whether a line begins as it did when it was indexed; a file may be written over in its
        place."""
        try:
            _ = decode_head(line) if settled else decode_finished_head(line)
        except msgspec.MsgspecError:
            return False
        return True

    def _timing(self, at: int) -> Timing | None:
        if at < 0:
            return None
        try:
            with self.folder.timings_file.open("rb") as file:
                file.seek(at)
                return decode_timing(file.readline(MOST_LINE))
        except (OSError, msgspec.MsgspecError):
            return None


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _told(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
