"""Console output of `check` and `measure`: what was proved, and what was missed."""

from __future__ import annotations

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.metrics.asks import AskScores, Counts
from mystery_shopper.suites.tau_rec.probe import FieldProbe, ProbeReport, Shared
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
    for note in found.notes:
        console.print(Text(note))
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


def asks_json(scores: AskScores) -> str:
    """The same as JSON. Shares that are not defined are null."""
    whole = {
        "messages": scores.messages,
        "fields": _counts(scores.pairs),
        "generic": _counts(scores.generic),
        "misses": scores.misses,
    }
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()


def _counts(counts: Counts) -> dict[str, float | int | None]:
    return {
        "precision": counts.precision if counts.precision == counts.precision else None,
        "recall": counts.recall if counts.recall == counts.recall else None,
        "right": counts.tp,
        "too_many": counts.fp,
        "missed": counts.fn,
    }


def print_probe(found: ProbeReport, console: Console | None = None, *, misses: bool = True) -> None:
    """What was understood of the probe questions, by field and by form; then what was misread, and
    which words the domain lacks or its fields share. Fits 80 columns."""
    console = console or Console()
    table = Table("field", "label", "understood", "misread forms", title=f"Probe of {found.domain}")
    table.columns[2].justify = "right"
    for field in found.fields:
        table.add_row(
            Text(field.field), Text(field.label), _of(field.understood, field.asked), _weak(field)
        )
    console.print(table)
    forms = Table("form", "understood", title="All fields, by form")
    forms.columns[1].justify = "right"
    for tally in found.forms:
        forms.add_row(tally.form, _of(tally.understood, tally.asked))
    console.print(forms)
    _print_remarks(found, console)
    asked = sum(field.asked for field in found.fields)
    console.print(Text(f"{asked} questions (seed {found.seed}), {len(found.misread)} misread"))
    for miss in found.misread if misses else ():
        console.print(Text(f"\n{miss.field}, {miss.form}: {miss.text}"))
        console.print(Text(f"  expected {_names(miss.expected)}", style="green"))
        console.print(Text(f"  read as  {_names(miss.got)}", style="red"))


def _print_remarks(found: ProbeReport, console: Console) -> None:
    for name in found.mute:
        why = "its label is not heard, or heard as another field: give it another label"
        console.print(Text(f"MUTE {name}: {why}", style="red"))
    if found.bare:
        bare = ", ".join(found.bare)
        console.print(Text(f"labels only (no words of their own): {bare}"))
    for hint in found.hints:
        console.print(Text(f"  {hint}", style="yellow"))
    _print_shared("Synonyms that fields share", found.words, console)
    _print_shared("Labels that fields share", found.labels, console)


def _print_shared(what: str, shared: tuple[Shared, ...], console: Console) -> None:
    if not shared:
        return
    console.print(Text(f"{what}: {len(shared)}"))
    for each in shared[:SHOWN]:
        console.print(Text(f"  {each.word}: {', '.join(each.fields)}"))
    if len(shared) > SHOWN:
        console.print(Text(f"  ... and {len(shared) - SHOWN} more"))


def _weak(field: FieldProbe) -> str:
    """The forms of which something was misread, and how much."""
    weak = [tally for tally in field.forms if tally.understood < tally.asked]
    return ", ".join(f"{tally.form} {tally.asked - tally.understood}" for tally in weak) or "–"


def _of(part: int, whole: int) -> Text:
    return Text(f"{part} of {whole}", style="" if part == whole else "bold")


def _share(value: float) -> str:
    return f"{value:.3f}" if value == value else "–"


def _names(fields: tuple[str, ...]) -> str:
    return ", ".join(fields) or "nothing"
