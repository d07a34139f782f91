"""One self-contained HTML page from run folders: figures, tables, and the trials themselves.

The page asks nothing of the network (its content policy forbids it), and has at most `PAGE_BYTES`
bytes. It is made of the run folders alone. Its clock readings are those of `timings.jsonl` and
stand in the table of latency and beside single trials: pages of runs that differ in them only
differ there. Everything that agents or catalogues wrote is escaped: by Jinja's autoescape in the
page, as \\u escapes in its JSON, and by `textContent` in its script.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
import msgspec
from markupsafe import Markup

from mystery_shopper.engine.store import RunFolder, folder_names, refuse_twice
from mystery_shopper.foundation import InputError, write_whole
from mystery_shopper.report.browse import Entry, entry, record, slack
from mystery_shopper.report.charts import charts
from mystery_shopper.report.choose import MOST_TRIALS, Shelf, ranking
from mystery_shopper.report.disclosure.section import Section, sections
from mystery_shopper.report.glance import headline
from mystery_shopper.report.labelcheck import LabelCheck
from mystery_shopper.report.labels import load_labels
from mystery_shopper.report.latency import latency, read_bytes
from mystery_shopper.report.leftout import left_out
from mystery_shopper.report.metrictable import metric_tables
from mystery_shopper.report.ownmetrics import OwnMetrics
from mystery_shopper.report.palette import SERIES, SERIES_DARK, hatch_defs
from mystery_shopper.report.place import check_place
from mystery_shopper.report.prose import introduction, labelled, method, unmeasured
from mystery_shopper.report.rows import Run, read_run
from mystery_shopper.report.spending import spending
from mystery_shopper.report.steps import Result, Results
from mystery_shopper.report.summary import Summary, summarise
from mystery_shopper.report.tables import tables
from mystery_shopper.report.usertable import given_away
from mystery_shopper.report.words import plural
from mystery_shopper.suites.tau_rec.task import TaskSet

if TYPE_CHECKING:
    from mystery_shopper.report.comparing.section import Compared

PAGE_BYTES = 15_000_000
CLOCK_BYTES = 64
"""Of a run's clock readings, at most."""
_OVERHEAD = 200


@dataclass(frozen=True)
class Shown:
    """The trials of the page: the JSON of each, the list of them, and the results they need."""

    entries: tuple[Entry, ...] = ()
    records: tuple[bytes, ...] = ()
    results: dict[str, Result] = field(default_factory=dict[str, Result])


def read_folders(
    folders: Sequence[RunFolder],
    *,
    labels: str | Path | None = None,
    task_sets: Mapping[str, TaskSet] | None = None,
    metrics: OwnMetrics | None = None,
) -> list[Run]:
    """The runs of the folders, with what task sets and a label file tell of them. Raises InputError
    for no folder, for one named twice, for a folder or a label file that cannot be read, and for a
    label that none of the runs has a place for."""
    if not folders:
        raise InputError("there is no run to report on", remedy="Name one run's folder or more.")
    refuse_twice(folders)
    names = folder_names(folders)
    found = load_labels(labels, names) if labels is not None else None
    check = LabelCheck(found) if found is not None else None
    runs: list[Run] = []
    for name, folder in zip(names, folders, strict=True):
        plan = folder.plan()
        task_set = (task_sets or {}).get(plan.task_set)
        trials = check.watch(name, plan, folder.trials()) if check else folder.trials()
        if metrics is not None:
            trials = metrics.watch(name, plan, trials, task_set)
        timings = folder.timings()
        runs.append(read_run(name, plan, trials, task_set=task_set, labels=found, timings=timings))
    if check:
        check.close()
    return runs


def write_report(
    folders: Sequence[RunFolder],
    out: Path,
    *,
    labels: str | Path | None = None,
    task_sets: Mapping[str, TaskSet] | None = None,
    page_bytes: int = PAGE_BYTES,
    metrics: OwnMetrics | None = None,
    first: Set[tuple[int, str]] = frozenset(),
    compared: Compared | None = None,
) -> Path:
    """Write the page to `out` in one move, and give its path.

    `labels` is a second labeller's file (see `labels`); `task_sets` by name, for the trials' pages;
    `metrics` (see `load_metrics`) are measured while the trials are read; of the trials those that
    are `first`, by the run's place and their key, are shown before all others; `compared` is what
    a comparison of the two runs found.
    Equal folders give equal bytes. Raises InputError for unreadable input, for an unwritable place,
    and for one that holds anything but an earlier page.
    """
    check_place(out, folders)
    runs = read_folders(folders, labels=labels, task_sets=task_sets, metrics=metrics)
    text = render_report(
        runs, folders, page_bytes=page_bytes, metrics=metrics, first=first, compared=compared
    )
    write_whole(out, text.encode("utf-8", "replace"))
    return out


def write_page(
    summary: Summary,
    runs: Sequence[Run],
    folders: Sequence[RunFolder],
    out: Path,
    *,
    metrics: OwnMetrics | None = None,
) -> None:
    """As `write_report`, of runs that were read and summarised already, in the folders' order."""
    check_place(out, folders)
    text = render_report(runs, folders, metrics=metrics, summary=summary)
    write_whole(out, text.encode("utf-8", "replace"))


def render_report(
    runs: Sequence[Run],
    folders: Sequence[RunFolder],
    *,
    page_bytes: int = PAGE_BYTES,
    metrics: OwnMetrics | None = None,
    first: Set[tuple[int, str]] = frozenset(),
    summary: Summary | None = None,
    compared: Compared | None = None,
) -> str:
    """The page's HTML: first without trials, to learn how many bytes are left for them."""
    summary = summary or summarise(runs)
    render = partial(_render, summary, _parts(summary, metrics), sections(runs), runs, compared)
    bare = len(render(Shown()).encode("utf-8", "replace"))
    # Which trials are shown must not hang on how many digits a clock reading has.
    bare += CLOCK_BYTES * len(runs) - read_bytes(summary)
    return render(choose(runs, folders, max(0, page_bytes - bare - 4_096), first))


def choose(
    runs: Sequence[Run],
    folders: Sequence[RunFolder],
    bound: int,
    first: Set[tuple[int, str]] = frozenset(),
) -> Shown:
    """Read the trials again and keep those that the page shows, best rank first; memory stays near
    the bound."""
    ranks = ranking(runs, first=first)
    shelf = Shelf(bound)
    kept: dict[int, tuple[Entry, bytes]] = {}
    results = Results()
    for place, (run, folder) in enumerate(zip(runs, folders, strict=True)):
        rows = {row.key: row for row in run.rows}
        told = [one for one in folder.timings() if (place, one.trial) in ranks]
        clocks = {one.trial: one for one in reversed(told)}  # Of two the first.
        for trial in folder.trials():
            rank = ranks.get((place, trial.key))
            if rank is None:
                continue
            task = run.task_set.by_id.get(trial.task) if run.task_set else None
            own = Results()
            found = record(trial, task, own, clocks.get(trial.key))
            made = escaped(found)
            line = entry(trial, rows[trial.key], place)
            size = len(made) + slack(found.clock) + len(escaped(line)) + _OVERHEAD
            needed = {key: len(escaped(one)) + 32 for key, one in own.by_hash.items()}
            kept[rank] = (line, made)
            results.by_hash |= own.by_hash
            for gone in shelf.offer(rank, size, needed):
                del kept[gone]
            if len(results.by_hash) > 20_000:
                results = Results(_needed(results, shelf))
    shown = [kept[rank] for rank in sorted(kept)]
    return Shown(
        tuple(line for line, _ in shown), tuple(made for _, made in shown), _needed(results, shelf)
    )


def _needed(results: Results, shelf: Shelf) -> dict[str, Result]:
    return {key: found for key, found in sorted(results.by_hash.items()) if shelf.needs(key)}


def escaped(value: object) -> bytes:
    """JSON that cannot end the element it stands in, nor break a line of script: `<`, `>`, `&`,
    U+2028 and U+2029 as escapes."""
    text = msgspec.json.encode(value).decode("utf-8")
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    return text.encode("utf-8")


def _markup(value: object) -> Markup:
    return Markup(escaped(value).decode("utf-8"))


def _parts(summary: Summary, metrics: OwnMetrics | None = None) -> list[dict[str, object]]:
    """What the page shows of each group."""
    return [
        {
            "group": group,
            "introduction": introduction(group),
            "method": method(group),
            "headline": headline(group),
            "charts": charts(group),
            "tables": [
                *tables(group),
                *left_out(group),
                *given_away(group),
                *latency(group),
                *spending(group),
                *metric_tables(group, metrics),
            ],
        }
        for group in summary.groups
    ]


def _render(
    summary: Summary,
    parts: Sequence[dict[str, object]],
    questions: Sequence[Section],
    runs: Sequence[Run],
    compared: Compared | None,
    shown: Shown,
) -> str:
    script = _file("browse.js") + _file("static.js")
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode()
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_file),
    )  # fmt: skip
    labels = {run.run.name: run.full for run in summary.runs}
    return environment.get_template("page.html.j2").render(
        summary=summary,
        groups=parts,
        questions=questions,
        compared=compared,
        style=Markup(_file("page.css")),
        colours=Markup(colours()),
        script=Markup(script),
        script_digest=digest,
        hatches=Markup(hatch_defs()),
        markup=Markup,
        runs=_markup([{"label": labels[run.name], "folder": run.name} for run in runs]),
        entries=_markup(shown.entries),
        records=[Markup(made.decode("utf-8")) for made in shown.records],
        results=_markup(shown.results),
        tally=_tally(runs, shown),
        most=MOST_TRIALS,
        warning=unmeasured(summary),
        labelled=labelled(runs),
    )


def _tally(runs: Sequence[Run], shown: Shown) -> list[str]:
    """How many are shown of all failures, excluded trials and successes, in words."""
    rows = [row for run in runs for row in run.rows]
    every = (
        ("failure", "failures", sum(row.valid and not row.success for row in rows)),
        ("excluded", "excluded trials", sum(not row.valid for row in rows)),
        ("success", "successes", sum(row.success for row in rows)),
    )
    return [
        f"{sum(line.outcome == kind for line in shown.entries):,} of "
        f"{plural(number, 'excluded trial' if kind == 'excluded' else kind, many)}"
        for kind, many, number in every
    ]


def colours() -> str:
    """The colours of the series as CSS variables, for light and dark."""

    def block(colours: Sequence[str]) -> str:
        return "".join(f"--series-{n}:{colour};" for n, colour in enumerate(colours, 1))

    dark = f"@media screen and (prefers-color-scheme:dark){{:root{{{block(SERIES_DARK)}}}}}"
    return f":root{{{block(SERIES)}}}{dark}"


def _file(name: str) -> str:
    source = resources.files("mystery_shopper.report") / "templates" / name
    return source.read_text(encoding="utf-8")
