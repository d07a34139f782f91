"""All that was guessed of a table: kinds, names and roles of its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mystery_shopper.catalog import Kind
from mystery_shopper.catalog.domain import FORMATS_FIELD
from mystery_shopper.sources.infer import roles
from mystery_shopper.sources.infer.guess import Guess, guess_column
from mystery_shopper.sources.infer.names import Called, called, has, noun_of, words_of
from mystery_shopper.sources.infer.nests import nests_of
from mystery_shopper.sources.infer.roles import Choice
from mystery_shopper.sources.infer.sample import ColumnSample, Sample, brief

FORMATS_LABELS = ("way to have it", "availability")
"""What the formats are called where they come from labels, and from a stock."""


@dataclass(frozen=True)
class Outline:
    """All that was guessed of a table. `fields`: the columns that become fields, in the file's
    order; `left_out`: the others. `usable`: column -> why it carries no requirement, empty where
    it does. `main`: the field of which a request may name two values. `nests`: column -> the one
    that its labels nest in."""

    name: str
    noun: tuple[str, str, bool]
    sample: Sample
    fields: tuple[Guess, ...]
    left_out: tuple[Guess, ...]
    names: Mapping[str, Called]
    id: Choice
    title: Choice
    popularity: Choice
    recency: Choice
    formats: Choice
    usable: Mapping[str, str]
    main: str | None
    nests: Mapping[str, str]


def outline_of(sample: Sample, name: str) -> Outline:
    """The guesses of every column, and the roles."""
    noun = noun_of(name)
    found = [guess_column(column) for column in _first_of_each(sample)]
    identity = roles.choose_id(sample, noun[0])
    kept = [g for g in found if g.kind is not None and (g.name != identity.column or _is_title(g))]
    title = roles.choose_title(kept, identity.column)
    formats = roles.choose_formats([g for g in kept if g.name != title.column])
    names: dict[str, Called] = {}
    for place, guess in enumerate(kept):
        taken, labels = [c.name for c in names.values()], [c.label for c in names.values()]
        if formats.column not in (None, guess.name):
            # Questions about the formats are read under these; no other field may have them.
            taken, labels = [*taken, FORMATS_FIELD], [*labels, *FORMATS_LABELS]
        names[guess.name] = called(guess.name, taken, labels, place, year=guess.year)
    seconds = roles.second_prices(kept)
    usable = {
        g.name: _usable(g, title, formats, sample.rows) or seconds.get(g.name, "") for g in kept
    }
    return Outline(
        name=brief(name, 60) or "catalogue",
        noun=noun,
        sample=sample,
        fields=tuple(kept),
        left_out=tuple(g for g in found if g.kind is None and g.name != identity.column),
        names=names,
        id=identity,
        title=title,
        popularity=roles.choose_popularity(kept),
        recency=roles.choose_recency(kept),
        formats=formats,
        usable=usable,
        main=roles.main_several(kept, [name for name, why in usable.items() if not why]),
        nests=nests_of(kept),
    )


def _is_title(guess: Guess) -> bool:
    """Whether a column that serves as the id names the items as well."""
    return guess.kind is Kind.TEXT and has(words_of(guess.name), "title", "name", "product")


def _first_of_each(sample: Sample) -> list[ColumnSample]:
    seen: dict[str, ColumnSample] = {}
    for column in sample.columns:
        seen.setdefault(column.name, column)
    return list(seen.values())


def _usable(guess: Guess, title: Choice, formats: Choice, items: int) -> str:
    if guess.name == title.column:
        return "it is the title"
    if guess.name == formats.column:
        return "customers name it as the way to have an item"
    return roles.usable(guess, items)
