"""Structured search: conjunctions of conditions on fields, over packed bit sets.

Positions are in popularity order, so the first set bits of a conjunction are its first page. Sets
are made when first asked for and kept by the index, as bits for the many and as positions for the
few (`catalog.sets`): a field of 50,000 labels takes little more than its column.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from mystery_shopper.catalog.bits import Bits, Positions, bits_of, positions_of
from mystery_shopper.catalog.catalogue import Catalogue
from mystery_shopper.catalog.columns import FlagColumn
from mystery_shopper.catalog.fields import fold
from mystery_shopper.catalog.formats import format_choices, format_masks
from mystery_shopper.catalog.predicates import Predicate
from mystery_shopper.catalog.sets import (
    BoundSets,
    LabelSets,
    Members,
    frozen_bits,
    intersect,
    nearest_first,
    sift,
)
from mystery_shopper.foundation import MysteryShopperError

Order: TypeAlias = Literal["popularity", "recency"]
MOST_SUGGESTED = 200
KEPT_BYTES = 128 * 2**20
"""Roughly how much the sets that `StructuredIndex.bits` keeps may take."""
_NO_POSITIONS = np.empty(0, np.int64)


class UnknownLabel(MysteryShopperError):
    """A label that no item can bear. `vocabulary` holds at most MOST_SUGGESTED of the `total` that
    can be asked for: the nearest spellings first, then the rest by alphabet."""

    def __init__(self, field: str, label: str, vocabulary: Sequence[str]) -> None:
        self.field = field
        self.label = label
        self.vocabulary = tuple(vocabulary[:MOST_SUGGESTED])
        self.total = len(vocabulary)
        near = ", ".join(self.vocabulary[:5])
        shown = label if len(label) <= 100 else label[:99] + "…"
        super().__init__(
            f"{field}: there is no {shown!r} among {self.total} known; the nearest: {near}"
            if near
            else f"{field}: there is no {shown!r}; nothing is known"
        )


@dataclass(frozen=True)
class Filters:
    """What a search asks for; an item must meet all of it.

    `labels`: field -> labels; the item bears each of them or one below it in the hierarchy.
    `lower`, `upper`: ordered field -> bound, itself included; a missing number meets none.
    `formats`: the item can be had in one of them. `flags`: field -> yes or no.
    """

    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    lower: Mapping[str, float] = field(default_factory=dict[str, float])
    upper: Mapping[str, float] = field(default_factory=dict[str, float])
    formats: tuple[str, ...] = ()
    flags: Mapping[str, bool] = field(default_factory=dict[str, bool])

    def __post_init__(self) -> None:
        if isinstance(self.formats, str) or any(isinstance(v, str) for v in self.labels.values()):
            raise TypeError("labels and formats are tuples of texts, not a text")


class Page(NamedTuple):
    """One page of positions in the order asked for, and how many there are on all pages."""

    total: int
    positions: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class StructuredIndex:
    """Structured search over one catalogue. Make one with `StructuredIndex.build`.

    Searching raises UnknownLabel for a label or format nobody can bear, and KeyError for a field
    that the catalogue lacks or that is of another kind.
    """

    catalogue: Catalogue

    @classmethod
    def build(cls, catalogue: Catalogue) -> StructuredIndex:
        """The index of a catalogue. Nothing is computed before it is asked for."""
        return cls(catalogue)

    def search(
        self, filters: Filters, *, order: Order = "popularity", page: int = 1, size: int = 20
    ) -> Page:
        """One page of the items that meet the filters; empty beyond the last.

        `recency`: by the domain's recency field, the greatest first, missing last, ties by
        popularity. Raises ValueError for a page or size below 1, and for an order that the domain
        does not have.
        """
        if page < 1 or size < 1:
            raise ValueError(f"page {page} of size {size}: both must be at least 1")
        start = (page - 1) * size
        bits, positions = self._found(filters)
        if order == "recency":
            return self._recent(bits, positions, start, size)
        if bits is None:
            return Page(len(positions), tuple(positions[start : start + size].tolist()))
        upto = np.bitwise_count(bits).cumsum(dtype=np.int64)
        total = int(upto[-1])
        if start >= total:
            return Page(total, ())
        first, last = upto.searchsorted((start + 1, min(start + size, total))).tolist()
        skip = start - int(upto[first - 1]) if first else start
        part = bits[first : last + 1]
        if len(part) > 64:
            found = positions_of(part)
        else:
            found = np.unpackbits(part.view(np.uint8), bitorder="little").nonzero()[0]
        return Page(total, tuple((found[skip : skip + size] + 64 * first).tolist()))

    def mask(self, filters: Filters) -> Bits:
        """The set of all positions that meet the filters. It may be a kept one: do not write."""
        bits, positions = self._found(filters)
        return bits_of(positions, len(self.catalogue)) if bits is None else bits

    def bits(self, predicate: Predicate) -> Bits:
        """`predicate.mask(catalogue)`, kept for the next time and read-only."""
        return self._masks(predicate)

    @cached_property
    def _masks(self) -> Callable[[Predicate], Bits]:
        catalogue = self.catalogue

        def mask(predicate: Predicate) -> Bits:
            bits = predicate.mask(catalogue)
            bits.setflags(write=False)
            return bits

        return lru_cache(maxsize=max(64, KEPT_BYTES // (len(catalogue) // 8 + 256)))(mask)

    def _found(self, filters: Filters) -> tuple[Bits | None, Positions]:
        """The positions that meet the filters: as bits, or as few positions."""
        sets: list[Members] = []
        for name, labels in filters.labels.items():
            sets.extend([self._bearers(name, label) for label in labels])
        for name, bound in filters.lower.items():
            sets.append(Members(self._bounds(name).at_least(bound), _NO_POSITIONS))
        for name, bound in filters.upper.items():
            sets.append(Members(self._bounds(name).at_most(bound), _NO_POSITIONS))
        for name, wanted in filters.flags.items():
            sets.append(Members(self._flagged(name, wanted), _NO_POSITIONS))
        if filters.formats:
            any_of = reduce(np.bitwise_or, [self._had_in(name) for name in filters.formats])
            sets.append(Members(any_of, _NO_POSITIONS))
        return intersect(sets) if sets else (self._all, _NO_POSITIONS)

    @cached_property
    def _all(self) -> Bits:
        return frozen_bits(np.ones(len(self.catalogue), np.bool_))

    @cached_property
    def _label_sets(self) -> dict[str, LabelSets]:
        return {}

    @cached_property
    def _bound_sets(self) -> dict[str, BoundSets]:
        return {}

    @cached_property
    def _flag_sets(self) -> dict[tuple[str, bool], Bits]:
        return {}

    @cached_property
    def _format_sets(self) -> dict[str, Bits]:
        masks = format_masks(self.catalogue)
        for bits in masks.values():
            bits.setflags(write=False)
        return masks

    def _bearers(self, name: str, label: str) -> Members:
        sets = self._label_sets.get(name)
        if sets is None:
            hierarchy = self.catalogue.domain.hierarchies[name]
            sets = self._label_sets[name] = LabelSets(self.catalogue.labels(name), hierarchy)
        members = sets.get(label)
        if members is None:
            raise UnknownLabel(name, label, sets.vocabulary(label))
        return members

    def _bounds(self, name: str) -> BoundSets:
        sets = self._bound_sets.get(name)
        if sets is None:
            sets = self._bound_sets[name] = BoundSets(self.catalogue.numbers(name))
        return sets

    def _flagged(self, name: str, wanted: bool) -> Bits:
        bits = self._flag_sets.get((name, wanted))
        if bits is None:
            column = self.catalogue.columns[name]
            if not isinstance(column, FlagColumn):
                raise KeyError(name)
            bits = self._flag_sets[name, wanted] = frozen_bits(column.flags == int(wanted))
        return bits

    def _had_in(self, name: str) -> Bits:
        bits = self._format_sets.get(fold(name))
        if bits is None:
            spec = self.catalogue.domain.formats
            known = nearest_first(name, format_choices(self.catalogue))
            raise UnknownLabel(spec.label if spec else "format", name, known)
        return bits

    @cached_property
    def _recency(self) -> tuple[Positions, Positions]:
        """The positions, latest first, and the rank of each position in that order."""
        name = self.catalogue.domain.recency
        if name is None:
            raise ValueError(f"domain {self.catalogue.domain.name} has no recency field")
        latest = np.argsort(-self.catalogue.numbers(name).numbers, kind="stable")
        ranks = np.empty(len(latest), np.int64)
        ranks[latest] = np.arange(len(latest))
        return latest, ranks

    def _recent(self, bits: Bits | None, positions: Positions, start: int, size: int) -> Page:
        """A page in recency order: by sorting what was found, or where that is much by walking
        through all positions, latest first, until the page is full."""
        latest, ranks = self._recency
        total = len(positions) if bits is None else int(np.bitwise_count(bits).sum())
        stop = min(start + size, total)
        if start >= total:
            return Page(total, ())
        if bits is None or 4 * total * total <= stop * len(latest):
            found = positions if bits is None else positions_of(bits)
            order = np.sort(ranks[found])[start:stop]
            return Page(total, tuple(latest[order].tolist()))
        reach = min(len(latest), 2 * stop * len(latest) // total + 256)
        while True:
            found = sift(latest[:reach], bits)
            if len(found) >= stop:
                return Page(total, tuple(found[start:stop].tolist()))
            reach *= 2
