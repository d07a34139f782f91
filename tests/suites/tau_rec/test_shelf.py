from __future__ import annotations

import pickle
from typing import Any

import msgspec
import pytest

from mystery_shopper.catalog import build_catalogue, parse_domain
from mystery_shopper.dialogue import ToolSpec
from mystery_shopper.suites.tau_rec import shelf as shelf_module
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf

from .helpers import BOTH, lamp_shelf, lamps

ODD = """
name: odd
noun: {singular: thing, plural: things}
title: name
fields:
  name: {kind: text}
  page: {kind: category, requirement: true}
  order: {kind: category, requirement: true}
  size-in-cm: {kind: number, requirement: true}
  size_in_cm_min: {kind: category, requirement: true}
  "3d": {kind: category, requirement: true}
  class: {kind: category, requirement: true}
  größe: {kind: category, requirement: true}
  "***": {kind: category, requirement: true}
  item_id: {kind: category, requirement: true}
  weight: {kind: number, requirement: true}
  weight_max: {kind: flag, requirement: true}
  "lambda x": {kind: flag, requirement: true}
"""


def odd_shelf() -> Shelf:
    domain = parse_domain(ODD.encode(), "odd")
    values: dict[str, list[Any]] = {name: ["x"] for name in domain.fields}
    values |= {"size-in-cm": [2.5], "weight": [1e-05], "weight_max": [True], "lambda x": [None]}
    return Shelf(build_catalogue("odd", domain, ["o1"], values))


def specs(shelf: Shelf, interface: Interface) -> dict[str, ToolSpec]:
    return {spec.name: spec for spec in shelf.specs(interface)}


@pytest.mark.parametrize("interface", BOTH)
def test_both_interfaces_have_the_same_five_tools(interface: Interface) -> None:
    names = ["search", "get_metadata", "check_formats", "get_history", "recommend"]
    assert list(specs(lamp_shelf(), interface)) == names


def test_without_formats_there_is_nothing_to_check() -> None:
    shelf = odd_shelf()
    assert "check_formats" not in specs(shelf, Interface.STRUCTURED)
    assert not shelf.search_schema.formats


def test_the_structured_search_filters_on_every_field_with_requirements() -> None:
    schema = specs(lamp_shelf(), Interface.STRUCTURED)["search"].schema
    assert list(schema["properties"]) == [
        "colour", "land", "made_min", "made_max", "formats", "order", "page",
    ]  # fmt: skip
    assert schema["required"] == []
    assert schema["additionalProperties"] is False
    assert schema["properties"]["order"]["enum"] == ["popularity", "recency"]
    assert schema["properties"]["page"]["minimum"] == 1


def test_an_order_by_recency_needs_a_recency_field() -> None:
    schema = specs(odd_shelf(), Interface.STRUCTURED)["search"].schema
    assert schema["properties"]["order"]["enum"] == ["popularity"]


def test_the_keyword_search_takes_a_query() -> None:
    schema = specs(lamp_shelf(), Interface.KEYWORD)["search"].schema
    assert (list(schema["properties"]), schema["required"]) == (["query"], ["query"])


def test_a_recommendation_is_an_id_or_null_and_never_left_out() -> None:
    schema = specs(lamp_shelf(), Interface.KEYWORD)["recommend"].schema
    assert schema["required"] == ["item_id"]
    kinds = {part["type"] for part in schema["properties"]["item_id"]["anyOf"]}
    assert kinds == {"string", "null"}


def test_names_that_are_no_identifiers_or_clash_become_arguments_of_their_own() -> None:
    schema = odd_shelf().search_schema
    arguments = [*schema.labels, *schema.lower, *schema.upper, *schema.flags]
    assert all(name.isidentifier() for name in arguments)
    assert len(set(arguments)) == len(arguments)
    assert not {"page", "order"} & set(arguments)
    assert set(schema.labels.values()) == {
        "page", "order", "size_in_cm_min", "3d", "class", "größe", "***", "item_id",
    }  # fmt: skip
    assert schema.lower == {"size_in_cm_min": "size-in-cm", "weight_min": "weight"}
    assert schema.upper == {"size_in_cm_max": "size-in-cm", "weight_max": "weight"}
    assert schema.flags == {"weight_max_": "weight_max", "lambda_x": "lambda x"}


@pytest.mark.parametrize("shelf", [lamp_shelf(), odd_shelf()], ids=["lamps", "odd"])
def test_every_schema_is_one_object_of_json(shelf: Shelf) -> None:
    for interface in BOTH:
        for spec in shelf.specs(interface):
            assert spec.schema["type"] == "object"
            assert "$ref" not in msgspec.json.encode(spec.schema).decode()


def test_a_row_shows_id_title_and_what_requirements_concern() -> None:
    assert msgspec.json.decode(lamp_shelf().row(0)) == {
        "item_id": "a1",
        "name": "Old Glow",
        "colour": ["Red", "Gold"],
        "land": "Norland",
        "made": 1990,
    }


def test_a_row_is_made_once() -> None:
    assert lamp_shelf().row(1) is lamp_shelf().row(1)


def test_a_shelf_keeps_so_many_rows_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf_module, "KEPT_ROWS", 3)
    shelf = Shelf(lamps())
    rows = [shelf.row(position) for position in range(5)]
    assert shelf.row(4) is rows[4]
    assert shelf.row(2) is rows[2]
    again = shelf.row(0)
    assert again is not rows[0]
    assert bytes(again) == bytes(rows[0])


def test_a_shelf_goes_to_another_process_without_what_it_keeps() -> None:
    shelf = Shelf(lamps())
    shelf.row(0)
    assert bytes(pickle.loads(pickle.dumps(shelf)).row(0)) == bytes(shelf.row(0))


def test_an_item_without_a_title_goes_by_its_id() -> None:
    row = msgspec.json.decode(lamp_shelf().row(lamps().position_of["a8"]))
    assert row == {"item_id": "a8", "name": "a8", "colour": [], "land": None, "made": 2020}


def test_a_record_holds_every_shown_field() -> None:
    item = lamps().find("a7")
    assert item is not None
    record = lamp_shelf().record(item)
    assert list(record) == ["item_id", "name", "colour", "land", "made", "form", "fame"]


def test_a_field_named_as_the_id_does_not_hide_it() -> None:
    shelf = odd_shelf()
    assert msgspec.json.decode(shelf.row(0))["item_id"] == "o1"
    assert shelf.record(shelf.catalogue.item(0))["item_id"] == "o1"


def test_the_tools_are_described_in_the_domains_words() -> None:
    for interface in BOTH:
        assert "lamps" in specs(lamp_shelf(), interface)["search"].description
