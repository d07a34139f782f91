"""Customers of the built-in shop that nobody ever was: what each bought, to try histories on.

Each has a few favoured brands, materials, colours and departments, by a seed. A product is bought
by how well it sells, times what it has of these. Only whole numbers are computed with, as in
`histories.synthetic`, so that every machine makes the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.sources.histories.demographics import AGES, GENDERS, OCCUPATIONS
from mystery_shopper.sources.histories.synthetic import Draws
from mystery_shopper.sources.shop import COLUMNS, Recipe

BOUGHT = ("customer", "sku", "time", "gender", "age", "occupation")
TASTES: Mapping[str, tuple[int, int]] = {
    "category": (2, 40),
    "brand": (2, 120),
    "material": (2, 10),
    "colours": (2, 10),
}
"""Field -> (how many values a customer favours, how often more a product with one counts)."""
FEWEST, MOST = 12, 60
_OPENED = datetime(2023, 1, 2, 8)
_DAYS = 900


@dataclass(frozen=True)
class Customers:
    """So many customers of the shop's products, by a seed."""

    recipe: Recipe
    customers: int = 300
    seed: int = 0

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Their purchases as the texts of a file's cells, in the order of `BOUGHT`: customer by
        customer, earliest first, each product once."""
        cells = list(zip(*self.recipe.rows(), strict=True))
        columns: dict[str, tuple[str, ...]] = dict(zip(COLUMNS, cells, strict=True))
        sold = 1 + np.array([int(cell) for cell in columns["sold"]], np.int64)
        bearers = {name: _bearers(columns[name]) for name in TASTES}
        for number in range(1, self.customers + 1):
            name = f"made-up-{number:04d}"
            draws = Draws("shop customer", self.seed, name)
            who = _person(draws)
            items = draws.distinct(_weights(sold, bearers, draws), _count(draws, len(sold)))
            for item, time in zip(items, _times(draws, len(items)), strict=True):
                yield (name, columns["sku"][item], time, *who)


def _bearers(cells: Sequence[str]) -> dict[str, NDArray[np.int64]]:
    """Value -> the products that have it, values by name."""
    found: dict[str, list[int]] = {}
    for place, cell in enumerate(cells):
        for value in filter(None, cell.split("|")):
            found.setdefault(value, []).append(place)
    return {value: np.array(found[value], np.int64) for value in sorted(found)}


def _weights(
    sold: NDArray[np.int64], bearers: Mapping[str, Mapping[str, NDArray[np.int64]]], draws: Draws
) -> NDArray[np.int64]:
    often = np.ones(len(sold), np.int64)
    for field, (favoured, weighs) in TASTES.items():
        values = list(bearers[field].values())
        for place in draws.distinct([len(each) for each in values], favoured):
            often[values[place]] += weighs
    return sold * often


def _person(draws: Draws) -> tuple[str, str, str]:
    gender = tuple(GENDERS.values())[draws.one(len(GENDERS))]
    age = tuple(AGES.values())[1 + draws.one(len(AGES) - 1)]
    works = [work for work in OCCUPATIONS if work != "K-12 student"]
    return gender, age, works[draws.one(len(works))]


def _count(draws: Draws, products: int) -> int:
    return min(FEWEST + draws.one(MOST - FEWEST + 1), products)


def _times(draws: Draws, count: int) -> list[str]:
    minutes = sorted(draws.below(_DAYS * 24 * 60, count).tolist())
    return [(_OPENED + timedelta(minutes=each)).isoformat(timespec="minutes") for each in minutes]
