"""A catalogue's items as a plain file: for agents with a search of their own."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
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
        data = _table(catalogue, place)
    else:
        encoder = msgspec.json.Encoder()
        data = encoder.encode_lines(item_records(catalogue))
    write_whole(place, data)
    return len(catalogue)


def item_records(catalogue: Catalogue) -> Iterator[dict[str, Any]]:
    """Each item in the catalogue's order: `item_id`, then every shown field; labels are lists, and
    what is unknown is null."""
    fields = [name for name, spec in catalogue.domain.fields.items() if spec.shown]
    for position in range(len(catalogue)):
        item = catalogue.item(position)
        yield {"item_id": item.id} | {n: item[n] for n in fields if n != "item_id"}


def _table(catalogue: Catalogue, place: Path) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    for number, record in enumerate(item_records(catalogue)):
        if not number:
            writer.writerow(record)
        writer.writerow([_cell(value, place) for value in record.values()])
    return text.getvalue().encode("utf-8")


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
