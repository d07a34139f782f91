"""Which trials of a run a reader asks for, page by page.

Everything but words is answered from the index. Words are looked for in the trials themselves, read
one at a time: each request reads a bounded number of bytes and says how far it came, and the next
one goes on from there, also over trials that were added meanwhile.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.foundation import InputError
from mystery_shopper.report.browse import haystack, record
from mystery_shopper.report.requests import (
    Ground,
    RequestEntry,
    request_haystack,
    request_record,
)
from mystery_shopper.report.steps import Results
from mystery_shopper.report.viewing.heads import OUTCOMES
from mystery_shopper.report.viewing.index import Changed, RunIndex

SEARCH_BYTES = 48_000_000
MOST_SEARCHES = 8


@dataclass(frozen=True)
class Wanted:
    """The filters; an empty one lets everything through. `task` is a part of a task's id, `text`
    words that must all stand in the trial, the rest are words of the list."""

    task: str = ""
    condition: str = ""
    outcome: str = ""
    failure: str = ""
    text: str = ""
    tier: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the text, in lower case."""
        return tuple(self.text.lower().split())


def fitting(index: RunIndex, wanted: Wanted) -> NDArray[np.bool_]:
    """Which rows pass the filters, words aside."""
    rows = index.rows
    found = np.ones(len(rows), bool)
    if part := wanted.task.strip().lower():
        named = np.array([part in task.lower() for task in index.names["task"].words])
        found &= named[rows["task"]]
    named_by = (
        ("condition", wanted.condition), ("failure", wanted.failure), ("tier", wanted.tier),
    )  # fmt: skip
    for kind, word in named_by:
        if word:
            found &= rows[kind] == index.names[kind].find(word)
    if wanted.outcome:
        places = [place for place, name in enumerate(OUTCOMES) if name == wanted.outcome]
        found &= np.isin(rows["outcome"], places)
    return found


@dataclass
class Search:
    """A search for words over the rows of one generation: `found` so far, `scanned` rows of it."""

    generation: int
    found: list[int] = field(default_factory=list[int])
    scanned: int = 0


@dataclass(frozen=True)
class Matches:
    """The rows that match. Of a search for words, `searched` of `within` rows have been read."""

    rows: NDArray[np.int64]
    searched: int | None = None
    within: int = 0


@dataclass
class Searches:
    """The latest searches for words in one run, each going on where it stopped."""

    kept: OrderedDict[Wanted, Search] = field(default_factory=OrderedDict[Wanted, Search])

    def matches(
        self, index: RunIndex, label: str, wanted: Wanted, budget: int = SEARCH_BYTES
    ) -> Matches:
        """The rows that match, after at most about `budget` bytes more of searching."""
        allowed = fitting(index, wanted)
        if not wanted.words:
            return Matches(np.flatnonzero(allowed))
        search = self.kept.pop(wanted, None)
        if search is None or search.generation != index.generation:
            search = Search(index.generation)
        self.kept[wanted] = search
        while len(self.kept) > MOST_SEARCHES:
            self.kept.popitem(last=False)
        while search.scanned < index.count and budget > 0:
            number = search.scanned
            search.scanned += 1
            if allowed[number]:
                budget -= int(index.rows[number]["length"])
                if holds(index, number, label, wanted.words):
                    search.found.append(number)
        within = int(allowed.sum())
        searched = int(allowed[: search.scanned].sum())
        return Matches(np.array(search.found, np.int64), searched, within)


def holds(index: RunIndex, number: int, label: str, words: tuple[str, ...]) -> bool:
    """Whether a trial has all the words. A line without one of them is not decoded. A trial that
    cannot be read has none."""
    line = index.entry(number)
    kind = line.condition if isinstance(line, RequestEntry) else line.template
    own = " ".join([line.key, label, kind, line.ending, line.failure]).lower()
    try:
        raw = index.line(number).lower()
        for word in words:
            if _plain(word) and word not in own and word.encode() not in raw:
                return False
        trial, _ = index.read(number)
    except (Changed, InputError):
        return False
    if isinstance(line, RequestEntry):
        text = request_haystack(line, label, request_record(trial, Ground(), Results()))
    else:
        text = haystack(line, label, record(trial, None, Results()))
    return all(word in text for word in words)


def _plain(word: str) -> bool:
    """Whether a word stands in JSON as it is, and lower-casing the bytes lower-cases it."""
    return word.isascii() and word.isprintable() and not set('"\\') & set(word)
