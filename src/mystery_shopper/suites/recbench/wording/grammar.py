"""The patterns of the templates, turned round: where a text holds one, and with what in its slots.

Titles are single marks by then (`wording.reading`). A value is recognised by a relation's own
lexicon, the longest first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from mystery_shopper.suites.recbench.wording.phrases import AGREEING, SLOT, forms_of
from mystery_shopper.suites.recbench.wording.speech import RelationWords

FIRST_MARK, LAST_MARK = "\ue000", "\uf8ff"
"""Marks of titles: characters of private use."""
_MARK = f"[{FIRST_MARK}-{LAST_MARK}]"
_TITLES = re.compile(rf"{_MARK}(?:(?:, and |, | and ){_MARK})*")
_NO_END = " \t\n,;:-–—"
_AND = re.compile(r"\.?(?:, and |, | and )")


class Says(StrEnum):
    """What a pattern says of a relation."""

    STATED = "stated"
    REFERENCE = "reference"
    CLAIM = "claim"


@dataclass(frozen=True)
class Found:
    """A pattern in a text: from where to where, what it says, the values and the titles' marks."""

    start: int
    end: int
    says: Says
    relation: str
    values: tuple[str, ...] = ()
    marks: str = ""


@dataclass(frozen=True)
class Lexicon:
    """The values of one relation. `spelling`: any spelling -> the graph's own, or None; `longest`:
    the characters of the longest one; `article`: "the" may stand before a value."""

    spelling: Callable[[str], str | None]
    longest: int
    article: bool = False

    def ends(self, text: str, start: int) -> Iterator[tuple[int, str]]:
        """(end, value) of the values that begin at a place, the longest first. One that ends in a
        full stop is given with it and without."""
        begin = start
        if self.article and text[start : start + 4].lower() == "the ":
            begin += 4
        for first in dict.fromkeys((start, begin)):
            for end in range(min(len(text), first + self.longest + 2), first, -1):
                if _inside(text, end) or text[end - 1] in _NO_END:
                    continue
                value = self.spelling(text[first:end])
                if value is not None:
                    yield end, value

    def starts(self, text: str, end: int) -> Iterator[tuple[int, str]]:
        """(start, value) of the values that end at a place, the longest first."""
        for start in range(max(0, end - self.longest - 2), end):
            if _inside(text, start) or text[start].isspace():
                continue
            value = self.spelling(text[start:end])
            if value is not None:
                has_the = self.article and text[max(0, start - 4) : start].lower() == "the "
                yield (start - 4 if has_the else start), value


def _inside(text: str, place: int) -> bool:
    """Whether a place is within a word."""
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()


@dataclass(frozen=True)
class Pattern:
    """One pattern of a relation, for one set of agreeing words. `parts`: literals in small letters,
    `{value}` and `{titles}`."""

    says: Says
    relation: str
    parts: tuple[str, ...]

    @cached_property
    def anchor(self) -> int:
        """The place of the first literal."""
        return next(n for n, part in enumerate(self.parts) if not part.startswith("{"))

    def find(self, text: str, low: str, lexicon: Lexicon) -> Iterator[Found]:
        """Every place where the text, in small letters `low`, holds the pattern."""
        anchor = self.anchor
        literal = self.parts[anchor]
        place = low.find(literal)
        while place >= 0:
            if not (literal[0].isalnum() and place and low[place - 1].isalnum()):
                for start, values, marks in self._before(text, anchor, place, lexicon):
                    rest = self._rest(text, low, anchor, place, lexicon)
                    if rest is not None:
                        end, more, further = rest
                        yield Found(
                            start, end, self.says, self.relation, values + more, marks + further
                        )
                        break
            place = low.find(literal, place + 1)

    def _before(
        self, text: str, anchor: int, place: int, lexicon: Lexicon
    ) -> Iterator[tuple[int, tuple[str, ...], str]]:
        if anchor == 0:
            yield place, (), ""
        elif self.parts[0] == "{value}":
            for start, value in lexicon.starts(text, place):
                yield start, (value,), ""
        else:
            start = place
            while start and FIRST_MARK <= text[start - 1] <= LAST_MARK:
                start -= 1
                joint = re.search(r"(?:, and |, | and )$", text[:start])
                if joint and joint.start() and FIRST_MARK <= text[joint.start() - 1] <= LAST_MARK:
                    start = joint.start()
                else:
                    break
            if start < place:
                yield start, (), _marks(text[start:place])

    def _rest(
        self, text: str, low: str, number: int, place: int, lexicon: Lexicon
    ) -> tuple[int, tuple[str, ...], str] | None:
        """(end, values, marks) of the parts from `number` on, at a place."""
        if number == len(self.parts):
            return place, (), ""
        part = self.parts[number]
        if part == "{titles}":
            found = _TITLES.match(text, place)
            rest = found and self._rest(text, low, number + 1, found.end(), lexicon)
            return rest and (rest[0], rest[1], _marks(found[0]) + rest[2]) if found else None
        if part == "{value}":
            for end, values in self._values(text, place, lexicon):
                rest = self._rest(text, low, number + 1, end, lexicon)
                if rest is not None:
                    return rest[0], values + rest[1], rest[2]
            return None
        if not low.startswith(part, place):
            return None
        end = place + len(part)
        if number + 1 == len(self.parts) and _inside(low, end):
            return None
        return self._rest(text, low, number + 1, end, lexicon)

    def _values(
        self, text: str, place: int, lexicon: Lexicon
    ) -> Iterator[tuple[int, tuple[str, ...]]]:
        """(end, values) of one value, or of several if the pattern states: the most first."""
        for end, value in lexicon.ends(text, place):
            joint = _AND.match(text, end) if self.says is Says.STATED else None
            if joint is not None:
                for last, more in self._values(text, joint.end(), lexicon):
                    yield last, (value, *more)
            yield end, (value,)


def _marks(text: str) -> str:
    return "".join(letter for letter in text if FIRST_MARK <= letter <= LAST_MARK)


def patterns_of(relation: str, words: RelationWords, nouns: Sequence[str]) -> list[Pattern]:
    """The patterns of one relation; `nouns`: what items are called."""
    stated = [*words.after, *words.must]
    if words.before:
        stated += [f"{{value}} {noun}" for noun in nouns]
    table = (
        (Says.STATED, stated),
        (Says.REFERENCE, [*words.refer.after, *words.refer.must]),
        (Says.CLAIM, [*words.claim, *words.fact]),
    )
    found = {
        Pattern(says, relation, parts): None
        for says, patterns in table
        for pattern in patterns
        for parts in _concrete(pattern)
    }
    return list(found)


def _concrete(pattern: str) -> Iterator[tuple[str, ...]]:
    """The parts of a pattern, for one, two and more titles."""
    names = [found[1] for found in SLOT.finditer(pattern) if found[1] in AGREEING]
    for number in range(max((len(forms_of(name)) for name in names), default=1)):
        text = pattern
        for name in names:
            forms = forms_of(name)
            text = text.replace(f"{{{name}}}", forms[min(number, len(forms) - 1)])
        parts = re.split(r"(\{value\}|\{titles\})", text)
        yield tuple(p if p.startswith("{") else p.lower() for p in parts if p)
