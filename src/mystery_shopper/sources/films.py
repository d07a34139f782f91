"""The embedded film catalogue: 16,852 films of a Wikidata snapshot (CC0-1.0).

`scripts/build_films.py` makes the file that is read here; `data/FILMS-LICENSE.md` says where its
rows come from and what was changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from mystery_shopper.catalog import Catalogue, Domain, build_catalogue, load_domain
from mystery_shopper.foundation import InputError

FILM_SIZES = (5_000, 10_000)
_SPELT = {"cast": {"Shauna Macdonald": "Shauna MacDonald"}}
"""The file has this name in both spellings; the shipped tasks were drawn with the second, the rarer
one."""


@lru_cache(maxsize=1)
def load_films() -> Catalogue:
    """The film catalogue with its nested subsets of 5,000, 10,000 and all. Read once a process."""
    data = resources.files("mystery_shopper") / "data" / "films.parquet"
    with resources.as_file(data) as path:
        return read_parquet(path, "films", load_domain("films"), FILM_SIZES, _SPELT)


def read_parquet(
    path: Path,
    name: str,
    domain: Domain,
    sizes: tuple[int, ...] = (),
    spelt: Mapping[str, Mapping[str, str]] = MappingProxyType({}),
) -> Catalogue:
    """A catalogue from a Parquet file with an `id` column and one column a field. `spelt`: field of
    lists of labels -> spelling in the file -> the one to take.

    Raises InputError where the file cannot be read or lacks a column.
    """
    import duckdb

    try:
        with duckdb.connect(":memory:") as connection:
            table = connection.execute("select * from read_parquet(?)", [str(path)])
            names = [column[0] for column in table.description or []]
            rows = table.fetchall()
    except duckdb.Error as error:
        raise InputError(
            f"cannot be read as Parquet ({error})", where=str(path), remedy="Build the file again."
        ) from None
    columns: dict[str, list[Any]] = (
        {
            column: list(values)
            for column, values in zip(names, zip(*rows, strict=True), strict=True)
        }
        if rows
        else {column: [] for column in names}
    )
    if "id" not in columns:
        raise InputError("there is no id column", where=str(path), remedy="Build the file again.")
    for field, other in spelt.items():
        columns[field] = [_respelt(names, other) for names in columns[field]]
    return build_catalogue(name, domain, columns.pop("id"), columns, sizes)


def _respelt(labels: list[str] | None, other: Mapping[str, str]) -> list[str] | None:
    if labels is None or other.keys().isdisjoint(labels):
        return labels
    return [other.get(label, label) for label in labels]
