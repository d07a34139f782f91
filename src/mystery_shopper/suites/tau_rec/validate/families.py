"""The properties of one family over the catalogue's items.

Source: τ-Rec-Books §3 and §5. Thresholds are compared in whole numbers, never as fractions.
"""

from __future__ import annotations

from mystery_shopper.catalog import fold
from mystery_shopper.suites.tau_rec.task import Family, fact
from mystery_shopper.suites.tau_rec.validate.giveaway import check_giveaways
from mystery_shopper.suites.tau_rec.validate.items import Items, ItemSet
from mystery_shopper.suites.tau_rec.validate.proof import proposals_until_proof
from mystery_shopper.suites.tau_rec.validate.report import Ledger, Property
from mystery_shopper.suites.tau_rec.validate.request import check_request

LEAST_ALONE = 20
LEAST_WITHOUT_ONE = 3
MOST_PROPOSALS = 15
MOST_HIDDEN = 2
FEWEST_FORMATS, MOST_FORMATS = 2, 4


def check_family(items: Items, family: Family, ledger: Ledger) -> None:
    """Every property of one well-formed family. What only our generator promises is not held
    against an imported one."""
    if family.policies is not None:
        _check_imported(items, family, ledger)
        return
    check_request(items, family, ledger)
    check_answers(items, family, ledger)
    _check_material(items, family, ledger)
    if family.satisfiable:
        _check_acceptable(items, family, ledger)
    else:
        _check_nvr(items, family, ledger)
    _check_hidden(items, family, ledger)
    check_giveaways(items, family, ledger)
    _check_formats(items, family, ledger)
    _check_history(items, family, ledger)


def _check_imported(items: Items, family: Family, ledger: Ledger) -> None:
    """The answers are as the file says, there is one to recommend or none at all, and the catalogue
    has what was consumed."""
    check_answers(items, family, ledger)
    if family.satisfiable:
        _check_acceptable(items, family, ledger)
    else:
        _check_no_match(items, family, ledger)
    _check_known(items, family, ledger)


def check_answers(items: Items, family: Family, ledger: Ledger) -> None:
    """The answer counts, and that a family has an answer or none as it says."""
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


def _check_no_match(items: Items, family: Family, ledger: Ledger) -> ItemSet:
    answers = items.matching(family.predicates)
    for size, nested in items.nested.items():
        count = (answers & nested).bit_count()
        ledger.expect(not count, family.id, Property.NO_MATCH, f"{count} of {size} match")
    return answers


def _check_nvr(items: Items, family: Family, ledger: Ledger) -> None:
    answers = _check_no_match(items, family, ledger)
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
    """One accepted format, which some otherwise acceptable item lacks; or two to four. Where items
    can be had in one way only, that or none; where formats are off, none."""
    names = {fold(name) for name in family.formats}
    unknown = sorted(names.difference(items.formats))
    several = len(items.formats) > 1
    low, high = (FEWEST_FORMATS, MOST_FORMATS) if several else (0, len(items.formats))
    if len(names) == 1 and several and family.satisfiable:
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


def _check_known(items: Items, family: Family, ledger: Ledger) -> None:
    unknown = [item for item in family.history if items.catalogue.find(item) is None]
    ledger.expect(
        not unknown, family.id, Property.HISTORY, f"the catalogue does not have {unknown}"
    )


def _check_history(items: Items, family: Family, ledger: Ledger) -> None:
    """Nothing; or one valid answer and, for each hidden predicate, one item that fails only it."""
    if not family.history:
        return
    _check_known(items, family, ledger)
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
