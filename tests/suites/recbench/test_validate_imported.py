"""Proofs of imported sets: less is claimed of them, and that is held to the graph."""

from __future__ import annotations

import msgspec

from mystery_shopper.suites.recbench.query import Kind, Query, QuerySet
from mystery_shopper.suites.recbench.validate import Proofs, prove_queries

from .world import small_set, small_world


def imported(*queries: Query) -> QuerySet:
    """Queries as a release might bring them: nobody has a history."""
    whole = msgspec.structs.replace(small_set(), source="a release", people={})
    return msgspec.structs.replace(whole, queries=queries) if queries else whole


def prove(queries: QuerySet) -> Proofs:
    graph, titles, _ = small_world()
    return prove_queries(queries, graph, titles, None, lambda _: ["never read"])


def test_our_own_queries_hold_as_imported_ones() -> None:
    found = prove(imported())
    assert found.problems == ()
    conditions = sum(not query.kind.is_profile for query in small_set().queries)
    assert dict(found.proven) == {"form": 240, "ids": 240, "matching": conditions}
    assert found.untried == 0


def test_what_an_imported_query_may_be() -> None:
    first = small_set().queries[0]
    # The same twice, one item alone, a wish for what no item of the graph bears.
    part = msgspec.structs.replace(first.parts[0], value="Nobody")
    strange = msgspec.structs.replace(first, id="c", parts=(part, *first.parts[1:]))
    again = msgspec.structs.replace(first, id="b", own=first.own[:1])
    found = prove(imported(first, again, strange))
    assert found.problems == ()
    assert found.proven["matching"] == 2


def test_matching_items_are_all_that_meet_and_the_releases_own() -> None:
    graph, _, _ = small_world()
    first = next(query for query in small_set().queries if query.kind is Kind.EXPLICIT)
    other = next(item for item in graph.items if item not in first.matching)
    lost = msgspec.structs.replace(first, matching=first.matching[:-1], own=first.matching[:1])
    odd = msgspec.structs.replace(first, id="odd", matching=(*first.matching, other))
    owned = msgspec.structs.replace(odd, id="owned", own=(*first.own, other))
    found = prove(imported(lost, odd, owned))
    assert set(found.problems) == {
        f"{first.id}: matching: lacks {first.matching[-1]}",
        f"odd: matching: must not hold {other}",
    }
    assert found.failed == {"matching": 2}


def test_an_id_that_the_graph_lacks() -> None:
    first = small_set().queries[0]
    odd = msgspec.structs.replace(first, own=("zz", "yy"), matching=(*first.matching, "zz", "yy"))
    found = prove(imported(odd))
    assert found.problems == (f"{first.id}: ids: zz, yy is not in the graph",)
