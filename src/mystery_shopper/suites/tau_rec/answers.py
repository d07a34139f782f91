"""Which items satisfy each request: the answer key of a task set, computed from its catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

import msgspec
import numpy as np

from mystery_shopper.catalog import Catalogue, fold
from mystery_shopper.catalog.bits import Bits, positions_of
from mystery_shopper.catalog.formats import format_masks
from mystery_shopper.catalog.structured import StructuredIndex
from mystery_shopper.suites.tau_rec.task import Family, TaskSet


class Answers(msgspec.Struct, frozen=True):
    """`satisfying`: the ids of all items that meet every requirement; `reachable`: those of them
    that can be had in a format (a service) that the user accepts, all where the user names none.
    Both in the order of the ids. What the user already knows is not taken out."""

    satisfying: tuple[str, ...]
    reachable: tuple[str, ...]


def answers(task_set: TaskSet, catalogue: Catalogue) -> dict[str, Answers]:
    """Family id -> its answers, families in the set's order. An imported family bears the id of the
    task that it was."""
    index, formats = StructuredIndex.build(catalogue), format_masks(catalogue)
    return {family.id: _of(family, index, formats) for family in task_set.families}


def _of(family: Family, index: StructuredIndex, formats: Mapping[str, Bits]) -> Answers:
    ids = index.catalogue.ids
    met = reduce(np.bitwise_and, [index.bits(predicate) for predicate in family.predicates])
    reach = met
    if family.formats:
        none = np.zeros_like(met)
        had = [formats.get(fold(name), none) for name in family.formats]
        reach = met & reduce(np.bitwise_or, had)
    return Answers(
        *(tuple(sorted(ids[int(p)] for p in positions_of(bits))) for bits in (met, reach))
    )
