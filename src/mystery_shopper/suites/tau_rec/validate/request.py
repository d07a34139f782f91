"""What a family asks for: the tier's number of predicates, a template, bounds, a persona."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mystery_shopper.catalog import Domain, Kind, Operator, Predicate
from mystery_shopper.suites.tau_rec.task import PREDICATES_PER_TIER, Family, fact
from mystery_shopper.suites.tau_rec.validate.bounds import is_multiple, is_round_bound
from mystery_shopper.suites.tau_rec.validate.columns import Numbers, wanted_numbers
from mystery_shopper.suites.tau_rec.validate.items import Items
from mystery_shopper.suites.tau_rec.validate.report import Ledger, Property

_BOUNDS = {Operator.AT_LEAST, Operator.AT_MOST}
_LABELS = {Operator.CONTAINS, Operator.WITHIN}


def check_request(items: Items, family: Family, ledger: Ledger) -> None:
    """Every property of the predicates that needs no count."""
    domain = items.catalogue.domain
    count, tier = len(family.predicates), family.tier
    ledger.expect(
        count in PREDICATES_PER_TIER[tier],
        family.id,
        Property.TIER,
        f"{count} predicates in tier {tier.value}",
    )
    slots = [_slot(domain, predicate) for predicate in family.predicates]
    fields = {predicate.field for predicate in family.predicates}
    fits = sorted(slots) == sorted(family.template)
    if given := domain.templates.get(tier.value):
        fits = fits and sorted(slots) in [sorted(template) for template in given]
    else:
        fits = fits and len(fields) > 1 and _is_combination(domain, slots)
    ledger.expect(
        fits,
        family.id,
        Property.TEMPLATE,
        f"template {list(family.template)}, predicates {slots}, tier {tier.value}",
    )
    for name in dict.fromkeys(predicate.field for predicate in family.predicates):
        values = items.values(name)
        if isinstance(values, Numbers):
            bounds = [p for p in family.predicates if p.field == name]
            _check_bounds(bounds, values, domain.fields[name].step, family, ledger)
    ledger.expect(
        bool(family.persona.strip()) or domain.personas is None,
        family.id,
        Property.PERSONA,
        "it is empty",
    )


def _slot(domain: Domain, predicate: Predicate) -> str:
    """The template's slot that a predicate fills."""
    kind, op = domain.fields[predicate.field].kind, predicate.op
    if kind.is_ordered and op in _BOUNDS:
        return predicate.field + op.value
    if kind is Kind.FLAG and op is Operator.EQUAL:
        return predicate.field
    if kind.is_label and op in _LABELS:
        return predicate.field
    return f"{predicate.field} {op.value}"


def _is_combination(domain: Domain, slots: Sequence[str]) -> bool:
    """Whether the slots are a template of a domain that lists none: of a label field at most as
    many values as one request may name, of a flag and of each bound one."""
    most: dict[str, int] = {}
    for name in domain.requirement_fields:
        spec = domain.fields[name]
        if spec.kind.is_ordered:
            most |= {name + op.value: 1 for op in _BOUNDS}
        else:
            most[name] = spec.most if spec.kind.is_label else 1
    return all(count <= most.get(slot, 0) for slot, count in Counter(slots).items())


def _check_bounds(
    bounds: Sequence[Predicate],
    values: Numbers,
    step: float | None,
    family: Family,
    ledger: Ledger,
) -> None:
    for predicate in bounds:
        for number in wanted_numbers(predicate):
            if step is None:
                fits, rule = is_round_bound(number, values.ascending), "no round quantile"
            else:
                fits, rule = is_multiple(number, step), f"no multiple of {step:g}"
            ledger.expect(fits, family.id, Property.BOUNDS, f"{fact(predicate)} is {rule}")
    repeated = [op.value for op, n in Counter(p.op for p in bounds).items() if n > 1]
    lower = [wanted_numbers(p)[0] for p in bounds if p.op is Operator.AT_LEAST]
    upper = [wanted_numbers(p)[0] for p in bounds if p.op is Operator.AT_MOST]
    ledger.expect(
        not repeated and (not lower or not upper or max(lower) <= min(upper)),
        family.id,
        Property.BOUNDS,
        " and ".join(map(fact, bounds)),
    )
