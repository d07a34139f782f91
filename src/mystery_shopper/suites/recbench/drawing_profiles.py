"""Drawing profile queries: what a sequence of items, or a group of users, has in common."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from mystery_shopper.suites.recbench.groups import Group, demographic_groups
from mystery_shopper.suites.recbench.query import (
    Kind,
    Mark,
    Preceding,
    Profile,
    Query,
    Style,
)
from mystery_shopper.suites.recbench.reasons import Reason, Reasons
from mystery_shopper.suites.recbench.sequences import (
    Before,
    CommonSequence,
    closed_sequences,
    common_sequences,
    preceding,
)
from mystery_shopper.suites.recbench.shelves import Shelves

T = TypeVar("T")
Keyed = tuple[tuple[object, ...], Query]
"""A query, and what no other one may share."""

MOST_PRECEDING = 5
MOST_NAMED = 2
_COMMON = 2
"""A preceding sequence is common if so many users consumed it there."""


@dataclass(frozen=True, eq=False)
class ProfileDraw:
    """Draws profile queries. `may_name` tells whether a title can stand for an item. `rejected`
    counts by reason."""

    shelves: Shelves
    may_name: Callable[[int], bool]
    sequence_users: int
    group_users: int
    rejected: Counter[str] = field(default_factory=Counter[str])

    @cached_property
    def reasons(self) -> Reasons:
        """Finds over-represented attributes."""
        return Reasons(self.shelves)

    def draw(self, kind: Kind, wanted: int, source: random.Random) -> list[Query]:
        """At most `wanted` queries, without id and text: first every sequence or group with its
        strongest reason, in an order that is drawn, then with its second, and so on."""
        if wanted <= 0:
            return []
        bases = self._interests(source) if kind is Kind.INTEREST else self._groups(source)
        found: list[Query] = []
        asked: set[tuple[object, ...]] = set()
        for key, query in _in_turns(bases):
            if key in asked:
                self.rejected["asked already"] += 1
                continue
            asked.add(key)
            found.append(query)
            if len(found) == wanted:
                break
        return found

    # --- interests ------------------------------------------------------------------------------

    def _interests(self, source: random.Random) -> list[Iterator[Keyed]]:
        sequences = closed_sequences(common_sequences(self.shelves, self.sequence_users))
        source.shuffle(sequences)
        # The lengths in turns, the longest first: most sequences are short and say little.
        by_length = [
            iter([one for one in sequences if len(one.items) == length])
            for length in sorted({len(one.items) for one in sequences}, reverse=True)
        ]
        return [self._of_sequence(one, source) for one in _in_turns(by_length)]

    def _of_sequence(self, one: CommonSequence, source: random.Random) -> Iterator[Keyed]:
        reasons = self.reasons.of(sorted(set(one.items), key=one.items.index))
        if not reasons:
            self.rejected["nothing over-represented"] += 1
        before = [front for front in preceding(self.shelves, one) if front.users >= _COMMON][
            :MOST_PRECEDING
        ]
        named = self._named(before, one.items)
        for reason in reasons:
            profile = Profile(
                users=len(one.users),
                listed=self._ids(one.items),
                reason=reason.text,
                traits=reason.traits,
                preceding=tuple(Preceding(self._ids(f.items), f.users) for f in before),
            )
            user = source.choice(one.users)
            yield (
                (reason.subset, reason.traits),
                self._query(Kind.INTEREST, user, profile, reason, named, source),
            )

    def _named(self, before: Sequence[Before], items: tuple[int, ...]) -> tuple[int, ...]:
        """The items of the most frequent preceding sequence that can be named, the last first
        consumed; none where the sequence itself holds them."""
        for front in before:
            named = [p for p in front.items if p not in items and self.may_name(p)]
            if named:
                return tuple(dict.fromkeys(named[-MOST_NAMED:]))
        return ()

    # --- groups ---------------------------------------------------------------------------------

    def _groups(self, source: random.Random) -> list[Iterator[Keyed]]:
        groups = demographic_groups(self.shelves, self.group_users)
        source.shuffle(groups)
        return [self._of_group(one, source) for one in groups]

    def _of_group(self, one: Group, source: random.Random) -> Iterator[Keyed]:
        listed = tuple(mark.item for mark in one.marks)
        reasons = self.reasons.of(listed)
        if not reasons:
            self.rejected["nothing over-represented"] += 1
        marks = tuple(
            Mark(self.shelves.graph.items[m.item], round(m.share, 4), round(m.weight, 4))
            for m in one.marks
        )
        for reason in reasons:
            profile = Profile(
                users=len(one.users),
                listed=self._ids(listed),
                reason=reason.text,
                traits=reason.traits,
                group=dict(one.attributes),
                marks=marks,
            )
            user = source.choice(one.users)
            yield (
                (one.attributes, reason.subset),
                self._query(Kind.DEMOGRAPHICS, user, profile, reason, (), source),
            )

    # --- both -----------------------------------------------------------------------------------

    def _ids(self, positions: Sequence[int]) -> tuple[str, ...]:
        return tuple(self.shelves.graph.items[position] for position in positions)

    def _query(
        self,
        kind: Kind,
        user: int,
        profile: Profile,
        reason: Reason,
        named: tuple[int, ...],
        source: random.Random,
    ) -> Query:
        return Query(
            id="",
            kind=kind,
            user=self.shelves.users[user],
            own=self._ids(reason.subset),
            matching=tuple(dict.fromkeys(profile.listed)),
            style=source.choice(list(Style)),
            text="",
            named=self._ids(named),
            profile=profile,
        )


def _in_turns(bases: Sequence[Iterator[T]]) -> Iterator[T]:
    """The first of each, then the second of each, and so on."""
    left = list(bases)
    while left:
        going: list[Iterator[T]] = []
        for base in left:
            entry = next(base, None)
            if entry is not None:
                going.append(base)
                yield entry
        left = going
