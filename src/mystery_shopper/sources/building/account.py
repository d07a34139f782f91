"""What became of a file's rows and values, for its owner to read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import msgspec

OnError: TypeAlias = Literal["stop", "skip"]
EXAMPLES = 5
SHOWN = 60


class Example(msgspec.Struct, frozen=True):
    """One thing that was dropped: where it stood, how it was written (shortened), and why."""

    line: int
    column: str | None
    value: str
    reason: str


class Dropped(msgspec.Struct, frozen=True):
    """How many were dropped for one reason, with the first few, and what would help the first."""

    reason: str
    count: int
    examples: tuple[Example, ...]
    remedy: str = ""


class FieldAccount(msgspec.Struct, frozen=True):
    """One field: how many rows have a value, how many none, and the values that were dropped (they
    count as missing too). `labels`: how many distinct ones a label field has."""

    field: str
    column: str
    kind: str
    known: int
    missing: int
    dropped: tuple[Dropped, ...] = ()
    labels: int | None = None
    warnings: tuple[str, ...] = ()


class Account(msgspec.Struct, frozen=True):
    """The file, its rows, and every field. `dropped` are rows that were left out. `unit`: what the
    numbers of lines count: line or row."""

    file: str
    form: str
    read: int
    kept: int
    dropped: tuple[Dropped, ...]
    fields: tuple[FieldAccount, ...]
    warnings: tuple[str, ...] = ()
    unit: str = "line"


@dataclass(frozen=True)
class Problem:
    """One line or value that cannot be used. `reason` is one of a few sentences; `more` is what is
    particular; `remedy` what would help."""

    line: int
    column: str | None
    value: str | None
    reason: str
    more: str = ""
    remedy: str = ""
    unit: str = "line"

    def __str__(self) -> str:
        place = f"{self.unit} {self.line}"
        if self.column is not None:
            place += f", column {self.column!r}"
        shown = "" if self.value is None else f"{self.value} "
        told = f"{place}: {shown}{self.reason}"
        if self.more:
            told += f" ({self.more})"
        return f"{told}; {self.remedy}" if self.remedy else told


@dataclass
class Tally:
    """Counts problems by their reason and keeps the first few of each."""

    counts: dict[str, int] = field(default_factory=dict[str, int])
    examples: dict[str, list[Example]] = field(default_factory=dict[str, list[Example]])
    remedies: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, problem: Problem) -> None:
        """Count one."""
        reason = problem.reason
        self.counts[reason] = self.counts.get(reason, 0) + 1
        kept = self.examples.setdefault(reason, [])
        self.remedies.setdefault(reason, problem.remedy)
        if len(kept) < EXAMPLES:
            told = f"{reason} ({problem.more})" if problem.more else reason
            kept.append(Example(problem.line, problem.column, problem.value or "", told))

    def finish(self) -> tuple[Dropped, ...]:
        """The most frequent reason first."""
        reasons = sorted(self.counts, key=lambda reason: (-self.counts[reason], reason))
        return tuple(
            Dropped(
                reason, self.counts[reason], tuple(self.examples[reason]), self.remedies[reason]
            )
            for reason in reasons
        )


def shown(value: object) -> str:
    """A value as it is put before people, shortened."""
    text = repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"
