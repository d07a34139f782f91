"""MovieLens in each of its shapes, joined to the film catalogue.

    ml-1m, ml-10m         ratings.dat, movies.dat, users.dat (1M): parts set off by "::"
    ml-100k               u.data, u.item, u.user: tabs and bars
    ml-latest*, ml-20m,   ratings.csv, movies.csv, links.csv
    ml-25m, ml-32m

The files in the folder tell which one it is. GroupLens's terms (research, no redistribution) stand
in each release's README.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.titles import title_keys
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories import movielens_files as files
from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.gathering import Found, Gathering, Joined, Loaded, Several
from mystery_shopper.sources.histories.joining import LOST, TitleIndex, TitleJoin
from mystery_shopper.sources.histories.left_out import films_left_out
from mystery_shopper.sources.histories.reading import require

_IMDB = re.compile(r"tt\d{7,}")


class Shape(NamedTuple):
    """One shape of the release: its name, the files it must have, and those it may have."""

    name: str
    ratings: str
    movies: str
    users: str
    links: str
    read_ratings: Callable[[Path, Ledger], Iterator[files.Rating]]
    read_movies: Callable[[Path, Ledger], Iterator[files.Movie]]


SHAPES = (
    Shape("MovieLens CSV", "ratings.csv", "movies.csv", "", "links.csv", files.csv_ratings,
          files.csv_movies),
    Shape("MovieLens .dat", "ratings.dat", "movies.dat", "users.dat", "", files.dat_ratings,
          files.dat_movies),
    Shape("MovieLens 100K", "u.data", "u.item", "u.user", "", files.data_ratings,
          files.item_movies),
)  # fmt: skip


def load_movielens(
    folder: Path, catalogue: Catalogue | None = None, *, keep_left_out: bool = False
) -> Loaded:
    """The histories of a release, joined to a catalogue, by default the embedded films.

    The account counts as joined what is of a known film, also those that the embedded catalogue
    leaves out since they have no genre or language; the histories hold them only where
    `keep_left_out`. Raises InputError where the folder is no such release, a file is missing or of
    another form, or no rating is joined.
    """
    folder, shape = detect(folder)
    require(folder, (shape.ratings, shape.movies), "MovieLens")
    ledger = Ledger()
    joiner = Joiner.of(folder, shape, catalogue, ledger)
    gathering = Gathering(joiner.join, ledger, keep_left_out)
    path = folder / shape.ratings
    for line, user, movie, rating, time in shape.read_ratings(path, ledger):
        gathering.add(path, line, user, movie, rating, time)
    ledger.refuse_if_foreign(path, ledger.read - ledger.out_of_range)
    who = {}
    if shape.users and (folder / shape.users).is_file():
        read_users = files.dat_users if shape.users.endswith(".dat") else files.u_users
        who = read_users(folder / shape.users, ledger)
    return gathering.loaded(f"{shape.name} ({folder.name})", str(folder), who)


def detect(folder: Path) -> tuple[Path, Shape]:
    """(folder, shape) of a release; the folder may hold it as its only folder. Raises InputError
    that says what was found instead."""
    if folder.is_file():
        remedy = (
            "Unpack it, and name the folder." if folder.suffix == ".zip" else "Name its folder."
        )
        raise InputError("is a file", where=str(folder), remedy=remedy)
    if not folder.is_dir():
        raise InputError("there is no such folder", where=str(folder), remedy="Name a folder.")
    inner = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    for place in (folder, *(inner if len(inner) == 1 else ())):
        for shape in SHAPES:
            if (place / shape.ratings).is_file() or (place / shape.movies).is_file():
                return place, shape
    found = ", ".join(sorted(path.name for path in folder.iterdir())[:8]) or "nothing"
    raise InputError(
        f"is no MovieLens release (it holds {found})",
        where=str(folder),
        remedy="Name a folder with ratings.csv and movies.csv, ratings.dat and movies.dat, or"
        " u.data and u.item.",
    )


@dataclass
class Joiner:
    """Which film of ours each film of a release is."""

    titles: Mapping[str, str]
    by_id: Mapping[str, str]
    by_title: TitleJoin
    inside: Container[str]

    @classmethod
    def of(cls, folder: Path, shape: Shape, catalogue: Catalogue | None, ledger: Ledger) -> Joiner:
        """Read the films of a release, and its links."""
        films = load_films()
        ours = films if catalogue is None else catalogue
        index = TitleIndex.of_catalogue(ours, films_left_out() if ours.name == films.name else ())
        titles = _titles(folder / shape.movies, shape, ledger)
        links: dict[str, tuple[str, str]] = {}
        if shape.links and (folder / shape.links).is_file():
            links = files.csv_links(folder / shape.links, ledger)
        if any(_IMDB.fullmatch(item) for item in index.ids):
            by_id = {movie: imdb for movie, (imdb, _) in links.items() if imdb in index.ids}
            other = {movie for movie, (imdb, _) in links.items() if imdb and movie not in by_id}
        else:
            by_id, other = _by_tmdb(links, titles, index), set[str]()
        named = {movie: (title, None) for movie, title in titles.items()}
        return cls(titles, by_id, TitleJoin(index, named, by_id, other), ours.position_of)

    def join(self, movie: str) -> Found:
        """The film that this one is, or the title under which it is ambiguous or unknown."""
        item, how = self.by_id.get(movie), "id"
        if item is None:
            item, how = self.by_title.found.get(movie), "title"
        if item is None:
            title = self.titles.get(movie, f"movie {movie} (without a title)")
            return Several(title) if self.by_title.unclear(movie) else title
        return Joined(item, how, item in self.inside)


def _by_tmdb(
    links: Mapping[str, tuple[str, str]], titles: Mapping[str, str], index: TitleIndex
) -> dict[str, str]:
    """In a catalogue of other ids: the item with the film's TMDB id, where the title agrees."""
    return {
        movie: tmdb
        for movie, (_, tmdb) in links.items()
        if tmdb in index.ids
        and movie in titles
        and set(title_keys(titles[movie])) & set(title_keys(index.title_of(tmdb)))
    }


class FilmsJoined(NamedTuple):
    """How many films of a release are known, without regard to ratings."""

    source: str
    films: int
    joined: int
    left_out: int
    joined_by: Mapping[str, int]
    unknown: tuple[str, ...]
    remarks: tuple[str, ...]
    ambiguous: tuple[str, ...] = ()

    @property
    def share_joined(self) -> float:
        """The share of the films that are known, in the catalogue or not."""
        return self.joined / self.films if self.films else 0.0


def join_movielens_films(folder: Path, catalogue: Catalogue | None = None) -> FilmsJoined:
    """How the films of a release are joined; its ratings may be missing. Raises InputError as
    `load_movielens` does."""
    folder, shape = detect(folder)
    require(folder, (shape.movies,), "MovieLens")
    ledger = Ledger()
    joiner = Joiner.of(folder, shape, catalogue, ledger)
    by: Counter[str] = Counter()
    unknown: list[str] = []
    ambiguous: list[str] = []
    left_out = 0
    for movie in joiner.titles:
        found = joiner.join(movie)
        if isinstance(found, str):
            unknown.append(found)
        elif isinstance(found, Several):
            ambiguous.append(found.title)
        else:
            by[found.how] += 1
            left_out += not found.inside
    return FilmsJoined(
        f"{shape.name} ({folder.name})",
        len(joiner.titles),
        by.total(),
        left_out,
        dict(sorted(by.items())),
        tuple(unknown),
        (*ledger.problems, *ledger.remarks),
        tuple(ambiguous),
    )


def _titles(path: Path, shape: Shape, ledger: Ledger) -> dict[str, str]:
    """Movie -> title. A second film with one id is a bad line; titles that lost letters are told
    of."""
    titles: dict[str, str] = {}
    for line, movie, title in shape.read_movies(path, ledger):
        if movie in titles:
            ledger.bad(path, line, f"id {movie} is also {titles[movie]!r}; keep one of the two",
                       "twice")  # fmt: skip
        else:
            titles[movie] = title
    ledger.refuse_if_foreign(path, len(titles))
    if not titles:
        raise InputError("holds no film", where=str(path), remedy="Unpack the release again.")
    _tell_of_lost(path, titles.values(), ledger)
    return titles


def _tell_of_lost(path: Path, titles: Iterable[str], ledger: Ledger) -> None:
    lost = [title for title in titles if LOST in title]
    if lost:
        ledger.remarks.append(
            f"{path.name}: {len(lost)} titles lost letters ({', '.join(lost[:3])}): the file was"
            " read as UTF-8, is latin-1, and was saved; take the released file. Any letter is"
            " taken to fit."
        )
