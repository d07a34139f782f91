"""A catalogue of any size, made of the film catalogue.

The first items are the films themselves. Every further one is a seeded variant: each of its fields
is that of a film drawn at random, field by field. Words and labels keep their frequencies, so lists
of postings grow with the catalogue; a real catalogue of a million items has more rare words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.bits import Positions
from mystery_shopper.foundation import generator
from mystery_shopper.sources.films import load_films


def source_rows(size: int, fields: Sequence[str]) -> dict[str, Positions]:
    """For each field the film from which each of `size` items has it."""
    films = len(load_films())
    rows: dict[str, Positions] = {}
    for field in fields:
        drawn = generator("benchmark variants", field).integers(films, size=max(0, size - films))
        rows[field] = np.concatenate([np.arange(films), drawn])[:size]
    return rows


def variants(size: int, fields: Sequence[str]) -> Catalogue:
    """A catalogue of `size` items with these fields only, in a popularity order of its own."""
    films = load_films()
    rows = source_rows(size, fields)
    return Catalogue(
        f"{size} variants",
        films.domain,
        tuple(f"v{position}" for position in range(size)),
        {field: films.columns[field].take(rows[field]) for field in fields},
        np.arange(size, dtype=np.int64),
        (size,),
    )
