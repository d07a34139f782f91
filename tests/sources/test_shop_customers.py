"""Made-up customers of the shop."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict

from mystery_shopper.sources.shop import COLUMNS, Recipe
from mystery_shopper.sources.shop_customers import BOUGHT, FEWEST, MOST, Customers

ROWS = [dict(zip(BOUGHT, row, strict=True)) for row in Customers(Recipe()).rows()]


def test_they_are_the_same_bytes_everywhere() -> None:
    told = "\n".join("\t".join(row.values()) for row in ROWS)
    assert hashlib.sha256(told.encode()).hexdigest()[:16] == "1121e8843125d230"


def test_each_buys_a_few_products_once_and_in_the_order_of_time() -> None:
    by_customer: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in ROWS:
        by_customer[row["customer"]].append(row)
    assert len(by_customer) == 300
    for rows in by_customer.values():
        assert FEWEST <= len(rows) <= MOST
        assert len({row["sku"] for row in rows}) == len(rows)
        assert [row["time"] for row in rows] == sorted(row["time"] for row in rows)
        assert len({(row["gender"], row["age"], row["occupation"]) for row in rows}) == 1


def test_taste_shows() -> None:
    """A customer buys two brands far more often than the shop sells any two."""
    brand = {
        row["sku"]: row["brand"]
        for row in (dict(zip(COLUMNS, cells, strict=True)) for cells in Recipe().rows())
    }
    all_of_them = Counter(brand[row["sku"]] for row in ROWS)
    common = sum(count for _, count in all_of_them.most_common(2)) / len(ROWS)
    shares: list[float] = []
    for number in range(1, 301):
        own = [row for row in ROWS if row["customer"] == f"made-up-{number:04d}"]
        top = Counter(brand[row["sku"]] for row in own).most_common(2)
        shares.append(sum(count for _, count in top) / len(own))
    assert sum(shares) / len(shares) > common + 0.15
