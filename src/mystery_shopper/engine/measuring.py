"""Measuring the simulated user's ear on labelled messages."""

from __future__ import annotations

from pathlib import Path

from mystery_shopper.catalog import SHIPPED, load_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.metrics.asks import AskScores, LabelledMessage, load_labelled, score_asks
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.asks import FORMATS_FIELD, AskReader, Reading


def measure_asks(path: Path) -> AskScores:
    """Scores of the matching on a labelled file. The films' labels serve as known values.

    Raises InputError with the line of a message that cannot be used.
    """
    rows = load_labelled(path)
    vocabulary = load_films().vocabulary()
    domains = {name: load_domain(name) for name in SHIPPED}
    readers: dict[str, AskReader] = {}
    problems: list[str] = []
    for number, row in enumerate(rows, 1):
        name = row.domain if row.domain in SHIPPED else f"{row.domain}s"
        if name not in SHIPPED:
            known = "film, book"
            problems.append(f"message {number} ({row.id}): no domain {row.domain!r}; use {known}")
            continue
        domain = domains[name]
        fields = (*domain.requirement_fields, FORMATS_FIELD)
        problems += [
            f"message {number} ({row.id}): no field {field!r}; there are {', '.join(fields)}"
            for field in row.asks
            if field not in fields
        ]
        if row.domain not in readers:
            readers[row.domain] = AskReader(domain, vocabulary)
    if problems:
        raise InputError(problems, where=str(path), remedy="Mend the labels.")

    def read(row: LabelledMessage) -> Reading:
        return readers[row.domain].read(row.text)

    return score_asks(rows, read)
