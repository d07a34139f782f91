"""Goodreads: the UCSD Book Graph and goodbooks-10k, made by hand in the documented forms."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories import load_goodreads
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.goodreads import (
    _csv_books,  # pyright: ignore[reportPrivateUsage]
    _seconds,  # pyright: ignore[reportPrivateUsage]
)

DATA = Path(__file__).parents[4] / "shared/data/goodbooks-10k"
BOOKS = [
    {"isbn": "0312853122", "text_reviews_count": "1", "series": [], "country_code": "US",
     "language_code": "eng", "popular_shelves": [{"count": "3", "name": "to-read"}], "asin": "",
     "is_ebook": "false", "average_rating": "4.00", "authors": [
         {"author_id": "604031", "role": ""}, {"author_id": "7", "role": "Illustrator"}],
     "publisher": "St. Martin's Press", "num_pages": "256", "isbn13": "9780312853129",
     "publication_year": "1984", "book_id": "5333265", "ratings_count": "3",
     "work_id": "5400751", "title": "W.C. Fields: A Life on Film",
     "title_without_series": "W.C. Fields: A Life on Film"},
    {"book_id": "1333909", "title": "Good Harbor", "authors": [{"author_id": "626222"}],
     "publication_year": "", "publisher": "", "language_code": ""},
    {"book_id": "", "title": "No id"},
]  # fmt: skip
AUTHORS = [
    {"average_rating": "3.98", "author_id": "604031", "name": "Ronald J. Fields"},
    {"author_id": "626222", "name": "Anita  Diamant"},
    {"author_id": "7", "name": "A Painter"},
]
GENRES = [
    {"book_id": "5333265", "genres": {"history, historical fiction, biography": 1}},
    {"book_id": "1333909", "genres": {"fiction": 219, "history, historical fiction, biography": 5}},
]
SHELVES = [
    {"user_id": "u1", "book_id": "5333265", "review_id": "r1", "is_read": True, "rating": 5,
     "review_text_incomplete": "", "date_added": "Tue Nov 17 11:37:35 -0800 2015",
     "date_updated": "x", "read_at": "", "started_at": ""},
    {"user_id": "u1", "book_id": "1333909", "is_read": False, "rating": 0,
     "date_added": "Mon Nov 16 00:00:00 +0100 2015", "read_at": ""},
    {"user_id": "u2", "book_id": "77", "rating": 4, "date_added": "Mon Nov 16 00:00:00 +0100 2015"},
    {"user_id": "u2", "book_id": "1333909", "rating": 4, "date_added": "gestern"},
]  # fmt: skip


def packed(path: Path, rows: list[dict[str, object]]) -> None:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode("utf-8")))


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    packed(tmp_path / "goodreads_books.json.gz", BOOKS)
    packed(tmp_path / "goodreads_book_authors.json.gz", AUTHORS)
    packed(tmp_path / "goodreads_book_genres_initial.json.gz", GENRES)
    packed(tmp_path / "goodreads_interactions_dedup.json.gz", SHELVES)
    return tmp_path


def test_the_book_graph(graph: Path) -> None:
    histories, report, catalogue = load_goodreads(graph)
    assert histories.items_of("u1") == ("1333909", "5333265")
    first, second = histories.rating[histories.of("u1")].tolist()
    assert math.isnan(first), "on the shelf, not rated"
    assert second == 5.0
    assert (report.read, report.joined, report.bad_lines) == (3, 2, 2)
    assert report.unknown == (("77", 1),)
    assert any(p.startswith("goodreads_books.json.gz:3: a book needs") for p in report.problems)
    assert any("dedup.json.gz:4: user_id" in problem for problem in report.problems)
    item = catalogue.find("5333265")
    assert item is not None
    assert (item["author"], item["year"], item["language"]) == (
        ("Ronald J. Fields",), 1984, "English",
    )  # fmt: skip
    other = catalogue.find("1333909")
    assert other is not None
    assert set(catalogue.labels("genre").labels_of(other.position)) == {
        "fiction", "history", "historical fiction", "biography",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Tue Nov 17 11:37:35 -0800 2015", 1447789055),
        ("Thu Jan 01 01:00:00 +0100 1970", 0),
        ("Tue Feb 30 11:37:35 -0800 2015", None),
        ("gestern", None),
        ("", None),
    ],
)
def test_times_are_read_in_english_with_their_zone(text: str, seconds: int | None) -> None:
    assert _seconds(text) == seconds


def test_goodbooks_keeps_the_order_of_its_rows(tmp_path: Path) -> None:
    (tmp_path / "books.csv").write_text(
        "book_id,goodreads_book_id,isbn,authors,original_publication_year,title,language_code\n"
        '1,2767052,439023483,"Suzanne Collins, Somebody",2008.0,"The Hunger Games, #1",eng\n'
        "2,3,439554934,J.K. Rowling,,Harry,\n",
        encoding="utf-8",
    )
    (tmp_path / "ratings.csv").write_text(
        "user_id,book_id,rating\n9,2,5\n9,1,4\n8,1,many\n7,1,3\n7,3,3\n", encoding="utf-8"
    )
    histories, report, catalogue = load_goodreads(tmp_path)
    assert histories.items_of("9") == ("2", "1")
    assert (report.read, report.joined, report.bad_lines) == (4, 3, 1)
    assert "ratings.csv:4: user '8'" in report.problems[0]
    first = catalogue.item(0)
    assert first.title == "The Hunger Games, #1"
    assert first["author"] == ("Suzanne Collins", "Somebody")
    assert first["year"] == 2008
    joined, again, ours = load_goodreads(tmp_path, catalogue)
    assert ours is catalogue
    assert (joined.digest, again.joined) == (histories.digest, 3)


@pytest.mark.skipif(
    not DATA.is_dir(), reason="the folder shared/data beside the project has no goodbooks-10k"
)
def test_the_real_books(tmp_path: Path) -> None:
    ledger = Ledger()
    books = list(_csv_books(DATA / "books.csv", ledger))
    assert (len(books), ledger.bad_lines) == (10_000, 0)
    assert books[0].authors == ("Suzanne Collins",)
    assert sum(book.language == "English" for book in books) == 6_341 + 2_070 + 257 + 58 + 4
    assert all(book.language is None or len(book.language) > 3 for book in books)
    (tmp_path / "books.csv").symlink_to(DATA / "books.csv")
    (tmp_path / "ratings.csv").write_text("user_id,book_id,rating\n1,258,5\n1,4081,4\n", "utf-8")
    histories, _, catalogue = load_goodreads(tmp_path)
    assert len(histories) == len(catalogue) == 2


def test_what_is_no_release_is_refused(tmp_path: Path, graph: Path) -> None:
    (graph / "goodreads_books_poetry.json.gz").write_bytes(b"")
    with pytest.raises(InputError, match="which one"):
        load_goodreads(graph)
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(InputError, match=r"there is no goodreads_books"):
        load_goodreads(empty)
    with pytest.raises(InputError, match="no such folder"):
        load_goodreads(tmp_path / "none")
    (empty / "books.csv").write_text("book_id,title,authors\n1,a,b\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"there is no ratings\.csv"):
        load_goodreads(empty)
