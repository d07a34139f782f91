"""From a table to a catalogue, in one pass over its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from mystery_shopper.catalog import Catalogue, Domain, Kind, assemble_catalogue
from mystery_shopper.catalog.columns import Column, LabelColumn
from mystery_shopper.catalog.domain import FORMATS_FIELD
from mystery_shopper.catalog.hints import block_hints
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.building.account import (
    Account,
    Example,
    FieldAccount,
    OnError,
    Problem,
    Tally,
    shown,
)
from mystery_shopper.sources.building.builders import (
    AnyBuilder,
    Labels,
    Numbers,
    Refusal,
    builder_for,
)
from mystery_shopper.sources.building.checks import (
    carries_change,
    change_warning,
    formats_warnings,
    label_warnings,
    loss_warning,
    popularity_warning,
)
from mystery_shopper.sources.building.finding import column_of, places_of
from mystery_shopper.sources.building.ids import Ids
from mystery_shopper.sources.building.numbers import thousands_warning
from mystery_shopper.sources.tables import Broken, Entry, Nested, Table

BATCH = 8_192
MOST_PROBLEMS = 20
_STOP_REMEDY = (
    "Mend the file or the domain; or add --on-error skip, which leaves out what cannot be read."
)


def build_from_table(
    table: Table,
    domain: Domain,
    *,
    name: str,
    on_error: OnError = "stop",
    progress: Callable[[int], None] | None = None,
) -> tuple[Catalogue, Account]:
    """The catalogue of a product file, and the account of what was read and dropped.

    `stop`: up to 20 problems are gathered, then raised as one InputError that names line, column
    and value of each. `skip`: a broken line and a row without a good id of its own are left out; a
    value that its field cannot take counts as missing. `progress` hears how many rows have been
    read. Raises InputError too where a column is not there, or skipping would leave no row or less
    than half of them.
    """
    work = _Work(table, domain, stopping=on_error == "stop")
    for batch in _batches(table, work.heard):
        work.add(batch)
        if progress is not None:
            progress(work.read)
    work.close()
    return work.finish(name)


def _batches(table: Table, told: Callable[[Broken], None]) -> Iterator[list[Entry]]:
    rows = table.rows(told)
    while batch := list(islice(rows, BATCH)):
        yield batch


class _Work:
    """What has been read so far."""

    def __init__(self, table: Table, domain: Domain, *, stopping: bool) -> None:
        self.read = 0
        self._table, self._domain, self._stopping = table, domain, stopping
        self._id_place, self._place_of = places_of(table, domain)
        self._ids = Ids(domain.id, table.unit)
        self._builders: dict[str, AnyBuilder] = {
            field: builder_for(spec) for field, spec in domain.fields.items()
        }
        self._lost = Tally()
        self._refused = {field: Tally() for field in domain.fields}
        self._problems: list[Problem] = []
        self._remarks: list[str] = []
        self._hints = block_hints(domain)

    def heard(self, remark: Broken) -> None:
        """Keep a remark of the table's reader."""
        self._remarks.append(str(remark))

    def add(self, batch: Sequence[Entry]) -> None:
        """Read some rows. Raises InputError where stopping and enough problems were found."""
        self.read += len(batch)
        lines: list[int] = []
        rows: list[Sequence[object]] = []
        for entry in batch:
            if isinstance(entry, Broken):
                self._lose(_problem_of(entry, self._table.unit))
            else:
                line, cells = entry
                lines.append(line)
                rows.append(cells)
        if rows:
            self._add_rows(lines, list(zip(*rows, strict=True)))
        if self._stopping and len(self._problems) >= MOST_PROBLEMS:
            self.close()

    def close(self) -> None:
        """Raise what was found: the problems where stopping, too many dropped rows otherwise."""
        if self._stopping and self._problems:
            self._problems.sort(key=lambda problem: problem.line)
            told = list(map(str, self._problems[:MOST_PROBLEMS]))
            more = "There may be more. " if len(self._problems) >= MOST_PROBLEMS else ""
            changes = "".join(f"{change[:1].upper()}{change[1:]}. " for change in self._changes())
            raise InputError(
                told, where=str(self._table.path), remedy=f"{more}{changes}{_STOP_REMEDY}"
            )
        kept = len(self._ids.texts)
        if kept * 2 < self.read or not kept:
            reasons = [_told_of(self._table.unit, lost.reason, lost.count, lost.examples)
                       for lost in self._lost.finish()]  # fmt: skip
            some = f"only {kept:,}" if kept else "none"
            raise InputError(
                [f"{some} of {self.read:,} rows could be kept", *reasons],
                where=str(self._table.path),
                remedy="Mend the file, or name another id or separator: so much loss is seldom"
                " meant.",
            )

    def finish(self, name: str) -> tuple[Catalogue, Account]:
        """The catalogue and the account. The columns here are let go as they are finished."""
        self._ids.forget_seen()
        fields: list[FieldAccount] = []
        columns: dict[str, Column] = {}
        for field in self._domain.fields:
            builder = self._builders.pop(field)
            columns[field] = builder.finish()
            fields.append(self._field_account(field, builder, columns[field]))
        account = Account(
            str(self._table.path),
            self._table.form,
            self.read,
            len(self._ids.texts),
            self._lost.finish(),
            tuple(fields),
            (*self._ids.warnings(), *self._remarks, *self._losses(fields)),
            self._table.unit,
        )
        domain, ids = self._domain, self._ids.texts
        return assemble_catalogue(name, domain, ids, columns, domain.sizes), account

    def _add_rows(self, lines: list[int], columns: list[tuple[object, ...]]) -> None:
        kept, problems = self._ids.add(lines, columns[self._id_place])
        for problem in problems:
            self._lose(problem)
        whole = len(kept) == len(lines)
        here = lines if whole else [lines[place] for place in kept]
        for field, builder in self._builders.items():
            cells: Sequence[object] = columns[self._place_of[field]]
            for refusal in builder.add(cells if whole else [cells[place] for place in kept]):
                self._refuse(field, here[refusal.place], refusal)

    def _lose(self, problem: Problem) -> None:
        self._lost.add(problem)
        self._note(problem)

    def _refuse(self, field: str, line: int, refusal: Refusal) -> None:
        column, unfit = column_of(self._domain, field), refusal.unfit
        role = "" if column == field else f"field {field}"
        value = None if isinstance(refusal.cell, Nested) else shown(refusal.cell)
        problem = Problem(line, column, value, unfit.reason, role, unfit.remedy, self._table.unit)
        self._refused[field].add(problem)
        self._note(problem)

    def _note(self, problem: Problem) -> None:
        if self._stopping:
            self._problems.append(problem)

    def _changes(self) -> list[str]:
        """Which of the columns with problems change their type half way, as far as was read."""
        found: list[str] = []
        for field, builder in self._builders.items():
            if self._refused[field].counts and carries_change(self._domain.fields[field]):
                told = change_warning(builder.looks(), self._ids.lines, self._table.unit)
                if told:
                    found.append(f"column {column_of(self._domain, field)!r} {told}")
        return found

    def _losses(self, fields: Sequence[FieldAccount]) -> list[str]:
        specs = self._domain.fields
        told = (loss_warning(f.field, f.known, f.dropped, specs[f.field]) for f in fields)
        return [warning for warning in told if warning]

    def _field_account(self, field: str, builder: AnyBuilder, column: Column) -> FieldAccount:
        spec, known = self._domain.fields[field], builder.known()
        formats = self._domain.formats
        warnings: list[str] = []
        if carries_change(spec):
            told = change_warning(builder.looks(), self._ids.lines, self._table.unit)
            warnings.extend([told] if told else [])
        if field in self._hints:
            warnings.append(self._hints[field])
        if field == self._domain.popularity and not known:
            warnings.append(popularity_warning(field))
        if isinstance(builder, Numbers) and spec.source.part != "year":
            told = thousands_warning(builder.texts(), spec.source.decimal)
            warnings.extend([told] if told else [])
        distinct = len(column.labels) if isinstance(column, LabelColumn) else None
        if isinstance(builder, Labels) and distinct is not None:
            warnings.extend(label_warnings(builder, spec, known, distinct))
            if formats is not None and formats.column == field:
                warnings.extend(formats_warnings(builder))
                warnings.extend(self._hints.get(FORMATS_FIELD, "").splitlines())
        return FieldAccount(
            field,
            column_of(self._domain, field),
            Kind(spec.kind).value,
            known,
            len(column) - known,
            self._refused[field].finish(),
            distinct,
            tuple(warnings),
        )


def _problem_of(broken: Broken, unit: str) -> Problem:
    return Problem(broken.line, broken.column, None, broken.reason, broken.more, unit=unit)


def _told_of(unit: str, reason: str, count: int, examples: Sequence[Example]) -> str:
    places = ", ".join(str(example.line) for example in examples)
    more = " …" if count > len(examples) else ""
    return f"{count:,} row{'s' * (count != 1)}: {reason} ({unit} {places}{more})"
