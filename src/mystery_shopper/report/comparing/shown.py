"""A comparison on a terminal, within 80 columns."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.report.comparing.compare import Comparison
from mystery_shopper.report.comparing.written import cells, notes, title, verdicts
from mystery_shopper.report.words import DASH, plain, plural

_MOST_FLIPS = 10
_STYLE = {"failed": "bold red", "held": "green", "untold": "yellow"}
_WORD = {"failed": "FAILED", "held": "held", "untold": "not told"}


def print_comparison(found: Comparison, console: Console | None = None) -> None:
    """Print the conditions, the table, what turned over, and the notes to stdout."""
    console = console or Console()
    console.print(Text(title(found), style="bold"))
    for kind, told in verdicts(found):
        console.print(Text(f"{_WORD[kind]}: {plain(told, 300)}", style=_STYLE[kind]))
    console.print(_table(found))
    for lost, what in ((True, "lost"), (False, "won")):
        flips = [flip for flip in found.flips if flip.lost is lost]
        if not flips:
            continue
        counted = plural(len(flips), found.terms.task, found.terms.tasks)
        console.print(Text(f"{counted} {what}:"))
        for flip in flips[:_MOST_FLIPS]:
            why = flip.failure.replace("_", " ") or DASH
            rates = f"{flip.base:.2f} to {flip.candidate:.2f}"
            console.print(Text(f"  {plain(flip.task, 40)}  {rates}  {why}"))
        if len(flips) > _MOST_FLIPS:
            console.print(Text(f"  … and {len(flips) - _MOST_FLIPS} more"))
    for note in notes(found):
        console.print(Text(note, style="dim"))


def _table(found: Comparison) -> Table:
    table = Table(
        box=None, padding=(0, 1), pad_edge=False, collapse_padding=True, header_style="bold"
    )
    table.add_column("measure", min_width=17, overflow="fold")
    for head in ("base", "cand.", "diff.", "95 % interval", "p", "detect.", found.terms.short):
        table.add_column(head, justify="right", no_wrap=True)
    for one in found.differences:
        *told, _, families = cells(one)
        table.add_row(*map(Text, (*told, families)))
    return table
