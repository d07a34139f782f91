"""The summary on a terminal, within 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.report.recbench import amiss, prose
from mystery_shopper.report.recbench.cells import Cell
from mystery_shopper.report.recbench.conducttables import latency_line
from mystery_shopper.report.recbench.grounds import Member, asked_for, handed
from mystery_shopper.report.recbench.observations import Observation
from mystery_shopper.report.recbench.study import Figured, Study
from mystery_shopper.report.recbench.tables import counted
from mystery_shopper.report.recbench.words import type_words
from mystery_shopper.report.words import bounds, figure, fitted, plain, plural, whole
from mystery_shopper.suites.recbench.query import Kind

_WIDTH = 80
_LABEL = 16
_MOST_TROUBLES = 2
_KEY = (
    "prec., recall: against the user's own group; CMR: items that meet all",
    "conditions; all three over answers that recommend. FTR: answers that do not.",
)


def print_summary(
    studies: Sequence[Study],
    found: Sequence[Sequence[Observation]],
    console: Console | None = None,
) -> None:
    """Print to stdout a run's figures by type with their denominators and what else tells of it, or
    of several runs a row each; after a ground's runs, which of the paper's observations they show.
    """
    console = console or Console()
    grounds = [study.ground for study in studies]
    for warning in (prose.made_up(grounds), prose.unmeasured(grounds), prose.unknown(grounds)):
        if warning is not None:
            _print(console, warning, style="yellow")
    if len(studies) > 1:
        _print(
            console,
            f"{len(studies)} grounds: the runs differ in query set, catalogue, histories or user. "
            "Figures of different grounds are not comparable.",
        )
    for study, observed in zip(studies, found, strict=True):
        if len(study.runs) == 1:
            _run(console, study.members[0], study.runs[0])
        else:
            _several(console, study)
        for line in _KEY:
            console.print(Text(line, style="dim"))
        _print(console, study.caption, style="dim")
        for line in observed_lines(observed):
            console.print(Text(line))


def _print(console: Console, text: str, style: str = "") -> None:
    for line in wrap(text, _WIDTH, subsequent_indent="  "):
        console.print(Text(line, style=style))


def _run(console: Console, member: Member, run: Figured) -> None:
    plan = member.plan
    told = (plan.interface, handed(plan.history), asked_for(plan.k))
    rest = ", ".join(one for one in told if one not in member.label)
    _print(console, plain(member.label, 60) + (f" ({rest})" if rest else ""), style="bold")
    rows = [cell for cell in run.types if not cell.group]
    if rows:
        console.print(_table(rows))
    for line in _lines(member, run):
        _indented(console, line)


def _several(console: Console, study: Study) -> None:
    """A row a run, over all its queries, then what went wrong in each."""
    table = _columns(
        "run", ("prec.", "interval", "recall", "CMR", "FTR", "succ.", "valid", "excl.")
    )
    rows = [(one, run, run.every) for one, run in zip(study.members, study.runs, strict=True)]
    for member, run, cell in rows:
        if cell is None:
            continue
        counts = cell.counts
        of = f"{whole(counts.valid)}/{whole(counts.planned)}"
        told = (figure(cell.at("success").value), of, whole(counts.excluded))
        table.add_row(Text(_name(member, run)), *map(Text, (*_matched(cell), *told)))
    console.print(table)
    for member, _, _ in rows:
        for line in _amiss(member):
            _indented(console, f"{plain(member.label, 40)}: {line}")
    _print(
        console,
        "Over all queries of a run; succ.: something recommended, and all of it fits; valid: of "
        "those planned. By type: report one run, or the page.",
        style="dim",
    )


def _name(member: Member, run: Figured) -> str:
    unplayed = member.played.counts.unplayed
    return fitted(run.label, _LABEL) + (f" ({whole(unplayed)} unplayed)" if unplayed else "")


def _indented(console: Console, line: str) -> None:
    for part in wrap(line, _WIDTH - 2, subsequent_indent="    "):
        console.print(Text(f"  {part}"))


def _table(cells: Sequence[Cell]) -> Table:
    heads = ("prec.", "interval", "recall", "CMR", "FTR", "planned", "valid", "excl.")
    table = _columns("  type", heads)
    for cell in cells:
        told = (f"  {type_words(cell.kind)}", *_matched(cell), *counted(cell.counts))
        table.add_row(*map(Text, told))
    return table


def _columns(first: str, heads: Sequence[str]) -> Table:
    table = Table(
        box=None, padding=(0, 1), pad_edge=False, collapse_padding=True, header_style="bold"
    )
    table.add_column(first, overflow="fold")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _matched(cell: Cell) -> tuple[str, ...]:
    """Precision with its interval, recall, CMR and FTR."""
    precision = cell.at("precision_own")
    rest = (figure(cell.at(name).value) for name in ("recall_own", "cmr", "failed"))
    return figure(precision.value), bounds(precision.low, precision.high), *rest


def _lines(member: Member, run: Figured) -> list[str]:
    counts = member.played.counts
    lines: list[str] = []
    if counts.unplayed:
        lines.append(f"{whole(counts.unplayed)} of {whole(counts.planned)} trials are unplayed")
    every = run.every
    if every is not None:
        names = {
            "success": "success", "hallucinated": "hallucinated", "recommended": "items an answer",
            "novelty": "novelty", "diversity": "diversity", "pulled": "pulled by the history",
        }  # fmt: skip
        told = [
            f"{what} {figure(every.at(name).value)}"
            for name, what in names.items()
            if every.at(name).value is not None
        ]
        if told:
            lines.append(", ".join(told))
    misled = run.of_type(Kind.MISINFORMED)
    if misled is not None and misled.at("names_mistake").value is not None:
        lines.append(
            "misinformed queries whose answer names the mistake: "
            f"{figure(misled.at('names_mistake').value)}"
        )
    waits = latency_line(member)
    return [*lines, *([waits] if waits else []), *_amiss(member)]


def _amiss(member: Member) -> list[str]:
    """What went wrong in a run."""
    return [*amiss.lines(member.played.valid), *_troubles(member)]


def _troubles(member: Member) -> list[str]:
    """The commonest errors that ended trials."""
    lines: list[str] = []
    for what, valid in (("ended in an error of the agent", True), ("excluded", False)):
        told = Counter(
            one.trouble for one in member.played.answers if one.trouble and one.valid is valid
        )
        for trouble, often in told.most_common(_MOST_TROUBLES):
            lines.append(f"{plural(often, 'trial')} {what}: {plain(trouble, 200)}")
    return lines


def observed_lines(found: Sequence[Observation]) -> list[str]:
    """Which of the paper's observations the runs show, a verdict after the other, each by number
    and name."""
    by_verdict: dict[str, list[str]] = {}
    for one in found:
        name = f"{one.name[0].lower()}{one.name[1:]}"
        by_verdict.setdefault(one.verdict.value, []).append(f"({one.number}) {name}")
    lines = ["The paper's observations:"]
    for verdict, names in by_verdict.items():
        told = f"{verdict}: {', '.join(names)}"
        lines += wrap(told, _WIDTH, initial_indent="  ", subsequent_indent="    ")
    return lines
