"""How an episode of one request is set up."""

from __future__ import annotations

from dataclasses import dataclass

from mystery_shopper.catalog import Domain
from mystery_shopper.suites.recbench.desk import Desk
from mystery_shopper.suites.recbench.episode import RequestEpisode
from mystery_shopper.suites.recbench.prompts import instructions_for
from mystery_shopper.suites.recbench.query import Query, QuerySet
from mystery_shopper.suites.recbench.request import handed, opening
from mystery_shopper.suites.recbench.shelf import Interface, Shelf


@dataclass(frozen=True)
class Setting:
    """What may differ between runs of the same queries. `history`: the user's history is handed
    over. `k`: so many items are asked for; 0 leaves the number to the agent."""

    interface: Interface = Interface.TOOLS
    history: bool = False
    k: int = 0


def instructions(domain: Domain, setting: Setting) -> str:
    """The agent's instructions for a domain."""
    return instructions_for(domain, setting.interface, setting.history, setting.k)


def set_stage(query: Query, queries: QuerySet, shelf: Shelf, setting: Setting) -> RequestEpisode:
    """A fresh episode of the query over the shelf's catalogue."""
    history = handed(query, queries, shelf) if setting.history else None
    return RequestEpisode(
        opening(query, shelf, history, setting.k),
        Desk(shelf, setting.interface, history),
        instructions(shelf.catalogue.domain, setting),
    )
