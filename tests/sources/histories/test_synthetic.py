"""The made-up histories: the same bytes everywhere, and a taste that shows."""

from __future__ import annotations

import time
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from mystery_shopper.sources import load_films
from mystery_shopper.sources.histories import (
    AGES,
    GENDERS,
    OCCUPATIONS,
    Histories,
    load_synthetic,
    synthetic_people,
    synthetic_tastes,
)
from mystery_shopper.sources.histories.synthetic import PEOPLE, Draws

DIGEST = "5d0336fea40919b345e79d222e05db82ca7eeea9b50a47f6f94e22673ae37043"


@pytest.fixture(scope="module")
def made() -> Histories:
    return load_synthetic()


@pytest.fixture(scope="module")
def held() -> list[dict[str, frozenset[str]]]:
    """For each film what it has of each kind that a taste names."""
    films = load_films()
    years = films.numbers("year").numbers.astype(int)
    return [
        {
            "genres": frozenset(films.labels("genre").labels_of(place)),
            "people": frozenset(
                name for field in PEOPLE for name in films.labels(field).labels_of(place)
            ),
            "decades": frozenset((str(years[place] // 10 * 10),)),
        }
        for place in range(len(films))
    ]


def test_the_bytes_are_the_same_everywhere(made: Histories) -> None:
    assert made.digest == DIGEST


def test_the_numbers_drawn_are_those_of_splitmix64() -> None:
    draws = Draws("x")
    draws._state = 1234567  # pyright: ignore[reportPrivateUsage]
    expected = [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431,
        16408922859458223821,
    ]  # fmt: skip
    assert [*draws.many(2).tolist(), *draws.many(3).tolist()] == expected


def test_they_are_labelled_synthetic(made: Histories) -> None:
    assert made.synthetic
    assert "synthetic" in made.source
    assert all(user.startswith("synthetic-") for user in made.users)


def test_they_are_made_fast_and_once() -> None:
    load_films()
    start = time.process_time()
    load_synthetic(99)
    assert time.process_time() - start < 4  # 1 s on an idle core
    assert load_synthetic() is load_synthetic()


def test_counts_ratings_and_times_are_those_of_people(made: Histories) -> None:
    counts = np.bincount(made.user_index)
    assert len(made.users) == 600
    assert counts.min() >= 20
    assert counts.max() <= 600
    assert counts.max() > 500
    assert 60 <= np.median(counts) <= 80
    assert set(np.unique(made.rating)) == {half / 2 for half in range(1, 11)}
    assert 3.2 < made.rating.mean() < 3.8
    assert set(made.items) <= set(load_films().ids)
    for user in made.users:
        times = made.time[made.of(user)]
        assert (np.diff(times) > 0).all()
        assert len(set(made.items_of(user))) == len(times)
    assert made.time.min() >= 1_420_070_400, "after the last film came out"


def test_popularity_is_the_base_rate(made: Histories) -> None:
    films = load_films()
    rank = np.array([films.position_of[item] for item in made.items])
    often = np.bincount(made.item_index)
    by_part = [often[(rank >= low) & (rank < high)].sum() for low, high in
               ((0, 500), (500, 1000), (1500, 2000), (4500, 5000), (15500, 16000))]  # fmt: skip
    assert by_part == sorted(by_part, reverse=True)
    assert often.max() > 150, "some films half the users know"
    assert len(made.items) > 4_000


def test_demographics_are_movielens_s(made: Histories) -> None:
    people = synthetic_people()
    assert dict(made.demographics) == dict(people)
    assert {who.gender for who in people.values()} == set(GENDERS.values())
    assert {who.age for who in people.values()} == set(AGES.values())
    assert {who.occupation for who in people.values()} <= set(OCCUPATIONS)
    assert len({who.occupation for who in people.values()}) > 15
    pupils = [who for who in people.values() if who.occupation == "K-12 student"]
    assert {who.age for who in pupils} == {"Under 18"}


@pytest.mark.parametrize(("kind", "lift"), [("genres", 1.35), ("decades", 1.35), ("people", 5.0)])
def test_what_a_user_favours_is_over_represented(
    made: Histories, held: list[dict[str, frozenset[str]]], kind: str, lift: float
) -> None:
    """Against the share that the same values have in all users' histories."""
    films = load_films()
    place = [films.position_of[item] for item in made.items]
    everywhere: Counter[str] = Counter()
    for item, count in enumerate(np.bincount(made.item_index)):
        everywhere.update(dict.fromkeys(held[place[item]][kind], int(count)))
    ratios: list[float] = []
    for user, taste in synthetic_tastes().items():
        own = [held[place[item]][kind] for item in made.item_index[made.of(user)]]
        for value in map(str, getattr(taste, kind)):
            share = sum(value in values for values in own) / len(own)
            ratios.append(share / (everywhere[value] / len(made)) if everywhere[value] else 0.0)
    assert np.median(ratios) > lift


def test_what_is_liked_is_rated_higher(
    made: Histories, held: list[dict[str, frozenset[str]]]
) -> None:
    films = load_films()
    place = [films.position_of[item] for item in made.items]
    liked: list[float] = []
    others: list[float] = []
    for user, taste in synthetic_tastes().items():
        for row in made.of(user):
            of_taste = held[place[made.item_index[row]]]["people"] & set(taste.people)
            (liked if of_taste else others).append(float(made.rating[row]))
    assert np.mean(liked) > np.mean(others) + 0.3


def test_some_films_follow_one_another_for_many(made: Histories) -> None:
    pairs: Counter[tuple[str, str]] = Counter()
    for user in made.users:
        items = made.items_of(user)
        pairs.update(pairwise(items))
    assert sum(count >= 10 for count in pairs.values()) > 50


def test_another_seed_makes_other_users(made: Histories) -> None:
    other = load_synthetic(1)
    assert other.digest != made.digest
    assert other.users == made.users
