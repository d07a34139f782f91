"""Tasks: a family fixes a request; its three tasks differ only in when each part is revealed.

Source: τ-Rec-Books §3 (task families, reveal tags and conditions).
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from enum import StrEnum
from functools import cached_property

import msgspec

from mystery_shopper.catalog import Predicate
from mystery_shopper.dialogue.labels import Labels
from mystery_shopper.foundation import digest

SCHEMA = 1
FORMATS_FACT = "formats"


class Reveal(StrEnum):
    """When the user reveals a requirement."""

    STATED = "stated"
    ON_ASK = "on_ask"
    HIDDEN = "hidden"


class Condition(StrEnum):
    """How much the user says unasked."""

    VOLUNTEER = "volunteer"
    MIXED = "mixed"
    HIDDEN = "hidden"


class Tier(StrEnum):
    """How many predicates a request has: 2, 3-4, 5 (a range counts as two)."""

    SIMPLE = "simple"
    MEDIUM = "medium"
    COMPLEX = "complex"


PREDICATES_PER_TIER: dict[Tier, tuple[int, ...]] = {
    Tier.SIMPLE: (2,),
    Tier.MEDIUM: (3, 4),
    Tier.COMPLEX: (5,),
}


def fact(predicate: Predicate) -> str:
    """The name under which a requirement stands in events, e.g. `genre contains Drama`."""
    value = predicate.value
    text = ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return f"{predicate.field} {predicate.op.value} {text}"


class Requirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A predicate plus when the user reveals it."""

    predicate: Predicate
    reveal: Reveal


class Family(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True, omit_defaults=True
):
    """A fixed request. `reveals` gives one tag a predicate for each condition; an imported family
    may have one condition only, and its one task then bears the family's id.

    `formats` are those the user accepts, `history` the ids already consumed, `answers` the number
    of items that meet every predicate by nested catalogue size. `satisfiable` is False for a family
    with no valid recommendation (NVR). `policies`: the shop's own rules that this request is held
    to (`Policy`), in place of the suite's five checks; None where those hold. `soft`: wishes that
    the user mentions and that are not scored.
    """

    id: str
    tier: Tier
    template: tuple[str, ...]
    predicates: tuple[Predicate, ...]
    reveals: dict[Condition, tuple[Reveal, ...]]
    formats: tuple[str, ...]
    history: tuple[str, ...]
    satisfiable: bool
    persona: str
    answers: dict[int, int]
    policies: tuple[str, ...] | None = None
    soft: tuple[str, ...] = ()

    @cached_property
    def hidden(self) -> tuple[Predicate, ...]:
        """The predicates that the hidden user never states."""
        tags = self.reveals.get(Condition.HIDDEN) or next(iter(self.reveals.values()))
        return tuple(
            predicate
            for predicate, tag in zip(self.predicates, tags, strict=True)
            if tag is Reveal.HIDDEN
        )


class Task(msgspec.Struct, frozen=True, dict=True):
    """One family under one condition."""

    family: Family
    condition: Condition

    @cached_property
    def id(self) -> str:
        """For example `f001-mixed`; the family's own where it has one condition only."""
        if len(self.family.reveals) == 1:
            return self.family.id
        return f"{self.family.id}-{self.condition.value}"

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """The family's predicates with this condition's tags."""
        tags = self.family.reveals[self.condition]
        return tuple(map(Requirement, self.family.predicates, tags))

    @cached_property
    def askable(self) -> tuple[str, ...]:
        """The facts that the user gives only when asked, formats included."""
        facts = [
            fact(requirement.predicate)
            for requirement in self.requirements
            if requirement.reveal is Reveal.ON_ASK
        ]
        if self.family.formats and self.condition is not Condition.VOLUNTEER:
            facts.append(FORMATS_FACT)
        return tuple(facts)


class CatalogueRef(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which catalogue a task set was drawn from."""

    name: str
    digest: str
    sizes: tuple[int, ...]


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the set was made: the generator's version and seed, and how many drawn families each
    filter rejected."""

    generator: int
    seed: int
    rejected: dict[str, int]


class TaskSet(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True, omit_defaults=True
):
    """A named, versioned set of families. `canary` is a GUID that marks copies of it. `source`: the
    foreign set that this one was imported from; empty where our generator drew it."""

    schema: int
    name: str
    canary: str
    catalogue: CatalogueRef
    origin: Origin
    families: tuple[Family, ...]
    panel: tuple[str, ...]
    reliability: tuple[str, ...]
    source: str = ""

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the whole content."""
        return digest(msgspec.to_builtins(self, str_keys=True))

    @cached_property
    def by_id(self) -> dict[str, Task]:
        """Task id -> task, families in order, conditions from volunteer to hidden."""
        tasks = (
            Task(family, condition)
            for family in self.families
            for condition in Condition
            if condition in family.reveals
        )
        return {task.id: task for task in tasks}

    def labels(self, task: str) -> Labels:
        """Where a task stands. Raises KeyError for one that the set lacks."""
        found = self.by_id[task]
        family = found.family
        return Labels(
            family.id,
            found.condition.value,
            family.tier.value,
            family.template,
            family.satisfiable,
        )

    def select(self, block: str, conditions: Iterable[Condition]) -> list[Task]:
        """The tasks of a block (`all`, `panel`, `reliability`) under these conditions, in order."""
        wanted = set(conditions)
        blocks = {"panel": set(self.panel), "reliability": set(self.reliability)}
        kept = blocks.get(block, {family.id for family in self.families})
        return [
            task
            for task in self.by_id.values()
            if task.family.id in kept and task.condition in wanted
        ]


def canary_for(name: str, seed: int) -> str:
    """The canary GUID of a set: fixed by its name and seed (UUID version 5)."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"mystery-shopper:{name}:{seed}"))
