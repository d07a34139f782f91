"""One family: drawn, dressed, and refused where it breaks a rule."""

from __future__ import annotations

import random

from mystery_shopper.suites.tau_rec.generate.disclose import (
    check_decidable,
    choose_hidden,
    choose_stated,
    reveal_tags,
)
from mystery_shopper.suites.tau_rec.generate.draw import Draft, Drawer, Memory, Predicates, Refused
from mystery_shopper.suites.tau_rec.generate.dress import (
    check_acceptable,
    choose_formats,
    choose_history,
    draw_persona,
)
from mystery_shopper.suites.tau_rec.generate.plan import Brief
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.task import Family


class Undrawn(Refused):
    """No predicates could be drawn, so the rest of the brief was not to blame."""


class Maker:
    """Makes families of one pool under one set of rules."""

    def __init__(self, pool: Pool, rules: Rules, memory: Memory) -> None:
        self._pool = pool
        self._rules = rules
        self._drawer = Drawer(pool, rules, memory)

    def make(self, family_id: str, brief: Brief, draft: Draft, rng: random.Random) -> Family:
        """One draw. Raises Refused with the rule that it broke."""
        pool, rules = self._pool, self._rules
        hides = min(brief.hides, len(draft.template) - 1)
        predicates = self._predicates(brief, draft, rng)
        formats = choose_formats(pool, rules, rng, one=brief.one_format)
        hidden = choose_hidden(pool, rules, predicates, hides, rng)
        history: tuple[str, ...] = ()
        if brief.history:
            history = choose_history(pool, predicates, hidden, formats, rng)
        if brief.satisfiable:
            check_acceptable(pool, predicates, formats, history)
        elif rules.decidable:
            check_decidable(pool, rules, predicates, hidden, formats, long=brief.long)
        stated = choose_stated(len(predicates), hidden, rng)
        counts = pool.counts(pool.matching(predicates))
        return Family(
            id=family_id,
            tier=brief.tier,
            template=tuple(slot.name for slot in draft.template),
            predicates=predicates,
            reveals=reveal_tags(len(predicates), stated, hidden),
            formats=formats,
            history=history,
            satisfiable=brief.satisfiable,
            persona=draw_persona(pool.catalogue.domain, rng),
            answers=dict(zip(pool.catalogue.sizes, counts, strict=True)),
        )

    def _predicates(self, brief: Brief, draft: Draft, rng: random.Random) -> Predicates:
        draw = self._drawer.satisfiable if brief.satisfiable else self._drawer.barren
        try:
            return draw(draft, rng)
        except Refused as refusal:
            raise Undrawn(str(refusal)) from None
