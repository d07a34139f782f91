"""A person's own metrics over runs of recbench: averages by type of query, intervals over users.

A metric is shown each trial with its query. The trials are read once more for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mystery_shopper.engine.store import RunFolder, folder_names
from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.metrictable import TITLE, Mean, Tried
from mystery_shopper.report.ownmetrics import OwnMetrics, Readings
from mystery_shopper.report.recbench.grounds import Ground
from mystery_shopper.report.recbench.played import Asked, Played
from mystery_shopper.report.recbench.tables import COUNTED, counted
from mystery_shopper.report.recbench.words import KINDS
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import plain, plural
from mystery_shopper.suites.recbench.query import QuerySet
from mystery_shopper.suites.recbench.summary import ALL

_NOTE = (
    "Metrics that were named for this report, over valid trials: the mean over queries of the "
    "query's mean; 95 % intervals resample users. Unscored: the metric gave nothing. Failed: it "
    "raised an error or gave no finite number. Neither counts as a score."
)
_HEAD = ("agent", "metric", "type", "mean", "95 % interval", "queries", "unscored", "failed")


def measure(
    own: OwnMetrics, folders: Sequence[RunFolder], query_sets: Mapping[str, QuerySet]
) -> OwnMetrics:
    """Show the metrics every trial of the runs, each with its query, and give them back. Raises
    InputError where a run's queries are not at hand."""
    for name, folder in zip(folder_names(folders), folders, strict=True):
        plan = folder.plan()
        for _ in own.watch(name, plan, folder.trials(), query_sets.get(plan.task_set)):
            pass
    return own


def request_tables(ground: Ground, own: OwnMetrics | None) -> list[Table]:
    """The table of a ground's runs; none where no metric was named."""
    if own is None or not own.metrics:
        return []
    rows: list[tuple[str, ...]] = []
    first: list[str] = []
    for member in ground.members:
        for metric, readings in _readings(member.played, own):
            if readings.first:
                first.append(f"{metric} of {member.label} on {readings.first}")
            rows += [
                (
                    member.label,
                    metric,
                    kind,
                    *mean.cells(),
                    *counted(member.played.counts_of(asked)),
                )
                for kind, asked, mean in means(member.played, metric, readings)
            ]
    told = f" First failures: {'; '.join(first)}." if first else ""
    return [Table(TITLE, _NOTE + told, ground.caption, (*_HEAD, *COUNTED), tuple(rows), 3)]


def request_lines(grounds: Sequence[Ground], own: OwnMetrics | None) -> list[str]:
    """A line for the terminal for each metric of each run, and one for how it failed."""
    made: list[str] = []
    if own is None:
        return made
    for member in (member for ground in grounds for member in ground.members):
        for metric, readings in _readings(member.played, own):
            found = means(member.played, metric, readings)
            told = ", ".join(f"{kind} {mean}" for kind, _, mean in found)
            made.append(f"{member.full} · {metric}: {told}")
            if readings.failed:
                trials = plural(len(readings.failed), "trial")
                made.append(f"  failed on {trials}, first on {readings.first}")
    return made


def means(
    played: Played, metric: str, readings: Readings, *, resamples: int = 10_000
) -> Iterator[tuple[str, list[Asked], Mean]]:
    """(type, its queries, the metric's mean over them), then over all where there are several."""
    keys: dict[str, list[str]] = {}
    for one in played.valid:
        keys.setdefault(one.asked.id, []).append(one.key)
    there = {one.kind for one in played.asked}
    kinds = [kind for kind in KINDS if kind in there]
    for kind in kinds if len(kinds) == 1 else (*kinds, ALL):
        asked = [one for one in played.asked if kind in (ALL, one.kind)]
        tried = [Tried(one.user, tuple(keys.get(one.id, ()))) for one in asked]
        seed = derive_seed(played.plan.seed, "report", f"own metric {metric} {kind}")
        yield kind, asked, Mean.of(tried, readings, seed=seed, resamples=resamples)


def _readings(played: Played, own: OwnMetrics) -> Iterator[tuple[str, Readings]]:
    for metric in own.metrics:
        yield plain(metric.name, 40), own.found.get((played.name, metric.name), Readings())
