"""How many families of which sort: quotas in the proportions of 150.

Of 150 families 50 are of each tier and 5 of those have no valid recommendation (NVR); 53 hide two
predicates; 48 carry a history and 17 of these hide two; 36 satisfiable ones accept one format only.
That 3 of a tier's 5 NVR families are `long`, and that one of the 15 hides two predicates, is ours.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mystery_shopper.suites.tau_rec.generate.slots import Template
from mystery_shopper.suites.tau_rec.task import Tier

SCALE = 150
NVR_PER_TIER = 5
LONG_NVR_PER_TIER = 3
TWO_HIDDEN = 53
TWO_HIDDEN_NVR = 1
HISTORIES = 48
HISTORIES_TWO_HIDDEN = 17
ONE_FORMAT = 36


@dataclass(frozen=True)
class Brief:
    """What one family is to be. `template` is where the drawing starts. `long` NVR families have
    more candidates on the hidden condition than a trial has room to propose, so that trying all of
    them is no way to find out that nothing fits.
    """

    tier: Tier
    template: Template
    satisfiable: bool
    hides: int = 1
    history: bool = False
    one_format: bool = False
    long: bool = False


def share(families: int, of_scale: int) -> int:
    """`of_scale` in 150, scaled to this many families and rounded (halves up)."""
    return (2 * families * of_scale + SCALE) // (2 * SCALE)


def make_plan(
    templates: Mapping[Tier, Sequence[Template]],
    families: int,
    rng: random.Random,
    *,
    formats: bool,
) -> list[Brief]:
    """One brief a family, tier by tier. Within a tier templates take turns, NVR briefs first from
    templates of their own order, and the order is shuffled. A tier without templates has none."""
    briefs: list[Brief] = []
    for index, tier in enumerate(Tier):
        if not templates[tier]:
            continue
        count = families // len(Tier) + (index < families % len(Tier))
        barren = share(families, NVR_PER_TIER * len(Tier)) // len(Tier)
        long = share(families, LONG_NVR_PER_TIER * len(Tier)) // len(Tier)
        turns = rng.sample(templates[tier], len(templates[tier]))
        for_nvr = rng.sample(templates[tier], len(templates[tier]))
        block = [
            Brief(tier, for_nvr[n % len(for_nvr)], False, long=n < long) for n in range(barren)
        ]
        block += [Brief(tier, turns[n % len(turns)], True) for n in range(count - barren)]
        rng.shuffle(block)
        briefs += block
    _hide_two(briefs, families, rng)
    _give_histories(briefs, families, rng)
    if formats:
        _restrict_formats(briefs, families, rng)
    return briefs


def _hide_two(briefs: list[Brief], families: int, rng: random.Random) -> None:
    """Two hidden where at least three predicates are; one of the fifteen NVR families too."""
    roomy = [i for i, brief in enumerate(briefs) if len(brief.template) > 2]
    barren = [i for i in roomy if not briefs[i].satisfiable and len(briefs[i].template) > 3]
    fertile = [i for i in roomy if briefs[i].satisfiable]
    few = min(share(families, TWO_HIDDEN_NVR), len(barren))
    many = min(share(families, TWO_HIDDEN) - few, len(fertile))
    for i in rng.sample(barren, few) + rng.sample(fertile, many):
        briefs[i] = replace(briefs[i], hides=2)


def _give_histories(briefs: list[Brief], families: int, rng: random.Random) -> None:
    fertile = [i for i, brief in enumerate(briefs) if brief.satisfiable]
    two = [i for i in fertile if briefs[i].hides == 2]
    one = [i for i in fertile if briefs[i].hides == 1]
    hinted = min(share(families, HISTORIES_TWO_HIDDEN), len(two))
    plain = min(share(families, HISTORIES) - hinted, len(one))
    for i in rng.sample(two, hinted) + rng.sample(one, plain):
        briefs[i] = replace(briefs[i], history=True)


def _restrict_formats(briefs: list[Brief], families: int, rng: random.Random) -> None:
    fertile = [i for i, brief in enumerate(briefs) if brief.satisfiable]
    for i in rng.sample(fertile, min(share(families, ONE_FORMAT), len(fertile))):
        briefs[i] = replace(briefs[i], one_format=True)
