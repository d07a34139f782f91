"""The generator on other people's catalogues: the shop, two lists of books, and random ones."""

from __future__ import annotations

import csv
import random
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, Operator, Predicate, build_catalogue, parse_domain
from mystery_shopper.catalog.bits import bits_of
from mystery_shopper.dialogue import rollout
from mystery_shopper.foundation import InputError
from mystery_shopper.sources import load_films, load_shop
from mystery_shopper.suites.tau_rec.generate import (
    Drawn,
    Rules,
    draw_tasks,
    feasibility,
    generate,
)
from mystery_shopper.suites.tau_rec.generate.choices import MOST_BOUNDS, Choices
from mystery_shopper.suites.tau_rec.generate.pool import Pool
from mystery_shopper.suites.tau_rec.generate.slots import Slot, parse_slot
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Condition, Tier
from mystery_shopper.suites.tau_rec.taskfile import task_set_bytes
from mystery_shopper.suites.tau_rec.validate import check_task_set

from .test_generator import Facts, check_rules, check_tags

DATA = Path(__file__).parents[3].parent / "shared" / "data"
BOOKS = b"""
name: goodbooks
noun: {singular: book, plural: books}
title: title
popularity: ratings_count
fields:
  title: {kind: text, keyword: true}
  authors: {kind: categories, requirement: true, keyword: true, most: 2}
  language_code: {kind: category, label: language, requirement: true}
  original_publication_year: {kind: integer, label: year, requirement: true, step: 5}
  average_rating: {kind: number, label: rating, requirement: true}
  books_count: {kind: integer, label: number of editions, requirement: true}
  ratings_count: {kind: integer}
"""
NOVELS = b"""
name: novels
noun: {singular: novel, plural: novels}
title: title
popularity: gr_num_ratings
fields:
  title: {kind: text, keyword: true}
  genre: {kind: category, requirement: true}
  orig_lang: {kind: category, label: original language, requirement: true}
  author_nationality: {kind: category, label: nationality, requirement: true}
  author_gender: {kind: category, label: gender, requirement: true}
  pub_year: {kind: integer, label: year, requirement: true, step: 10}
  gr_avg_rating: {kind: number, label: rating, requirement: true}
  gr_num_ratings: {kind: integer}
"""


def from_csv(name: str, text: bytes, key: str, sizes: tuple[int, ...]) -> Catalogue:
    place = DATA / name
    if not place.is_file():
        pytest.skip(f"the folder shared/data beside the project has no {name}")
    domain = parse_domain(text, name)
    with place.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))

    def cell(field: str, raw: str) -> Any:
        kind = domain.fields[field].kind
        raw = raw.strip()
        if kind.is_ordered:
            number = float(raw.replace(",", "")) if raw else None
            return int(number) if number is not None and kind.value == "integer" else number
        if kind.value == "categories":
            return [part.strip() for part in raw.split(",") if part.strip()]
        return raw or None

    values = {field: [cell(field, row[field]) for row in rows] for field in domain.fields}
    return build_catalogue(domain.name, domain, [row[key] for row in rows], values, sizes)


@cache
def catalogue_of(name: str) -> Catalogue:
    if name == "shop":
        return load_shop()
    if name == "goodbooks":
        return from_csv("goodbooks-10k/books.csv", BOOKS, "book_id", (5000,))
    place = "top-500-novels/top-500-novels-metadata_2025-01-11.csv"
    return from_csv(place, NOVELS, "top_500_rank", ())


@cache
def drawn(name: str) -> Drawn:
    return draw_tasks(catalogue_of(name), seed=1, name=f"{name}@1")


WANTED = {"shop": 150, "goodbooks": 140, "novels": 140}


@pytest.mark.parametrize("name", WANTED)
def test_a_catalogue_gives_what_it_can(name: str) -> None:
    catalogue, found = catalogue_of(name), drawn(name)
    tasks, account = found.task_set, found.feasibility
    assert len(tasks.families) == account.made >= WANTED[name]
    assert check_task_set(tasks, catalogue).violations == ()
    for tier in account.tiers:
        block = [family for family in tasks.families if family.tier is tier.tier]
        assert tier.made == len(block)
        assert tier.nvr_made == sum(not family.satisfiable for family in block)
        assert bool(tier.obstacle) == (tier.made < tier.wanted)
        uses = Counter(family.template for family in block)
        assert all(one.satisfiable.made + one.barren.made >= uses[one.template]
                   for one in tier.templates)  # fmt: skip
        assert all(one.satisfiable.made == 0 for one in tier.templates if one.dropped)
    assert bool(account.help) == (account.made < account.wanted)
    facts = Facts(catalogue)
    sample = random.Random(2).sample(tasks.families, 12)
    for family in [*sample, *(one for one in tasks.families if not one.satisfiable)][:20]:
        check_rules(facts, family, Rules())
        check_tags(family)


@pytest.mark.parametrize("name", WANTED)
def test_asking_pays_and_so_does_eliminating(name: str) -> None:
    shelf = Shelf(catalogue_of(name))
    won: Counter[tuple[str, bool]] = Counter()
    for task in drawn(name).task_set.by_id.values():
        for agent in ("popularity", "eliminating"):
            player = AGENTS[agent](task, shelf, Interface.STRUCTURED)
            played = rollout(set_stage(task, shelf, Setting()), player).transcript
            success = bool(shelf.scorer.score(task, played).success)
            hidden = task.condition is Condition.HIDDEN
            assert success or hidden, (task.id, agent)
            won[agent, hidden] += success
    assert won["eliminating", True] >= won["popularity", True] + 15


def test_flags_stock_and_prices_are_asked_for() -> None:
    families = drawn("shop").task_set.families
    predicates = [one for family in families for one in family.predicates]
    flags = {one.value for one in predicates if one.field == "second_hand"}
    assert flags == {True, False}
    prices = [one.value for one in predicates if one.field == "price"]
    assert len(set(prices)) > 10
    assert sum(len(family.formats) == 1 for family in families) == 36


def test_one_format_is_asked_for_or_none() -> None:
    head = "name: n\nnoun: {singular: a, plural: b}\ntitle: t\nfields:\n  t: {kind: text}\n"
    text = head + "".join(
        f"  {name}: {{kind: category, requirement: true}}\n" for name in ("f", "g", "h")
    )
    text += "  n: {kind: integer, requirement: true, step: 5}\n"
    text += "  left: {kind: integer}\nformats: {column: left}\n"
    rng = random.Random(3)
    values = {name: [rng.choice("abcde") for _ in range(600)] for name in ("f", "g", "h")}
    values |= {"t": ["x"] * 600, "n": [rng.randrange(60) for _ in range(600)],
               "left": [rng.choice([0, 0, 3]) for _ in range(600)]}  # fmt: skip
    ids = [f"i{place}" for place in range(600)]
    catalogue = build_catalogue("n", parse_domain(text.encode(), "n"), ids, values)
    made = generate(catalogue, seed=1, name="n@1", rules=Rules(alone=5))
    kinds = Counter(family.formats for family in made.families)
    assert set(kinds) == {(), ("in stock",)}
    assert 0.15 < kinds["in stock",] / len(made.families) < 0.35


def test_films_have_nothing_to_account_for() -> None:
    account = draw_tasks(load_films(), seed=1, name="tau_rec/films@1").feasibility
    assert (account.made, account.wanted, account.help) == (150, 150, ())
    assert all(quota.made == quota.wanted for quota in account.quotas)
    assert len(account.lines()) == 3


def test_progress_counts_to_the_end() -> None:
    told: list[tuple[int, int]] = []

    def tell(done: int, planned: int) -> None:
        told.append((done, planned))

    draw_tasks(load_shop(), seed=1, name="n@1", families=9, progress=tell)
    assert told == [(number, 9) for number in range(1, 10)]


def test_a_number_that_cannot_be_met_names_one_that_can() -> None:
    catalogue = small(random.Random(4), 90)
    rules = Rules(alone=5, attempts=80)
    with pytest.raises(InputError) as caught:
        generate(catalogue, seed=1, name="n@1", families=150, rules=rules)
    text = str(caught.value)
    assert "families can be found" in text
    fewer = text.partition("--families ")[2].partition(";")[0].rstrip(".")
    if fewer.isdecimal():
        made = generate(catalogue, seed=1, name="n@1", families=int(fewer), rules=rules)
        assert len(made.families) == int(fewer)
    else:
        assert "without --families" in text


@pytest.mark.parametrize("name", ["shop", "novels"])
def test_a_quick_look_tells_the_tiers_apart(name: str) -> None:
    account = feasibility(catalogue_of(name))
    assert account.counted == "templates"
    assert [tier.tier for tier in account.tiers] == list(Tier)
    assert all(tier.feasible for tier in account.tiers)


def small(rng: random.Random, count: int) -> Catalogue:
    """A random catalogue of a few fields of any kind."""
    kinds = ["category", "categories", "flag", "integer", "number"]
    chosen = [rng.choice(kinds) for _ in range(rng.randint(1, 6))]
    lines = ["name: r", "noun: {singular: a, plural: b}", "title: t", "popularity: pop", "fields:",
             "  t: {kind: text}", "  pop: {kind: integer}"]  # fmt: skip
    values: dict[str, list[Any]] = {
        "t": [None] * count,
        "pop": [rng.randrange(99) for _ in range(count)],
    }
    for place, kind in enumerate(chosen):
        extra = ", most: 2" if kind == "categories" else ""
        if kind in ("integer", "number") and rng.random() < 0.5:
            extra = ", step: 5"
        if kind in ("category", "categories") and rng.random() < 0.3:
            extra += ", hierarchy: {up: [a, b], top: [up, c]}"
        lines.append(f"  f{place}: {{kind: {kind}, requirement: true{extra}}}")
        labels = "abcdefgh"[: rng.randint(1, 8)]
        values[f"f{place}"] = [value(rng, kind, labels) for _ in range(count)]
    if rng.random() < 0.3:
        lines.append("formats: {simulated: [disc, download]}")
    domain = parse_domain("\n".join(lines).encode(), "r")
    ids = [f"i{place:04d}" for place in range(count)]
    return build_catalogue("r", domain, ids, values, (count // 2,))


def value(rng: random.Random, kind: str, labels: str) -> Any:
    if rng.random() < 0.1:
        return [] if kind == "categories" else None
    match kind:
        case "category":
            return rng.choice(labels)
        case "categories":
            return rng.sample(labels, rng.randint(1, min(3, len(labels))))
        case "flag":
            return rng.random() < 0.4
        case "integer":
            return rng.randrange(40)
        case _:
            return rng.randrange(400) / 10


@settings(max_examples=25)
@given(st.integers(0, 10**6), st.sampled_from([1, 3, 30, 150, 400]), st.sampled_from([None, 9]))
def test_any_small_catalogue_gives_a_lawful_set_or_says_why(
    seed: int, count: int, families: int | None
) -> None:
    catalogue = small(random.Random(seed), count)
    rules = Rules(alone=6, room=6, attempts=40)
    found: Drawn | None = None
    refusal: InputError | None = None
    try:
        found = draw_tasks(catalogue, seed=seed, name="r@1", families=families, rules=rules)
    except InputError as error:
        refusal = error
    if found is None:
        assert refusal is not None
        assert refusal.problems
        assert refusal.remedy
        return
    tasks = found.task_set
    assert len(tasks.families) == families or (families is None and len(tasks.families) <= 150)
    assert set(tasks.reliability) <= set(tasks.panel) <= {one.id for one in tasks.families}
    assert tasks.panel
    facts = Facts(catalogue)
    for family in tasks.families[::5]:
        check_rules(facts, family, rules)
        check_tags(family)
    requests = {frozenset(family.predicates) for family in tasks.families}
    assert len(requests) == len(tasks.families)
    again = generate(catalogue, seed=seed, name="r@1", families=families, rules=rules)
    assert task_set_bytes(again) == task_set_bytes(tasks)


# --- the values of a slot -----------------------------------------------------------------------


@given(st.integers(0, 10**6))
def test_choices_count_what_predicates_hold(seed: int) -> None:
    rng = random.Random(seed)
    catalogue = small(rng, 60)
    pool = Pool(catalogue)
    positions = sorted(rng.sample(range(60), rng.randint(0, 60)))
    bits = bits_of(np.array(positions, np.int64), 60)
    for field in catalogue.domain.requirement_fields:
        kind = catalogue.domain.fields[field].kind
        bounds = (Operator.AT_LEAST, Operator.AT_MOST) if kind.is_ordered else (None,)
        for bound in bounds:
            dense = pool.choices(Slot(field, bound), 3)
            sparse: Choices = pool.make_choices(Slot(field, bound), 3)
            expected = [
                sum(dense.predicate(place).matches(catalogue.item(one)) for one in positions)
                for place in range(len(dense))
            ]
            assert dense.dense
            assert not sparse.dense
            assert dense.counts(bits).tolist() == sparse.counts(bits).tolist() == expected


def test_what_an_item_meets_is_what_its_predicates_hold() -> None:
    catalogue = load_shop()
    pool = Pool(catalogue)
    for name in ("category", "colours", "second_hand", "price>=", "price<=", "size<="):
        slot = parse_slot(name)
        choices = pool.choices(slot, 1)
        every = [choices.predicate(place) for place in range(len(choices))]
        for position in range(0, 5000, 617):
            item = catalogue.item(position)
            met = set(pool.met(slot, item))
            assert met == {one for one in every if one.matches(item)} | met
            assert all(one.matches(item) for one in met)


def test_a_field_of_a_million_steps_has_few_bounds() -> None:
    text = b"name: n\nnoun: {singular: a, plural: b}\ntitle: t\nfields: {t: {kind: text}, " \
        b"n: {kind: integer, requirement: true, step: 1}}"  # fmt: skip
    numbers = [int(10 ** (place / 100)) for place in range(900)]
    catalogue = build_catalogue(
        "n", parse_domain(text, "n"), list(map(str, range(900))), {"t": [""] * 900, "n": numbers}
    )
    bounds = Pool(catalogue).bounds(Slot("n", Operator.AT_LEAST))
    assert 100 < len(bounds) <= MOST_BOUNDS
    assert all(isinstance(one.value, int) for one in bounds)
    assert list(bounds) == sorted(bounds, key=lambda one: float(one.value))  # pyright: ignore[reportArgumentType]
    assert isinstance(bounds[0], Predicate)
