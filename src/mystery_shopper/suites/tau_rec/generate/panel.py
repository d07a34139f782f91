"""Which families every agent runs, and which of these run most often.

Of 150 families 51 are the panel: 15 satisfiable and 2 NVR ones of each tier. Of the panel 18 are
the reliability block: 5 satisfiable and 1 NVR of each tier. Other numbers of families keep the
proportions, tier by tier, since a catalogue may give a tier fewer families or none. How the paper's
two blocks divide over the tiers it does not say; ours is even.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from mystery_shopper.suites.tau_rec.generate.plan import share
from mystery_shopper.suites.tau_rec.task import Family, Tier

PANEL = {True: 45, False: 6}
RELIABILITY = {True: 15, False: 3}


def choose_panel(
    families: Sequence[Family], rng: random.Random
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(panel, reliability): ids in the families' order."""
    panel: set[str] = set()
    reliability: set[str] = set()
    for tier in Tier:
        count = sum(family.tier is tier for family in families)
        for satisfiable in (True, False):
            ids = [
                family.id
                for family in families
                if family.tier is tier and family.satisfiable is satisfiable
            ]
            wide = min(_per_tier(count, PANEL[satisfiable]), len(ids))
            narrow = min(_per_tier(count, RELIABILITY[satisfiable]), wide)
            chosen = rng.sample(ids, wide)
            panel.update(chosen)
            reliability.update(chosen[:narrow])
    order = [family.id for family in families]
    return (
        tuple(one for one in order if one in panel),
        tuple(one for one in order if one in reliability),
    )


def _per_tier(of_tier: int, of_scale: int) -> int:
    """The share of a tier that has so many families; at least one, so that small sets have a panel
    too."""
    return max(1, share(of_tier * len(Tier), of_scale) // len(Tier))
