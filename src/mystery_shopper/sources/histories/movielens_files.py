"""The files of MovieLens, one function each."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from mystery_shopper.sources.histories.account import Ledger
from mystery_shopper.sources.histories.demographics import (
    AGES,
    GENDERS,
    OCCUPATIONS,
    Demographics,
    age_band,
    occupation_named,
)
from mystery_shopper.sources.histories.reading import Line, mended, separated, with_header

Rating: TypeAlias = tuple[int, str, str, float, int]
"""Line, user, movie, rating, time in seconds."""
Movie: TypeAlias = tuple[int, str, str]
"""Line, movie, title."""
_FORM = ("user", "movie", "rating", "time")
_NUMBERS = "two names and two numbers are needed; mend or delete the line"


def csv_ratings(path: Path, ledger: Ledger) -> Iterator[Rating]:
    """ratings.csv: userId, movieId, rating, timestamp."""
    names = ("userId", "movieId", "rating", "timestamp")
    return _ratings(path, with_header(path, names, ledger), ledger)


def dat_ratings(path: Path, ledger: Ledger) -> Iterator[Rating]:
    """ratings.dat: user::movie::rating::time."""
    return _ratings(path, separated(path, "::", _FORM, ledger), ledger)


def data_ratings(path: Path, ledger: Ledger) -> Iterator[Rating]:
    """u.data: user, movie, rating, time, set off by tabs."""
    return _ratings(path, separated(path, "\t", _FORM, ledger), ledger)


def _ratings(path: Path, lines: Iterator[Line], ledger: Ledger) -> Iterator[Rating]:
    for line, (user, movie, rating, time) in lines:
        try:
            value, when = float(rating), int(float(time))
        except (ValueError, OverflowError):
            value, when = math.nan, 0
        if math.isnan(value) or not user.strip() or not movie.strip():
            ledger.bad(path, line, f"user {user!r}, movie {movie!r}, rating {rating!r}, time"
                       f" {time!r}: {_NUMBERS}",
                       "rating" if user.strip() and movie.strip() else "name")  # fmt: skip
            continue
        yield line, user.strip(), movie.strip(), value, when


def csv_movies(path: Path, ledger: Ledger) -> Iterator[Movie]:
    """movies.csv: movieId, title; the title quoted where it holds a comma."""
    for line, (movie, title) in with_header(path, ("movieId", "title"), ledger):
        yield line, movie, mended(title.strip())


def dat_movies(path: Path, ledger: Ledger) -> Iterator[Movie]:
    """movies.dat: movie::title::genres. A title may hold "::"."""
    form = ("movie", "title", "genres")
    for line, (movie, *title, _) in separated(path, "::", form, ledger, exact=False):
        yield line, movie, mended("::".join(title).strip())


def item_movies(path: Path, ledger: Ledger) -> Iterator[Movie]:
    """u.item: movie|title|release date|video release date|address|19 genres."""
    form = ("movie", "title", "date", "video date", "address")
    for line, (movie, title, *_) in separated(path, "|", form, ledger, exact=False):
        yield line, movie, mended(title.strip())


def csv_links(path: Path, ledger: Ledger) -> dict[str, tuple[str, str]]:
    """links.csv: movie -> (IMDb id as "tt0114709" or "", TMDB id or "")."""
    links: dict[str, tuple[str, str]] = {}
    for line, (movie, imdb, tmdb) in with_header(
        path, ("movieId", "imdbId"), ledger, optional=("tmdbId",)
    ):
        digits = imdb.strip().removeprefix("tt")
        if digits and not digits.isdecimal():
            what = f"imdbId {imdb!r} is no number; leave it empty if it is unknown"
            ledger.bad(path, line, what, "imdb")
            digits = ""
        links[movie] = (f"tt{int(digits):07d}" if digits else "", tmdb.strip())
    return links


def dat_users(path: Path, ledger: Ledger) -> dict[str, Demographics]:
    """users.dat: user::gender::age::occupation::zip, all by code."""
    found: dict[str, Demographics] = {}
    form = ("user", "gender", "age", "occupation", "zip")
    for line, (user, gender, age, work, _) in separated(path, "::", form, ledger):
        codes_fit = age.isdecimal() and work.isdecimal() and int(age) in AGES
        if gender not in GENDERS or not codes_fit or int(work) >= len(OCCUPATIONS):
            ledger.bad(path, line, f"{gender!r}, {age!r}, {work!r} are no codes of MovieLens 1M;"
                       " see its README", "codes")  # fmt: skip
        elif user in found:
            ledger.bad(path, line, f"user {user} is there already; keep one of the two", "twice")
        else:
            found[user] = Demographics(GENDERS[gender], AGES[int(age)], OCCUPATIONS[int(work)])
    return found


def u_users(path: Path, ledger: Ledger) -> dict[str, Demographics]:
    """u.user: user|age in years|gender|occupation in a word|zip."""
    found: dict[str, Demographics] = {}
    form = ("user", "age", "gender", "occupation", "zip")
    for line, (user, age, gender, work, _) in separated(path, "|", form, ledger):
        if gender not in GENDERS or not age.isdecimal():
            what = f"{age!r}, {gender!r}: an age in years and M or F are needed"
            ledger.bad(path, line, what, "codes")
        elif user in found:
            ledger.bad(path, line, f"user {user} is there already; keep one of the two", "twice")
        else:
            band = age_band(int(age))
            found[user] = Demographics(GENDERS[gender], band, occupation_named(work, band))
    return found
