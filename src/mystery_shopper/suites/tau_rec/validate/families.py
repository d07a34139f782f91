"""The properties of one family over the catalogue's items.

Source: τ-Rec-Books §3 and §5. Thresholds are compared in whole numbers, never as fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mystery_shopper.catalog import Operator, Predicate, fold
from mystery_shopper.suites.tau_rec.task import PREDICATES_PER_TIER, Family, fact
from mystery_shopper.suites.tau_rec.validate.giveaway import check_giveaways
from mystery_shopper.suites.tau_rec.validate.items import Items, ItemSet, wanted_numbers
from mystery_shopper.suites.tau_rec.validate.proof import proposals_until_proof
from mystery_shopper.suites.tau_rec.validate.report import Ledger, Property

LEAST_ALONE = 20
LEAST_WITHOUT_ONE = 3
MOST_PROPOSALS = 15
MOST_HIDDEN = 2
FEWEST_FORMATS, MOST_FORMATS = 2, 4
_SLOT_OPERATORS = {Operator.AT_LEAST, Operator.AT_MOST}
_LABEL_OPERATORS = {Operator.CONTAINS, Operator.WITHIN}


def check_family(items: Items, family: Family, ledger: Ledger) -> None:
    """Every property of one well-formed family."""
    _check_request(items, family, ledger)
    _check_answers(items, family, ledger)
    _check_material(items, family, ledger)
    if family.satisfiable:
        _check_acceptable(items, family, ledger)
    else:
        _check_nvr(items, family, ledger)
    _check_hidden(items, family, ledger)
    check_giveaways(items, family, ledger)
    _check_formats(items, family, ledger)
    _check_history(items, family, ledger)


def _check_request(items: Items, family: Family, ledger: Ledger) -> None:
    domain = items.catalogue.domain
    count, tier = len(family.predicates), family.tier
    ledger.expect(
        count in PREDICATES_PER_TIER[tier],
        family.id,
        Property.TIER,
        f"{count} predicates in tier {tier.value}",
    )
    slots = [_slot(items, predicate) for predicate in family.predicates]
    known = {tuple(sorted(template)) for template in domain.templates.get(tier.value, ())}
    fits = sorted(slots) == sorted(family.template)
    fits = fits and (not domain.templates or tuple(sorted(slots)) in known)
    ledger.expect(
        fits,
        family.id,
        Property.TEMPLATE,
        f"template {list(family.template)}, predicates {slots}, tier {tier.value}",
    )
    for name in dict.fromkeys(predicate.field for predicate in family.predicates):
        if domain.fields[name].kind.is_ordered:
            bounds = [p for p in family.predicates if p.field == name]
            _check_bounds(bounds, domain.fields[name].step or 1, family, ledger)
    ledger.expect(
        bool(family.persona.strip()) or domain.personas is None,
        family.id,
        Property.PERSONA,
        "it is empty",
    )


def _slot(items: Items, predicate: Predicate) -> str:
    """The template's slot that a predicate fills."""
    ordered = items.catalogue.domain.fields[predicate.field].kind.is_ordered
    if predicate.op in (_SLOT_OPERATORS if ordered else _LABEL_OPERATORS):
        return predicate.field + (predicate.op.value if ordered else "")
    return f"{predicate.field} {predicate.op.value}"


def _check_bounds(bounds: Sequence[Predicate], step: float, family: Family, ledger: Ledger) -> None:
    for predicate in bounds:
        for number in wanted_numbers(predicate):
            ledger.expect(
                number % step == 0,
                family.id,
                Property.BOUNDS,
                f"{fact(predicate)} is no multiple of {step}",
            )
    repeated = [op.value for op, n in Counter(p.op for p in bounds).items() if n > 1]
    lower = [wanted_numbers(p)[0] for p in bounds if p.op is Operator.AT_LEAST]
    upper = [wanted_numbers(p)[0] for p in bounds if p.op is Operator.AT_MOST]
    ledger.expect(
        not repeated and (not lower or not upper or max(lower) <= min(upper)),
        family.id,
        Property.BOUNDS,
        " and ".join(map(fact, bounds)),
    )


def _check_answers(items: Items, family: Family, ledger: Ledger) -> None:
    answers = items.matching(family.predicates)
    for size, nested in items.nested.items():
        count = (answers & nested).bit_count()
        ledger.expect(
            family.answers.get(size) == count,
            family.id,
            Property.ANSWERS,
            f"{count} of {size} match, the file says {family.answers.get(size)}",
        )


def _check_material(items: Items, family: Family, ledger: Ledger) -> None:
    """Without the predicate there is at least 1 item more, and at least 5 % more."""
    answers = items.matching(family.predicates)
    for predicate in family.predicates:
        without = items.matching(p for p in family.predicates if p != predicate)
        for size, nested in items.nested.items():
            kept = (answers & nested).bit_count()
            added = (without & nested).bit_count() - kept
            ledger.expect(
                added >= 1 and 20 * added >= kept,
                family.id,
                Property.MATERIAL,
                f"dropping {fact(predicate)} adds {added} to {kept} of {size}",
            )


def _smallest(items: Items) -> tuple[int, ItemSet]:
    return next(iter(items.nested.items()))


def _check_acceptable(items: Items, family: Family, ledger: Ledger) -> None:
    size, nested = _smallest(items)
    valid = items.matching(family.predicates) & nested
    unread = valid & ~items.known(family.history)
    ledger.expect(
        bool(unread & items.having(family.formats)),
        family.id,
        Property.ACCEPTABLE,
        f"of {valid.bit_count()} valid of {size}, {unread.bit_count()} are unread and none of "
        f"these is {' or '.join(family.formats) or 'there'}",
    )


def _check_nvr(items: Items, family: Family, ledger: Ledger) -> None:
    answers = items.matching(family.predicates)
    for size, nested in items.nested.items():
        count = (answers & nested).bit_count()
        ledger.expect(not count, family.id, Property.NO_MATCH, f"{count} of {size} match")
    for predicate in family.predicates:
        alone = items.holds(predicate).bit_count()
        ledger.expect(
            alone >= LEAST_ALONE, family.id, Property.ALONE, f"{fact(predicate)} matches {alone}"
        )
        others = items.matching(p for p in family.predicates if p != predicate).bit_count()
        ledger.expect(
            others >= LEAST_WITHOUT_ONE,
            family.id,
            Property.DROP_ONE,
            f"without {fact(predicate)} {others} match",
        )
    if not answers:
        proposals = proposals_until_proof(items, family, MOST_PROPOSALS)
        ledger.expect(
            proposals is not None,
            family.id,
            Property.DECIDABLE,
            f"after {MOST_PROPOSALS} rejections a candidate may still fit",
        )


def _check_hidden(items: Items, family: Family, ledger: Ledger) -> None:
    hidden = family.hidden
    ledger.expect(
        1 <= len(hidden) <= MOST_HIDDEN, family.id, Property.HIDDEN_COUNT, f"{len(hidden)} are"
    )
    revealed = items.matching(p for p in family.predicates if p not in hidden)
    answers = items.matching(family.predicates)
    for size, nested in items.nested.items():
        before, after = (revealed & nested).bit_count(), (answers & nested).bit_count()
        ledger.expect(
            2 * after <= before,
            family.id,
            Property.RULES_OUT,
            f"{before} of {size} match what is revealed, {after} what is hidden too",
        )


def _check_formats(items: Items, family: Family, ledger: Ledger) -> None:
    """One accepted format, which some otherwise acceptable item lacks; or two to four; or none
    where formats are off."""
    names = {fold(name) for name in family.formats}
    unknown = sorted(names - set(items.formats))
    low, high = (FEWEST_FORMATS, MOST_FORMATS) if items.formats else (0, 0)
    if len(names) == 1 and items.formats and family.satisfiable:
        size, nested = _smallest(items)
        valid = items.matching(family.predicates) & nested & ~items.known(family.history)
        lacking = (valid & ~items.having(family.formats)).bit_count()
        ledger.expect(
            lacking >= 1,
            family.id,
            Property.FORMATS,
            f"all {valid.bit_count()} unread answers of {size} can be had as {family.formats[0]}",
        )
    else:
        ledger.expect(
            low <= len(names) <= high,
            family.id,
            Property.FORMATS,
            f"{len(names)} are accepted" + ("" if family.satisfiable else " by an NVR family"),
        )
    ledger.expect(not unknown, family.id, Property.FORMATS, f"no item can be had as {unknown}")


def _check_history(items: Items, family: Family, ledger: Ledger) -> None:
    """Nothing; or one valid answer and, for each hidden predicate, one item that fails only it."""
    if not family.history:
        return
    unknown = [item for item in family.history if item not in items.catalogue.position_of]
    ledger.expect(
        not unknown, family.id, Property.HISTORY, f"the catalogue does not have {unknown}"
    )
    read = items.known(family.history)
    valid = (read & items.matching(family.predicates)).bit_count()
    ledger.expect(valid == 1, family.id, Property.HISTORY, f"{valid} valid answers")
    for hidden in family.hidden:
        others = items.matching(p for p in family.predicates if p != hidden)
        failing = (read & others & ~items.holds(hidden)).bit_count()
        ledger.expect(
            failing == 1, family.id, Property.HISTORY, f"{failing} fail only {fact(hidden)}"
        )
    wanted = 1 + len(family.hidden)
    ledger.expect(
        len(family.history) == wanted,
        family.id,
        Property.HISTORY,
        f"{len(family.history)} items, not {wanted}",
    )
