"""The figures of the paper's analyses, drawn like the report's others: told apart by mark and dash,
never by colour alone, and narrow enough for a phone.

Source: RecBench+ figures 4 to 9, and its two tables by type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.charts import (
    NARROW,
    Chart,
    altair_module,
    finished,
    line_chart,
    point,
)
from mystery_shopper.report.disclosure.plots import dots
from mystery_shopper.report.recbench import tables
from mystery_shopper.report.recbench.cells import GROUPS
from mystery_shopper.report.recbench.study import Figured, Study
from mystery_shopper.report.recbench.words import KINDS, head_of
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import plain
from mystery_shopper.suites.recbench.query import CONDITION_KINDS


@dataclass(frozen=True)
class Drawing:
    """A figure that is not drawn yet: its title, what it shows, the table behind it, and how it is
    drawn. Tables alone need no drawing, which takes a third of a second each."""

    title: str
    note: str
    make: Callable[[], Any]
    table: Table

    def drawn(self) -> Chart:
        """The figure."""
        return finished(self.title, self.note, self.make(), self.table)


_WIDTHS = ("1", "2", "3-4")
_LEGEND = 26
_BARS = "Bars are 95 % intervals over users."
_TYPES = KINDS[:5]


def by_type(study: Study, name: str) -> Drawing | None:
    """One figure of each run by type; None where nothing was measured."""
    found = [
        (run.label, kind, cell.at(name))
        for run in study.runs
        for kind in _TYPES
        if (cell := run.of_type(kind)) is not None and cell.at(name).value is not None
    ]
    if not found:
        return None
    there = [kind for kind in _TYPES if any(one == kind for _, one, _ in found)]
    table = tables.types_of(study.runs, name, study.caption, there)
    what = head_of(name)
    note = f"{_what(name)}, by the type of query, K free. {_BARS}"
    return Drawing(f"{_title(name)} by type", note, partial(_dots, found, there, what), table)


def by_width(study: Study, name: str, *, five: bool = False) -> Drawing | None:
    """One figure by number of conditions, a line a run and type; None with a single number."""
    rows: list[dict[str, object]] = []
    names: list[str] = []
    several = len(study.drawn) > 1
    for run in study.drawn:
        for kind in CONDITION_KINDS:
            line = f"{kind.value} – {plain(run.label, _LEGEND)}" if several else kind.value
            points = [
                (place, cell.at(name, five=five))
                for place, width in enumerate(_WIDTHS)
                if (cell := run.of_type(kind.value, width)) is not None
            ]
            known = [(place, one) for place, one in points if one.value is not None]
            if len(known) < 2:
                continue
            aside = 0.04 * (len(names) - 1)
            names.append(line)
            rows += [
                point(line, place + aside, one.value) | {"low": one.low, "high": one.high}
                for place, one in known
            ]
    if not rows:
        return None
    table = tables.widths(study.runs, name, study.caption, five=five)
    note = f"{_what(name)}, by number of conditions{over(study)}, {_k(five)}. {_BARS}"
    title = f"{_title(name)} by number of conditions{', K = 5' if five else ''}"
    make = partial(_lines, rows, names, _WIDTHS, "conditions", head_of(name))
    return Drawing(title, note, make, table)


def with_history(
    study: Study, pairs: Sequence[tuple[Figured, Figured]], name: str, *, five: bool = False
) -> Drawing | None:
    """One figure of the condition types with the history and without it; None without a pair."""
    series = ("without history", "with history")
    found = [
        (_row(kind.value, given, len(pairs)), told, cell.at(name, five=five))
        for given, bare in pairs
        for kind in CONDITION_KINDS
        for told, run in zip(series, (bare, given), strict=True)
        if (cell := run.of_type(kind.value)) is not None
    ]
    found = [one for one in found if one[2].value is not None]
    if not found:
        return None
    runs = list({run.label: run for pair in pairs for run in pair}.values())
    kinds = [kind.value for kind in CONDITION_KINDS]
    table = tables.types_of(
        runs, name, study.caption, kinds, five=five, over=" with and without history"
    )
    there = [told for told in series if any(one == told for _, one, _ in found)]
    note = f"{_what(name)}, on the same queries, {_k(five)}. {_BARS}"
    title = f"{_title(name)} with and without history{', K = 5' if five else ''}"
    return Drawing(title, note, partial(_dots, found, there, head_of(name)), table)


def _row(kind: str, run: Figured, pairs: int) -> str:
    return f"{kind} – {plain(run.label, 40)}" if pairs > 1 else kind


def by_popularity(study: Study) -> Drawing | None:
    """Precision and recall over the five groups of interests; None with a single group."""
    rows: list[dict[str, object]] = []
    names: list[str] = []
    for run in study.drawn:
        for name in ("recall_own", "precision_own"):
            known = [(int(cell.group), cell.at(name)) for cell in run.popularity]
            known = [(group, one) for group, one in known if one.value is not None]
            if len(known) < 2:
                continue
            several = len(study.drawn) > 1
            line = head_of(name) + (f" – {plain(run.label, _LEGEND)}" if several else "")
            aside = 0.05 * (len(names) - (1.5 if several else 0.5))
            names.append(line)
            rows += [
                point(line, group - 1 + aside, one.value) | {"low": one.low, "high": one.high}
                for group, one in known
            ]
    if not rows:
        return None
    note = f"Interest queries in fifths by popularity{over(study)}, K free. {_BARS}"
    table = tables.popularity(study.drawn, study.caption, over(study))
    groups = [str(n) for n in range(1, GROUPS + 1)]
    below = "1 the most popular interests, 5 the least"
    make = partial(_lines, rows, names, groups, below, "precision, recall")
    return Drawing("Interest popularity", note, make, table)


def by_group(study: Study) -> Drawing | None:
    """Recall by gender, age and occupation; None where no query has a group."""
    found = [
        (f"{cell.part}: {cell.group}", plain(run.label, _LEGEND), cell.at("recall_own"))
        for run in study.drawn
        for cell in run.demographics
        if cell.at("recall_own").value is not None
    ]
    if not found:
        return None
    series = list(dict.fromkeys(name for _, name, _ in found))
    note = f"Demographics queries by the group that they speak for{over(study)}, K free. {_BARS}"
    table = tables.demographics(study.drawn, study.caption, over(study))
    return Drawing("Recall by group", note, partial(_dots, found, series, "recall"), table)


def _dots(found: Sequence[tuple[str, str, Estimate]], series: Sequence[str], title: str) -> Any:
    """Marks with room between the rows where there are many in each."""
    rows = len({label for label, _, _ in found})
    return dots(found, series, title).properties(height=rows * (30 + 11 * len(series)))


def _lines(
    rows: Sequence[dict[str, object]],
    names: Sequence[str],
    steps: Sequence[str],
    below: str,
    title: str,
) -> Any:
    return line_chart(rows, names, _steps(steps, below), title, bands=False, width=NARROW)


def _steps(words: Sequence[str], title: str) -> Any:
    alt = altair_module()
    return alt.X(
        "x:Q",
        scale=alt.Scale(domain=[-0.3, len(words) - 0.7], nice=False, zero=False),
        axis=alt.Axis(
            values=list(range(len(words))), labelExpr=f"{json.dumps(list(words))}[datum.value]",
            title=title, grid=False, tickSize=0, labelPadding=8,
        ),
    )  # fmt: skip


def _what(name: str) -> str:
    return {
        "precision_own": "Precision against the user's own group",
        "recall_own": "Recall of the user's own group",
        "cmr": "The share of what was recommended that meets all conditions",
        "failed": "The share of answers without a recommendation",
        "success": "The share of answers that recommend something, all of it right",
    }[name]


def _title(name: str) -> str:
    head = head_of(name)
    return head if head.isupper() else head.capitalize()


def over(study: Study) -> str:
    several = len(study.runs) > len(study.drawn)
    return f", over {study.drawn[0].label}" if several else ""


def _k(five: bool) -> str:
    return "K = 5" if five else "K free"
