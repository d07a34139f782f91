"""The words at the top of the page: what was asked and how it is measured."""

from __future__ import annotations

from collections.abc import Sequence

from mystery_shopper.report.recbench.grounds import Ground, handed
from mystery_shopper.report.recbench.played import Counts
from mystery_shopper.report.words import plural, whole


def introduction(ground: Ground) -> str:
    """What was asked, and how many trials count."""
    held = ground.provenance
    counts = [member.played.counts for member in ground.members]
    found = Counts(
        sum(one.planned for one in counts),
        sum(one.valid for one in counts),
        sum(one.excluded for one in counts),
    )
    missing = f", {whole(found.unplayed)} not played" if found.unplayed else ""
    return (
        f"Each agent is sent {plural(held.query_count, 'request')}, one at a time, and recommends "
        f"from {plural(held.size, 'item')}: as many as it likes or as it is asked for, or none. "
        f"{plural(len(ground.members), 'run')}, {plural(found.planned, 'planned trial')}: "
        f"{whole(found.valid)} valid, {whole(found.excluded)} excluded{missing}."
    )


def method(ground: Ground) -> tuple[str, ...]:
    """How it was measured, a paragraph each."""
    histories = {handed(member.plan.history) for member in ground.members}
    told = " and ".join(sorted(histories))
    return (
        "A request rests on conditions of the item graph, stated outright (explicit), one of them "
        "only told through other items (implicit), or one tied to a mistaken claim (misinformed); "
        "or on what users consumed one after another (interest), or what marks a group of them "
        "(demographics).",
        f"These runs play {told}. The history that is handed over leaves out both ground truths "
        "and what the request names.",
        "Every figure is taken per answer and then averaged; intervals are percentile bootstraps "
        "of 95 % that draw users, since a user's requests share a history.",
        "A title that no item bears counts as recommended. An item that the request names counts "
        "neither way. A fault of the agent's counts against it; one of the simulated user's or of "
        "the infrastructure does not: the trial is tried again, then excluded and counted.",
    )


def unmeasured(grounds: Sequence[Ground]) -> str | None:
    """A warning where nothing was measured in some of the runs; None where all were."""
    members = [member for ground in grounds for member in ground.members]
    empty = [one.full for one in members if not one.played.counts.valid]
    if not empty:
        return None
    if len(empty) == len(members):
        return "There is no valid trial, so nothing was measured."
    return f"Without a valid trial, and so unmeasured: {', '.join(empty)}."


def unknown(grounds: Sequence[Ground]) -> str | None:
    """A warning where the queries are not at hand: no truths, popularity or groups can be shown."""
    members = [member for ground in grounds for member in ground.members]
    without = [one.full for one in members if one.played.query_set is None]
    if not without:
        return None
    return (
        f"The query set of {', '.join(without)} is not at hand, so what rests on it is left out: "
        "popularity, groups, truths, and the planned trials of each type that were not played."
    )


def made_up(grounds: Sequence[Ground]) -> str | None:
    """The label of synthetic histories; None where none is."""
    if not any(ground.provenance.synthetic for ground in grounds):
        return None
    return (
        "The users and their histories are synthetic: nobody lived them. What rests on users "
        "(popularity, demographics, own groups) says nothing about people."
    )
