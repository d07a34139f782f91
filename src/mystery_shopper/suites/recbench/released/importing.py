"""A release -> a query set on a catalogue, with the graph and the histories that go with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.catalog.graph import default_relations
from mystery_shopper.foundation import InputError, slug
from mystery_shopper.sources.histories import Demographics, Histories, HistoryReport, load_movielens
from mystery_shopper.sources.histories import movielens_files as files
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.gathering import Gathering, by_own_id
from mystery_shopper.suites.recbench.query import (
    SCHEMA,
    GraphRef,
    HistoriesRef,
    Origin,
    Person,
    Query,
    QuerySet,
    canary_for,
)
from mystery_shopper.suites.recbench.released.graphs import GraphRead, read_graph
from mystery_shopper.suites.recbench.released.items import Given, Items, items_of
from mystery_shopper.suites.recbench.released.model import BOOK, Release
from mystery_shopper.suites.recbench.released.queries import Account, Imported, onto
from mystery_shopper.suites.recbench.titles import TitleIndex

RATINGS = ("ratings.dat", "ratings.csv")
NO_HISTORIES = HistoriesRef("none", "", 0, 0, False)


@dataclass(frozen=True, eq=False)
class Made:
    """What an import came to, ready to be written. `graph`: the graph of a file, if one was given.
    `histories`: their account, None where the release has none; `askers`: how many users ask,
    `known`: how many of them have a history, `described`: of how many gender, age or occupation is
    known."""

    items: Items
    graph: GraphRead | None
    query_set: QuerySet
    unscored: frozenset[str]
    account: Account
    histories: HistoryReport | None
    askers: int
    known: int
    described: int
    notes: tuple[str, ...] = ()

    @property
    def bad(self) -> tuple[str, ...]:
        """What was left out of the items and the graph, as asked."""
        return (*self.items.bad, *(self.graph.bad if self.graph is not None else ()))


def import_release(
    release: Release,
    domain: str,
    folder: Path,
    *,
    given: Given | None = None,
    graph_file: Path | None = None,
    skip: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Made:
    """The queries of one domain of a release as a set on a catalogue. Raises InputError where a
    file beside the release cannot be used, or no query is left."""
    items = items_of(release, domain, folder, given, skip=skip)
    catalogue = items.catalogue
    titles = TitleIndex.of_catalogue(catalogue, editions=domain == BOOK)
    read = None
    if graph_file is not None:
        read = read_graph(graph_file, catalogue, titles, items.names, skip=skip)
    graph = read.graph if read is not None else graph_of(catalogue)
    found = onto(
        release, domain, titles,
        graph if graph is not None and len(graph.labels) else None,
        names=items.names, order=catalogue.position_of, progress=progress,
    )  # fmt: skip
    if not found.queries:
        raise InputError(
            [
                f"no query of the {domain} files has an answer that the catalogue knows",
                *(f"unknown: {one.title}" for one in found.account.unknown[:5]),
            ],
            where=str(folder),
            remedy="Give the catalogue that holds these items: --catalog, or movies.dat in the"
            " folder.",
        )
    histories, report, who, notes = _histories(items)
    people = _people(found.queries, histories, who)
    askers = {query.user for query in found.queries if not query.kind.is_profile}
    return Made(
        items,
        read,
        _query_set(release, domain, folder, found, graph, graph_file, catalogue, histories, people),
        found.unscored,
        found.account,
        report,
        len(askers),
        sum(bool(person.items) for person in people.values()),
        sum(any((person.gender, person.age, person.occupation)) for person in people.values()),
        tuple(notes),
    )


def graph_of(catalogue: Catalogue) -> ItemGraph | None:
    """The graph of a catalogue's own fields; None where none of them holds labels."""
    return ItemGraph.of_catalogue(catalogue) if default_relations(catalogue) else None


def _histories(
    items: Items,
) -> tuple[Histories | None, HistoryReport | None, Mapping[str, Demographics], list[str]]:
    """(histories, their account, who the users are, notes) of the files beside the list of
    items."""
    notes: list[str] = []
    if items.listed is None:
        return None, None, {}, notes
    place = items.listed.parent
    ledger = Ledger()
    users = place / "users.dat"
    who = files.dat_users(users, ledger) if users.is_file() else {}
    notes += ledger.problems
    ratings = next((place / name for name in RATINGS if (place / name).is_file()), None)
    if ratings is None:
        return None, None, who, notes
    if not items.own:
        try:
            loaded = load_movielens(place, items.catalogue)
        except InputError as error:
            return None, None, who, [*notes, f"{ratings.name}: {error.problems[0]}"]
        return loaded.histories, loaded.report, who, notes
    ledger = Ledger()
    gathering = Gathering(by_own_id(items.catalogue), ledger)
    read = files.dat_ratings if ratings.suffix == ".dat" else files.csv_ratings
    for line, user, movie, rating, time in read(ratings, ledger):
        gathering.add(ratings, line, user, movie, rating, time)
    ledger.refuse_if_foreign(ratings, ledger.read - ledger.out_of_range)
    loaded = gathering.loaded(f"MovieLens ({place.name})", str(place), who)
    return loaded.histories, loaded.report, who, notes


def _people(
    queries: tuple[Query, ...], histories: Histories | None, who: Mapping[str, Demographics]
) -> dict[str, Person]:
    """The users that ask a condition query and of whom something is known."""
    people: dict[str, Person] = {}
    for user in sorted({query.user for query in queries if not query.kind.is_profile}):
        had = histories.items_of(user) if histories is not None else ()
        is_ = who.get(user, Demographics())
        if had or is_ != Demographics():
            people[user] = Person(tuple(dict.fromkeys(had)), is_.gender, is_.age, is_.occupation)
    return people


def _query_set(
    release: Release,
    domain: str,
    folder: Path,
    found: Imported,
    graph: ItemGraph | None,
    graph_file: Path | None,
    catalogue: Catalogue,
    histories: Histories | None,
    people: dict[str, Person],
) -> QuerySet:
    name = f"recbench/{slug(folder.resolve().name)}-{domain}@1"
    account = found.account
    files_read = dict.fromkeys(query.place.partition(": ")[0] for query in release.of(domain))
    rejected = {
        "no title of the answer is known": account.empty,
        "only what the query names answers it": account.named_only,
    }
    ref = GraphRef("none", "", 0, ())
    if graph is not None:
        told = graph_file.name if graph_file is not None else catalogue.name
        ref = GraphRef(told, graph.digest, len(graph), graph.relations)
    interactions = NO_HISTORIES
    if histories is not None:
        interactions = HistoriesRef(
            histories.source, histories.digest, len(histories.users), len(histories),
            histories.synthetic,
        )  # fmt: skip
    return QuerySet(
        schema=SCHEMA,
        name=name,
        canary=canary_for(name, 0),
        graph=ref,
        histories=interactions,
        origin=Origin(0, 0, False, 0, 0, 0, {why: n for why, n in rejected.items() if n}),
        people=people,
        queries=found.queries,
        source=f"RecBench+ as released: {', '.join(files_read)}",
    )
