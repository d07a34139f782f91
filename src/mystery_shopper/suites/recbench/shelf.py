"""A catalogue made ready for requests: its graph, its indexes, and what its tools show.

One shelf serves every episode over one catalogue; nothing in it changes but caches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import (
    Catalogue,
    Item,
    ItemGraph,
    KeywordIndex,
    keyword_index,
)
from mystery_shopper.catalog.columns import NumberColumn
from mystery_shopper.catalog.graph import default_relations
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.catalog.titles import split_year
from mystery_shopper.dialogue import ToolSpec
from mystery_shopper.dialogue.tools import argument_name
from mystery_shopper.suites.recbench import metrics
from mystery_shopper.suites.recbench.draw import titles_of
from mystery_shopper.suites.recbench.spellings import Spellings
from mystery_shopper.suites.recbench.titles import TitleIndex
from mystery_shopper.suites.recbench.wording import Reader, Speech

ITEM_ID = "item_id"
"""The key of an item's id in what the tools show; a field or relation of that name is left out."""
PAGE = 20
KEPT_ROWS = 20_000
"""How many rows a shelf keeps as JSON text, a few hundred bytes each."""

_WORD = re.compile(r"\w+")
_FEW = 500
"""A relation of so few values has words of its own ("comedy"); in others a single word is no
name."""


class Interface(StrEnum):
    """What the agent has in hand: tools to look into the catalogue, or nothing but its own words,
    as in the paper."""

    TOOLS = "tools"
    BARE = "bare"


class OfItem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a tool about one item."""

    item_id: str


class NoArguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Arguments of a tool that takes none: an empty object."""


@dataclass(frozen=True)
class SearchSchema:
    """The search's argument type, and which argument asks for which relation."""

    arguments: type[msgspec.Struct]
    relations: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class Shelf:
    """Everything that episodes over one catalogue share. `own_graph`: the graph where it is not
    made of the catalogue's own fields."""

    catalogue: Catalogue
    own_graph: ItemGraph | None = None

    def __reduce__(self) -> tuple[type[Shelf], tuple[Catalogue, ItemGraph | None]]:
        return Shelf, (self.catalogue, self.own_graph)

    @cached_property
    def graph(self) -> ItemGraph:
        """The item graph, its items at the catalogue's positions."""
        if self.own_graph is None:
            return ItemGraph.of_catalogue(self.catalogue)
        return _placed(self.own_graph, self.catalogue)

    @cached_property
    def titles(self) -> TitleIndex:
        """Resolves what an answer calls an item. A book of another year is another edition."""
        noun = self.catalogue.domain.noun
        editions = "book" in (noun.singular, *noun.synonyms)
        return TitleIndex.of_catalogue(self.catalogue, editions=editions)

    @cached_property
    def keyword(self) -> KeywordIndex:
        """The index behind the keywords of the search."""
        return keyword_index(self.catalogue)

    @cached_property
    def spellings(self) -> Spellings:
        """Finds the values near to one that the graph lacks."""
        return Spellings(self.graph)

    @cached_property
    def reader(self) -> Reader:
        """Reads requests by rule."""
        if self.own_graph is None:
            speech = Speech.of_catalogue(self.catalogue)
        else:
            speech = Speech.of(self.catalogue.domain.noun, self.graph.relations)
        return Reader(self.graph, titles_of(self.catalogue), speech)

    @cached_property
    def known(self) -> metrics.Shelf:
        """What novelty and diversity are told from. Popularity is the catalogue's own column of it,
        taken as counts of reviews (votes, sales): `population` is their sum, so that an item's
        self-information is that of drawing it among all reviews. Without such a column, or with
        numbers below 0 in it, popularity is not known here."""
        counts = self._counts
        if counts is None:
            return metrics.Shelf(graph=self.graph)
        return metrics.Shelf(counts, float(counts.sum()), self.graph)

    @cached_property
    def _counts(self) -> NDArray[np.float64] | None:
        role = self.catalogue.domain.popularity
        column = self.catalogue.columns.get(role) if role is not None else None
        if not isinstance(column, NumberColumn):
            return None
        counts = np.nan_to_num(np.asarray(column.numbers, np.float64), nan=0.0)
        some = counts[counts > 0]
        if not some.size or (counts < 0).any():
            return None
        # Shares and the like, below 1: as many times the least of them.
        return counts / min(float(some.min()), 1.0)

    @property
    def knows_popularity(self) -> bool:
        """Whether the catalogue's order says which items are popular."""
        return self._counts is not None

    @property
    def position_of(self) -> Mapping[str, int]:
        """Item id -> position."""
        return self.catalogue.position_of

    @cached_property
    def title_of(self) -> Mapping[str, str]:
        """Item id -> title, the id itself where it has none."""
        titles = titles_of(self.catalogue)
        return {i: title or i for i, title in zip(self.catalogue.ids, titles, strict=True)}

    def dated(self, item_id: str) -> str:
        """An item's title in one line, with its year where it has one: `Heat (1995)`."""
        title = " ".join(self.title_of[item_id].split())
        year = self.year(self.position_of[item_id])
        return title if year is None or split_year(title)[1] is not None else f"{title} ({year})"

    def year(self, position: int) -> int | None:
        """An item's value of the field of recency, as a year; None where it has none."""
        role = self.catalogue.domain.recency
        value = self.catalogue.columns[role].value(position) if role is not None else None
        return int(value) if isinstance(value, int | float) else None

    @cached_property
    def code_of_name(self) -> Mapping[str, int]:
        """The words of a value (`name_words`) -> its code; of a name that several relations have,
        the one that most items bear. Single words are names in relations of few values only."""
        graph = self.graph
        table: dict[str, int] = {}
        sizes = np.diff(graph.first)[graph.relation_of]
        for code in np.argsort(-graph.degrees, kind="stable").tolist():
            words = name_words(graph.labels[code])
            if len(words) > 1 or (words and sizes[code] <= _FEW):
                table.setdefault(" ".join(words), code)
        return table

    # --- what tools show ------------------------------------------------------------------------

    def row(self, position: int) -> msgspec.Raw:
        """A search result's row as JSON text: id, title, year, and the relations and fields that
        carry requirements."""
        return self._row(position)

    @cached_property
    def _row(self) -> Callable[[int], msgspec.Raw]:
        """Makes a row, or has it from the last `KEPT_ROWS` ones that were asked for."""
        domain = self.catalogue.domain
        relations = default_relations(self.catalogue)
        told = {relations.get(name, name) for name in domain.requirement_fields}
        told |= {name for name in (domain.title, domain.recency) if name is not None}
        if self.own_graph is not None:
            told |= set(self.graph.relations)

        def row(position: int) -> msgspec.Raw:
            record = self.record(self.catalogue.item(position))
            shown = {k: v for k, v in record.items() if k == ITEM_ID or k in told}
            return msgspec.Raw(msgspec.json.encode(shown))

        return lru_cache(maxsize=KEPT_ROWS)(row)

    def record(self, item: Item) -> dict[str, Any]:
        """An item's metadata: its id, its title, its values by relation as the search takes them,
        and every other field that is shown."""
        domain = self.catalogue.domain
        by_field = default_relations(self.catalogue) if self.own_graph is None else {}
        kept: dict[str, Any] = {ITEM_ID: item.id, domain.title: item.title}
        for name, spec in domain.fields.items():
            if spec.shown and name not in by_field and name not in kept:
                kept[name] = item[name]
        for relation in self.graph.relations:
            if relation not in (ITEM_ID, domain.title):
                kept[relation] = self.graph.values_of(item.position, relation)
        return kept

    @cached_property
    def search_schema(self) -> SearchSchema:
        """The search's arguments, made from the graph's relations."""
        taken = {"keywords", "page"}
        relations = {argument_name(name, taken): name for name in self.graph.relations}
        words = Annotated[str, msgspec.Meta(description="words of titles, names, or categories")]
        arguments: list[tuple[str, Any, Any]] = [("keywords", words, "")]
        for argument, relation in relations.items():
            label = "" if argument == relation else f" ({relation})"
            told = f"every item found bears this value{label}, or each of several"
            kind = Annotated[str | tuple[str, ...] | None, msgspec.Meta(description=told)]
            arguments.append((argument, kind, None))
        arguments.append(("page", Annotated[int, msgspec.Meta(ge=1)], 1))
        struct = msgspec.defstruct("Search", arguments, frozen=True, forbid_unknown_fields=True)
        return SearchSchema(struct, relations)

    def specs(self, interface: Interface, history: bool) -> tuple[ToolSpec, ...]:
        """What an agent is told of its tools; a bare one has none."""
        if interface is Interface.BARE:
            return ()
        return self._specs if history else self._specs[:-1]

    @cached_property
    def _specs(self) -> tuple[ToolSpec, ...]:
        noun = self.catalogue.domain.noun
        search = (
            f"Search the catalogue of {noun.plural}, by keywords, by the values that a "
            f"{noun.singular} must bear, or by both. Results come in pages of {PAGE} with the "
            "total count: the best match of the keywords first, without keywords the most popular."
        )
        metadata = f"All that the catalogue holds on one {noun.singular}."
        history = f"The {noun.plural} that the user told of, the most recent last, with their ids."
        return (
            ToolSpec("search", search, self.search_schema.arguments),
            ToolSpec("get_metadata", metadata, OfItem),
            ToolSpec("get_history", history, NoArguments),
        )


def name_words(text: str) -> list[str]:
    """The words of a text, folded as the graph folds values."""
    return _WORD.findall(name_key(text))


def _placed(graph: ItemGraph, catalogue: Catalogue) -> ItemGraph:
    """The graph with the catalogue's items at their positions. Items that the catalogue lacks fall
    away, those that the graph lacks bear nothing."""
    ids = tuple(catalogue.ids)
    if graph.items == ids:
        return graph
    places = [graph.position_of.get(item, -1) for item in ids]
    borne = [graph.codes_of(place) if place >= 0 else graph.codes[:0] for place in places]
    offsets = np.zeros(len(ids) + 1, np.int32)
    np.cumsum([len(codes) for codes in borne], out=offsets[1:])
    codes = np.concatenate([graph.codes[:0], *borne])
    return ItemGraph(ids, graph.relations, graph.labels, graph.first, offsets, codes)
