"""The generator: every rule re-checked from the items, over films and over made-up catalogues."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, reduce
from itertools import chain, combinations
from statistics import median
from typing import Any

import msgspec
import numpy as np
import pytest

from mystery_shopper.catalog import (
    Catalogue,
    Domain,
    Operator,
    Predicate,
    all_match,
    build_catalogue,
    fold,
    format_masks,
    formats_of,
    parse_domain,
)
from mystery_shopper.catalog.bits import Bits, bits_of, has_bit, positions_of
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.films import load_films
from mystery_shopper.suites.tau_rec.generate import Rules, generate
from mystery_shopper.suites.tau_rec.generate.disclose import names_kin
from mystery_shopper.suites.tau_rec.generate.slots import parse_slot, templates_of
from mystery_shopper.suites.tau_rec.hypotheses import Elimination, HypothesisSpace
from mystery_shopper.suites.tau_rec.task import (
    PREDICATES_PER_TIER,
    Condition,
    Family,
    Reveal,
    TaskSet,
    Tier,
    canary_for,
)
from mystery_shopper.suites.tau_rec.taskfile import parse_task_set, task_set_bytes
from mystery_shopper.suites.tau_rec.validate import check_task_set

DOMAIN = """
name: pots
noun: {singular: pot, plural: pots}
title: mark
popularity: fame
varieties: {Loam: Valley}
fields:
  mark: {kind: text}
  glaze: {kind: categories, requirement: true, most: 2}
  clay: {kind: category, requirement: true, hierarchy: {Earth: [Loam, Marl]}}
  town: {kind: category, requirement: true, hierarchy: {Hills: [Upper Hills, Lower Hills]}}
  weight: {kind: number, requirement: true, step: 2}
  fame: {kind: integer}
  shop: {kind: categories}
formats: {column: shop}
personas: {who: [A potter, A cook], situation: [wants a pot.], manner: [Is brief.]}
"""
GENTLE = Rules(alone=8, room=6)
GLAZES = ("ash", "tin", "salt", "iron", "lead", "slip")
CLAYS = ("Loam", "Marl", "Flint", "Earth", "Bone")
TOWNS = ("Upper Hills", "Lower Hills", "Valley", "Port", "Fen", "Hills")
SHOPS = ("fair", "kiln", "post")


def pots_rows(count: int, seed: int = 5) -> list[dict[str, Any]]:
    """Towns have clays of their own, clays their glazes and weights, so that some values never
    meet; the rest is even."""
    rng = random.Random(seed)
    rows: list[dict[str, Any]] = []
    for number in range(count):
        town = rng.randrange(len(TOWNS))
        clay = (town + rng.choice([0, 0, 1, 2])) % len(CLAYS)
        glazes = [one for place, one in enumerate(GLAZES) if (place + clay) % 3]
        weight = rng.randrange(1, 40 - 6 * clay) / 2
        rows.append(
            {
                "mark": f"pot {number}",
                "glaze": rng.sample(glazes, rng.choice([1, 1, 2, 3])),
                "clay": CLAYS[clay] if rng.random() < 0.95 else None,
                "town": TOWNS[town],
                "weight": weight if rng.random() < 0.9 else None,
                "fame": rng.randrange(1000),
                "shop": rng.sample(SHOPS, rng.choice([1, 1, 2, 3])),
            }
        )
    return rows


def pots(count: int = 700, text: str = DOMAIN, names: Mapping[str, str] | None = None) -> Catalogue:
    domain = parse_domain(text.encode(), "pots")
    rows = pots_rows(count)
    known = {new: old for old, new in (names or {}).items()}
    values = {name: [row[known.get(name, name)] for row in rows] for name in domain.fields}
    ids = [f"p{i:04d}" for i in range(count)]
    return build_catalogue("pots", domain, ids, values, (250, 450))


@cache
def pots_set() -> tuple[Catalogue, TaskSet]:
    catalogue = pots()
    return catalogue, generate(catalogue, seed=3, name="pots@1", families=60, rules=GENTLE)


@cache
def films_set(seed: int = 1) -> TaskSet:
    return generate(load_films(), seed=seed, name="tau_rec/films@1")


# --- every rule again, item by item -------------------------------------------------------------


class Facts:
    """Which items of each nested catalogue meet a predicate, found one item at a time."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.items = [catalogue.item(p) for p in range(len(catalogue))]
        self.nested = [set(map(int, catalogue.members(size))) for size in catalogue.sizes]
        self._known: dict[Predicate, set[int]] = {}

    def meets(self, *predicates: Predicate) -> set[int]:
        found = set(range(len(self.items)))
        for one in predicates:
            if one not in self._known:
                self._known[one] = {i.position for i in self.items if one.matches(i)}
            found &= self._known[one]
        return found

    def had(self, formats: tuple[str, ...]) -> set[int]:
        return {i.position for i in self.items if not formats or set(formats) & set(formats_of(i))}


def without(family: Family, dropped: Predicate) -> list[Predicate]:
    return [one for one in family.predicates if one != dropped]


def check_rules(facts: Facts, family: Family, rules: Rules) -> None:
    answers = facts.meets(*family.predicates)
    sizes = facts.catalogue.sizes
    assert family.answers == {
        size: len(answers & inside) for size, inside in zip(sizes, facts.nested, strict=True)
    }
    assert len(family.predicates) in PREDICATES_PER_TIER[family.tier]
    revealed = [one for one in family.predicates if one not in family.hidden]
    for inside in facts.nested:
        few = len(answers & inside)
        for one in family.predicates:
            gain = len(facts.meets(*without(family, one)) & inside) - few
            assert gain >= max(1, few * rules.gain_percent / 100)
        assert few <= len(facts.meets(*revealed) & inside) / 2
    for hidden in family.hidden:
        check_not_given_away(facts, hidden, revealed, rules)
    if family.satisfiable:
        assert len(facts.meets(*revealed)) <= rules.odds * len(answers)
        check_answerable(facts, family, answers)
    else:
        check_barren(facts, family, revealed, rules)


def check_not_given_away(
    facts: Facts, hidden: Predicate, revealed: list[Predicate], rules: Rules
) -> None:
    wanted = facts.meets(hidden)
    prior = len(wanted) / len(facts.items)
    sizes = range(1, len(revealed) + 1)
    for chosen in chain.from_iterable(combinations(revealed, size) for size in sizes):
        told = facts.meets(*chosen)
        if told and any(one.field != hidden.field for one in chosen):
            chance = len(wanted & told) / len(told)
            assert chance < rules.known_percent / 100 or chance < rules.lift * prior
    assert not any(names_kin(facts.catalogue.domain, hidden, one) for one in revealed)


def check_answerable(facts: Facts, family: Family, answers: set[int]) -> None:
    read = {facts.catalogue.position_of[one] for one in family.history}
    small = facts.nested[0]
    valid = (answers & small) - read
    had = facts.had(family.formats)
    assert valid & had
    if len(family.formats) == 1:
        assert valid - had
    if family.history:
        assert read <= small
        assert len(read & answers) == 1
        assert len(read) == 1 + len(family.hidden)
        for one in family.hidden:
            assert len((read & facts.meets(*without(family, one))) - facts.meets(one)) == 1


def check_barren(facts: Facts, family: Family, revealed: list[Predicate], rules: Rules) -> None:
    assert not facts.meets(*family.predicates)
    assert not family.history
    for one in family.predicates:
        assert len(facts.meets(one)) >= rules.alone
        assert len(facts.meets(*without(family, one))) >= rules.left
    declined = {one.field for one in family.hidden}
    for inside in facts.nested:
        open_ = np.array(sorted(facts.meets(*revealed) & facts.had(family.formats) & inside))
        hunt = Elimination(facts.catalogue, open_.astype(np.int64), revealed, declined)
        for _ in range(rules.proposals):
            if (best := hunt.best()) is not None:
                hunt.reject(best)
        assert hunt.best() is None


def check_tags(family: Family) -> None:
    volunteer, mixed, hidden = (family.reveals[condition] for condition in Condition)
    assert set(volunteer) == {Reveal.STATED}
    assert Counter(mixed)[Reveal.STATED] == 1
    assert Reveal.HIDDEN not in mixed
    assert mixed.index(Reveal.STATED) == hidden.index(Reveal.STATED)
    assert len(family.hidden) in (1, 2)


# --- films --------------------------------------------------------------------------------------


def test_films_have_the_numbers_of_the_paper() -> None:
    families = films_set().families
    barren = [f for f in families if not f.satisfiable]
    assert Counter(f.tier for f in families) == dict.fromkeys(Tier, 50)
    assert Counter(f.tier for f in barren) == dict.fromkeys(Tier, 5)
    for tier in Tier:
        assert len({f.template for f in barren if f.tier is tier}) >= 2
    assert len({(f.tier, f.template) for f in families}) == 13
    assert sum(len(f.hidden) == 2 for f in families) == 53
    assert sum(len(f.formats) == 1 for f in families) == 36
    assert all(f.satisfiable for f in families if len(f.formats) == 1)
    assert sum(bool(f.history) for f in families) == 48
    assert sum(bool(f.history) and len(f.hidden) == 2 for f in families) == 17
    assert len({frozenset(f.predicates) for f in families}) == 150
    assert [f.id for f in families] == [f"f{n:03d}" for n in range(1, 151)]


def test_films_panel_is_even_over_the_tiers() -> None:
    made = films_set()
    by_id = {f.id: f for f in made.families}
    for block, fertile, barren in ((made.panel, 15, 2), (made.reliability, 5, 1)):
        kinds = Counter((by_id[one].tier, by_id[one].satisfiable) for one in block)
        wanted = {
            (tier, kind): n for tier in Tier for kind, n in ((True, fertile), (False, barren))
        }
        assert kinds == wanted
        assert list(block) == sorted(block)
    assert set(made.reliability) <= set(made.panel)


def test_films_pass_the_check_and_survive_their_file() -> None:
    made = films_set()
    report = check_task_set(made, load_films())
    assert report.ok, report.violations
    assert parse_task_set(task_set_bytes(made), "films") == made
    assert made.canary == canary_for(made.name, 1)
    assert made.catalogue.digest == load_films().digest
    assert all(family.persona for family in made.families)


def test_films_keep_every_rule_item_by_item() -> None:
    facts = Facts(load_films())
    sample = random.Random(1).sample(films_set().families, 12)
    for family in [*sample, *(f for f in films_set().families if not f.satisfiable)][:20]:
        check_rules(facts, family, Rules())
        check_tags(family)


def test_films_are_varied() -> None:
    for tier in Tier:
        block = [f for f in films_set().families if f.tier is tier]
        uses = Counter(one for f in block for one in f.predicates)
        assert max(uses.values()) <= 17
    assert len({one for f in films_set().families for one in f.predicates}) >= 60
    assert len({f.persona for f in films_set().families}) > 75
    orders = {f.history.index(id_) for f in films_set().families if f.history for id_ in f.history
              if all_match(f.predicates, load_films().find(id_))}  # fmt: skip
    assert len(orders) > 1


def test_most_nvr_families_cannot_be_proved_by_trying_every_candidate() -> None:
    facts = Facts(load_films())
    for tier in Tier:
        barren = [f for f in films_set().families if f.tier is tier and not f.satisfiable]
        open_ = [
            len(facts.meets(*(p for p in f.predicates if p not in f.hidden)) & facts.had(f.formats))
            for f in barren
        ]
        assert sum(count > Rules().room for count in open_) >= 3


# --- how the sets treat those who eliminate, and those who do not --------------------------------


@dataclass(frozen=True)
class Outcome:
    """What one strategy makes of the hidden tasks: solved or not, and the proposals it took."""

    solved: bool
    proposals: int


@cache
def film_mask(predicate: Predicate) -> Bits:
    return predicate.mask(load_films())


def play(family: Family, *, eliminating: bool, room: int = 18) -> Outcome:
    """A trial on the hidden condition with the catalogue at hand: at most `room` proposals, then
    abstain if none is left."""
    films = load_films()
    revealed = [one for one in family.predicates if one not in family.hidden]
    read = bits_of([films.position_of[one] for one in family.history], len(films))
    had = reduce(np.bitwise_or, (film_formats()[fold(one)] for one in family.formats))
    open_ = reduce(np.bitwise_and, map(film_mask, revealed)) & had & ~read
    good = reduce(np.bitwise_and, map(film_mask, family.predicates))
    declined = {one.field for one in family.hidden} if eliminating else ()
    hunt = Elimination(film_space(), positions_of(open_), revealed, declined)
    for turn in range(room):
        best = hunt.best()
        if best is None:
            return Outcome(not family.satisfiable, turn)
        if has_bit(good, best):
            return Outcome(True, turn + 1)
        hunt.reject(best)
    return Outcome(not family.satisfiable and hunt.best() is None, room)


@cache
def film_space() -> HypothesisSpace:
    return HypothesisSpace(load_films())


@cache
def film_formats() -> dict[str, Bits]:
    return format_masks(load_films())


def check_strategies(made: TaskSet, least: int) -> None:
    fertile = [family for family in made.families if family.satisfiable]
    barren = [family for family in made.families if not family.satisfiable]
    clever = [play(family, eliminating=True) for family in fertile]
    plain = [play(family, eliminating=False) for family in fertile]
    solved = sum(one.solved for one in clever)
    assert solved >= least
    assert median(one.proposals for one in clever if one.solved) <= 3
    assert all(play(family, eliminating=True).solved for family in barren)
    assert 60 <= sum(one.solved for one in plain) <= min(105, solved - 25)
    assert sum(play(family, eliminating=False).solved for family in barren) <= 8


def test_films_reward_elimination() -> None:
    check_strategies(films_set(), 128)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(101, 111))
def test_any_seed_will_do(seed: int) -> None:
    start = time.perf_counter()
    made = generate(load_films(), seed=seed, name="other@1")
    assert time.perf_counter() - start < 60
    assert check_task_set(made, load_films()).ok
    check_strategies(made, 125)


def test_the_seed_decides_and_string_hashes_do_not() -> None:
    program = (
        "import sys, hashlib\n"
        "from mystery_shopper.sources.films import load_films\n"
        "from mystery_shopper.suites.tau_rec.generate import generate\n"
        "from mystery_shopper.suites.tau_rec.taskfile import task_set_bytes\n"
        "made = generate(load_films(), seed=7, name='few@1', families=18)\n"
        "print(hashlib.sha256(task_set_bytes(made)).hexdigest())\n"
    )
    few = [generate(load_films(), seed=n, name="few@1", families=18) for n in (7, 8)]
    here = [hashlib.sha256(task_set_bytes(made)).hexdigest() for made in few]
    there = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": salt},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for salt in ("1", "77")
    ]
    assert there == [here[0], here[0]]
    assert here[0] != here[1]


# --- catalogues of other shapes -----------------------------------------------------------------


def test_another_catalogue_keeps_every_rule_item_by_item() -> None:
    catalogue, made = pots_set()
    facts = Facts(catalogue)
    assert len(made.families) == 60
    assert sum(not f.satisfiable for f in made.families) == 6
    assert sum(len(f.formats) == 1 for f in made.families) == 14
    for family in made.families:
        check_rules(facts, family, GENTLE)
        check_tags(family)
    assert sum(made.origin.rejected.values()) > 0


def test_names_of_fields_do_not_matter() -> None:
    _, made = pots_set()
    names = {"glaze": "zz", "clay": "bb", "town": "town of origin", "weight": "aa", "shop": "via"}
    text = DOMAIN.replace("column: shop", "column: via")
    for old, new in names.items():
        text = text.replace(f"\n  {old}:", f"\n  {new}:")
    renamed = generate(
        pots(text=text, names=names), seed=3, name="pots@1", families=60, rules=GENTLE
    )

    def plain(family: Family, table: Mapping[str, str]) -> Family:
        slots = [parse_slot(slot) for slot in family.template]
        template = tuple(table.get(s.field, s.field) + s.name[len(s.field) :] for s in slots)
        predicates = tuple(
            Predicate(table.get(p.field, p.field), p.op, p.value) for p in family.predicates
        )
        return msgspec.structs.replace(family, template=template, predicates=predicates)

    assert [plain(f, names) for f in made.families] == list(renamed.families)


def test_as_paper_leaves_out_our_own_filter() -> None:
    made = generate(
        pots(), seed=3, name="p@1", families=30, rules=replace(GENTLE, proposals=0), as_paper=True
    )
    assert sum(not f.satisfiable for f in made.families) == 3
    assert not any(
        "proposals" in reason or "candidate" in reason for reason in made.origin.rejected
    )


def test_few_families_keep_the_proportions() -> None:
    made = generate(pots(), seed=1, name="p@1", families=6, rules=GENTLE)
    assert Counter(f.tier for f in made.families) == dict.fromkeys(Tier, 2)
    assert len(made.panel) == 3
    one = generate(pots(), seed=1, name="p@1", families=1, rules=GENTLE)
    assert [f.tier for f in one.families] == [Tier.SIMPLE]


def test_formats_and_personas_may_be_off() -> None:
    text = DOMAIN[: DOMAIN.index("formats:")]
    made = generate(pots(text=text), seed=1, name="p@1", families=12, rules=GENTLE)
    assert {f.formats for f in made.families} == {()}
    assert {f.persona for f in made.families} == {""}


# --- errors and helpers -------------------------------------------------------------------------


def test_a_catalogue_without_a_feasible_family_says_why() -> None:
    with pytest.raises(InputError) as caught:
        generate(pots(count=4), seed=1, name="p@1", families=9, rules=replace(GENTLE, attempts=40))
    assert "simple: 2 of 3 satisfiable families can be found" in str(caught.value)
    assert "no more satisfiable simple family of [glaze, clay]: " in str(caught.value)
    assert "a larger catalogue: this one has 4 items" in str(caught.value)


def test_a_template_that_nothing_fits_is_named() -> None:
    text = DOMAIN + "templates: {simple: [[glaze, town], [glaze, glaze], [town, clay]]}"
    rows = [{**row, "glaze": row["glaze"][:1]} for row in pots_rows(700)]
    domain = parse_domain(text.encode(), "pots")
    values = {name: [row[name] for row in rows] for name in domain.fields}
    catalogue = build_catalogue("pots", domain, [str(i) for i in range(700)], values, (250,))
    with pytest.raises(InputError, match=r"no simple family of \[glaze, glaze\] can be found"):
        generate(catalogue, seed=1, name="p@1", families=9, rules=replace(GENTLE, attempts=200))


def test_no_family_is_an_error() -> None:
    with pytest.raises(InputError, match="0 families"):
        generate(pots(), seed=1, name="p@1", families=0)


def domain_with(templates: str) -> Domain:
    return parse_domain((DOMAIN + f"templates: {templates}").encode(), "pots")


@pytest.mark.parametrize(
    ("templates", "problem"),
    [
        ("{simple: [[glaze, clay, town]]}", "has 3 slots, the tier takes 2"),
        ("{simple: [[clay, clay]]}", "names clay 2 times, at most 1 fit"),
        ("{medium: [[glaze, 'weight>=', 'weight>=']]}", "names weight>= 2 times"),
        ("{hard: [[glaze, clay]]}", "templates.hard: no such tier"),
    ],
)
def test_templates_that_do_not_fit_are_refused(templates: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        templates_of(domain_with(templates))


def test_a_tier_without_templates_gets_derived_ones() -> None:
    found = templates_of(domain_with("{simple: [[glaze, clay]]}"))
    assert [slot.name for slot in found[Tier.SIMPLE][0]] == ["glaze", "clay"]
    for tier in (Tier.MEDIUM, Tier.COMPLEX):
        assert 4 <= len(found[tier]) <= 8
        assert all(len(one) in PREDICATES_PER_TIER[tier] for one in found[tier])
        assert {slot.field for one in found[tier] for slot in one} == {
            "glaze", "clay", "town", "weight"}  # fmt: skip


def test_a_domain_with_one_field_is_too_narrow() -> None:
    text = "name: n\nnoun: {singular: a, plural: b}\ntitle: t\n" \
        "fields: {t: {kind: text}, g: {kind: category, requirement: true}}"  # fmt: skip
    with pytest.raises(InputError, match="no template of tier simple"):
        templates_of(parse_domain(text.encode(), "n"))


@pytest.mark.parametrize(
    ("one", "other", "kin"),
    [
        (("clay", "Loam"), ("town", "Valley"), True),
        (("town", "Valley"), ("clay", "loam"), True),
        (("clay", "Marl"), ("town", "Valley"), False),
        (("town", "Upper Hills"), ("town", "Hills"), True),
        (("town", "Upper Hills"), ("town", "Lower Hills"), False),
        (("clay", "Loam"), ("weight", 4), False),
    ],
)
def test_kin_labels(one: tuple[str, Any], other: tuple[str, Any], kin: bool) -> None:
    domain = parse_domain(DOMAIN.encode(), "pots")

    def predicate(field: str, value: Any) -> Predicate:
        op = Operator.AT_LEAST if field == "weight" else Operator.WITHIN
        return Predicate(field, op, value)

    assert names_kin(domain, predicate(*one), predicate(*other)) is kin
