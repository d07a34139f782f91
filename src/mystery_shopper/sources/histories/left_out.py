"""The films that the embedded catalogue leaves out for want of a genre or a language, by id, title
and year: histories know them. `scripts/build_films.py` makes the file."""

from __future__ import annotations

import csv
import io
from functools import lru_cache
from importlib import resources

from mystery_shopper.sources.histories.joining import Known


@lru_cache(maxsize=1)
def films_left_out() -> tuple[Known, ...]:
    """The films left out, by id."""
    path = resources.files("mystery_shopper") / "data" / "films_left_out.csv"
    rows = csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"), newline=""))
    return tuple(
        Known(row["id"], row["title"], int(row["year"]) if row["year"] else None) for row in rows
    )
