"""Drawing a family's predicates.

A satisfiable family is read off a random item of the smallest catalogue, so an answer exists by
construction. An NVR family is read off an item but for one slot, whose value is then chosen among
all that leave no match and spoil no other rule.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from mystery_shopper.catalog import Item, Operator, Predicate
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.generate.slots import Slot, Template
from mystery_shopper.suites.tau_rec.task import Tier

Predicates: TypeAlias = tuple[Predicate, ...]
MOST_SPOILERS = 1024
"""Of more values than this that would do, so many are drawn and looked at closer."""


class Refused(Exception):
    """A drawn family breaks a rule; the text names the rule."""


class Memory:
    """What earlier families took: whole requests, and how often each value in each tier."""

    def __init__(self, limits: Mapping[tuple[Tier, Slot], int]) -> None:
        self._limits = limits
        self._requests: set[frozenset[Predicate]] = set()
        self._uses: Counter[tuple[Tier, Predicate]] = Counter()

    def remember(self, tier: Tier, predicates: Predicates) -> None:
        """Count a family that was taken."""
        self._requests.add(frozenset(predicates))
        self._uses.update((tier, predicate) for predicate in predicates)

    def spent(self, tier: Tier, slot: Slot, predicate: Predicate) -> bool:
        """Whether the tier has drawn the value often enough."""
        return self._uses[tier, predicate] >= self._limits[tier, slot]

    def holds(self, predicates: Predicates) -> bool:
        """Whether a family makes this request already."""
        return frozenset(predicates) in self._requests


@dataclass(frozen=True)
class Draft:
    """What a draw starts from. `strict`: values that were drawn often enough are passed over."""

    tier: Tier
    template: Template
    strict: bool


class Drawer:
    """Draws predicates for templates from one pool."""

    def __init__(self, pool: Pool, rules: Rules, memory: Memory) -> None:
        self._pool = pool
        self._rules = rules
        self._memory = memory

    def satisfiable(self, draft: Draft, rng: random.Random) -> Predicates:
        """Predicates that some item of the smallest catalogue meets, each of them material. Raises
        Refused."""
        predicates = self._read_off(draft, rng)
        self._refuse_known(predicates)
        pool = self._pool
        answers = pool.counts(pool.matching(predicates))
        for rest in leave_one_out(predicates):
            without = pool.counts(pool.matching(rest))
            if not material(answers, without, self._rules.gain_percent):
                raise Refused("a predicate is not material")
        return predicates

    def barren(self, draft: Draft, rng: random.Random) -> Predicates:
        """Predicates that no item meets, though any one dropped leaves some. Raises Refused."""
        drawn = self._read_off(draft, rng)
        template = draft.template
        pool = self._pool
        if any(pool.counts(pool.mask(one))[-1] < self._rules.alone for one in drawn):
            raise Refused("a predicate alone matches too little")
        for odd in rng.sample(range(len(template)), len(template)):
            options = self._spoilers(drawn[:odd] + drawn[odd + 1 :], template[odd], rng)
            options = self._fresh(draft, template[odd], options)
            if options:
                predicates = (*drawn[:odd], rng.choice(options), *drawn[odd + 1 :])
                self._refuse_known(predicates)
                return predicates
        raise Refused("no value leaves no match")

    def _spoilers(self, rest: Predicates, slot: Slot, rng: random.Random) -> list[Predicate]:
        """The slot's values that match nothing with the rest, though without any one of the rest
        they do, in every nested size (else that one would not be material)."""
        pool, left, alone = self._pool, self._rules.left, self._rules.alone
        if pool.counts(pool.matching(rest))[-1] < left:
            return []
        choices = pool.choices(slot, alone)
        kept = np.arange(len(choices))
        # Where counting is slow, the smaller catalogues settle most.
        for size in (-1,) if choices.dense else range(len(pool.members)):
            if len(kept):
                kept = kept[pool.choice_counts(slot, alone, rest, size)[kept] == 0]
        for others in leave_one_out(rest):
            if len(kept):
                kept = kept[pool.choice_counts(slot, alone, others, 0)[kept] > 0]
            if len(kept):
                kept = kept[pool.choice_counts(slot, alone, others, -1)[kept] >= left]
        places: list[int] = kept.tolist()
        if len(places) > MOST_SPOILERS:
            places = sorted(rng.sample(places, MOST_SPOILERS))
        options = map(choices.predicate, places)
        return [one for one in options if self._goes_with(one, rest)]

    def _refuse_known(self, predicates: Predicates) -> None:
        if self._memory.holds(predicates):
            raise Refused("the request is there already")

    def _fresh(self, draft: Draft, slot: Slot, options: list[Predicate]) -> list[Predicate]:
        if not draft.strict:
            return options
        return [one for one in options if not self._memory.spent(draft.tier, slot, one)]

    def _read_off(self, draft: Draft, rng: random.Random) -> Predicates:
        pool = self._pool
        item = pool.catalogue.item(int(pool.smallest[rng.randrange(len(pool.smallest))]))
        chosen: list[Predicate] = []
        for slot in draft.template:
            options = self._options(item, slot, chosen)
            if not options:
                raise Refused("the item drawn has no value for a slot")
            options = self._fresh(draft, slot, options)
            if not options:
                raise Refused("the value recurs too often")
            chosen.append(rng.choice(options))
        return tuple(chosen)

    def _options(self, item: Item, slot: Slot, chosen: Sequence[Predicate]) -> list[Predicate]:
        """The slot's predicates that the item meets and that go with those chosen already."""
        return [one for one in self._pool.met(slot, item) if self._goes_with(one, chosen)]

    def _goes_with(self, predicate: Predicate, chosen: Sequence[Predicate]) -> bool:
        """Two labels of a field must not lie one below the other, two bounds must leave a step, and
        a flag is named once."""
        domain = self._pool.catalogue.domain
        for other in chosen:
            if other.field != predicate.field:
                continue
            if domain.fields[other.field].kind.is_label:
                tree = domain.hierarchies[other.field]
                if tree.related(str(predicate.value), str(other.value)):
                    return False
            elif not domain.fields[other.field].kind.is_ordered or not _ascending(predicate, other):
                return False
        return True


def _ascending(one: Predicate, other: Predicate) -> bool:
    low, high = (one, other) if one.op is Operator.AT_LEAST else (other, one)
    return float(low.value) < float(high.value)  # pyright: ignore[reportArgumentType]


def leave_one_out(predicates: Predicates) -> list[Predicates]:
    """The predicates without each in turn."""
    return [predicates[:i] + predicates[i + 1 :] for i in range(len(predicates))]


def material(answers: Sequence[int], without: Sequence[int], percent: int) -> bool:
    """Whether dropping a predicate adds at least one item and `percent` of the answers, at every
    nested size."""
    gains = [more - few for few, more in zip(answers, without, strict=True)]
    return all(
        gain >= 1 and 100 * gain >= percent * few for gain, few in zip(gains, answers, strict=True)
    )
