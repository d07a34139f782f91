"""In which formats an item can be had: from a column, or simulated from a hash of its id."""

from __future__ import annotations

import hashlib

import numpy as np

from mystery_shopper.catalog.bits import Bits, bits_of, pack_bits
from mystery_shopper.catalog.catalogue import Catalogue, Item
from mystery_shopper.catalog.columns import FlagColumn, LabelColumn
from mystery_shopper.catalog.fields import fold


def simulated_formats(item_id: str, choices: tuple[str, ...]) -> tuple[str, ...]:
    """A fixed, non-empty choice of formats for an id: bit i of SHA-256(`formats:` + id) keeps
    choice i; where no bit is set the hash picks one."""
    key = hashlib.sha256(b"formats:" + item_id.encode("utf-8", "surrogatepass")).digest()
    number = int.from_bytes(key[:8], "little")
    kept = tuple(choice for index, choice in enumerate(choices) if (number >> index) & 1)
    return kept or (choices[(number >> len(choices)) % len(choices)],)


def format_choices(catalogue: Catalogue) -> tuple[str, ...]:
    """Every format of the catalogue; empty where formats are off. A flag or an ordered field gives
    the one format `single`."""
    formats = catalogue.domain.formats
    if formats is None:
        return ()
    if formats.column is None:
        return formats.simulated
    column = catalogue.columns[formats.column]
    return column.labels if isinstance(column, LabelColumn) else (formats.single,)


def formats_of(item: Item) -> tuple[str, ...]:
    """The formats of one item; empty where formats are off, and for an item that has none."""
    formats = item.catalogue.domain.formats
    if formats is None:
        return ()
    if formats.column is None:
        return simulated_formats(item.id, formats.simulated)
    column = item.catalogue.columns[formats.column]
    if isinstance(column, LabelColumn):
        return column.labels_of(item.position)
    value = column.value(item.position)
    had = isinstance(value, bool | int | float) and value > 0
    return (formats.single,) if had else ()


def format_masks(catalogue: Catalogue) -> dict[str, Bits]:
    """Folded format -> the positions that can be had in it."""
    formats = catalogue.domain.formats
    if formats is None:
        return {}
    if formats.column is None:
        return _simulated_masks(catalogue, formats.simulated)
    column = catalogue.columns[formats.column]
    if isinstance(column, LabelColumn):
        return {
            fold(label): bits_of(column.bearers(code).astype(np.int64), len(catalogue))
            for code, label in enumerate(column.labels)
        }
    if isinstance(column, FlagColumn):
        return {fold(formats.single): pack_bits(column.flags > 0)}
    # A missing number is NaN, which is not above 0.
    return {fold(formats.single): pack_bits(catalogue.numbers(formats.column).numbers > 0)}


def _simulated_masks(catalogue: Catalogue, choices: tuple[str, ...]) -> dict[str, Bits]:
    code_of = {choice: code for code, choice in enumerate(dict.fromkeys(choices))}
    flags = np.zeros((len(code_of), len(catalogue)), np.bool_)
    for position, item_id in enumerate(catalogue.ids):
        for choice in simulated_formats(item_id, choices):
            flags[code_of[choice], position] = True
    return {fold(choice): pack_bits(flags[code]) for choice, code in code_of.items()}
