"""Ratings as they are read, in columns that take a few bytes each."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories.account import HIGHEST, LOWEST, SHOWN, HistoryReport, Ledger
from mystery_shopper.sources.histories.demographics import Demographics
from mystery_shopper.sources.histories.histories import Histories

_LATEST = 1 << 40
"""Seconds: some 30,000 years."""


class Joined(NamedTuple):
    """Which item of ours an item of the source is: its id, how that was found ("id", "title"), and
    whether it is in the catalogue."""

    item: str
    how: str
    inside: bool = True


class Several(NamedTuple):
    """A title that several of our items bear, so that nobody knows which one is meant."""

    title: str


Found: TypeAlias = Joined | Several | str
"""What an item of the source is: one of ours, one of several, or a title that is unknown."""


class Loaded(NamedTuple):
    """Histories, and the account of how they came to be."""

    histories: Histories
    report: HistoryReport


@dataclass
class Gathering:
    """The ratings of one source. `join` gives, for an item's name in the source, which of ours it
    is, or the title under which it is counted as ambiguous or unknown."""

    join: Callable[[str], Found]
    ledger: Ledger = field(default_factory=Ledger)
    keep_left_out: bool = False
    _users: dict[str, int] = field(default_factory=dict[str, int])
    _items: dict[str, int] = field(default_factory=dict[str, int])
    _joined: dict[str, Found] = field(default_factory=dict[str, Found])
    _user: array[int] = field(default_factory=lambda: array("i"))
    _item: array[int] = field(default_factory=lambda: array("i"))
    _rating: array[float] = field(default_factory=lambda: array("f"))
    _time: array[int] = field(default_factory=lambda: array("q"))

    def add(self, path: Path, line: int, user: str, item: str, rating: float, time: int) -> None:
        """One rating; NaN for an interaction without one."""
        ledger = self.ledger
        if abs(time) > _LATEST:
            ledger.bad(path, line, f"time {time} is no number of seconds; mend or delete the line",
                       "seconds")  # fmt: skip
            return
        ledger.read += 1
        if not (LOWEST <= rating <= HIGHEST) and rating == rating:
            ledger.out(path, line, rating)
            return
        found = self._joined.get(item)
        if found is None:
            found = self._joined[item] = self.join(item)
        if isinstance(found, str):
            ledger.unknown[found] += 1
            return
        if isinstance(found, Several):
            ledger.ambiguous[found.title] += 1
            return
        ledger.joined_by[found.how] += 1
        if not found.inside:
            ledger.left_out += 1
            if not self.keep_left_out:
                return
        self._user.append(self._users.setdefault(user, len(self._users)))
        self._item.append(self._items.setdefault(found.item, len(self._items)))
        self._rating.append(rating)
        self._time.append(time)

    def loaded(
        self, source: str, where: str, demographics: Mapping[str, Demographics] | None = None
    ) -> Loaded:
        """The histories and their account. Raises InputError where no rating was joined."""
        ledger = self.ledger
        if not self._user:
            raise InputError(
                [
                    f"none of {ledger.read:,} ratings is of an item of the catalogue",
                    *(f"unknown: {title}" for title, _ in ledger.unknown.most_common(3)),
                    *(f"several items bear: {t}" for t, _ in ledger.ambiguous.most_common(3)),
                    *ledger.problems[:3],
                ],
                where=where,
                remedy="Give the catalogue that these histories belong to."
                + " Where items share titles, name them by id." * bool(ledger.ambiguous),
            )
        user, item = np.asarray(self._user, np.int64), np.asarray(self._item, np.int64)
        time = np.asarray(self._time, np.int64)
        last = _last_of_each(user * len(self._items) + item, time)
        users = list(self._users)
        histories = Histories.build(
            users,
            list(self._items),
            user[last],
            item[last],
            np.asarray(self._rating, np.float32)[last],
            time[last],
            demographics,
            source=source,
        )
        report = HistoryReport(
            source,
            len(histories.users),
            len(histories.items),
            len(histories),
            ledger.read,
            ledger.joined_by.total(),
            ledger.left_out,
            dict(sorted(ledger.joined_by.items())),
            _top(ledger.unknown),
            len(ledger.unknown),
            len(user) - len(last),
            ledger.out_of_range,
            ledger.bad_lines,
            tuple(ledger.problems),
            tuple(ledger.remarks),
            _top(ledger.ambiguous),
            len(ledger.ambiguous),
        )
        return Loaded(histories, report)


def _top(counts: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """The titles with the most ratings."""
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:SHOWN])


def _last_of_each(pairs: np.ndarray, time: np.ndarray) -> np.ndarray:
    """The rows that stay, ascending: of those with one pair the latest, of equally late ones the
    last in the file."""
    order = np.lexsort((np.arange(len(pairs)), time, pairs))
    ends = np.append(pairs[order][1:] != pairs[order][:-1], True)
    return np.sort(order[ends])


def by_own_id(catalogue: Catalogue | None) -> Callable[[str], Joined | str]:
    """Items that go by the catalogue's own ids; without a catalogue every id will do."""
    if catalogue is None:
        return lambda name: Joined(name, "id")
    known = catalogue.position_of
    return lambda name: Joined(name, "id") if name in known else name
