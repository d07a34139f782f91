"""What a catalogue's size makes of the task: how many answers there are, and how many families a
fixed keyword query reaches. Source: τ-Rec-Books §6.3.

The query is the family's wanted labels, in the order of its predicates; a family is reached where
one of the query's first twenty hits is acceptable: an answer, unread, in an accepted format.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from mystery_shopper.catalog import Catalogue, Predicate, all_match, fold, formats_of, keyword_index
from mystery_shopper.suites.tau_rec.desk import PAGE
from mystery_shopper.suites.tau_rec.reference.interview import keywords
from mystery_shopper.suites.tau_rec.task import Family, TaskSet


@dataclass(frozen=True, slots=True)
class Reach:
    """Of the satisfiable families at one catalogue size: how many a fixed query reaches, how many
    there are, and the median number of items that meet all predicates; None without a family."""

    size: int
    reached: int
    families: int
    median_answers: float | None

    @property
    def share(self) -> float | None:
        """The share that is reached, or None of none."""
        return self.reached / self.families if self.families else None


def reach(task_set: TaskSet, catalogues: Iterable[Catalogue]) -> tuple[Reach, ...]:
    """One record a catalogue, in the order given. They are the task set's own, nested."""
    families = [family for family in task_set.families if family.satisfiable]
    return tuple(_reach(families, catalogue) for catalogue in catalogues)


def _reach(families: Sequence[Family], catalogue: Catalogue) -> Reach:
    index = keyword_index(catalogue)
    size = len(catalogue)
    reached = 0
    for family in families:
        hits = index.search(fixed_query(family.predicates), PAGE)
        reached += any(_acceptable(catalogue, position, family) for position, _ in hits)
    answers = [family.answers[size] for family in families if size in family.answers]
    return Reach(size, reached, len(families), float(median(answers)) if answers else None)


def fixed_query(predicates: Iterable[Predicate]) -> str:
    """Every label that is wanted; bounds and flags have no words."""
    return " ".join(label for predicate in predicates for label in keywords(predicate))


def _acceptable(catalogue: Catalogue, position: int, family: Family) -> bool:
    item = catalogue.item(position)
    if item.id in family.history or not all_match(family.predicates, item):
        return False
    accepted = set(map(fold, family.formats))
    return not accepted or not accepted.isdisjoint(map(fold, formats_of(item)))
