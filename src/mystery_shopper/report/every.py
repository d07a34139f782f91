"""Every table of a report, gathered for the formats that people write papers with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from mystery_shopper.foundation import slug
from mystery_shopper.report.columns import Typed, typed
from mystery_shopper.report.disclosure.section import sections
from mystery_shopper.report.glance import headline
from mystery_shopper.report.latency import latency
from mystery_shopper.report.leftout import left_out
from mystery_shopper.report.metrictable import metric_tables
from mystery_shopper.report.ownmetrics import OwnMetrics
from mystery_shopper.report.spending import spending
from mystery_shopper.report.summary import Group, Summary
from mystery_shopper.report.tables import tables
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.usertable import given_away
from mystery_shopper.report.words import plain, whole

RUNS = "runs"
"""The name of the table that says what each run is."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A table with the name under which it is kept; no two of a report have one."""

    id: str
    table: Table

    def typed(self) -> Typed:
        """The table as columns of words and numbers, without what no file can hold."""
        return typed(clean(self.table), self.id)


def clean(table: Table) -> Table:
    """Lone surrogates become question marks, and the null character a blank."""
    rows = tuple(tuple(map(_clean, row)) for row in table.rows)
    texts = (table.title, table.note, table.caption)
    title, note, caption = map(_clean, texts)
    return replace(table, title=title, note=note, caption=caption, rows=rows)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")


def group_tables(group: Group, metrics: OwnMetrics | None = None) -> list[Table]:
    """Every table of one group, as the page has them."""
    return [
        headline(group),
        *tables(group),
        *left_out(group),
        *given_away(group),
        *latency(group),
        *spending(group),
        *metric_tables(group, metrics),
    ]


def every_table(summary: Summary, metrics: OwnMetrics | None = None) -> list[Kept]:
    """Every table: the runs, then group by group, then the disclosure report's."""
    groups = [group_tables(group, metrics) for group in summary.groups]
    grounds = [one.tables for one in sections([run.run for run in summary.runs])]
    return _unique(
        [Kept(RUNS, runs_table(summary)), *_named(groups, "group"), *_named(grounds, "ground")]
    )


def keep(grounds: Sequence[Sequence[Table]], what: str) -> list[Kept]:
    """The tables that have rows with names of their own: of one ground or, with numbers, of
    several."""
    return _unique(_named(grounds, what))


def _named(parts: Sequence[Sequence[Table]], what: str) -> list[Kept]:
    return [
        Kept((f"{what}-{place}-" if len(parts) > 1 else "") + table_name(table.title), table)
        for place, found in enumerate(parts, 1)
        for table in found
        if table.rows
    ]


def _unique(tables: Sequence[Kept]) -> list[Kept]:
    """The second of a name has a number, and so on."""
    often: Counter[str] = Counter()
    made: list[Kept] = []
    for one in tables:
        often[one.id] += 1
        number = often[one.id]
        made.append(one if number == 1 else Kept(f"{one.id}-{number}", one.table))
    return made


def table_name(title: str) -> str:
    """A title as a name; what follows a colon may differ between reports, so it is left out."""
    return slug(re.split("[:(]", title)[0])


_RUNS_NOTE = (
    "The runs of this report; agent: how the other tables call a run. Runs of different groups are "
    "not comparable."
)
_RUNS_WORDS = (
    "agent", "folder", "name", "interface", "prompt", "tool line", "user", "task set",
    "task set digest", "catalogue", "block", "conditions", "seed", "plan digest", "version",
)  # fmt: skip
_RUNS_HEAD = (*_RUNS_WORDS, "group", "items", "trials a task")


def runs_table(summary: Summary) -> Table:
    """What each run is, so that every other table can be joined with it by `agent`."""
    rows: list[tuple[str, ...]] = []
    for place, group in enumerate(summary.groups, 1):
        for run in group.runs:
            plan = run.plan
            rows.append(
                (
                    run.label, plain(run.run.name), plain(plan.agent), plan.interface, plan.prompt,
                    plan.tool_line, plain(group.provenance.user), plain(plan.task_set),
                    plan.task_set_digest, plain(plan.source), plan.block,
                    ", ".join(run.run.conditions), str(plan.seed), plan.digest, plan.version,
                    whole(place), whole(plan.size), whole(plan.trials),
                )
            )  # fmt: skip
    return Table("Runs", _RUNS_NOTE, "", _RUNS_HEAD, tuple(rows), len(_RUNS_WORDS))
