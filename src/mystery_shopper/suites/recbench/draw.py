"""Drawing a set of queries: every cell filled, the same set for the same seed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.foundation import InputError, derive_seed, random_source
from mystery_shopper.sources.histories import Histories
from mystery_shopper.suites.recbench.drawing_conditions import ConditionDraw
from mystery_shopper.suites.recbench.drawing_profiles import ProfileDraw
from mystery_shopper.suites.recbench.pool import Pool
from mystery_shopper.suites.recbench.query import (
    CELLS,
    GENERATOR,
    SCHEMA,
    GraphRef,
    HistoriesRef,
    Kind,
    Origin,
    Person,
    Query,
    QuerySet,
    canary_for,
)
from mystery_shopper.suites.recbench.shelves import Shelves

DEFAULT_QUERIES = 3_000
MOST_QUERIES = 100_000
"""Three times as many as the paper has; drawn in minutes."""
WIDEST = 200

Writer = Callable[[Query, int], str]
"""Words a query that lacks its text, from a seed."""
Progress = Callable[[str, int, int], None]
"""Hears what is being done, how much of it is done, and of how much."""


@dataclass(frozen=True)
class DrawOptions:
    """What is drawn.

    `queries`: in all, spread over the cells of the `kinds` (`planned`). `irreducible`: only
    conditions none of which can be left out without the user's own group growing. `widest`: the
    most items that a set of conditions may fit, 0 for any number. `sequence_users`, `group_users`:
    how many users make a common sequence, a group. `most_users`: of more users so many are drawn
    for condition queries. `generator`: its version, an older one to make a published set again.
    """

    seed: int = 1
    queries: int = DEFAULT_QUERIES
    irreducible: bool = True
    widest: int = WIDEST
    sequence_users: int = 3
    group_users: int = 5
    most_users: int = 2_000
    kinds: tuple[Kind, ...] = tuple(Kind)
    generator: int = GENERATOR

    def __post_init__(self) -> None:
        """Raises InputError for more than `MOST_QUERIES`."""
        if self.queries > MOST_QUERIES:
            raise InputError(
                f"{self.queries:,} queries are too many",
                where="--queries",
                remedy=f"Ask for at most {MOST_QUERIES:,}; draw more sets with other seeds.",
            )


def silent(what: str, done: int, of: int) -> None:
    """A `Progress` that tells nobody."""
    del what, done, of


def titles_of(catalogue: Catalogue) -> list[str]:
    """The title of each item, empty where it has none."""
    texts = catalogue.columns[catalogue.domain.title]
    return [str(texts.value(row) or "") for row in range(len(catalogue))]


def draw_queries(
    name: str,
    graph: ItemGraph,
    titles: Sequence[str],
    histories: Histories,
    write: Writer,
    options: DrawOptions = DrawOptions(),
    progress: Progress = silent,
) -> QuerySet:
    """A set of queries on a graph. `name`: of the set, `suite/graph@version`. `titles`: by
    position, as `titles_of` gives them; an item is named only where its title is no other item's.

    A cell that has no more to give falls short, and `origin.short` says by how many. Raises
    InputError where the histories do not fit the graph, no two items of a history share anything,
    or nothing at all can be drawn.
    """
    if len(titles) != len(graph):
        raise InputError(
            f"{len(titles)} titles are given for {len(graph)} items",
            where="titles",
            remedy="Give one title for each item of the graph, empty where it has none.",
        )
    shelves = Shelves.of(graph, histories)
    drawn, rejected = _drawn(name, shelves, titles, options, progress)
    short = {
        cell: wanted - len(drawn[cell])
        for cell, wanted in planned(options.queries, options.kinds).items()
        if len(drawn[cell]) < wanted
    }
    queries = _worded(name, drawn, write, options.seed, progress)
    if not queries:
        raise InputError(
            "no query can be drawn",
            where=name,
            remedy="Give more or longer histories, allow wider conditions, or let fewer users make"
            " a sequence or a group.",
        )
    graph_name = name.rpartition("/")[2].partition("@")[0]
    return QuerySet(
        schema=SCHEMA,
        name=name,
        canary=canary_for(name, options.seed),
        graph=GraphRef(graph_name, graph.digest, len(graph), graph.relations),
        histories=HistoriesRef(
            histories.source,
            histories.digest,
            len(shelves),
            len(shelves.positions),
            histories.synthetic,
        ),
        origin=Origin(
            generator=options.generator,
            seed=options.seed,
            irreducible=options.irreducible,
            widest=options.widest,
            sequence_users=options.sequence_users,
            group_users=options.group_users,
            rejected=dict(sorted(rejected.items())),
            short=short,
        ),
        people=_people(shelves, queries),
        queries=queries,
    )


def planned(queries: int, kinds: Sequence[Kind] = tuple(Kind)) -> dict[str, int]:
    """Cell -> how many of so many queries: two parts to each cell of the condition kinds, three to
    each kind of profile, what is left over to the first cells. With all kinds a part is 1/24."""
    parts = {
        cell: 2 if "/" in cell else 3 for cell in CELLS if Kind(cell.partition("/")[0]) in kinds
    }
    whole = sum(parts.values())
    shares = {cell: queries * part // whole for cell, part in parts.items()}
    left = queries - sum(shares.values()) if shares else 0
    for cell in list(shares)[:left]:
        shares[cell] += 1
    return shares


def _drawn(
    name: str, shelves: Shelves, titles: Sequence[str], options: DrawOptions, progress: Progress
) -> tuple[dict[str, list[Query]], Counter[str]]:
    """(cell -> its queries, rejections by cell and reason)."""
    plan = planned(options.queries, options.kinds)
    conditions = ConditionDraw(_pool(name, shelves, options, progress), titles, options.widest)
    profiles = ProfileDraw(
        shelves,
        lambda position: bool(conditions.nameable[position]),
        options.sequence_users,
        options.group_users,
    )
    drawn: dict[str, list[Query]] = {}
    rejected: Counter[str] = Counter()
    before, whole = 0, sum(plan.values())
    for cell, wanted in plan.items():

        def told(found: int, before: int = before) -> None:
            progress("Drawing queries", before + found, whole)

        told(0)
        source = random_source("recbench", name, options.seed, cell)
        kind, _, width = cell.partition("/")
        if width:
            drawn[cell] = conditions.draw(Kind(kind), width, wanted, source, told)
        else:
            drawn[cell] = profiles.draw(Kind(kind), wanted, source)
        before += wanted
        for counts in (conditions.rejected, profiles.rejected):
            rejected.update({f"{cell}: {reason}": count for reason, count in counts.items()})
            counts.clear()
    return drawn, rejected


def _pool(name: str, shelves: Shelves, options: DrawOptions, progress: Progress) -> Pool:
    """The condition sets of all users, or of those that are drawn; none where no query rests on
    conditions."""
    if all(kind.is_profile for kind in options.kinds):
        return Pool(shelves, {})
    users: Sequence[int] = range(len(shelves))
    if len(users) > options.most_users:
        source = random_source("recbench", name, options.seed, "users")
        users = sorted(source.sample(users, options.most_users))

    def told() -> Iterator[int]:
        for number, user in enumerate(users):
            progress("Finding shared relations", number, len(users))
            yield user

    return Pool.mine(shelves, told(), irreducible=options.irreducible, widest=options.widest)


def _worded(
    name: str, drawn: dict[str, list[Query]], write: Writer, seed: int, progress: Progress
) -> tuple[Query, ...]:
    """The queries with ids (`implicit-2-017`) and texts."""
    queries: list[Query] = []
    whole = sum(map(len, drawn.values()))
    for cell, entries in drawn.items():
        for number, query in enumerate(entries, 1):
            query_id = f"{cell.replace('/', '-')}-{number:03}"
            progress("Wording queries", len(queries), whole)
            plain = msgspec.structs.replace(query, id=query_id)
            text = write(plain, derive_seed("recbench", name, seed, "wording", query_id))
            queries.append(msgspec.structs.replace(plain, text=text))
    return tuple(queries)


def _people(shelves: Shelves, queries: Sequence[Query]) -> dict[str, Person]:
    """The users that ask, by name."""
    people: dict[str, Person] = {}
    for user in sorted({query.user for query in queries}):
        who = shelves.who(user)
        items: list[int] = shelves.at(shelves.user_at[user]).tolist()
        ids = tuple(shelves.graph.items[position] for position in items)
        people[user] = Person(ids, who.gender, who.age, who.occupation)
    return people
