"""The embedded catalogue as it is loaded, and Parquet files that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from mystery_shopper.catalog import Catalogue, load_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_films, read_parquet

Builder = Callable[..., Catalogue]


def write(path: Path, query: str) -> Path:
    duckdb.sql(query).write_parquet(str(path))
    return path


def test_the_films_are_all_there_in_popularity_order() -> None:
    films = load_films()
    assert len(films) == 16_852
    assert films.sizes == (5_000, 10_000, 16_852)
    assert films.item(0).title == "Skyfall"
    popularity = films.numbers("popularity").numbers
    assert (popularity[:-1] >= popularity[1:]).all()


def test_the_subsets_lie_inside_one_another() -> None:
    films = load_films()
    small, middle = (set(films.nested(size).ids) for size in (5_000, 10_000))
    assert small < middle < set(films.ids)
    assert (len(small), len(middle)) == (5_000, 10_000)


def test_the_films_are_read_once() -> None:
    assert load_films() is load_films()


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ("select 1 as number", "there is no id column"),
        ("select 'a' as id, 'b' as title", "field 'genre' of domain films has no column"),
        ("select 'a' as id where false", "the catalogue is empty"),
    ],
)
def test_a_file_of_another_shape_is_refused(tmp_path: Path, query: str, problem: str) -> None:
    path = write(tmp_path / "shop.parquet", query)
    with pytest.raises(InputError, match=problem):
        read_parquet(path, "shop", load_domain("films"))


def test_what_is_no_parquet_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "films.parquet"
    path.write_text("no parquet", encoding="utf-8")
    with pytest.raises(InputError, match=r"films\.parquet: cannot be read as Parquet"):
        read_parquet(path, "shop", load_domain("films"))
