"""Reading requests by rule: the inverse of the templates.

The reader knows the graph's values and the items' titles. Of a text that the templates worded it
gives back the facts; of other texts what it recognises, which may be less, or wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mystery_shopper.catalog import Condition, ItemGraph
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.suites.recbench.query import Given, Query
from mystery_shopper.suites.recbench.wording.grammar import (
    FIRST_MARK,
    LAST_MARK,
    Found,
    Lexicon,
    Pattern,
    Says,
    patterns_of,
)
from mystery_shopper.suites.recbench.wording.selves import read_self
from mystery_shopper.suites.recbench.wording.speech import Speech

LONGEST_TEXT = 20_000
"""Characters of a text that are read."""
_LONGEST_TITLE = 250
_MOST_CLOSINGS = 8
_CLOSING: Mapping[str, str] = {'"': '"', "“": "”"}
_SELF = re.compile(r"\bwhose [\w ]+ is $")


@dataclass(frozen=True, order=True)
class Reference:
    """A value that items stand for: what they have in common under the relation."""

    relation: str
    items: tuple[str, ...]


@dataclass(frozen=True, order=True)
class Claim:
    """Items that are said to meet a condition."""

    condition: Condition
    items: tuple[str, ...]


@dataclass(frozen=True)
class Reading:
    """What a request says; conditions, references and claims sorted. `named`: the items that it
    names, in order; `group`: what the speaker says of themselves; `unknown`: quoted titles that no
    item, or more than one, bears."""

    stated: tuple[Condition, ...] = ()
    references: tuple[Reference, ...] = ()
    claims: tuple[Claim, ...] = ()
    named: tuple[str, ...] = ()
    group: Mapping[str, str] = field(default_factory=dict[str, str])
    unknown: tuple[str, ...] = ()


def facts_of(query: Query) -> Reading:
    """What a query's text is to say, in the form in which it is read."""
    stated = {part.condition for part in query.parts if part.given is Given.STATED}
    references = [
        Reference(part.relation, part.through)
        for part in query.parts
        if part.given is Given.REFERENCE
    ]
    claims = [
        Claim(part.condition, part.through) for part in query.parts if part.given is Given.CLAIM
    ]
    group: dict[str, str] = {}
    if query.profile is not None:
        stated |= {Condition(trait.relation, trait.value) for trait in query.profile.traits}
        group = query.profile.group
    return Reading(
        tuple(sorted(stated)), tuple(sorted(references)), tuple(sorted(claims)), query.named, group
    )


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads requests about the items of a graph. `titles`: by position."""

    graph: ItemGraph
    titles: Sequence[str]
    speech: Speech

    def read(self, text: str) -> Reading:
        """What a text says."""
        marked, items, unknown = self._marked(text[:LONGEST_TEXT])
        found = self._found(marked)

        def ids(marks: str) -> tuple[str, ...]:
            return tuple(items[ord(mark) - ord(FIRST_MARK)] for mark in marks)

        claims = {
            Claim(Condition(one.relation, value), ids(one.marks))
            for one in found
            if one.says is Says.CLAIM
            for value in one.values
        }
        claimed = {claim.condition for claim in claims}
        stated = {
            Condition(one.relation, value)
            for one in found
            if one.says is Says.STATED
            for value in one.values
        }
        references = {
            Reference(one.relation, ids(one.marks)) for one in found if one.says is Says.REFERENCE
        }
        return Reading(
            tuple(sorted(stated - claimed)),
            tuple(sorted(references)),
            tuple(sorted(claims)),
            tuple(dict.fromkeys(items)),
            read_self(marked),
            unknown,
        )

    # --- lexicons -------------------------------------------------------------------------------

    @cached_property
    def _item_of(self) -> Mapping[str, str | None]:
        """Folded title -> the id of the one item that bears it, or None where several do."""
        found: dict[str, str | None] = {}
        for item, title in zip(self.graph.items, self.titles, strict=True):
            key = name_key(title) if title else ""
            if key:
                found[key] = None if key in found else item
        return found

    @cached_property
    def _lexicons(self) -> Mapping[str, Lexicon]:
        lexicons: dict[str, Lexicon] = {}
        for relation in self.graph.relations:
            table = {name_key(value): value for value in self.graph.values(relation)}
            longest = max(map(len, table.values()), default=0)
            article = bool(self.speech.relations[relation].the)
            lexicons[relation] = Lexicon(
                lambda text, table=table: table.get(name_key(text)), longest, article
            )
        return lexicons

    @cached_property
    def _patterns(self) -> Sequence[Pattern]:
        nouns = sorted({noun for names in self.speech.nouns for noun in names}, key=len)
        return [
            pattern
            for relation in self.graph.relations
            for pattern in patterns_of(relation, self.speech.relations[relation], nouns)
        ]

    @cached_property
    def _quoting(self) -> re.Pattern[str] | None:
        """The values that hold quotation marks themselves."""
        values = {v for v in self.graph.labels if any(mark in v for mark in _CLOSING)}
        ranked = sorted(values, key=lambda value: (-len(value), value))
        return re.compile("|".join(map(re.escape, ranked))) if ranked else None

    # --- steps ----------------------------------------------------------------------------------

    def _marked(self, text: str) -> tuple[str, list[str], tuple[str, ...]]:
        """(the text with one mark for each quoted title, the items of the marks, quoted texts that
        are no one item's title)."""
        text = re.sub(f"[{FIRST_MARK}-{LAST_MARK}]", " ", text)
        kept = {
            place
            for found in (self._quoting.finditer(text) if self._quoting else ())
            for place in range(found.start(), found.end())
        }
        items: list[str] = []
        unknown: list[str] = []
        parts: list[str] = []
        place = 0
        while place < len(text):
            closing = _CLOSING.get(text[place]) if place not in kept else None
            if closing and not _SELF.search(text[max(0, place - 60) : place]):
                end, item = self._title(text, place, closing)
                if item is not None and len(items) <= ord(LAST_MARK) - ord(FIRST_MARK):
                    parts.append(chr(ord(FIRST_MARK) + len(items)))
                    items.append(item)
                    place = end
                    continue
                if end > place + 2:
                    unknown.append(text[place + 1 : end - 1])
            parts.append(text[place])
            place += 1
        return "".join(parts), items, tuple(dict.fromkeys(unknown))

    def _title(self, text: str, place: int, closing: str) -> tuple[int, str | None]:
        """(end, item) of the longest title that is quoted at a place; without an item the end of
        the shortest quotation, or the place itself."""
        ends: list[int] = []
        end = text.find(closing, place + 1, place + _LONGEST_TITLE)
        while end >= 0 and len(ends) < _MOST_CLOSINGS:
            ends.append(end)
            end = text.find(closing, end + 1, place + _LONGEST_TITLE)
        for end in reversed(ends):
            item = self._item_of.get(name_key(text[place + 1 : end]))
            if item is not None:
                return end + 1, item
        return (ends[0] + 1 if ends else place), None

    def _found(self, text: str) -> list[Found]:
        """The patterns that the text holds, of overlapping ones those with titles and then the
        longest."""
        low = "".join(letter.lower() if len(letter.lower()) == 1 else letter for letter in text)
        every = [
            found
            for pattern in self._patterns
            if pattern.parts[pattern.anchor] in low
            for found in pattern.find(text, low, self._lexicons[pattern.relation])
        ]
        every.sort(key=lambda one: (not one.marks, one.start - one.end, one.start))
        taken: list[Found] = []
        for one in every:
            if all(one.end <= other.start or other.end <= one.start for other in taken):
                taken.append(one)
        return taken
