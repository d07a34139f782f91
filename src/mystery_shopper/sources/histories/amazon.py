"""Amazon Books: metadata and reviews of the releases of 2014, 2018 and 2023, JSON lines, gzipped.

    2014  meta_Books.json.gz (lines of Python), reviews_Books_5.json.gz
    2018  meta_Books.json.gz, Books_5.json.gz or Books.json.gz
    2023  meta_Books.jsonl.gz, Books.jsonl.gz

The keys of a line tell of which release it is (McAuley and others 2015; Ni and others 2019; Hou and
others 2024). The releases' terms hold.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mystery_shopper.catalog import Catalogue
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.books import MOST_BOOKS, Book, LoadedBooks, Release, Review
from mystery_shopper.sources.histories.jsonlines import (
    Record,
    list_of,
    number_of,
    objects,
    text_of,
)

_PAGE = re.compile(r"^(?:visit\s+amazon['’]s\s+)?(.*?)(?:\s+page)?$", re.I)
_ROLE = re.compile(r"([^(),][^()]*?)\s*\(([^()]*)\)")
_SHELF = frozenset(("books", "kindle store", "kindle ebooks", "audible books & originals"))
_LONGEST_GENRE = 60
_YEAR = re.compile(r"\b(1[5-9]\d\d|20\d\d)\b")
_SECONDS = 100_000_000_000
"""A later time is in milliseconds."""


def load_amazon_books(
    metadata: Path,
    reviews: Path,
    catalogue: Catalogue | None = None,
    *,
    most: int = MOST_BOOKS,
    one_in: int = 1,
) -> LoadedBooks:
    """Histories of the users of one release, with the books of a catalogue (by ASIN, ISBN, or title
    and author); without one, with the `most` reviewed books, of which one is made. `one_in`: of so
    many users one is taken.

    Raises InputError where a file cannot be read or is of another form.
    """
    return Release(
        f"Amazon Books ({reviews.name})",
        reviews,
        lambda ledger: amazon_books(metadata, ledger),
        lambda ledger: amazon_reviews(reviews, ledger),
        one_in,
    ).load(catalogue, most)


def amazon_reviews(path: Path, ledger: Ledger) -> Iterator[Review]:
    """The reviews of a file, as a stream. An edition counts as its book (`parent_asin`)."""
    for line, record in objects(path, ledger):
        user = text_of(record, "reviewerID", "user_id")
        item = text_of(record, "parent_asin", "asin")
        rating = number_of(record, "overall", "rating")
        time = number_of(record, "unixReviewTime", "timestamp")
        if not user or not item or rating is None or time is None:
            ledger.bad(path, line, "a review needs reviewerID or user_id, asin, overall or rating,"
                       " unixReviewTime or timestamp; take the file of reviews")  # fmt: skip
            continue
        yield Review(line, user, item, rating, int(time / 1000 if time > _SECONDS else time))


def amazon_books(path: Path, ledger: Ledger) -> Iterator[Book]:
    """The books of a file of metadata, as a stream. Those without a title are passed over."""
    for line, record in objects(path, ledger, literals=True):
        item = text_of(record, "parent_asin", "asin")
        if not item:
            ledger.bad(path, line, "a book needs asin or parent_asin; take the file of metadata")
            continue
        title = _plain(text_of(record, "title"))
        if not title:
            continue
        details = record.get("details")
        said: Record = details if isinstance(details, dict) else {}
        made = text_of(said, "Publisher", "Publisher:")
        years = _YEAR.findall(made)
        yield Book(
            item,
            title,
            _authors(record),
            _genres(record),
            re.split(r"[;(]", made)[0].strip() or None,
            text_of(said, "Language", "Language:") or None,
            int(years[-1]) if years else None,
            tuple(
                isbn.replace("-", "")
                for key in ("ISBN 10", "ISBN 13", "ISBN-10:", "ISBN-13:")
                if (isbn := text_of(said, key))
            ),
        )


def _authors(record: Record) -> tuple[str, ...]:
    author: Any = record.get("author")
    if isinstance(author, dict):
        name = _plain(text_of(author, "name"))
        return (name,) if name else ()
    store = _plain(text_of(record, "store"))
    named = [name.strip() for name, role in _ROLE.findall(store) if "author" in role.lower()]
    if named or store:
        return tuple(dict.fromkeys(named))
    found = _PAGE.match(_plain(text_of(record, "brand")))
    return (found[1],) if found and found[1] else ()


def _genres(record: Record) -> tuple[str, ...]:
    """The categories below "Books": a list, or in 2014 a list of paths."""
    genres: dict[str, None] = {}
    for entry in (*list_of(record, "categories"), *list_of(record, "category")):
        for label in entry if isinstance(entry, list | tuple) else (entry,):
            text = _plain(label) if isinstance(label, str) else ""
            if text and text.lower() not in _SHELF and len(text) <= _LONGEST_GENRE:
                genres[text] = None
    return tuple(genres)


def _plain(text: str) -> str:
    """A text without entities and double spaces; nothing where a page's code was taken for it."""
    if "getTime" in text or text.lstrip().startswith("<"):
        return ""
    return " ".join(html.unescape(text).split())
