"""Where a message names the facts of a task."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from mystery_shopper.suites.tau_rec.asks.naming import are_everyday, everyday, singular
from mystery_shopper.suites.tau_rec.asks.patterns import Mark
from mystery_shopper.suites.tau_rec.asks.typos import Typos
from mystery_shopper.suites.tau_rec.guard.clauses import Clause
from mystery_shopper.suites.tau_rec.guard.forms import Ear, Form, joined
from mystery_shopper.suites.tau_rec.guard.numbers import numbers
from mystery_shopper.suites.tau_rec.task import Task, fact

LONGEST = 12
"""So many words are joined to see whether they make a form."""
_REQUIRING = frozenset(
    "should must need needs want wants prefer preferably require required made looking ideally "
    "only".split()
)
_NOUN, _SLIP = 4, 6
_OWNING = frozenset(("my", "our"))


class Given(NamedTuple):
    """A fact that a clause names, where, and by which rank of form."""

    fact: str
    rank: int
    start: int
    end: int


@dataclass(frozen=True)
class Hearing:
    """Hears the facts of one task."""

    task: Task
    ear: Ear

    @cached_property
    def forms(self) -> Mapping[str, tuple[Form, ...]]:
        """Key -> the facts that it tells of."""
        return self.ear.forms(self.task)

    @cached_property
    def bounds(self) -> Mapping[str, tuple[float, ...]]:
        """Fact -> the numbers in it."""
        found: dict[str, tuple[float, ...]] = {}
        for predicate in self.task.family.predicates:
            value = predicate.value
            parts = value if isinstance(value, tuple) else (value,)
            bounds = tuple(
                float(part)
                for part in parts
                if isinstance(part, int | float) and not isinstance(part, bool)
            )
            if bounds:
                found[fact(predicate)] = bounds
        return found

    @cached_property
    def _requires(self) -> frozenset[str]:
        """Words that show that something is required."""
        return _REQUIRING | self.ear.field_words

    def hears(self, clause: Clause, names: Collection[str] = ()) -> list[Given]:
        """The facts that a clause names; of forms within one another the longest counts. Words in
        which the domain says that a label means something else are passed over, and so are the
        `names` (keys) of items."""
        found: list[Given] = []
        words = clause.words
        marks: list[Mark] = []
        self.ear.senses.find(words, marks)
        at = 0
        while at < len(words):
            end, key = self._longest(words, at, names)
            if key in self.forms and not self._means_else(words, at, end, marks):
                found.extend(Given(one.fact, one.rank, at, end) for one in self.forms[key])
            at = end
        for number in numbers(words) if self.bounds else ():
            found.extend(
                Given(name, 0, number.start, number.end)
                for name, bounds in self.bounds.items()
                if any(number.tells(bound) for bound in bounds)
            )
        return found

    def _longest(self, words: Sequence[str], at: int, names: Collection[str]) -> tuple[int, str]:
        """Where the longest form or name that begins here ends, and its key; the next word and ""
        where there is none. A name that is a form as well is taken as that."""
        for end in range(min(len(words), at + LONGEST), at, -1):
            key = joined(words[at:end])
            if key in self.forms or key in names:
                return end, key
        return at + 1, self._within(words[at])

    def _within(self, word: str) -> str:
        """The key of the form that a word holds together with a noun for an item or a field's
        label ("horrorfilm"), or that it is a slip away from ("horor"); empty where it does not."""
        if not word.isalpha() or word in everyday():
            return ""
        one = singular(word)
        for noun in self._nouns:
            key = one.removesuffix(noun)
            if key != one and key in self.forms:
                return key
        if self.ear.knows(one):
            return ""
        place = self._slips.field(one)
        return "" if place is None else self._long[place]

    @cached_property
    def _nouns(self) -> tuple[str, ...]:
        """What may be written as one word with a form."""
        return tuple(w for w in sorted(self.ear.items | self.ear.field_words) if len(w) >= _NOUN)

    @cached_property
    def _long(self) -> tuple[str, ...]:
        """The forms that are known although misspelt."""
        return tuple(key for key in self.forms if len(key) >= _SLIP and key.isalpha())

    @cached_property
    def _slips(self) -> Typos:
        return Typos({key: place for place, key in enumerate(self._long)})

    def _means_else(self, words: Sequence[str], at: int, end: int, marks: Sequence[Mark]) -> bool:
        """Whether the words stand in a phrase that means something else. Before a noun for an item
        they always mean the label: "a family film"; everyday words after "my" never do. Where the
        clause requires something, or names a field, such phrases do not count: "made of glass"."""
        if end < len(words) and singular(words[end]) in self.ear.items:
            return False
        if at and words[at - 1] in _OWNING and are_everyday(words[at:end], everyday()):
            return True
        return self._requires.isdisjoint(words) and any(
            start <= at and end <= last and last - start > end - at for start, last, _, _ in marks
        )
