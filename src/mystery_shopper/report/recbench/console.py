"""The summary on a terminal, within 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.report.recbench import prose
from mystery_shopper.report.recbench.cells import Cell
from mystery_shopper.report.recbench.conducttables import latency_line
from mystery_shopper.report.recbench.grounds import Member, asked_for, handed
from mystery_shopper.report.recbench.observations import Observation
from mystery_shopper.report.recbench.study import Figured, Study
from mystery_shopper.report.recbench.tables import counted
from mystery_shopper.report.words import bounds, figure, plain, plural, whole
from mystery_shopper.suites.recbench.query import Kind
from mystery_shopper.suites.recbench.summary import ALL

_WIDTH = 80
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
    """Print one table a run to stdout: its figures by type with their denominators, then what else
    tells of it; after a ground's runs, which of the paper's observations they show."""
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
        for member, run in zip(study.members, study.runs, strict=True):
            _run(console, member, run)
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
        for part in wrap(line, _WIDTH - 2, subsequent_indent="    "):
            console.print(Text(f"  {part}"))


def _table(cells: Sequence[Cell]) -> Table:
    table = Table(
        box=None, padding=(0, 1), pad_edge=False, collapse_padding=True, header_style="bold"
    )
    table.add_column("  type", no_wrap=True)
    heads = ("prec.", "interval", "recall", "CMR", "FTR", "planned", "valid", "excl.")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for cell in cells:
        precision = cell.at("precision_own")
        table.add_row(
            *map(
                Text,
                (
                    f"  {cell.kind}",
                    figure(precision.value),
                    bounds(precision.low, precision.high),
                    figure(cell.at("recall_own").value),
                    figure(cell.at("cmr").value),
                    figure(cell.at("failed").value),
                    *counted(cell.counts),
                ),
            )
        )
    return table


def _lines(member: Member, run: Figured) -> list[str]:
    played = member.played
    counts = played.counts
    lines = [
        f"{whole(counts.planned)} planned, {whole(counts.valid)} valid, "
        f"{whole(counts.excluded)} excluded, {whole(counts.unplayed)} unplayed"
    ]
    every = run.of_type(ALL) or next((cell for cell in run.types if not cell.group), None)
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
    return [*lines, *([waits] if waits else []), *_troubles(member)]


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
    """Which of the paper's observations the runs show, a line a verdict."""
    by_verdict: dict[str, list[str]] = {}
    for one in found:
        by_verdict.setdefault(one.verdict.value, []).append(str(one.number))
    told = "; ".join(f"{verdict}: {', '.join(numbers)}" for verdict, numbers in by_verdict.items())
    return wrap(f"The paper's observations (1-8): {told}.", _WIDTH, subsequent_indent="  ")
