"""Which reference agents there are, and how each is made for a trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from mystery_shopper.dialogue import Agent
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.reference.answering import Answering, Found, Request
from mystery_shopper.suites.recbench.reference.crowd import Crowd
from mystery_shopper.suites.recbench.reference.graph import graph
from mystery_shopper.suites.recbench.reference.plain import (
    history,
    keyword,
    null,
    oracle,
    oracle_all,
    popularity,
)
from mystery_shopper.suites.recbench.shelf import Shelf
from mystery_shopper.suites.recbench.stage import Setting

AgentFactory: TypeAlias = Callable[[Query, QuerySet, Shelf, Setting], Agent]


def _knowing(find: Callable[[Query, Shelf, int], Found]) -> AgentFactory:
    """An agent that knows the query."""

    def make(query: Query, _: QuerySet, shelf: Shelf, setting: Setting) -> Agent:
        return Answering(shelf, lambda: find(query, shelf, setting.k))

    return make


def _asked(find: Callable[[Request, Shelf, QuerySet], Found]) -> AgentFactory:
    """An agent that knows what a user says, the catalogue, and the set's other users."""

    def make(query: Query, queries: QuerySet, shelf: Shelf, setting: Setting) -> Agent:
        request = Request.of(query, queries, shelf, setting)
        return Answering(shelf, lambda: find(request, shelf, queries))

    return make


AGENTS: Mapping[str, AgentFactory] = {
    "oracle": _knowing(oracle),
    "oracle-all": _knowing(oracle_all),
    "graph": _asked(lambda request, shelf, _: graph(request, shelf)),
    "history": _asked(lambda request, shelf, queries: history(request, shelf, Crowd.of(queries))),
    "keyword": _asked(lambda request, shelf, _: keyword(request, shelf)),
    "popularity": _asked(
        lambda request, shelf, queries: popularity(request, shelf, Crowd.of(queries))
    ),
    "null": _asked(lambda _, __, ___: null()),
}
