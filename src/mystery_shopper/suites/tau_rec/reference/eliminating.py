"""The eliminating agent: it also knows that a declined field holds a requirement and that a
rejected item fails at least one. Source: τ-Rec-Books §5.

It reads the candidates' values from the catalogue in bulk; paging through the structured search
would show it the same rows, twenty a call. Each proposal is still found by a search of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from mystery_shopper.catalog import (
    Catalogue,
    Domain,
    Item,
    Operator,
    Predicate,
    UnknownLabel,
)
from mystery_shopper.catalog.bits import Positions, positions_of
from mystery_shopper.catalog.sets import sift
from mystery_shopper.suites.tau_rec.hypotheses import Elimination
from mystery_shopper.suites.tau_rec.reference.interview import Interviewer, Known
from mystery_shopper.suites.tau_rec.reference.script import Script, call
from mystery_shopper.suites.tau_rec.shelf import Interface


def eliminating(work: Interviewer, opening: str) -> Script:
    """Ask, list what may be hidden, propose what fits most of it, and rule out by rejections."""
    known = yield from work.learn(opening, ask=True)
    catalogue = work.shelf.catalogue
    if work.interface is Interface.KEYWORD:
        ids = yield from work.matches(known)
        candidates = _positions(catalogue, ids)
    else:
        candidates = _candidates(work, known)
    hunt = Elimination(work.shelf.hypotheses, candidates, known.predicates, known.declined)
    while (best := hunt.best()) is not None:
        item = catalogue.item(best)
        if work.interface is Interface.STRUCTURED:
            narrow = known.predicates + _values(item, known.declined)
            yield from call("search", **work.arguments(narrow, known.formats))
        if (yield from work.propose(item.id)):
            yield from work.recommend(item.id)
        hunt.reject(best)
    yield from work.recommend(None)


def _candidates(work: Interviewer, known: Known) -> Positions:
    """The unread matches; none where the catalogue lacks a label that is required."""
    catalogue, index = work.shelf.catalogue, work.shelf.structured
    try:
        found = positions_of(index.mask(work.filters(known)))
    except UnknownLabel:
        return np.empty(0, np.int64)
    for predicate in known.predicates:
        if not _is_filter(predicate, catalogue.domain):
            found = sift(found, index.bits(predicate))
    return _without(found, _positions(catalogue, known.history))


def _is_filter(predicate: Predicate, domain: Domain) -> bool:
    """Whether the search has a filter that asks for just this; a filter for a label also lets
    through what lies below it, and several labels have one only as far as all are borne."""
    match predicate.op:
        case Operator.AT_LEAST | Operator.AT_MOST:
            return True
        case Operator.WITHIN:
            return isinstance(predicate.value, str)
        case Operator.CONTAINS:
            return isinstance(predicate.value, str) and not domain.hierarchies[predicate.field]
        case _:
            return isinstance(predicate.value, bool) and predicate.op is Operator.EQUAL


def _positions(catalogue: Catalogue, ids: Iterable[str]) -> Positions:
    """Where the items with these ids stand, ascending; unknown ids fall away."""
    items = [catalogue.find(item_id) for item_id in ids]
    return np.array(sorted(item.position for item in items if item is not None), np.int64)


def _without(found: Positions, few: Positions) -> Positions:
    """The ascending positions `found` but those of `few`."""
    begin, end = found.searchsorted(few, "left"), found.searchsorted(few, "right")
    return np.delete(found, begin[begin < end])


def _values(item: Item, fields: tuple[str, ...]) -> tuple[Predicate, ...]:
    """Predicates that pin the item's own values on these fields."""
    pins: list[Predicate] = []
    for name in fields:
        value = item[name]
        if isinstance(value, bool):
            pins.append(Predicate(name, Operator.EQUAL, value))
        elif isinstance(value, int | float):
            pins += [
                Predicate(name, Operator.AT_LEAST, value),
                Predicate(name, Operator.AT_MOST, value),
            ]
        elif value is not None:
            labels = (value,) if isinstance(value, str) else value
            pins += [Predicate(name, Operator.CONTAINS, str(label)) for label in labels]
    return tuple(pins)
