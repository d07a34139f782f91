"""Which templates a catalogue can meet, found by a bounded number of seeded draws.

A domain's own templates stand as they are. Of the derived ones those that no draw satisfies fall
away, and further combinations take their places where too few remain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import random_source
from mystery_shopper.suites.tau_rec.generate.account import (
    Book,
    Feasibility,
    TemplateAccount,
    TierAccount,
)
from mystery_shopper.suites.tau_rec.generate.advice import advice
from mystery_shopper.suites.tau_rec.generate.derive import (
    ENOUGH_TEMPLATES,
    MOST_TEMPLATES,
    further,
    slots_needed,
)
from mystery_shopper.suites.tau_rec.generate.draw import Draft, Memory, Refused
from mystery_shopper.suites.tau_rec.generate.family import Maker
from mystery_shopper.suites.tau_rec.generate.plan import Brief
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.generate.slots import Template, template_of, templates_of
from mystery_shopper.suites.tau_rec.task import Tier

PROBES = 400
QUICK_PROBES = 150
MOST_FURTHER = 16
NVR_TEMPLATES = 2


@dataclass(frozen=True)
class TierTemplates:
    """The templates of one tier: those to draw from, those left out and why."""

    kept: tuple[Template, ...]
    dropped: tuple[TemplateAccount, ...] = ()
    given: bool = False


class Prober:
    """Tries templates on a pool, up to `attempts` draws each."""

    def __init__(self, pool: Pool, rules: Rules, seed: int, attempts: int) -> None:
        self.pool = pool
        self.book = Book()
        self._seed = seed
        self._attempts = attempts
        self._rules = rules
        self._maker = Maker(pool, rules, Memory({}))

    def meets(self, tier: Tier, template: Template, *, satisfiable: bool = True) -> bool:
        """Whether one of the draws makes a plain family of the template."""
        names = tuple(slot.name for slot in template)
        places = self.pool.catalogue.domain.requirement_fields.index
        slots = [f"{places(slot.field)}{slot.bound or ''}" for slot in template]
        rng = random_source("tau_rec", self._seed, "probe", tier.value, satisfiable, *slots)
        brief = Brief(tier, template, satisfiable)
        reasons: Counter[str] = Counter()
        made = False
        items = len(self.pool.catalogue)
        for _ in range(self._rules.effort(items, self._attempts, satisfiable=satisfiable)):
            try:
                self._maker.make("probe", brief, Draft(tier, template, strict=False), rng)
            except Refused as refusal:
                reasons[str(refusal)] += 1
            else:
                made = True
                break
        self.book.note(tier, names, reasons, satisfiable=satisfiable, made=made)
        return made

    def account(self, tier: Tier, template: Template) -> TemplateAccount:
        """What was found of the template."""
        names = tuple(slot.name for slot in template)
        draws = self.book.draws(tier, names, satisfiable=True)
        dropped = "" if draws.made or not draws.tried else f"no draw meets it: {draws.reason}"
        return self.book.account(tier, names, dropped)


def feasible_templates(prober: Prober) -> dict[Tier, TierTemplates]:
    """Per tier the domain's templates, or the derived ones that the catalogue can meet."""
    domain = prober.pool.catalogue.domain
    found: dict[Tier, TierTemplates] = {}
    for tier, templates in templates_of(domain).items():
        if domain.templates.get(tier.value):
            found[tier] = TierTemplates(templates, given=True)
        else:
            found[tier] = _probed(prober, tier, templates)
    return found


def _probed(prober: Prober, tier: Tier, templates: tuple[Template, ...]) -> TierTemplates:
    domain = prober.pool.catalogue.domain
    kept: list[Template] = []
    dropped: list[TemplateAccount] = []
    for template in templates:
        if prober.meets(tier, template):
            kept.append(template)
        else:
            dropped.append(prober.account(tier, template))
    taken = [tuple(slot.name for slot in one) for one in templates]
    for names in islice(further(domain, tier, taken), MOST_FURTHER if dropped else 0):
        template = template_of(names)
        missing = set(domain.requirement_fields) - {slot.field for one in kept for slot in one}
        few = len(kept) < ENOUGH_TEMPLATES
        if len(kept) >= MOST_TEMPLATES or not (few or missing):
            break
        if not few and missing.isdisjoint(slot.field for slot in template):
            continue
        if prober.meets(tier, template):
            kept.append(template)
        else:
            dropped.append(prober.account(tier, template))
    return TierTemplates(tuple(kept), tuple(dropped))


def feasibility(catalogue: Catalogue, *, seed: int = 0, rules: Rules | None = None) -> Feasibility:
    """A quick look: which tiers and templates the catalogue can meet, with and without an answer.

    Templates are tried by fewer draws than a generation makes, so a rare one may be missed. Raises
    InputError for templates that do not fit the domain.
    """
    rules = rules or Rules()
    prober = Prober(Pool(catalogue), rules, seed, QUICK_PROBES)
    tiers = tuple(
        _tier(prober, tier, templates) for tier, templates in feasible_templates(prober).items()
    )
    return Feasibility("templates", tiers, help=tuple(advice(catalogue, tiers)))


def _tier(prober: Prober, tier: Tier, templates: TierTemplates) -> TierAccount:
    fertile = [one for one in templates.kept if not templates.given or prober.meets(tier, one)]
    nvr = list(islice(_barren(prober, tier, fertile), NVR_TEMPLATES))
    accounts = [prober.account(tier, one) for one in templates.kept] + list(templates.dropped)
    return TierAccount(
        tier,
        wanted=len(accounts),
        made=len(fertile),
        nvr_wanted=min(NVR_TEMPLATES, len(fertile)),
        nvr_made=len(nvr),
        templates=tuple(accounts),
        obstacle="" if accounts else slots_needed(prober.pool.catalogue.domain, tier),
    )


def _barren(prober: Prober, tier: Tier, templates: list[Template]) -> Iterator[Template]:
    for template in templates:
        if prober.meets(tier, template, satisfiable=False):
            yield template
