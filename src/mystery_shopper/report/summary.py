"""Runs side by side: only those over the same requests, catalogue and user are compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.foundation import digest
from mystery_shopper.report.cells import Cells, Counts, cells, count
from mystery_shopper.report.figures import Figures, figures
from mystery_shopper.report.rows import Run
from mystery_shopper.report.runlabels import unique_labels, user_of, user_part
from mystery_shopper.report.words import plain, plural, whole


@dataclass(frozen=True, slots=True)
class Provenance:
    """What runs must share to stand in one table; every table carries it.

    `families` is the SHA-256 of the sorted family ids: runs over other families answer another
    question. `as_paper` and `user` change the rules of the game.
    """

    task_set: str
    task_set_digest: str
    catalogue: str
    size: int
    catalogue_digest: str
    user: str
    as_paper: bool
    families: str
    family_count: int
    block: str

    def __str__(self) -> str:
        rules = ", as in the paper" if self.as_paper else ""
        families = plural(self.family_count, "family", "families")
        return (
            f"{plain(self.task_set)} ({self.block}, {families}) · catalogue "
            f"{plain(self.catalogue)}, {plural(self.size, 'item')}, {self.catalogue_digest[:12]} · "
            f"user {plain(self.user)}{rules}"
        )


@dataclass(frozen=True)
class RunSummary:
    """One run's figures. `label` tells it from the others of its group, `full` from all others of
    the summary."""

    label: str
    full: str
    run: Run
    counts: Counts
    cells: Cells
    figures: Figures

    @property
    def plan(self) -> RunPlan:
        """The run's plan."""
        return self.run.plan


@dataclass(frozen=True)
class Group:
    """Runs that may be compared, in the order given."""

    provenance: Provenance
    runs: tuple[RunSummary, ...]

    @property
    def conditions(self) -> tuple[str, ...]:
        """Every condition that a run of the group has."""
        return tuple(dict.fromkeys(name for run in self.runs for name in run.run.conditions))


@dataclass(frozen=True)
class Summary:
    """All runs of a report in groups that are never compared with one another."""

    groups: tuple[Group, ...]

    @property
    def runs(self) -> tuple[RunSummary, ...]:
        """Every run, group by group."""
        return tuple(run for group in self.groups for run in group.runs)


def provenance(run: Run) -> Provenance:
    """What the run was played over."""
    plan = run.plan
    return Provenance(
        plan.task_set,
        plan.task_set_digest,
        plan.source,
        plan.size,
        plan.catalogue_digest,
        user_of(plan),
        plan.as_paper,
        digest(sorted(run.families)),
        len(run.families),
        plan.block,
    )


def summarise(runs: Sequence[Run], *, resamples: int = 10_000) -> Summary:
    """Every figure of every run, in groups by provenance."""
    full = {id(run): label for run, label in zip(runs, labels_for(runs), strict=True)}
    grouped: dict[Provenance, list[Run]] = {}
    for run in runs:
        grouped.setdefault(provenance(run), []).append(run)
    return Summary(
        tuple(
            Group(
                key,
                tuple(
                    RunSummary(
                        label,
                        full[id(run)],
                        run,
                        count(run, run.tasks),
                        cells(run, resamples=resamples),
                        figures(run),
                    )
                    for run, label in zip(found, labels_for(found), strict=True)
                ),
            )
            for key, found in grouped.items()
        )
    )


def labels_for(runs: Sequence[Run]) -> list[str]:
    """As `unique_labels`, by what may tell runs apart, the agent first."""
    plans = [run.plan for run in runs]
    parts = [
        (one.agent, one.interface, one.prompt, one.tool_line, whole(one.size), user_part(one))
        for one in plans
    ]
    return unique_labels(parts, [run.name for run in runs])
