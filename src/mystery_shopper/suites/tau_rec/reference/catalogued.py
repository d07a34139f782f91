"""Which reference agents there are, and how each is made for a trial."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import reduce
from typing import TypeAlias

import numpy as np

from mystery_shopper.catalog import fold, formats_of
from mystery_shopper.catalog.bits import positions_of
from mystery_shopper.dialogue import Agent
from mystery_shopper.suites.tau_rec.policies import Policy
from mystery_shopper.suites.tau_rec.reference.eliminating import eliminating
from mystery_shopper.suites.tau_rec.reference.interview import Interviewer
from mystery_shopper.suites.tau_rec.reference.popularity import (
    ask_never_propose,
    no_ask,
    popularity,
    propose_never_ask,
)
from mystery_shopper.suites.tau_rec.reference.script import Script, Scripted, call, say
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.task import Task

AgentFactory: TypeAlias = Callable[[Task, Shelf, Interface], Agent]
Play: TypeAlias = Callable[[Interviewer, str], Script]


def _interviewing(play: Play) -> AgentFactory:
    def make(_: Task, shelf: Shelf, interface: Interface) -> Agent:
        work = Interviewer(shelf, interface)
        return Scripted(lambda opening: play(work, opening))

    return make


def oracle_item(task: Task, shelf: Shelf) -> str | None:
    """The most popular answer that is unread and can be had in an accepted format, or None."""
    family = task.family
    wanted = {fold(name) for name in family.formats}
    masks = [shelf.structured.bits(predicate) for predicate in family.predicates]
    for position in positions_of(reduce(np.bitwise_and, masks)).tolist():
        item = shelf.catalogue.item(position)
        fits = not wanted or not wanted.isdisjoint(map(fold, formats_of(item)))
        if fits and item.id not in family.history:
            return item.id
    return None


def _oracle(task: Task, shelf: Shelf, interface: Interface) -> Agent:
    """Knows the task: asks, proposes an answer, checks its formats, recommends it; or abstains.
    What else the shop's policies ask for it does where the task is held to them."""
    work = Interviewer(shelf, interface)

    def play(_: str) -> Script:
        yield from say(work.question)
        if Policy.WATCH_HISTORY.value in (task.family.policies or ()):
            yield from call("get_history")
        item_id = oracle_item(task, shelf)
        if item_id is not None:
            yield from work.propose(item_id)
        yield from work.recommend(item_id)

    return Scripted(play)


def _null(_: Task, __: Shelf, ___: Interface) -> Agent:
    """Does nothing but abstain."""

    def play(_: str) -> Script:
        yield from call("recommend", item_id=None)

    return Scripted(play)


AGENTS: Mapping[str, AgentFactory] = {
    "oracle": _oracle,
    "eliminating": _interviewing(eliminating),
    "popularity": _interviewing(popularity),
    "ask-never-propose": _interviewing(ask_never_propose),
    "propose-never-ask": _interviewing(propose_never_ask),
    "no-ask": _interviewing(no_ask),
    "null": _null,
}
