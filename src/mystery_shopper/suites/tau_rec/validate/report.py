"""What a check found: how often each property was checked, and every violation of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Property(StrEnum):
    """What is checked, in the words of a report."""

    CATALOGUE = "the catalogue is the one named"
    CANARY = "the canary is that of the name and seed"
    FORM = "ids, tags and counts are well formed"
    CRITERIA = "there is at least one predicate"
    TIER = "the tier has this number of predicates"
    TEMPLATE = "the predicates follow a template of the tier"
    BOUNDS = "bounds are round numbers and leave room"
    DISTINCT = "no two families ask for the same"
    PERSONA = "there is a persona"
    ANSWERS = "answer counts are right"
    MATERIAL = "every predicate is material"
    ACCEPTABLE = "the smallest catalogue keeps an acceptable answer"
    NO_MATCH = "an NVR family has no match"
    ALONE = "each NVR predicate alone matches enough"
    DROP_ONE = "dropping any NVR predicate leaves enough"
    DECIDABLE = "an NVR family can be proved to have no match"
    HIDDEN_COUNT = "one or two predicates are hidden"
    RULES_OUT = "hidden predicates rule out at least half"
    GIVEN_AWAY = "no revealed predicates make a hidden one likely"
    RELATED = "no ancestor or descendant of a hidden label is revealed"
    VARIETY = "no named variety gives a hidden label away"
    FORMATS = "accepted formats are as they should be"
    HISTORY = "the history is as it should be"
    QUOTA = "the whole set has the numbers it should have"
    PANEL = "panel and reliability block are as they should be"


@dataclass(frozen=True)
class Violation:
    """One property broken in one family, or in the whole set (`family` is empty)."""

    family: str
    property: Property
    found: str

    def __str__(self) -> str:
        return f"{self.family or 'the set'}: {self.property.value}: {self.found}"


@dataclass(frozen=True)
class CheckReport:
    """`checked` counts the assertions made of each property, `figures` describe the set. `notes`:
    what was not checked and why, and what the set lacks."""

    name: str
    checked: Mapping[Property, int]
    figures: Mapping[str, int]
    violations: tuple[Violation, ...]
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is broken."""
        return not self.violations


class Ledger:
    """Collects assertions while a check runs."""

    def __init__(self) -> None:
        self.checked: Counter[Property] = Counter()
        self.violations: list[Violation] = []

    def expect(self, holds: bool, family: str, broken: Property, found: str) -> None:
        """Count one assertion; where it does not hold, keep what was found instead."""
        self.checked[broken] += 1
        if not holds:
            self.violations.append(Violation(family, broken, found))
