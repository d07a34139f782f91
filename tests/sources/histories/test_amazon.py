"""Amazon Books of 2014, 2018 and 2023, made by hand in the documented forms."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, ItemGraph
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories import load_amazon_books
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.amazon import amazon_books, amazon_reviews
from mystery_shopper.sources.histories.books import Book, book_catalogue

META_2014 = (
    "{'asin': '0000001', 'salesRank': {'Books': 6334800}, 'imUrl': 'http://x', 'categories':"
    " [['Books', 'Literature & Fiction', 'Classics'], ['Books', 'Classics']],"
    " 'title': \"The Crucible's End: A, B\"}\n"
    "{'asin': '0000002', 'title': 'Measure for Measure', 'categories': [['Books']]}\n"
    "{'asin': '0000003', 'categories': [['Books']]}\n"
    "{'asin': __import__('os').getcwd()}\n"
)
REVIEWS_2014 = [
    {"reviewerID": "A1", "asin": "0000001", "reviewerName": "J. Mc, D", "helpful": [2, 3],
     "reviewText": "…", "overall": 5.0, "summary": "Great",
     "unixReviewTime": 1252800000, "reviewTime": "09 13, 2009"},
    {"reviewerID": "A1", "asin": "0000002", "overall": 2.0, "unixReviewTime": 1252700000},
    {"reviewerID": "A2", "asin": "0000002", "overall": 4.0, "unixReviewTime": 1252800001},
    {"reviewerID": "A2", "asin": "0000009", "overall": 4.0, "unixReviewTime": 1252800002},
]  # fmt: skip
META_2018 = [
    {"asin": "B1", "title": "Harry &amp; the Stone", "brand": "Visit Amazon's J. K. Rowling Page",
     "category": ["Books", "Children&#39;s Books", "Fantasy"], "main_cat": "Books",
     "details": {"Publisher:": "Scholastic Inc.; 1st edition (October 1, 1998)",
                 "Language:": "English", "ISBN-10:": "059035342X"}, "also_buy": ["B2"]},
    {"asin": "B2", "title": "<span>var aPageStart = (new Date()).getTime();", "brand": ""},
    {"asin": "B3", "title": "Plain Book", "brand": "Ann Writer", "category": []},
]  # fmt: skip
REVIEWS_2018 = [
    {"overall": 5.0, "vote": "3", "verified": True, "reviewTime": "05 13, 2009",
     "reviewerID": "R1", "asin": "B1", "style": {"Format:": " Hardcover"}, "reviewText": "x",
     "unixReviewTime": 1242172800},
    {"overall": 4.0, "reviewerID": "R1", "asin": "B3", "unixReviewTime": 1242172801},
]  # fmt: skip
META_2023 = [
    {"main_category": "Books", "title": "Into Thin Air", "author": {"name": "Jon Krakauer",
     "about": ["…"]}, "average_rating": 4.6, "rating_number": 9000, "store": "x",
     "categories": ["Books", "Sports & Outdoors", "Mountaineering"],
     "details": {"Publisher": "Anchor (October 19, 1999)", "Language": "English",
                 "ISBN 13": "978-0385494786"}, "parent_asin": "P1"},
    {"title": "Two Hands", "author": None, "store": "Ann A  (Author), Bob B (Illustrator), Cy C"
     " (Author)", "categories": ["Books"], "details": {}, "parent_asin": "P2"},
]  # fmt: skip
REVIEWS_2023 = [
    {"rating": 5.0, "title": "t", "text": "x", "images": [], "asin": "E9", "parent_asin": "P1",
     "user_id": "U1", "timestamp": 1588687728923, "helpful_vote": 0, "verified_purchase": True},
    {"rating": 1.0, "asin": "P2", "parent_asin": "P2", "user_id": "U1", "timestamp": 1588687727999},
]  # fmt: skip


def lines(rows: list[dict[str, object]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def packed(path: Path, text: str | bytes) -> Path:
    path.write_bytes(gzip.compress(text if isinstance(text, bytes) else text.encode("utf-8")))
    return path


def test_2014_metadata_is_python_and_only_literals_are_read(tmp_path: Path) -> None:
    meta = packed(tmp_path / "meta_Books.json.gz", META_2014)
    ledger = Ledger()
    assert list(amazon_books(meta, ledger)) == [
        Book("0000001", "The Crucible's End: A, B", (), ("Literature & Fiction", "Classics")),
        Book("0000002", "Measure for Measure"),
    ]
    assert ledger.bad_lines == 1
    assert ledger.problems[0].startswith("meta_Books.json.gz:4: is not JSON")
    assert "mend or delete the line" in ledger.problems[0]
    reviews = packed(tmp_path / "reviews_Books_5.json.gz", lines(REVIEWS_2014))
    histories, report, catalogue = load_amazon_books(meta, reviews)
    assert histories.items_of("A1") == ("0000002", "0000001")
    assert histories.items_of("A2") == ("0000002",)
    assert histories.rating[histories.of("A1")].tolist() == [2.0, 5.0]
    assert (report.read, report.joined, report.bad_lines) == (4, 3, 1)
    assert report.unknown == (("0000009", 1),)
    assert catalogue.item(0).title == "Measure for Measure", "reviewed most"


def test_2018(tmp_path: Path) -> None:
    meta = packed(tmp_path / "meta_Books.json.gz", lines(META_2018))
    reviews = packed(tmp_path / "Books_5.json.gz", lines(REVIEWS_2018))
    first, third = amazon_books(meta, Ledger())
    assert first == Book(
        "B1", "Harry & the Stone", ("J. K. Rowling",), ("Children's Books", "Fantasy"),
        "Scholastic Inc.", "English", 1998, ("059035342X",),
    )  # fmt: skip
    assert third.authors == ("Ann Writer",)
    histories, _, catalogue = load_amazon_books(meta, reviews)
    assert histories.items_of("R1") == ("B1", "B3")
    assert histories.time[histories.of("R1")].tolist() == [1242172800, 1242172801]
    graph = ItemGraph.of_catalogue(catalogue)
    assert [graph.items[place] for place in graph.items_of("author", "J. K. Rowling")] == ["B1"]
    assert [graph.items[place] for place in graph.items_of("genre", "Fantasy")] == ["B1"]


def test_2023_counts_editions_as_their_book_and_milliseconds(tmp_path: Path) -> None:
    meta = packed(tmp_path / "meta_Books.jsonl.gz", lines(META_2023))
    reviews = packed(tmp_path / "Books.jsonl.gz", lines(REVIEWS_2023))
    one, two = amazon_books(meta, Ledger())
    assert one.authors == ("Jon Krakauer",)
    assert (one.publisher, one.year, one.other_ids) == ("Anchor", 1999, ("9780385494786",))
    assert two.authors == ("Ann A", "Cy C")
    histories, _, _ = load_amazon_books(meta, reviews)
    assert histories.items_of("U1") == ("P2", "P1")
    assert histories.time.tolist() == [1588687727, 1588687728]


@pytest.fixture
def books() -> Catalogue:
    own = [
        Book("978-into", "Into Thin Air", ("Jon Krakauer",), ("Travel",), None, "English", 1997),
        Book("059035342X", "Harry Potter and the Stone", ("J.K. Rowling",), ("Fantasy",)),
        Book("other", "Two Hands", ("Somebody Else",)),
    ]
    return book_catalogue(own, [3, 2, 1])


def test_a_given_catalogue_is_joined_by_isbn_and_by_title_and_author(
    tmp_path: Path, books: Catalogue
) -> None:
    meta = packed(tmp_path / "meta.jsonl.gz", lines([*META_2018, *META_2023]))
    reviews = packed(tmp_path / "reviews.jsonl.gz", lines([*REVIEWS_2018, *REVIEWS_2023]))
    histories, report, ours = load_amazon_books(meta, reviews, books)
    assert ours is books
    assert histories.items == ("059035342X", "978-into")
    assert report.joined_by == {"id": 1, "title": 1}
    assert report.unknown == (("Plain Book (B3)", 1), ("Two Hands (P2)", 1))


def test_only_the_most_reviewed_and_one_user_in_some(tmp_path: Path) -> None:
    meta = packed(tmp_path / "meta.gz", META_2014)
    many = [row | {"reviewerID": f"A{n}"} for n in range(40) for row in REVIEWS_2014[:2]]
    reviews = packed(tmp_path / "reviews.gz", lines(many))
    assert len(load_amazon_books(meta, reviews, most=1).catalogue) == 1
    some = load_amazon_books(meta, reviews, one_in=4).histories
    assert 3 <= len(some.users) <= 17
    assert all(len(some.of(user)) == 2 for user in some.users)
    with pytest.raises(InputError, match="one user in 0"):
        load_amazon_books(meta, reviews, one_in=0)


def test_bad_lines_are_counted_and_named(tmp_path: Path) -> None:
    good = lines(REVIEWS_2014).encode()
    bad = b'{"reviewerID": "A1"\n[1]\n{"asin": "x"}\n{"reviewerName": "Ren\xe9"}\n\n'
    path = packed(tmp_path / "reviews.json.gz", good + bad)
    ledger = Ledger()
    assert len(list(amazon_reviews(path, ledger))) == 4
    assert ledger.bad_lines == 4
    told = ledger.problems
    assert told[0].startswith("reviews.json.gz:5: is not JSON")
    assert told[1].startswith("reviews.json.gz:6: is no object but a list")
    assert told[2].startswith("reviews.json.gz:7: a review needs reviewerID or user_id")
    assert told[3] == "reviews.json.gz:8: byte 22 is not UTF-8; save the file as UTF-8"


def test_files_that_are_swapped_cut_or_missing_are_refused(tmp_path: Path) -> None:
    meta = packed(tmp_path / "meta.gz", META_2014)
    reviews = packed(tmp_path / "reviews.gz", lines(REVIEWS_2014))
    with pytest.raises(InputError, match="described"):
        load_amazon_books(reviews, meta)
    reviews.write_bytes(reviews.read_bytes()[:-12])
    with pytest.raises(InputError, match="damaged or cut short"):
        load_amazon_books(meta, reviews)
    with pytest.raises(InputError, match="cannot be read"):
        load_amazon_books(meta, tmp_path / "none.gz")
    with pytest.raises(InputError, match="is empty"):
        load_amazon_books(meta, packed(tmp_path / "empty.gz", ""))


def test_a_deep_or_endless_literal_is_a_bad_line(tmp_path: Path) -> None:
    deep = "{'asin': " + "[" * 5_000 + "]" * 5_000 + "}\n"
    long = "{'asin': '" + "x" * (1 << 20) + "'}\n"
    ledger = Ledger()
    assert list(amazon_books(packed(tmp_path / "meta.gz", deep + long), ledger)) == []
    assert ledger.bad_lines == 2


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    line = json.dumps(REVIEWS_2014[0] | {"reviewText": "word " * 100}) + "\n"
    path = tmp_path / "reviews.json.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(40):
            file.write(line.encode() * 1_000)
    tracemalloc.start()
    assert sum(1 for _ in amazon_reviews(path, Ledger())) == 40_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 40_000 * len(line) > 25_000_000
    assert peak < 8_000_000


def test_a_line_separator_within_a_text_splits_no_line(tmp_path: Path) -> None:
    row = {"parent_asin": "P", "title": "One\u2028Two\u0085Three", "categories": None}
    ledger = Ledger()
    (book,) = amazon_books(packed(tmp_path / "meta.gz", lines([row])), ledger)
    assert book.title == "One Two Three"
    assert ledger.bad_lines == 0


@given(st.dictionaries(st.sampled_from(
    "asin parent_asin title brand author store category categories details overall rating timestamp"
    " unixReviewTime user_id reviewerID".split()),
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
                 lambda inner: st.lists(inner, max_size=3)
                 | st.dictionaries(st.text(max_size=5), inner, max_size=3),
                 max_leaves=6)))  # fmt: skip
def test_no_value_of_another_type_breaks_the_reading(row: dict[str, object]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.json"
        path.write_text(json.dumps(row) + "\n", encoding="utf-8")
        ledger = Ledger()
        found = [*amazon_books(path, ledger), *amazon_reviews(path, ledger)]
        assert len(found) <= 2
