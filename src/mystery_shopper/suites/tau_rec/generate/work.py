"""One run through a plan: every brief met as it is, by a plainer one, or not at all."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from mystery_shopper.foundation import random_source
from mystery_shopper.suites.tau_rec.generate.account import Book
from mystery_shopper.suites.tau_rec.generate.draw import Draft, Memory, Refused
from mystery_shopper.suites.tau_rec.generate.family import Maker, Undrawn
from mystery_shopper.suites.tau_rec.generate.hopeless import Hopeless, plainer
from mystery_shopper.suites.tau_rec.generate.order import Made, Order
from mystery_shopper.suites.tau_rec.generate.outcome import Outcome
from mystery_shopper.suites.tau_rec.generate.plan import Brief, make_plan
from mystery_shopper.suites.tau_rec.generate.slots import Slot, Template
from mystery_shopper.suites.tau_rec.task import Family, Tier

SECOND_BEST = 4
"""A plainer brief, sought where the one planned failed, gets this part of the draws."""


class Work:
    """The drawing of one number of families."""

    def __init__(
        self, order: Order, planned: int, progress: Callable[[int, int], None] | None = None
    ) -> None:
        self.planned = planned
        self._order = order
        self._progress = progress
        self._templates = {tier: one.kept for tier, one in order.templates.items()}
        self._plan = make_plan(
            self._templates,
            planned,
            random_source("tau_rec", order.seed, "plan"),
            formats=bool(order.pool.formats),
        )
        self._memory = Memory(self._limits())
        self._maker = Maker(order.pool, order.rules, self._memory)
        self._hopeless = Hopeless()
        self._book = Book()

    def _limits(self) -> dict[tuple[Tier, Slot], int]:
        """How often a tier may draw one value of a slot: a share of its families, or twice the even
        share where the slot has few values."""
        rules = self._order.rules
        limits: dict[tuple[Tier, Slot], int] = {}
        for tier in Tier:
            block = [brief for brief in self._plan if brief.tier is tier]
            general = max(2, -(-len(block) * rules.recurrence_percent // 100))
            uses = Counter(slot for brief in block for slot in brief.template)
            for slot in dict.fromkeys(slot for t in self._templates[tier] for slot in t):
                values = len(self._order.pool.choices(slot, rules.alone))
                limits[tier, slot] = max(general, -(-2 * uses[slot] // max(1, values)))
        return limits

    def draw(self) -> Outcome:
        """Every family of the plan that can be found. NVR families are the hardest to find, so they
        are drawn first, before common values are used up."""
        made: dict[int, Made] = {}
        rare_first = sorted(enumerate(self._plan, start=1), key=lambda pair: pair[1].satisfiable)
        for done, (number, brief) in enumerate(rare_first, start=1):
            one = self._one(number, brief)
            if one is not None:
                made[number] = one
            if self._progress is not None:
                self._progress(done, len(self._plan))
        in_order = [made[number] for number in sorted(made)]
        return Outcome(self._order, self.planned, self._plan, in_order, self._book)

    def _one(self, number: int, brief: Brief) -> Made | None:
        order = self._order
        rng = random_source("tau_rec", order.seed, "family", number)
        options = self._templates[brief.tier]
        start = options.index(brief.template)
        items = len(order.pool.catalogue)
        effort = order.rules.effort(items, satisfiable=brief.satisfiable)
        for asked in plainer(brief):
            draws = effort if asked is brief else max(1, effort // SECOND_BEST)
            for template in options[start:] + options[:start]:
                if self._hopeless.holds(template, asked):
                    continue
                family = self._seek(f"f{number:03d}", asked, template, draws, rng)
                if family is not None:
                    return Made(family, brief, asked)
        return None

    def _seek(
        self, family_id: str, brief: Brief, template: Template, draws: int, rng: random.Random
    ) -> Family | None:
        """A family of the template for the brief; the first half of the draws passes over values
        that recur too often."""
        reasons: Counter[str] = Counter()
        undrawn = True
        family: Family | None = None
        for attempt in range(draws):
            draft = Draft(brief.tier, template, strict=2 * attempt < draws)
            try:
                family = self._maker.make(family_id, brief, draft, rng)
            except Refused as refusal:
                reasons[str(refusal)] += 1
                undrawn = undrawn and isinstance(refusal, Undrawn)
                continue
            self._memory.remember(brief.tier, family.predicates)
            break
        self._book.note(
            brief.tier,
            tuple(slot.name for slot in template),
            reasons,
            satisfiable=brief.satisfiable,
            made=family is not None,
        )
        if family is None:
            self._hopeless.add(template, brief, undrawn=undrawn)
        return family
