"""Which predicates a family hides and which it states.

Source: τ-Rec-Books §3 (hidden predicates rule out half; no revealed fact gives a hidden one away).
The probabilities that make "gives away" precise are ours.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

from mystery_shopper.catalog import Domain, Predicate, fold
from mystery_shopper.catalog.bits import Positions, count_bits, positions_of
from mystery_shopper.suites.tau_rec.generate.draw import Predicates, Refused
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.hypotheses import Elimination
from mystery_shopper.suites.tau_rec.task import Condition, Reveal

UNGUESSABLE = "a hidden predicate is too rare to be found by proposing"
UNDECIDABLE = "not decidable within the proposals allowed"


def choose_hidden(
    pool: Pool, rules: Rules, predicates: Predicates, hides: int, rng: random.Random
) -> tuple[int, ...]:
    """The places of the hidden predicates: the first lawful choice in a shuffled order. Raises
    Refused with the rule that the last choice broke."""
    order = list(combinations(range(len(predicates)), hides))
    rng.shuffle(order)
    reason = ""
    answers = pool.counts(pool.matching(predicates))
    for hidden in order:
        kept = [one for place, one in enumerate(predicates) if place not in hidden]
        if not _halves(answers, pool.counts(pool.matching(kept))):
            reason = "hidden predicates rule out too little"
        elif _lottery(rules, answers[-1], pool.counts(pool.matching(kept))[-1]):
            reason = UNGUESSABLE
        elif any(given_away(pool, rules, predicates[place], kept) for place in hidden):
            reason = "a revealed fact gives a hidden one away"
        else:
            return hidden
    raise Refused(reason)


def _halves(answers: Sequence[int], revealed: Sequence[int]) -> bool:
    return all(2 * few <= many for few, many in zip(answers, revealed, strict=True))


def _lottery(rules: Rules, answers: int, revealed: int) -> bool:
    return 0 < rules.odds * answers < revealed


def given_away(pool: Pool, rules: Rules, hidden: Predicate, revealed: Sequence[Predicate]) -> bool:
    """Whether revealed predicates give the hidden one away.

    They do when some of them, at least one on another field, make it probable (`known_percent`)
    and much more probable than it is anyway (`lift`), counted over the full catalogue; when one
    names an ancestor or descendant label; or when one names a variety of what the other names.
    """
    domain = pool.catalogue.domain
    if any(names_kin(domain, hidden, other) for other in revealed):
        return True
    everything = len(pool.catalogue)
    wanted = pool.mask(hidden)
    alone = count_bits(wanted)
    for chosen in _subsets(revealed):
        if all(one.field == hidden.field for one in chosen):
            continue
        facts = pool.matching(chosen)
        known, both = count_bits(facts), count_bits(facts & wanted)
        probable = 100 * both >= rules.known_percent * known
        if known and probable and both * everything >= rules.lift * alone * known:
            return True
    return False


def _subsets(revealed: Sequence[Predicate]) -> Iterator[tuple[Predicate, ...]]:
    sizes = range(1, len(revealed) + 1)
    return chain.from_iterable(combinations(revealed, size) for size in sizes)


def names_kin(domain: Domain, one: Predicate, other: Predicate) -> bool:
    """Whether two label predicates name one label, a label and one above it, or a variety and what
    it is a variety of (American English and the United States, in either order)."""
    if not (isinstance(one.value, str) and isinstance(other.value, str)):
        return False
    if one.field == other.field:
        return domain.hierarchies[one.field].related(one.value, other.value)
    return _variety(domain, one, other) or _variety(domain, other, one)


def _variety(domain: Domain, special: Predicate, general: Predicate) -> bool:
    label, place = str(special.value), str(general.value)
    tree = domain.hierarchies[general.field]
    table = {fold(variety): of for variety, of in domain.variety_of.items()}
    names = (label, *domain.hierarchies[special.field].ancestors(label))
    told = [table[fold(name)] for name in names if fold(name) in table]
    return any(tree.related(of, place) for of in told)


def check_decidable(
    pool: Pool,
    rules: Rules,
    predicates: Predicates,
    hidden: Sequence[int],
    formats: Sequence[str],
    *,
    long: bool,
) -> None:
    """A patient elimination that knows every askable fact proves, at every nested size and within
    the proposals allowed, that nothing fits; and, for a `long` family, the full catalogue has more
    candidates than a trial has room for. Raises Refused."""
    revealed = [one for place, one in enumerate(predicates) if place not in hidden]
    declined = sorted({predicates[place].field for place in hidden})
    open_ = pool.matching(revealed) & pool.available(formats)
    if long and count_bits(open_) <= rules.room:
        raise Refused("proposing every candidate would do")
    for members in pool.members:
        if not _proves(pool, rules, positions_of(open_ & members), revealed, declined):
            raise Refused(UNDECIDABLE)


def _proves(
    pool: Pool,
    rules: Rules,
    candidates: Positions,
    revealed: Sequence[Predicate],
    declined: Sequence[str],
) -> bool:
    hunt = Elimination(pool.space, candidates, revealed, declined)
    for _ in range(rules.proposals):
        best = hunt.best()
        if best is None:
            return True
        hunt.reject(best)
    return hunt.best() is None


def choose_stated(count: int, hidden: Sequence[int], rng: random.Random) -> int:
    """The place of the one predicate that the opening states."""
    return rng.choice([place for place in range(count) if place not in hidden])


def reveal_tags(
    count: int, stated: int, hidden: Sequence[int]
) -> dict[Condition, tuple[Reveal, ...]]:
    """One tag a predicate for each condition; the same predicate is stated in the last two."""
    mixed = [Reveal.STATED if place == stated else Reveal.ON_ASK for place in range(count)]
    secret = [Reveal.HIDDEN if place in hidden else tag for place, tag in enumerate(mixed)]
    return {
        Condition.VOLUNTEER: (Reveal.STATED,) * count,
        Condition.MIXED: tuple(mixed),
        Condition.HIDDEN: tuple(secret),
    }
