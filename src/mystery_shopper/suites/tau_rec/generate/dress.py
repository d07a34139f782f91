"""What a family has besides its predicates: accepted formats, a history, a persona."""

from __future__ import annotations

import random
from collections.abc import Sequence

from mystery_shopper.catalog import Domain
from mystery_shopper.catalog.bits import Bits, bits_of, count_bits, positions_of
from mystery_shopper.suites.tau_rec.generate.draw import Predicates, Refused
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.rules import Rules

NO_ACCEPTABLE = "no acceptable answer in the smallest catalogue"


def choose_formats(
    pool: Pool, rules: Rules, rng: random.Random, *, one: bool = False
) -> tuple[str, ...]:
    """One accepted format, or two up to `most_formats` of them, in the catalogue's order. Where
    there is one format only (in stock or not), a family asks for that or for none."""
    if len(pool.formats) < 2:
        return pool.formats if one else ()
    count = 1 if one else rng.randint(2, min(rules.most_formats, len(pool.formats)))
    chosen = set(rng.sample(range(len(pool.formats)), count))
    return tuple(name for place, name in enumerate(pool.formats) if place in chosen)


def choose_history(
    pool: Pool,
    predicates: Predicates,
    hidden: Sequence[int],
    formats: Sequence[str],
    rng: random.Random,
) -> tuple[str, ...]:
    """One valid answer and, for each hidden predicate, one item that fails only it; all are of the
    smallest catalogue, in a shuffled order.

    The valid answer is the most popular one in an accepted format, the item that an agent
    without the history would recommend. Raises Refused where no second acceptable answer is left.
    """
    small = pool.members[0]
    good = positions_of(pool.matching(predicates) & pool.available(formats) & small)
    if len(good) < 2:
        raise Refused(NO_ACCEPTABLE)
    read = [int(good[0])]
    for place in hidden:
        others = predicates[:place] + predicates[place + 1 :]
        near = positions_of(pool.matching(others) & ~pool.mask(predicates[place]) & small)
        read.append(int(near[rng.randrange(len(near))]))
    rng.shuffle(read)
    return tuple(pool.catalogue.ids[position] for position in read)


def check_acceptable(
    pool: Pool, predicates: Predicates, formats: Sequence[str], history: Sequence[str]
) -> None:
    """An acceptable answer stays in the smallest catalogue; one accepted format is wanting on some
    otherwise valid item there. Raises Refused."""
    valid = pool.matching(predicates) & pool.members[0] & ~_read(pool, history)
    had = count_bits(valid & pool.available(formats))
    if not had:
        raise Refused(NO_ACCEPTABLE)
    if len(formats) == 1 and had == count_bits(valid):
        raise Refused("every valid item of the smallest catalogue has the one format")


def _read(pool: Pool, history: Sequence[str]) -> Bits:
    catalogue = pool.catalogue
    return bits_of([catalogue.position_of[item_id] for item_id in history], len(catalogue))


def draw_persona(domain: Domain, rng: random.Random) -> str:
    """One part of each list, joined; empty where the domain has no personas."""
    personas = domain.personas
    if personas is None:
        return ""
    parts = (personas.who, personas.situation, personas.manner)
    return " ".join(rng.choice(options) for options in parts if options)
