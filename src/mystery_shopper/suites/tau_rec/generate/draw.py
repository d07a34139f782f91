"""Drawing a family's predicates.

A satisfiable family is read off a random item of the smallest catalogue, so an answer exists by
construction. An NVR family is read off an item but for one slot, whose value is then chosen among
all that leave no match and spoil no other rule.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from mystery_shopper.catalog import Item, Operator, Predicate
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.generate.slots import Slot, Template

Predicates: TypeAlias = tuple[Predicate, ...]


class Refused(Exception):
    """A drawn family breaks a rule; the text names the rule."""


@dataclass
class Memory:
    """What earlier families took: whole requests, and how often each value."""

    requests: set[frozenset[Predicate]] = field(default_factory=set[frozenset[Predicate]])
    uses: Counter[Predicate] = field(default_factory=Counter[Predicate])
    limits: dict[Slot, int] = field(default_factory=dict[Slot, int])

    def remember(self, predicates: Predicates) -> None:
        """Count a family that was taken."""
        self.requests.add(frozenset(predicates))
        self.uses.update(predicates)

    def spent(self, slot: Slot, predicate: Predicate) -> bool:
        """Whether the value has been drawn often enough."""
        limit = self.limits.get(slot)
        return limit is not None and self.uses[predicate] >= limit


class Drawer:
    """Draws predicates for templates from one pool."""

    def __init__(self, pool: Pool, rules: Rules, memory: Memory) -> None:
        self._pool = pool
        self._rules = rules
        self._memory = memory

    def satisfiable(self, template: Template, rng: random.Random, *, strict: bool) -> Predicates:
        """Predicates that some item of the smallest catalogue meets, each of them material.

        `strict`: values that were drawn often enough are passed over. Raises Refused.
        """
        predicates = self._read_off(template, rng, strict=strict)
        self._refuse_known(predicates)
        pool = self._pool
        answers = pool.counts(pool.matching(predicates))
        for rest in leave_one_out(predicates):
            without = pool.counts(pool.matching(rest))
            if not material(answers, without, self._rules.gain_percent):
                raise Refused("a predicate is not material")
        return predicates

    def barren(self, template: Template, rng: random.Random, *, strict: bool) -> Predicates:
        """Predicates that no item meets, though any one dropped leaves some. Raises Refused."""
        pool, rules = self._pool, self._rules
        odd = rng.randrange(len(template))
        slots = template[:odd] + template[odd + 1 :]
        rest = self._read_off(slots, rng, strict=strict)
        if any(pool.counts(pool.mask(one))[-1] < rules.alone for one in rest):
            raise Refused("a predicate alone matches too little")
        left = pool.counts(pool.matching(rest))
        if left[-1] < rules.left or left[0] < 1:
            raise Refused("a predicate dropped leaves too little")
        slot = template[odd]
        choices = pool.choices(slot, rules.alone)
        fits = np.bitwise_count(choices.masks & pool.matching(rest)).sum(axis=1) == 0
        for others in leave_one_out(rest):
            masks = choices.masks & pool.matching(others)
            fits &= np.bitwise_count(masks).sum(axis=1) >= rules.left
            fits &= np.bitwise_count(masks & pool.members[0]).sum(axis=1) >= 1
        options = [
            choices.predicates[int(i)]
            for i in np.flatnonzero(fits)
            if self._goes_with(choices.predicates[int(i)], rest)
        ]
        if strict:
            options = [one for one in options if not self._memory.spent(slot, one)]
        if not options:
            raise Refused("no value leaves no match")
        predicates = (*rest[:odd], rng.choice(options), *rest[odd:])
        self._refuse_known(predicates)
        return predicates

    def _refuse_known(self, predicates: Predicates) -> None:
        if frozenset(predicates) in self._memory.requests:
            raise Refused("the request is there already")

    def _read_off(self, slots: Template, rng: random.Random, *, strict: bool) -> Predicates:
        pool = self._pool
        item = pool.catalogue.item(int(pool.smallest[rng.randrange(len(pool.smallest))]))
        chosen: list[Predicate] = []
        for slot in slots:
            options = self._options(item, slot, chosen)
            if not options:
                raise Refused("the item drawn has no value for a slot")
            if strict:
                options = [one for one in options if not self._memory.spent(slot, one)]
                if not options:
                    raise Refused("the value recurs too often")
            chosen.append(rng.choice(options))
        return tuple(chosen)

    def _options(self, item: Item, slot: Slot, chosen: Sequence[Predicate]) -> list[Predicate]:
        """The slot's predicates that the item meets and that go with those chosen already."""
        pool = self._pool
        value = item[slot.field]
        if value is None or value == ():
            return []
        values: Sequence[str] | Sequence[int]
        if slot.bound is None:
            labels = value if isinstance(value, tuple) else (value,)
            values = pool.closed_labels(slot.field, [str(label) for label in labels])
        else:
            number = float(value)  # pyright: ignore[reportArgumentType]
            steps = pool.steps(slot.field)
            below = int(np.searchsorted(np.asarray(steps), number, side="right"))
            at = below - 1 if below and steps[below - 1] == number else below
            values = steps[:below] if slot.bound is Operator.AT_LEAST else steps[at:]
        operator = pool.operator(slot)
        named = [Predicate(slot.field, operator, value) for value in values]
        return [one for one in named if self._goes_with(one, chosen)]

    def _goes_with(self, predicate: Predicate, chosen: Sequence[Predicate]) -> bool:
        """Two labels of a field must not lie one below the other, two bounds must leave a step."""
        domain = self._pool.catalogue.domain
        for other in chosen:
            if other.field != predicate.field:
                continue
            if domain.fields[other.field].kind.is_label:
                tree = domain.hierarchies[other.field]
                if tree.related(str(predicate.value), str(other.value)):
                    return False
            elif not _ascending(predicate, other):
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
