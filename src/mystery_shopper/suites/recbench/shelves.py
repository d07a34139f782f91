"""Histories on a graph: for each user the items consumed, by position, in the order of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories import Demographics, Histories

Ints = NDArray[np.int32]
NOBODY = Demographics()


@dataclass(frozen=True, eq=False)
class Shelves:
    """User u consumed `positions[offsets[u]:offsets[u + 1]]`, earliest first, each item once.

    `users` are those with an item in the graph. `unknown` counts interactions with items that the
    graph lacks, `again` those with an item that the user had before, `bare` users without any item
    in the graph.
    """

    graph: ItemGraph
    users: tuple[str, ...]
    offsets: NDArray[np.int64]
    positions: Ints
    demographics: Mapping[str, Demographics]
    unknown: int
    again: int
    bare: int

    @classmethod
    def of(cls, graph: ItemGraph, histories: Histories) -> Shelves:
        """Put the histories on the graph, by item id.

        Raises InputError where a user occurs twice or no interaction is with an item of the graph.
        """
        _check_users(histories)
        known = graph.position_of
        places = np.array([known.get(item, -1) for item in histories.items], np.int32)
        at = places[histories.item_index] if len(histories) else np.empty(0, np.int32)
        here = at >= 0
        if not here.any():
            raise InputError(
                f"none of the {len(histories)} interactions is with one of the graph's "
                f"{len(graph)} items",
                where=histories.source or "histories",
                remedy="Give histories of this catalogue's items, joined to its ids.",
            )
        who = histories.user_index[here].astype(np.int64)
        order = np.lexsort((histories.item_index[here], histories.time[here], who))
        who, at = who[order], at[here][order]
        _, firsts = np.unique(who * len(graph) + at, return_index=True)
        firsts.sort()
        users, counts = np.unique(who[firsts], return_counts=True)
        names = tuple(histories.users[user] for user in users.tolist())
        offsets = np.zeros(len(names) + 1, np.int64)
        np.cumsum(counts, out=offsets[1:])
        return cls(
            graph,
            names,
            offsets,
            at[firsts],
            histories.demographics,
            int((~here).sum()),
            len(who) - len(firsts),
            len(histories.users) - len(names),
        )

    def __len__(self) -> int:
        return len(self.users)

    @cached_property
    def user_at(self) -> Mapping[str, int]:
        """User -> place in `users`."""
        return {user: place for place, user in enumerate(self.users)}

    @cached_property
    def owners(self) -> Ints:
        """The user's place of each entry of `positions`."""
        return np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))

    @cached_property
    def consumers(self) -> Ints:
        """The number of users that consumed each item of the graph."""
        return np.bincount(self.positions, minlength=len(self.graph)).astype(np.int32)

    def at(self, place: int) -> Ints:
        """The items of the user at a place, earliest first."""
        return self.positions[self.offsets[place] : self.offsets[place + 1]]

    def who(self, user: str) -> Demographics:
        """What is known of a user."""
        return self.demographics.get(user, NOBODY)


def _check_users(histories: Histories) -> None:
    twice = sorted(user for user, n in Counter(histories.users).items() if n > 1)
    if twice:
        raise InputError(
            [f"user {user!r} occurs twice" for user in twice[:20]],
            where=histories.source or "histories",
            remedy="Give each user one id.",
        )
