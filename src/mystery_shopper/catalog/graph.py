"""The item graph: (item, relation, value) triples, with both directions indexed.

A value is known by its folded form (`name_key`): spellings that differ in case, accents or
punctuation, and names whose "Jr." was split off by commas, are one value. Every (relation, value)
pair has a *code*; codes are dense, sorted by relation and then by label, and serve as the columns
of the item x condition matrix.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.catalogue import Catalogue
from mystery_shopper.catalog.graph_values import Cells, joined_names, name_key
from mystery_shopper.foundation import InputError, MysteryShopperError, at_most, digest_bytes

Ints = NDArray[np.int32]
_NONE = np.empty(0, np.int32)
_MOST_PROBLEMS = 20


class UnknownRelation(MysteryShopperError, KeyError):
    """A relation that the graph does not have."""

    def __init__(self, relation: str, known: Sequence[str]) -> None:
        self.relation = relation
        self.known = tuple(known)
        super().__init__(relation)

    def __str__(self) -> str:
        return f"there is no relation {self.relation!r}; known: {', '.join(self.known) or 'none'}"


@dataclass(frozen=True, order=True)
class Condition:
    """One requirement on an item: that it bears this value under this relation."""

    relation: str
    value: str


@dataclass(frozen=True, eq=False)
class ItemGraph:
    """Items with the values they bear.

    `items`: ids by position (of a catalogue: its own positions). `relations`: in the catalogue's
    order, or as first met. `labels[code]` is the value of a code; the codes of relation r are
    `first[r]` to `first[r + 1]`. `offsets`, `codes`: the codes of each item, grouped by relation,
    within one in the source's order. Build one with `of_catalogue` or `of_triples`.
    """

    items: tuple[str, ...]
    relations: tuple[str, ...]
    labels: tuple[str, ...]
    first: Ints
    offsets: Ints
    codes: Ints

    @classmethod
    def of_catalogue(
        cls, catalogue: Catalogue, relations: Mapping[str, str] | None = None
    ) -> ItemGraph:
        """The graph of a catalogue's people and categories. `relations`: field -> the relation's
        name; by default every label field under the name its domain gives it (`relation`).

        Raises InputError where a field is no label field, a name is given twice, or none is left.
        """
        named = default_relations(catalogue) if relations is None else dict(relations)
        where = f"catalogue {catalogue.name}"
        fields = catalogue.domain.fields
        problems = [
            f"field {field!r} " + ("holds no labels" if field in fields else "does not exist")
            for field in named
            if field not in fields or not fields[field].kind.is_label
        ]
        twice = {name for name in named.values() if list(named.values()).count(name) > 1}
        problems += [f"relation {name!r} is given to several fields" for name in sorted(twice)]
        if not named:
            problems.append("there is no field of people or categories")
        if problems:
            raise InputError(problems, where=where, remedy="Name label fields, each one relation.")
        parts: list[Cells] = []
        for field in named:
            column = catalogue.labels(field)
            parts.append(Cells(column.labels, column.codes, column.offsets))
        return _assembled(tuple(catalogue.ids), tuple(named.values()), parts)

    @classmethod
    def of_triples(cls, triples: Iterable[tuple[str, str, str]]) -> ItemGraph:
        """The graph of (item id, relation, value) triples; items and relations stand as first met.

        Raises InputError where there is none, or one has an empty part.
        """
        items: dict[str, int] = {}
        rows: dict[str, list[tuple[int, str]]] = {}
        problems: list[str] = []
        for number, triple in enumerate(triples, 1):
            if not all(part.strip() for part in triple):
                problems.append(f"triple {number}: {triple!r} has an empty part")
                continue
            item, relation, value = triple
            position = items.setdefault(item, len(items))
            rows.setdefault(relation, []).append((position, " ".join(value.split())))
        if not rows and not problems:
            problems.append("there are no triples")
        if problems:
            raise InputError(
                at_most(problems, _MOST_PROBLEMS),
                where="item graph",
                remedy="Give an item id, a relation and a value each.",
            )
        parts = [Cells.of_pairs(pairs, len(items)) for pairs in rows.values()]
        return _assembled(tuple(items), tuple(rows), parts)

    def __len__(self) -> int:
        return len(self.items)

    # --- looking up ---------------------------------------------------------------------------

    @cached_property
    def position_of(self) -> Mapping[str, int]:
        """Item id -> position."""
        return {item: position for position, item in enumerate(self.items)}

    @cached_property
    def _relation_at(self) -> Mapping[str, int]:
        return {name: place for place, name in enumerate(self.relations)}

    @cached_property
    def _code_of(self) -> tuple[Mapping[str, int], ...]:
        """For each relation: folded value -> code."""
        bounds = self.first.tolist()
        return tuple(
            {name_key(self.labels[code]): code for code in range(start, end)}
            for start, end in pairwise(bounds)
        )

    def relation_at(self, relation: str) -> int:
        """The place of a relation. Raises UnknownRelation."""
        place = self._relation_at.get(relation)
        if place is None:
            raise UnknownRelation(relation, self.relations)
        return place

    def values(self, relation: str) -> tuple[str, ...]:
        """The values of a relation, sorted. Raises UnknownRelation."""
        place = self.relation_at(relation)
        return self.labels[int(self.first[place]) : int(self.first[place + 1])]

    def code(self, condition: Condition) -> int | None:
        """The code of a condition, its value in any spelling; None where no item meets it. Raises
        UnknownRelation."""
        place = self.relation_at(condition.relation)
        return self._code_of[place].get(name_key(condition.value))

    def condition(self, code: int) -> Condition:
        """The condition of a code, in the graph's own spelling."""
        return Condition(self.relations[int(self.relation_of[code])], self.labels[code])

    # --- items -> values ----------------------------------------------------------------------

    def codes_of(self, position: int) -> Ints:
        """The codes that an item bears, grouped by relation."""
        return self.codes[self.offsets[position] : self.offsets[position + 1]]

    def values_of(self, position: int, relation: str) -> tuple[str, ...]:
        """The values that an item bears, in the source's order. Raises UnknownRelation."""
        place = self.relation_at(relation)
        low, high = int(self.first[place]), int(self.first[place + 1])
        return tuple(self.labels[c] for c in self.codes_of(position).tolist() if low <= c < high)

    def holds(self, position: int, relation: str, value: str) -> bool:
        """Whether an item bears a value. Raises UnknownRelation."""
        code = self.code(Condition(relation, value))
        return code is not None and bool((self.codes_of(position) == code).any())

    # --- values -> items ----------------------------------------------------------------------

    @cached_property
    def _postings(self) -> tuple[Ints, Ints]:
        """(starts, items): the bearers of code c are `items[starts[c]:starts[c + 1]]`, sorted."""
        order = np.argsort(self.codes, kind="stable")
        rows = np.repeat(np.arange(len(self.items), dtype=np.int32), np.diff(self.offsets))
        starts = np.zeros(len(self.labels) + 1, np.int32)
        np.cumsum(self.degrees, out=starts[1:])
        return starts, rows[order]

    @cached_property
    def degrees(self) -> Ints:
        """The number of items that meet each code."""
        return np.bincount(self.codes, minlength=len(self.labels)).astype(np.int32)

    @cached_property
    def relation_of(self) -> Ints:
        """The relation's place of each code."""
        return np.repeat(np.arange(len(self.relations), dtype=np.int32), np.diff(self.first))

    def bearers(self, code: int) -> Ints:
        """The positions of the items that bear a code, sorted."""
        starts, rows = self._postings
        return rows[starts[code] : starts[code + 1]]

    def items_of(self, relation: str, value: str) -> Ints:
        """The positions of the items that bear a value, sorted; none for a value that no item
        bears. Raises UnknownRelation."""
        code = self.code(Condition(relation, value))
        return _NONE if code is None else self.bearers(code)

    def degree(self, relation: str, value: str) -> int:
        """The number of items that bear a value. Raises UnknownRelation."""
        return len(self.items_of(relation, value))

    def meets(self, conditions: Iterable[Condition]) -> Ints:
        """The positions of the items that meet every condition, sorted; all items where there is
        no condition. Raises UnknownRelation."""
        lists = sorted((self.items_of(c.relation, c.value) for c in conditions), key=len)
        if not lists:
            return np.arange(len(self.items), dtype=np.int32)
        found = lists[0]
        for other in lists[1:]:
            found = np.intersect1d(found, other, assume_unique=True)
        return found

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content."""
        texts = (*self.items, "", *self.relations, "", *self.labels)
        arrays = (np.ascontiguousarray(a, "<i4") for a in (self.first, self.offsets, self.codes))
        return digest_bytes(*(t.encode() for t in texts), *(a.tobytes() for a in arrays))


def default_relations(catalogue: Catalogue) -> dict[str, str]:
    """Label field -> the relation's name: what the domain calls it (`relation` of the field), else
    the field's own name. Fields whose `relation` is false, and the formats' column, stay out."""
    domain = catalogue.domain
    formats = domain.formats.column if domain.formats is not None else None
    return {
        name: spec.relation if isinstance(spec.relation, str) else name
        for name, spec in domain.fields.items()
        if spec.kind.is_label and spec.relation is not False and name != formats
    }


def _assembled(
    items: tuple[str, ...], relations: tuple[str, ...], parts: Sequence[Cells]
) -> ItemGraph:
    """One graph from the cells of each relation, over the same items."""
    labels: list[str] = []
    first = [0]
    rows: list[NDArray[np.int64]] = []
    codes: list[NDArray[np.int64]] = []
    for part in parts:
        names, cells, cell_rows = joined_names(part)
        codes.append(cells + len(labels))
        rows.append(cell_rows)
        labels.extend(names)
        first.append(len(labels))
    row_of = np.concatenate(rows)
    order = np.argsort(row_of, kind="stable")
    offsets = np.zeros(len(items) + 1, np.int32)
    np.cumsum(np.bincount(row_of, minlength=len(items)), out=offsets[1:])
    return ItemGraph(
        items,
        relations,
        tuple(labels),
        np.array(first, np.int32),
        offsets,
        np.concatenate(codes)[order].astype(np.int32),
    )
