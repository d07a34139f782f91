"""The paragraph at the top of the page: what was measured, in words."""

from __future__ import annotations

from mystery_shopper.report.summary import Group
from mystery_shopper.report.words import plural, whole

_SAYS = {
    "volunteer": "states every requirement at the start (volunteer)",
    "mixed": "states one and gives the rest when asked (mixed)",
    "hidden": "never states at least one, and only judges proposals (hidden)",
}


def introduction(group: Group) -> str:
    """What the runs of a group did, how many trials count, and how to read the figures."""
    held = group.provenance
    says = [_SAYS.get(condition, condition) for condition in group.conditions]
    told = says[0] if len(says) == 1 else f"{', '.join(says[:-1])}, or {says[-1]}"
    planned = sum(run.counts.planned for run in group.runs)
    valid = sum(run.counts.valid for run in group.runs)
    excluded = sum(run.counts.excluded for run in group.runs)
    rest = planned - valid - excluded
    missing = f", and {whole(rest)} have not been played" if rest else ""
    return (
        f"A simulated customer looks for one item out of {plural(held.size, 'item')}, and "
        f"{told}. Each of {held.family_count} requests is the same whenever its parts are told. "
        f"A trial succeeds if the agent recommends an item that meets every requirement, or "
        f"recommends none where nothing fits, and keeps to the protocol. "
        f"{plural(len(group.runs), 'run')}; of {plural(planned, 'planned trial')} {whole(valid)} "
        f"count and {whole(excluded)} are excluded for faults that are not the agent's{missing}. "
        f"Every figure is computed from the transcripts by code."
    )
