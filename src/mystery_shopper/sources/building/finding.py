"""Which column of the file each field is read from."""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz import fuzz, process

from mystery_shopper.catalog import Domain
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.tables import Table

_NEAR = 70
_MOST = 3


def column_of(domain: Domain, field: str) -> str:
    """The column that a field is read from."""
    return domain.fields[field].source.column or field


def places_of(table: Table, domain: Domain) -> tuple[int, dict[str, int]]:
    """The place of the id's column, and field -> the place of its column. Raises InputError that
    names every column that is not there, with near spellings."""
    place_of = {name: place for place, name in enumerate(table.columns)}
    wanted = [("id", domain.id), *((field, column_of(domain, field)) for field in domain.fields)]
    problems: list[str] = []
    for field, column in wanted:
        if column not in place_of:
            role = "the id" if field == "id" and column == domain.id else f"field {field}"
            near = _near(column, table.columns)
            hint = f": did you mean {' or '.join(map(repr, near))}?" if near else ""
            problems.append(f"there is no column {column!r} ({role}){hint}")
    if problems:
        raise InputError(
            problems,
            where=str(table.path),
            remedy="Name the columns in the domain, with `id` and each field's"
            f" `source: {{column}}`. The file has: {', '.join(table.columns)}.",
        )
    return place_of[domain.id], {
        field: place_of[column_of(domain, field)] for field in domain.fields
    }


def _near(column: str, columns: Sequence[str]) -> list[str]:
    found = process.extract(
        column, columns, scorer=fuzz.WRatio, limit=_MOST, score_cutoff=_NEAR,
        processor=lambda name: name.casefold().replace("_", " "),
    )  # fmt: skip
    return [str(name) for name, _, _ in found]
