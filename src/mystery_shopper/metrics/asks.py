"""How well a reader of messages tells what they ask: scores against labelled messages.

Precision and recall are pooled over all (message, field) pairs, and likewise over the messages that
make a generic request. They are NaN where nothing was read, or nothing was to be read.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import msgspec

from mystery_shopper.foundation import InputError, read_whole


class LabelledMessage(msgspec.Struct, frozen=True):
    """A message of an agent and what it asks: field names, and whether for anything further.

    `proposes`: the ids in its tags. `note`: why it is labelled so. Other keys are let pass.
    """

    id: str
    domain: str
    text: str
    asks: tuple[str, ...] = ()
    generic: bool = False
    proposes: tuple[str, ...] = ()
    note: str = ""


class Understood(Protocol):
    """The part of a reading that is scored."""

    @property
    def asks(self) -> tuple[str, ...]:
        """Names of the fields asked about."""
        ...

    @property
    def generic(self) -> bool:
        """Whether any further requirement is asked for."""
        ...


@dataclass(frozen=True, slots=True)
class Counts:
    """Right, too many, missed."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    @property
    def precision(self) -> float:
        """tp / (tp + fp), NaN when nothing was read."""
        return _ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """tp / (tp + fn), NaN when nothing was to be read."""
        return _ratio(self.tp, self.tp + self.fn)

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)


@dataclass(frozen=True, slots=True)
class Miss:
    """A misread message; `expected` and `got` list fields, and `GENERIC` for a generic request."""

    id: str
    text: str
    expected: tuple[str, ...]
    got: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskScores:
    """Counts over (message, field) pairs and over generic requests, and what was misread."""

    pairs: Counts
    generic: Counts
    messages: int
    misses: tuple[Miss, ...]

    @property
    def precision(self) -> float:
        """Of the pairs."""
        return self.pairs.precision

    @property
    def recall(self) -> float:
        """Of the pairs."""
        return self.pairs.recall


GENERIC = "(anything else)"
"""How a generic request is written among the fields of a miss."""


def score_asks(
    rows: Iterable[LabelledMessage], read: Callable[[LabelledMessage], Understood]
) -> AskScores:
    """Compare what `read` makes of each message with its labels."""
    pairs = Counts()
    generic = Counts()
    misses: list[Miss] = []
    messages = 0
    for row in rows:
        messages += 1
        found = read(row)
        expected, got = set(row.asks), set(found.asks)
        pairs += Counts(len(expected & got), len(got - expected), len(expected - got))
        generic += Counts(
            int(row.generic and found.generic),
            int(found.generic and not row.generic),
            int(row.generic and not found.generic),
        )
        if expected != got or row.generic != found.generic:
            misses.append(
                Miss(
                    row.id,
                    row.text,
                    _listed(row.asks, row.generic),
                    _listed(found.asks, found.generic),
                )
            )
    return AskScores(pairs, generic, messages, tuple(misses))


def load_labelled(path: str | Path) -> list[LabelledMessage]:
    """Labelled messages from JSON lines, in the file's order; blank lines are passed over.

    Raises InputError naming the file and every line that cannot be used.
    """
    path = Path(path)
    data = read_whole(path, "Name a file of labelled messages, one JSON object a line.")
    decoder = msgspec.json.Decoder(LabelledMessage)
    rows: list[LabelledMessage] = []
    problems: list[str] = []
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append(decoder.decode(line))
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            problems.append(f"line {number}: {error}")
    if problems:
        raise InputError(
            problems,
            where=str(path),
            remedy='Write each message as {"id", "domain", "text", "asks", "generic"} on one line.',
        )
    return rows


def _listed(asks: tuple[str, ...], generic: bool) -> tuple[str, ...]:
    return (*asks, GENERIC) if generic else tuple(asks)


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else math.nan
