"""The agents that read nothing of the request, or just its words."""

from __future__ import annotations

from collections.abc import Iterator

from mystery_shopper.suites.recbench.query import Query
from mystery_shopper.suites.recbench.reference.answering import Found, Request, best
from mystery_shopper.suites.recbench.reference.crowd import Crowd
from mystery_shopper.suites.recbench.reference.graph import denied
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.wording import facts_of


def oracle(query: Query, shelf: Shelf, k: int) -> Found:
    """Knows the query: the user's own group, so that the paper's precision and recall and CMR are
    all 1; where more items are asked for than that, others that match, and no more than asked.
    It names the mistake of a misinformed request."""
    own = _answers(shelf, query.own, query)
    if not k:
        return Found(own, _mistakes(query, shelf))
    rest = [item for item in _answers(shelf, query.matching, query) if item not in own]
    return Found([*own, *rest][:k], _mistakes(query, shelf))


def oracle_all(query: Query, shelf: Shelf, k: int) -> Found:
    """Knows the query: every item that matches, so that precision and recall against all of them
    and CMR are 1."""
    every = _answers(shelf, query.matching, query)
    return Found(every[: k or None], _mistakes(query, shelf))


def _answers(shelf: Shelf, items: tuple[str, ...], query: Query) -> list[str]:
    known = (item for item in dict.fromkeys(items) if item in shelf.position_of)
    return [item for item in known if item not in query.named]


def _mistakes(query: Query, shelf: Shelf) -> list[str]:
    claims = facts_of(query).claims
    return [f"{denied(shelf, claim, item)}." for claim in claims for item in claim.items]


def null() -> Found:
    """Recommends nothing."""
    return Found(())


def popularity(request: Request, shelf: Shelf, crowd: Crowd) -> Found:
    """The most popular items that are not in the handed history."""
    return Found(best(shelf, popular(shelf, crowd, request.user), request.history, request.wanted))


def popular(shelf: Shelf, crowd: Crowd, user: str) -> Iterator[int]:
    """Positions, most popular first: in the catalogue's order, or where that says nothing of
    popularity by how many of the set's other users had an item, and then the rest."""
    if not shelf.knows_popularity:
        for item in crowd.popular(user):
            if item in shelf.position_of:
                yield shelf.position_of[item]
    yield from range(len(shelf.catalogue))


def keyword(request: Request, shelf: Shelf) -> Found:
    """The best matches of the request's words by BM25 that are not in the handed history."""
    most = request.wanted + len(request.history)
    hits = shelf.keyword.search(request.text, most)
    found = (position for position, _ in hits)
    return Found(best(shelf, found, request.history, request.wanted))


def history(request: Request, shelf: Shelf, crowd: Crowd) -> Found:
    """What the nearest users had. Nearest to the handed history; without one to the titles that the
    request names; where it names none, or nobody had them, the most popular items."""
    told = request.history or shelf.reader.read(request.text).named
    near = [shelf.position_of[i] for i in crowd.near(told, request.user) if i in shelf.position_of]
    found = best(shelf, near, told, request.wanted)
    if len(found) < request.wanted:
        order = popular(shelf, crowd, request.user)
        found += best(shelf, order, {*told, *found}, request.wanted - len(found))
    return Found(found)
