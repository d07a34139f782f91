"""No revealed fact gives a hidden one away: by likelihood, by a related label, by a named variety.

Source: τ-Rec-Books §3 ("a task never reveals British English, say, while hiding the United
Kingdom"); the likelihood rule makes it a number.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from mystery_shopper.catalog import Hierarchy, Predicate, fold
from mystery_shopper.suites.tau_rec.task import Family, fact
from mystery_shopper.suites.tau_rec.validate.columns import climb, wanted_labels
from mystery_shopper.suites.tau_rec.validate.items import Items
from mystery_shopper.suites.tau_rec.validate.report import Ledger, Property


def check_giveaways(items: Items, family: Family, ledger: Ledger) -> None:
    """The three rules for every hidden predicate of a family."""
    revealed = [predicate for predicate in family.predicates if predicate not in family.hidden]
    for hidden in family.hidden:
        for subset in _subsets(revealed, hidden.field):
            _check_likelihood(items, hidden, subset, family, ledger)
        if items.catalogue.domain.fields[hidden.field].kind.is_label:
            for told in revealed:
                _check_labels(items, hidden, told, family, ledger)


def _subsets(revealed: Sequence[Predicate], field: str) -> Iterator[tuple[Predicate, ...]]:
    """Every non-empty choice of revealed predicates, at least one of them on another field."""
    for count in range(1, len(revealed) + 1):
        for subset in combinations(revealed, count):
            if any(predicate.field != field for predicate in subset):
                yield subset


def _check_likelihood(
    items: Items,
    hidden: Predicate,
    subset: tuple[Predicate, ...],
    family: Family,
    ledger: Ledger,
) -> None:
    """Given away: P(h | S) >= 1/2 and P(h | S) >= 2 P(h), counted over the whole catalogue."""
    known, fitting = items.matching(subset), items.holds(hidden)
    given, both = known.bit_count(), (known & fitting).bit_count()
    everything, alone = len(items.catalogue), fitting.bit_count()
    likely = 2 * both >= given and both * everything >= 2 * alone * given
    ledger.expect(
        not (given and likely),
        family.id,
        Property.GIVEN_AWAY,
        f"of {given} with {' and '.join(map(fact, subset))}, {both} have {fact(hidden)}; "
        f"of all {everything}, {alone}",
    )


def _check_labels(
    items: Items, hidden: Predicate, told: Predicate, family: Family, ledger: Ledger
) -> None:
    domain = items.catalogue.domain
    tree = domain.hierarchies[hidden.field]
    secret = _labels(hidden)
    if told.field == hidden.field:
        ledger.expect(
            not _any_related(_labels(told), secret, tree),
            family.id,
            Property.RELATED,
            f"{fact(told)} is revealed, {fact(hidden)} hidden",
        )
        return
    if not domain.fields[told.field].kind.is_label:
        return
    places = {fold(variety): place for variety, place in domain.variety_of.items()}
    named = {
        label for asked in _labels(told) for label in climb(asked, domain.hierarchies[told.field])
    }
    ledger.expect(
        not _any_related([places[label] for label in named if label in places], secret, tree),
        family.id,
        Property.VARIETY,
        f"{fact(told)} is revealed, {fact(hidden)} hidden",
    )


def _labels(predicate: Predicate) -> list[str]:
    return sorted(wanted_labels(predicate))


def _any_related(told: Sequence[str], secret: Sequence[str], tree: Hierarchy) -> bool:
    """Whether a label told is a secret one, lies above it or below it."""
    return any(
        fold(one) in climb(other, tree) or fold(other) in climb(one, tree)
        for one in told
        for other in secret
    )
