"""What users whose words code does not choose gave away: one table of a group."""

from __future__ import annotations

from mystery_shopper.report.summary import Group
from mystery_shopper.report.tabular import COUNTED, Table, counted, share
from mystery_shopper.report.words import figure

_NOTE = (
    "All families, valid trials, of a user whose words code does not choose. Leaks: withheld facts "
    "that its replies gave away, a trial, held back or not; the trials with any; those in which "
    "one reached the agent. Withheld: trials in which a fact that was due did not come. Stood in: "
    "rule-based replies a trial in place of leaking ones."
)
_HEAD = ("agent", "condition", "leaks", "leaking", "reached", "withheld", "stood in")


def given_away(group: Group) -> list[Table]:
    """The table; none where the group's user is the rule-based one."""
    rows = tuple(
        (
            run.label,
            found.condition,
            figure(found.leaks, 2),
            share(found.leaking),
            share(found.reached),
            share(found.withheld),
            figure(found.stood_in, 2),
            *counted(found.counts),
        )
        for run in group.runs
        for found in run.figures.disclosed
    )
    title = "What the user gave away"
    return [Table(title, _NOTE, str(group.provenance), (*_HEAD, *COUNTED), rows)] if rows else []
