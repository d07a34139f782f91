"""Templates for a domain that gives none: one rule for every catalogue.

The rule casts a domain's fields in roles and fills fixed patterns with them. `main` is the first
label field. `next` walks through the other label fields and flags in the domain's order, `last`
walks through them from the end, each going on where the pattern before left off. `twin` is a label
field of which a request may name two values, the main one if it can. `low` and `high` are the
bounds of ordered fields, which take turns; in one pattern they are the two bounds of one field. A
pattern with a role that nobody can play falls away. Then further combinations are added, those on
the least used fields first, until every field is named and there are enough.

For films and for books this gives the thirteen templates of their domain files (τ-Rec-Books §3).
Everything here works with the names of slots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count

from mystery_shopper.catalog import Domain, Operator
from mystery_shopper.suites.tau_rec.task import PREDICATES_PER_TIER, Tier

MOST_TEMPLATES = 8
ENOUGH_TEMPLATES = 4
MOST_SLOTS = 16
"""Combinations are made of so many slots at most: 16 over 5 are 4,368."""

_LOW, _HIGH = Operator.AT_LEAST.value, Operator.AT_MOST.value
_PATTERNS: dict[Tier, tuple[str, ...]] = {
    Tier.SIMPLE: ("main low", "last high"),
    Tier.MEDIUM: (
        "main next low",
        "main next high",
        "twin twin high",
        "main last low high",
        "main next last low",
    ),
    Tier.COMPLEX: (
        "main next next low high",
        "twin twin last low high",
        "twin twin last low high",
        "twin twin next next low",
    ),
}

Names = tuple[str, ...]


def derived(domain: Domain, tier: Tier) -> tuple[Names, ...]:
    """The tier's templates by the rule, before anyone has looked at the items; perhaps none."""
    cast = _Cast(domain)
    found: list[Names] = []
    if tier is Tier.SIMPLE and cast.main is not None:
        found += [(cast.main, other) for other in cast.others]
    for pattern in _PATTERNS[tier]:
        names = cast.fill(pattern.split())
        if names is not None:
            found.append(names)
    found = list(dict.fromkeys(found))[:MOST_TEMPLATES]
    fields = domain.requirement_fields
    for names in further(domain, tier, found):
        missing = len({field_of(slot) for one in found for slot in one}) < len(fields)
        if len(found) >= (MOST_TEMPLATES if missing else ENOUGH_TEMPLATES):
            break
        found.append(names)
    return tuple(found)


def further(domain: Domain, tier: Tier, taken: Sequence[Names]) -> Iterator[Names]:
    """More combinations on two fields or more, those on the least used slots first, then those on
    the most fields; what was handed out counts as used."""
    options = [
        chosen
        for size in PREDICATES_PER_TIER[tier]
        for chosen in combinations(_slots(domain), size)
        if len(set(map(field_of, chosen))) > 1
    ]
    known = {tuple(sorted(one)) for one in taken}
    options = [one for one in dict.fromkeys(options) if tuple(sorted(one)) not in known]
    used = Counter(field_of(slot) for one in taken for slot in one)
    slots = Counter(slot for one in taken for slot in one)
    while options:
        best = min(
            options,
            key=lambda one: (
                sum(used[field_of(slot)] + slots[slot] for slot in one) / len(one),
                -len(set(map(field_of, one))),
            ),
        )
        options.remove(best)
        used.update(map(field_of, best))
        slots.update(best)
        yield best


def slots_needed(domain: Domain, tier: Tier) -> str:
    """Why a tier has no template."""
    least = PREDICATES_PER_TIER[tier][0]
    fields = ", ".join(domain.requirement_fields) or "none"
    return (
        f"no template of tier {tier.value}: it takes {least} conditions on two fields or more, and "
        f"the fields that carry requirements ({fields}) do not give them"
    )


def field_of(slot: str) -> str:
    """The field of a slot's name."""
    return slot.removesuffix(_LOW).removesuffix(_HIGH)


def _slots(domain: Domain) -> list[str]:
    """Every slot in the domain's order. Where there are too many, each field keeps its first."""
    rounds: list[tuple[int, int, str]] = []
    for place, name in enumerate(domain.requirement_fields):
        spec = domain.fields[name]
        if spec.kind.is_ordered:
            names = [name + _LOW, name + _HIGH]
        else:
            names = [name] * (spec.most if spec.kind.is_label else 1)
        rounds += [(turn, place, slot) for turn, slot in enumerate(names)]
    kept = sorted(rounds)[:MOST_SLOTS]
    return [slot for _, _, slot in sorted(kept, key=lambda one: (one[1], one[0]))]


@dataclass
class _Cast:
    """Who plays which role, and how far each walk has come."""

    domain: Domain
    main: str | None = field(init=False)
    others: list[str] = field(init=False)

    def __post_init__(self) -> None:
        fields = self.domain.fields
        names = self.domain.requirement_fields
        labels = [name for name in names if fields[name].kind.is_label]
        self.main = labels[0] if labels else None
        self.others = [
            name for name in names if not fields[name].kind.is_ordered and name != self.main
        ]
        self._twin = next((name for name in labels if fields[name].most > 1), None)
        self._ordered = [name for name in names if fields[name].kind.is_ordered]
        self._next, self._last, self._bound = count(), count(), count()

    def fill(self, roles: Sequence[str]) -> Names | None:
        """The slots of a pattern: labels in the domain's order, then bounds. None where a role
        finds nobody."""
        labels: list[str] = []
        bounds: list[str] = []
        if "low" in roles or "high" in roles:
            if not self._ordered:
                return None
            name = self._ordered[next(self._bound) % len(self._ordered)]
            bounds = [name + _LOW] * ("low" in roles) + [name + _HIGH] * ("high" in roles)
        for role in roles:
            if role in ("low", "high"):
                continue
            found = self._player(role, labels)
            if found is None:
                return None
            labels.append(found)
        order = self.domain.requirement_fields.index
        first = [name for name in labels if name == self.main]
        rest = [name for name in labels if name != self.main]
        return (*first, *sorted(rest, key=order), *bounds)

    def _player(self, role: str, taken: Sequence[str]) -> str | None:
        if role == "main":
            return self.main
        if role == "twin":
            return self._twin
        walk = self._next if role == "next" else self._last
        order = self.others if role == "next" else self.others[::-1]
        for _ in order:
            found = order[next(walk) % len(order)]
            if found not in taken:
                return found
        return None
