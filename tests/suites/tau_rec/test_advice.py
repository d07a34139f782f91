"""What would help a catalogue that gives too few families: only what can."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from mystery_shopper.catalog import Catalogue, build_catalogue, parse_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.report.feasible import tiers_of
from mystery_shopper.suites.tau_rec.generate import feasibility, generate
from mystery_shopper.suites.tau_rec.generate.rules import Rules

DOMAIN = b"""
name: mugs
noun: {singular: mug, plural: mugs}
title: title
fields:
  title: {kind: text}
  brand: {kind: category, requirement: true}
  colour: {kind: category, requirement: true}
  price: {kind: number, requirement: true}
"""
COUNT = 300


def mugs(
    brands: Sequence[str], colours: Sequence[str], prices: Sequence[float], text: bytes = DOMAIN
) -> Catalogue:
    values = {"brand": brands, "colour": colours, "price": prices}
    domain = parse_domain(text, "mugs")
    ids = [f"m{n}" for n in range(len(brands))]
    return build_catalogue("mugs", domain, ids, {"title": ids, **values}, ())


def alike(count: int = COUNT) -> Catalogue:
    return mugs(["Acme"] * count, ["red"] * count, [5.0] * count)


def unique() -> Catalogue:
    rng = random.Random(1)
    return mugs(
        [f"B{n}" for n in range(COUNT)],
        [f"c{n}" for n in range(COUNT)],
        [float(rng.randint(1, 900)) for _ in range(COUNT)],
    )


def test_identical_items_need_values_that_differ() -> None:
    told = feasibility(alike()).help
    assert told[0] == (
        "fields whose values differ: every item has the same in 'brand', 'colour', 'price'"
    )
    assert not any("larger" in one or "step" in one for one in told)


def test_labels_of_one_item_each_need_coarser_ones() -> None:
    told = feasibility(unique()).help
    assert told[:2] == (
        "a field of coarser labels, such as a category: the 300 labels of 'brand' are borne by 1.0"
        " items each",
        "a field of coarser labels, such as a category: the 300 labels of 'colour' are borne by 1.0"
        " items each",
    )
    assert not any("larger" in one for one in told)


def test_a_single_item_needs_company() -> None:
    assert "a larger catalogue: this one has 1 item" in feasibility(alike(1)).help


def test_a_small_varied_catalogue_needs_more_items() -> None:
    made = mugs(["A", "B", "A"], ["x", "x", "y"], [1.0, 2.0, 2.0])
    with pytest.raises(InputError) as caught:
        generate(made, seed=1, name="m@1", families=60, rules=Rules(attempts=60))
    assert "a larger catalogue: this one has 3 items" in str(caught.value)


@pytest.mark.parametrize("make", [alike, unique])
def test_no_number_of_families_is_promised_where_there_is_none(make: object) -> None:
    made = make()  # pyright: ignore
    with pytest.raises(InputError) as caught:
        generate(made, seed=1, name="m@1", families=9, rules=Rules(attempts=60))
    assert "--families" not in str(caught.value)
    assert "What would help: " in str(caught.value)


def test_each_tier_gives_its_own_reasons() -> None:
    text = DOMAIN.replace(b"requirement: true", b"requirement: false")
    tiers = tiers_of(mugs(["A", "B"], ["x", "y"], [1.0, 2.0], text))
    assert [tier.tier for tier in tiers] == ["simple", "medium", "complex"]
    for tier in tiers:
        assert len(tier.problems) == 1
        assert tier.problems[0].startswith(f"no template of tier {tier.tier}: it takes ")


def test_a_tier_without_a_template_needs_another_field() -> None:
    assert (
        "one more field that carries requirements: there are too few for tier complex"
        in feasibility(alike()).help
    )
