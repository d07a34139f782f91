"""Proofs: each query's properties, from the graph and the histories.

Nothing here calls what draws: conditions are held against the values that each item bears, group
by group, and users are counted one by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.catalog.graph_values import name_key, names_within
from mystery_shopper.sources.histories import Histories
from mystery_shopper.suites.recbench.form import query_problems, set_problems
from mystery_shopper.suites.recbench.query import (
    Given,
    Kind,
    Part,
    Profile,
    Query,
    QuerySet,
)
from mystery_shopper.suites.recbench.validate_imported import imported_findings
from mystery_shopper.suites.recbench.validate_profiles import ProfileProofs

Finding = tuple[str, str | None]
"""(the property, what is wrong; None where it holds)."""
Pair = tuple[str, str]


@dataclass(frozen=True)
class Proofs:
    """`problems`: what does not hold, each with its query's id. `proven`: property -> of how many
    queries it was proven, `failed`: of how many it does not hold. `untried`: how many queries count
    what could not be tried, the histories not being given."""

    problems: tuple[str, ...]
    proven: Mapping[str, int]
    untried: int
    failed: Mapping[str, int] = field(default_factory=dict[str, int])


def prove_queries(
    query_set: QuerySet,
    graph: ItemGraph,
    titles: Sequence[str],
    histories: Histories | None = None,
    read: Callable[[Query], Iterable[str]] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Proofs:
    """Prove every query of a set. `titles`: of the graph's items, by position. `histories`: those
    that the set was drawn from; without them what profile queries count is not tried. `read` finds
    what is wrong with a query's text (`wording.Checker.told`). `progress` hears how many queries
    are done, of how many. An imported set is held to less (`validate_imported`), without either."""
    problems = set_problems(query_set)
    if query_set.graph.digest != graph.digest:
        problems.append("graph: the set was drawn from another graph")
    if histories is not None and query_set.histories.digest != histories.digest:
        problems.append("histories: the set was drawn from others")
    if problems:
        return Proofs(tuple(problems), {}, len(query_set.queries))
    world = World(query_set, graph, titles)
    imported = bool(query_set.source)
    profiles = ProfileProofs(world.bearers, histories, query_set.origin)
    proven: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    for number, query in enumerate(query_set.queries):
        if progress is not None:
            progress(number, len(query_set.queries))
        wrongs = query_problems(query, imported=imported)
        findings: list[Finding] = [("form", problem) for problem in wrongs or [None]]
        if imported:
            findings += imported_findings(query, world.values, world.bearers)
        elif not wrongs and query.profile is None:
            findings += world.conditions(query)
        elif not wrongs and query.profile is not None:
            findings += world.profile(query, query.profile)
            findings += profiles.of(query, query.profile)
        if read is not None and not imported:
            findings += [("wording", text) for text in read(query)] or [("wording", None)]
        problems += [f"{query.id}: {name}: {wrong}" for name, wrong in findings if wrong]
        failed = {name for name, wrong in findings if wrong}
        proven.update({name for name, _ in findings} - failed)
        failures.update(failed)
    repeated = [] if imported else _repeated(query_set)
    if repeated:
        failures["asked once"] = len(repeated)
    problems += repeated
    untried = (
        0 if histories or imported else sum(query.kind.is_profile for query in query_set.queries)
    )
    return Proofs(tuple(problems), dict(proven), untried, dict(failures))


@dataclass(frozen=True, eq=False)
class World:
    """The graph as plain sets, read from each item's values."""

    query_set: QuerySet
    graph: ItemGraph
    titles: Sequence[str]

    @cached_property
    def values(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """Item id -> relation -> folded values."""
        return {
            item: {
                relation: frozenset(map(name_key, self.graph.values_of(position, relation)))
                for relation in self.graph.relations
            }
            for position, item in enumerate(self.graph.items)
        }

    @cached_property
    def bearers(self) -> Mapping[Pair, frozenset[str]]:
        """(relation, folded value) -> the ids of the items that bear it."""
        found: dict[Pair, set[str]] = {}
        for item, relations in self.values.items():
            for relation, values in relations.items():
                for value in values:
                    found.setdefault((relation, value), set()).add(item)
        return {pair: frozenset(items) for pair, items in found.items()}

    @cached_property
    def title_of(self) -> Mapping[str, str]:
        """Item id -> folded title."""
        return {
            item: name_key(title) if title else ""
            for item, title in zip(self.graph.items, self.titles, strict=True)
        }

    @cached_property
    def titled(self) -> Counter[str]:
        """Folded title -> the number of items of that title."""
        return Counter(self.title_of.values())

    def meeting(self, parts: Iterable[Part]) -> frozenset[str]:
        """The items that meet all these conditions."""
        groups = [self.bearers.get((p.relation, name_key(p.value)), frozenset()) for p in parts]
        return frozenset.intersection(*groups)

    # --- condition queries ----------------------------------------------------------------------

    def conditions(self, query: Query) -> list[Finding]:
        """What holds of a condition query and what does not."""
        lost = [part.relation for part in query.parts if part.relation not in self.graph.relations]
        if lost:
            return [("conditions", f"the graph has no relation {name!r}") for name in lost]
        return list(
            chain(
                self._truths(query),
                self._history(query, self.meeting(query.parts)),
                self._bounds(query),
                self._named(query),
            )
        )

    def _truths(self, query: Query) -> Iterator[Finding]:
        meeting = self.meeting(query.parts)
        named = frozenset(query.named)
        yield _differ("matching", query.matching, meeting - named)
        history = self.query_set.people[query.user].items
        yield _differ("own", query.own, meeting.intersection(history) - named)

    def _history(self, query: Query, truths: frozenset[str]) -> Iterator[Finding]:
        handed = self.query_set.history(query)
        kept = truths.union(query.own, query.matching, query.named)
        given_away = sorted(kept.intersection(handed))
        wrong = f"it gives away {', '.join(given_away[:5])}" if given_away else None
        if not handed:
            wrong = "nothing of it is left"
        owned = self.query_set.people[query.user].items
        if not wrong and list(handed) != [item for item in owned if item not in kept]:
            wrong = "it is not the user's own, or lacks what it may tell"
        yield "history", wrong

    def _bounds(self, query: Query) -> Iterator[Finding]:
        origin = self.query_set.origin
        meeting = self.meeting(query.parts)
        if origin.widest:
            wide = len(meeting) > origin.widest
            yield "width", f"fits {len(meeting)} items" if wide else None
        if origin.irreducible:
            history = frozenset(self.query_set.people[query.user].items)
            group = meeting & history
            idle = [
                f"{part.relation} {part.value}"
                for part in query.parts
                if len(query.parts) > 1
                and self.meeting(other for other in query.parts if other is not part) & history
                == group
            ]
            yield "irreducible", f"{'; '.join(idle)} could be left out" if idle else None

    def _named(self, query: Query) -> Iterator[Finding]:
        for part in query.parts:
            if part.given is Given.STATED:
                continue
            value = name_key(part.value)
            yield from self._names(part.through, part.value)
            groups = [
                self.values[item][part.relation] for item in part.through if item in self.values
            ]
            if part.given is Given.REFERENCE:
                common = frozenset[str]().union(*groups).intersection(*groups)
                yield (
                    "reference",
                    None if common == frozenset((value,)) else f"they share {sorted(common)}",
                )
                others = [other.value for other in query.parts if other is not part]
                told = any(names_within(part.value, other) for other in others)
                yield "reference", f"another condition names {part.value}" if told else None
            else:
                true = any(value in group for group in groups)
                yield "claim", f"one of the items does bear {part.value}" if true else None
                bare = any(not group for group in groups)
                yield "claim", "nothing contradicts it" if bare else None

    def _names(self, items: Iterable[str], value: str = "") -> Iterator[Finding]:
        """Whether each item is one of the graph's, and its title is its own and gives no value
        away."""
        for item in items:
            title = self.title_of.get(item)
            if title is None:
                yield "named", f"{item} is not in the graph"
            elif not title or self.titled[title] > 1:
                yield "named", f"the title of {item} is empty or another item's too"
            elif value and names_within(value, title):
                yield "named", f"the title of {item} gives away {value!r}"
            else:
                yield "named", None

    # --- profile queries ------------------------------------------------------------------------

    def profile(self, query: Query, profile: Profile) -> list[Finding]:
        """What holds of a profile query in the graph and what does not."""
        listed = frozenset(profile.listed)
        findings = [*self._history(query, listed), *self._names(query.named)]
        unknown = sorted(listed.difference(self.values))
        if unknown:
            findings.append(("subset", f"{', '.join(unknown)} is not in the graph"))
        if not profile.traits:
            findings.append(("subset", "no trait tells it from the list"))
        for trait in profile.traits:
            bearers = self.bearers.get((trait.relation, name_key(trait.value)), frozenset())
            findings.append(_differ("subset", query.own, listed & bearers))
        return findings


def _differ(name: str, told: Sequence[str], true: frozenset[str]) -> Finding:
    """A finding that tells which ids are missing or do not belong."""
    missing, extra = sorted(true.difference(told)), sorted(frozenset(told) - true)
    wrong = [
        f"{word} {', '.join(ids[:5])}" + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")
        for word, ids in (("lacks", missing), ("must not hold", extra))
        if ids
    ]
    return name, "; ".join(wrong) or None


def _repeated(query_set: QuerySet) -> list[str]:
    """Condition queries of one kind that ask for the same."""
    seen: dict[tuple[Kind, frozenset[Pair]], str] = {}
    problems: list[str] = []
    for query in query_set.queries:
        if not query.kind.is_profile:
            pairs = frozenset((part.relation, name_key(part.value)) for part in query.parts)
            first = seen.setdefault((query.kind, pairs), query.id)
            if first != query.id:
                problems.append(f"{query.id}: asks for the same as {first}")
    return problems
