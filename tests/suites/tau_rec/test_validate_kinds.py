"""The check on flags, plain numbers, stock and domains without templates: sound, broken, by brute
force."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, product
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import (
    Catalogue,
    Operator,
    Predicate,
    all_match,
    bounds_of,
    build_catalogue,
    formats_of,
    parse_domain,
)
from mystery_shopper.sources import load_shop
from mystery_shopper.suites.tau_rec.generate import generate
from mystery_shopper.suites.tau_rec.task import Condition, Family, Reveal, TaskSet, Tier
from mystery_shopper.suites.tau_rec.validate import Property, check_task_set
from mystery_shopper.suites.tau_rec.validate.bounds import is_multiple, is_round_bound
from mystery_shopper.suites.tau_rec.validate.items import Items, members
from mystery_shopper.suites.tau_rec.validate.proof import proposals_until_proof
from mystery_shopper.suites.tau_rec.validate.report import Ledger
from mystery_shopper.suites.tau_rec.validate.request import check_request

GEAR = b"""
name: gear
noun: {singular: tool, plural: tools}
title: name
popularity: fame
sizes: [300]
fields:
  name: {kind: text}
  stuff: {kind: categories, requirement: true, most: 2}
  maker: {kind: category, requirement: true, hierarchy: {Group: [Ada, Bo]}}
  price: {kind: number, requirement: true}
  weight: {kind: number, requirement: true, step: 0.1}
  used: {kind: flag, requirement: true}
  boxed: {kind: flag, requirement: true}
  fame: {kind: integer}
"""
STUFFS, MAKERS = ("Iron", "Oak", "Tin", "Bone"), ("Ada", "Bo", "Cy", "Di", "Ed", "Flo")
STATED, ON_ASK, HIDDEN = Reveal.STATED, Reveal.ON_ASK, Reveal.HIDDEN


@cache
def gear(formats: str = "") -> Catalogue:
    """700 tools; some values are missing. `formats`: the column that tells what is in stock."""
    dice = random.Random(11)
    rows: list[dict[str, Any]] = []
    for index in range(700):
        row: dict[str, Any] = {
            "name": f"Tool {index}",
            "stuff": dice.sample(STUFFS, dice.randint(1, 2)),
            "maker": dice.choice(MAKERS),
            "price": round(dice.lognormvariate(3, 0.8), 2),
            "weight": round(dice.uniform(0.2, 4), 2),
            "used": dice.random() < 0.4,
            "boxed": dice.random() < 0.5,
            "fame": index,
        }
        for name in ("stuff", "maker", "price", "weight", "used", "boxed"):
            if dice.random() < 0.03:
                row[name] = [] if name == "stuff" else None
        rows.append(row)
    domain = parse_domain(GEAR, "gear")
    if formats:
        text = GEAR + f"formats: {{column: {formats}, single: here}}\n".encode()
        domain = parse_domain(text, "gear")
    columns = {name: [row[name] for row in rows] for name in domain.fields}
    return build_catalogue("gear", domain, [f"g{i:03}" for i in range(700)], columns, domain.sizes)


@cache
def drawn() -> TaskSet:
    return generate(gear(), seed=4, name="tau_rec/gear@1", families=24)


def where(*predicates: Predicate) -> list[int]:
    return [p for p in range(len(gear())) if all_match(predicates, gear().item(p))]


def test_a_set_over_flags_and_plain_numbers_passes() -> None:
    report = check_task_set(drawn(), gear())
    assert [str(v) for v in report.violations] == []
    named = {predicate.field for family in drawn().families for predicate in family.predicates}
    assert named == set(gear().domain.requirement_fields)
    assert report.checked[Property.BOUNDS] > 0


def test_a_set_over_the_shop_passes_with_its_proofs() -> None:
    shop = load_shop()
    report = check_task_set(generate(shop, seed=1, name="tau_rec/shop@1", families=30), shop)
    assert [str(v) for v in report.violations] == []
    assert report.checked[Property.DECIDABLE] == 3


def test_what_a_small_set_lacks_is_noted_and_no_fault() -> None:
    notes = check_task_set(drawn(), gear()).notes
    assert any(
        "families: 24 of 150" in note and "complex families: 8 of 50" in note for note in notes
    )
    assert any("formats" in note for note in notes)
    assert any("personas" in note for note in notes)
    simple = [family for family in drawn().families if family.tier is Tier.SIMPLE]
    ids = {family.id for family in simple}
    fewer = msgspec.structs.replace(
        drawn(),
        families=tuple(simple),
        panel=tuple(name for name in drawn().panel if name in ids),
        reliability=tuple(name for name in drawn().reliability if name in ids),
    )
    report = check_task_set(fewer, gear())
    assert report.ok
    assert any("complex families: 0 of 50" in note for note in report.notes)


# --- templates and bounds ------------------------------------------------------------------------


def family(*asked: tuple[Predicate, Reveal], **changes: Any) -> Family:
    predicates, tags = zip(*asked, strict=True)
    tier = {2: Tier.SIMPLE, 3: Tier.MEDIUM, 4: Tier.MEDIUM}.get(len(asked), Tier.COMPLEX)
    bounds = {Operator.AT_LEAST, Operator.AT_MOST}
    made = Family(
        id="x",
        tier=tier,
        template=tuple(p.field + (p.op.value if p.op in bounds else "") for p in predicates),
        predicates=predicates,
        reveals={Condition.HIDDEN: tags},
        formats=(),
        history=(),
        satisfiable=True,
        persona="",
        answers={},
    )
    return msgspec.structs.replace(made, **changes)


def flag(name: str, wanted: bool = True, op: Operator = Operator.EQUAL) -> Predicate:
    return Predicate(name, op, wanted)


def stuff(label: str) -> Predicate:
    return Predicate("stuff", Operator.CONTAINS, label)


def at_most(name: str, number: float) -> Predicate:
    return Predicate(name, Operator.AT_MOST, number)


def at_least(name: str, number: float) -> Predicate:
    return Predicate(name, Operator.AT_LEAST, number)


@cache
def price_bound() -> float:
    return bounds_of(gear().numbers("price").numbers, None)[8]


REQUESTS: list[tuple[tuple[Predicate, ...], set[Property]]] = [
    ((flag("used"), stuff("Oak")), set()),
    ((flag("used"), flag("boxed", False)), set()),
    ((stuff("Oak"), stuff("Tin"), at_least("weight", 0.3)), set()),
    ((flag("used"), at_least("price", 0)), {Property.BOUNDS}),
    ((flag("used"), flag("used", False)), {Property.TEMPLATE}),
    ((flag("used", True, Operator.NOT_EQUAL), stuff("Oak")), {Property.TEMPLATE}),
    ((at_least("weight", 0.3), at_most("weight", 0.7)), {Property.TEMPLATE}),
    ((stuff("Oak"), stuff("Tin"), stuff("Bone"), flag("used")), {Property.TEMPLATE}),
    ((Predicate("maker", Operator.WITHIN, "Ada"), Predicate("maker", Operator.WITHIN, "Bo"),
      flag("used")), {Property.TEMPLATE}),
    ((flag("used"), at_most("weight", 0.35)), {Property.BOUNDS}),
    ((flag("used"), at_most("weight", 0.7), at_least("weight", 0.9)), {Property.BOUNDS}),
    ((flag("used"), at_most("weight", 0.7), at_most("weight", 0.9)),
     {Property.BOUNDS, Property.TEMPLATE}),
    ((flag("used"), Predicate("name", Operator.CONTAINS, "x")), {Property.TEMPLATE}),
    ((flag("used"),), {Property.TEMPLATE, Property.TIER}),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "broken"), REQUESTS, ids=range(len(REQUESTS)))
def test_what_a_domain_without_templates_may_ask(
    asked: tuple[Predicate, ...], broken: set[Property]
) -> None:
    if any(p.field == "name" for p in asked):
        with pytest.raises(ValueError, match="carries no requirements"):
            check_request(Items(gear()), family(*((p, STATED) for p in asked)), Ledger())
        return
    ledger = Ledger()
    check_request(Items(gear()), family(*((p, STATED) for p in asked)), ledger)
    assert {violation.property for violation in ledger.violations} == broken


def test_a_tier_that_the_domain_lists_has_no_other_template() -> None:
    listed = msgspec.structs.replace(gear().domain, templates={"simple": (("used", "stuff"),)})
    full = gear()
    other = Catalogue(full.name, listed, full.ids, full.columns, full.nesting, full.sizes)
    for asked, fits in (
        ((flag("used"), stuff("Oak")), True),
        ((flag("boxed"), stuff("Oak")), False),
    ):
        ledger = Ledger()
        check_request(Items(other), family(*((p, STATED) for p in asked)), ledger)
        assert (not ledger.violations) == fits


@pytest.mark.parametrize(
    ("number", "step", "fits"),
    [(0.3, 0.1, True), (0.35, 0.1, False), (19.99, 0.01, True), (1e15, 0.1, True), (7, 2, False),
     (-6, 2, True), (0.30000000000000004, 0.1, False), (2.5, 0.5, True)],
)  # fmt: skip
def test_multiples_are_of_the_numbers_as_written(number: float, step: float, fits: bool) -> None:
    assert is_multiple(number, step) == fits


values = st.lists(
    st.one_of(
        st.integers(-1000, 10**6).map(float),
        st.decimals(-100, 10_000, places=2).map(float),
        st.sampled_from([9.99, 19.99, 49.5, 0.1]),
    ),
    min_size=1,
    max_size=120,
)


@given(numbers=values, step=st.one_of(st.none(), st.sampled_from([0.25, 1.0, 5.0])))
def test_every_bound_of_the_catalogue_passes(numbers: list[float], step: float | None) -> None:
    ascending = np.sort(np.array(numbers))
    for bound in bounds_of(np.array(numbers), step)[:200]:
        assert is_multiple(bound, step) if step else is_round_bound(bound, ascending)


def test_other_numbers_are_no_bounds() -> None:
    """Of a list of prices the round quantiles pass; crooked numbers beside them do not."""
    prices = np.sort(gear().numbers("price").numbers)
    prices = prices[~np.isnan(prices)]
    bounds = set(bounds_of(prices, None))
    crooked = [bound + shift for bound in bounds for shift in (0.013, -0.37)]
    assert bounds
    assert all(is_round_bound(bound, prices) for bound in bounds)
    assert not any(is_round_bound(number, prices) for number in crooked)
    assert not is_round_bound(float(prices[0]), prices)
    assert not is_round_bound(float(prices[-1]) + 100, prices)
    assert not is_round_bound(1, np.array([]))


# --- the second road -----------------------------------------------------------------------------

HELD = [
    *(flag(name, wanted, op) for name in ("used", "boxed") for wanted in (True, False)
      for op in (Operator.EQUAL, Operator.NOT_EQUAL)),
    *(Predicate("price", op, 20.5) for op in
      (Operator.AT_LEAST, Operator.AT_MOST, Operator.EQUAL, Operator.NOT_EQUAL)),
    Predicate("price", Operator.IN, (1.0, 20.5)),
    Predicate("maker", Operator.WITHIN, "group"),
    Predicate("maker", Operator.NOT_EQUAL, "Ada"),
    Predicate("stuff", Operator.EQUAL, ("tin", "OAK")),
    Predicate("stuff", Operator.EQUAL, "Tin"),
    Predicate("stuff", Operator.NOT_EQUAL, ("Tin", "none such")),
    Predicate("stuff", Operator.NOT_CONTAINS, "none such"),
]  # fmt: skip


@pytest.mark.parametrize("predicate", HELD, ids=str)
def test_a_predicate_of_any_kind_holds_where_it_matches(predicate: Predicate) -> None:
    assert members(Items(gear()).holds(predicate)) == where(predicate)


@pytest.mark.parametrize("predicate", [flag("used", True, Operator.IN), stuff("x")], ids=str)
def test_an_operator_of_another_kind_is_refused(predicate: Predicate) -> None:
    odd = msgspec.structs.replace(predicate, op=Operator.AT_MOST)
    with pytest.raises(ValueError, match="does not fit"):
        Items(gear()).holds(odd)


@pytest.mark.parametrize("column", ["used", "fame", "price"])
def test_stock_is_one_format_that_some_items_have(column: str) -> None:
    items, catalogue = Items(gear(column)), gear(column)
    had = [p for p in range(len(catalogue)) if formats_of(catalogue.item(p)) == ("here",)]
    assert set(items.formats) == {"here"}
    assert members(items.having(["HERE"])) == had
    assert items.having([]) == items.everything
    assert items.having(["elsewhere"]) == 0


@pytest.mark.parametrize(("accepted", "fits"), [((), True), (("here",), True), (("off",), False)])
def test_of_one_format_a_family_has_it_or_none(accepted: tuple[str, ...], fits: bool) -> None:
    catalogue = gear("used")
    reference = msgspec.structs.replace(drawn().catalogue, digest=catalogue.digest)
    chosen = msgspec.structs.replace(drawn().families[0], formats=accepted, history=())
    one = msgspec.structs.replace(
        drawn(), catalogue=reference, families=(chosen,), panel=(), reliability=()
    )
    broken = {violation.property for violation in check_task_set(one, catalogue).violations}
    assert (Property.FORMATS not in broken) == fits


def slow_proof(asked: Family) -> int:
    """Greedy elimination as it is told: every hypothesis listed, every candidate compared."""
    catalogue = gear()
    revealed = [p for p in asked.predicates if p not in asked.hidden]
    candidates = [catalogue.item(p) for p in where(*revealed)]
    spaces = [
        list(_listed(field, revealed, candidates)) for field in {p.field for p in asked.hidden}
    ]
    left = {sum(parts, ()) for parts in product(*spaces)}
    fits = [{h for h in left if all_match(h, item)} for item in candidates]
    proposals = 0
    while True:
        best = max(range(len(fits)), key=lambda i: (len(fits[i]), -candidates[i].position))
        if not fits[best]:
            return proposals
        proposals += 1
        gone = set(fits[best])
        fits = [known - gone for known in fits]


def _listed(field: str, revealed: list[Predicate], candidates: list[Any]) -> Any:
    told = {p.value for p in revealed if p.field == field}
    ops = {p.op for p in revealed if p.field == field}
    if field in ("used", "boxed"):
        return [(flag(field, wanted),) for wanted in (True, False)]
    if field in ("price", "weight"):
        numbers = sorted({item[field] for item in candidates if item[field] is not None})
        low = [at_least(field, n) for n in numbers] if Operator.AT_LEAST not in ops else []
        high = [at_most(field, n) for n in numbers] if Operator.AT_MOST not in ops else []
        return [(p,) for p in low + high] + list(product(low, high))
    labels = STUFFS if field == "stuff" else (*MAKERS, "Group")
    wanted = [Predicate(field, Operator.WITHIN, label) for label in labels if label not in told]
    most = gear().domain.fields[field].most
    return [one for count in range(1, most + 1) for one in combinations(wanted, count)]


ADA, TIN = Predicate("maker", Operator.WITHIN, "Ada"), stuff("Tin")
USED, BOXED = flag("used"), flag("boxed")
PROOFS: dict[str, tuple[tuple[Predicate, Reveal], ...]] = {
    "a flag": ((ADA, STATED), (USED, HIDDEN)),
    "two flags": ((ADA, STATED), (USED, HIDDEN), (BOXED, HIDDEN)),
    "a flag and labels": ((ADA, STATED), (USED, HIDDEN), (TIN, HIDDEN)),
    "a flag and a bound": ((ADA, STATED), (TIN, ON_ASK), (BOXED, HIDDEN),
                           (at_most("price", 12), ON_ASK), (at_least("price", 9), HIDDEN)),
    "a number": ((ADA, STATED), (USED, ON_ASK), (at_most("price", 9), HIDDEN)),
    "two numbers": ((ADA, STATED), (TIN, ON_ASK), (USED, ON_ASK), (at_least("price", 30), ON_ASK),
                    (at_most("price", 50), HIDDEN), (at_most("weight", 0.3), HIDDEN)),
    "labels twice": ((USED, STATED), (TIN, ON_ASK), (ADA, HIDDEN), (stuff("Oak"), HIDDEN)),
}  # fmt: skip


@pytest.mark.parametrize("name", PROOFS)
def test_the_proof_is_as_long_as_by_listing_every_hypothesis(name: str) -> None:
    asked = family(*PROOFS[name])
    needed = slow_proof(asked)
    assert needed > 0
    assert proposals_until_proof(Items(gear()), asked, 1000) == needed
    assert proposals_until_proof(Items(gear()), asked, needed - 1) is None


# --- imported sets -------------------------------------------------------------------------------


def imported(**changes: Any) -> TaskSet:
    asked = (flag("used"), Predicate("maker", Operator.NOT_CONTAINS, "Ada"))
    counts = {
        size: sum(int(gear().nesting[p]) < size for p in where(*asked)) for size in gear().sizes
    }
    one = family(
        *((p, STATED) for p in asked), answers=counts, policies=(), template=(), id="t1",
        reveals={Condition.VOLUNTEER: (STATED, STATED)},
    )  # fmt: skip
    one = msgspec.structs.replace(one, **changes)
    return msgspec.structs.replace(
        drawn(), families=(one,), panel=(), reliability=(), source="elsewhere"
    )


def test_an_imported_set_is_held_to_its_answers_and_says_what_was_not_checked() -> None:
    report = check_task_set(imported(), gear())
    assert [str(v) for v in report.violations] == []
    assert Property.ANSWERS in report.checked
    assert Property.TEMPLATE not in report.checked
    (note,) = report.notes
    assert "imported from elsewhere" in note
    assert Property.TEMPLATE.value in note
    assert Property.ANSWERS.value not in note


@pytest.mark.parametrize(
    ("changes", "broken"),
    [
        ({"answers": {300: 1, 700: 2}}, Property.ANSWERS),
        ({"satisfiable": False, "answers": {300: 0, 700: 0}}, Property.NO_MATCH),
        ({"predicates": ()}, Property.CRITERIA),
    ],
)
def test_an_imported_set_that_is_wrong_is_told(changes: dict[str, Any], broken: Property) -> None:
    found = check_task_set(imported(**changes), gear()).violations
    assert broken in {violation.property for violation in found}
