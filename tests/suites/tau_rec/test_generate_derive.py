"""Derived templates: one rule for every domain, the fixed lists of films and books by it."""

from __future__ import annotations

from itertools import islice

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Domain, load_domain, parse_domain
from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.generate.derive import MOST_TEMPLATES, derived, further
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.probe import PROBES, Prober, feasible_templates
from mystery_shopper.suites.tau_rec.generate.rules import Rules
from mystery_shopper.suites.tau_rec.generate.slots import parse_slot, templates_of
from mystery_shopper.suites.tau_rec.task import PREDICATES_PER_TIER, Tier

KINDS = ("{kind: category, requirement: true}", "{kind: flag, requirement: true}",
         "{kind: categories, requirement: true, most: 2}", "{kind: integer, requirement: true}",
         "{kind: number, requirement: true, step: 0.5}")  # fmt: skip


def domain_of(*kinds: str) -> Domain:
    lines = [f"  f{place}: {kind}" for place, kind in enumerate(kinds)]
    head = ["name: d", "noun: {singular: a, plural: b}", "title: t", "fields:", "  t: {kind: text}"]
    return parse_domain("\n".join([*head, *lines]).encode(), "d")


@pytest.mark.parametrize("name", ["films", "books"])
def test_the_fixed_lists_are_the_derived_ones(name: str) -> None:
    domain = load_domain(name)
    bare = msgspec.structs.replace(domain, templates={})
    assert sum(map(len, domain.templates.values())) == 13
    for tier in Tier:
        assert derived(bare, tier) == domain.templates[tier.value]
    assert templates_of(bare) == templates_of(domain)


def test_films_meet_all_their_derived_templates() -> None:
    films = load_films()
    bare = msgspec.structs.replace(films.domain, templates={})
    catalogue = type(films)(films.name, bare, films.ids, films.columns, films.nesting, films.sizes)
    found = feasible_templates(Prober(Pool(catalogue), Rules(), 1, PROBES))
    assert {tier: one.kept for tier, one in found.items()} == templates_of(films.domain)
    assert not any(one.dropped for one in found.values())


def test_the_shop_gets_flags_and_several_ordered_fields() -> None:
    shop = load_domain("shop")
    simple, medium, complex_ = (derived(shop, tier) for tier in Tier)
    assert simple == (
        ("category", "brand"), ("category", "colours"), ("category", "material"),
        ("category", "second_hand"), ("category", "size>="), ("second_hand", "price<="),
    )  # fmt: skip
    assert ("colours", "colours", "size<=") in medium
    assert complex_[0] == ("category", "brand", "colours", "size>=", "size<=")


@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=12))
def test_derived_templates_fit_their_domain(kinds: list[str]) -> None:
    domain = domain_of(*kinds)
    for tier in Tier:
        templates = derived(domain, tier)
        assert len({tuple(sorted(one)) for one in templates}) == len(templates) <= MOST_TEMPLATES
        for names in templates:
            assert len(names) in PREDICATES_PER_TIER[tier]
            slots = [parse_slot(name) for name in names]
            assert len({slot.field for slot in slots}) > 1
            for slot in slots:
                spec = domain.fields[slot.field]
                assert (slot.bound is not None) == spec.kind.is_ordered
                assert slots.count(slot) <= (spec.most if spec.kind.is_label else 1)
        named = {parse_slot(name).field for one in templates for name in one}
        if templates and len(kinds) <= 6:
            assert named == set(domain.requirement_fields)


def test_without_a_label_field_bounds_make_the_templates() -> None:
    domain = domain_of(*KINDS[3:])
    assert derived(domain, Tier.SIMPLE)
    assert derived(domain, Tier.MEDIUM)
    assert derived(domain, Tier.COMPLEX) == ()


def test_further_combinations_name_neglected_fields_first() -> None:
    domain = domain_of(*[KINDS[0]] * 5)
    taken = [("f0", "f1"), ("f0", "f2")]
    assert set(next(further(domain, Tier.SIMPLE, taken))) == {"f3", "f4"}
    rest = list(islice(further(domain, Tier.SIMPLE, taken), 20))
    assert len(rest) == 10 - 2
