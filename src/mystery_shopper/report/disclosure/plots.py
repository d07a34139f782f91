"""The figures of the research questions, drawn like the report's other charts: told apart by mark
and dash, never by colour alone, and narrow enough for a phone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.charts import (
    NARROW,
    WIDTH,
    Chart,
    altair_module,
    finished,
    line_chart,
    point,
    round_marks,
)
from mystery_shopper.report.disclosure.contrasttable import points
from mystery_shopper.report.disclosure.effects import Finding
from mystery_shopper.report.disclosure.prompttables import Prompted
from mystery_shopper.report.disclosure.reach import Reach
from mystery_shopper.report.disclosure.reliabilitytables import Passed
from mystery_shopper.report.disclosure.scaletables import Sized
from mystery_shopper.report.disclosure.settings import HIDDEN, MIXED, Panel
from mystery_shopper.report.disclosure.study import AVERAGE
from mystery_shopper.report.disclosure.twelve import ALPHA, Twelve
from mystery_shopper.report.palette import FAINT, INK, QUIET, SERIES, Look, looks_of
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import plain, whole
from mystery_shopper.suites.tau_rec.prompts import Prompt
from mystery_shopper.suites.tau_rec.task import Condition

if TYPE_CHECKING:
    import altair as alt

_STEP = 34
"""Pixels of a row with one mark; each further mark lies a little lower."""
_ASIDE = 8
_LABEL = 38


def forest(tests: Twelve, table: Table) -> Chart | None:
    """The tests that could be made, in the table's order; None without one."""
    found = [(tests.alone, tests.alone.result.p)] + [(t, t.adjusted) for t in tests.corrected]
    rows = [row for n, (one, p) in enumerate(found) if (row := _forest_row(one, p, n))]
    if not rows:
        return None
    for place, row in enumerate(rows):
        row["row"] = place
    alt = altair_module()
    y = _rows(len(rows))
    x = alt.X("x:Q", axis=alt.Axis(title="points of pass^1", grid=False, tickCount=6))
    zero = alt.Chart(alt.Data(values=[{"x": 0}])).mark_rule(color=QUIET, strokeDash=[3, 3])
    base = alt.Chart(alt.Data(values=rows))
    spread = alt.Chart(alt.Data(values=[row for row in rows if row["low"] is not None]))
    layers = [zero.encode(x="x:Q"), *_labels(rows, y)]
    layers.append(
        spread.mark_rule(strokeWidth=1.6, color=SERIES[0], yOffset=_ASIDE).encode(
            x=alt.X("low:Q"), x2="high:Q", y=y
        )
    )
    for settled, shape in ((True, "diamond"), (False, "circle")):
        here = [row for row in rows if row["settled"] is settled]
        if here:
            marks = alt.Chart(alt.Data(values=here)).mark_point(
                filled=settled, shape=shape, size=70, strokeWidth=1.8, opacity=1,
                color=SERIES[0], yOffset=_ASIDE,
            )  # fmt: skip
            layers.append(marks.encode(x=x, y=y))
    layers.append(
        base.mark_text(align="right", dy=-8, fontSize=11, color=INK).encode(
            x=alt.value(WIDTH), y=y, text="told:N"
        )
    )
    drawn = alt.layer(*layers).properties(width=WIDTH, height=_height(len(rows), 1))
    note = (
        f"Differences with 95 % intervals over families. Filled diamonds: p < {ALPHA} (the first "
        "alone, the others after Holm's correction); hollow circles: not settled."
    )
    return finished("What the tests found", note, drawn, table)


def _forest_row(one: Finding, p: float | None, place: int) -> dict[str, object] | None:
    found = one.result
    if found.estimate is None:
        return None
    low, high = (None if v is None else 100 * v for v in (found.low, found.high))
    return {
        "row": place,
        "label": plain(one.effect.name, _LABEL),
        "told": points(found.estimate, None, None),
        "x": 100 * found.estimate,
        "low": low,
        "high": high,
        "settled": p is not None and p < ALPHA,
    }


def _rows(count: int) -> Any:
    alt = altair_module()
    scale = alt.Scale(domain=list(range(count)), padding=0.5)
    return alt.Y("row:O", axis=None, scale=scale)


def _height(count: int, marks: int) -> int:
    return count * (_STEP + _ASIDE * (marks - 1))


def _labels(rows: Sequence[dict[str, object]], y: Any, marks: int = 1) -> list[Any]:
    """Each row's name above its marks, and a faint line between rows."""
    alt = altair_module()
    named = list({row["row"]: {"row": row["row"], "label": row["label"]} for row in rows}.values())
    top = -8 - _ASIDE * (marks - 1) // 2
    base = alt.Chart(alt.Data(values=named))
    half = _STEP + _ASIDE * (marks - 1)
    return [
        base.mark_rule(color=FAINT, yOffset=half // 2).encode(
            x=alt.value(0), x2=alt.value(WIDTH), y=y
        ),
        base.mark_text(align="left", dy=top, fontSize=11, color=INK).encode(
            x=alt.value(0), y=y, text="label:N"
        ),
    ]


def dots(
    found: Sequence[tuple[str, str, Estimate]],
    series: Sequence[str],
    title: str = "pass^1",
    *,
    looks: Sequence[Look] | None = None,
    domain: tuple[float, float] = (0, 1),
) -> alt.LayerChart:
    """A row a label, a mark and its interval for each of its series, over the domain. `looks`: how
    each series is drawn, if not in the palette's order."""
    alt = altair_module()
    labels = list(dict.fromkeys(label for label, _, _ in found))
    rows: list[dict[str, object]] = [
        {
            "row": labels.index(label), "label": plain(label, 54), "series": name,
            "x": one.value, "low": one.low, "high": one.high,
        }
        for label, name, one in found
    ]  # fmt: skip
    count = len(series)
    y = _rows(len(labels))
    x = alt.X("x:Q", scale=alt.Scale(domain=list(domain)), axis=round_marks(title, domain))
    drawn_as = looks_of(count) if looks is None else looks
    legend = alt.Legend(
        title=None, orient="bottom", direction="horizontal", columns=3 if count < 4 else 2,
        symbolSize=90, symbolOpacity=1,
    )  # fmt: skip
    names = list(series)
    color = alt.Color(
        "series:N",
        scale=alt.Scale(domain=names, range=[one.colour for one in drawn_as]),
        legend=legend,
    )
    shape = alt.Shape(
        "series:N",
        scale=alt.Scale(domain=names, range=[one.mark for one in drawn_as]),
        legend=legend,
    )
    layers = _labels(rows, y, count)
    for place, name in enumerate(series):
        here = [row for row in rows if row["series"] == name and row["x"] is not None]
        spread = [row for row in here if row["low"] is not None]
        down = 8 + _ASIDE * place - _ASIDE * (count - 1) // 2
        layers += [
            alt.Chart(alt.Data(values=spread))
            .mark_rule(strokeWidth=1.4, yOffset=down)
            .encode(x=alt.X("low:Q"), x2="high:Q", y=y, color=color),
            alt.Chart(alt.Data(values=here))
            .mark_point(filled=True, size=54, opacity=1, yOffset=down)
            .encode(x=x, y=y, color=color, shape=shape),
        ]
    return alt.layer(*layers).properties(width=WIDTH, height=_height(len(labels), count))


def gradient(found: Sequence[Passed], table: Table) -> Chart | None:
    """pass^1 of every setting by condition; None where nothing was measured."""
    known = [
        (_named(one), one.condition, one.estimates[0])
        for one in found
        if one.estimates and one.estimates[0].value is not None
    ]
    if not known:
        return None
    there = {name for _, name, _ in known}
    drawn = dots(known, [c.value for c in Condition if c.value in there])
    note = (
        "pass^1 on satisfiable families by what the customer says unasked: all (volunteer), one "
        "requirement and the rest when asked (mixed), or some never (hidden). Bars are 95 % "
        "intervals over families."
    )
    return finished("The disclosure gradient across settings", note, drawn, table)


def _named(one: Passed | Prompted) -> str:
    if one.agent == AVERAGE:
        return "average of all"
    return f"{plain(one.agent, 30)} · {one.interface}"


def scale_lines(
    panel: Panel, found: Sequence[Sized], reached: Sequence[Reach], table: Table
) -> Chart | None:
    """Success by catalogue size, and what a fixed query reaches; None with a single size."""
    if len(panel.sizes) < 2 or not any(one.estimate.value is not None for one in found):
        return None
    sizes = list(panel.sizes)
    rows: list[dict[str, object]] = []
    names = list(dict.fromkeys(f"{one.search}, {one.condition}" for one in found))
    for one in found:
        name = f"{one.search}, {one.condition}"
        aside = 0.03 * (names.index(name) - (len(names) - 1) / 2)
        at = point(name, sizes.index(one.size) + aside, one.estimate.value)
        rows.append(at | {"low": one.estimate.low, "high": one.estimate.high})
    fixed = "fixed keyword query"
    for reach in reached:
        if reach.share is not None:
            at = point(fixed, sizes.index(reach.size), reach.share)
            rows.append(at | {"low": None, "high": None})
    if any(row["run"] == fixed for row in rows):
        names.append(fixed)
    alt = altair_module()
    words = json.dumps([whole(size) for size in sizes])
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[-0.3, len(sizes) - 0.7], nice=False, zero=False),
        axis=alt.Axis(
            values=list(range(len(sizes))), labelExpr=f"{words}[datum.value]",
            title="items in the catalogue", grid=False, tickSize=0, labelPadding=8,
        ),
    )  # fmt: skip
    drawn = line_chart(rows, names, x, "pass^1", bands=False, width=NARROW)
    note = (
        "pass^1 on satisfiable families by search and condition, averaged over the agents that "
        "were run at every size; bars are 95 % intervals over families. Fixed keyword query: the "
        "share of families that a query of the wanted labels reaches."
    )
    return finished("Success by catalogue size", note, drawn, table)


def pass_curves(found: Sequence[Passed], table: Table) -> Chart | None:
    """The average's pass^k by condition; None where no task has two trials."""
    first = found[0].agent if found else ""
    lines = [one for one in found if (one.agent, one.interface) == (first, found[0].interface)]
    most = max((len(one.estimates) for one in lines), default=0)
    if most < 2:
        return None
    rows = [
        point(one.condition, k, each.value) | {"low": each.low, "high": each.high}
        for one in lines
        for k, each in enumerate(one.estimates, 1)
    ]
    if all(row["y"] is None for row in rows):
        return None
    alt = altair_module()
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0.8, most + 0.2], nice=False, zero=False),
        axis=alt.Axis(values=list(range(1, most + 1)), title="k trials", grid=False, format="d"),
    )
    names = list(dict.fromkeys(one.condition for one in lines))
    drawn = line_chart(rows, names, x, "pass^k", bands=False, width=NARROW)
    several = "averaged over all settings" if first == AVERAGE else f"of {plain(first, 40)}"
    note = (
        f"The chance that all of k trials of a task succeed, {several}, satisfiable families; "
        "bars are 95 % intervals over families."
    )
    return finished("Success at every one of k trials", note, drawn, table)


def prompt_dots(found: Sequence[Prompted], table: Table) -> Chart | None:
    """Success by prompt on mixed and hidden tasks; None without a second prompt."""
    known = [
        (f"{_named(one)} – {one.condition}", one.prompt, one.success)
        for one in found
        if one.condition in (MIXED, HIDDEN) and one.success.value is not None
    ]
    if not known:
        return None
    there = {name for _, name, _ in known}
    drawn = dots(known, [prompt.value for prompt in Prompt if prompt.value in there])
    note = (
        "pass^1 on satisfiable families by what the agent was told: the base prompt, to ask, to "
        "ask and verify, and what a refusal and a rejection mean. Bars are 95 % intervals over "
        "families."
    )
    return finished("Success by prompt", note, drawn, table)
