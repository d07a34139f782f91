"""Histories: who consumed what, when, and how they liked it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError, canonical_json, digest_bytes
from mystery_shopper.sources.histories.demographics import Demographics

Ints = NDArray[np.int32]
NOBODY = Demographics()


@dataclass(frozen=True, eq=False)
class Histories:
    """Interactions of users with items, in parallel arrays of one row each.

    Rows are ordered by user (as in `users`), then by time, ties by item id: each user's rows are
    one run. `rating` is on the scale from 0.5 to 5, or NaN where none was given. `time` is in
    seconds since 1970, 0 where it is unknown. `items` holds only ids that occur. `source` says in
    words where they come from; `synthetic` that nobody lived them. Make one with `Histories.build`.
    """

    users: tuple[str, ...]
    items: tuple[str, ...]
    user_index: Ints
    item_index: Ints
    rating: NDArray[np.float32]
    time: NDArray[np.int64]
    demographics: Mapping[str, Demographics] = field(default_factory=dict[str, Demographics])
    source: str = ""
    synthetic: bool = False

    @classmethod
    def build(
        cls,
        users: Sequence[str],
        items: Sequence[str],
        user_index: NDArray[np.integer],
        item_index: NDArray[np.integer],
        rating: NDArray[np.floating],
        time: NDArray[np.integer],
        demographics: Mapping[str, Demographics] | None = None,
        *,
        source: str,
        synthetic: bool = False,
    ) -> Histories:
        """Put rows in any order into the order of the class. Users and items without a row fall
        away; users keep the order given, items are sorted by id.

        Raises InputError where the arrays differ in length or there is no row.
        """
        if len({len(user_index), len(item_index), len(rating), len(time)}) != 1:
            raise InputError("the columns differ in length", where=source)
        if not len(user_index):
            raise InputError(
                "there is no interaction",
                where=source,
                remedy="Give histories of items that are in the catalogue.",
            )
        who = np.unique(user_index)
        places: list[int] = who.tolist()
        kept_users = tuple(users[place] for place in places)
        seen: list[int] = np.unique(item_index).tolist()
        seen.sort(key=items.__getitem__)
        rank = np.zeros(len(items), np.int32)
        rank[seen] = np.arange(len(seen), dtype=np.int32)
        user = np.searchsorted(who, user_index).astype(np.int32)
        item = rank[item_index]
        order = np.lexsort((item, time, user))
        known = demographics or {}
        return cls(
            kept_users,
            tuple(items[place] for place in seen),
            user[order],
            item[order],
            np.asarray(rating, np.float32)[order],
            np.asarray(time, np.int64)[order],
            {name: known[name] for name in kept_users if name in known},
            source,
            synthetic,
        )

    def __len__(self) -> int:
        """The number of interactions."""
        return len(self.user_index)

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        return np.searchsorted(self.user_index, np.arange(len(self.users) + 1))

    @cached_property
    def user_at(self) -> Mapping[str, int]:
        """User -> place in `users`."""
        return {user: place for place, user in enumerate(self.users)}

    @cached_property
    def item_at(self) -> Mapping[str, int]:
        """Item id -> place in `items`."""
        return {item: place for place, item in enumerate(self.items)}

    def of(self, user: str) -> NDArray[np.int64]:
        """The rows of a user, by time, ties by item id; none for a user that is not known."""
        place = self.user_at.get(user)
        if place is None:
            return np.empty(0, np.int64)
        return np.arange(self._starts[place], self._starts[place + 1])

    def items_of(self, user: str) -> tuple[str, ...]:
        """The ids of a user's items, by time, ties by id."""
        return tuple(self.items[place] for place in self.item_index[self.of(user)].tolist())

    def who(self, user: str) -> Demographics:
        """What is known of a user."""
        return self.demographics.get(user, NOBODY)

    def positions_in(self, catalogue: Catalogue) -> Ints:
        """For each of `items` its position in a catalogue, -1 where it is not there."""
        known = catalogue.position_of
        return np.array([known.get(item, -1) for item in self.items], np.int32)

    def within(self, catalogue: Catalogue) -> Histories:
        """Those interactions whose item a catalogue has. Raises InputError where none is left."""
        here = self.positions_in(catalogue)[self.item_index] >= 0
        return self if here.all() else self._rows(here)

    def only(self, users: Iterable[str]) -> Histories:
        """The histories of these users. Raises InputError where none of them is known."""
        wanted = set(users)
        mask = np.array([user in wanted for user in self.users], np.bool_)
        return self._rows(mask[self.user_index])

    def _rows(self, mask: NDArray[np.bool_]) -> Histories:
        return Histories.build(
            self.users,
            self.items,
            self.user_index[mask],
            self.item_index[mask],
            self.rating[mask],
            self.time[mask],
            self.demographics,
            source=self.source,
            synthetic=self.synthetic,
        )

    @cached_property
    def digest(self) -> str:
        """SHA-256 of users, items, interactions and demographics."""
        people = {
            user: [who.gender, who.age, who.occupation] for user, who in self.demographics.items()
        }
        return digest_bytes(
            canonical_json([self.users, self.items, people, self.synthetic]),
            *(
                np.ascontiguousarray(column, kind).tobytes()
                for column, kind in (
                    (self.user_index, "<i4"),
                    (self.item_index, "<i4"),
                    (self.rating, "<f4"),
                    (self.time, "<i8"),
                )
            ),
        )
