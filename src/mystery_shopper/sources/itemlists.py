"""Catalogues out of plain lists of items: the films of MovieLens (`movies.dat`, `movies.csv`),
books in the same form (`books.dat`: id::title), and items of which only titles are known.

The domains are the shipped `movielens` and `named_books`; a catalogue of counted items has a field
`popularity` besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from mystery_shopper.catalog import Catalogue, build_catalogue, parse_domain
from mystery_shopper.catalog.catalogue import id_problem
from mystery_shopper.catalog.titles import split_year
from mystery_shopper.foundation import InputError, at_most
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.reading import mended, separated, with_header

FILMS, BOOKS = "movielens", "named_books"
NO_GENRES = "(no genres listed)"
MOST_PROBLEMS = 20
_POPULARITY = "  popularity: {{kind: integer, label: number of {what}}}\npopularity: popularity\n"


@dataclass(frozen=True)
class Listed:
    """One item of a list. `title` without its year; `year` where the title said one."""

    id: str
    title: str
    year: int | None = None
    genres: tuple[str, ...] = ()


@dataclass(frozen=True)
class ItemList:
    """The items of a list in the file's order, what could not be read, and what was mended or lost
    in reading."""

    items: tuple[Listed, ...]
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    titles: Mapping[str, str] = field(default_factory=dict[str, str])
    """Id -> title as the file has it, year and all."""


def dated(title: str) -> tuple[str, int | None]:
    """(title, year) of a title with its year in brackets."""
    plain = " ".join(title.split())
    name, year = split_year(plain)
    return (name, year) if name and year is not None else (plain, None)


def read_items(path: Path, *, skip: bool = False) -> ItemList:
    """The items of `movies.dat` (id::title::genres), `books.dat` (id::title, and genres where it
    has them) or `movies.csv`.

    Lines that hold no item, and ids that occur again, stop the reading; with `skip` they are left
    out and told. Raises InputError with these, those of one kind together and at most 20 kinds, or
    where no item is left.
    """
    ledger = Ledger()
    items: dict[str, Listed] = {}
    titles: dict[str, str] = {}
    first: dict[str, int] = {}
    for line, ident, title, genres in _rows(path, ledger):
        wrong = id_problem(ident)
        if wrong:
            ledger.bad(path, line, f"id {ident!r} {wrong}; give each item an id of its own")
        elif not title:
            ledger.bad(path, line, f"item {ident} has no title; give it one or delete the line")
        elif ident in items:
            ledger.bad(path, line, f"id {ident} is that of line {first[ident]} already; keep one")
        else:
            name, year = dated(title)
            first[ident], titles[ident] = line, title
            items[ident] = Listed(ident, name, year, genres)
    lost = [title for title in titles.values() if "\ufffd" in title]
    remarks = list(ledger.remarks)
    if lost:
        remarks.append(
            f"{path.name}: {len(lost)} titles lost letters to a wrong encoding, {lost[0]!r} first;"
            " give the file as it was released"
        )
    if (ledger.problems and not skip) or not items:
        told = at_most(ledger.problems, MOST_PROBLEMS)
        if len(told) >= MOST_PROBLEMS:
            told = [*told[:MOST_PROBLEMS], f"of {ledger.bad_lines:,} such lines in all"]
        raise InputError(
            told or ["holds no item"],
            where=str(path),
            remedy="Mend these lines, or leave them out with --on-bad skip.",
        )
    return ItemList(tuple(items.values()), tuple(ledger.problems), tuple(remarks), titles)


def _rows(path: Path, ledger: Ledger) -> Iterator[tuple[int, str, str, tuple[str, ...]]]:
    """(line, id, title, genres)."""
    if path.suffix == ".csv":
        names = ("movieId", "title")
        for line, (ident, title, genres) in with_header(path, names, ledger, ("genres",)):
            yield line, ident.strip(), mended(title.strip()), _genres(genres)
        return
    films = path.stem.startswith("movies")
    for line, (ident, *rest) in separated(path, "::", ("id", "title"), ledger, exact=False):
        if films and len(rest) < 2:
            # Its title or its genres were lost: which of them, the line does not say.
            ledger.bad(
                path, line, "2 parts, where id::title::genres are 3; add what is missing (a film"
                " without genres is id::title::)",
            )  # fmt: skip
            continue
        # A title may hold "::"; what stands last are the genres.
        title, genres = ("::".join(rest[:-1]), rest[-1]) if len(rest) > 1 else (rest[0], "")
        yield line, ident.strip(), mended(title.strip()), _genres(genres)


def _genres(text: str) -> tuple[str, ...]:
    parts = (part.strip() for part in text.split("|"))
    return tuple(dict.fromkeys(part for part in parts if part and part != NO_GENRES))


def catalogue_of(
    items: Sequence[Listed],
    domain: str,
    *,
    name: str,
    popularity: Mapping[str, int] | None = None,
    counted: str = "ratings",
) -> tuple[Catalogue, str]:
    """(catalogue, the YAML of its domain) of items. `popularity`: id -> how many `counted` it has;
    without it the order is that of the ids. Raises InputError where there is no item."""
    place = resources.files("mystery_shopper") / "data" / "domains" / f"{domain}.yaml"
    text = place.read_text(encoding="utf-8")
    if popularity is not None:
        text += _POPULARITY.format(what=counted)
    spec = parse_domain(text.encode(), f"{domain}.yaml")
    every: dict[str, Iterable[object]] = {
        "title": [item.title for item in items],
        "author": [() for _ in items],
        "genre": [item.genres for item in items],
        "year": [item.year for item in items],
    }
    values = {field: list(every[field]) for field in spec.fields if field in every}
    if popularity is not None:
        values["popularity"] = [popularity.get(item.id, 0) for item in items]
    return build_catalogue(name, spec, [item.id for item in items], values), text
