from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from mystery_shopper.catalog import (
    Catalogue,
    build_catalogue,
    format_choices,
    format_masks,
    formats_of,
    parse_domain,
)
from mystery_shopper.catalog.bits import unpack_bits
from mystery_shopper.catalog.fields import fold
from mystery_shopper.catalog.formats import simulated_formats

Builder = Callable[..., Catalogue]
CHOICES = ("DVD", "download", "streaming")


def with_column(kind: str) -> Catalogue:
    domain = parse_domain(
        f"""
name: shop
noun: {{singular: thing, plural: things}}
title: name
fields: {{name: {{kind: text}}, sold: {{kind: {kind}}}}}
formats: {{column: sold}}
""".encode(),
        "shop",
    )
    sold = ["Box", None, "bag"] if kind == "category" else [["Box", "bag"], [], ["bag"]]
    return build_catalogue("shop", domain, ["a", "b", "c"], {"name": [None] * 3, "sold": sold})


def test_simulated_formats_are_fixed_and_never_none() -> None:
    had = [simulated_formats(f"i{i}", CHOICES) for i in range(2000)]
    assert had == [simulated_formats(f"i{i}", CHOICES) for i in range(2000)]
    assert all(had)
    for choice in CHOICES:
        assert 900 < sum(choice in formats for formats in had) < 1250
    assert simulated_formats("\ud800", CHOICES)


@pytest.mark.parametrize("kind", ["category", "categories"])
def test_formats_from_a_column(kind: str) -> None:
    catalogue = with_column(kind)
    assert format_choices(catalogue) == ("Box", "bag")
    first = ("Box",) if kind == "category" else ("Box", "bag")
    assert [formats_of(catalogue.item(i)) for i in range(3)] == [first, (), ("bag",)]


def test_formats_can_be_off(small_catalogue: Builder) -> None:
    catalogue = small_catalogue()
    domain = msgspec.structs.replace(catalogue.domain, formats=None)
    bare = Catalogue("bare", domain, catalogue.ids, catalogue.columns, catalogue.nesting, (6,))
    assert format_choices(bare) == formats_of(bare.item(0)) == ()
    assert format_masks(bare) == {}


@pytest.mark.parametrize("kind", ["simulated", "category", "categories"])
def test_masks_agree_with_items(small_catalogue: Builder, kind: str) -> None:
    catalogue = small_catalogue() if kind == "simulated" else with_column(kind)
    masks = format_masks(catalogue)
    assert list(masks) == [fold(choice) for choice in format_choices(catalogue)]
    for choice in format_choices(catalogue):
        held = unpack_bits(masks[fold(choice)], len(catalogue)).tolist()
        assert held == [choice in formats_of(catalogue.item(i)) for i in range(len(catalogue))]


@pytest.mark.parametrize(
    ("kind", "values", "had"),
    [
        ("flag", [True, False, None, True], [0, 3]),
        ("integer", [3, 0, None, -2], [0]),
        ("number", [0.25, 0.0, None, 7.0], [0, 3]),
    ],
)
def test_a_stock_gives_the_one_format_to_who_has_some(
    kind: str, values: list[float | None], had: list[int]
) -> None:
    domain = parse_domain(
        f"""
name: shop
noun: {{singular: thing, plural: things}}
title: name
fields: {{name: {{kind: text}}, stock: {{kind: {kind}}}}}
formats: {{column: stock, single: In Stock}}
""".encode(),
        "shop",
    )
    rows = {"name": [None] * 4, "stock": values}
    catalogue = build_catalogue("shop", domain, ["a", "b", "c", "d"], rows)
    assert format_choices(catalogue) == ("In Stock",)
    found = [formats_of(catalogue.item(i)) for i in range(4)]
    assert found == [("In Stock",) if i in had else () for i in range(4)]
    masks = format_masks(catalogue)
    assert list(masks) == ["in stock"]
    assert unpack_bits(masks["in stock"], 4).nonzero()[0].tolist() == had
