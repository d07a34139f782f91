"""Console output of `check` and `measure`: what was proved, and what was missed."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.metrics.asks import AskScores
from mystery_shopper.suites.tau_rec.task import TaskSet
from mystery_shopper.suites.tau_rec.validate import CheckReport

SHOWN = 40


def print_check(tasks: TaskSet, found: CheckReport, console: Console | None = None) -> None:
    """A table of the properties with how often each was checked, then every violation."""
    console = console or Console()
    broken: dict[str, int] = {}
    for violation in found.violations:
        broken[violation.property.value] = broken.get(violation.property.value, 0) + 1
    table = Table("property", "checks", "violations", title=f"{found.name} ({tasks.digest[:12]})")
    for column in table.columns[1:]:
        column.justify = "right"
    for held, count in found.checked.items():
        bad = broken.get(held.value, 0)
        table.add_row(held.value, str(count), Text(str(bad), style="bold red" if bad else ""))
    console.print(table)
    for name, figure in found.figures.items():
        console.print(Text(f"{name}: {figure}"))
    rejected = ", ".join(f"{count} {why}" for why, count in sorted(tasks.origin.rejected.items()))
    console.print(Text(f"Drawn and rejected when the set was made: {rejected or 'not recorded'}"))
    for violation in found.violations[:SHOWN]:
        console.print(Text(f"BROKEN {violation}", style="red"))
    if len(found.violations) > SHOWN:
        console.print(Text(f"... and {len(found.violations) - SHOWN} more", style="red"))
    console.print(Text("Every property holds." if found.ok else "The set is not valid."))


def print_asks(
    scores: AskScores, name: str, console: Console | None = None, *, misses: bool = True
) -> None:
    """Precision and recall of the matching, then every message that was misread if wanted."""
    console = console or Console()
    table = Table("", "precision", "recall", "right", "too many", "missed", title=name)
    for column in table.columns[1:]:
        column.justify = "right"
    for label, counts in (("fields asked", scores.pairs), ("generic requests", scores.generic)):
        table.add_row(
            label,
            _share(counts.precision),
            _share(counts.recall),
            str(counts.tp),
            str(counts.fp),
            str(counts.fn),
        )
    console.print(table)
    console.print(Text(f"{scores.messages} messages, {len(scores.misses)} misread"))
    for miss in scores.misses if misses else ():
        console.print(Text(f"\n{miss.id}: {miss.text}"))
        console.print(Text(f"  expected {_names(miss.expected)}", style="green"))
        console.print(Text(f"  read as  {_names(miss.got)}", style="red"))


def _share(value: float) -> str:
    return f"{value:.3f}" if value == value else "–"


def _names(fields: tuple[str, ...]) -> str:
    return ", ".join(fields) or "nothing"
