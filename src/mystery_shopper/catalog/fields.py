"""Field kinds, label hierarchies, and how labels are compared."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache


class Kind(StrEnum):
    """What the values of a field are."""

    CATEGORY = "category"
    CATEGORIES = "categories"
    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "text"
    FLAG = "flag"
    POINT = "point"

    @property
    def is_label(self) -> bool:
        """One or several labels from a vocabulary."""
        return self in (Kind.CATEGORY, Kind.CATEGORIES)

    @property
    def is_ordered(self) -> bool:
        """A value that can be bounded."""
        return self in (Kind.INTEGER, Kind.NUMBER)

    @property
    def carries_requirements(self) -> bool:
        """A customer may require something of such a field: labels, bounds, yes or no."""
        return self.is_label or self.is_ordered or self is Kind.FLAG


@lru_cache(maxsize=1 << 16)
def fold(label: str) -> str:
    """The form under which labels are equal: NFKC, case-folded, single spaces. Idempotent.

    Case folding can take a letter apart (U+0390), so NFKC comes before and after it.
    """
    if label.isascii():
        return " ".join(label.lower().split())
    folded = unicodedata.normalize("NFKC", label).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


@dataclass(frozen=True)
class Hierarchy:
    """A forest of labels: asking for a parent accepts its descendants.

    `parents` maps the folded child to its parent's label as written. Build one with
    `Hierarchy.from_children`, which refuses cycles and second parents.
    """

    parents: Mapping[str, str] = field(default_factory=dict[str, str])
    labels: Mapping[str, str] = field(default_factory=dict[str, str])

    @classmethod
    def from_children(cls, children: Mapping[str, Sequence[str]]) -> Hierarchy:
        """From parent -> direct children. Raises ValueError on a cycle or a second parent."""
        parents: dict[str, str] = {}
        labels: dict[str, str] = {}
        for parent, names in children.items():
            labels.setdefault(fold(parent), parent)
            for name in names:
                key = fold(name)
                labels.setdefault(key, name)
                if key in parents:
                    raise ValueError(f"{name!r} has two parents: {parents[key]!r} and {parent!r}")
                parents[key] = parent
        tree = cls(parents, labels)
        for key in parents:
            if key in (fold(label) for label in tree.ancestors(key)):
                raise ValueError(f"{labels[key]!r} is its own ancestor")
        return tree

    def __bool__(self) -> bool:
        return bool(self.parents)

    def ancestors(self, label: str) -> tuple[str, ...]:
        """The labels above, nearest first. Stops where a cycle would close."""
        found: list[str] = []
        seen = {fold(label)}
        parent = self.parents.get(fold(label))
        while parent is not None:
            found.append(parent)
            if fold(parent) in seen:
                break
            seen.add(fold(parent))
            parent = self.parents.get(fold(parent))
        return tuple(found)

    @cached_property
    def _above(self) -> Mapping[str, frozenset[str]]:
        """Folded label -> its folded ancestors, for labels that have any."""
        return {key: frozenset(map(fold, self.ancestors(key))) for key in self.parents}

    def covers(self, asked: str, label: str) -> bool:
        """Whether `label` is `asked` or lies below it."""
        wanted, key = fold(asked), fold(label)
        return key == wanted or wanted in self._above.get(key, ())

    def covered(self, asked: str, labels: Iterable[str]) -> tuple[str, ...]:
        """Those of `labels` that `asked` covers, in their order."""
        return tuple(label for label in labels if self.covers(asked, label))

    def related(self, one: str, other: str) -> bool:
        """Whether one label is the other, its ancestor or its descendant."""
        return self.covers(one, other) or self.covers(other, one)
