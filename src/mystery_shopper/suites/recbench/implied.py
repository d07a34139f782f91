"""References: a value told through items that share it and nothing else of its kind.

Source: RecBench+ §4.2.1.3 (implicit condition construction).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import ItemGraph

MOST_THROUGH = 3
_MOST_TRIED = 60


def common_codes(graph: ItemGraph, positions: Sequence[int], relation: str) -> frozenset[int]:
    """The codes of a relation that every one of the items bears; none where there is no item."""
    place = graph.relation_at(relation)
    low, high = int(graph.first[place]), int(graph.first[place + 1])
    borne = [
        {code for code in graph.codes_of(position).tolist() if low <= code < high}
        for position in positions
    ]
    return frozenset(set.intersection(*borne)) if borne else frozenset()


def refers(graph: ItemGraph, positions: Sequence[int], code: int) -> bool:
    """Whether the items' common values under the code's relation are exactly that one."""
    return common_codes(graph, positions, graph.condition(code).relation) == frozenset((code,))


def find_reference(
    graph: ItemGraph,
    code: int,
    known: NDArray[np.bool_],
    may_name: Callable[[int], bool],
    source: random.Random,
    most: int = MOST_THROUGH,
) -> tuple[int, ...] | None:
    """One to `most` items, each of which may be named, that refer to a code; None where none were
    found. `known`: the items by position that are better known; others are looked at after them.

    The first item is drawn; each further one takes away the most of what is common beside the code.
    Where one item suffices a second is added half of the time.
    """
    bearers = graph.bearers(code)
    tried: list[int] = []
    for some in (bearers[known[bearers]].tolist(), bearers[~known[bearers]].tolist()):
        drawn = source.sample(some, min(_MOST_TRIED - len(tried), len(some)))
        tried += [position for position in drawn if may_name(position)]
    relation = graph.condition(code).relation
    values = {position: common_codes(graph, [position], relation) for position in tried}
    for first in tried:
        chosen, common = [first], values[first]
        others = [position for position in tried if position != first]
        wanted = 1 + (most > 1 and source.random() < 0.5)
        while len(common) > 1 and len(chosen) < most and others:
            # The smallest rest, then the order of the draw.
            best = min(others, key=lambda position: len(common & values[position]))
            if len(common & values[best]) == len(common):
                break
            chosen.append(best)
            others.remove(best)
            common &= values[best]
        if common == frozenset((code,)):
            chosen += others[: max(0, wanted - len(chosen))]
            return tuple(chosen)
    return None
