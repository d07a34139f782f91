"""The eliminating agent: it also knows that a declined field holds a requirement and that a
rejected item fails at least one. Source: τ-Rec-Books §5.

It reads the candidates' values from the catalogue in bulk; paging through the structured search
would show it the same rows, twenty a call. Each proposal is still found by a search of its own.
"""

from __future__ import annotations

import numpy as np

from mystery_shopper.catalog import Item, Operator, Predicate, UnknownLabel
from mystery_shopper.catalog.bits import Positions, positions_of
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
        candidates = np.array([catalogue.position_of[item_id] for item_id in ids], np.int64)
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
    catalogue = work.shelf.catalogue
    try:
        found = positions_of(work.shelf.structured.mask(work.filters(known)))
    except UnknownLabel:
        return np.empty(0, np.int64)
    read = [catalogue.position_of[item_id] for item_id in known.history]
    return found[~np.isin(found, read)]


def _values(item: Item, fields: tuple[str, ...]) -> tuple[Predicate, ...]:
    """Predicates that pin the item's own values on these fields."""
    pins: list[Predicate] = []
    for name in fields:
        value = item[name]
        if isinstance(value, int | float):
            pins += [
                Predicate(name, Operator.AT_LEAST, value),
                Predicate(name, Operator.AT_MOST, value),
            ]
        elif value is not None:
            labels = (value,) if isinstance(value, str) else value
            pins += [Predicate(name, Operator.CONTAINS, str(label)) for label in labels]
    return tuple(pins)
