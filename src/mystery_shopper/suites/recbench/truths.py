"""From a query and an answer to what is scored: ids and titles become positions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mystery_shopper.catalog import ItemGraph
from mystery_shopper.catalog.graph import UnknownRelation
from mystery_shopper.suites.recbench.answers import Answer
from mystery_shopper.suites.recbench.corrections import Claim, names_mistake
from mystery_shopper.suites.recbench.metrics import (
    AMBIGUOUS,
    UNKNOWN,
    Recommended,
    Truth,
    distinct,
)
from mystery_shopper.suites.recbench.query import Given, Query
from mystery_shopper.suites.recbench.titles import Resolution, TitleIndex, TitleMatch


@dataclass(frozen=True)
class Resolved:
    """An answer's items by position, and what each of its titles came to, in its order."""

    recommended: Recommended
    resolutions: tuple[Resolution, ...]


def truth_of(
    query: Query,
    position_of: Mapping[str, int],
    graph: ItemGraph | None,
    history: Sequence[str] = (),
) -> Truth:
    """What answers a query, by positions. `graph` has the positions of the catalogue; where it
    lacks a relation or a value of the query, CMR is unscored. Ids that the catalogue lacks fall
    away."""
    meeting: frozenset[int] | None = None
    if graph is not None and query.parts:
        try:
            known = all(graph.code(one) is not None for one in query.conditions)
            meeting = frozenset(graph.meets(query.conditions).tolist()) if known else None
        except UnknownRelation:
            meeting = None
    return Truth(
        query.id,
        query.user,
        frozenset(_positions(query.own, position_of)),
        frozenset(_positions(query.matching, position_of)),
        meeting,
        frozenset(_positions(query.named, position_of)),
        tuple(_positions(history, position_of)),
        any(part.given is Given.CLAIM for part in query.parts),
    )


def _positions(ids: Iterable[str], position_of: Mapping[str, int]) -> list[int]:
    look = position_of.get
    return [position for item in ids if (position := look(item)) is not None]


def claim_of(query: Query, title_of: Mapping[str, str]) -> Claim | None:
    """The mistaken claim of a query, with the titles of its items; None where it makes none."""
    part = next((part for part in query.parts if part.given is Given.CLAIM), None)
    if part is None:
        return None
    titles = tuple(title_of.get(item, item) for item in part.through)
    return Claim(titles, part.relation, part.value)


def resolved(
    answer: Answer,
    titles: TitleIndex,
    position_of: Mapping[str, int],
    claim: Claim | None = None,
) -> Resolved:
    """What an answer recommends, by positions; with a claim, whether it names the mistake."""
    came = tuple(titles.resolve_first(item.readings, item.year, item.id) for item in answer.items)
    items = [
        (_position(one, position_of), item.title or item.id or "")
        for one, item in zip(came, answer.items, strict=True)
    ]
    names = names_mistake(claim, answer.prose, answer.concerns) if claim is not None else None
    return Resolved(Recommended(distinct(items), names), came)


def _position(found: Resolution, position_of: Mapping[str, int]) -> int:
    if found.item_id is None:
        return AMBIGUOUS if found.kind is TitleMatch.AMBIGUOUS else UNKNOWN
    return position_of.get(found.item_id, UNKNOWN)
