"""Build the embedded film catalogue from the film table of `bokeh-sampledata`.

    python scripts/build_films.py             writes films.parquet, and films.sha256 and
                                              films_left_out.csv beside it
    python scripts/build_films.py OUT         writes to another path
    python scripts/build_films.py --check     compares with the shipped files; exit 1 if they differ

The source is `movies.db` (SQLite) of the package `bokeh-sampledata` 2026.1: a Wikidata snapshot,
CC0-1.0, two tables of 17,472 rows joined by `ID`. One version of DuckDB writes the same bytes each
time: one thread, an explicit order, fixed row groups.

Rows: films with a year and at least one genre, language and country. Two films carry the `imdbID`
of another one; of such a pair the row with more reviews is kept, at a tie the one with the smaller
`ID`. Order: `popularity` descending, then `id` ascending. Id, title and year of the films left out
go to a small CSV file, in the order of their ids, so that histories that name them can be joined.

Values: the source joins names with ", ", so "Max Baer, Jr." and "Terror, Inc." come out of a split
in two halves. It also sorts the names of people and companies, so every name that holds a comma
and does not fit the order was found by looking for a value smaller than the one before it.
`_TAIL` and `_WITH_COMMA` put those together again.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import io
import json
import re
import sqlite3
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

import duckdb

PACKAGE, VERSION = "bokeh-sampledata", "2026.1"
SOURCE_SHA256 = "1d9c6a02e488d0354b2309e16130c58820a91ac2ce417e814c5964f9579a65ac"
SHIPPED = Path(__file__).parents[1] / "src/mystery_shopper/data/films.parquet"
LEFT_OUT = "films_left_out.csv"
MOST_BYTES = 3_000_000

COLUMNS = {
    "id": "VARCHAR",
    "title": "VARCHAR",
    "year": "INTEGER",
    "runtime": "INTEGER",
    "genre": "VARCHAR[]",
    "language": "VARCHAR[]",
    "country": "VARCHAR[]",
    "director": "VARCHAR[]",
    "writer": "VARCHAR[]",
    "cast": "VARCHAR[]",
    "certificate": "VARCHAR",
    "production_company": "VARCHAR[]",
    "box_office": "DOUBLE",
    "critic_score": "INTEGER",
    "awards": "VARCHAR",
    "popularity": "INTEGER",
}

# The columns in the order of COLUMNS; of two rows with one imdbID the one to keep comes first.
_QUERY = """
SELECT o."imdbID", o."Title", o."Year", o."Runtime", o."Genre", o."Language", o."Country",
       o."Director", o."Writer", o."Cast", o."Rating", t."Production", t."BoxOffice", t."Meter",
       o."Awards", coalesce(t."Reviews", 0)
FROM omdb AS o JOIN tomatoes AS t ON t."ID" = o."ID"
ORDER BY 16 DESC, o."ID"
"""

# The second half of a name that holds a comma: a suffix, a company's form, a rank or a title.
_TAIL = re.compile(
    r"Jr\.?|Sr\.?|II|III|IV|M\.D\.|Ph\.D\.|Esq\.|Inc\.?|Ltd\.?|LLC|L\.P\.|S\.A\."
    r"|\d+(?:st|nd|rd|th) (?:Baron|Baronet|Earl|Marquess|Prince|Viscount)\b.*"
    r"|(?:Countess|Duchess|Duke|Prince|Prince Consort|Princess) of .+"
)
_WITH_COMMA = frozenset(
    {
        "Crosby, Stills & Nash",
        "Earth, Wind & Fire",
        "Goodby, Silverstein & Partners",
        "Shu, Guozhi",
        "Tyler, the Creator",
    }
)

# Labels as English readers know them. "Egyptian language" is the tongue of the pharaohs.
_CORRECTED = {
    "Bangla": "Bengali",
    "Egyptian language": "Ancient Egyptian",
    "Jin": "Jin Chinese",
    "Judeo-Moroccan": "Judeo-Moroccan Arabic",
    "Kurdish language": "Kurdish",
    "Neapolitan language": "Neapolitan",
    "Putonghua": "Standard Chinese",
    "Shuwa": "Chadian Arabic",
    "parseltongue": "Parseltongue",
}
_NO_LANGUAGE = frozenset({"artistic language", "multiple languages"})
_NO_NAME = re.compile(r"list of .+|art director|dialogue writer")


@dataclass(frozen=True)
class Built:
    """The rows kept, those without a genre, language, country or year, and how many were dropped
    for which reason (the first that applies)."""

    rows: tuple[Mapping[str, object], ...]
    left_out: tuple[Mapping[str, object], ...]
    dropped: Mapping[str, int]


def main() -> int:
    """0 when written or equal, 1 when `--check` finds a difference, 2 without the source."""
    parser = argparse.ArgumentParser(description="Build the embedded film catalogue.")
    parser.add_argument("out", nargs="?", type=Path, default=SHIPPED, help="the Parquet file")
    parser.add_argument("--check", action="store_true", help="compare with OUT, write nothing")
    options = parser.parse_args()
    out: Path = options.out
    try:
        built = build(source())
    except LookupError as error:
        print(error.args[0], file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / "films.parquet"
        write(built.rows, fresh)
        data = fresh.read_bytes()
    print(f"rows    {len(built.rows)}")
    for reason, count in built.dropped.items():
        print(f"dropped {count} ({reason})")
    print(f"bytes   {len(data)}")
    print(f"sha256  {hashlib.sha256(data).hexdigest()}")
    if len(data) > MOST_BYTES:
        print(f"{len(data)} bytes are more than {MOST_BYTES}", file=sys.stderr)
        return 1
    others = left_out_text(built.left_out).encode("utf-8")
    beside = out.with_name(LEFT_OUT)
    if options.check:
        found = [_compare(data, out)]
        # Another file than the shipped one may have none beside it.
        if out == SHIPPED or beside.is_file():
            found.append(_compare(others, beside))
        return max(found)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(data)
    beside.write_bytes(others)
    checksum = f"{hashlib.sha256(data).hexdigest()}  {out.name}\n"
    out.with_suffix(".sha256").write_text(checksum, encoding="utf-8", newline="\n")
    return 0


def _compare(data: bytes, shipped: Path) -> int:
    if shipped.is_file() and shipped.read_bytes() == data:
        print(f"{shipped.name} is up to date")
        return 0
    print(
        f"{shipped} is missing or differs from what DuckDB {duckdb.__version__} writes. "
        "Run this script without --check, or with the DuckDB of the dev group.",
        file=sys.stderr,
    )
    return 1


def source() -> Path:
    """`movies.db` of the installed package, which is not imported.

    Raises LookupError when the package is missing, of another version, or has other bytes.
    """
    remedy = f"Install {PACKAGE}=={VERSION}."
    try:
        package = metadata.distribution(PACKAGE)
    except metadata.PackageNotFoundError:
        raise LookupError(f"{PACKAGE} is not installed. {remedy}") from None
    if package.version != VERSION:
        raise LookupError(f"{PACKAGE} is {package.version}, not {VERSION}. {remedy}")
    path = next((f for f in package.files or () if f.name == "movies.db"), None)
    if path is None:
        raise LookupError(f"{PACKAGE} {VERSION} holds no movies.db. {remedy}")
    located = Path(str(path.locate()))
    if hashlib.sha256(located.read_bytes()).hexdigest() != SOURCE_SHA256:
        raise LookupError(f"{located} is not the movies.db of {PACKAGE} {VERSION}. {remedy}")
    return located


def build(database: Path) -> Built:
    """The films of `database` that can be used."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        films = [_film(dict(zip(COLUMNS, row, strict=True))) for row in connection.execute(_QUERY)]
    kept: dict[str, Mapping[str, object]] = {}
    others: dict[str, Mapping[str, object]] = {}
    dropped: Counter[str] = Counter()
    for film in films:
        key = str(film["id"])
        missing = next((n for n in ("genre", "language", "country", "year") if not film[n]), None)
        if missing is not None:
            dropped[f"no {missing}"] += 1
            others.setdefault(key, film)
        elif key in kept:
            dropped["imdbID of a film with more reviews"] += 1
        else:
            kept[key] = film
    left_out = tuple(others[key] for key in sorted(others) if key not in kept)
    return Built(tuple(kept.values()), left_out, dict(dropped.most_common()))


def left_out_text(rows: Iterable[Mapping[str, object]]) -> str:
    """The films left out as CSV: id, title, year (empty where unknown)."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = ("id", "title", "year")
    writer.writerow(names)
    writer.writerows([row[name] for name in names] for row in rows)
    return text.getvalue()


def _film(record: Mapping[str, object]) -> dict[str, object]:
    film: dict[str, object] = {}
    for name, kind in COLUMNS.items():
        value = record[name]
        if kind == "VARCHAR[]":
            film[name] = split(str(value or ""))
        elif kind == "VARCHAR":
            film[name] = _clean(str(value or "")) or None
        elif kind == "INTEGER" and isinstance(value, int | float):
            film[name] = round(value)
        else:
            film[name] = value
    film["language"] = _languages(split(str(record["language"] or "")))
    cast = split(str(record["cast"] or ""))
    film["cast"] = [name for name in cast if not _NO_NAME.fullmatch(name)]
    return film


def split(joined: str) -> list[str]:
    """The values of a comma-joined text, in its order, each once.

    >>> split("Danny Glover, Max Baer, Jr., Pink,  Pink")
    ['Danny Glover', 'Max Baer, Jr.', 'Pink']
    """
    values: list[str] = []
    for part in map(_clean, joined.split(", ")):
        whole = f"{values[-1]}, {part}" if values else part
        if values and (_TAIL.fullmatch(part) or whole in _WITH_COMMA):
            values[-1] = whole
        elif part:
            values.append(part)
    return list(dict.fromkeys(values))


def _clean(text: str) -> str:
    """NFC, with single spaces and none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def _languages(labels: Iterable[str]) -> list[str]:
    """Corrected labels, each once. A label that names no language stays if it is the only one."""
    corrected = list(dict.fromkeys(_CORRECTED.get(label, label) for label in labels))
    return [label for label in corrected if label not in _NO_LANGUAGE] or corrected


def write(rows: Iterable[Mapping[str, object]], out: Path) -> None:
    """One Parquet file: zstd, row groups of 20,480 rows, most popular film first."""
    types = ", ".join(f"'{name}': '{kind}'" for name, kind in COLUMNS.items())
    lines = out.with_suffix(".jsonl")
    with lines.open("w", encoding="utf-8") as stream:
        stream.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(
            "COPY (SELECT * FROM read_json("
            f"{_quoted(lines)}, format = 'newline_delimited', columns = {{{types}}})"
            f" ORDER BY popularity DESC, id) TO {_quoted(out)}"
            " (FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 22, ROW_GROUP_SIZE 20480)"
        )
    lines.unlink()


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


if __name__ == "__main__":
    sys.exit(main())
