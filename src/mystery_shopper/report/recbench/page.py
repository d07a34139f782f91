"""One self-contained HTML page of runs of the suite: figures, the paper's observations, tables, and
the worst trials.

It is the report's page in another order: the same style, parts, charts and content policy. It asks
nothing of the network, works without a script but for its filters, and is made of the run folders,
the query sets and the titles alone. Everything that agents or catalogues wrote is escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from mystery_shopper.engine.store import RunFolder
from mystery_shopper.foundation import write_whole
from mystery_shopper.report.charts import Chart
from mystery_shopper.report.ownmetrics import OwnMetrics
from mystery_shopper.report.page import colours
from mystery_shopper.report.palette import hatch_defs
from mystery_shopper.report.recbench import conducttables, plots, prose, tables
from mystery_shopper.report.recbench.grounds import Ground
from mystery_shopper.report.recbench.observations import Observation, other_tables
from mystery_shopper.report.recbench.study import Study
from mystery_shopper.report.recbench.trials import MOST_TRIALS, Shown, shown, tally
from mystery_shopper.report.requestmetrics import request_tables
from mystery_shopper.report.tabular import Table

if TYPE_CHECKING:
    from mystery_shopper.report.comparing.section import Compared


@dataclass(frozen=True)
class Part:
    """What the page shows of one ground."""

    caption: str
    introduction: str
    method: tuple[str, ...]
    glance: Table
    chart: Chart | None
    observations: tuple[Observation, ...]
    tables: tuple[Table, ...]


def part_of(study: Study, found: Sequence[Observation], own: OwnMetrics | None = None) -> Part:
    """Everything of a ground, with a person's own metrics where they were named."""
    return Part(
        study.caption,
        prose.introduction(study.ground),
        prose.method(study.ground),
        tables.glance(study),
        chart.drawn() if (chart := plots.by_type(study, "success")) and not chart.flat else None,
        tuple(found),
        (
            *other_tables(study, found),
            *request_tables(study.ground, own),
            conducttables.runs_table([study.ground]),
        ),
    )


def warnings(grounds: Sequence[Ground]) -> list[str]:
    """What a reader must know first."""
    found = [prose.made_up(grounds), prose.unmeasured(grounds), prose.unknown(grounds)]
    if len(grounds) > 1:
        found.insert(
            0,
            f"These runs stand on {len(grounds)} grounds that differ in query set, catalogue, "
            "histories or user. Figures of different grounds are not comparable, so no table or "
            "chart mixes them.",
        )
    return [one for one in found if one is not None]


def render(
    studies: Sequence[Study],
    observed: Sequence[Sequence[Observation]],
    folders: Mapping[str, RunFolder],
    titles: Mapping[str, Mapping[str, str]],
    first: Set[tuple[str, str]] = frozenset(),
    own: OwnMetrics | None = None,
    compared: Compared | None = None,
) -> str:
    """The page's HTML. `folders` by run's name; `titles`: run's name -> item id -> title; trials
    that are `first`, by run's name and key, are shown before all others; `compared`: what a
    comparison of the two runs found."""
    grounds = [study.ground for study in studies]
    members = [member for ground in grounds for member in ground.members]
    found: list[Shown] = shown(grounds, folders, titles, first=first)
    script = _file("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_template),
    )  # fmt: skip
    return environment.get_template("page.html.j2").render(
        parts=[part_of(one, seen, own) for one, seen in zip(studies, observed, strict=True)],
        names=[member.full for member in members],
        warnings=warnings(grounds),
        compared=compared,
        shown=found,
        several=len(members) > 1,
        tally=tally(grounds, found),
        most=MOST_TRIALS,
        canaries=list(dict.fromkeys(member.plan.canary for member in members)),
        style=Markup(_shared("page.css") + _file("page.css")),
        colours=Markup(colours()),
        hatches=Markup(hatch_defs()),
        script=Markup(script),
        script_digest=digest,
        markup=Markup,
    )


def write(
    studies: Sequence[Study],
    observed: Sequence[Sequence[Observation]],
    folders: Mapping[str, RunFolder],
    titles: Mapping[str, Mapping[str, str]],
    out: Path,
    first: Set[tuple[str, str]] = frozenset(),
    own: OwnMetrics | None = None,
    compared: Compared | None = None,
) -> None:
    """Write the page in one move."""
    text = render(studies, observed, folders, titles, first, own, compared)
    write_whole(out, text.encode("utf-8", "replace"))


def _template(name: str) -> str:
    return _file(name) if name == "page.html.j2" else _shared(name)


def _file(name: str) -> str:
    return _read(resources.files("mystery_shopper.report.recbench") / "templates" / name)


def _shared(name: str) -> str:
    return _read(resources.files("mystery_shopper.report") / "templates" / name)


def _read(source: Traversable) -> str:
    return source.read_text(encoding="utf-8")
