"""All figures of one ground: every run's cells, and those of all its runs together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec

from mystery_shopper.report.recbench.cells import Cell, by_demographics, by_popularity, by_type
from mystery_shopper.report.recbench.grounds import Ground, Member
from mystery_shopper.report.recbench.played import Played
from mystery_shopper.suites.recbench.summary import ALL

MOST_LINES = 2
"""Runs that a figure of several lines each draws one by one."""


@dataclass(frozen=True)
class Figured:
    """A run, or several together, with its cells."""

    label: str
    types: tuple[Cell, ...]
    popularity: tuple[Cell, ...]
    demographics: tuple[Cell, ...]

    def of_type(self, kind: str, width: str = "") -> Cell | None:
        """The cell of a type; None where the run was asked none."""
        for cell in self.types:
            if (cell.kind, cell.group) == (kind, width):
                return cell
        return None

    @property
    def every(self) -> Cell | None:
        """The cell of all queries, or of the only type."""
        return self.of_type(ALL) or next((cell for cell in self.types if not cell.group), None)


@dataclass(frozen=True)
class Study:
    """A ground with everything that is computed of it."""

    ground: Ground
    runs: tuple[Figured, ...]
    resamples: int

    @property
    def caption(self) -> str:
        """The provenance that its tables carry."""
        return self.ground.caption

    @property
    def members(self) -> tuple[Member, ...]:
        """Its runs as they were read."""
        return self.ground.members

    @cached_property
    def drawn(self) -> tuple[Figured, ...]:
        """What figures of several lines show: each run while they are few, else all of them
        together."""
        if len(self.runs) <= MOST_LINES:
            return self.runs
        return (figured(f"all {len(self.runs)} runs", pooled(self.members), self.resamples),)


def study(ground: Ground, *, resamples: int = 10_000) -> Study:
    """Compute the figures of every run of a ground."""
    runs = tuple(figured(one.label, one.played, resamples) for one in ground.members)
    return Study(ground, runs, resamples)


def figured(label: str, run: Played, resamples: int) -> Figured:
    """The cells of a run."""
    return Figured(
        label,
        by_type(run, resamples=resamples),
        by_popularity(run, resamples=resamples),
        by_demographics(run, resamples=resamples),
    )


def pooled(members: Sequence[Member]) -> Played:
    """The answers of several runs over the same queries as those of one: their average, where each
    answered as many."""
    first = members[0].played
    known = {one.id: one for member in members for one in member.played.asked}
    trials = sum(member.plan.trials for member in members)
    plan = msgspec.structs.replace(first.plan, trials=trials)
    answers = tuple(one for member in members for one in member.played.answers)
    return replace(first, plan=plan, asked=tuple(known.values()), answers=answers)
