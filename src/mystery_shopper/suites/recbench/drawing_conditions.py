"""Drawing condition queries: a user, conditions that some of the user's items share, and how the
conditions are given."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.catalog.graph_values import name_key, names_within
from mystery_shopper.suites.recbench.implied import find_reference
from mystery_shopper.suites.recbench.mistaken import find_claim
from mystery_shopper.suites.recbench.pool import Pool
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Query, Style

_TRIES = 12
"""Sets tried at one visit to a user."""
_IDLE_ROUNDS = 3
"""Rounds over all users without a query after which a cell has no more to give."""


@dataclass(frozen=True, eq=False)
class ConditionDraw:
    """Draws condition queries. `titles`: of the graph's items, by position; `widest`: how many
    items a set of conditions may fit, 0 for any number. `rejected` counts by reason."""

    pool: Pool
    titles: Sequence[str]
    widest: int
    rejected: Counter[str] = field(default_factory=Counter[str])
    _asked: set[tuple[Kind, tuple[int, ...]]] = field(
        default_factory=set[tuple[Kind, tuple[int, ...]]]
    )

    @property
    def graph(self) -> ItemGraph:
        """The item graph."""
        return self.pool.shelves.graph

    @cached_property
    def nameable(self) -> NDArray[np.bool_]:
        """Items that a title can stand for: it says something and is no other item's."""
        keys = [name_key(title) if title else "" for title in self.titles]
        often = Counter(keys)
        return np.array([bool(key) and often[key] == 1 for key in keys], np.bool_)

    @cached_property
    def consumed(self) -> list[int]:
        """The items that anybody consumed."""
        return np.flatnonzero(self.pool.shelves.consumers).tolist()

    def draw(
        self,
        kind: Kind,
        width: str,
        wanted: int,
        source: random.Random,
        told: Callable[[int], None] | None = None,
    ) -> list[Query]:
        """At most `wanted` queries, without id and text, fewer where there are no more: the users
        in turns, in an order that is drawn for each round. `told` hears how many are found."""
        users = [user for user in self.pool.codes if len(self.pool.of(user, width))]
        found: list[Query] = []
        idle = 0
        while users and len(found) < wanted and idle < _IDLE_ROUNDS:
            before = len(found)
            source.shuffle(users)
            for query in self._round(kind, width, users, source):
                found.append(query)
                if len(found) == wanted:
                    break
                if told is not None:
                    told(len(found))
            idle = 0 if len(found) > before else idle + 1
        return found

    def _round(
        self, kind: Kind, width: str, users: Sequence[int], source: random.Random
    ) -> Iterator[Query]:
        for user in users:
            drawable = self.pool.of(user, width)
            for _ in range(_TRIES):
                query = self._query(kind, user, drawable.draw(source), source)
                if query is not None:
                    yield query
                    break

    def _query(
        self, kind: Kind, user: int, codes: tuple[int, ...], source: random.Random
    ) -> Query | None:
        if (kind, codes) in self._asked:
            return self._reject("asked already")
        graph, shelves = self.graph, self.pool.shelves
        conditions = [graph.condition(code) for code in codes]
        matching = graph.meets(conditions)
        if self.widest and len(matching) > self.widest:
            return self._reject("fits too many items")
        history = shelves.at(user)
        own = np.intersect1d(matching, history)
        parts, named = self._parts(kind, codes, own, history, source)
        if not parts:
            return self._reject("no reference" if kind is Kind.IMPLICIT else "no claim")
        if np.isin(history, np.concatenate((matching, np.array(named, np.int32)))).all():
            return self._reject("no history left")
        self._asked.add((kind, codes))
        ids = graph.items
        return Query(
            id="",
            kind=kind,
            user=shelves.users[user],
            own=tuple(ids[p] for p in own.tolist()),
            matching=tuple(ids[p] for p in matching.tolist() if p not in named),
            style=source.choice(list(Style)),
            text="",
            parts=parts,
            named=tuple(ids[p] for p in named),
        )

    def _reject(self, reason: str) -> None:
        self.rejected[reason] += 1

    # --- how the conditions are given -----------------------------------------------------------

    def _parts(
        self,
        kind: Kind,
        codes: tuple[int, ...],
        own: NDArray[np.int32],
        history: NDArray[np.int32],
        source: random.Random,
    ) -> tuple[tuple[Part, ...], tuple[int, ...]]:
        """(the parts in an order that is drawn, the items named); no parts where no condition can
        be given as the kind asks."""
        order = source.sample(codes, len(codes))
        stated = {code: Part(*astuple(self.graph.condition(code))) for code in order}
        if kind is Kind.EXPLICIT:
            return tuple(stated.values()), ()
        for code in source.sample(codes, len(codes)):
            others = [stated[other].value for other in codes if other != code]
            through = self._through(kind, code, others, set(own.tolist()), history, source)
            if through:
                given = Given.REFERENCE if kind is Kind.IMPLICIT else Given.CLAIM
                ids = tuple(self.graph.items[position] for position in through)
                stated[code] = Part(stated[code].relation, stated[code].value, given, ids)
                return tuple(stated.values()), through
        return (), ()

    def _through(
        self,
        kind: Kind,
        code: int,
        others: Sequence[str],
        own: set[int],
        history: NDArray[np.int32],
        source: random.Random,
    ) -> tuple[int, ...]:
        """The items of a reference or a claim; none where there are none. What is named beside a
        value that is not to be named must not give it away."""
        value = self.graph.labels[code]

        def may_name(position: int) -> bool:
            return (
                bool(self.nameable[position])
                and position not in own
                and not names_within(value, self.titles[position])
            )

        if kind is Kind.MISINFORMED:
            # People mistake what they have seen, and what they have only heard of.
            places = [history.tolist(), self.consumed]
            source.shuffle(places)
            for known in places:
                claimed = find_claim(self.graph, code, known, may_name, source)
                if claimed:
                    return claimed
            return ()
        if any(names_within(value, other) for other in others):
            return ()
        known = self.pool.shelves.consumers > 0
        return find_reference(self.graph, code, known, may_name, source) or ()
