"""What the user says: the request, with the history and the number of items where asked."""

from __future__ import annotations

from dataclasses import dataclass

from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.shelf import Shelf

MOST_HISTORY = 50
"""So many of the latest items are handed over: what sequential recommenders commonly look back on
(SASRec, Kang & McAuley 2018, of sparse histories), in under a thousand tokens of titles."""


@dataclass(frozen=True)
class History:
    """What of a user's history is handed over: ids, the most recent last, and of how many."""

    items: tuple[str, ...]
    of: int


def handed(query: Query, queries: QuerySet, shelf: Shelf) -> History:
    """The latest items of the user's history without the answers (`QuerySet.history`), as far as
    the catalogue knows them."""
    places = shelf.position_of
    known = [item for item in queries.history(query) if item in places]
    return History(tuple(known[-MOST_HISTORY:]), len(known))


def opening(query: Query, shelf: Shelf, history: History | None, k: int) -> str:
    """The user's words."""
    parts = [query.text]
    if history is not None:
        parts.append(_told(history, shelf))
    if k:
        noun = shelf.catalogue.domain.noun
        parts.append(f"Please name exactly {k} {noun.singular if k == 1 else noun.plural}.")
    return "\n\n".join(parts)


def _told(history: History, shelf: Shelf) -> str:
    noun, watched = shelf.catalogue.domain.noun, shelf.reader.speech.activity.watched
    if not history.items:
        return f"I have not {watched} any {noun.plural} yet that I could tell you of."
    count = len(history.items)
    if count < history.of:
        head = f"The last {count} of the {history.of} {noun.plural} that I have {watched}"
    else:
        head = f"The {noun.plural} that I have {watched}"
    lines = [f"- {shelf.dated(item)}" for item in history.items]
    return "\n".join([f"{head}, the most recent last:", *lines])
