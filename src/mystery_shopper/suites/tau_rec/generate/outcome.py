"""What came of the drawing: the families that count, the account, what was promised and is missing.

A set of 150 families promises the quotas of 150. Where a quota fell short, the set is kept below
that number, so that nobody takes it for a full one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec

from mystery_shopper.suites.tau_rec.generate.account import (
    Book,
    Feasibility,
    QuotaAccount,
    TemplateAccount,
    TierAccount,
)
from mystery_shopper.suites.tau_rec.generate.advice import advice
from mystery_shopper.suites.tau_rec.generate.derive import slots_needed
from mystery_shopper.suites.tau_rec.generate.order import Made, Order
from mystery_shopper.suites.tau_rec.generate.plan import (
    NVR_PER_TIER,
    SCALE,
    Brief,
    share,
)
from mystery_shopper.suites.tau_rec.generate.probe import NVR_TEMPLATES
from mystery_shopper.suites.tau_rec.task import Family, Tier

_QUOTAS: tuple[tuple[str, Callable[[Brief], bool]], ...] = (
    ("families that hide two", lambda brief: brief.hides > 1),
    ("families with a history", lambda brief: brief.history),
    ("families that accept one format only", lambda brief: brief.one_format),
    ("NVR families with more candidates than a trial has room for", lambda brief: brief.long),
)
SATISFIABLE_PER_TIER = SCALE // len(Tier) - NVR_PER_TIER


class Outcome:
    """The families drawn for a plan, in its order, and what to say of them."""

    def __init__(
        self, order: Order, planned: int, plan: Sequence[Brief], made: Sequence[Made], book: Book
    ) -> None:
        self._order = order
        self._planned = planned
        self._plan = plan
        self._found = made
        self._book = book
        self._kept = list(made) if order.exact else _proportioned(made)
        self.quotas = list(self._quotas())
        if not order.exact and len(self._kept) == SCALE and list(self._broken_promises()):
            self._kept.remove(_plainest(self._kept))

    def _quotas(self) -> Iterator[QuotaAccount]:
        for name, holds in _QUOTAS:
            wanted = sum(holds(one.wanted) for one in self._kept)
            yield QuotaAccount(name, wanted, sum(holds(one.met) for one in self._kept))
        for tier in Tier:
            block = [one.family for one in self._kept if one.family.tier is tier]
            barren = [family.template for family in block if not family.satisfiable]
            most = min(NVR_TEMPLATES, len(barren), len(self._order.templates[tier].kept))
            name = f"templates of the {tier.value} NVR families"
            yield QuotaAccount(name, most, min(most, len(set(barren))))

    @property
    def rejected(self) -> dict[str, int]:
        """How many draws each rule refused."""
        return self._book.rejected

    @property
    def any_answered(self) -> bool:
        """Whether a family with an answer was found, so that a set of some size can be drawn."""
        return any(one.family.satisfiable for one in self._found)

    def families(self) -> list[Family]:
        """The families, numbered anew."""
        return [
            msgspec.structs.replace(one.family, id=f"f{number:03d}")
            for number, one in enumerate(self._kept, start=1)
        ]

    def problems(self) -> list[str]:
        """Why the families will not do: fewer than were asked for, or none at all."""
        if not self._order.exact:
            return [] if self._kept else list(self._shortfalls())
        return [*self._shortfalls(), *self._unused()] or (
            list(self._broken_promises()) if self._planned == SCALE else []
        )

    def _shortfalls(self) -> Iterator[str]:
        for tier in Tier:
            if not self._order.templates[tier].kept and _planned(self._planned, tier):
                yield f"{tier.value}: no family can be found: {self._no_template(tier)}"
            for satisfiable in (False, True):
                wanted = sum(_is(brief, tier, satisfiable) for brief in self._plan)
                made = sum(_is(one.wanted, tier, satisfiable) for one in self._found)
                if made < wanted:
                    sort = "satisfiable" if satisfiable else "unsatisfiable (NVR)"
                    yield f"{tier.value}: {made} of {wanted} {sort} families can be found"
                    more = "more " if made else ""
                    for one in self._templates(tier):
                        draws = one.satisfiable if satisfiable else one.barren
                        if draws.tried and not one.dropped:
                            why = draws.reason
                            yield f"no {more}{sort} {tier.value} family of {one.text}: {why}"

    def _unused(self) -> Iterator[str]:
        """Templates that the domain gives are all used where there are families enough."""
        for tier in Tier:
            block = [one.family for one in self._found if one.family.tier is tier]
            used = {family.template for family in block}
            names = [tuple(slot.name for slot in one) for one in self._order.templates[tier].kept]
            if self._order.templates[tier].given and len(block) >= len(names):
                for name in names:
                    if name not in used:
                        yield f"no {tier.value} family of [{', '.join(name)}] can be found"

    def _broken_promises(self) -> Iterator[str]:
        for quota in self.quotas:
            if quota.made < quota.wanted:
                yield f"{quota.name}: {quota.made} of {quota.wanted} can be found"
        yield from self._unused()

    def balanced(self) -> int:
        """The largest number below the planned one whose even shares were found."""
        return next((n for n in range(self._planned - 1, 0, -1) if self._holds(n)), 0)

    def _holds(self, number: int) -> bool:
        barren = share(number, NVR_PER_TIER * len(Tier)) // len(Tier)
        for tier in Tier:
            fertile = _planned(number, tier) - barren
            found = [
                sum(_is(one.wanted, tier, kind) for one in self._found) for kind in (False, True)
            ]
            if found[0] < barren or found[1] < fertile:
                return False
        return True

    def feasibility(self) -> Feasibility:
        """The account."""
        tiers = tuple(map(self._tier, Tier))
        help_ = advice(self._order.pool.catalogue, tiers)
        return Feasibility("families", tiers, tuple(self.quotas), tuple(help_))

    def _templates(self, tier: Tier) -> list[TemplateAccount]:
        chosen = self._order.templates[tier]
        names = [tuple(slot.name for slot in one) for one in chosen.kept]
        return [*(self._book.account(tier, name) for name in names), *chosen.dropped]

    def _tier(self, tier: Tier) -> TierAccount:
        barren = share(self._planned, NVR_PER_TIER * len(Tier)) // len(Tier)
        block = [one for one in self._kept if one.family.tier is tier]
        templates = self._templates(tier)
        wanted = _planned(self._planned, tier)
        obstacle = ""
        if not self._order.templates[tier].kept:
            obstacle = self._no_template(tier)
        elif len(block) < wanted:
            obstacle = self._obstacle(tier, templates)
        return TierAccount(
            tier,
            wanted=wanted,
            made=len(block),
            nvr_wanted=barren,
            nvr_made=sum(not one.family.satisfiable for one in block),
            templates=tuple(templates),
            obstacle=obstacle,
        )

    def _no_template(self, tier: Tier) -> str:
        if self._order.templates[tier].dropped:
            return "the catalogue meets none of its templates"
        return slots_needed(self._order.pool.catalogue.domain, tier)

    def _obstacle(self, tier: Tier, templates: Sequence[TemplateAccount]) -> str:
        """What refused most of the draws of the sort that is missing."""
        found = [one for one in self._found if one.family.tier is tier]
        texts: list[str] = []
        for satisfiable, sort in ((True, "with an answer"), (False, "without one (NVR)")):
            wanted = sum(_is(brief, tier, satisfiable) for brief in self._plan)
            made = sum(one.family.satisfiable is satisfiable for one in found)
            if made < wanted:
                draws = [one.satisfiable if satisfiable else one.barren for one in templates]
                worst = max(draws, key=lambda one: max(one.reasons.values(), default=0))
                texts.append(f"no more than {made} {sort}: {worst.reason}")
        return "; ".join(texts)


def _planned(number: int, tier: Tier) -> int:
    place = list(Tier).index(tier)
    return number // len(Tier) + (place < number % len(Tier))


def _is(brief: Brief, tier: Tier, satisfiable: bool) -> bool:
    return brief.tier is tier and brief.satisfiable is satisfiable


def _proportioned(made: Sequence[Made]) -> list[Made]:
    """Without the NVR families that are too many for the satisfiable ones of their tier."""
    kept: list[Made] = []
    for tier in Tier:
        block = [one for one in made if one.family.tier is tier]
        fertile = sum(one.family.satisfiable for one in block)
        room = (2 * fertile * NVR_PER_TIER + SATISFIABLE_PER_TIER) // (2 * SATISFIABLE_PER_TIER)
        room = max(1, room) if fertile else 0
        for one in block:
            room -= not one.family.satisfiable
            if one.family.satisfiable or room >= 0:
                kept.append(one)
    return kept


def _plainest(made: Sequence[Made]) -> Made:
    """The last satisfiable family that asks for the least."""
    return min(
        reversed([one for one in made if one.family.satisfiable]),
        key=lambda one: (one.met.history, one.met.hides, one.met.one_format),
    )
