"""Interests: items that several users consumed one right after another, and what came before.

Source: RecBench+ §4.2.2.1 (common interest sets, preceding item sequences).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.shelves import Shelves

Longs = NDArray[np.int64]
SHORTEST = 2
LONGEST = 5
LONGEST_BEFORE = 3
LEAST_USERS = 3


@dataclass(frozen=True)
class Before:
    """Items consumed right before a sequence, earliest first, by so many users."""

    items: tuple[int, ...]
    users: int


@dataclass(frozen=True, eq=False)
class CommonSequence:
    """Items that users consumed one right after another. `users` are their places, ascending."""

    items: tuple[int, ...]
    users: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Runs:
    """The frequent sequences of one length: `starts` are the places of their first items in the
    shelves' positions, `names` the number of the sequence at each, sorted by name, then start."""

    length: int
    starts: Longs
    names: Longs


def common_sequences(
    shelves: Shelves, least_users: int = LEAST_USERS, longest: int = LONGEST
) -> list[CommonSequence]:
    """Every sequence of 2 to `longest` items that at least `least_users` users consumed without
    another item in between, the shorter first, then by its items' positions.

    Raises InputError where `least_users` is below 2.
    """
    if least_users < 2:
        raise InputError(
            f"a sequence of {least_users} users is nothing common",
            where="least users",
            remedy="Ask for at least 2 users.",
        )
    owners = shelves.owners.astype(np.int64)
    runs = _Runs(1, *_named(shelves.positions.astype(np.int64), np.arange(len(owners))))
    found: list[CommonSequence] = []
    while runs.length < longest and len(runs.starts):
        runs = _longer(shelves, owners, runs, least_users)
        found.extend(_listed(shelves, owners, runs))
    return found


def closed_sequences(found: Sequence[CommonSequence]) -> list[CommonSequence]:
    """Those that are no part of a longer one with as many users."""
    within: set[tuple[tuple[int, ...], int]] = set()
    for one in found:
        if len(one.items) > SHORTEST:
            within.update((part, len(one.users)) for part in (one.items[1:], one.items[:-1]))
    return [one for one in found if (one.items, len(one.users)) not in within]


def preceding(shelves: Shelves, one: CommonSequence, longest: int = LONGEST_BEFORE) -> list[Before]:
    """The sequences of 1 to `longest` items that users consumed right before this one, the most
    frequent first, then the longest, then by their items; a user counts once for each."""
    counts: Counter[tuple[int, ...]] = Counter()
    for user in one.users:
        row: list[int] = shelves.at(user).tolist()
        counts.update(set(_fronts(row, one.items, longest)))
    order = sorted(counts, key=lambda items: (-counts[items], -len(items), items))
    return [Before(items, counts[items]) for items in order]


def _fronts(row: Sequence[int], items: tuple[int, ...], longest: int) -> Iterator[tuple[int, ...]]:
    for start in range(len(row) - len(items) + 1):
        if tuple(row[start : start + len(items)]) == items:
            for length in range(1, min(longest, start) + 1):
                yield tuple(row[start - length : start])


def _longer(shelves: Shelves, owners: Longs, runs: _Runs, least_users: int) -> _Runs:
    """The frequent sequences of one item more: a frequent one and the item behind it."""
    ends = runs.starts + runs.length
    fits = ends < len(owners)
    fits[fits] = owners[ends[fits]] == owners[runs.starts[fits]]
    starts, ends = runs.starts[fits], ends[fits]
    keys = runs.names[fits] * len(shelves.graph) + shelves.positions[ends]
    names, starts = _named(keys, starts)[::-1]
    pairs = np.unique(names * len(shelves) + owners[starts])
    often = np.bincount(pairs // len(shelves), minlength=int(names.max(initial=-1)) + 1)
    kept = often[names] >= least_users
    return _Runs(runs.length + 1, starts[kept], names[kept])


def _named(keys: Longs, starts: Longs) -> tuple[Longs, Longs]:
    """(starts, a number for each key), sorted by key, then start."""
    order = np.lexsort((starts, keys))
    _, names = np.unique(keys[order], return_inverse=True)
    return starts[order], names.astype(np.int64)


def _listed(shelves: Shelves, owners: Longs, runs: _Runs) -> list[CommonSequence]:
    heads = np.flatnonzero(np.diff(runs.names, prepend=-1))
    found: list[CommonSequence] = []
    for places in np.split(runs.starts, heads[1:]) if len(heads) else []:
        start = int(places[0])
        items: list[int] = shelves.positions[start : start + runs.length].tolist()
        users: list[int] = np.unique(owners[places]).tolist()
        found.append(CommonSequence(tuple(items), tuple(users)))
    return sorted(found, key=lambda one: one.items)
