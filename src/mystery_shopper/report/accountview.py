"""What a build took of a file, on a terminal, within 80 columns."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.report.words import plain, plural
from mystery_shopper.sources.building import Account, Dropped, FieldAccount

_NAME = 24


def print_account(account: Account, console: Console | None = None) -> None:
    """The rows read, kept and dropped, a line a column, and of what was dropped why and where."""
    console = console or Console()
    head = f"{plain(account.file, 200)}: {plain(account.form, 200)}"
    console.print(Text(head, style="bold"))
    console.print(Text(f"{plural(account.read, 'row')} read, {account.kept:,} kept"))
    for line in _dropped(account.dropped, "row", account.unit):
        console.print(line)
    console.print(_table(account.fields))
    for field in account.fields:
        lines = [*_dropped(field.dropped, "value", account.unit), *_warnings(field.warnings)]
        if lines:
            console.print(Text(plain(field.field, 60), style="bold"))
        for line in lines:
            console.print(line)
    for line in _warnings(account.warnings):
        console.print(line)


def _table(fields: Sequence[FieldAccount]) -> Table:
    table = Table(padding=(0, 1), pad_edge=False, box=None, header_style="bold")
    table.add_column("field", max_width=_NAME, overflow="fold")
    table.add_column("kind", no_wrap=True)
    for head in ("kept", "missing", "dropped", "labels"):
        table.add_column(head, justify="right", no_wrap=True)
    for field in fields:
        lost = sum(one.count for one in field.dropped)
        labels = "" if field.labels is None else f"{field.labels:,}"
        cells = (
            plain(field.field, 60),
            field.kind,
            f"{field.known:,}",
            f"{field.missing:,}",
            f"{lost:,}" if lost else "",
            labels,
        )
        table.add_row(*map(Text, cells))
    return table


def _dropped(dropped: Sequence[Dropped], what: str, unit: str) -> list[Text]:
    lines: list[Text] = []
    for one in dropped:
        lines.append(
            Text(f"  {plural(one.count, what)} dropped: {plain(one.reason, 200)}", style="yellow")
        )
        for example in one.examples:
            place = f"{unit} {example.line}"
            if example.column is not None:
                place += f", column {plain(example.column, 40)}"
            value = f": {plain(example.value, 60)}" if example.value else ""
            more = f" {plain(example.reason, 160)}" if example.reason != one.reason else ""
            lines.append(Text(f"    {place}{value}{more}"))
        if one.count > len(one.examples):
            lines.append(Text(f"    and {one.count - len(one.examples):,} more", style="dim"))
    return lines


def _warnings(warnings: Sequence[str]) -> list[Text]:
    return [Text(f"  note: {plain(warning, 300)}", style="yellow") for warning in warnings]
