"""A shelf of eight lamps, tasks over it, and a reader whose understanding is exact."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from mystery_shopper.catalog import Catalogue, Domain, Operator, Predicate, build_catalogue
from mystery_shopper.catalog import parse_domain as parse
from mystery_shopper.dialogue import Agent, CallTools, Limits, Say, ToolCall, Transcript, rollout
from mystery_shopper.suites.tau_rec.asks import Reading
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Condition, Family, Reveal, Task, Tier
from mystery_shopper.suites.tau_rec.user import RuleUser
from mystery_shopper.suites.tau_rec.wording import Wording

STATED, ON_ASK, HIDDEN = Reveal.STATED, Reveal.ON_ASK, Reveal.HIDDEN

LAMPS = b"""
name: lamps
noun: {singular: lamp, plural: lamps}
title: name
popularity: fame
recency: made
fields:
  name: {kind: text, keyword: true}
  colour: {kind: categories, requirement: true, keyword: true, most: 2}
  land:
    kind: category
    requirement: true
    keyword: true
    hierarchy: {North: [Norland, Sudland]}
  made: {kind: integer, label: year of making, requirement: true, step: 5}
  note: {kind: text, shown: false}
  form: {kind: categories}
  fame: {kind: integer}
formats: {column: form, label: plug}
"""

ROWS: tuple[tuple[Any, ...], ...] = (
    ("a1", "Old Glow", ["Red", "Gold"], "Norland", 1990, ["E27", "solar"], 100),
    ("a2", "Red Moon", ["Red"], "Norland", 1995, ["E14"], 90),
    ("a3", "Blue Hour", ["Blue"], "Sudland", 2000, ["E27"], 80),
    ("a4", "Ember", ["Red", "Blue"], "Sudland", 2005, ["E27", "E14"], 70),
    ("a5", "Ember Light", ["Red"], "Norland", 2010, ["solar"], 60),
    ("a6", "Mist", ["Gold"], "Norland", 2015, ["E14"], 50),
    ("a7", "Dune", ["Gold", "Blue"], "Farland", None, ["E27"], 40),
    ("a8", None, [], None, 2020, [], 30),
)

RED = Predicate("colour", Operator.CONTAINS, "Red")
BLUE = Predicate("colour", Operator.CONTAINS, "Blue")
GOLD = Predicate("colour", Operator.CONTAINS, "Gold")
NORTH = Predicate("land", Operator.WITHIN, "North")
NORLAND = Predicate("land", Operator.WITHIN, "Norland")
FARLAND = Predicate("land", Operator.WITHIN, "Farland")
SINCE = Predicate("made", Operator.AT_LEAST, 2000)
UNTIL = Predicate("made", Operator.AT_MOST, 2010)


@cache
def domain() -> Domain:
    return parse(LAMPS, "lamps")


@cache
def lamps() -> Catalogue:
    fields = ("name", "colour", "land", "made", "form", "fame")
    values: dict[str, list[Any]] = {
        name: [row[at] for row in ROWS] for at, name in enumerate(fields, 1)
    }
    values["note"] = ["kept in the back"] * len(ROWS)
    return build_catalogue("lamps", domain(), [row[0] for row in ROWS], values)


@dataclass(frozen=True)
class FakeReader:
    """Hears `the LABEL` and `ask:FIELD` of each field, `anything else`, tags, `?` and `fremd`."""

    domain: Domain

    def read(self, text: str) -> Reading:
        labels = {name: self.domain.label(name) for name in self.domain.requirement_fields}
        if self.domain.formats is not None:
            labels["format"] = self.domain.formats.label
        asks = tuple(
            name
            for name, label in labels.items()
            if f"the {label}" in text or f"ask:{name}" in text.split()
        )
        generic = "anything else" in text
        tags = tuple(dict.fromkeys(re.findall(r"\[\[candidate_id:(.+?)\]\]", text)))
        return Reading(
            asks=asks,
            generic=generic,
            proposes=tags,
            question=bool(asks) or generic or "?" in text,
            readable="fremd" not in text,
        )


def shelf_of(catalogue: Catalogue) -> Shelf:
    """A shelf with the fake reader."""
    shelf = Shelf(catalogue)
    shelf.__dict__["reader"] = FakeReader(catalogue.domain)
    return shelf


@cache
def lamp_shelf() -> Shelf:
    return shelf_of(lamps())


def family(
    *requirements: tuple[Predicate, Reveal],
    formats: tuple[str, ...] = (),
    history: tuple[str, ...] = (),
    satisfiable: bool = True,
) -> Family:
    """A family whose tags are these in the hidden condition; in the mixed one what is hidden is
    askable, and in the volunteer one all is stated."""
    tags = tuple(reveal for _, reveal in requirements)
    return Family(
        id="f001",
        tier=Tier.SIMPLE,
        template=tuple(predicate.field for predicate, _ in requirements),
        predicates=tuple(predicate for predicate, _ in requirements),
        reveals={
            Condition.VOLUNTEER: (STATED,) * len(tags),
            Condition.MIXED: tuple(ON_ASK if tag is HIDDEN else tag for tag in tags),
            Condition.HIDDEN: tags,
        },
        formats=formats,
        history=history,
        satisfiable=satisfiable,
        persona="",
        answers={},
    )


def task(
    *requirements: tuple[Predicate, Reveal],
    condition: Condition = Condition.HIDDEN,
    formats: tuple[str, ...] = (),
    history: tuple[str, ...] = (),
    satisfiable: bool = True,
) -> Task:
    """A task with exactly these tags unless another condition is asked for."""
    return Task(
        family(*requirements, formats=formats, history=history, satisfiable=satisfiable), condition
    )


def user(given: Task, catalogue: Catalogue | None = None, *, as_paper: bool = False) -> RuleUser:
    """The rule-based user of a task, with the fake reader."""
    found = catalogue or lamps()
    reader: Any = FakeReader(found.domain)
    return RuleUser(given, found, reader, Wording(found.domain), as_paper)


def play(given: Task, agent: Agent | str, **setting: Any) -> Transcript:
    """The transcript of a task over the lamps; an agent is given by name or as itself."""
    shelf = setting.pop("shelf", None) or lamp_shelf()
    limits = setting.pop("limits", None) or Limits()
    chosen = Setting(**setting)
    if isinstance(agent, str):
        agent = AGENTS[agent](given, shelf, chosen.interface)
    return rollout(set_stage(given, shelf, chosen), agent, limits).transcript


def call(name: str, **arguments: Any) -> CallTools:
    return CallTools((ToolCall(name, arguments),))


def tag(item_id: str) -> str:
    return f"[[candidate_id:{item_id}]]"


def propose(item_id: str) -> Say:
    return Say(f"How about {tag(item_id)}")


BOTH = tuple(Interface)
