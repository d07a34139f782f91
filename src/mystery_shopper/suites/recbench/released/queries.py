"""Published queries on a catalogue and a graph of ours: titles become ids, pairs conditions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.suites.recbench.answers.prose import mentioned
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Profile, Query
from mystery_shopper.suites.recbench.released.records import Release, Released
from mystery_shopper.suites.recbench.titles import TitleIndex, TitleMatch

_KNOWN_AS: Mapping[str, tuple[str, ...]] = {
    "directed by": ("director",),
    "director": ("director",),
    "starring": ("starring", "cast", "actor"),
    "actor": ("starring", "cast", "actor"),
    "written by": ("writer", "author", "authors", "screenwriter"),
    "author": ("author", "authors", "writer"),
    "screenplay by": ("writer", "screenwriter"),
    "genre": ("genre", "genres", "category"),
    "in category": ("category", "categories", "genre", "genres"),
    "category": ("category", "categories", "genre", "genres"),
    "production company": ("company", "production_company"),
    "production companies": ("company", "production_company"),
    "country": ("country",),
    "language": ("language",),
    "music by": ("composer", "music"),
    "composed by": ("composer", "music"),
    "cinematography": ("cinematographer", "cinematography"),
    "cinematography by": ("cinematographer", "cinematography"),
    "edited by": ("editor",),
    "produced by": ("producer",),
    "distributed by": ("distributor",),
    "published by": ("publisher",),
}
"""A relation as published, folded -> what graphs call it."""


_LARGE = re.compile(
    r"(?:[A-Z][^\s()]*|\d+)(?: (?:[A-Z&][^\s()]*|\d+|of|the|and|in|on|a|an|to|for|from|with|at|by"
    r"|de|la))+"
)
_MOST_TEXT = 5_000
_MOST_WORDS = 20


@dataclass(frozen=True)
class Unresolved:
    """A title that came to no one item, as often as it occurs; `candidates` by id."""

    title: str
    times: int
    candidates: tuple[str, ...]


@dataclass(frozen=True)
class Account:
    """What an import came to. `titles`: how many answer titles resolved exactly, nearly, were
    ambiguous or unknown (by occurrence), and the last two listed by title. `lacking`: relation that
    the graph lacks -> how many queries it leaves without CMR. `valueless`: the same of values that
    no item bears. `empty`: queries none of whose titles resolved, left out."""

    queries: int
    titles: Mapping[TitleMatch, int]
    ambiguous: tuple[Unresolved, ...]
    unknown: tuple[Unresolved, ...]
    lacking: Mapping[str, int]
    valueless: int
    empty: int

    @property
    def resolved(self) -> int:
        """How many answer titles came to an item."""
        return self.titles[TitleMatch.EXACT] + self.titles[TitleMatch.NEAR]


@dataclass(frozen=True)
class Imported:
    """Published queries as queries of this suite. `unscored`: ids of those whose CMR cannot be
    told, since the graph lacks a relation or a value of theirs; `matching` is their own group
    then."""

    queries: tuple[Query, ...]
    unscored: frozenset[str]
    account: Account


def onto(
    release: Release, domain: str, titles: TitleIndex, graph: ItemGraph | None = None
) -> Imported:
    """The queries of one domain of a release, on the items of an index and a graph. Without a graph
    CMR is unscored throughout."""
    work = _Work(titles, graph)
    made = [query for released in release.of(domain) if (query := work.query(released))]
    return Imported(tuple(made), frozenset(work.unscored), work.account(len(made)))


class _Work:
    def __init__(self, titles: TitleIndex, graph: ItemGraph | None) -> None:
        self._titles = titles
        self._graph = graph
        self._kinds: Counter[TitleMatch] = Counter(dict.fromkeys(TitleMatch, 0))
        self._missed: dict[TitleMatch, dict[str, Unresolved]] = {}
        self._lacking: Counter[str] = Counter()
        self._valueless = 0
        self._empty = 0
        self._numbers: Counter[str] = Counter()
        self.unscored: set[str] = set()

    def account(self, queries: int) -> Account:
        """What the work came to."""
        ambiguous, unknown = (
            tuple(sorted(self._missed.get(kind, {}).values(), key=lambda u: (-u.times, u.title)))
            for kind in (TitleMatch.AMBIGUOUS, TitleMatch.UNKNOWN)
        )
        lacking = dict(sorted(self._lacking.items()))
        return Account(
            queries, dict(self._kinds), ambiguous, unknown, lacking, self._valueless, self._empty
        )

    def query(self, released: Released) -> Query | None:
        """The query; None where no title of its answer resolved."""
        answers = self._ids(released)
        named = self._named(released.text, released.kind)
        own = tuple(item for item in answers if item not in named)
        if not answers:
            self._empty += 1
            return None
        self._numbers[released.kind.value] += 1
        ident = f"{released.domain}-{released.kind.value}-{self._numbers[released.kind.value]}"
        if released.kind.is_profile:
            return self._profile(released, ident, own, named)
        conditions = self._conditions(released, ident)
        matching = own
        if conditions is not None and self._graph is not None:
            met = [self._graph.items[place] for place in self._graph.meets(conditions).tolist()]
            matching = tuple(item for item in met if item not in named)
        return Query(
            ident, released.kind, released.user, own, matching, released.style, released.text,
            parts=_parts(released, conditions, named), named=named,
        )  # fmt: skip

    def _profile(
        self, released: Released, ident: str, own: tuple[str, ...], named: tuple[str, ...]
    ) -> Query:
        listed = [
            found.item_id
            for title in released.listed
            if (found := self._titles.resolve(title)).item_id is not None
        ]
        every = tuple(dict.fromkeys([*filter(None, listed), *own]))
        profile = Profile(
            released.users, every, released.reason or "as published", group=dict(released.group)
        )
        matching = tuple(item for item in every if item not in named)
        return Query(
            ident, released.kind, released.user, own, matching, released.style, released.text,
            named=named, profile=profile,
        )  # fmt: skip

    def _ids(self, released: Released) -> tuple[str, ...]:
        found: list[str] = []
        ids: Sequence[str | None] = released.ids or [None] * len(released.titles)
        for title, ident in zip(released.titles, ids, strict=True):
            came = self._titles.resolve(title, item_id=ident)
            self._kinds[came.kind] += 1
            if came.item_id is not None:
                found.append(came.item_id)
                continue
            missed = self._missed.setdefault(came.kind, {})
            times = missed[title].times if title in missed else 0
            missed[title] = Unresolved(title, times + 1, came.candidates)
        return tuple(dict.fromkeys(found))

    def _named(self, text: str, kind: Kind) -> tuple[str, ...]:
        """The items that a query's text names: by quotes, emphasis or year, and where it must name
        some also in words written large."""
        came = [self._titles.resolve_first(said.readings, said.year) for said in mentioned(text)]
        named = [found.item_id for found in came]
        if kind in (Kind.IMPLICIT, Kind.MISINFORMED):
            named += self._written_large(text)
        return tuple(dict.fromkeys(item for item in named if item is not None))

    def _written_large(self, text: str) -> list[str]:
        """The items whose title stands in a run of words written large, the longest first."""
        found: list[str] = []
        for run in _LARGE.findall(text[:_MOST_TEXT]):
            words = run.split()[:_MOST_WORDS]
            start = 0
            while start < len(words) - 1:
                for end in range(len(words), start + 1, -1):
                    title = " ".join(words[start:end]).rstrip(".,!?;:")
                    bare = title.removesuffix("'s").removesuffix("’s")
                    item = self._titles.exactly(title) or self._titles.exactly(bare)
                    if item is not None:
                        found.append(item)
                        start = end - 1
                        break
                start += 1
        return found

    def _conditions(self, released: Released, ident: str) -> tuple[Condition, ...] | None:
        """The conditions in the graph's words; None where it cannot tell who meets them."""
        if self._graph is None:
            self.unscored.add(ident)
            return None
        conditions: list[Condition] = []
        lacking: list[str] = []
        for relation, value in released.conditions:
            ours = relation_in(self._graph, relation)
            if ours is None:
                lacking.append(relation)
            else:
                conditions.append(Condition(ours, value))
        self._lacking.update(dict.fromkeys(lacking, 1))
        strange = not lacking and any(self._graph.code(one) is None for one in conditions)
        self._valueless += strange
        if lacking or strange:
            self.unscored.add(ident)
            return None
        return tuple(conditions)


def relation_in(graph: ItemGraph, relation: str) -> str | None:
    """What a graph calls a published relation; None where it lacks it."""
    folded = {name_key(name): name for name in graph.relations}
    key = name_key(relation)
    names = (key, *map(name_key, _KNOWN_AS.get(key, ())))
    return next((folded[name] for name in names if name in folded), None)


def _parts(
    released: Released, conditions: Sequence[Condition] | None, named: tuple[str, ...]
) -> tuple[Part, ...]:
    """The conditions and how the text gives them: the value that an implicit query keeps back, and
    the one that a misinformed query ties to the items it names."""
    pairs = (
        [(one.relation, one.value) for one in conditions]
        if conditions is not None
        else list(released.conditions)
    )
    given = {Kind.IMPLICIT: Given.REFERENCE, Kind.MISINFORMED: Given.CLAIM}.get(released.kind)
    if given is None or not named:
        return tuple(Part(relation, value) for relation, value in pairs)
    text = name_key(released.text)
    if released.kind is Kind.IMPLICIT:
        places = [i for i, (_, value) in enumerate(pairs) if name_key(value) not in text]
    else:
        places = [_nearest(pairs, released.text)]
    return tuple(
        Part(relation, value, given, named) if place in places[:1] else Part(relation, value)
        for place, (relation, value) in enumerate(pairs)
    )


def _nearest(pairs: Sequence[tuple[str, str]], text: str) -> int:
    """The place of the value that a text says in the sentence that names an item; else the first
    that is no genre."""
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        said = name_key(sentence)
        for place, (_, value) in enumerate(pairs):
            if name_key(value) in said and mentioned(sentence):
                return place
    people = (i for i, (relation, _) in enumerate(pairs) if name_key(relation) not in _BROAD)
    return next(people, 0)


_BROAD = frozenset(("genre", "in category", "category", "language", "country"))
