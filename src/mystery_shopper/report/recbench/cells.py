"""The figures of a run by type and number of conditions, by interest popularity and by the group
that a demographics query speaks for.

A figure is a mean over answers, with an interval that draws users (a user's queries share a
history). Source: RecBench+ §5.2 and §6.1.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.recbench.played import COLUMNS, Asked, Counts, Played
from mystery_shopper.report.recbench.words import ATTRIBUTES, KINDS
from mystery_shopper.statistics.contrasts import Contrast, paired_bootstrap
from mystery_shopper.suites.recbench.query import CONDITION_KINDS, Kind
from mystery_shopper.suites.recbench.summary import ALL, CONDITIONS

SPLIT = ("precision_own", "recall_own", "precision_all", "recall_all", "failed", "hallucinated")
"""The figures of groups of profile queries."""
GROUPS = 5
"""From the most to the least popular interests (RecBench+ figure 6)."""
SEED = 0

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Cell:
    """The figures of one group of queries of a run, by name (`COLUMNS`): `free` over all that was
    recommended, `five` over each answer's first five items (of types only). `part` is the
    attribute of a demographics group, else empty; `group` is the width, the value, or the
    popularity group, of which `shared` tells how many users share its interests."""

    kind: str
    part: str
    group: str
    counts: Counts
    free: Mapping[str, Estimate]
    five: Mapping[str, Estimate]
    shared: tuple[int, int] | None = None

    def at(self, name: str, *, five: bool = False) -> Estimate:
        """One figure."""
        return (self.five if five else self.free)[name]


def by_type(run: Played, *, resamples: int) -> tuple[Cell, ...]:
    """The cells of each type by number of conditions, each type over all of them, all conditions,
    and all: in the order in which they stand in a table. The rows are those of the suite's own
    summary, all on one draw of users."""
    groups = type_groups(run.asked)
    free, five = (
        means(run, groups, COLUMNS, "types", resamples=resamples, five=five)
        for five in (False, True)
    )
    return tuple(
        Cell(kind, "", width, run.counts_of(asked), free[kind, width], five[kind, width])
        for (kind, width), asked in groups.items()
    )


def type_groups(asked: Sequence[Asked]) -> dict[tuple[str, str], list[Asked]]:
    """(type, number of conditions) -> queries; the number is empty where all are meant."""
    there = dict.fromkeys((one.kind, width) for one in asked for width in ("", one.width))
    several = {one.kind for one in asked}
    if len(several.intersection(CONDITION_KINDS)) > 1:
        there[CONDITIONS, ""] = None
    if len(several) > 1:
        there[ALL, ""] = None
    order = {kind: place for place, kind in enumerate(KINDS)}
    return {
        key: [one for one in asked if _belongs(one, *key)]
        for key in sorted(there, key=lambda key: (order.get(key[0], len(order)), key))
    }


def _belongs(asked: Asked, kind: str, width: str) -> bool:
    if kind == ALL:
        return True
    if kind == CONDITIONS:
        return asked.kind in CONDITION_KINDS
    return asked.kind == kind and (not width or asked.width == width)


def means(
    run: Played,
    groups: Mapping[Key, Sequence[Asked]],
    names: Sequence[str],
    purpose: str,
    *,
    resamples: int,
    five: bool = False,
) -> dict[Key, dict[str, Estimate]]:
    """Figures of any groups of a run's queries, all on one draw of users."""
    wanted: list[tuple[Key, str, Contrast]] = []
    for key, asked in groups.items():
        ids = {one.id for one in asked}
        places = run.places(lambda one, ids=ids: one.id in ids)
        wanted += [
            (key, name, Contrast(name, run.column(name, five=five)[places], run.users[places]))
            for name in names
        ]
    results = paired_bootstrap(
        [contrast for _, _, contrast in wanted],
        seed=derive_seed(SEED, "cells", purpose), resamples=resamples,
    )  # fmt: skip
    made: dict[Key, dict[str, Estimate]] = {key: {} for key in groups}
    for (key, name, _), found in zip(wanted, results, strict=True):
        made[key][name] = Estimate(
            found.estimate, found.low, found.high, found.tasks, found.unpaired
        )
    return made


def popularity_groups(asked: Sequence[Asked]) -> dict[str, tuple[Asked, ...]]:
    """`1` (the most popular) to `5` -> the interest queries in it: fifths of the queries ranked by
    how many users consumed the common sequence, equally popular ones in their own order."""
    known = [one for one in asked if one.kind == Kind.INTEREST and one.popularity is not None]
    ranked = sorted(known, key=lambda one: -(one.popularity or 0))
    found: dict[str, list[Asked]] = {}
    for place, one in enumerate(ranked):
        found.setdefault(str(GROUPS * place // len(ranked) + 1), []).append(one)
    return {name: tuple(some) for name, some in found.items()}


def shared_by(asked: Sequence[Asked]) -> tuple[int, int]:
    """How many users share the least and the most popular of some interests."""
    counts = [one.popularity for one in asked if one.popularity is not None]
    return min(counts), max(counts)


def demographic_groups(asked: Sequence[Asked]) -> dict[tuple[str, str], tuple[Asked, ...]]:
    """(attribute, value) -> the demographics queries that speak for such users; a query for women
    of 25 to 34 stands under both."""
    found: dict[tuple[str, str], list[Asked]] = {}
    for one in asked:
        if one.kind == Kind.DEMOGRAPHICS:
            for attribute, value in one.group.items():
                found.setdefault((attribute, value), []).append(one)
    known = {name: place for place, name in enumerate(ATTRIBUTES)}
    order = sorted(found, key=lambda key: (known.get(key[0], len(known)), key))
    return {key: tuple(found[key]) for key in order}


def by_popularity(run: Played, *, resamples: int) -> tuple[Cell, ...]:
    """The interest queries by popularity; none where the query set is not at hand."""
    groups = popularity_groups(run.asked)
    found = means(run, groups, SPLIT, "popularity", resamples=resamples)
    return tuple(
        Cell(Kind.INTEREST.value, "", name, run.counts_of(asked), found[name], {}, shared_by(asked))
        for name, asked in groups.items()
    )


def by_demographics(run: Played, *, resamples: int) -> tuple[Cell, ...]:
    """The demographics queries by each attribute of their group."""
    groups = demographic_groups(run.asked)
    found = means(run, groups, SPLIT, "demographics", resamples=resamples)
    return tuple(
        Cell(Kind.DEMOGRAPHICS.value, *key, run.counts_of(asked), found[key], {})
        for key, asked in groups.items()
    )
