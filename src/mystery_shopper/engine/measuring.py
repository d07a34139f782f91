"""Measuring the simulated user's ear: on labelled messages, and on probe questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from mystery_shopper.catalog import SHIPPED, Catalogue, Domain, load_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.metrics.asks import AskScores, LabelledMessage, load_labelled, score_asks
from mystery_shopper.sources import load_films
from mystery_shopper.sources.shop import load_shop
from mystery_shopper.suites.tau_rec.asks import FORMATS_FIELD, AskReader, Reading
from mystery_shopper.suites.tau_rec.probe import ProbeReport, probe

_CATALOGUES = {"films": load_films, "books": load_films, "shop": load_shop}
"""The shipped catalogue whose labels a shipped domain is read with. Books have none of their own;
the films' labels are of the same fields."""


def measure_asks(path: Path) -> AskScores:
    """Scores of the matching on a labelled file, each message read in its shipped domain.

    Raises InputError with the line of a message that cannot be used.
    """
    rows = load_labelled(path)
    problems: list[str] = []
    for number, row in enumerate(rows, 1):
        name = _shipped(row.domain)
        if name is None:
            known = ", ".join(each.removesuffix("s") for each in SHIPPED)
            problems.append(f"message {number} ({row.id}): no domain {row.domain!r}; use {known}")
            continue
        domain = _domain(name)
        formats = () if domain.formats is None else (FORMATS_FIELD,)
        fields = (*domain.requirement_fields, *formats)
        problems += [
            f"message {number} ({row.id}): no field {field!r}; there are {', '.join(fields)}"
            for field in row.asks
            if field not in fields
        ]
    if problems:
        raise InputError(problems, where=str(path), remedy="Mend the labels.")
    readers: dict[str, AskReader] = {}

    def read(row: LabelledMessage) -> Reading:
        name = _shipped(row.domain) or row.domain
        if name not in readers:
            readers[name] = AskReader(_domain(name), _CATALOGUES[name]().vocabulary())
        return readers[name].read(row.text)

    return score_asks(rows, read)


def probe_domain(source: str, *, seed: int = 0) -> ProbeReport:
    """How the user reads probe questions about a domain.

    `source`: a shipped domain's name, a catalogue folder, or a domain file (whose values are then
    unknown, but for those of its hierarchies). Raises InputError where it cannot be read.
    """
    domain, vocabulary = _source(source)
    return probe(domain, vocabulary, seed=seed)


def _source(source: str) -> tuple[Domain, Mapping[str, Sequence[str]]]:
    if source in SHIPPED:
        return _domain(source), _CATALOGUES[source]().vocabulary()
    if Path(source).is_dir():
        return _opened(source)
    if not Path(source).exists():
        raise InputError(
            f"there is no domain {source!r}",
            where="--probe",
            remedy=f"Use one of: {', '.join(SHIPPED)}; a domain YAML; or a catalogue folder.",
        )
    domain = load_domain(Path(source))
    labels = {
        name: tuple(tree.labels.values()) for name, tree in domain.hierarchies.items() if tree
    }
    return domain, labels


def _opened(folder: str) -> tuple[Domain, Mapping[str, Sequence[str]]]:
    from mystery_shopper.catalog import open_catalogue

    catalogue: Catalogue = open_catalogue(folder)
    return catalogue.domain, catalogue.vocabulary()


def _shipped(name: str) -> str | None:
    """The shipped domain that a message's domain means: "film" as well as "films"."""
    return next((each for each in (name, f"{name}s") if each in SHIPPED), None)


@cache
def _domain(name: str) -> Domain:
    return load_domain(name)
