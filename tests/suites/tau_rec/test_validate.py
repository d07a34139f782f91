"""The check of a task set: a sound one passes, and each property broken is reported as that one."""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.catalog import (
    Catalogue,
    Operator,
    Predicate,
    all_match,
    build_catalogue,
    formats_of,
    parse_domain,
)
from mystery_shopper.sources import load_films, load_shop
from mystery_shopper.suites.tau_rec import validate
from mystery_shopper.suites.tau_rec.task import (
    CatalogueRef,
    Condition,
    Family,
    Origin,
    Reveal,
    TaskSet,
    Tier,
    canary_for,
)
from mystery_shopper.suites.tau_rec.taskfile import shipped_names, shipped_task_set
from mystery_shopper.suites.tau_rec.validate import (
    CheckReport,
    Property,
    answer_sizes,
    check_task_set,
)
from mystery_shopper.suites.tau_rec.validate.items import Items, members, set_of
from mystery_shopper.suites.tau_rec.validate.proof import proposals_until_proof
from mystery_shopper.suites.tau_rec.validate.quotas import check_set, figures_of
from mystery_shopper.suites.tau_rec.validate.report import Ledger

DOMAIN = b"""
name: toys
noun: {singular: toy, plural: toys}
title: name
popularity: fame
varieties: {Shore Talk: Shore}
fields:
  name: {kind: text}
  mood: {kind: categories, requirement: true, most: 2}
  tongue: {kind: categories, requirement: true, hierarchy: {High: [High North, High South]}}
  land: {kind: category, requirement: true, hierarchy: {Main: [Main East, Main West]}}
  year: {kind: integer, requirement: true, step: 5}
  form: {kind: categories}
  fame: {kind: integer}
formats: {column: form}
personas: {who: [A cook], situation: [is at home.], manner: [Is brief.]}
templates:
  simple: [[mood, tongue], [land, "year>="], [tongue, land]]
  medium:
    - [mood, mood, "year<="]
    - [mood, land, "year>="]
    - [tongue, land, "year<="]
    - [land, land, mood]
    - [land, "year>=", "year<="]
    - [mood, land, "year>=", "year<="]
  complex:
    - [mood, mood, tongue, land, "year>="]
    - [mood, mood, tongue, land, "year<="]
"""
MOODS = ["Airy", "Bold", "Calm", "Dark", "Eerie", "Frank"]
TONGUES = ["High", "High North", "High South", "Low", "Shore Talk", "Cape Talk"]
LANDS = ["Isle", "Main East", "Main West", "Peak", "Shore", "Cape"]
FORMS = ["disc", "tape", "roll", "card"]
SIZES = (500, 1000)
STATED, ON_ASK, HIDDEN = Reveal.STATED, Reveal.ON_ASK, Reveal.HIDDEN


def a_toy(dice: random.Random) -> dict[str, Any]:
    tongue, year = dice.choice(TONGUES), dice.randrange(1980, 2020)
    land = dice.choice(LANDS)
    if tongue == "Cape Talk" and year >= 1990 and dice.random() < 0.8:
        land = "Cape"
    moods = dice.sample(MOODS, 2)
    if {"Frank", "Isle"} <= {*moods, land} and year >= 2000:
        year -= 20
    forms = [form for form in FORMS if dice.random() < 0.5] or ["disc"]
    return {"mood": moods, "tongue": [tongue], "land": land, "year": year, "form": forms}


def grim_and_hazy_toys() -> list[dict[str, Any]]:
    """15 Grim toys and 25 Hazy ones, all on disc only: no Grim or Hazy one is from the Isle and of
    2000 or later; 7 Grim and 2 Hazy ones would be but for their year."""
    rows: list[dict[str, Any]] = []
    for label, count, old in (("Grim", 15, 7), ("Hazy", 25, 2)):
        for i in range(count):
            land, year = ("Isle", 1990) if i < old else (LANDS[1 + i % 5], 2000 + i % 9)
            tongue = "Low" if i % 2 else TONGUES[i % 6]
            rows.append(
                {"mood": [label], "tongue": [tongue], "land": land, "year": year, "form": ["disc"]}
            )
    return rows


@cache
def toys() -> Catalogue:
    """1,600 toys. None is Frank, from the Isle and of 2000 or later; toys in Cape Talk come mostly
    from the Cape, but for the old ones. The Grim and the Hazy are in the smallest catalogue."""
    dice = random.Random(7)
    ids = [f"t{i:04}" for i in range(1600)]
    rows = {item: a_toy(dice) for item in ids}
    rows["t0003"] |= {"mood": [], "tongue": [], "land": None, "year": None}
    rows["t0004"] |= {"mood": ["Frank"], "land": "Isle", "year": None, "form": ["disc"]}
    first = sorted(ids, key=lambda item: hashlib.sha256(item.encode()).digest())
    rows |= dict(zip(first, grim_and_hazy_toys(), strict=False))
    columns: dict[str, list[Any]] = {
        field: [rows[item][field] for item in ids] for field in rows[ids[0]]
    }
    columns |= {"name": [f"Toy {item}" for item in ids], "fame": list(range(len(ids)))}
    return build_catalogue("toys", parse_domain(DOMAIN, "toys"), ids, columns, SIZES)


def mood(label: str) -> Predicate:
    return Predicate("mood", Operator.CONTAINS, label)


def tongue(label: str) -> Predicate:
    return Predicate("tongue", Operator.WITHIN, label)


def land(label: str) -> Predicate:
    return Predicate("land", Operator.WITHIN, label)


def since(year: int) -> Predicate:
    return Predicate("year", Operator.AT_LEAST, year)


def until(year: int) -> Predicate:
    return Predicate("year", Operator.AT_MOST, year)


def positions(*predicates: Predicate, size: int | None = None) -> list[int]:
    """The matching positions, by the predicate's own evaluation of one item."""
    catalogue = toys()
    rows = range(len(catalogue)) if size is None else map(int, catalogue.members(size))
    return [row for row in rows if all_match(predicates, catalogue.item(row))]


def an_id(*predicates: Predicate, without: tuple[Predicate, ...] = (), form: str = "") -> str:
    """An item that meets the predicates and none of the others, in a form or in any."""
    for row in positions(*predicates):
        item = toys().item(row)
        if not any(p.matches(item) for p in without) and (not form or form in formats_of(item)):
            return item.id
    raise AssertionError("no such item")


def request(
    name: str,
    asked: dict[Predicate, Reveal],
    formats: tuple[str, ...] = ("disc", "tape"),
    history: tuple[str, ...] = (),
) -> Family:
    """A family from predicates with the tags of its hidden condition."""
    predicates, tags = tuple(asked), tuple(asked.values())
    counts = {size: len(positions(*predicates, size=size)) for size in toys().sizes}
    slots = [p.field + (p.op.value if p.field == "year" else "") for p in predicates]
    return Family(
        id=name,
        tier={2: Tier.SIMPLE, 3: Tier.MEDIUM, 4: Tier.MEDIUM}.get(len(predicates), Tier.COMPLEX),
        template=tuple(slots),
        predicates=predicates,
        reveals={
            Condition.VOLUNTEER: tuple(STATED for _ in tags),
            Condition.MIXED: tuple(tag if tag is STATED else ON_ASK for tag in tags),
            Condition.HIDDEN: tags,
        },
        formats=formats,
        history=history,
        satisfiable=counts[len(toys())] > 0,
        persona="A cook is at home. Is brief.",
        answers=counts,
    )


@cache
def families() -> dict[str, Family]:
    airy, north, bold, old = mood("Airy"), tongue("High North"), mood("Bold"), until(2000)
    frank, isle, new = mood("Frank"), land("Isle"), since(2000)
    main, recent = land("Main"), since(1995)
    read = (an_id(airy, north), an_id(airy, without=(north,)))
    read_two = (an_id(airy, bold, old), an_id(airy, old, without=(bold,)),
                an_id(airy, bold, without=(old,)))  # fmt: skip
    made = [
        request("f1", {airy: STATED, north: HIDDEN}, ("disc",), read),
        request("f2", {airy: STATED, bold: HIDDEN, old: HIDDEN}, history=read_two),
        request("f3", {frank: STATED, isle: HIDDEN, new: ON_ASK}),
        request("f4", {main: HIDDEN, recent: STATED}, ("disc", "tape", "roll", "card")),
    ]
    return {family.id: family for family in made}


def a_set(*made: Family, **changes: Any) -> TaskSet:
    chosen = made or tuple(families().values())
    ids = tuple(family.id for family in chosen)
    task_set = TaskSet(
        schema=1,
        name="tau_rec/toys@1",
        canary=canary_for("tau_rec/toys@1", 5),
        catalogue=CatalogueRef("toys", toys().digest, toys().sizes),
        origin=Origin(1, 5, {}),
        families=chosen,
        panel=ids[:2],
        reliability=ids[:1],
    )
    return msgspec.structs.replace(task_set, **changes)


def with_change(name: str, **changes: Any) -> TaskSet:
    """The sound set with one family changed."""
    changed = msgspec.structs.replace(families()[name], **changes)
    return a_set(*(changed if f.id == name else f for f in families().values()))


def with_extra(family: Family) -> TaskSet:
    return a_set(*families().values(), family)


def broken(report: CheckReport) -> set[tuple[str, Property]]:
    return {(violation.family, violation.property) for violation in report.violations}


def test_a_sound_set_passes_and_every_property_was_checked() -> None:
    report = check_task_set(a_set(), toys())
    assert [str(v) for v in report.violations] == []
    assert report.ok
    unasked = {Property.QUOTA, Property.PANEL}
    assert set(report.checked) == set(Property) - unasked
    assert report.figures["families"] == 4
    assert report.name == "tau_rec/toys@1"


def test_answer_sizes_are_medians_over_satisfiable_families() -> None:
    counts = [family.answers for family in families().values() if family.satisfiable]
    middle = {size: float(sorted(c[size] for c in counts)[1]) for size in toys().sizes}
    assert answer_sizes(a_set(), toys()) == middle
    nothing = answer_sizes(a_set(families()["f3"]), toys())
    assert all(math.isnan(value) for value in nothing.values())


# --- one property broken at a time ---------------------------------------------------------------

AIRY, NORTH, BOLD, OLD = mood("Airy"), tongue("High North"), mood("Bold"), until(2000)
FRANK, ISLE, NEW, MAIN, RECENT = mood("Frank"), land("Isle"), since(2000), land("Main"), since(1995)


def wrong_digest() -> TaskSet:
    return a_set(catalogue=CatalogueRef("toys", "0" * 64, toys().sizes))


def no_predicates() -> TaskSet:
    return with_change("f1", predicates=())


def one_tag_too_few() -> TaskSet:
    tags = families()["f1"].reveals | {Condition.MIXED: (STATED,)}
    return with_change("f1", reveals=tags)


def counts_and_flag_disagree() -> TaskSet:
    return with_change("f4", satisfiable=False)


def a_field_without_requirements() -> TaskSet:
    named = Predicate("name", Operator.CONTAINS, "toy")
    return with_change("f4", predicates=(MAIN, named))


def panel_of_strangers() -> TaskSet:
    return a_set(panel=("f1", "f9"))


def another_tier() -> TaskSet:
    return with_change("f1", tier=Tier.COMPLEX)


def another_template() -> TaskSet:
    return with_change("f1", template=("tongue", "land"))


def a_wish_not_to_have() -> TaskSet:
    never = Predicate("mood", Operator.NOT_CONTAINS, "Airy")
    return with_extra(request("x", {never: STATED, NORTH: HIDDEN}))


def an_uneven_bound() -> TaskSet:
    return with_extra(request("x", {MAIN: HIDDEN, since(1993): STATED}))


def bounds_that_cross() -> TaskSet:
    return with_extra(request("x", {since(2005): STATED, MAIN: HIDDEN, until(1990): ON_ASK}))


def the_same_request_twice() -> TaskSet:
    return with_extra(msgspec.structs.replace(families()["f1"], id="x"))


def no_persona() -> TaskSet:
    return with_change("f1", persona=" ")


def a_wrong_count() -> TaskSet:
    answers = families()["f1"].answers
    return with_change("f1", answers=answers | {500: answers[500] + 1})


def an_idle_predicate() -> TaskSet:
    return with_extra(request("x", {AIRY: STATED, MAIN: HIDDEN, since(1980): ON_ASK}))


def nothing_acceptable() -> TaskSet:
    hazy = {mood("Hazy"): STATED, tongue("Low"): HIDDEN}
    return with_extra(request("x", hazy, formats=("tape", "roll")))


def an_answer_after_all() -> TaskSet:
    """Said to have none, and the counts say so too; in truth it has some."""
    family = request("x", {AIRY: STATED, land("Peak"): HIDDEN, NEW: ON_ASK})
    nothing = dict.fromkeys(family.answers, 0)
    changed = msgspec.structs.replace(family, satisfiable=False, answers=nothing)
    return with_extra(changed)


def a_rare_predicate() -> TaskSet:
    return with_extra(request("x", {mood("Grim"): STATED, ISLE: HIDDEN, NEW: ON_ASK}))


def too_little_without_one() -> TaskSet:
    return with_extra(request("x", {mood("Hazy"): STATED, ISLE: HIDDEN, NEW: ON_ASK}))


def not_decidable() -> TaskSet:
    """The year hidden: a bound or a range can hide between the years of any two rejected toys."""
    tags = families()["f3"].reveals | {Condition.HIDDEN: (STATED, ON_ASK, HIDDEN)}
    return with_change("f3", reveals=tags)


def three_hidden() -> TaskSet:
    hidden = {AIRY: STATED, land("Peak"): HIDDEN, since(1995): HIDDEN, until(2010): HIDDEN}
    return with_extra(request("x", hidden))


def hidden_that_rules_out_little() -> TaskSet:
    return with_extra(request("x", {AIRY: STATED, MAIN: ON_ASK, since(1985): HIDDEN}))


def a_likely_hidden_predicate() -> TaskSet:
    cape = {tongue("Cape Talk"): STATED, until(1985): ON_ASK, land("Cape"): HIDDEN}
    return with_extra(request("x", cape))


def a_descendant_revealed() -> TaskSet:
    asked = {land("Main East"): STATED, MAIN: HIDDEN, AIRY: HIDDEN}
    return with_extra(request("x", asked))


def a_variety_revealed() -> TaskSet:
    return with_extra(request("x", {tongue("Shore Talk"): STATED, land("Shore"): HIDDEN}))


def no_formats() -> TaskSet:
    return with_change("f4", formats=())


def an_unknown_format() -> TaskSet:
    return with_change("f4", formats=("disc", "wax"))


def one_format_that_all_have() -> TaskSet:
    hazy = {mood("Hazy"): STATED, tongue("Low"): HIDDEN}
    return with_extra(request("x", hazy, formats=("disc",)))


def nvr_with_one_format() -> TaskSet:
    return with_change("f3", formats=("disc",))


def a_history_of_strangers() -> TaskSet:
    return with_change("f1", history=(*families()["f1"].history[:1], "nobody"))


def a_history_without_an_answer() -> TaskSet:
    return with_change("f1", history=families()["f1"].history[1:])


def a_history_with_one_more() -> TaskSet:
    more = an_id(without=(AIRY, NORTH))
    return with_change("f1", history=(*families()["f1"].history, more))


def a_history_that_fails_two() -> TaskSet:
    one, _, three = families()["f2"].history
    return with_change("f2", history=(one, an_id(AIRY, without=(BOLD, OLD)), three))


BREAKS: list[tuple[Callable[[], TaskSet], str, set[Property]]] = [
    (wrong_digest, "", {Property.CATALOGUE}),
    (lambda: a_set(canary="00000000-0000-0000-0000-000000000000"), "", {Property.CANARY}),
    (panel_of_strangers, "", {Property.FORM}),
    (lambda: a_set(schema=9), "", {Property.FORM}),
    (one_tag_too_few, "f1", {Property.FORM}),
    (counts_and_flag_disagree, "f4", {Property.FORM}),
    (a_field_without_requirements, "f4", {Property.FORM}),
    (no_predicates, "f1", {Property.CRITERIA}),
    (another_tier, "f1", {Property.TIER, Property.TEMPLATE}),
    (another_template, "f1", {Property.TEMPLATE}),
    (a_wish_not_to_have, "x", {Property.TEMPLATE}),
    (an_uneven_bound, "x", {Property.BOUNDS}),
    (the_same_request_twice, "x", {Property.DISTINCT}),
    (no_persona, "f1", {Property.PERSONA}),
    (a_wrong_count, "f1", {Property.ANSWERS}),
    (an_idle_predicate, "x", {Property.MATERIAL}),
    (not_decidable, "f3", {Property.DECIDABLE}),
    (a_likely_hidden_predicate, "x", {Property.GIVEN_AWAY}),
    (a_variety_revealed, "x", {Property.VARIETY}),
    (no_formats, "f4", {Property.FORMATS}),
    (an_unknown_format, "f4", {Property.FORMATS}),
    (one_format_that_all_have, "x", {Property.FORMATS}),
    (nvr_with_one_format, "f3", {Property.FORMATS}),
    (a_history_of_strangers, "f1", {Property.HISTORY}),
    (a_history_without_an_answer, "f1", {Property.HISTORY}),
    (a_history_with_one_more, "f1", {Property.HISTORY}),
    (a_history_that_fails_two, "f2", {Property.HISTORY}),
    (hidden_that_rules_out_little, "x", {Property.RULES_OUT}),
    (three_hidden, "x", {Property.HIDDEN_COUNT}),
    (bounds_that_cross, "x", {Property.BOUNDS, Property.MATERIAL, Property.DROP_ONE}),
    (a_rare_predicate, "x", {Property.ALONE}),
    (too_little_without_one, "x", {Property.DROP_ONE}),
    (an_answer_after_all, "x", {Property.NO_MATCH, Property.ANSWERS}),
    (nothing_acceptable, "x", {Property.ACCEPTABLE}),
    (a_descendant_revealed, "x", {Property.RELATED, Property.MATERIAL}),
]


@pytest.mark.parametrize(("change", "family", "properties"), BREAKS)
def test_a_broken_property_is_reported_as_that_one(
    change: Callable[[], TaskSet], family: str, properties: set[Property]
) -> None:
    report = check_task_set(change(), toys())
    found = "\n".join(map(str, report.violations))
    assert broken(report) == {(family, name) for name in properties}, found
    assert not report.ok


def test_every_property_of_a_family_is_broken_somewhere() -> None:
    tried = {name for _, _, properties in BREAKS for name in properties}
    assert tried == set(Property) - {Property.QUOTA, Property.PANEL}


def test_a_domain_without_formats_wants_none() -> None:
    plain = toys_without_formats()
    asked = msgspec.structs.replace(families()["f4"], formats=())
    reference = CatalogueRef("toys", plain.digest, plain.sizes)
    assert check_task_set(a_set(asked, panel=(), reliability=(), catalogue=reference), plain).ok
    report = check_task_set(a_set(families()["f4"], catalogue=reference), plain)
    assert {(v.family, v.property) for v in report.violations} >= {("f4", Property.FORMATS)}


def toys_without_formats() -> Catalogue:
    full = toys()
    domain = msgspec.structs.replace(full.domain, formats=None)
    return Catalogue(full.name, domain, full.ids, full.columns, full.nesting, full.sizes)


def test_an_empty_set_is_no_set() -> None:
    empty = msgspec.structs.replace(a_set(), families=(), panel=(), reliability=())
    assert broken(check_task_set(empty, toys())) == {("", Property.FORM)}


def test_a_family_that_cannot_be_read_stops_the_numbers_of_the_set_only() -> None:
    report = check_task_set(no_predicates(), toys())
    assert report.figures == {"families": 4}
    assert report.checked[Property.MATERIAL] > 0


# --- the numbers of a full set -------------------------------------------------------------------


def a_full_set() -> TaskSet:
    """150 families with the right numbers, and predicates that only have to differ."""
    made: list[Family] = []
    for index, (tier, place) in enumerate(product(Tier, range(50))):
        read = 5 <= place < 21
        two = 21 <= place < 33 or (read and len([f for f in made if f.history]) < 17)
        templates = toys().domain.templates[tier.value]
        made.append(
            Family(
                id=f"f{index:03}",
                tier=tier,
                template=templates[place % len(templates)],
                predicates=(mood("Airy"), mood(f"No {index}"), since(2000)),
                reveals={Condition.HIDDEN: (STATED, HIDDEN, HIDDEN if two else ON_ASK)},
                formats=("disc",) if 33 <= place < 45 else ("disc", "tape"),
                history=("t0000",) if read else (),
                satisfiable=place >= 5,
                persona="",
                answers={},
            )
        )
    panel = [f.id for i, f in enumerate(made) if i % 50 < 2 or 5 <= i % 50 < 20]
    reliability = [f.id for i, f in enumerate(made) if 5 <= i % 50 < 11]
    return a_set(*made, panel=tuple(panel), reliability=tuple(reliability))


def numbers_broken(task_set: TaskSet) -> list[str]:
    ledger = Ledger()
    check_set(task_set, Items(toys()), ledger)
    return [violation.found for violation in ledger.violations]


def change(task_set: TaskSet, index: int, **changes: Any) -> TaskSet:
    made = list(task_set.families)
    made[index] = msgspec.structs.replace(made[index], **changes)
    return msgspec.structs.replace(task_set, families=tuple(made))


TWO = {Condition.HIDDEN: (STATED, HIDDEN, HIDDEN)}
NUMBERS: list[tuple[dict[int, dict[str, Any]], list[str]]] = [
    ({}, []),
    ({49: {"tier": Tier.MEDIUM, "template": ("mood", "mood", "year<=")}},
     ["simple families: 49, not 50", "medium families: 51, not 50"]),
    ({49: {"satisfiable": False}}, ["simple NVR families: 6, not 5"]),
    ({49: {"reveals": TWO}}, ["families that hide two: 54, not 53"]),
    ({49: {"formats": ("disc",)}}, ["families with one format: 37, not 36"]),
    ({49: {"history": ("t0000",)}}, ["families with a history: 49, not 48"]),
    ({21: {"history": ("t0000",)}, 70: {"history": ()}},
     ["families with a history that hide two: 18, not 17"]),
    ({49: {"template": ("mood",)}}, ["templates: 12, not 11"]),
    ({i: {"template": ("mood", "tongue")} for i in range(5)},
     ["simple NVR templates: 1, not 2 or more"]),
    ({49: {"predicates": (mood("airy"), mood("NO 1"), since(2000))}}, ["also asked by f001"]),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "found"), NUMBERS)
def test_each_number_of_a_full_set(changes: dict[int, dict[str, Any]], found: list[str]) -> None:
    task_set = a_full_set()
    for index, fields in changes.items():
        task_set = change(task_set, index, **fields)
    assert numbers_broken(task_set) == found


def test_the_numbers_of_the_panel() -> None:
    task_set = a_full_set()
    panel = (*task_set.panel[1:], "f049")
    fewer = msgspec.structs.replace(task_set, panel=panel, reliability=task_set.reliability[1:])
    assert numbers_broken(fewer) == [
        "panel NVR families: 5, not 6",
        "reliability families: 17, not 18",
    ]
    more = msgspec.structs.replace(task_set, panel=(*task_set.panel, "f049"))
    assert numbers_broken(more) == ["panel families: 52, not 51"]


def test_a_smaller_set_is_only_counted() -> None:
    assert figures_of(a_set())["simple families"] == 2
    assert numbers_broken(a_set()) == []


# --- the second road itself ----------------------------------------------------------------------


def test_the_check_shares_no_road_with_the_generator() -> None:
    """Of the package it imports the task, the policies, the catalogue and itself; no mask."""
    allowed = {
        "mystery_shopper.catalog",
        "mystery_shopper.catalog.columns",
        "mystery_shopper.suites.tau_rec.policies",
        "mystery_shopper.suites.tau_rec.task",
        "mystery_shopper.suites.tau_rec.validate",
    }
    for file in Path(validate.__file__).parent.glob("*.py"):
        source = file.read_text(encoding="utf-8")
        for name in re.findall(r"^ *(?:from|import) (mystery_shopper[\w.]*)", source, re.MULTILINE):
            assert re.sub(r"(\.validate)\..*", r"\1", name) in allowed, f"{file.name}: {name}"
        assert not re.search(r"\.mask\(|\bformat_masks\b|\.postings\b|\.bearers\b", source), (
            file.name
        )


PREDICATES = [
    *(Predicate("mood", op, "bold") for op in (Operator.CONTAINS, Operator.NOT_CONTAINS)),
    *(Predicate("mood", op, ("BOLD", "Airy"))
      for op in (Operator.CONTAINS_ANY, Operator.IN, Operator.EQUAL, Operator.NOT_EQUAL)),
    *(Predicate("land", Operator.WITHIN, label) for label in ("main", "Isle", "MAIN  west")),
    *(Predicate("tongue", Operator.WITHIN, label) for label in ("High", "no such")),
    *(Predicate("year", op, 1999)
      for op in (Operator.AT_LEAST, Operator.AT_MOST, Operator.EQUAL, Operator.NOT_EQUAL)),
    Predicate("year", Operator.IN, (1990.0, 2001.0)),
]  # fmt: skip


@pytest.mark.parametrize("predicate", PREDICATES)
def test_a_predicate_holds_where_it_matches_the_item(predicate: Predicate) -> None:
    items = Items(toys())
    assert members(items.holds(predicate)) == positions(predicate)


@pytest.mark.parametrize(
    "predicate", [Predicate("mood", Operator.AT_MOST, 1), Predicate("year", Operator.WITHIN, 1)]
)
def test_an_operator_that_does_not_fit_is_refused(predicate: Predicate) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        Items(toys()).holds(predicate)


def test_sets_hold_what_was_put_in() -> None:
    dice = random.Random(1)
    for size in (1, 7, 8, 9, 1000):
        chosen = sorted(dice.sample(range(size), size // 2))
        assert members(set_of(chosen, size)) == chosen
        assert members(set_of(range(size), size)) == list(range(size))


def test_nested_sets_and_formats_are_the_catalogues() -> None:
    items, catalogue = Items(toys()), toys()
    for size, nested in items.nested.items():
        assert members(nested) == [int(p) for p in catalogue.members(size)]
    for form in FORMS:
        had = [p for p in range(len(catalogue)) if form in formats_of(catalogue.item(p))]
        assert members(items.having([form.upper()])) == had


def slow_proof(family: Family) -> int:
    """Greedy elimination as it is told: every hypothesis listed, every candidate compared."""
    catalogue, hidden = toys(), family.hidden
    revealed = [p for p in family.predicates if p not in hidden]
    candidates = [
        catalogue.item(p)
        for p in positions(*revealed)
        if set(formats_of(catalogue.item(p))) & set(family.formats)
        and catalogue.ids[p] not in family.history
    ]
    spaces: list[list[tuple[Predicate, ...]]] = []
    for field in dict.fromkeys(p.field for p in hidden):
        told = {p.value for p in revealed if p.field == field}
        if field == "year":
            ops = {p.op for p in revealed if p.field == field}
            years = sorted({int(str(i["year"])) for i in candidates if i["year"] is not None})
            low = [since(y) for y in years] if Operator.AT_LEAST not in ops else []
            high = [until(y) for y in years] if Operator.AT_MOST not in ops else []
            spaces.append([(p,) for p in low + high] + list(product(low, high)))
            continue
        labels = {"mood": MOODS, "tongue": TONGUES, "land": [*LANDS, "Main"]}[field]
        wanted = [Predicate(field, Operator.WITHIN, label) for label in labels if label not in told]
        counts = range(1, toys().domain.fields[field].most + 1)
        spaces.append([chosen for count in counts for chosen in combinations(wanted, count)])
    left = [sum(parts, ()) for parts in product(*spaces)]
    proposals = 0
    while True:
        fits = [[h for h in left if all_match(h, item)] for item in candidates]
        best = max(range(len(fits)), key=lambda i: (len(fits[i]), -candidates[i].position))
        if not fits[best]:
            return proposals
        proposals += 1
        gone = set(fits[best])
        left = [h for h in left if h not in gone]


SCARCE = ("roll",)
PROOFS = [
    request("p1", {FRANK: STATED, ISLE: HIDDEN, NEW: ON_ASK}),
    request("p2", {FRANK: STATED, ISLE: ON_ASK, NEW: HIDDEN}),
    request("p3", {mood("Grim"): STATED, ISLE: HIDDEN, NEW: HIDDEN}, ("disc",)),
    request("p4", {mood("Grim"): HIDDEN, land("Cape"): STATED, until(1982): ON_ASK}, SCARCE),
    request("p5", {AIRY: STATED, BOLD: HIDDEN, NORTH: HIDDEN, until(1984): ON_ASK}, SCARCE),
    request("p6", {land("Peak"): STATED, since(1990): ON_ASK, until(1991): HIDDEN, BOLD: ON_ASK}),
    request("p7", {ISLE: HIDDEN, tongue("High"): HIDDEN, AIRY: STATED, until(1985): ON_ASK}),
]


@pytest.mark.parametrize("family", PROOFS, ids=lambda family: family.id)
def test_the_proof_is_as_long_as_by_comparing_everything(family: Family) -> None:
    needed = slow_proof(family)
    assert needed > 0
    assert proposals_until_proof(Items(toys()), family, 1000) == needed
    assert proposals_until_proof(Items(toys()), family, needed) == needed
    assert proposals_until_proof(Items(toys()), family, needed - 1) is None


# --- the shipped sets ----------------------------------------------------------------------------


CATALOGUES = {"films": load_films, "shop": load_shop}


@pytest.mark.parametrize("name", shipped_names())
def test_a_shipped_set_passes(name: str) -> None:
    task_set = shipped_task_set(name)
    report = check_task_set(task_set, CATALOGUES[task_set.catalogue.name]())
    assert [str(violation) for violation in report.violations] == []
