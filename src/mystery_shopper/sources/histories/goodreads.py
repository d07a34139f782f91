"""Goodreads: the UCSD Book Graph (JSON lines, gzipped) and goodbooks-10k (CSV).

    UCSD            goodreads_books*.json.gz with goodreads_interactions*.json.gz or
                    goodreads_reviews*.json.gz; goodreads_book_authors.json.gz gives the authors'
                    names, goodreads_book_genres_initial.json.gz genres
    goodbooks-10k   books.csv, ratings.csv (sorted by time, without times)

The files in the folder tell which one it is (Wan and McAuley 2018; Zając 2017). The releases' terms
hold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.books import (
    MOST_BOOKS,
    Book,
    LoadedBooks,
    Release,
    Review,
    language_named,
)
from mystery_shopper.sources.histories.jsonlines import (
    Record,
    list_of,
    number_of,
    objects,
    text_of,
)
from mystery_shopper.sources.histories.reading import require, with_header

_MONTHS = {
    name: number
    for number, name in enumerate(
        "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1
    )
}  # fmt: skip
_WRITERS = frozenset(("", "author", "co-author", "coauthor"))
_ROW = 1
"""Seconds between two rows of a file that is sorted by time and has no times."""


def load_goodreads(
    folder: Path,
    catalogue: Catalogue | None = None,
    *,
    most: int = MOST_BOOKS,
    one_in: int = 1,
) -> LoadedBooks:
    """Histories of a release in a folder, as `load_amazon_books`. A book on a user's shelf that has
    no rating keeps its place, its rating is NaN.

    Raises InputError where the folder holds no such release, or a file is of another form.
    """
    if not folder.is_dir():
        raise InputError("there is no such folder", where=str(folder), remedy="Name a folder.")
    if (folder / "ratings.csv").is_file() or (folder / "books.csv").is_file():
        require(folder, ("ratings.csv", "books.csv"), "goodbooks-10k")
        release = Release(
            f"goodbooks-10k ({folder.name})",
            folder / "ratings.csv",
            partial(_csv_books, folder / "books.csv"),
            partial(_csv_ratings, folder / "ratings.csv"),
            one_in,
        )
        return release.load(catalogue, most)
    books = _one(folder, "goodreads_books*.json*")
    shelves = _one(folder, "goodreads_interactions*.json*", "goodreads_reviews*.json*")
    release = Release(
        f"Goodreads ({folder.name})",
        shelves,
        partial(_graph_books, folder, books),
        partial(_graph_reviews, shelves),
        one_in,
    )
    return release.load(catalogue, most)


def _one(folder: Path, *patterns: str) -> Path:
    """The one file of a folder that goes by a name. Raises InputError for none or several."""
    for pattern in patterns:
        found = sorted(path for path in folder.glob(pattern) if path.is_file())
        if len(found) > 1:
            names = ", ".join(path.name for path in found)
            raise InputError(f"{names}: which one?", where=str(folder),
                             remedy="Keep one of them in the folder.")  # fmt: skip
        if found:
            return found[0]
    raise InputError(
        f"there is no {' or '.join(patterns)}",
        where=str(folder),
        remedy="Name a folder with goodreads_books*.json.gz and goodreads_interactions*.json.gz of"
        " the UCSD Book Graph, or with books.csv and ratings.csv of goodbooks-10k.",
    )


def _graph_reviews(path: Path, ledger: Ledger) -> Iterator[Review]:
    for line, record in objects(path, ledger):
        user, book = text_of(record, "user_id"), text_of(record, "book_id")
        rating = number_of(record, "rating")
        time = _seconds(text_of(record, "read_at")) or _seconds(text_of(record, "date_added"))
        if not user or not book or rating is None or time is None:
            ledger.bad(path, line, "user_id, book_id, rating and date_added (such as Tue Nov 17"
                       " 11:37:35 -0800 2015) are needed; take the file of interactions or"
                       " reviews")  # fmt: skip
            continue
        yield Review(line, user, book, rating or math.nan, time)


def _graph_books(folder: Path, path: Path, ledger: Ledger) -> Iterator[Book]:
    authors = _names(folder / "goodreads_book_authors.json.gz", ledger)
    genres = _genres(folder / "goodreads_book_genres_initial.json.gz", ledger)
    for line, record in objects(path, ledger):
        book = text_of(record, "book_id")
        title = text_of(record, "title", "title_without_series")
        if not book or not title:
            ledger.bad(path, line, "a book needs book_id and title; take the file of books")
            continue
        year = number_of(record, "publication_year")
        others = ("work_id", "isbn13", "isbn", "asin", "kindle_asin")
        yield Book(
            book,
            title,
            tuple(dict.fromkeys(_writers(record, authors))),
            genres.get(book, ()),
            text_of(record, "publisher") or None,
            language_named(text_of(record, "language_code")),
            int(year) if year is not None and 0 < year < 2200 else None,
            tuple(filter(None, (text_of(record, key) for key in others))),
        )


def _writers(record: Record, names: Mapping[str, str]) -> Iterator[str]:
    for entry in list_of(record, "authors"):
        if isinstance(entry, dict) and text_of(entry, "role").lower() in _WRITERS:
            name = names.get(text_of(entry, "author_id"))
            if name:
                yield name


def _names(path: Path, ledger: Ledger) -> dict[str, str]:
    if not path.is_file():
        return {}
    return {
        text_of(record, "author_id"): " ".join(text_of(record, "name").split())
        for _, record in objects(path, ledger)
    }


def _genres(path: Path, ledger: Ledger) -> dict[str, tuple[str, ...]]:
    """Book -> genres, the most often named first: {"fantasy, paranormal": 12, …}."""
    found: dict[str, tuple[str, ...]] = {}
    if not path.is_file():
        return found
    for _, record in objects(path, ledger):
        genres: Any = record.get("genres")
        if isinstance(genres, dict):
            counts = {name: number_of(genres, name) or 0 for name in map(str, genres)}
            ranked = sorted(counts, key=lambda name: (-counts[name], name))
            parts = (part.strip() for names in ranked for part in names.split(","))
            found[text_of(record, "book_id")] = tuple(dict.fromkeys(filter(None, parts)))
    return found


def _csv_ratings(path: Path, ledger: Ledger) -> Iterator[Review]:
    for line, (user, book, rating) in with_header(path, ("user_id", "book_id", "rating"), ledger):
        value = number_of({"rating": rating}, "rating")
        if value is None or not user.strip() or not book.strip():
            ledger.bad(path, line, f"user {user!r}, book {book!r}, rating {rating!r}: names and a"
                       " number are needed; mend or delete the line",
                       "rating" if user.strip() and book.strip() else "name")  # fmt: skip
            continue
        yield Review(line, user, book, value, line * _ROW)


def _csv_books(path: Path, ledger: Ledger) -> Iterator[Book]:
    names = ("book_id", "title", "authors")
    more = ("original_publication_year", "language_code", "goodreads_book_id", "best_book_id",
            "work_id", "isbn", "isbn13")  # fmt: skip
    for line, (book, title, authors, year, language, *others) in with_header(
        path, names, ledger, more
    ):
        if not book.strip() or not title.strip():
            ledger.bad(path, line, "a book needs book_id and title; mend or delete the line")
            continue
        yield Book(
            book,
            title.strip(),
            tuple(dict.fromkeys(filter(None, (name.strip() for name in authors.split(","))))),
            language=language_named(language),
            year=_whole(year),
            other_ids=tuple(filter(None, others)),
        )


def _whole(text: str) -> int | None:
    try:
        return int(float(text))
    except (ValueError, OverflowError):
        return None


def _seconds(text: str) -> int | None:
    """A time such as "Tue Nov 17 11:37:35 -0800 2015" in seconds since 1970; None for any other
    text. Names of months are English in the file, whatever the machine speaks."""
    parts = text.split()
    try:
        _, month, day, clock, zone, year = parts
        hour, minute, second = map(int, clock.split(":"))
        moment = datetime(int(year), _MONTHS[month], int(day), hour, minute, second, tzinfo=UTC)
        ahead = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:5]))
        moved = moment + ahead if zone[0] == "-" else moment - ahead
    except (ValueError, KeyError, IndexError, OverflowError):
        return None
    return int(moved.timestamp())
