"""Drafts of real exports, and the domains that an owner would end with."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from mystery_shopper.catalog import Domain, Kind, load_domain, parse_domain
from mystery_shopper.sources.building import Account, build_from_table
from mystery_shopper.sources.infer import Draft, infer_domain
from mystery_shopper.sources.shop import COLUMNS, Recipe
from mystery_shopper.sources.tables import open_table

DATA = Path(__file__).parents[4] / "shared" / "data"
DOMAINS = Path(__file__).parents[2] / "data" / "domains"
BOOKS = DATA / "goodbooks-10k" / "books.csv"
NOVELS = DATA / "top-500-novels" / "top-500-novels-metadata_2025-01-11.csv"
TMDB = DATA / "tmdb-5000" / "tmdb_5000_movies.csv"
MOVIES = DATA / "ml-latest-small" / "movies.csv"


def drafted(path: Path, name: str) -> tuple[Draft, Domain, Account]:
    """The draft of a file, and the account of building with it, unread."""
    if not path.is_file():
        pytest.skip(f"needs {path.parent.name}/{path.name} in the folder of shared data")
    table = open_table(path)
    draft = infer_domain(table, name=name)
    domain = parse_domain(draft.yaml.encode(), name)
    _, account = build_from_table(table, domain, name=name)
    return draft, domain, account


def test_the_shop_gives_the_domain_that_ships(tmp_path: Path) -> None:
    path = tmp_path / "shop.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *Recipe().rows()])
    _, found, account = drafted(path, "shop")
    shipped = load_domain("shop")
    names = {spec.source.column or name: name for name, spec in shipped.fields.items()}
    assert {names[name]: spec.kind for name, spec in found.fields.items()} == {
        name: spec.kind for name, spec in shipped.fields.items()
    }
    for name, spec in found.fields.items():
        wanted = shipped.fields[names[name]]
        assert spec.source.separator == wanted.source.separator
        assert (spec.requirement, spec.keyword, spec.most) == (
            wanted.requirement, wanted.keyword, wanted.most
        )  # fmt: skip
    assert (found.id, found.title, found.popularity) == ("sku", "title", "sold")
    assert found.formats is not None
    assert found.formats.column == "stock"
    assert (account.kept, account.dropped) == (5_000, ())
    assert not any(field.dropped for field in account.fields)


def test_goodbooks() -> None:
    draft, domain, account = drafted(BOOKS, "books")
    assert (domain.id, domain.title) == ("book_id", "title")
    assert (domain.popularity, domain.recency) == ("ratings_count", "original_publication_year")
    assert set(domain.requirement_fields) == {
        "authors", "original_publication_year", "language_code", "average_rating"
    }  # fmt: skip
    codes = {"goodreads_book_id", "best_book_id", "work_id", "isbn", "isbn13"}
    assert codes.isdisjoint(domain.fields)
    assert domain.fields["authors"].source.separator == ","
    assert any("authors" in look for look in draft.looks)
    assert domain.noun.plural == "books"
    assert (account.kept, any(field.dropped for field in account.fields)) == (10_000, False)


def test_novels() -> None:
    draft, domain, account = drafted(NOVELS, "novels")
    assert domain.title == "title"
    assert domain.popularity == "gr_num_ratings"
    assert domain.recency == "pub_year"
    assert domain.fields["genre"].source.missing == ("na",)
    assert {"oclc_owi", "author_viaf", "gr_url", "wiki_url"}.isdisjoint(domain.fields)
    assert "top_500_rank" not in domain.requirement_fields
    assert any("is it the id?" in asked for asked in draft.questions)
    known = {field.field: field.known for field in account.fields}
    assert (known["genre"], known["gr_num_ratings"]) == (279, 500)


def test_tmdb() -> None:
    draft, domain, account = drafted(TMDB, "tmdb_5000_movies")
    assert (domain.id, domain.title, domain.popularity) == ("id", "title", "popularity")
    assert domain.recency == "release_date"
    assert domain.fields["release_date"].source.part == "year"
    assert domain.noun.singular == "movie"
    assert not domain.fields["overview"].shown
    assert "homepage" not in domain.fields
    # Lists in JSON are fields if the builder takes them apart, and else told with a remedy.
    told = any(note.startswith("genres: left out") and "`|`" in note for note in draft.notes)
    assert told != ("genres" in domain.fields)
    labels = {field.field: field.labels for field in account.fields}
    assert labels.get("genres", 20) == 20
    assert account.kept == 4_803


def test_movielens() -> None:
    _, domain, account = drafted(MOVIES, "movies")
    spec = domain.fields["genres"]
    assert (spec.kind, spec.source.separator) == (Kind.CATEGORIES, "|")
    assert spec.source.missing == ("(no genres listed)",)
    assert domain.id == "movieId"
    (genres,) = (field for field in account.fields if field.field == "genres")
    assert genres.labels == 19
    assert genres.missing == 34


@pytest.mark.parametrize(("path", "name"), [(BOOKS, "goodbooks"), (NOVELS, "novels")])
def test_the_owners_domain_fits_its_file(path: Path, name: str) -> None:
    if not path.is_file():
        pytest.skip(f"needs {path.parent.name}/{path.name} in the folder of shared data")
    domain = load_domain(DOMAINS / f"{name}.yaml")
    catalogue, account = build_from_table(open_table(path), domain, name=name)
    assert len(catalogue) == (10_000 if name == "goodbooks" else 500)
    assert not account.dropped
    assert not any(field.dropped for field in account.fields)
    assert len(domain.requirement_fields) >= 5
