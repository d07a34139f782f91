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
from mystery_shopper.report.palette import Look
from mystery_shopper.report.recbench import tables
from mystery_shopper.report.recbench.cells import GROUPS, demographic_groups
from mystery_shopper.report.recbench.claims import FEWEST
from mystery_shopper.report.recbench.looks import (
    TYPES,
    axis_words,
    domain_of,
    flat,
    lines_of,
    look_of,
)
from mystery_shopper.report.recbench.study import Figured, Study
from mystery_shopper.report.recbench.words import head_of
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import plain
from mystery_shopper.suites.recbench.query import CONDITION_KINDS, Kind


@dataclass(frozen=True)
class Drawing:
    """A figure that is not drawn yet: its title, what it shows, the table behind it, and how it is
    drawn. Tables alone need no drawing, which takes a third of a second each. `five`: it shows the
    first five items. `flat`: the one value that everything in it has, so that a sentence tells it
    better; else empty."""

    title: str
    note: str
    make: Callable[[], Any]
    table: Table
    five: bool = False
    flat: str = ""

    def drawn(self) -> Chart:
        """The figure."""
        return finished(self.title, self.note, self.make(), self.table)


_WIDTHS = ("1", "2", "3-4")
_CONDITIONS = tuple(kind.value for kind in CONDITION_KINDS)
_LEGEND = 26
_BARS = "Bars are 95 % intervals over users."


def by_type(study: Study, name: str) -> Drawing | None:
    """One figure of each run by type; None where nothing was measured."""
    found = [
        (run.label, kind, cell.at(name))
        for run in study.runs
        for kind in TYPES
        if (cell := run.of_type(kind)) is not None and cell.at(name).value is not None
    ]
    if not found:
        return None
    there = [kind for kind in TYPES if any(one == kind for _, one, _ in found)]
    table = tables.types_of(study.runs, name, study.caption, there)
    what = head_of(name)
    domain = domain_of(one for _, _, one in found)
    note = f"{_what(name)}, by the type of query, K free. {_BARS}{axis_words(domain)}"
    looks = [look_of(kind) for kind in there]
    make = partial(_dots, found, there, what, looks, domain)
    same = flat([one for _, _, one in found])
    return Drawing(f"{_title(name)} by type", note, make, table, flat=same)


def _domain(
    runs: Sequence[Figured], name: str, kinds: Sequence[str], widths: Sequence[str] = ("",)
) -> tuple[float, float]:
    """The axis of a measure over these cells, one for K free and for K = 5."""
    cells = [run.of_type(kind, width) for run in runs for kind in kinds for width in widths]
    known = [cell for cell in cells if cell is not None]
    return domain_of(one for cell in known for one in (cell.at(name), cell.at(name, five=True)))


def by_width(study: Study, name: str, *, five: bool = False) -> Drawing | None:
    """One figure by number of conditions, a line a run and type; None with a single number."""
    rows: list[dict[str, object]] = []
    names: list[str] = []
    kinds: list[str] = []
    drawn: list[Estimate] = []
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
            kinds.append(kind.value)
            drawn += [one for _, one in known]
            rows += [
                point(line, place + aside, one.value) | {"low": one.low, "high": one.high}
                for place, one in known
            ]
    if not rows:
        return None
    table = tables.widths(study.runs, name, study.caption, five=five)
    domain = _domain(study.drawn, name, _CONDITIONS, _WIDTHS)
    asked = f"by number of conditions{over(study)}, {_k(five)}"
    note = f"{_what(name)}, {asked}. {_BARS}{axis_words(domain)}"
    title = f"{_title(name)} by number of conditions{', K = 5' if five else ''}"
    looks = lines_of(kinds)
    make = partial(_lines, rows, names, _WIDTHS, "conditions", head_of(name), looks, domain)
    return Drawing(title, note, make, table, five, flat(drawn))


def with_history(
    study: Study, pairs: Sequence[tuple[Figured, Figured]], name: str, *, five: bool = False
) -> Drawing | None:
    """One figure of the condition types with the history and without it; None without a pair."""
    found = [
        (_row(told, given, len(pairs)), kind.value, cell.at(name, five=five))
        for given, bare in pairs
        for told, run in (("without history", bare), ("with history", given))
        for kind in CONDITION_KINDS
        if (cell := run.of_type(kind.value)) is not None
    ]
    found = [one for one in found if one[2].value is not None]
    if not found:
        return None
    runs = list({run.label: run for pair in pairs for run in pair}.values())
    table = tables.types_of(
        runs, name, study.caption, _CONDITIONS, five=five, over=" with and without history"
    )
    there = [kind for kind in _CONDITIONS if any(one == kind for _, one, _ in found)]
    domain = _domain(runs, name, _CONDITIONS)
    note = f"{_what(name)}, on the same queries, {_k(five)}. {_BARS}{axis_words(domain)}"
    title = f"{_title(name)} with and without history{', K = 5' if five else ''}"
    looks = [look_of(kind) for kind in there]
    make = partial(_dots, found, there, head_of(name), looks, domain)
    return Drawing(title, note, make, table, five, flat([one for _, _, one in found]))


def _row(told: str, given: Figured, pairs: int) -> str:
    return f"{told}: {plain(given.label, 40)}" if pairs > 1 else told


def by_popularity(study: Study) -> Drawing | None:
    """Precision and recall over the five groups of interests; None with a single group."""
    rows: list[dict[str, object]] = []
    names: list[str] = []
    drawn: list[Estimate] = []
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
            drawn += [one for _, one in known]
            rows += [
                point(line, group - 1 + aside, one.value) | {"low": one.low, "high": one.high}
                for group, one in known
            ]
    if not rows:
        return None
    domain = domain_of(drawn)
    note = f"Interest queries in fifths by popularity{over(study)}, K free. {_BARS}"
    table = tables.popularity(study.drawn, study.caption, over(study))
    groups = [str(n) for n in range(1, GROUPS + 1)]
    below = "1 the most popular interests, 5 the least"
    looks = lines_of([Kind.INTEREST.value] * len(names))
    make = partial(_lines, rows, names, groups, below, "precision, recall", looks, domain)
    note += axis_words(domain)
    return Drawing("Interest popularity", note, make, table, flat=flat(drawn))


def by_group(study: Study) -> Drawing | None:
    """Recall by gender, age and occupation; None where no query has a group."""
    enough = _groups_of_many(study)
    found = [
        (f"{cell.part}: {cell.group}", plain(run.label, _LEGEND), cell.at("recall_own"))
        for run in study.drawn
        for cell in run.demographics
        if cell.at("recall_own").value is not None
        and (not enough or (cell.part, cell.group) in enough)
    ]
    if not found:
        return None
    series = list(dict.fromkeys(name for _, name, _ in found))
    estimates = [one for _, _, one in found]
    domain = domain_of(estimates)
    note = (
        f"Demographics queries by the group that they speak for{over(study)}, K free. {_BARS}"
        f"{axis_words(domain)}"
    )
    if enough and any(len(enough) < len(run.demographics) for run in study.drawn):
        note += f" Groups asked for by fewer than {FEWEST} users stand in the table alone."
    table = tables.demographics(study.drawn, study.caption, over(study))
    looks = lines_of([Kind.DEMOGRAPHICS.value] * len(series))
    make = partial(_dots, found, series, "recall", looks, domain)
    return Drawing("Recall by group", note, make, table, flat=flat(estimates))


def _groups_of_many(study: Study) -> set[tuple[str, str]]:
    """The (attribute, value) for which enough users ask that a difference could be told."""
    asked = [one for member in study.members for one in member.played.asked]
    groups = demographic_groups(asked)
    return {key for key, some in groups.items() if len({one.user for one in some}) >= FEWEST}


def _dots(
    found: Sequence[tuple[str, str, Estimate]],
    series: Sequence[str],
    title: str,
    looks: Sequence[Look],
    domain: tuple[float, float],
) -> Any:
    """Marks with room between the rows where there are many in each."""
    rows = len({label for label, _, _ in found})
    drawn = dots(found, series, title, looks=looks, domain=domain)
    return drawn.properties(height=rows * (30 + 11 * len(series)))


def _lines(
    rows: Sequence[dict[str, object]],
    names: Sequence[str],
    steps: Sequence[str],
    below: str,
    title: str,
    looks: Sequence[Look],
    domain: tuple[float, float],
) -> Any:
    x = _steps(steps, below)
    return line_chart(rows, names, x, title, bands=False, width=NARROW, looks=looks, domain=domain)


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
