"""In which formats an item can be had: from a column, or simulated from a hash of its id."""

from __future__ import annotations

import hashlib

from mystery_shopper.catalog.bits import Bits, bits_of
from mystery_shopper.catalog.catalogue import Catalogue, Item
from mystery_shopper.catalog.columns import LabelColumn
from mystery_shopper.catalog.fields import fold


def simulated_formats(item_id: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """A fixed, non-empty choice of formats for an id: bit i of SHA-256(`formats:` + id) keeps
    choice i; where no bit is set the hash picks one."""
    key = hashlib.sha256(b"formats:" + item_id.encode("utf-8", "surrogatepass")).digest()
    number = int.from_bytes(key[:8], "little")
    kept = tuple(choice for index, choice in enumerate(choices) if (number >> index) & 1)
    return kept or (choices[(number >> len(choices)) % len(choices)],)


def format_choices(catalogue: Catalogue) -> tuple[str, ...]:
    """Every format of the catalogue; empty where formats are off."""
    formats = catalogue.domain.formats
    if formats is None:
        return ()
    return formats.simulated if formats.column is None else catalogue.labels(formats.column).labels


def formats_of(item: Item) -> tuple[str, ...]:
    """The formats of one item; empty where formats are off."""
    formats = item.catalogue.domain.formats
    if formats is None:
        return ()
    if formats.column is None:
        return simulated_formats(item.id, formats.simulated)
    return item.catalogue.labels(formats.column).labels_of(item.position)


def format_masks(catalogue: Catalogue) -> dict[str, Bits]:
    """Folded format -> the positions that can be had in it."""
    formats = catalogue.domain.formats
    if formats is None:
        return {}
    if formats.column is not None:
        column: LabelColumn = catalogue.labels(formats.column)
        return {
            fold(label): bits_of(column.bearers(code), len(catalogue))
            for code, label in enumerate(column.labels)
        }
    had = [set(simulated_formats(item_id, formats.simulated)) for item_id in catalogue.ids]
    size = len(catalogue)
    return {
        fold(choice): bits_of([p for p in range(size) if choice in had[p]], size)
        for choice in formats.simulated
    }
