"""What there is to draw from: the shared relations of every user, by number of conditions."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.relations import MOST_CONDITIONS, Ints, shared_relations
from mystery_shopper.suites.recbench.shelves import Shelves

WIDTHS: Mapping[str, tuple[int, ...]] = {"1": (1,), "2": (2,), "3-4": (3, 4)}
"""The three classes of the number of conditions."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Every user's condition sets. `codes[user]`: one row a set, shape (n, 4), -1 behind the last;
    the users are places in `shelves`."""

    shelves: Shelves
    codes: Mapping[int, Ints]
    _held: dict[tuple[int, str], Drawable] = field(
        default_factory=dict[tuple[int, str], "Drawable"]
    )

    @classmethod
    def mine(
        cls, shelves: Shelves, users: Iterable[int], *, irreducible: bool, widest: int
    ) -> Pool:
        """The sets of these users. Single conditions that fit more than `widest` items are left
        out; 0 leaves none out. Raises InputError where no two items of any history share anything.
        """
        graph = shelves.graph
        found: dict[int, Ints] = {}
        shared = False
        for user in users:
            relations = shared_relations(graph, shelves.at(user), irreducible=irreducible)
            shared |= len(relations) > 0
            codes = relations.codes
            if widest:
                alone = relations.widths == 1
                codes = codes[~alone | (graph.degrees[codes[:, 0]] <= widest)]
            if len(codes):
                found[user] = codes
        if not shared:
            raise InputError(
                "no two items of any one history share a value",
                where="item graph",
                remedy="Give longer histories, or a graph with more relations.",
            )
        return cls(shelves, found)

    def of(self, user: int, width: str) -> Drawable:
        """The sets of a user of a class of widths."""
        held = self._held.get((user, width))
        if held is None:
            codes = self.codes.get(user, np.empty((0, MOST_CONDITIONS), np.int32))
            widths = (codes >= 0).sum(axis=1)
            chosen = codes[np.isin(widths, WIDTHS[width])]
            held = self._held[user, width] = Drawable(chosen, self.shelves.graph.relation_of)
        return held


@dataclass(frozen=True, eq=False)
class Drawable:
    """The condition sets of one user and one class of widths."""

    codes: Ints
    relation_of: Ints

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def _by_relations(self) -> list[NDArray[np.int64]]:
        """The rows of each combination of relations."""
        places = np.where(self.codes >= 0, self.relation_of[self.codes], -1)
        _, which = np.unique(places, axis=0, return_inverse=True)
        which = which.ravel()
        order = np.argsort(which, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(which[order])) + 1)

    def draw(self, source: random.Random) -> tuple[int, ...]:
        """A set: a combination of relations at random, then one of its sets. Otherwise the long
        lists of people would leave hardly a query about anything else."""
        rows = source.choice(self._by_relations)
        row = self.codes[int(rows[source.randrange(len(rows))])]
        return tuple(code for code in row.tolist() if code >= 0)
