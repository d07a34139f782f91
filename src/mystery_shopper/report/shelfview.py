"""A catalogue on a terminal, within 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.report.catalogview import (
    CatalogueView,
    Count,
    FieldView,
    FormatsView,
    TierView,
)
from mystery_shopper.report.words import plain, plural

_NAME = 22
_BOUNDS = 24
_PROBLEMS = 3


def print_catalogue(view: CatalogueView, console: Console | None = None) -> None:
    """A table of the fields, then what customers may say of each, the formats and the tiers."""
    console = console or Console()
    head = f"{plain(view.name, 60)}: {view.items:,} {view.noun}, digest {view.digest[:12]}"
    console.print(Text(head, style="bold"))
    if len(view.sizes) > 1:
        console.print(Text(f"subsets of {', '.join(f'{size:,}' for size in view.sizes)}"))
    console.print(_table(view))
    for field in view.fields:
        for line in _values(field):
            console.print(line)
    for line in _formats(view.formats):
        console.print(line)
    for tier in view.tiers or ():
        for line in _tier(tier):
            console.print(line)


def _table(view: CatalogueView) -> Table:
    table = Table(padding=(0, 1), pad_edge=False, box=None, header_style="bold")
    table.add_column("field", max_width=_NAME, overflow="fold")
    table.add_column("kind", no_wrap=True)
    table.add_column("known", justify="right", no_wrap=True)
    table.add_column("values", justify="right", no_wrap=True)
    table.add_column("roles", overflow="fold")
    for field in view.fields:
        share = field.known / view.items if view.items else 0.0
        cells = (
            plain(field.name, 60), field.kind, f"{share:.1%}", _span(field), ", ".join(field.roles)
        )  # fmt: skip
        table.add_row(*map(Text, cells))
    return table


def _span(field: FieldView) -> str:
    if field.labels is not None:
        return plural(field.labels, "label")
    if field.least is not None and field.most is not None:
        return f"{_number(field.least)} to {_number(field.most)}"
    if field.true is not None:
        return f"{field.true / field.known:.0%} true" if field.known else ""
    return ""


def _values(field: FieldView) -> list[Text]:
    """What customers may say of a field that carries requirements."""
    if "requirement" not in field.roles:
        return []
    name = Text(f"{plain(field.name, 40)}: ", style="bold")
    lines: list[Text] = []
    if field.labels is not None:
        rest = field.labels - len(field.top)
        told = _counts(field.top) + (f", and {rest:,} more" if rest else "")
        lines.append(name + Text(told or "no label"))
        if field.several:
            lines.append(Text(f"  several labels on {plural(field.several, 'item')}"))
        if field.parents is not None:
            lines.append(
                Text(f"  hierarchy: {plural(field.parents, 'label')} with others below", "dim")
            )
    elif field.least is not None:
        shown = [_number(bound) for bound in field.bounds]
        more = f", … ({len(shown):,} bounds)" if len(shown) > _BOUNDS else ""
        told = ", ".join(shown[:_BOUNDS]) + more
        lines.append(name + Text(f"bounds {told}" if shown else "no bound can be named"))
    elif field.true is not None:
        lines.append(name + Text(f"true of {field.true:,}, false of {field.known - field.true:,}"))
    if field.hint:
        lines += [Text(line, style="yellow") for line in _wrapped(f"note: {field.hint}")]
    return lines + _mute(field.mute)


def _counts(counts: Sequence[Count]) -> str:
    return ", ".join(f"{plain(count.label, 40)} ({count.items:,})" for count in counts)


def _formats(formats: FormatsView | None) -> list[Text]:
    if formats is None:
        return [Text("formats: off")]
    source = f"from {formats.column}" if formats.column else "simulated"
    told = f"formats ({plain(formats.label, 40)}, {source}): {_counts(formats.choices)}"
    return [Text(told), *_mute(formats.mute)]


def _mute(why: str) -> list[Text]:
    return [Text(f"  mute: {plain(why, 200)}", style="yellow")] if why else []


def _number(number: float) -> str:
    """A number in full; years and prices need no thousands' marks."""
    return f"{number:.0f}" if float(number).is_integer() else f"{number:.6g}"


def _tier(tier: TierView) -> list[Text]:
    style = "green" if tier.feasible else "yellow"
    count = plural(len(tier.templates), "template")
    lines = [Text(f"tier {tier.tier}: {count if tier.feasible else 'not feasible'}", style=style)]
    lines += [Text(f"  {template}") for template in tier.templates]
    for problem in tier.problems[:_PROBLEMS]:
        told = f"not {problem}" if problem.startswith("[") else problem
        lines += [Text(line, style="dim") for line in _wrapped(told)]
    rest = len(tier.problems) - _PROBLEMS
    if rest > 0:
        lines.append(Text(f"  and {plural(rest, 'other')} that cannot be met", style="dim"))
    return lines


def _wrapped(text: str) -> list[str]:
    return wrap(plain(text, 300), 78, initial_indent="  ", subsequent_indent="    ")
