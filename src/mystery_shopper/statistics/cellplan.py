"""Which tasks of two cells may be set against each other, and which cells may not.

A cell is the tasks that one setting played: an agent, an interface, a condition, a catalogue size,
a user, a prompt. Two cells are paired by task where they differ in one factor alone; otherwise a
difference between them would have two causes, and is refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from mystery_shopper.statistics.bootstrap import Floats
from mystery_shopper.statistics.designs import Contrast

CONDITION = "condition"
"""The factor whose levels are tasks of their own: they pair by family, not by task id."""


@dataclass(frozen=True, eq=False)
class Cell:
    """The scores of one setting's tasks.

    `factors`: level by factor ("agent", "interface", "condition", "size", "user", "prompt",
    "catalogue", "task_set", ...); `values`: score by task id, NaN where unscored; `clusters`: the
    family, dialogue or user of each task.
    """

    factors: Mapping[str, str]
    values: Mapping[str, float]
    clusters: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Difference:
    """One factor in which two cells differ; None where a cell does not name it."""

    factor: str
    base: str | None
    candidate: str | None

    def __str__(self) -> str:
        return f"{self.factor} ({_told(self.base)} and {_told(self.candidate)})"


class IncomparableCells(ValueError):
    """Two cells that differ in more than the contrasted factor. `differences` names in what."""

    def __init__(self, factor: str, differences: tuple[Difference, ...]) -> None:
        self.factor = factor
        self.differences = differences
        told = "; ".join(map(str, differences))
        super().__init__(f"a contrast of {factor} needs cells that differ in {factor} alone; "
                         f"these differ in {told}")  # fmt: skip

    @property
    def factors(self) -> tuple[str, ...]:
        """The names of the factors that differ and must not."""
        return tuple(difference.factor for difference in self.differences)


@dataclass(frozen=True, eq=False)
class Paired:
    """Two cells' tasks side by side, sorted by what paired them.

    `differences`: (pairs,) floats, candidate minus base, NaN where either is unscored; `clusters`:
    (pairs,) labels; `tasks`: what paired them, task ids or, for a contrast of conditions, families.
    `only_base` and `only_candidate` paired with nothing.
    """

    differences: Floats
    clusters: tuple[str, ...]
    tasks: tuple[str, ...]
    only_base: tuple[str, ...]
    only_candidate: tuple[str, ...]

    @property
    def unscored(self) -> tuple[str, ...]:
        """Those that paired and have no score on one side or both."""
        missing = np.isnan(self.differences)
        return tuple(task for task, no in zip(self.tasks, missing, strict=True) if no)

    def contrast(self, name: str) -> Contrast:
        """The differences as a contrast to be tested."""
        return Contrast(name, self.differences, self.clusters)


def pair(
    base: Cell, candidate: Cell, *, factor: str, key: Callable[[str], str] | None = None
) -> Paired:
    """`candidate` minus `base`, task by task.

    `key` turns a task id into what pairs it; without one it is the id itself, and for the factor
    `condition` the task's cluster, which is its family. Raises IncomparableCells when the cells
    differ in any other factor, and ValueError when neither names the factor, when one key has two
    tasks in a cell, when a task has no cluster, and when the sides put a key in two clusters.
    """
    _comparable(base, candidate, factor)
    first, second = _keyed(base, factor, key), _keyed(candidate, factor, key)
    tasks = tuple(sorted(first.keys() & second.keys()))
    differences: list[float] = []
    clusters: list[str] = []
    for name in tasks:
        one, other = first[name], second[name]
        if base.clusters[one] != candidate.clusters[other]:
            raise ValueError(
                f"{name} is of cluster {base.clusters[one]!r} in the base and of "
                f"{candidate.clusters[other]!r} in the candidate"
            )
        differences.append(_score(candidate, other) - _score(base, one))
        clusters.append(base.clusters[one])
    return Paired(
        np.array(differences, dtype=np.float64),
        tuple(clusters),
        tasks,
        tuple(sorted(first.keys() - second.keys())),
        tuple(sorted(second.keys() - first.keys())),
    )


def differing(base: Cell, candidate: Cell) -> tuple[Difference, ...]:
    """Every factor in which two cells differ, sorted by name."""
    names = sorted(base.factors.keys() | candidate.factors.keys())
    return tuple(
        Difference(name, base.factors.get(name), candidate.factors.get(name))
        for name in names
        if base.factors.get(name) != candidate.factors.get(name)
    )


def _comparable(base: Cell, candidate: Cell, factor: str) -> None:
    if factor not in base.factors or factor not in candidate.factors:
        raise ValueError(
            f"{factor} is no factor of both cells; theirs are "
            f"{', '.join(sorted(base.factors.keys() & candidate.factors.keys())) or 'none'}"
        )
    others = tuple(found for found in differing(base, candidate) if found.factor != factor)
    if others:
        raise IncomparableCells(factor, others)


def _keyed(cell: Cell, factor: str, key: Callable[[str], str] | None) -> dict[str, str]:
    """The task that each key names."""
    found: dict[str, str] = {}
    for task in sorted(cell.values):
        if task not in cell.clusters:
            raise ValueError(f"task {task} has a score and no cluster")
        if key is not None:
            name = key(task)
        else:
            name = cell.clusters[task] if factor == CONDITION else task
        if name in found:
            raise ValueError(f"tasks {found[name]} and {task} of one cell both pair as {name}")
        found[name] = task
    return found


def _score(cell: Cell, task: str) -> float:
    value = float(cell.values[task])
    if math.isinf(value):
        raise ValueError(f"task {task} has an infinite score; an unscored one is NaN")
    return value


def _told(level: str | None) -> str:
    return "not named" if level is None else level
