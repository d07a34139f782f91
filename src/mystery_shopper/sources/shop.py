"""The seeded shop: products that nobody sells, made by a recipe, at any size.

Brand, colours, sizes, prices, materials, a tree of departments and places of sale; no genre, no
language, no country, no year. It is the second test catalogue, and at 2,000,000 products the one
that scale is measured on. The same arguments give the same rows on every machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog import Catalogue, build_catalogue, load_domain
from mystery_shopper.foundation import generator

PRODUCTS, BRANDS = 5_000, 60
COLUMNS = (
    "sku", "title", "category", "brand", "colours", "material", "size_cm", "price", "second_hand",
    "stock", "sold",
)  # fmt: skip
CHUNK = 50_000

_SOFT = ("Cotton", "Wool", "Linen", "Polyester", "Silk", "Hemp", "Velvet", "Bamboo fibre")
_TOUGH = ("Leather", "Canvas", "Suede", "Rubber", "Nylon", "Cork", "Felt")
_HARD = ("Oak", "Pine", "Walnut", "Steel", "Brass", "Glass", "Ceramic", "Marble", "Rattan")
# Leaf of the department tree -> usual size in cm, usual price, materials.
_LEAVES: Mapping[str, tuple[int, float, Sequence[str]]] = {
    "T-shirts": (68, 18, _SOFT), "Shirts": (74, 38, _SOFT), "Jumpers": (70, 55, _SOFT),
    "Jeans": (104, 60, _SOFT), "Shorts": (52, 28, _SOFT), "Leggings": (96, 24, _SOFT),
    "Coats": (110, 140, _SOFT), "Rain jackets": (82, 85, _TOUGH), "Waistcoats": (64, 48, _SOFT),
    "Socks": (28, 9, _SOFT), "Vests": (66, 14, _SOFT), "Pyjamas": (108, 42, _SOFT),
    "Boots": (30, 120, _TOUGH), "Sandals": (28, 45, _TOUGH), "Trainers": (30, 75, _TOUGH),
    "Slippers": (28, 26, _TOUGH), "Backpacks": (48, 65, _TOUGH), "Suitcases": (68, 130, _TOUGH),
    "Handbags": (34, 90, _TOUGH), "Wallets": (12, 32, _TOUGH), "Armchairs": (92, 420, _HARD),
    "Stools": (62, 80, _HARD), "Benches": (120, 190, _HARD), "Desks": (130, 260, _HARD),
    "Dining tables": (170, 480, _HARD), "Bedside tables": (52, 95, _HARD),
    "Bookcases": (180, 210, _HARD), "Chests of drawers": (84, 240, _HARD),
    "Coat racks": (172, 70, _HARD), "Pans": (28, 40, _HARD), "Knives": (30, 35, _HARD),
    "Bowls": (20, 16, _HARD), "Mugs": (10, 11, _HARD), "Trays": (40, 22, _HARD),
    "Rugs": (160, 150, _SOFT), "Curtains": (240, 70, _SOFT), "Cushions": (46, 24, _SOFT),
    "Blankets": (150, 60, _SOFT), "Towels": (120, 20, _SOFT), "Floor lamps": (150, 130, _HARD),
    "Table lamps": (46, 70, _HARD), "Ceiling lamps": (60, 110, _HARD),
    "Candlesticks": (24, 28, _HARD), "Puzzles": (34, 19, _HARD), "Building blocks": (26, 30, _HARD),
    "Dolls": (38, 27, _SOFT), "Board games": (32, 33, _HARD),
}  # fmt: skip
_COLOURS = (
    "Black", "White", "Grey", "Navy", "Red", "Green", "Brown", "Beige", "Yellow", "Pink", "Purple",
    "Turquoise", "Orange", "Burgundy",
)  # fmt: skip
_PLACES = ("home delivery", "click and collect", "shop in Leeds", "shop in Cardiff")
_ONSETS = ("B", "D", "F", "G", "H", "K", "L", "M", "N", "P", "R", "S", "T", "V", "Br", "Kl", "St")
_RIMES = ("a", "e", "i", "o", "u", "an", "el", "or", "un", "il", "ar", "en")
_ENDS = (
    "ver",
    "dal",
    "mor",
    "wick",
    "stad",
    "gren",
    "holm",
    "tane",
    "sson",
    "field",
    "bury",
    "nes",
)
_MOODS = ("Plain", "Daily", "Nordic", "Classic", "Country", "City", "Soft", "Sturdy", "Light",
          "Summer", "Winter", "Grand", "Little", "Quiet", "Bright", "Old")  # fmt: skip


@dataclass(frozen=True)
class Recipe:
    """How many products of how many brands, from which seed."""

    products: int = PRODUCTS
    brands: int = BRANDS
    seed: int = 0

    def rows(self) -> Iterator[tuple[str, ...]]:
        """The products as the texts of a file's cells, in the order of `COLUMNS`."""
        brands = brand_names(self.brands)
        for start in range(0, self.products, CHUNK):
            count = min(CHUNK, self.products - start)
            yield from zip(*self._chunk(start, count, brands), strict=True)

    def _chunk(self, start: int, count: int, brands: Sequence[str]) -> list[list[str]]:
        rng = generator("shop", self.seed, start)
        leaf = rng.choice(len(_LEAVES), count, p=_falling(len(_LEAVES), 0.35))
        brand = rng.choice(self.brands, count, p=_falling(self.brands, 0.7))
        names, facts = list(_LEAVES), list(_LEAVES.values())
        usual = np.array([[size, price] for size, price, _ in facts], np.float64)[leaf]
        size = np.maximum(2, np.rint(usual[:, 0] * np.exp(rng.normal(0, 0.16, count))))
        dear = np.exp(((brand * 7) % 11 - 5) * 0.09)
        price = np.maximum(1.0, usual[:, 1] * dear * np.exp(rng.normal(0, 0.35, count)))
        price = np.where(price < 50, np.rint(price * 2) / 2, np.rint(price)) - 0.01
        kinds: list[int] = leaf.tolist()
        stuff = [facts[place][2] for place in kinds]
        number = [f"{start + place + 1:07d}" for place in range(count)]
        mood: list[int] = rng.integers(len(_MOODS), size=count).tolist()
        who: list[int] = brand.tolist()
        made = [brands[place] for place in who]
        sold = np.floor(40 * rng.pareto(1.2, count) / (1 + rng.random(count))).astype(np.int64)
        return [
            [f"SKU-{text}" for text in number],
            [
                f"{maker} {_MOODS[m]} {names[kind]} {int(text)}"
                for maker, m, kind, text in zip(made, mood, kinds, number, strict=True)
            ],
            [names[kind] for kind in kinds],
            made,
            _several(rng, [_COLOURS] * count, (0.55, 0.3, 0.15)),
            _several(rng, stuff, (0.7, 0.3)),
            [str(int(one)) for one in size.tolist()],
            [f"{one:.2f}" for one in price.tolist()],
            ["yes" if old else "no" for old in (rng.random(count) < 0.25).tolist()],
            _several(rng, [_PLACES] * count, (0.35, 0.35, 0.2, 0.1)),
            [str(one) for one in sold.tolist()],
        ]


def brand_names(count: int) -> list[str]:
    """Distinct made-up names, the same first ones for every count (up to 500,000 or so)."""
    names: list[str] = []
    heads = [onset + rime for onset, rime in product(_ONSETS, _RIMES)]
    middles = ["", *(onset.lower() + rime for onset, rime in product(_ONSETS, _RIMES))]
    for middle in middles:
        for place, end in product(range(len(heads)), range(len(_ENDS))):
            if len(names) == count:
                return names
            turned = heads[(place * 37 + end * 5) % len(heads)]
            names.append(turned + middle + _ENDS[end])
    return names[:count]


def _falling(count: int, power: float) -> NDArray[np.float64]:
    """Shares that fall with the rank to this power."""
    shares = 1.0 / np.arange(1, count + 1) ** power
    return shares / shares.sum()


def _several(
    rng: np.random.Generator, choices: Sequence[Sequence[str]], shares: Sequence[float]
) -> list[str]:
    """One, two or more of each row's choices, joined by bars, the earlier ones more often."""
    many = rng.choice(len(shares), len(choices), p=np.array(shares)) + 1
    draws = (rng.random((len(choices), len(shares))) ** 1.4).tolist()
    cells: list[str] = []
    for count, row, names in zip(many.tolist(), draws, choices, strict=True):
        picked = dict.fromkeys(names[int(draw * len(names))] for draw in row[:count])
        cells.append("|".join(picked))
    return cells


@lru_cache(maxsize=1)
def load_shop() -> Catalogue:
    """The shop of 5,000 products with its nested half. Made once a process."""
    domain = load_domain("shop")
    cells = dict(zip(COLUMNS, zip(*Recipe().rows(), strict=True), strict=True))
    values: dict[str, Sequence[object]] = {
        "title": cells["title"],
        "category": cells["category"],
        "brand": cells["brand"],
        "colours": [cell.split("|") for cell in cells["colours"]],
        "material": [cell.split("|") for cell in cells["material"]],
        "size": [int(cell) for cell in cells["size_cm"]],
        "price": [float(cell) for cell in cells["price"]],
        "second_hand": [cell == "yes" for cell in cells["second_hand"]],
        "stock": [cell.split("|") for cell in cells["stock"]],
        "sold": [int(cell) for cell in cells["sold"]],
    }
    return build_catalogue("shop", domain, cells["sku"], values, domain.sizes)
