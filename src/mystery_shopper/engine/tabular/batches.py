"""Rows gathered into batches of bounded size and handed to whatever takes them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from mystery_shopper.engine.tabular.reading import Rows
from mystery_shopper.engine.tabular.rows import Place
from mystery_shopper.engine.tabular.schema import NAMES

MOST_ROWS = 65_536
MOST_CHARACTERS = 8_000_000
"""Of the payloads of one batch: what bounds memory where tools return much."""


class Sink(Protocol):
    """Takes the rows of one table, batch by batch."""

    def write(self, rows: Sequence[Place]) -> None:
        """Write a batch; it is never empty."""
        ...


@dataclass
class _Batch:
    sink: Sink
    rows: list[Place] = field(default_factory=list[Place])
    characters: int = 0
    written: int = 0

    def add(self, row: Place, characters: int) -> None:
        self.rows.append(row)
        self.characters += characters
        if len(self.rows) >= MOST_ROWS or self.characters >= MOST_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        if self.rows:
            self.sink.write(self.rows)
            self.written += len(self.rows)
            self.rows, self.characters = [], 0


_A_ROW = 500
"""Characters that a row of a trial or a turn is counted as, beside its words."""


@dataclass
class Batches:
    """The three tables being written."""

    trials: Sink
    turns: Sink
    events: Sink

    def __post_init__(self) -> None:
        self._trials, self._turns, self._events = map(
            _Batch, (self.trials, self.turns, self.events)
        )

    def add(self, stream: Iterable[Rows]) -> int:
        """Write every row of a run; gives its number of trials."""
        count = 0
        for rows in stream:
            count += 1
            self._trials.add(rows.trial, _A_ROW)
            for turn in rows.turns:
                words = len(turn.agent_said or "") + len(turn.user_said or "")
                self._turns.add(turn, _A_ROW + words)
            for event in rows.events:
                self._events.add(event, len(event.payload) + len(event.text or ""))
        return count

    def close(self) -> dict[str, int]:
        """Write what is left; gives each table's number of rows."""
        made = dict(zip(NAMES, (self._trials, self._turns, self._events), strict=True))
        for batch in made.values():
            batch.flush()
        return {name: batch.written for name, batch in made.items()}
