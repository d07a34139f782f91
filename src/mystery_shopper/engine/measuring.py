"""Measuring the simulated user's ear on labelled messages."""

from __future__ import annotations

from pathlib import Path

from mystery_shopper.catalog import SHIPPED, load_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.metrics.asks import AskScores, LabelledMessage, load_labelled, score_asks
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.asks import AskReader, Reading


def measure_asks(path: Path) -> AskScores:
    """Scores of the matching on a labelled file. The films' labels serve as known values.

    Raises InputError with the line of a message that cannot be used.
    """
    rows = load_labelled(path)
    vocabulary = load_films().vocabulary()
    readers: dict[str, AskReader] = {}
    for number, row in enumerate(rows, 1):
        name = row.domain if row.domain in SHIPPED else f"{row.domain}s"
        if name not in SHIPPED:
            raise InputError(
                f"message {number} ({row.id}): there is no domain {row.domain!r}",
                where=str(path),
                remedy=f"Use one of: {', '.join(SHIPPED)}.",
            )
        if row.domain not in readers:
            readers[row.domain] = AskReader(load_domain(name), vocabulary)

    def read(row: LabelledMessage) -> Reading:
        return readers[row.domain].read(row.text)

    return score_asks(rows, read)
