"""The users of a query set, as other users see them: who had what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.suites.recbench.query import QuerySet

Ints = NDArray[np.int64]
NEAREST = 20
"""Neighbours that have a say."""
_KEPT = 4


@dataclass(frozen=True, eq=False)
class Crowd:
    """User u had the items `held[offsets[u]:offsets[u + 1]]`, places in `items`, each once."""

    users: tuple[str, ...]
    items: tuple[str, ...]
    offsets: Ints
    held: Ints

    @classmethod
    def of(cls, queries: QuerySet) -> Crowd:
        """The users of a set; made once for each content."""
        return _crowd(_ByContent(queries))

    @cached_property
    def row_of(self) -> dict[str, int]:
        """User -> place."""
        return {user: row for row, user in enumerate(self.users)}

    @cached_property
    def place_of(self) -> dict[str, int]:
        """Item id -> place."""
        return {item: place for place, item in enumerate(self.items)}

    @cached_property
    def counts(self) -> Ints:
        """How many users had each item."""
        return np.bincount(self.held, minlength=len(self.items))

    @cached_property
    def _consumers(self) -> tuple[Ints, Ints]:
        """(starts, users): those that had item i are `users[starts[i]:starts[i + 1]]`."""
        rows = np.repeat(np.arange(len(self.users)), np.diff(self.offsets))
        starts = np.concatenate([[0], np.cumsum(self.counts)])
        return starts, rows[np.argsort(self.held, kind="stable")]

    def of_user(self, user: str) -> Ints:
        """The places of what a user had; none for a stranger."""
        row = self.row_of.get(user)
        return self.held[:0] if row is None else self._row(row)

    def _row(self, row: int) -> Ints:
        return self.held[self.offsets[row] : self.offsets[row + 1]]

    def popular(self, user: str) -> Iterator[str]:
        """The items that most of the others had, most first; ties by id."""
        counts = self.counts.copy()
        counts[self.of_user(user)] -= 1
        order = np.argsort(-counts, kind="stable")
        return (self.items[place] for place in order.tolist() if counts[place] > 0)

    def near(self, items: Iterable[str], user: str) -> Sequence[str]:
        """What the nearest others had, by their votes: a neighbour's is the cosine of the two
        histories, as sets. Ties go to what more users had, then by id. Nothing where nobody
        shares an item."""
        mine = np.array([self.place_of[i] for i in set(items) if i in self.place_of], np.int64)
        starts, consumers = self._consumers
        rows = [consumers[starts[place] : starts[place + 1]] for place in np.sort(mine).tolist()]
        if not rows:
            return ()
        shared = np.bincount(np.concatenate(rows), minlength=len(self.users)).astype(np.float64)
        if user in self.row_of:
            shared[self.row_of[user]] = 0
        likeness = shared / np.sqrt(len(mine) * np.maximum(np.diff(self.offsets), 1))
        nearest = np.argsort(-likeness, kind="stable")[:NEAREST]
        votes = np.zeros(len(self.items))
        for row in nearest[likeness[nearest] > 0].tolist():
            votes[self._row(row)] += likeness[row]
        order = np.lexsort((-self.counts, -votes))
        return [self.items[place] for place in order[: np.count_nonzero(votes)].tolist()]


@dataclass(frozen=True, eq=False)
class _ByContent:
    """A set that is equal to another of the same content."""

    queries: QuerySet

    def __hash__(self) -> int:
        return hash(self.queries.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByContent) and other.queries.digest == self.queries.digest


@lru_cache(maxsize=_KEPT)
def _crowd(one: _ByContent) -> Crowd:
    people = sorted(one.queries.people.items())
    items = sorted({item for _, person in people for item in person.items})
    place_of = {item: place for place, item in enumerate(items)}
    held = [sorted({place_of[item] for item in person.items}) for _, person in people]
    offsets = np.concatenate([[0], np.cumsum([len(mine) for mine in held])]).astype(np.int64)
    flat = np.array([place for mine in held for place in mine], np.int64)
    return Crowd(tuple(user for user, _ in people), tuple(items), offsets, flat)
