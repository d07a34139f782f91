"""The words at the top of the page: what was measured and how, and what could not be."""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.report.rows import Run
from mystery_shopper.report.summary import Group, Summary
from mystery_shopper.report.words import plural, whole

_SAYS = {
    "volunteer": "states every requirement at the start (volunteer)",
    "mixed": "states one and gives the rest when asked (mixed)",
    "hidden": "never states at least one, and only judges proposals (hidden)",
}


def introduction(group: Group) -> str:
    """What a trial is, when it succeeds, and how many trials count: three sentences."""
    held = group.provenance
    requests = plural(held.family_count, "request")
    planned = sum(run.counts.planned for run in group.runs)
    valid = sum(run.counts.valid for run in group.runs)
    excluded = sum(run.counts.excluded for run in group.runs)
    rest = planned - valid - excluded
    missing = f", {whole(rest)} not played" if rest else ""
    return (
        f"Simulated customers bring {requests} to each agent, for one of "
        f"{plural(held.size, 'item')}. A trial succeeds if the agent recommends an item that meets "
        f"every requirement, or none where nothing fits (NVR), and keeps to the protocol. "
        f"{plural(len(group.runs), 'run')}, {plural(planned, 'planned trial')}: {whole(valid)} "
        f"valid, {whole(excluded)} excluded{missing}."
    )


def method(group: Group) -> tuple[str, ...]:
    """How the group was measured, a paragraph each."""
    says = [_SAYS.get(condition, condition) for condition in group.conditions]
    told = f"{', '.join(says[:-1])}, or {says[-1]}" if len(says) > 1 else "".join(says)
    told = told or "was asked under no condition"
    return (
        f"The customer {told}. A request has the same requirements under every condition; only "
        f"when they are told differs. A family is one request under all its conditions.",
        "pass^1 is the share of a task's valid trials that succeed, averaged over tasks; pass^k "
        "asks that k trials of a task all succeed. Intervals are percentile bootstraps of 95 % "
        "that resample whole families.",
        "A fault of the agent's counts against it. A fault of the simulated customer or of the "
        "infrastructure does not: the trial is tried again, then excluded and counted as such.",
        "Every figure is computed by code: from the transcripts; latency, tokens and money from "
        "what was measured beside them.",
    )


def unmeasured(summary: Summary) -> str | None:
    """A warning where nothing was measured, or not in some of the runs; None where all were."""
    empty = [run for run in summary.runs if not run.counts.valid]
    if not empty:
        return None
    if len(empty) < len(summary.runs):
        return f"Without a valid trial, and so unmeasured: {', '.join(run.label for run in empty)}."
    planned = sum(run.counts.planned for run in empty)
    excluded = sum(run.counts.excluded for run in empty)
    unplayed = sum(run.counts.unplayed for run in empty)
    return (
        f"There is no valid trial, so nothing was measured: of {plural(planned, 'planned trial')} "
        f"{whole(excluded)} excluded and {whole(unplayed)} not played."
    )


def labelled(runs: Sequence[Run]) -> str | None:
    """How many labels of a label file count; None without one."""
    uses = [use for run in runs if (use := run.label_use) is not None]
    if not uses:
        return None
    given = sum(use.given for use in uses)
    used = sum(use.used for use in uses)
    trials = sum(use.trials for use in uses)
    return (
        f"Label file: {whole(used)} of {plural(given, 'label')} used, in "
        f"{plural(trials, 'trial')}. A label is used where the customer answered its turn in a "
        f"valid trial."
    )
