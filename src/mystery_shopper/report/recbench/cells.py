"""The figures of a run by type and number of conditions, by interest popularity and by the group
that a demographics query speaks for.

A figure is a mean over answers, with an interval that draws users (a user's queries share a
history). Source: RecBench+ §5.2 and §6.1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.recbench.played import Answered, Asked, Counts, Played
from mystery_shopper.report.recbench.words import ATTRIBUTES, KINDS
from mystery_shopper.statistics import Interval, cluster_bootstrap_columns
from mystery_shopper.suites.recbench.metrics import NAMES, Floats
from mystery_shopper.suites.recbench.query import CONDITION_KINDS, Kind
from mystery_shopper.suites.recbench.summary import ALL, CONDITIONS, SummaryRow, summarise

COLUMNS = (*NAMES, "success")
GROUPS = 5
"""From the most to the least popular interests (RecBench+ figure 6)."""
SEED = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """The figures of one group of a run's queries, by name (`COLUMNS`): `free` over all that was
    recommended, `five` over each answer's first five items. `part` is the attribute of a
    demographics group, else empty; `group` is the width, the value, or the popularity group."""

    kind: str
    part: str
    group: str
    counts: Counts
    free: Mapping[str, Estimate]
    five: Mapping[str, Estimate]

    def at(self, name: str, *, five: bool = False) -> Estimate:
        """One figure."""
        return (self.five if five else self.free)[name]


def estimate_of(found: Interval) -> Estimate:
    """A mean with its interval; None where nothing was scored, and no interval from one user."""
    if math.isnan(found.estimate):
        return Estimate(None, None, None, 0, found.unscored)
    bounds = (None, None) if found.one_cluster else (found.low, found.high)
    return Estimate(found.estimate, *bounds, found.scored, found.unscored)


def figures_of(answers: Sequence[Answered], *, five: bool = False) -> Floats:
    """(answers, `COLUMNS`), NaN where unscored. `five`: of the first five items."""
    rows: list[list[float]] = []
    for one in answers:
        figures = one.score.at_five if five else one.score.figures
        values = [getattr(figures, name) for name in NAMES]
        success = one.score.success
        values.append(None if success is None else float(success))
        rows.append([math.nan if value is None else float(value) for value in values])
    return np.array(rows, dtype=np.float64).reshape(len(answers), len(COLUMNS))


def users_of(answers: Iterable[Answered]) -> np.ndarray[tuple[int], np.dtype[np.str_]]:
    """(answers,) who asked: what intervals draw."""
    return np.array([one.asked.user for one in answers], dtype=np.str_)


def by_type(run: Played, *, resamples: int) -> tuple[Cell, ...]:
    """The cells of each type by number of conditions, each type over all of them, all conditions,
    and all: in the order in which they stand in a table."""
    rows = summarise(
        [one.entry for one in run.valid], SEED, planned=run.planned, resamples=resamples
    )
    made = [_summed(run, row, resamples) for row in rows]
    several = {(cell.kind, bool(cell.group)) for cell in made}
    alone = {kind for kind, wide in several if wide and (kind, False) not in several}
    # A type that was asked with one number of conditions only has that row for all of them too.
    made += [_any_width(cell) for cell in made if cell.kind in alone]
    order = {kind: place for place, kind in enumerate(KINDS)}
    return tuple(sorted(made, key=lambda one: (order.get(one.kind, len(order)), one.group)))


def _any_width(cell: Cell) -> Cell:
    return Cell(cell.kind, cell.part, "", cell.counts, cell.free, cell.five)


def _summed(run: Played, row: SummaryRow, resamples: int) -> Cell:
    here = [one for one in run.asked if _belongs(one, row.kind, row.width)]
    ids = {one.id for one in here}
    valid = [one for one in run.valid if one.asked.id in ids]
    seed = derive_seed(SEED, "success", f"{row.kind}/{row.width}")
    success = _means(figures_of(valid)[:, -1:], valid, seed, resamples)
    free, five = (
        {name: estimate_of(found) for name, found in figures.items()} | {"success": success[0]}
        for figures in (row.free, row.at_five)
    )
    return Cell(row.kind, "", row.width, run.counts_of(here), free, five)


def _belongs(asked: Asked, kind: str, width: str) -> bool:
    if kind == ALL:
        return True
    if kind == CONDITIONS:
        return asked.kind in CONDITION_KINDS
    return asked.kind == kind and (not width or asked.width == width)


def cell_of(
    run: Played, kind: str, part: str, group: str, asked: Sequence[Asked], *, resamples: int
) -> Cell:
    """The figures of any group of a run's queries."""
    ids = {one.id for one in asked}
    valid = [one for one in run.valid if one.asked.id in ids]
    both = np.concatenate([figures_of(valid), figures_of(valid, five=True)], axis=1)
    seed = derive_seed(SEED, "cell", kind, part, group)
    found = _means(both, valid, seed, resamples)
    free, five = found[: len(COLUMNS)], found[len(COLUMNS) :]
    return Cell(
        kind, part, group, run.counts_of(asked), dict(zip(COLUMNS, free, strict=True)),
        dict(zip(COLUMNS, five, strict=True)),
    )  # fmt: skip


def _means(table: Floats, answers: Sequence[Answered], seed: int, resamples: int) -> list[Estimate]:
    found = cluster_bootstrap_columns(table, users_of(answers), seed=seed, resamples=resamples)
    return [estimate_of(one) for one in found]


def popularity_groups(asked: Sequence[Asked]) -> dict[str, tuple[Asked, ...]]:
    """`1` (the most popular) to `5` -> the interest queries in it: fifths of the queries ranked by
    how many users consumed the common sequence; equally popular ones stand in one group, the first
    that any of them falls into. A group that none falls into is left out."""
    known = [one for one in asked if one.kind == Kind.INTEREST and one.popularity is not None]
    counts = np.array([one.popularity for one in known], dtype=np.int64)
    found: dict[str, list[Asked]] = {}
    for one, mine in zip(known, counts.tolist(), strict=True):
        place = int((counts > mine).sum())
        found.setdefault(str(GROUPS * place // len(known) + 1), []).append(one)
    return {name: tuple(found[name]) for name in sorted(found)}


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
    return tuple(
        cell_of(run, Kind.INTEREST.value, "", name, asked, resamples=resamples)
        for name, asked in groups.items()
    )


def by_demographics(run: Played, *, resamples: int) -> tuple[Cell, ...]:
    """The demographics queries by each attribute of their group."""
    groups = demographic_groups(run.asked)
    return tuple(
        cell_of(run, Kind.DEMOGRAPHICS.value, part, value, asked, resamples=resamples)
        for (part, value), asked in groups.items()
    )
