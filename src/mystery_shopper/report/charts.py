"""The report's charts: Altair specifications rendered to inline SVG by vl-convert, offline.

Both libraries are imported when the first chart is drawn: they cost a second that `--help` must not
pay. A chart has a natural width of at most `WIDTH` + axis, so that it stays legible on a phone.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mystery_shopper.report import tables as table_maker
from mystery_shopper.report.axes import marks_of
from mystery_shopper.report.palette import (
    DARK_INK_ON,
    FAINT,
    HALOS,
    INK,
    PAPER,
    QUIET,
    SEGMENTS,
    Look,
    looks_of,
    themed,
)
from mystery_shopper.report.summary import Group, RunSummary
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import FailureClass, failure_class, plain

if TYPE_CHECKING:
    import altair as alt

WIDTH, HEIGHT = 340, 220
NARROW = 282  # Of the chart that stands beside the headline table.
BANDS = 3
_LABEL = 30
_FONT = "system-ui, -apple-system, Segoe UI, Roboto, Helvetica Neue, Arial, sans-serif"


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawn chart: SVG text, what it shows in a sentence, and the table behind it."""

    title: str
    note: str
    svg: str
    table: Table


def charts(group: Group) -> list[Chart]:
    """The charts of a group; one without data is left out."""
    made = {table.title: table for table in table_maker.tables(group)}
    found: list[Chart] = []
    if any(cell.passes[0].value is not None for run in group.runs for cell in _gradient(run)):
        note = (
            "pass^1 on satisfiable families as requirements move from volunteered to askable to "
            "hidden; bars are 95 % intervals over families."
        )
        found.append(
            finished("The disclosure gradient", note, gradient(group), made["Success by condition"])
        )
    if "Success within r rejections" in made and _measured(group):
        note = (
            "Hidden tasks of satisfiable families: success that needed at most r rejected "
            "proposals."
        )
        table = made["Success within r rejections"]
        found.append(finished("Success within r rejections", note, within(group), table))
    if "How failures fail" in made:
        note = (
            "Failed trials by what went wrong, as shares of each bar; n failures at its end. "
            "All families, satisfiable and NVR."
        )
        drawn = failures(group)
        found.append(finished("How failures end", note, drawn, made["How failures fail"]))
    return found


def series_names(group: Group) -> list[str]:
    """A name for each run that fits a legend; names that are cut alike get a number."""
    names = [plain(run.label, _LABEL) for run in group.runs]
    return [
        f"{name} ({place})" if names.count(name) > 1 else name
        for place, name in enumerate(names, 1)
    ]


def _gradient(run: RunSummary) -> list[Any]:
    cells = (run.cells.at(condition) for condition in run.run.conditions)
    return [cell for cell in cells if cell is not None]


def _measured(group: Group) -> bool:
    return any(
        found.value is not None
        for run in group.runs
        if run.cells.within
        for found in run.cells.within.estimates
    )


def gradient(group: Group) -> alt.LayerChart:
    """Lines over the conditions, one a run, moved aside a little so that intervals do not hide
    each other."""
    names, conditions = series_names(group), list(group.conditions)
    rows: list[dict[str, object]] = []
    for place, (name, run) in enumerate(zip(names, group.runs, strict=True)):
        aside = min(0.06, 0.4 / len(names)) * (place - (len(names) - 1) / 2)
        for cell in _gradient(run):
            found = cell.passes[0]
            rows.append(
                point(name, conditions.index(cell.condition) + aside, found.value)
                | {"low": found.low, "high": found.high}
            )
    alt = altair_module()
    words = json.dumps(conditions)
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[-0.3, len(conditions) - 0.7], nice=False, zero=False),
        axis=alt.Axis(
            values=list(range(len(conditions))),
            labelExpr=f"{words}[datum.value]",
            title=None,
            grid=False,
            tickSize=0,
            labelPadding=8,
            labelFontSize=12,
        ),
    )
    return line_chart(rows, names, x, "pass^1", bands=False, width=NARROW)


def within(group: Group) -> alt.LayerChart:
    """Lines over the rejections allowed; bands are intervals while they are few enough to read."""
    names = series_names(group)
    rows: list[dict[str, object]] = []
    for name, run in zip(names, group.runs, strict=True):
        for r, found in enumerate(run.cells.within.estimates if run.cells.within else ()):
            rows.append(point(name, r, found.value) | {"low": found.low, "high": found.high})
    alt = altair_module()
    x = alt.X(
        "x:Q",
        scale=alt.Scale(domain=[0, 10], nice=False),
        axis=alt.Axis(values=list(range(11)), title="rejections allowed", grid=False, format="d"),
    )
    return line_chart(rows, names, x, "success", bands=len(names) <= BANDS)


def point(name: str, x: float, value: float | None) -> dict[str, object]:
    """A row of a line chart without its interval."""
    return {"run": name, "x": x, "y": value}


def line_chart(
    rows: Sequence[dict[str, object]],
    names: Sequence[str],
    x: Any,
    title: str,
    *,
    bands: bool,
    width: int = WIDTH,
    looks: Sequence[Look] | None = None,
    domain: tuple[float, float] = (0, 1),
) -> alt.LayerChart:
    """Lines with marks and intervals, one a name; each row has `run`, `x`, `y`, `low`, `high`.
    `looks`: how each name is drawn, if not in the palette's order; `domain`: of the upright axis.
    """
    alt = altair_module()
    measured = [row for row in rows if row["y"] is not None]
    legend = alt.Legend(
        title=None,
        orient="bottom",
        direction="horizontal",
        columns=1 if max(map(len, names)) > 16 else 2 if max(map(len, names)) > 11 else 3,
        symbolSize=90,
        symbolStrokeWidth=0,
        symbolOpacity=1,
        labelLimit=300,
    )
    drawn_as = looks_of(len(names)) if looks is None else looks

    def scale(values: Sequence[object]) -> Any:
        return alt.Scale(domain=list(names), range=list(values))

    color = alt.Color("run:N", scale=scale([one.colour for one in drawn_as]), legend=legend)
    dashes = scale([list(one.dash) for one in drawn_as])
    dash = alt.StrokeDash("run:N", scale=dashes, legend=None)
    shape = alt.Shape("run:N", scale=scale([one.mark for one in drawn_as]), legend=legend)
    y = alt.Y("y:Q", scale=alt.Scale(domain=list(domain)), axis=round_marks(title, domain))
    base = alt.Chart(alt.Data(values=measured))
    spread = [row for row in measured if row["low"] is not None]
    intervals = alt.Chart(alt.Data(values=spread)).encode(
        x=x, y=alt.Y("low:Q", title=title), y2="high:Q", color=color
    )
    drawn = intervals.mark_area(opacity=0.13) if bands else intervals.mark_rule(strokeWidth=1.4)
    lines = base.mark_line(strokeWidth=1.8).encode(x=x, y=y, color=color, strokeDash=dash)
    points = base.mark_point(filled=True, size=58, opacity=1).encode(
        x=x, y=y, color=color, shape=shape
    )
    return alt.layer(drawn, lines, points).properties(width=width, height=HEIGHT)


def round_marks(title: str, domain: tuple[float, float]) -> Any:
    """An axis with marks at round numbers from one end of its domain to the other, six at most."""
    return altair_module().Axis(title=title, values=marks_of(*domain), format=".2~f")


def failures(group: Group) -> alt.LayerChart:
    """A bar a run and condition: shares of its failures by class, their number at the end."""
    rows: list[dict[str, object]] = []
    ends: list[dict[str, object]] = []
    for name, run in zip(series_names(group), group.runs, strict=True):
        for condition in run.run.conditions:
            here = [tally for tally in run.figures.failures if tally.condition == condition]
            total = sum(tally.of for tally in here)
            if not total:
                continue
            bar = f"{name} – {plain(condition, 12)}"
            ends.append({"bar": bar, "text": f"n = {total}"})
            rows.extend(_segments(bar, here, total))
    alt = altair_module()
    bars = [str(end["bar"]) for end in ends]
    y = alt.Y(
        "bar:N",
        sort=bars,
        axis=alt.Axis(
            title=None,
            labelLimit=320,
            minExtent=7 * max(map(len, bars)),
            tickSize=0,
            labelPadding=6,
            domain=False,
        ),
    )
    share_axis = alt.Axis(format=".0%", values=[0, 0.5, 1], title=None, grid=False)
    x = alt.X("from:Q", scale=alt.Scale(domain=[0, 1]), axis=share_axis)
    present = [kind for kind in FailureClass if any(row["kind"] == kind.value for row in rows)]
    order = list(FailureClass)
    scale = alt.Scale(
        domain=[kind.value for kind in present],
        range=[SEGMENTS[order.index(kind)] for kind in present],
    )
    legend = alt.Legend(
        title=None, orient="bottom", direction="vertical", columns=2, symbolType="square",
        labelLimit=220, symbolSize=130, symbolStrokeWidth=0.8, symbolStrokeColor=INK,
        columnPadding=44,  # A reader's font may be wider than the one measured here.
    )  # fmt: skip
    base = alt.Chart(alt.Data(values=rows))
    blocks = base.mark_bar(stroke=PAPER, strokeWidth=1, height=18).encode(
        x=x, x2="to:Q", y=y, color=alt.Color("kind:N", scale=scale, legend=legend)
    )
    wide = alt.Chart(alt.Data(values=[row for row in rows if row["label"]]))
    place = {"x": "middle:Q", "y": y, "text": "label:N"}
    halo = wide.mark_text(fontSize=11, fontWeight=600, strokeWidth=6, strokeJoin="round").encode(
        **place, stroke=alt.Stroke("fill:N", scale=None), color=alt.Color("fill:N", scale=None)
    )
    counts = wide.mark_text(fontSize=11, fontWeight=600).encode(
        **place, color=alt.Color("ink:N", scale=None)
    )
    right = alt.Chart(alt.Data(values=ends)).mark_text(align="left", dx=6, color=INK, fontSize=11)
    numbers = right.encode(x=alt.datum(1), y=y, text="text:N")
    return alt.layer(blocks, halo, counts, numbers).properties(width=240, height=26 * len(bars))


def _segments(bar: str, tallies: Sequence[Any], total: int) -> list[dict[str, object]]:
    by_class: dict[FailureClass, int] = {}
    for tally in tallies:
        for kind, count in tally.kinds.items():
            found = failure_class(kind)
            by_class[found] = by_class.get(found, 0) + count
    rows: list[dict[str, object]] = []
    start = 0
    for place, kind in enumerate(FailureClass):
        count = by_class.get(kind, 0)
        if not count:
            continue
        rows.append(
            {
                "bar": bar,
                "kind": kind.value,
                "from": start / total,
                "to": (start + count) / total,
                "middle": (start + count / 2) / total,
                "label": str(count) if count / total >= 0.08 else "",
                "ink": "#14181a" if place in DARK_INK_ON else "#ffffff",
                "fill": HALOS[place],
            }
        )
        start += count
    return rows


def finished(title: str, note: str, chart: Any, table: Table) -> Chart:
    """The chart drawn, named by its title and note."""
    return Chart(title, note, render(chart, f"{title}. {note}"), table)


def render(chart: Any, description: str) -> str:
    """SVG text of a chart, sized by its viewBox, its colours as CSS variables."""
    import vl_convert

    configured = chart.configure(
        font=_FONT,
        background="transparent",
        padding={"left": 4, "right": 44, "top": 6, "bottom": 4},
        aria=False,
        axis={
            "labelColor": INK, "titleColor": QUIET, "gridColor": FAINT, "domainColor": FAINT,
            "tickColor": FAINT, "titleFontWeight": 400, "labelFontSize": 11, "titleFontSize": 11,
            "titlePadding": 8,
        },
        legend={"labelColor": INK, "labelFontSize": 12, "rowPadding": 4, "columnPadding": 26},
        view={"stroke": None},
    )  # fmt: skip
    version = ".".join(altair_module().SCHEMA_VERSION.lstrip("v").split(".")[:2])
    svg = vl_convert.vegalite_to_svg(configured.to_dict(), vl_version=version)
    head = re.match(r'<svg[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>', svg)
    if head is None:
        raise ValueError("the renderer gave no SVG")
    width, height = head.groups()
    start = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'style="max-width:{width}px" aria-label="{html.escape(description)}">'
    )
    # The drawing is one image with one name; the renderer's roles inside it have none.
    inner = re.sub(r' (?:role="graphics-\w+"|aria-roledescription="[^"]*")', "", svg[head.end() :])
    return themed(start + inner)


def altair_module() -> Any:
    """Altair, which costs a second to import."""
    import altair

    return altair
