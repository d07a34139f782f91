"""Files that other people wrote, built into catalogues. They lie beside the project."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest

from mystery_shopper.catalog import Catalogue, parse_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.building import Account, OnError, build_from_table
from mystery_shopper.sources.tables import Broken, open_table

DATA = Path(__file__).parents[3].parent / "shared" / "data"
NOVELS = DATA / "top-500-novels" / "top-500-novels-metadata_2025-01-11.csv"
pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the folder shared/data beside the project is missing"
)


def build(path: Path, domain: bytes, on_error: OnError = "stop") -> tuple[Catalogue, Account]:
    head = b"name: real\nnoun: {singular: thing, plural: things}\n"
    return build_from_table(
        open_table(path), parse_domain(head + domain, "real"), name="real", on_error=on_error
    )


def reference(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file)


@pytest.mark.parametrize(
    "name",
    ["goodbooks-10k/books.csv", "tmdb-5000/tmdb_5000_movies.csv", "ml-latest-small/movies.csv",
     "ml-latest-small/tags.csv", NOVELS.relative_to(DATA).as_posix()],
)  # fmt: skip
def test_every_cell_is_the_one_that_the_csv_module_reads(name: str) -> None:
    path = DATA / name
    table = open_table(path)
    found = list(table.rows())
    assert not [entry for entry in found if isinstance(entry, Broken)]
    rows = [list(entry[1]) for entry in found if not isinstance(entry, Broken)]
    assert rows == [list(row.values()) for row in reference(path)]


BOOKS = b"""
id: book_id
title: title
popularity: ratings
fields:
  title: {kind: text}
  authors: {kind: categories, source: {separator: ","}}
  year: {kind: integer, source: {column: original_publication_year}}
  language: {kind: category, source: {column: language_code}}
  rating: {kind: number, source: {column: average_rating}}
  ratings: {kind: integer, source: {column: ratings_count}}
"""


def test_goodbooks() -> None:
    books, account = build(DATA / "goodbooks-10k" / "books.csv", BOOKS)
    assert len(books) == account.read == account.kept == 10_000
    first = books.item(0)
    assert (first.id, first.title, first["year"], first["rating"], first["language"]) == (
        "1", "The Hunger Games (The Hunger Games, #1)", 2008, 4.34, "eng",
    )  # fmt: skip
    assert first["authors"] == ("Suzanne Collins",)
    years = {row["book_id"]: row["original_publication_year"] for row in
             reference(DATA / "goodbooks-10k" / "books.csv")}  # fmt: skip
    for position in range(0, 10_000, 97):
        item = books.item(position)
        assert item["year"] == (int(float(years[item.id])) if years[item.id] else None)
    year = account.fields[2]
    assert (year.known, year.missing) == (9_979, 21)
    assert min(books.numbers("year").numbers) == -1750
    assert not any(one.dropped for one in account.fields)


NOVEL_FIELDS = b"""
id: top_500_rank
title: title
popularity: ratings
fields:
  title: {kind: text}
  author: {kind: category}
  genre: {kind: categories, source: {separator: ",", missing: [NA]}}
  year: {kind: integer, source: {column: pub_year}}
  ratings: {kind: integer, source: {column: gr_num_ratings}}
"""


def test_novels_with_a_mark_and_thousands() -> None:
    novels, account = build(NOVELS, NOVEL_FIELDS)
    assert account.form == "CSV, separated by ',', UTF-8 (with a byte order mark)"
    assert len(novels) == 500
    by_rank = {row["top_500_rank"]: row for row in reference(NOVELS)}
    for item in map(novels.item, range(500)):
        row = by_rank[item.id]
        assert item["ratings"] == int(row["gr_num_ratings"].replace(",", ""))
        assert item["year"] == int(row["pub_year"])
    genre = account.fields[2]
    assert (genre.known, genre.missing) == (279, 221)
    assert any("distinct labels" in told for told in account.fields[1].warnings)


def test_novels_with_the_wrong_decimal_mark() -> None:
    wrong = NOVEL_FIELDS.replace(b"gr_num_ratings", b'gr_avg_rating, decimal: ","')
    with pytest.raises(InputError) as caught:
        build(NOVELS, wrong)
    assert caught.value.problems[0] == (
        "line 2, column 'gr_avg_rating': '3.9' is not a number with the decimal mark ','"
        ' (field ratings); `source: {decimal: "."}` reads it'
    )


def test_films_with_lists_in_json_and_dates() -> None:
    films, account = build(
        DATA / "tmdb-5000" / "tmdb_5000_movies.csv",
        b"""
id: id
title: title
popularity: popularity
fields:
  title: {kind: text}
  genres: {kind: categories}
  year: {kind: integer, source: {column: release_date, part: year}}
  runtime: {kind: integer, source: {missing: ["0.0"]}}
  popularity: {kind: number}
""",
    )
    assert len(films) == 4_803
    assert films.find("19995") is not None
    assert films.find("19995")["year"] == 2009  # pyright: ignore[reportOptionalSubscript]
    year = account.fields[2]
    assert (year.known, year.missing) == (4_802, 1)
    assert films.find("19995")["genres"] == (  # pyright: ignore[reportOptionalSubscript]
        "Action",
        "Adventure",
        "Fantasy",
        "Science Fiction",
    )
    assert (account.fields[1].labels, account.fields[1].missing) == (20, 28)


def test_movielens_with_and_without_its_separator() -> None:
    path = DATA / "ml-latest-small" / "movies.csv"
    head = b"id: movieId\ntitle: title\nfields:\n  title: {kind: text}\n"
    source = b'{separator: "|", missing: ["(no genres listed)"]}'
    named, account = build(path, head + b"  genres: {kind: categories, source: " + source + b"}\n")
    assert len(named.labels("genres").labels) == 19
    assert (account.fields[1].known, account.fields[1].missing) == (9_708, 34)
    _, account = build(path, head + b"  genres: {kind: category}\n")
    assert any("hold '|'" in told and 'separator: "|"' in told
               for told in account.fields[1].warnings)  # fmt: skip


def test_a_word_for_no_value_is_pointed_at() -> None:
    _, account = build(NOVELS, NOVEL_FIELDS.replace(b", missing: [NA]", b""))
    assert account.fields[2].known == 500
    assert account.fields[2].warnings == (
        "the separator ',' occurs in no value: is it another?",
        "221 values are 'na': if it stands for no value, set `source: {missing: ['na']}`",
    )


def test_columns_that_are_not_there() -> None:
    with pytest.raises(InputError) as caught:
        build(NOVELS, BOOKS)
    assert [problem.split(" (")[0] for problem in caught.value.problems] == [
        f"there is no column '{name}'"
        for name in ("book_id", "authors", "original_publication_year", "language_code",
                     "average_rating", "ratings_count")
    ]  # fmt: skip
    assert "did you mean 'author'" in caught.value.problems[1]
