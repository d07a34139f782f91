"""The generator: plan the quotas, draw each family until every rule holds, choose the panel.

Source: τ-Rec-Books §3. The families stand tier by tier, `f001` first; within a tier templates and
NVR families are mixed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError, random_source
from mystery_shopper.suites.tau_rec.generate.account import Feasibility
from mystery_shopper.suites.tau_rec.generate.order import Order
from mystery_shopper.suites.tau_rec.generate.outcome import Outcome
from mystery_shopper.suites.tau_rec.generate.panel import choose_panel
from mystery_shopper.suites.tau_rec.generate.plan import SCALE
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.probe import PROBES, Prober, feasible_templates
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.generate.work import Work
from mystery_shopper.suites.tau_rec.task import (
    SCHEMA,
    CatalogueRef,
    Origin,
    TaskSet,
    canary_for,
)

GENERATOR = 1
RETRIES = 4


@dataclass(frozen=True)
class Drawn:
    """A task set, and the account of what its catalogue could and could not give."""

    task_set: TaskSet
    feasibility: Feasibility


def generate(
    catalogue: Catalogue,
    *,
    seed: int,
    name: str,
    families: int | None = None,
    as_paper: bool = False,
    rules: Rules | None = None,
) -> TaskSet:
    """As `draw_tasks`, without the account."""
    drawn = draw_tasks(
        catalogue, seed=seed, name=name, families=families, as_paper=as_paper, rules=rules
    )
    return drawn.task_set


def draw_tasks(
    catalogue: Catalogue,
    *,
    seed: int,
    name: str,
    families: int | None = None,
    as_paper: bool = False,
    rules: Rules | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Drawn:
    """A task set drawn from the catalogue; the same arguments give the same bytes.

    `families`: exactly so many; without it as many of 150 as the catalogue can give, in which case
    a tier, or the families without a valid recommendation (NVR), may be few or missing, as the
    account says. `as_paper` leaves out what only we ask: that a patient elimination can prove of an
    NVR family that nothing fits, that trying every candidate does not do for most of those, and
    that what is hidden is not too rare to be found.
    `progress` is told how many families of how many were seen to.

    Raises InputError for less than one family, for templates that do not fit the domain, where no
    family can be found, and where fewer can than were asked for: per tier how many, the rule most
    often broken by each template, and what would help.
    """
    if families is not None and families < 1:
        raise InputError(
            f"{families} families are none", where="families", remedy="Ask for 150, or for fewer."
        )
    rules = rules or Rules()
    if as_paper:
        rules = replace(rules, decidable=False, odds=0)
    prober = Prober(Pool(catalogue), rules, seed, PROBES)
    templates = feasible_templates(prober)
    order = Order(prober.pool, rules, seed, templates, exact=families is not None)
    outcome = Work(order, SCALE if families is None else families, progress).draw()
    problems = outcome.problems()
    if problems:
        where = f"catalogue {catalogue.name}"
        raise InputError(problems, where=where, remedy=_remedy(order, outcome))
    return Drawn(_task_set(catalogue, seed, name, outcome), outcome.feasibility())


def _task_set(catalogue: Catalogue, seed: int, name: str, outcome: Outcome) -> TaskSet:
    made = outcome.families()
    panel, reliability = choose_panel(made, random_source("tau_rec", seed, "panel"))
    return TaskSet(
        schema=SCHEMA,
        name=name,
        canary=canary_for(name, seed),
        catalogue=CatalogueRef(catalogue.name, catalogue.digest, catalogue.sizes),
        origin=Origin(GENERATOR, seed, outcome.rejected),
        families=tuple(made),
        panel=panel,
        reliability=reliability,
    )


def _remedy(order: Order, outcome: Outcome) -> str:
    """What would help, fewer families first where fewer were found to do."""
    texts = list(outcome.feasibility().help)
    if order.exact and outcome.any_answered:
        fewer = _fewer(order, outcome)
        first = f"fewer families: --families {fewer}"
        if not fewer:
            first = "no fixed number: without --families as many are drawn as can be met"
        texts.insert(0, first)
    if any(one.given for one in order.templates.values()):
        texts.append("other templates in the domain file")
    return f"What would help: {'; '.join(texts)}." if texts else "Give it more varied items."


def _fewer(order: Order, outcome: Outcome) -> int:
    """A smaller number of families, drawn once to see that it can be met; 0 if none was found."""
    number = outcome.balanced()
    for _ in range(RETRIES):
        if number < 1:
            break
        outcome = Work(order, number).draw()
        if not outcome.problems():
            return number
        number = outcome.balanced()
    return 0
