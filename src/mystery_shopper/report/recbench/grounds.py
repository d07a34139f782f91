"""Runs side by side: only those over the same queries, catalogue, histories and user stand in one
table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.foundation import digest
from mystery_shopper.report.recbench.played import Played
from mystery_shopper.report.runlabels import unique_labels, user_of, user_part
from mystery_shopper.report.words import plain, plural

SYNTHETIC = "synthetic histories: nobody lived them"


@dataclass(frozen=True, slots=True)
class Provenance:
    """What runs must share to stand in one table; every table carries it. `queries` is the SHA-256
    of the sorted ids of the planned queries. `synthetic` is None where it is not known."""

    task_set: str
    task_set_digest: str
    catalogue: str
    size: int
    catalogue_digest: str
    user: str
    queries: str
    query_count: int
    synthetic: bool | None

    def __str__(self) -> str:
        made = f" · {SYNTHETIC}" if self.synthetic else ""
        return (
            f"{plain(self.task_set)} ({plural(self.query_count, 'query', 'queries')}) · catalogue "
            f"{plain(self.catalogue)}, {plural(self.size, 'item')}, {self.catalogue_digest[:12]} · "
            f"user {plain(self.user)}{made}"
        )


@dataclass(frozen=True)
class Member:
    """A run of a ground. `label` tells it from the ground's others, `full` from all others of the
    report."""

    label: str
    full: str
    played: Played

    @property
    def plan(self) -> RunPlan:
        """The run's plan."""
        return self.played.plan


@dataclass(frozen=True)
class Ground:
    """Runs that may be compared, in the order given."""

    provenance: Provenance
    members: tuple[Member, ...]

    @property
    def caption(self) -> str:
        """The provenance in words."""
        return str(self.provenance)


def provenance(played: Played) -> Provenance:
    """What the run was played over."""
    plan = played.plan
    return Provenance(
        plan.task_set,
        plan.task_set_digest,
        plan.source,
        plan.size,
        plan.catalogue_digest,
        user_of(plan),
        digest(sorted(plan.tasks)),
        len(plan.tasks),
        played.synthetic,
    )


def grounds(runs: Sequence[Played]) -> tuple[Ground, ...]:
    """The runs in groups by provenance, in the order in which they are given."""
    full = {id(run): label for run, label in zip(runs, labels_for(runs), strict=True)}
    grouped: dict[Provenance, list[Played]] = {}
    for run in runs:
        grouped.setdefault(provenance(run), []).append(run)
    return tuple(
        Ground(
            key,
            tuple(
                Member(label, full[id(run)], run)
                for run, label in zip(found, labels_for(found), strict=True)
            ),
        )
        for key, found in grouped.items()
    )


def labels_for(runs: Sequence[Played]) -> list[str]:
    """As `unique_labels`, by what may tell runs apart, the agent first."""
    plans = [run.plan for run in runs]
    parts = [
        (
            one.agent, one.interface, one.prompt, handed(one.history), asked_for(one.k),
            user_part(one), f"{one.size:,} items",
        )
        for one in plans
    ]  # fmt: skip
    return unique_labels(parts, [run.name for run in runs])


def asked_for(k: int) -> str:
    """How many items a run asks for: `K free` or `K = 5`."""
    return f"K = {k}" if k else "K free"


def handed(history: bool) -> str:
    """Whether the user's history is handed over."""
    return "with history" if history else "without history"
