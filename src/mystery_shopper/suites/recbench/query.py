"""Queries: one rich request each, with what it asks, how it asks it, and what answers it.

Source: RecBench+ §4.2. A *condition query* rests on conditions of the item graph: stated outright,
one of them only implied through other items, or one tied to a mistaken claim. A *profile query*
rests on what a group of users consumed. Ids stand for items, so that a set can be read without its
catalogue.
"""

from __future__ import annotations

import uuid
from enum import StrEnum
from functools import cached_property

import msgspec

from mystery_shopper.catalog import Condition
from mystery_shopper.dialogue.labels import Labels
from mystery_shopper.foundation import digest

SCHEMA = 1
GENERATOR = 2
"""The version of the generator: another one may draw or word the same seed differently."""
UNCOUNTED_SINCE = 2
"""The generator from which on templates name no number of items."""


class Kind(StrEnum):
    """What a query rests on."""

    EXPLICIT = "explicit"
    IMPLICIT = "implicit"
    MISINFORMED = "misinformed"
    INTEREST = "interest"
    DEMOGRAPHICS = "demographics"

    @property
    def is_profile(self) -> bool:
        """Whether it rests on users and not on conditions."""
        return self in (Kind.INTEREST, Kind.DEMOGRAPHICS)


CONDITION_KINDS = (Kind.EXPLICIT, Kind.IMPLICIT, Kind.MISINFORMED)


class Given(StrEnum):
    """How a query gives a condition."""

    STATED = "stated"
    REFERENCE = "reference"
    CLAIM = "claim"


class Style(StrEnum):
    """How a request is worded: as a plain wish, or out of a situation."""

    DIRECT = "direct"
    SITUATIONAL = "situational"


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One condition of a query. `through`: of a reference the items whose common values under the
    relation are this one only, the value itself not being named; of a claim the items that are
    said to bear the value and do not."""

    relation: str
    value: str
    given: Given = Given.STATED
    through: tuple[str, ...] = ()

    @property
    def condition(self) -> Condition:
        """The true condition."""
        return Condition(self.relation, self.value)


class Trait(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that every item of a subset meets, and how many of the group's list (`share`) and
    of all items that anybody consumed (`base`) do, from 0 to 1."""

    relation: str
    value: str
    share: float
    base: float


class Preceding(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sequence of items that so many users consumed right before a common one."""

    items: tuple[str, ...]
    users: int


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An item that marks a group: the share of the group's users that consumed it, and its TF-IDF
    (`suites.recbench.profiles`)."""

    item: str
    share: float
    weight: float


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a profile query rests on.

    `users`: of an interest those that consumed the sequence, of a group its size. `listed`: the
    sequence, or the items that mark the group, strongest first. `reason`: why the answers fit, and
    `traits` the attributes it names. `preceding` stands for interests; `group` (attribute -> value)
    and `marks` for groups.
    """

    users: int
    listed: tuple[str, ...]
    reason: str
    traits: tuple[Trait, ...] = ()
    preceding: tuple[Preceding, ...] = ()
    group: dict[str, str] = {}
    marks: tuple[Mark, ...] = ()


class Query(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True, omit_defaults=True):
    """One request of one user.

    `own`: of a condition query the items of the user's history that meet every true condition, of a
    profile query the subset of the list that its reason speaks of. `matching`: every item that
    meets every true condition, or the whole list. `named`: the items that the text names; they
    stand in neither. Ids stand in the catalogue's order, `listed` items in the list's.
    """

    id: str
    kind: Kind
    user: str
    own: tuple[str, ...]
    matching: tuple[str, ...]
    style: Style
    text: str
    parts: tuple[Part, ...] = ()
    named: tuple[str, ...] = ()
    profile: Profile | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The true conditions."""
        return tuple(part.condition for part in self.parts)

    @property
    def cell(self) -> str:
        """The cell of the statistics table that it belongs to, for example `implicit/3-4`."""
        return cell_of(self.kind, len(self.parts))

    @cached_property
    def withheld(self) -> frozenset[str]:
        """What the history handed over leaves out: both ground truths, and what is named."""
        return frozenset((*self.own, *self.matching, *self.named))


def cell_of(kind: Kind, conditions: int) -> str:
    """The cell of a kind and a number of conditions: 1, 2, or 3-4."""
    if kind.is_profile:
        return kind.value
    return f"{kind.value}/{'3-4' if conditions >= 3 else conditions}"


CELLS = (
    *(cell_of(kind, width) for kind in CONDITION_KINDS for width in (1, 2, 3)),
    Kind.INTEREST.value,
    Kind.DEMOGRAPHICS.value,
)


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A user: the items consumed, earliest first, and what is known of the user."""

    items: tuple[str, ...]
    gender: str | None = None
    age: str | None = None
    occupation: str | None = None


class GraphRef(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which graph a set was drawn from."""

    name: str
    digest: str
    items: int
    relations: tuple[str, ...]


class HistoriesRef(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which histories a set was drawn from. `synthetic`: nobody lived them."""

    source: str
    digest: str
    users: int
    interactions: int
    synthetic: bool


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a set was made: the generator's version, the seed, what was held to, how many draws were
    rejected for which reason, and by how many queries a cell fell short.

    `irreducible`: no condition can be left out without the user's own group growing. `widest`: no
    set of conditions fits more items; 0 where any might. `sequence_users`, `group_users`: how many
    users consumed a common sequence, make a group. `writer`: the model that worded the queries,
    empty where templates did; `stood_in`: kind -> queries for which a template stood in for it.
    """

    generator: int
    seed: int
    irreducible: bool
    widest: int
    sequence_users: int
    group_users: int
    rejected: dict[str, int] = {}
    short: dict[str, int] = {}
    writer: str = ""
    stood_in: dict[str, int] = {}


class QuerySet(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True, omit_defaults=True
):
    """A named, versioned set of queries and the users that ask them. `canary` is a GUID that marks
    copies of it. `source`: the foreign set that it was imported from, if any."""

    schema: int
    name: str
    canary: str
    graph: GraphRef
    histories: HistoriesRef
    origin: Origin
    people: dict[str, Person]
    queries: tuple[Query, ...]
    source: str = ""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the whole content."""
        return digest(msgspec.to_builtins(self, str_keys=True))

    @cached_property
    def by_id(self) -> dict[str, Query]:
        """Query id -> query, in order."""
        return {query.id: query for query in self.queries}

    def labels(self, task: str) -> Labels:
        """Where a query stands: its family is its user, its condition its kind, its tier the
        number of its conditions. Raises KeyError for one that the set lacks."""
        query = self.by_id[task]
        return Labels(query.user, query.kind.value, query.cell.partition("/")[2])

    def history(self, query: Query) -> tuple[str, ...]:
        """The history that the agent is handed: the user's, without both ground truths and without
        what the query names. Empty for a user that the set does not know."""
        person = self.people.get(query.user)
        if person is None:
            return ()
        return tuple(item for item in person.items if item not in query.withheld)


def canary_for(name: str, seed: int) -> str:
    """The canary GUID of a set: fixed by its name and seed (UUID version 5)."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"mystery-shopper:{name}:{seed}"))
