"""Queries made to measure: any kind, style and number of conditions, over any graph."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.catalog.specs import Noun
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories.demographics import AGES, GENDERS, OCCUPATIONS
from mystery_shopper.suites.recbench.draw import titles_of
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Profile, Query, Style, Trait
from mystery_shopper.suites.recbench.wording import Checker, Reader, Speech, TemplateWriter


@dataclass(frozen=True, eq=False)
class Place:
    """A graph with its words, and queries about it."""

    graph: ItemGraph
    titles: Sequence[str]
    speech: Speech

    @cached_property
    def title_of(self) -> Mapping[str, str]:
        return dict(zip(self.graph.items, self.titles, strict=True))

    @cached_property
    def writer(self) -> TemplateWriter:
        return TemplateWriter(self.speech, self.title_of)

    @cached_property
    def reader(self) -> Reader:
        return Reader(self.graph, self.titles, self.speech)

    @cached_property
    def checker(self) -> Checker:
        return Checker(self.graph, self.titles, self.speech)

    @cached_property
    def nameable(self) -> list[int]:
        often = Counter(map(name_key, self.titles))
        return [p for p, title in enumerate(self.titles) if title and often[name_key(title)] == 1]

    def query(self, kind: Kind, style: Style, width: int, seed: int) -> Query:
        """A query with the facts that a wording needs; it need not have an answer."""
        source = random.Random(seed)
        if kind.is_profile:
            return self._profile(kind, style, width, source)
        parts = self._parts(kind, width, source)
        named = tuple(dict.fromkeys(item for part in parts for item in part.through))
        matching = self.graph.meets(part.condition for part in parts)
        ids = tuple(self.graph.items[p] for p in matching.tolist())
        ids = tuple(item for item in ids if item not in named)
        return Query("q", kind, "u", ids[:2], ids[:50], style, "", parts, named)

    def _some(self, width: int, source: random.Random) -> list[int]:
        """Codes that one item bears."""
        while True:
            codes = self.graph.codes_of(source.randrange(len(self.graph))).tolist()
            if len(codes) >= width:
                return source.sample(codes, width)

    def _parts(self, kind: Kind, width: int, source: random.Random) -> tuple[Part, ...]:
        while True:
            codes = self._some(width, source)
            parts = [Part(c.relation, c.value) for c in map(self.graph.condition, codes)]
            if kind is Kind.EXPLICIT:
                return tuple(parts)
            bearers = set(self.graph.bearers(codes[0]).tolist())
            others = [part.value for part in parts[1:]]
            given = Given.REFERENCE if kind is Kind.IMPLICIT else Given.CLAIM
            pool = [p for p in self.nameable if (p in bearers) is (given is Given.REFERENCE)]
            if given is Given.CLAIM:
                pool = [p for p in source.sample(pool, 40) if self._known(p, parts[0])]
            pool = [p for p in pool if self.free(self.titles[p], (parts[0].value, *others))]
            if pool and (given is Given.CLAIM or self.free(" ".join(others), (parts[0].value,))):
                through = source.sample(pool, min(len(pool), source.randint(1, 3)))
                items = tuple(self.graph.items[p] for p in through)
                parts[0] = Part(parts[0].relation, parts[0].value, given, items)
                source.shuffle(parts)
                return tuple(parts)

    def _known(self, position: int, part: Part) -> bool:
        return bool(self.graph.values_of(position, part.relation))

    @staticmethod
    def free(text: str, values: Sequence[str]) -> bool:
        folded = f" {name_key(text)} "
        return not any(f" {name_key(value)} " in folded for value in values)

    def _profile(self, kind: Kind, style: Style, width: int, source: random.Random) -> Query:
        conditions = [self.graph.condition(code) for code in self._some(min(width, 3), source)]
        traits = tuple(Trait(c.relation, c.value, 0.5, 0.1) for c in conditions)
        group: dict[str, str] = {}
        named: tuple[str, ...] = ()
        if kind is Kind.DEMOGRAPHICS:
            tables = {
                "gender": [*GENDERS.values()],
                "age": [*AGES.values()],
                "occupation": [*OCCUPATIONS, "archivist of maps"],
            }
            names = source.sample(sorted(tables), source.randint(1, 3))
            group = {name: source.choice(tables[name]) for name in tables if name in names}
        else:
            some = source.sample(self.nameable, source.randint(0, 2))
            named = tuple(self.graph.items[p] for p in some)
        profile = Profile(9, (), "made", traits, group=group)
        return Query("q", kind, "u", (), (), style, "", named=named, profile=profile)


@lru_cache(maxsize=1)
def films() -> Place:
    """The embedded films."""
    catalogue = load_films()
    return Place(
        ItemGraph.of_catalogue(catalogue), titles_of(catalogue), Speech.of_catalogue(catalogue)
    )


BOOKS: Mapping[str, tuple[str, Mapping[str, Sequence[str]]]] = {
    "b1": ("The Sea, the Sea", {"WRITTEN_BY": ["Iris Murdoch"],
                                "IN_CATEGORY": ["Literature & Fiction", "Sea Stories"],
                                "narrator": ["A. N. Other"], "author": ["Iris Murdoch"]}),
    "b2": ("Emma", {"WRITTEN_BY": ["Jane Austen"], "IN_CATEGORY": ["Literature & Fiction"],
                    "narrator": ["Will and May"], "author": ["Jane Austen"]}),
    "b3": ('The "Genius"', {"WRITTEN_BY": ["Theodore Dreiser"],
                            "IN_CATEGORY": ["Literature & Fiction", "Arts"],
                            "narrator": ['Don "Magic" Juan'], "author": ["Theodore Dreiser"]}),
    "b4": ("Magic", {"WRITTEN_BY": ["William Goldman"], "IN_CATEGORY": ["Mystery, Thriller & Co."],
                     "narrator": ["Frank Muller, Jr."], "author": ["William Goldman"]}),
    "b5": ("What Next?", {"WRITTEN_BY": ["Denis Donoghue"], "IN_CATEGORY": ["Arts", "Sea Stories"],
                          "narrator": ["A. N. Other"], "author": ["Denis Donoghue"]}),
}  # fmt: skip


@lru_cache(maxsize=1)
def books() -> Place:
    """Five books under the relations of the release, one relation that no table knows."""
    graph = ItemGraph.of_triples(
        (item, relation, value)
        for item, (_, relations) in BOOKS.items()
        for relation, values in relations.items()
        for value in values
    )
    titles = [BOOKS[item][0] for item in graph.items]
    return Place(graph, titles, Speech.of(Noun("book", "books"), graph.relations))
