"""Paths into a JSON answer: `choices[0].message.content`, `items[*].id`, `order?.item_id`.

A path is a row of keys and places, from the outside in:

    name         the value under a key; keys of other characters in quotes: ["item id"]
    [0], [-1]    one entry of a list, counted from the front or from the back
    [*]          every entry of a list, one after the other
    ?            after a step: what it leads to may be absent or null; then nothing is found here

A step without `?` must lead somewhere. The empty path is the whole answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST_FOUND = 1_000
"""So many values are taken of one path."""
MOST_STEPS = 100
"""So many steps has a path."""

_STEP = re.compile(
    r"""(?:(?P<dot>\.)?(?P<key>[^\W\d][\w-]*|\d[\w-]*)|\[(?P<place>-?\d{1,6})\]|\[(?P<all>\*)\]
        |\["(?P<quoted>[^"]*)"\])(?P<optional>\?)?""",
    re.VERBOSE,
)


class PathError(ValueError):
    """A text that is no path."""


class NotThere(Exception):
    """A path that finds nothing; says which step led nowhere."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: a key, a place in a list, or None for every entry."""

    to: str | int | None
    optional: bool

    def __str__(self) -> str:
        mark = "?" if self.optional else ""
        if isinstance(self.to, str):
            return f"{self.to}{mark}"
        return f"[{'*' if self.to is None else self.to}]{mark}"


@dataclass(frozen=True)
class Path:
    """A path that was read; `text` is as it was written."""

    text: str
    steps: tuple[Step, ...]

    @classmethod
    def read(cls, text: str) -> Path:
        """The path of a text. Raises PathError with the place at which it is none."""
        steps: list[Step] = []
        at = 0
        while at < len(text):
            found = _STEP.match(text, at)
            if found is None or (found["key"] and bool(found["dot"]) != bool(steps)):
                raise PathError(f"{text!r} is no path: {text[at : at + 20]!r} is no step")
            key = found["key"] if found["key"] is not None else found["quoted"]
            place = int(found["place"]) if found["place"] else None
            steps.append(Step(key if key is not None else place, bool(found["optional"])))
            at = found.end()
            if len(steps) > MOST_STEPS:
                raise PathError(f"a path of more than {MOST_STEPS} steps: {text[:40]!r}…")
        return cls(text, tuple(steps))

    @property
    def is_many(self) -> bool:
        """Whether it may find more than one value."""
        return any(step.to is None for step in self.steps)

    def find(self, value: object) -> list[object]:
        """What the path finds, at most `MOST_FOUND` values. Raises NotThere where a step that is
        not optional leads nowhere."""
        found: list[object] = []
        for one in self._walk(value, 0):
            found.append(one)
            if len(found) == MOST_FOUND:
                break
        return found

    def first(self, value: object) -> object:
        """The first value; None where nothing is found that need not be there."""
        return next(self._walk(value, 0), None)

    def _walk(self, value: object, number: int) -> Iterator[object]:
        if number == len(self.steps):
            yield value
            return
        step = self.steps[number]
        match step.to, value:
            case None, list():
                for entry in value:
                    yield from self._walk(entry, number + 1)
                return
            case str(), dict() if step.to in value:
                inner: object = value[step.to]
            case int(), list() if -len(value) <= step.to < len(value):
                inner = value[step.to]
            case _:
                if step.optional:
                    return
                raise NotThere(self._nowhere(value, number))
        if inner is None and step.optional and number + 1 < len(self.steps):
            return
        yield from self._walk(inner, number + 1)

    def _nowhere(self, value: object, number: int) -> str:
        step = self.steps[number]
        place = _joined(self.steps[:number]) or "the answer"
        kind = kind_of(value)
        if isinstance(step.to, str) and isinstance(value, dict):
            return f"{place} has no {step.to!r}"
        if isinstance(step.to, int) and isinstance(value, list):
            return f"{place} has {len(value)} entries, and no {step}"
        return f"{place} is {kind}, in which there is no {step}"


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return "a text"
        case _:
            return "a number"


def _joined(steps: tuple[Step, ...]) -> str:
    text = ""
    for step in steps:
        text += f".{step}" if text and isinstance(step.to, str) else str(step)
    return text
