"""Shared relations: what several items of one history have in common.

Source: RecBench+ §4.2.1.2 (shared relation extraction). A *shared relation* is a pair (group,
conditions): every item of the group meets all conditions, and no item of the history that meets
them is left out (the group is closed). The pairs are found level by level, all of a level at once
(Apriori; the free sets of Boulicaut et al. 2003 where conditions must be irreducible), with the
group of each as its sorted items. One history is looked at at a time: the work is linear in users.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property, reduce
from itertools import combinations
from operator import and_

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.foundation import InputError

MOST_CONDITIONS = 4
LEAST_ITEMS = 2

Longs = NDArray[np.int64]
Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Shared:
    """One pair: the conditions as the graph spells them, and the items' positions, sorted."""

    conditions: tuple[Condition, ...]
    group: tuple[int, ...]


@dataclass(frozen=True)
class ClosedGroup:
    """Items of a history that some set of conditions picks. `common`: every condition that all of
    them meet. `sets`: the irreducible sets that pick them. A set of conditions picks this group if
    and only if it holds one of `sets` and nothing beyond `common`."""

    group: tuple[int, ...]
    common: tuple[Condition, ...]
    sets: tuple[tuple[Condition, ...], ...]


@dataclass(frozen=True, eq=False)
class SharedRelations:
    """The pairs of one history, those of one condition first, then of two, and so on.

    `codes` has one row a pair, shape (n, 4): the codes of its conditions, ascending, -1 behind the
    last. The group of pair i is `members[offsets[i]:offsets[i + 1]]`, the items' positions sorted.
    `most`: how many conditions were looked for.
    """

    graph: ItemGraph
    most: int
    codes: Ints
    offsets: Longs
    members: Ints

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def widths(self) -> Longs:
        """The number of conditions of each pair."""
        return (self.codes >= 0).sum(axis=1)

    @cached_property
    def sizes(self) -> Longs:
        """The number of items in the group of each pair."""
        return np.diff(self.offsets)

    def codes_at(self, pair: int) -> tuple[int, ...]:
        """The codes of a pair's conditions."""
        return tuple(code for code in self.codes[pair].tolist() if code >= 0)

    def group(self, pair: int) -> Ints:
        """The positions of a pair's items, sorted."""
        return self.members[self.offsets[pair] : self.offsets[pair + 1]]

    def at(self, pair: int) -> Shared:
        """A pair by its number."""
        conditions = tuple(map(self.graph.condition, self.codes_at(pair)))
        return Shared(conditions, tuple(self.group(pair).tolist()))

    def __iter__(self) -> Iterator[Shared]:
        return map(self.at, range(len(self)))

    def closed_groups(self) -> Iterator[ClosedGroup]:
        """Every group once, in the order of its first pair. Of irreducible pairs only."""
        # A group as the bits of one whole number: what all of it meets is then found at once.
        items: list[int] = np.unique(self.members).tolist()
        borne = [self.graph.codes_of(item).tolist() for item in items]
        bits: dict[int, int] = {}
        for place, codes in enumerate(borne):
            for code in codes:
                bits[code] = bits.get(code, 0) | 1 << place
        sets: dict[int, list[tuple[int, ...]]] = {}
        first_of: dict[int, int] = {}
        for pair, row in enumerate(self.codes.tolist()):
            picked = tuple(code for code in row if code >= 0)
            group = reduce(and_, map(bits.__getitem__, picked))
            sets.setdefault(group, []).append(picked)
            first_of.setdefault(group, pair)
        name = cache(self.graph.condition)
        for group, alike in sets.items():
            any_one = borne[group.bit_length() - 1]
            common = sorted(code for code in any_one if group & bits[code] == group)
            yield ClosedGroup(
                tuple(self.group(first_of[group]).tolist()),
                tuple(map(name, common)),
                tuple(tuple(map(name, picked)) for picked in alike),
            )

    def every(self) -> Iterator[Shared]:
        """All pairs, one by one, those with conditions to spare as well. Of irreducible pairs only.

        Film histories have sixty times as many pairs as irreducible ones (106 against 1.7 million
        for 610 users of MovieLens), and these tell all of them.
        """
        for closed in self.closed_groups():
            needed = [frozenset(conditions) for conditions in closed.sets]
            for width in range(1, self.most + 1):
                for conditions in combinations(closed.common, width):
                    if any(one <= frozenset(conditions) for one in needed):
                        yield Shared(conditions, closed.group)


def shared_relations(
    graph: ItemGraph,
    history: NDArray[np.integer],
    *,
    most: int = MOST_CONDITIONS,
    irreducible: bool = False,
) -> SharedRelations:
    """All pairs of a history: every set of at most `most` conditions that at least two of its items
    meet, with those items.

    `history` holds positions in the graph, in any order; what occurs twice counts once.
    `irreducible`: only sets of which no proper part (of at least one condition) picks the same
    group. Raises InputError where `most` is not 1 to 4 or a position is not in the graph.
    """
    items = np.unique(np.asarray(history, np.int64))
    _check(graph, items, most)
    level, names = _first_level(graph, items)
    levels = [level] if len(names) else []
    while levels and levels[-1].width < most and len(levels[-1].sets):
        levels.append(_next_level(levels[-1], len(names), len(items), irreducible))
    return _gathered(graph, most, items, names, levels)


def _check(graph: ItemGraph, items: Longs, most: int) -> None:
    problems: list[str] = []
    if not 1 <= most <= MOST_CONDITIONS:
        problems.append(f"{most} conditions are asked for; there can be 1 to {MOST_CONDITIONS}")
    if len(items) and not 0 <= items[0] <= items[-1] < len(graph):
        problems.append(f"a history names an item that is not among the graph's {len(graph)}")
    if problems:
        raise InputError(
            problems, where="shared relations", remedy="Join the histories to this graph first."
        )


# --- the levels ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Level:
    """The sets of one size, by local codes and local items.

    `sets`: shape (n, width), sorted by row. Entry j says that item `items[j]` is in the group of
    set `owners[j]`; entries are sorted by set, then by item. `sizes`: the size of each group.
    """

    sets: Longs
    owners: Longs
    items: Longs
    sizes: Longs

    @property
    def width(self) -> int:
        return self.sets.shape[1]


def _first_level(graph: ItemGraph, items: Longs) -> tuple[_Level, Longs]:
    """(the single conditions that two items meet, the graph's code of each local one)."""
    starts = graph.offsets[items].astype(np.int64)
    counts = graph.offsets[items + 1] - starts
    rows = np.repeat(np.arange(len(items)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    codes = graph.codes[np.repeat(starts, counts) + within].astype(np.int64)
    names, local, often = np.unique(codes, return_inverse=True, return_counts=True)
    kept = often >= LEAST_ITEMS
    place = np.cumsum(kept) - 1
    chosen = kept[local]
    entries = np.sort(place[local[chosen]] * max(len(items), 1) + rows[chosen])
    owners, members = np.divmod(entries, max(len(items), 1))
    sets = np.arange(int(kept.sum()), dtype=np.int64)[:, None]
    return _Level(sets, owners, members, often[kept].astype(np.int64)), names[kept]


def _next_level(level: _Level, codes: int, items: int, irreducible: bool) -> _Level:
    """The sets with one condition more: each joins two that differ in their last condition only."""
    least = LEAST_ITEMS + irreducible  # A smaller group has no smaller one of two items in it.
    left, right, members = _joins(level, least, items)
    keys = (left * len(level.sets) + right) * items + members
    keys.sort()
    pairs, members = np.divmod(keys, items)
    heads = np.flatnonzero(np.diff(pairs, prepend=-1))
    sizes = np.diff(heads, append=len(pairs))
    left, right = np.divmod(pairs[heads], len(level.sets))
    kept = sizes >= LEAST_ITEMS
    if irreducible:
        kept &= (sizes < level.sizes[left]) & (sizes < level.sizes[right])
    sets = np.concatenate((level.sets[left], level.sets[right, -1:]), axis=1)
    if irreducible and level.width > 1:
        kept[kept] = _parts_differ(level, sets[kept], sizes[kept], codes)
    place = np.cumsum(kept) - 1
    chosen = np.repeat(kept, sizes)
    owners = np.repeat(place, sizes)[chosen]
    return _Level(sets[kept], owners, members[chosen], sizes[kept])


def _joins(level: _Level, least: int, items: int) -> tuple[Longs, Longs, Longs]:
    """(one set, a later set with the same conditions but the last, an item in both groups): every
    such triple, of groups of at least `least` items."""
    if level.width == 1:
        heads = np.zeros(len(level.sets), np.int64)
    else:
        changed = (level.sets[1:, :-1] != level.sets[:-1, :-1]).any(axis=1)
        heads = np.concatenate(([0], np.cumsum(changed)))
    wide = level.sizes[level.owners] >= least
    owners, members = level.owners[wide], level.items[wide]
    runs = heads[owners] * items + members
    order = np.argsort(runs, kind="stable")
    owners, members, runs = owners[order], members[order], runs[order]
    starts = np.flatnonzero(np.diff(runs, prepend=-1))
    lengths = np.diff(starts, append=len(runs))
    ends = np.repeat(starts + lengths, lengths)
    ahead = ends - np.arange(len(runs)) - 1
    one = np.repeat(np.arange(len(runs)), ahead)
    other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(ahead) - ahead, ahead)
    return owners[one], owners[other], members[one]


def _parts_differ(level: _Level, sets: Longs, sizes: Longs, codes: int) -> NDArray[np.bool_]:
    """Whether every part of each set with one condition less is irreducible itself and picks more
    items. The two parts that were joined are known to."""
    known = _keys(level.sets, codes)
    fine = np.ones(len(sets), bool)
    for left_out in range(sets.shape[1] - 2):
        keys = _keys(np.delete(sets, left_out, axis=1), codes)
        places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        fine &= (known[places] == keys) & (level.sizes[places] > sizes)
    return fine


def _keys(sets: Longs, codes: int) -> Longs:
    """One number for each set, in the order of the rows. Three conditions of two million fit."""
    keys = sets[:, 0].copy()
    for column in range(1, sets.shape[1]):
        keys = keys * codes + sets[:, column]
    return keys


def _gathered(
    graph: ItemGraph, most: int, items: Longs, names: Longs, levels: list[_Level]
) -> SharedRelations:
    """The levels as one, in the graph's codes and positions."""
    total = sum(len(level.sets) for level in levels)
    codes = np.full((total, MOST_CONDITIONS), -1, np.int32)
    row = 0
    for level in levels:
        codes[row : row + len(level.sets), : level.width] = names[level.sets]
        row += len(level.sets)
    offsets = np.zeros(total + 1, np.int64)
    if levels:
        np.cumsum(np.concatenate([level.sizes for level in levels]), out=offsets[1:])
    members = [items[level.items] for level in levels]
    held = np.concatenate(members) if members else np.empty(0, np.int64)
    return SharedRelations(graph, most, codes, offsets, held.astype(np.int32))
