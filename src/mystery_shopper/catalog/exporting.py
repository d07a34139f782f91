"""A catalogue's items as a plain file: for agents with a search of their own."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.catalog.catalogue import Catalogue
from mystery_shopper.foundation import InputError, write_whole

BETWEEN = "|"
"""What stands between the labels of a cell."""
ENDINGS = (".csv", ".jsonl")


def export_items(catalogue: Catalogue, place: Path) -> int:
    """Write one item a line, its `item_id` and the fields that agents may see, as CSV or JSON lines
    by the file's ending; gives the number of items. Raises InputError for another ending, and where
    a label holds what stands between labels in a CSV file."""
    if place.suffix not in ENDINGS:
        raise InputError(
            f"a file must end in {' or '.join(ENDINGS)}",
            where=str(place),
            remedy=f"Write it to {place.with_suffix('.csv').name}.",
        )
    if place.suffix == ".csv":
        cells = ([_cell(one, place) for one in r.values()] for r in item_records(catalogue))
        return write_table(place, ["item_id", *_fields(catalogue)], cells)
    write_whole(place, msgspec.json.Encoder().encode_lines(item_records(catalogue)))
    return len(catalogue)


def write_table(place: Path, head: Sequence[str], rows: Iterable[Sequence[object]]) -> int:
    """Write a CSV file; gives its number of rows."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    count = 0
    for count, row in enumerate(rows, 1):  # noqa: B007
        writer.writerow(row)
    write_whole(place, text.getvalue().encode("utf-8"))
    return count


def item_records(catalogue: Catalogue) -> Iterator[dict[str, Any]]:
    """Each item in the catalogue's order: `item_id`, then every shown field; labels are lists, and
    what is unknown is null."""
    fields = _fields(catalogue)
    for position in range(len(catalogue)):
        item = catalogue.item(position)
        yield {"item_id": item.id} | {name: item[name] for name in fields}


def _fields(catalogue: Catalogue) -> list[str]:
    shown = (name for name, spec in catalogue.domain.fields.items() if spec.shown)
    return [name for name in shown if name != "item_id"]


def _cell(value: object, place: Path) -> object:
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, tuple):
        return value
    labels = [str(part) for part in value]
    if any(BETWEEN in label for label in labels):
        raise InputError(
            f"a label holds {BETWEEN!r}, which stands between labels",
            where=str(place),
            remedy=f"Write {place.with_suffix('.jsonl').name}, where labels are lists.",
        )
    return BETWEEN.join(labels)
