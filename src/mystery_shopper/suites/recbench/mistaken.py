"""Claims: items that are said to bear a value, and do not.

Source: RecBench+ §4.2.1.3 (misinformed condition construction).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.suites.recbench.implied import common_codes

MOST_CLAIMED = 3
_MOST_TRIED = 60


def contradicted(graph: ItemGraph, position: int, code: int) -> bool:
    """Whether the graph knows values of the item under the code's relation, and not this one."""
    known = common_codes(graph, [position], graph.condition(code).relation)
    return bool(known) and code not in known


def find_claim(
    graph: ItemGraph,
    code: int,
    candidates: Sequence[int],
    may_name: Callable[[int], bool],
    source: random.Random,
    most: int = MOST_CLAIMED,
) -> tuple[int, ...] | None:
    """One to `most` of the candidates, each of which may be named, of which it is wrong to say that
    they meet the code; None where there is none. How many is drawn; fewer where there are fewer."""
    wanted = source.randint(1, most)
    chosen: list[int] = []
    for position in source.sample(candidates, min(_MOST_TRIED, len(candidates))):
        if may_name(position) and contradicted(graph, position, code):
            chosen.append(position)
            if len(chosen) == wanted:
                break
    return tuple(chosen) or None
