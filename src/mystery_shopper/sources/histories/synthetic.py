"""Histories that nobody lived: 600 made-up users over the embedded films.

Each has a seeded taste: people, genres and decades that weigh more than a film's popularity alone.
Which genres a group of users leans to is drawn by the seed too, so that groups differ without
anyone's idea of them; the decades are those of the user's youth. Only whole numbers are computed
with, and the numbers drawn come from one formula, so that every machine makes the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import Catalogue, fold
from mystery_shopper.foundation import derive_seed
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories.demographics import (
    AGES,
    GENDERS,
    OCCUPATIONS,
    Demographics,
)
from mystery_shopper.sources.histories.histories import Histories

USERS = 600
Whole = NDArray[np.int64]
PEOPLE = ("director", "writer", "cast")
_SHARES_OF_AGES = (4, 18, 35, 20, 9, 8, 6)
"""In a hundred, by the order of `AGES`, as in MovieLens 1M; so the two below."""
_SHARES_OF_GENDERS = (28, 72)
_SHARES_OF_OCCUPATIONS = (
    12, 9, 4, 3, 13, 2, 4, 11, 1, 2, 3, 2, 6, 2, 5, 2, 4, 8, 1, 1, 5,
)  # fmt: skip
_YOUTH = (2000, 2000, 1990, 1980, 1970, 1960, 1950)
"""The decade of a band's youth; the one after it is favoured too."""
_COUNTS = (20, 28, 37, 52, 70, 96, 140, 220, 600)
"""How many films a user rates: the lowest, each eighth part, the highest."""
_FAVOURED_PEOPLE, _FAVOURED_GENRES = 6, 3
_GENRE_WEIGHS, _DECADE_WEIGHS, _PERSON_WEIGHS = 3, 5, 250
"""How often a film's weight its popularity counts: once and so often for each favoured genre, all
that so often for a favoured decade, and so often more for each favoured person. The first two hold
for the most popular genre and decade; rarer ones weigh more, by the root of their rarity."""
_FIRST_DAY = 1_420_070_400
"""1 January 2015: all films are out."""
_DAY = 86_400
_DAYS = 3_000


@dataclass(frozen=True)
class Taste:
    """What a made-up user likes. `people` have three films or more in the catalogue."""

    people: tuple[str, ...]
    genres: tuple[str, ...]
    decades: tuple[int, ...]


class Draws:
    """Whole numbers from a seed: SplitMix64 (Steele, Lea and Flood 2014), 64 bits each."""

    def __init__(self, *parts: str | int) -> None:
        self._state = derive_seed(*parts)

    def many(self, count: int) -> NDArray[np.uint64]:
        """The next numbers."""
        golden = np.uint64(0x9E3779B97F4A7C15)
        with np.errstate(over="ignore"):
            steps = np.arange(1, count + 1, dtype=np.uint64)
            mixed = np.uint64(self._state) + steps * golden
            self._state = (self._state + count * int(golden)) & (2**64 - 1)
            mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
            mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
            return mixed ^ (mixed >> np.uint64(31))

    def below(self, limit: int, count: int) -> Whole:
        """Numbers from 0 to below the limit."""
        return (self.many(count) % np.uint64(limit)).astype(np.int64)

    def one(self, limit: int) -> int:
        """One number from 0 to below the limit."""
        return int(self.below(limit, 1)[0])

    def weighted(self, weights: Sequence[int] | Whole, count: int) -> Whole:
        """Places, each with a chance that goes with its weight; one may come twice."""
        ends = np.cumsum(np.asarray(weights, np.int64))
        return np.searchsorted(ends, self.below(int(ends[-1]), count), side="right")

    def distinct(self, weights: Sequence[int] | Whole, count: int) -> list[int]:
        """As `weighted`, each place once, in the order drawn; fewer where fewer have a weight."""
        enough = min(count, int(np.count_nonzero(np.asarray(weights))))
        found: dict[int, None] = {}
        while len(found) < enough:
            found.update(dict.fromkeys(self.weighted(weights, 2 * count).tolist()))
        return list(found)[:count]


class _Films:
    """What the recipe needs of the films, by position."""

    def __init__(self, films: Catalogue) -> None:
        self.films = films
        popularity = np.nan_to_num(films.numbers("popularity").numbers).astype(np.int64)
        self.base = 1 + popularity**3 // 1000
        years = films.numbers("year").numbers.astype(np.int64)
        self.decade = years - years % 10
        score = films.numbers("critic_score").numbers
        self.score = np.where(np.isnan(score), 60, score).astype(np.int64)

    @cached_property
    def genre_weights(self) -> Whole:
        """By genre's code: how much the popularity of its films adds up to. Genres of fewer than
        200 films are nobody's favourite."""
        column = self.films.labels("genre")
        weights = [int(self.base[column.bearers(code)].sum()) for code in range(len(column.labels))]
        few = [len(column.bearers(code)) < 200 for code in range(len(column.labels))]
        return np.array([0 if f else isqrt(w) for w, f in zip(weights, few, strict=True)], np.int64)

    def a_person(self, draws: Draws) -> tuple[str, str] | None:
        """(field, name) of somebody who made or starred in a popular film and in two more."""
        film = int(draws.weighted(self.base, 1)[0])
        field = ("director", "cast", "cast", "writer")[draws.one(4)]
        column = self.films.labels(field)
        names = column.labels_of(film)
        if not names:
            return None
        name = names[draws.one(len(names))]
        return (field, name) if len(self._films_of(field, name)) >= 3 else None

    def _films_of(self, field: str, name: str) -> NDArray[np.int32]:
        column = self.films.labels(field)
        code = column.code_of.get(fold(name))
        return np.empty(0, np.int32) if code is None else column.bearers(code)

    def _rarity(self, popularity: int, weight: int) -> int:
        """A weight for what all films' popularity holds once, more for what it holds less of."""
        return isqrt(weight * weight * int(self.base.sum()) // (2 * max(popularity, 1))) + 1

    def themes(self, items: Whole, taste: Taste) -> Whole:
        """For each film the code of one genre: of the first favoured one, else its first."""
        column = self.films.labels("genre")
        theme = column.codes[column.offsets[items]].astype(np.int64)
        for genre in reversed(taste.genres):
            code = column.code_of[fold(genre)]
            theme[np.isin(items, column.bearers(code))] = code
        return theme

    def weights(self, taste: Taste) -> tuple[Whole, Whole]:
        """(weight, liking) of every film for a taste; liking counts what it has of the taste."""
        size = len(self.base)
        genres = self.films.labels("genre")
        hits, known = np.zeros(size, np.int64), np.zeros(size, np.int64)
        often = np.ones(size, np.int64)
        for genre in taste.genres:
            rows = genres.bearers(genres.code_of[fold(genre)])
            hits[rows] += 1
            often[rows] += self._rarity(int(self.base[rows].sum()), _GENRE_WEIGHS)
        in_decade = np.isin(self.decade, taste.decades)
        for decade in taste.decades:
            rows = np.flatnonzero(self.decade == decade)
            often[rows] *= self._rarity(int(self.base[rows].sum()), _DECADE_WEIGHS)
        for name in taste.people:
            found = [self._films_of(field, name) for field in PEOPLE]
            known[np.unique(np.concatenate(found))] += 1
        liking = 2 * np.minimum(hits, 2) + in_decade + 4 * np.minimum(known, 2)
        return self.base * (often + _PERSON_WEIGHS * known), liking


def load_synthetic(seed: int = 0) -> Histories:
    """The made-up histories of `USERS` users over the embedded films. Made once a process for each
    seed; `Histories.synthetic` is true."""
    return _histories(seed)


@lru_cache(maxsize=4)
def _histories(seed: int) -> Histories:
    films = _films()
    tastes = _tastes(seed)
    users, people = list(tastes), synthetic_people(seed)
    rows: list[tuple[Whole, Whole, Whole]] = []
    for user, taste in tastes.items():
        rows.append(_history(films, taste, Draws("synthetic history", seed, user)))
    counts = [len(items) for items, _, _ in rows]
    return Histories.build(
        users,
        tuple(films.films.ids),
        np.repeat(np.arange(len(users)), counts),
        np.concatenate([items for items, _, _ in rows]),
        np.concatenate([halves for _, halves, _ in rows]).astype(np.float32) / np.float32(2),
        np.concatenate([times for _, _, times in rows]),
        people,
        source=f"synthetic histories of {len(users)} made-up users (seed {seed})",
        synthetic=True,
    )


@lru_cache(maxsize=1)
def _films() -> _Films:
    return _Films(load_films())


def synthetic_people(seed: int = 0) -> Mapping[str, Demographics]:
    """User -> demographics."""
    people: dict[str, Demographics] = {}
    for number in range(1, USERS + 1):
        user = f"synthetic-{number:03d}"
        draws = Draws("synthetic person", seed, user)
        gender = tuple(GENDERS.values())[int(draws.weighted(_SHARES_OF_GENDERS, 1)[0])]
        age = int(draws.weighted(_SHARES_OF_AGES, 1)[0])
        work = OCCUPATIONS[int(draws.weighted(_SHARES_OF_OCCUPATIONS, 1)[0])]
        if age == 0:
            work = "K-12 student"
        elif work == "K-12 student":
            work = "college/grad student"
        people[user] = Demographics(gender, tuple(AGES.values())[age], work)
    return people


def synthetic_tastes(seed: int = 0) -> Mapping[str, Taste]:
    """User -> taste."""
    return _tastes(seed)


@lru_cache(maxsize=4)
def _tastes(seed: int) -> Mapping[str, Taste]:
    films = _films()
    genres = films.films.labels("genre").labels
    leanings: dict[str, Whole] = {}
    tastes: dict[str, Taste] = {}
    for user, who in synthetic_people(seed).items():
        draws = Draws("synthetic taste", seed, user)
        weights = films.genre_weights.copy()
        for group in (who.gender, who.age, who.occupation):
            if group not in leanings:
                group_draws = Draws("synthetic group", seed, str(group))
                leanings[str(group)] = np.array(
                    group_draws.distinct(films.genre_weights, _FAVOURED_GENRES), np.int64
                )
            weights[leanings[str(group)]] *= 3
        liked = draws.distinct(weights, _FAVOURED_GENRES)
        youth = _YOUTH[list(AGES.values()).index(str(who.age))]
        other = int((1950 + 10 * draws.below(7, 1))[0])
        people: dict[str, None] = {}
        while len(people) < _FAVOURED_PEOPLE:
            person = films.a_person(draws)
            if person is not None:
                people[person[1]] = None
        decades = dict.fromkeys((youth, youth + 10, other))
        tastes[user] = Taste(tuple(people), tuple(genres[code] for code in liked), tuple(decades))
    return tastes


def _history(films: _Films, taste: Taste, draws: Draws) -> tuple[Whole, Whole, Whole]:
    """(films, ratings in half stars, times in seconds) of one user, by time."""
    weights, liking = films.weights(taste)
    items = np.array(draws.distinct(weights, _count(draws)), np.int64)
    theme = films.themes(items, taste)
    turn = draws.below(1 << 32, int(theme.max()) + 1)[theme]
    # As a site lists films: of one kind together, popular ones first, not quite in order.
    rank = items + draws.below(1 << 32, len(items)) % (items // 8 + 2)
    order = np.lexsort((items, rank, turn))
    items, theme = items[order], theme[order]
    chance = draws.below(9, 3 * len(items)).reshape(3, -1).sum(axis=0)
    points = films.score[items] // 5 + 3 * liking[items] + 3 * (chance - 12)
    return items, np.clip(5 + (points - 4) // 8, 1, 10), _times(theme, draws)


def _count(draws: Draws) -> int:
    """How many films a user rates: between two of `_COUNTS`, each eighth alike."""
    eighth, part = draws.one(len(_COUNTS) - 1), draws.one(1000)
    low, high = _COUNTS[eighth], _COUNTS[eighth + 1]
    return low + (high - low) * part // 1000


def _times(theme: Whole, draws: Draws) -> Whole:
    """Ascending times: half a minute or more between two films, some days between two sittings. A
    sitting ends with its theme, or after 40 films."""
    size = len(theme)
    fresh = np.append(True, theme[1:] != theme[:-1])
    starts = np.flatnonzero(fresh)
    since = np.arange(size) - starts[np.cumsum(fresh) - 1]
    sitting = fresh | (since % 40 == 0)
    pause = 30 + draws.below(90, size) + np.where(sitting, _DAY * (1 + draws.below(20, size)), 0)
    return _FIRST_DAY + _DAY * draws.one(_DAYS) + np.cumsum(pause)
