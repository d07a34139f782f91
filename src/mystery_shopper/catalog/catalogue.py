"""The catalogue: immutable, typed, hashed items in popularity order, with nested subsets."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import le
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.bits import Positions
from mystery_shopper.catalog.columns import Column, LabelColumn, NumberColumn, Value
from mystery_shopper.catalog.domain import Domain
from mystery_shopper.catalog.places import Places, hash_order, text_hashes
from mystery_shopper.catalog.raw import column_from_rows
from mystery_shopper.catalog.texts import Texts, joined, taken
from mystery_shopper.foundation import InputError, canonical_json, digest_bytes

MANY_IDS = 1 << 17


@dataclass(frozen=True)
class Item:
    """One item, read lazily from its catalogue: `item[field]`."""

    catalogue: Catalogue
    position: int

    @property
    def id(self) -> str:
        """The item's id."""
        return self.catalogue.ids[self.position]

    @property
    def title(self) -> str:
        """The item's name, or its id where it has none."""
        name = self[self.catalogue.domain.title]
        return str(name) if name else self.id

    def __getitem__(self, field: str) -> Value:
        return self.catalogue.columns[field].value(self.position)


class Origin(NamedTuple):
    """Where a catalogue was read from: its folder, its recorded digest and number of items there,
    and what opens it again at a size."""

    folder: str
    digest: str
    size: int
    reopen: Callable[[Origin, int], Catalogue]


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Items by position: position 0 is the most popular; ties stand in the order of their ids.

    `nesting[i]` is the rank of position i in the fixed hash order: the subset of size n holds the
    items of rank below n. `sizes` are the nested sizes, ascending; the last is all. `origin` is the
    folder that holds it (`catalog.folder`), if any: such a catalogue, and its subsets, are pickled
    as the folder's name, and every process maps the same files.
    """

    name: str
    domain: Domain
    ids: Sequence[str]
    columns: Mapping[str, Column]
    nesting: NDArray[np.int64]
    sizes: tuple[int, ...]
    origin: Origin | None = dataclasses.field(default=None, compare=False, repr=False)
    places: Places | None = dataclasses.field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def position_of(self) -> Mapping[str, int]:
        """Item id -> position. Of many items without an object each: a look-up then takes
        microseconds and not 50 nanoseconds."""
        if len(self) <= MANY_IDS:
            return {item_id: position for position, item_id in enumerate(self.ids)}
        return Places.build(self.ids) if self.places is None else self.places

    def item(self, position: int) -> Item:
        """The item at a position."""
        return Item(self, position)

    def find(self, item_id: str) -> Item | None:
        """The item with this id, or None."""
        position = self.position_of.get(item_id)
        return None if position is None else Item(self, position)

    def labels(self, field: str) -> LabelColumn:
        """The column of a label field. Raises KeyError for any other field."""
        column = self.columns[field]
        if not isinstance(column, LabelColumn):
            raise KeyError(field)
        return column

    def numbers(self, field: str) -> NumberColumn:
        """The column of an ordered field. Raises KeyError for any other field."""
        column = self.columns[field]
        if not isinstance(column, NumberColumn):
            raise KeyError(field)
        return column

    def vocabulary(self) -> dict[str, tuple[str, ...]]:
        """Label field -> its labels, for fields that carry requirements and for the formats."""
        formats = self.domain.formats
        column = formats.column if formats is not None else None
        names = dict.fromkeys((*self.domain.requirement_fields, *((column,) if column else ())))
        return {
            name: self.labels(name).labels
            for name in names
            if self.domain.fields[name].kind.is_label
        }

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the domain's fields, the ids in order, and every column. A whole catalogue
        from a folder has the one that was recorded when it was made."""
        if self.origin is not None and self.origin.size == len(self):
            return self.origin.digest
        return self.computed_digest()

    def computed_digest(self) -> str:
        """`digest`, from the content."""
        fields = {name: spec.kind.value for name, spec in self.domain.fields.items()}
        return digest_bytes(
            canonical_json({"fields": fields, "size": len(self)}),
            *joined(self.ids),
            *(self.columns[name].digest().encode() for name in sorted(self.columns)),
        )

    def nested(self, size: int) -> Catalogue:
        """The subset of this size. Raises InputError for a size that is not one of `sizes`."""
        if size not in self.sizes:
            known = ", ".join(str(known) for known in self.sizes)
            raise InputError(
                f"there is no subset of {size} items",
                where=f"catalogue {self.name}",
                remedy=f"Use one of {known}.",
            )
        if size == len(self):
            return self
        rows = self.members(size)
        return Catalogue(
            self.name,
            self.domain,
            taken(self.ids, rows),
            {name: column.take(rows) for name, column in self.columns.items()},
            self.nesting[rows],
            tuple(known for known in self.sizes if known <= size),
            self.origin,
        )

    def __reduce__(self) -> tuple[object, ...]:
        if self.origin is not None:
            return self.origin.reopen, (self.origin, len(self))
        state = (self.name, self.domain, self.ids, dict(self.columns), self.nesting, self.sizes)
        return Catalogue, state

    def members(self, size: int) -> Positions:
        """The positions of the subset of this size, ascending."""
        return np.flatnonzero(self.nesting < size).astype(np.int64)


def build_catalogue(
    name: str,
    domain: Domain,
    ids: Sequence[str],
    values: Mapping[str, Sequence[Any]],
    sizes: Sequence[int] = (),
) -> Catalogue:
    """A catalogue from raw columns in any row order.

    `values` maps each field of the domain to one value a row: a sequence of labels (or one label)
    for label fields, a number, a text, a bool, a (lat, lon) pair, or None. `sizes` are the wanted
    nested sizes; those not below the number of items fall away. Raises InputError on an empty
    catalogue, a missing column, a duplicate id, or a value of the wrong type (row and field named).
    """
    where = f"catalogue {name}"
    if not ids:
        raise InputError("the catalogue is empty", where=where, remedy="Give at least one item.")
    problems = _duplicates(ids)
    raw: dict[str, Column] = {}
    for field, spec in domain.fields.items():
        if field not in values:
            problems.append(f"field {field!r} of domain {domain.name} has no column")
            continue
        try:
            raw[field] = column_from_rows(spec.kind, values[field], ids, field)
        except ValueError as error:
            problems.append(str(error))
    if problems:
        raise InputError(problems, where=where, remedy="Mend the rows or the domain.")
    return assemble_catalogue(name, domain, ids, raw, sizes)


def assemble_catalogue(
    name: str,
    domain: Domain,
    ids: Sequence[str],
    columns: Mapping[str, Column],
    sizes: Sequence[int] = (),
) -> Catalogue:
    """A catalogue from finished columns, one for each field of the domain, in any row order. The
    ids are taken to be unique and well formed (`id_problem`)."""
    texts = Texts.build(ids)
    order = _popularity_order(domain, texts, columns)
    if not (order == np.arange(len(texts))).all():
        texts = texts.take(order)
        columns = {name: column.take(order) for name, column in columns.items()}
    hashes = text_hashes(texts)
    by_hash = hash_order(hashes)
    return Catalogue(
        name,
        domain,
        texts,
        columns,
        _ranks(by_hash),
        tuple(sorted({size for size in sizes if 0 < size < len(texts)} | {len(texts)})),
        places=Places(texts, hashes[by_hash, 0], by_hash.astype(np.int32)),
    )


def id_problem(item_id: object) -> str | None:
    """Why this cannot be an item's id; None if it can. Brackets and line breaks would break the
    tag by which an item is proposed."""
    if not isinstance(item_id, str):
        return "is not a text"
    if not item_id or any(mark in item_id for mark in "[]\r\n"):
        return "is empty or holds a bracket or newline"
    return None


def hash_ranks(ids: Sequence[str]) -> NDArray[np.int64]:
    """The rank of each id in the fixed hash order (SHA-256 of the id; ties cannot be)."""
    return _ranks(hash_order(text_hashes(ids)))


def _ranks(order: Positions) -> NDArray[np.int64]:
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _duplicates(ids: Sequence[object]) -> list[str]:
    seen: set[str] = set()
    problems: list[str] = []
    for row, item_id in enumerate(ids):
        wrong = id_problem(item_id) or ("occurs twice" if item_id in seen else None)
        if wrong:
            problems.append(f"row {row + 1}: id {item_id!r} {wrong}")
        else:
            seen.add(str(item_id))
        if len(problems) >= 20:
            problems.append("and perhaps more")
            break
    return problems


def _popularity_order(
    domain: Domain, ids: Sequence[str], columns: Mapping[str, Column]
) -> Positions:
    """Most popular first, missing popularity last, ties by id."""
    # The ids' own order first, a stable sort by popularity then. Exports often come sorted by id.
    names = list(ids)
    if all(map(le, names, islice(names, 1, None))):
        by_id = np.arange(len(names), dtype=np.int64)
    else:
        by_id = np.array(sorted(range(len(names)), key=names.__getitem__), np.int64)
    if domain.popularity is None:
        return by_id
    column = columns[domain.popularity]
    if not isinstance(column, NumberColumn):
        return by_id
    score = np.nan_to_num(column.numbers, nan=-np.inf)
    return by_id[np.argsort(-score[by_id], kind="stable")]
