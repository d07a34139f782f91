"""The generator: plan the quotas, draw each family until every rule holds, choose the panel.

Source: τ-Rec-Books §3. The families stand tier by tier, `f001` first; within a tier templates and
NVR families are mixed.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError, random_source
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
from mystery_shopper.suites.tau_rec.generate.panel import choose_panel
from mystery_shopper.suites.tau_rec.generate.plan import Brief, make_plan
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.generate.slots import Slot, Template, templates_of
from mystery_shopper.suites.tau_rec.task import (
    SCHEMA,
    CatalogueRef,
    Family,
    Origin,
    TaskSet,
    Tier,
    canary_for,
)

GENERATOR = 1
NVR_TEMPLATES = 2


def generate(
    catalogue: Catalogue,
    *,
    seed: int,
    name: str,
    families: int = 150,
    as_paper: bool = False,
    rules: Rules | None = None,
) -> TaskSet:
    """A task set drawn from the catalogue; the same arguments give the same bytes.

    `as_paper` leaves out what only we ask of NVR families: that a patient elimination can prove
    that nothing fits, and that trying every candidate does not do for most of them.

    Raises InputError for less than one family, for templates that do not fit the domain, and where
    no family can be found: the rule most often broken is named.
    """
    if families < 1:
        raise InputError(
            f"{families} families are none", where="families", remedy="Ask for 150, or for fewer."
        )
    rules = rules or Rules()
    if as_paper:
        rules = replace(rules, decidable=False)
    work = _Generation(catalogue, seed, families, rules)
    made = work.families()
    panel, reliability = choose_panel(made, random_source("tau_rec", seed, "panel"))
    return TaskSet(
        schema=SCHEMA,
        name=name,
        canary=canary_for(name, seed),
        catalogue=CatalogueRef(catalogue.name, catalogue.digest, catalogue.sizes),
        origin=Origin(GENERATOR, seed, dict(sorted(work.rejected.items()))),
        families=tuple(made),
        panel=panel,
        reliability=reliability,
    )


class _Generation:
    """One run of the generator."""

    def __init__(self, catalogue: Catalogue, seed: int, families: int, rules: Rules) -> None:
        self.rejected: Counter[str] = Counter()
        self._seed = seed
        self._rules = rules
        self._pool = Pool(catalogue)
        self._templates = templates_of(catalogue.domain)
        self._given = {tier for tier in Tier if catalogue.domain.templates.get(tier.value)}
        self._plan = make_plan(
            self._templates,
            families,
            random_source("tau_rec", seed, "plan"),
            formats=bool(self._pool.formats),
        )
        self._memory = Memory(self._limits())
        self._drawer = Drawer(self._pool, rules, self._memory)
        self._hopeless: dict[tuple[Template, bool], Counter[str]] = {}

    def _limits(self) -> dict[tuple[Tier, Slot], int]:
        """How often a tier may draw one value of a slot: a share of its families, or twice the even
        share where the slot has few values."""
        limits: dict[tuple[Tier, Slot], int] = {}
        for tier in Tier:
            block = [brief for brief in self._plan if brief.tier is tier]
            general = max(2, -(-len(block) * self._rules.recurrence_percent // 100))
            uses = Counter(slot for brief in block for slot in brief.template)
            for slot in dict.fromkeys(slot for t in self._templates[tier] for slot in t):
                values = len(self._pool.choices(slot, self._rules.alone).predicates)
                limits[tier, slot] = max(general, -(-2 * uses[slot] // max(1, values)))
        return limits

    def families(self) -> list[Family]:
        """Every family of the plan, in its order. NVR families are the hardest to find, so they are
        drawn first, before common values are used up."""
        made: dict[int, Family] = {}
        rare_first = sorted(enumerate(self._plan, start=1), key=lambda pair: pair[1].satisfiable)
        for number, brief in rare_first:
            rng = random_source("tau_rec", self._seed, "family", number)
            made[number] = self._one(f"f{number:03d}", brief, rng)
        families = [made[number] for number in sorted(made)]
        self._check_templates(families)
        return families

    def _one(self, family_id: str, brief: Brief, rng: random.Random) -> Family:
        options = self._templates[brief.tier]
        start = options.index(brief.template)
        for template in options[start:] + options[:start]:
            key = (template, brief.satisfiable)
            if key in self._hopeless:
                continue
            reasons: Counter[str] = Counter()
            for attempt in range(self._rules.attempts):
                try:
                    draft = Draft(brief.tier, template, 2 * attempt < self._rules.attempts)
                    family = self._draw(family_id, brief, draft, rng)
                except Refused as refusal:
                    reasons[str(refusal)] += 1
                    continue
                self.rejected.update(reasons)
                self._memory.remember(brief.tier, family.predicates)
                return family
            self.rejected.update(reasons)
            self._hopeless[key] = reasons
        raise self._infeasible(brief)

    def _draw(self, family_id: str, brief: Brief, draft: Draft, rng: random.Random) -> Family:
        pool, rules = self._pool, self._rules
        hides = min(brief.hides, len(draft.template) - 1)
        draw = self._drawer.satisfiable if brief.satisfiable else self._drawer.barren
        predicates: Predicates = draw(draft, rng)
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

    def _infeasible(self, brief: Brief) -> InputError:
        sort = "satisfiable" if brief.satisfiable else "unsatisfiable (NVR)"
        problems: list[str] = []
        for template in self._templates[brief.tier]:
            reasons = self._hopeless[template, brief.satisfiable]
            text = ", ".join(slot.name for slot in template)
            [(reason, _)] = reasons.most_common(1) or [("no draw was allowed", 0)]
            problems.append(f"no {sort} {brief.tier.value} family of [{text}]: {reason}")
        return InputError(
            problems,
            where=f"catalogue {self._pool.catalogue.name}",
            remedy="A larger catalogue, fewer families, other templates in the domain file or "
            "gentler rules would help.",
        )

    def _check_templates(self, made: list[Family]) -> None:
        """Templates that the domain gives are all used; NVR families stand on two a tier."""
        problems: list[str] = []
        for tier in Tier:
            used = {family.template for family in made if family.tier is tier}
            barren = [f.template for f in made if f.tier is tier and not f.satisfiable]
            names = [tuple(slot.name for slot in one) for one in self._templates[tier]]
            count = sum(family.tier is tier for family in made)
            if tier in self._given and count >= len(names):
                problems += [
                    f"no {tier.value} family of [{', '.join(name)}] can be found"
                    for name in names
                    if name not in used
                ]
            if len(set(barren)) < min(NVR_TEMPLATES, len(barren), len(names)):
                problems.append(f"the NVR families of tier {tier.value} all have one template")
        if problems:
            raise InputError(
                problems,
                where=f"catalogue {self._pool.catalogue.name}",
                remedy="Take the template out of the domain file, or use a larger catalogue.",
            )
