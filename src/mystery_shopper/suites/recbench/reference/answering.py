"""What the agents are told, and how they say their answers.

An agent that is no oracle gets a `Request`: the words, the history as it is handed over, and the
number of items asked for. Nothing of what answers the query is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import msgspec

from mystery_shopper.dialogue import Say, View
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.request import handed
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.stage import Setting

FREE = 10
"""Items that an agent names where their number is left to it."""


@dataclass(frozen=True)
class Request:
    """What an agent knows of a query. `user` tells whose history among the set's is the asker's
    own, so that it is left out."""

    text: str
    user: str
    history: tuple[str, ...]
    k: int

    @classmethod
    def of(cls, query: Query, queries: QuerySet, shelf: Shelf, setting: Setting) -> Request:
        """The request as the setting asks it."""
        history = handed(query, queries, shelf).items if setting.history else ()
        return cls(query.text, query.user, history, setting.k)

    @property
    def wanted(self) -> int:
        """How many items to name."""
        return self.k or FREE


@dataclass(frozen=True)
class Found:
    """An answer: ids, the most fitting first, and what is wrong with the request."""

    items: Sequence[str]
    concerns: Sequence[str] = ()


@dataclass(frozen=True)
class Answering:
    """An agent that answers at once."""

    shelf: Shelf
    find: Callable[[], Found]

    def act(self, view: View) -> Say:  # noqa: ARG002
        """The answer, whatever the view: what the agent may know it was made with."""
        return Say(in_json(self.shelf, self.find()))


class _Recommended(msgspec.Struct, frozen=True, omit_defaults=True):
    title: str
    year: int | None = None
    id: str = ""


class _Answer(msgspec.Struct, frozen=True):
    recommendations: list[_Recommended]
    concerns: list[str]


def in_json(shelf: Shelf, found: Found) -> str:
    """The answer as the instructions ask for it, with titles, years and ids."""
    items = [
        _Recommended(shelf.title_of[item], shelf.year(shelf.position_of[item]), item)
        for item in found.items
    ]
    return msgspec.json.encode(_Answer(items, list(found.concerns))).decode()


def best(shelf: Shelf, positions: Iterable[int], without: Iterable[str], wanted: int) -> list[str]:
    """The ids of the first so many positions that are not left out."""
    out = set(without)
    ids: list[str] = []
    for position in positions:
        if len(ids) == wanted:
            break
        item = shelf.catalogue.ids[position]
        if item not in out:
            ids.append(item)
    return ids
