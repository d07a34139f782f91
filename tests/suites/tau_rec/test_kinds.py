"""Flags, plain numbers and stock: tools, words and reference agents over six made-up boats."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from mystery_shopper.catalog import Catalogue, Operator, Predicate, build_catalogue, parse_domain
from mystery_shopper.dialogue import ToolCalled, ToolErrorKind, ToolResult, UserSaid, invoke
from mystery_shopper.sources import load_shop
from mystery_shopper.suites.tau_rec.desk import Desk
from mystery_shopper.suites.tau_rec.prompts import Prompt, ToolLine, instructions
from mystery_shopper.suites.tau_rec.reference import Interviewer
from mystery_shopper.suites.tau_rec.reference.catalogued import oracle_item
from mystery_shopper.suites.tau_rec.reference.interview import Known
from mystery_shopper.suites.tau_rec.scoring import score
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.task import Condition
from mystery_shopper.suites.tau_rec.wording import Heard
from mystery_shopper.testing import events_of

from .helpers import BOTH, HIDDEN, ON_ASK, STATED, play, task

BOATS = b"""
name: boats
noun: {singular: boat, plural: boats}
title: name
popularity: fame
fields:
  name: {kind: text, keyword: true}
  hull: {kind: category, requirement: true, keyword: true}
  lakes: {kind: categories, requirement: true, keyword: true, label: home water}
  price: {kind: number, requirement: true}
  draught: {kind: number, requirement: true, step: 0.25, label: depth}
  sails: {kind: flag, requirement: true}
  worn:
    kind: flag
    label: condition
    requirement: true
    say: {wanted: it should be second-hand, unwanted: it should be new}
  left: {kind: integer}
  fame: {kind: integer}
formats: {column: left, label: stock, single: at the quay}
"""
ROWS: tuple[tuple[Any, ...], ...] = (
    ("Gull", "Wood", ["Tarn", "Mere"], 99.5, 0.5, True, True, 0, 90),
    ("Tern", "Wood", ["Tarn"], 19.99, 0.25, True, False, 2, 80),
    ("Swan", "Steel", ["Mere"], 20, 1.5, False, False, 1, 70),
    ("Duck", "Steel", ["Loch"], 20.01, 2.0, None, True, None, 60),
    ("Loon", "Cork", [], None, None, True, None, 5, 50),
    ("Kite", "Wood", ["Loch", "Mere"], 250, 0.75, False, True, 3, 40),
)
SAILS, OARS = (Predicate("sails", Operator.EQUAL, wanted) for wanted in (True, False))
USED, NEW = (Predicate("worn", Operator.EQUAL, wanted) for wanted in (True, False))
WOOD = Predicate("hull", Operator.CONTAINS, "Wood")
CHEAP = Predicate("price", Operator.AT_MOST, 19.99)
SHALLOW = Predicate("draught", Operator.AT_MOST, 0.25)


@cache
def boats(**formats: Any) -> Catalogue:
    domain = parse_domain(BOATS, "boats")
    if formats:
        changed = msgspec.structs.replace(domain.formats, **formats)  # pyright: ignore[reportArgumentType]
        domain = msgspec.structs.replace(domain, formats=changed)
    values: dict[str, list[Any]] = {
        name: [row[place] for row in ROWS] for place, name in enumerate(domain.fields)
    }
    return build_catalogue("boats", domain, [str(row[0]).lower() for row in ROWS], values)


@cache
def rack() -> Shelf:
    return Shelf(boats())


def ask(name: str, arguments: object, shelf: Shelf | None = None) -> tuple[Any, Any]:
    desk = Desk(shelf or rack(), Interface.STRUCTURED, ())
    result: ToolResult = invoke(desk.tools, name, arguments)
    return msgspec.json.decode(result.content), result.error


# --- tools ---------------------------------------------------------------------------------------


def test_the_search_takes_a_flag_as_true_or_false() -> None:
    schema = rack().search_schema
    assert dict(schema.flags) == {"sails": "sails", "worn": "worn"}
    properties = rack().specs(Interface.STRUCTURED)[0].schema["properties"]
    assert {kind["type"] for kind in properties["worn"]["anyOf"]} == {"boolean", "null"}
    assert properties["worn"]["description"] == (
        "condition; true: it should be second-hand; false: it should be new"
    )


def test_an_argument_is_described_where_its_name_is_not_what_people_say() -> None:
    properties = rack().specs(Interface.STRUCTURED)[0].schema["properties"]
    told = {name: kind["description"] for name, kind in properties.items() if "description" in kind}
    assert told == {
        "lakes": "home water",
        "draught_min": "the least depth",
        "draught_max": "the greatest depth",
        "sails": "sails; true: for sails the answer should be yes; "
        "false: for sails the answer should be no",
        "worn": "condition; true: it should be second-hand; false: it should be new",
        "formats": "acceptable formats (stock); an item in any of them fits",
    }


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"sails": True}, ["gull", "tern", "loon"]),
        ({"sails": False}, ["swan", "kite"]),
        ({"sails": None}, ["gull", "tern", "swan", "duck", "loon", "kite"]),
        ({"worn": False, "sails": True}, ["tern"]),
        ({"price_max": 19.99}, ["tern"]),
        ({"price_min": 20, "price_max": 20.005}, ["swan"]),
        ({"draught_max": 0.25}, ["tern"]),
        ({"formats": "AT the quay"}, ["tern", "swan", "loon", "kite"]),
    ],
)
def test_flags_plain_numbers_and_stock_filter(
    arguments: dict[str, Any], expected: list[str]
) -> None:
    found, error = ask("search", arguments)
    assert error is None
    assert [row["item_id"] for row in found["items"]] == expected


@pytest.mark.parametrize("value", ["yes", 1, [True]])
def test_a_flag_is_nothing_but_true_or_false(value: object) -> None:
    assert ask("search", {"sails": value})[1] is ToolErrorKind.BAD_ARGUMENTS


def test_a_row_shows_flags_and_numbers_as_they_are() -> None:
    assert msgspec.json.decode(rack().row(3)) == {
        "item_id": "duck", "name": "Duck", "hull": "Steel", "lakes": ["Loch"], "price": 20.01,
        "draught": 2.0, "sails": None, "worn": True,
    }  # fmt: skip


def formats(item_id: str, catalogue: Catalogue) -> list[str]:
    found, error = ask("check_formats", {"item_id": item_id}, Shelf(catalogue))
    assert error is None
    return found["formats"]


def test_stock_is_one_format_or_none() -> None:
    by_number, by_flag = boats(), boats(column="sails", single="under sail")
    assert [formats(item, by_number) for item in ("gull", "tern", "duck")] == [
        [], ["at the quay"], []
    ]  # fmt: skip
    assert [formats(item, by_flag) for item in ("gull", "swan", "duck")] == [["under sail"], [], []]


def test_of_many_labels_only_the_nearest_are_told() -> None:
    domain = parse_domain(BOATS, "boats")
    count = 1000
    values: dict[str, list[Any]] = {name: [None] * count for name in domain.fields}
    values["hull"] = [f"Hull {index:04}" for index in range(count)]
    shelf = Shelf(build_catalogue("many", domain, [f"i{n}" for n in range(count)], values))
    found, error = ask("search", {"hull": "Hull 0x77"}, shelf)
    assert error is ToolErrorKind.REFUSED
    assert len(found["known"]) == 200
    assert found["nearest_of"] == count
    assert "Hull 0077" in found["known"][:10]


# --- prompts -------------------------------------------------------------------------------------


@pytest.mark.parametrize("interface", BOTH)
@pytest.mark.parametrize("prompt", Prompt)
def test_the_instructions_speak_of_the_shop_alone(interface: Interface, prompt: Prompt) -> None:
    text = instructions(load_shop().domain, interface, prompt, ToolLine.FIELDS)
    assert "You help a customer to find one product in a catalogue." in text
    for stranger in ("film", "book", "genre", "release", "{"):
        assert stranger not in text
    listed = "category, brand, colour, material, size, price, condition and way of delivery"
    if interface is Interface.KEYWORD or prompt is not Prompt.BASE:
        assert listed in text


def test_the_tools_say_what_a_format_is_in_the_shop() -> None:
    specs = {spec.name: spec for spec in Shelf(load_shop()).specs(Interface.KEYWORD)}
    assert specs["check_formats"].description == (
        "The formats (way of delivery) in which one product can be had."
    )


# --- reference agents ----------------------------------------------------------------------------


def test_what_is_known_becomes_filters_of_each_kind() -> None:
    work = Interviewer(rack(), Interface.STRUCTURED)
    known = Known().plus(Heard((WOOD, CHEAP, SHALLOW, SAILS, NEW), ("at the quay",)))
    assert work.arguments(known.predicates, known.formats) == {
        "hull": ["Wood"],
        "price_max": 19.99,
        "draught_max": 0.25,
        "sails": True,
        "worn": False,
        "formats": ["at the quay"],
    }
    filters = work.filters(known)
    assert (filters.labels, filters.flags) == (
        {"hull": ("Wood",)}, {"sails": True, "worn": False}
    )  # fmt: skip
    assert (filters.lower, filters.upper) == ({}, {"price": 19.99, "draught": 0.25})
    assert rack().structured.search(filters).positions == (1,)


UNFILTERED = [
    Predicate("hull", Operator.NOT_CONTAINS, "Wood"),
    Predicate("hull", Operator.IN, ("Steel", "Cork")),
    Predicate("lakes", Operator.CONTAINS_ANY, ("Loch",)),
    Predicate("lakes", Operator.EQUAL, "Mere"),
    Predicate("price", Operator.EQUAL, 20),
    Predicate("price", Operator.NOT_EQUAL, 20),
    Predicate("sails", Operator.NOT_EQUAL, True),
    Predicate("hull", Operator.EQUAL, "Cork"),
]


@pytest.mark.parametrize("wanted", UNFILTERED, ids=str)
def test_what_no_filter_says_is_looked_up_in_the_rows(wanted: Predicate) -> None:
    """A filter may let through too much, never too little; what is proposed first fits."""
    catalogue = boats()
    fitting = [item for item in catalogue.ids if wanted.matches(_item(item))]
    given = task((wanted, STATED))
    played = play(given, "popularity", shelf=rack())
    assert score(given, catalogue, played).success
    work = Interviewer(rack(), Interface.STRUCTURED)
    known = Known(predicates=(wanted,))
    found = rack().structured.search(work.filters(known)).positions
    assert [item for item in catalogue.ids if work.fits(known, item)] == fitting
    assert {catalogue.ids[position] for position in found} >= set(fitting)


def _item(item_id: str) -> Any:
    return boats().find(item_id)


REQUESTS = {
    "flag asked": ((WOOD, STATED), (NEW, ON_ASK), (CHEAP, HIDDEN)),
    "flag hidden": ((WOOD, STATED), (USED, HIDDEN)),
    "two flags": ((OARS, STATED), (USED, HIDDEN)),
    "bounds": ((SHALLOW, STATED), (CHEAP, ON_ASK), (SAILS, HIDDEN)),
}


@pytest.mark.parametrize("name", REQUESTS)
@pytest.mark.parametrize("condition", Condition)
@pytest.mark.parametrize("agent", ["oracle", "popularity"])
def test_requests_of_every_kind_are_solved(name: str, condition: Condition, agent: str) -> None:
    given = task(*REQUESTS[name], condition=condition, formats=("at the quay",))
    played = play(given, agent, shelf=rack())
    assert score(given, boats(), played).success
    assert oracle_item(given, rack()) in {"tern", "kite"}


def test_a_declined_flag_gives_nothing_away() -> None:
    given = task(*REQUESTS["flag hidden"])
    said = " ".join(
        event.text for event in events_of(play(given, "popularity", shelf=rack()), UserSaid)
    )
    assert "About the condition I would rather not say." in said
    assert "second-hand" not in said


def test_only_labels_are_keywords() -> None:
    given = task((WOOD, STATED), (SAILS, STATED), (CHEAP, STATED))
    played = play(given, "popularity", shelf=rack(), interface=Interface.KEYWORD)
    calls = [call for call in events_of(played, ToolCalled) if call.name == "search"]
    assert [call.arguments for call in calls] == [{"query": "Wood"}]
    assert score(given, boats(), played).success


@pytest.mark.parametrize("shelf", [rack(), Shelf(load_shop())], ids=["boats", "shop"])
def test_the_one_question_is_understood_as_asking_for_every_field(shelf: Shelf) -> None:
    reading = shelf.reader.read(Interviewer(shelf, Interface.STRUCTURED).question)
    assert set(reading.asks) == {*shelf.catalogue.domain.requirement_fields, "format"}


def test_a_label_does_not_end_the_question_early() -> None:
    text = BOATS.replace(b"label: home water", b'label: "waters? (which)."')
    domain = parse_domain(text, "boats")
    values: dict[str, list[Any]] = {name: [None] for name in domain.fields}
    shelf = Shelf(build_catalogue("odd", domain, ["o"], values))
    question = Interviewer(shelf, Interface.STRUCTURED).question
    assert question.count("?") == 1
    assert "." not in question
    assert "the waters" in question
