"""Proofs of profile queries: users and shares, counted anew from the histories."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.sources.histories import Histories
from mystery_shopper.suites.recbench.query import Kind, Origin, Profile, Query

_CLOSE = 6e-5
"""Shares and weights are kept to four places."""
_LIFT = 1.5


@dataclass(frozen=True, eq=False)
class ProfileProofs:
    """Proves what profile queries count. `bearers`: (relation, folded value) -> the graph's items
    that bear it."""

    bearers: Mapping[tuple[str, str], frozenset[str]]
    histories: Histories | None
    origin: Origin

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset[str]().union(*self.bearers.values())

    @cached_property
    def _items(self) -> Mapping[str, tuple[str, ...]]:
        """User -> the graph's items consumed, earliest first, each once."""
        if self.histories is None:
            return {}
        found: dict[str, tuple[str, ...]] = {}
        for user in self.histories.users:
            mine = dict.fromkeys(i for i in self.histories.items_of(user) if i in self._known)
            if mine:
                found[user] = tuple(mine)
        return found

    @cached_property
    def _texts(self) -> Mapping[str, str]:
        """User -> the items as one text, so that a sequence is found as a part of it."""
        return {user: _text(items) for user, items in self._items.items()}

    @cached_property
    def _consumers(self) -> Counter[str]:
        return Counter(item for items in self._items.values() for item in items)

    def of(self, query: Query, profile: Profile) -> Iterator[tuple[str, str | None]]:
        """(property, what is wrong or None) for one query; nothing without histories."""
        if self.histories is None:
            return
        yield from self._traits(profile)
        if query.kind is Kind.INTEREST:
            yield from self._interest(query, profile)
        else:
            yield from self._group(query, profile, self.histories)

    def _traits(self, profile: Profile) -> Iterator[tuple[str, str | None]]:
        listed = frozenset(profile.listed)
        consumed = frozenset(self._consumers)
        for trait in profile.traits:
            bearers = self.bearers.get((trait.relation, name_key(trait.value)), frozenset())
            share = len(listed & bearers) / len(listed)
            base = len(consumed & bearers) / len(consumed)
            wrong = None
            if abs(share - trait.share) > _CLOSE or abs(base - trait.base) > _CLOSE:
                wrong = f"{trait.value} has the shares {share:.4f} and {base:.4f}"
            elif share < _LIFT * base:
                wrong = f"{trait.value} is not over-represented"
            yield "traits", wrong

    def _interest(self, query: Query, profile: Profile) -> Iterator[tuple[str, str | None]]:
        text = _text(profile.listed)
        users = [user for user, mine in self._texts.items() if text in mine]
        yield "sequence", _unlike("users", len(users), profile.users)
        few = len(users) < self.origin.sequence_users
        yield "sequence", f"only {len(users)} users consumed it" if few else None
        stranger = query.user not in users
        yield "sequence", f"{query.user} did not consume it" if stranger else None
        for before in profile.preceding:
            both = _text((*before.items, *profile.listed))
            count = sum(both in self._texts[user] for user in users)
            yield "preceding", _unlike("users", count, before.users)
        before = frozenset(item for front in profile.preceding for item in front.items)
        odd = sorted(frozenset(query.named) - before)
        yield "preceding", f"{', '.join(odd)} is named and did not precede" if odd else None

    def _group(
        self, query: Query, profile: Profile, histories: Histories
    ) -> Iterator[tuple[str, str | None]]:
        members = [user for user in self._items if _belongs(histories, user, profile)]
        yield "group", _unlike("users", len(members), profile.users)
        stranger = query.user not in members
        yield "group", f"{query.user} is not in it" if stranger else None
        few = len(members) < self.origin.group_users
        yield "group", f"only {len(members)} users are in it" if few else None
        if not members:
            return
        inside = Counter(item for user in members for item in self._items[user])
        total = len(self._items)
        weights = {
            item: count / len(members) * math.log(total / self._consumers[item])
            for item, count in inside.items()
        }
        for mark in profile.marks:
            share = inside[mark.item] / len(members)
            weight = weights.get(mark.item, 0.0)
            fine = abs(share - mark.share) <= _CLOSE and abs(weight - mark.weight) <= _CLOSE
            yield "marks", None if fine else f"{mark.item} has {share:.4f} and {weight:.4f}"
        listed = frozenset(profile.listed)
        weakest = min((weights.get(item, 0.0) for item in listed), default=0.0)
        better = [item for item, w in weights.items() if w > weakest + 1e-9 and item not in listed]
        yield "marks", f"{better[0]} marks the group more" if better else None
        order = [mark.weight for mark in profile.marks]
        sorted_well = order == sorted(order, reverse=True)
        yield "marks", None if sorted_well else "they do not stand strongest first"


def _text(items: tuple[str, ...]) -> str:
    return "\n" + "\n".join(items) + "\n"


def _belongs(histories: Histories, user: str, profile: Profile) -> bool:
    who = histories.who(user)
    known = {"gender": who.gender, "age": who.age, "occupation": who.occupation}
    return all(known.get(name) == value for name, value in profile.group.items())


def _unlike(what: str, true: int, told: int) -> str | None:
    return None if true == told else f"there are {true} {what}, not {told}"
