"""Published queries on a catalogue and a graph of ours: titles become ids, pairs conditions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.suites.recbench.answers.prose import mentioned
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Profile, Query
from mystery_shopper.suites.recbench.released.model import Fact, Release, Released
from mystery_shopper.suites.recbench.released.naming import relation_in
from mystery_shopper.suites.recbench.titles import Resolution, TitleIndex, TitleMatch

_LARGE = re.compile(
    r"(?:[A-Z][^\s()]*|\d+)(?: (?:[A-Z&][^\s()]*|\d+|of|the|and|in|on|a|an|to|for|from|with|at|by"
    r"|de|la))+"
)
_MOST_TEXT = 5_000
_MOST_WORDS = 20
_MOST_QUERIES = 3


@dataclass(frozen=True)
class Unresolved:
    """A title that came to no one item, as often as it occurs; `candidates` by id, `queries`: the
    first that it answers."""

    title: str
    times: int
    candidates: tuple[str, ...]
    queries: tuple[str, ...] = ()


@dataclass(frozen=True)
class Account:
    """What an import came to. `titles`: how many answer titles resolved exactly, nearly, were
    ambiguous or unknown (by occurrence), and the last two listed by title. `lacking`: relation that
    the graph lacks -> how many queries it leaves without CMR. `valueless`: the same of values that
    no item bears, `graphless`: the same for want of any graph. `strays`: items that answer a query
    and do not meet its conditions in the graph. `empty`: queries none of whose titles resolved, and
    `named_only`: those answered only by what they name themselves, both left out. `renamed`: ids
    that occur again."""

    queries: int
    titles: Mapping[TitleMatch, int]
    ambiguous: tuple[Unresolved, ...]
    unknown: tuple[Unresolved, ...]
    lacking: Mapping[str, int]
    valueless: int
    empty: int
    graphless: int = 0
    strays: int = 0
    named_only: int = 0
    renamed: int = 0

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
    release: Release,
    domain: str,
    titles: TitleIndex,
    graph: ItemGraph | None = None,
    *,
    names: Mapping[str, str] | None = None,
    order: Mapping[str, int] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Imported:
    """The queries of one domain of a release, on the items of an index and a graph. Without a graph
    CMR is unscored throughout.

    `names`: an id of the release -> its title, for answers that give only ids. `order`: item ->
    its place in the catalogue, in which the items of a query then stand. `progress` hears how many
    queries are done, of how many.
    """
    work = _Work(titles, graph, names or {}, order or {})
    released = release.of(domain)
    made: list[Query] = []
    for number, one in enumerate(released):
        if progress is not None:
            progress(number, len(released))
        if (query := work.query(one)) is not None:
            made.append(query)
    return Imported(tuple(made), frozenset(work.unscored), work.account(len(made)))


class _Work:
    def __init__(
        self,
        titles: TitleIndex,
        graph: ItemGraph | None,
        names: Mapping[str, str],
        order: Mapping[str, int],
    ) -> None:
        self._titles = titles
        self._graph = graph
        self._names = names
        self._order = order
        self._kinds: Counter[TitleMatch] = Counter(dict.fromkeys(TitleMatch, 0))
        self._missed: dict[TitleMatch, dict[str, Unresolved]] = {}
        self._lacking: Counter[str] = Counter()
        self._valueless = self._graphless = self._strays = 0
        self._empty = self._named_only = self._renamed = 0
        self._ids_given: set[str] = set()
        self._exactly: dict[str, str | None] = {}
        self.unscored: set[str] = set()

    def account(self, queries: int) -> Account:
        """What the work came to."""
        ambiguous, unknown = (
            tuple(sorted(self._missed.get(kind, {}).values(), key=lambda u: (-u.times, u.title)))
            for kind in (TitleMatch.AMBIGUOUS, TitleMatch.UNKNOWN)
        )
        lacking = dict(sorted(self._lacking.items()))
        return Account(
            queries, dict(self._kinds), ambiguous, unknown, lacking, self._valueless, self._empty,
            self._graphless, self._strays, self._named_only, self._renamed,
        )  # fmt: skip

    def query(self, released: Released) -> Query | None:
        """The query; None where no title of its answer resolved, or all that did it names."""
        ident = self._ident(released)
        answers = self._ids(released, ident)
        facts = [(fact, self._titles.resolve(fact.title).item_id) for fact in released.facts]
        told = [(fact, item) for fact, item in facts if item is not None]
        if told:
            named = tuple(dict.fromkeys(item for _, item in told))
        else:
            named = self._named(released.text, released.kind)
        own = self._sorted(item for item in answers if item not in named)
        if not answers or not own:
            self._empty += not answers
            self._named_only += bool(answers)
            return None
        if released.kind.is_profile:
            return self._profile(released, ident, own, named)
        conditions = self._conditions(released, ident)
        matching = own
        if conditions is not None and self._graph is not None:
            met = [self._graph.items[place] for place in self._graph.meets(conditions).tolist()]
            self._strays += len(set(own) - set(met))
            # What the release calls an answer is one, whatever this graph knows of it.
            matching = self._sorted({*met, *own} - set(named))
        return Query(
            ident, released.kind, released.user, own, matching, released.style, released.text,
            parts=_parts(released, conditions, named, told), named=named,
        )  # fmt: skip

    def _ident(self, released: Released) -> str:
        """The query's id: its kind and what the release calls it."""
        base = ident = f"{released.kind.value}-{released.number or len(self._ids_given) + 1}"
        again = 1
        while ident in self._ids_given:
            again += 1
            ident = f"{base}+{again}"
        self._renamed += ident != base
        self._ids_given.add(ident)
        return ident

    def _sorted(self, items: Iterable[str]) -> tuple[str, ...]:
        """Items in the catalogue's order; in that of their ids where it is not given."""
        unique = dict.fromkeys(items)
        if not self._order:
            return tuple(sorted(unique))
        return tuple(sorted(unique, key=lambda item: (self._order.get(item, -1), item)))

    def _profile(
        self, released: Released, ident: str, own: tuple[str, ...], named: tuple[str, ...]
    ) -> Query:
        ids: Sequence[str] = released.listed_ids or [""] * len(released.listed)
        pairs = zip(released.listed, ids, strict=True)
        listed = [self._resolve(title, ident).item_id for title, ident in pairs]
        every = tuple(dict.fromkeys([*filter(None, listed), *own]))
        profile = Profile(
            released.users, every, released.reason or "as published", group=dict(released.group)
        )
        matching = tuple(item for item in every if item not in named)
        return Query(
            ident, released.kind, released.user, own, matching, released.style, released.text,
            named=named, profile=profile,
        )  # fmt: skip

    def _ids(self, released: Released, ident: str) -> tuple[str, ...]:
        found: list[str] = []
        ids: Sequence[str] = released.ids or [""] * len(released.titles)
        for title, code in zip(released.titles, ids, strict=True):
            came = self._resolve(title, code)
            self._kinds[came.kind] += 1
            if came.item_id is not None:
                found.append(came.item_id)
                continue
            missed = self._missed.setdefault(came.kind, {})
            shown = title or f"id {code}"
            before = missed.get(shown, Unresolved(shown, 0, came.candidates))
            queries = (*before.queries, ident)[:_MOST_QUERIES]
            missed[shown] = replace(before, times=before.times + 1, queries=queries)
        return tuple(dict.fromkeys(found))

    def _resolve(self, title: str, code: str) -> Resolution:
        """What a title comes to, or an id of the release where there is none."""
        if title:
            came = self._titles.resolve(title, item_id=code or None)
            if came.kind is TitleMatch.UNKNOWN and not code and title.isdecimal():
                return self._resolve("", title)
            return came
        if code in self._names:
            return self._titles.resolve(self._names[code], item_id=code)
        return self._titles.resolve("", item_id=code)

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
                    item = self._exact(title) or (self._exact(bare) if bare != title else None)
                    if item is not None:
                        found.append(item)
                        start = end - 1
                        break
                start += 1
        return found

    def _exact(self, title: str) -> str | None:
        if title not in self._exactly:
            self._exactly[title] = self._titles.exactly(title)
        return self._exactly[title]

    def _conditions(self, released: Released, ident: str) -> tuple[Condition, ...] | None:
        """The conditions in the graph's words; None where it cannot tell who meets them."""
        if self._graph is None:
            self._graphless += 1
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
        return tuple(dict.fromkeys(conditions))


def _parts(
    released: Released,
    conditions: Sequence[Condition] | None,
    named: tuple[str, ...],
    told: Sequence[tuple[Fact, str]],
) -> tuple[Part, ...]:
    """The conditions and how the text gives them: the value that an implicit query keeps back, and
    the one that a misinformed query ties to the items it names. `told`: what the record itself
    says of those items; without it the text is looked at."""
    pairs = (
        [(one.relation, one.value) for one in conditions]
        if conditions is not None
        else list(released.conditions)
    )
    given = {Kind.IMPLICIT: Given.REFERENCE, Kind.MISINFORMED: Given.CLAIM}.get(released.kind)
    if given is None or not named:
        return tuple(Part(relation, value) for relation, value in pairs)
    text = name_key(released.text)
    of_facts = {name_key(fact.value) for fact, _ in told} - {""}
    places = [i for i, (_, value) in enumerate(pairs) if name_key(value) in of_facts]
    if not places and released.kind is Kind.IMPLICIT:
        places = [i for i, (_, value) in enumerate(pairs) if name_key(value) not in text]
    elif not places:
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
