from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from mystery_shopper.catalog import SHIPPED, Domain, Kind, load_domain, parse_domain
from mystery_shopper.catalog.domain import shared_table
from mystery_shopper.foundation import InputError

GOOD = """
name: shop
noun: {singular: thing, plural: things}
title: name
fields:
  name: {kind: text}
  kind_of: {kind: category, requirement: true}
  price: {kind: number, requirement: true, label: price in euros}
"""


def changed(**changes: object) -> bytes:
    """GOOD with top-level keys replaced; None removes one."""
    table = yaml.safe_load(GOOD) | changes
    return yaml.safe_dump({k: v for k, v in table.items() if v is not None}).encode()


def with_field(**spec: object) -> bytes:
    """GOOD with one more field, `extra`."""
    return changed(fields=yaml.safe_load(GOOD)["fields"] | {"extra": spec})


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_domains_load(name: str) -> None:
    domain = load_domain(name)
    assert domain.name == name
    assert domain.requirement_fields
    for spec in domain.fields.values():
        assert all(("{value}" in say) != (spec.kind is Kind.FLAG) for say in spec.say.values())


@pytest.mark.parametrize("name", ["films", "books"])
def test_shipped_hierarchies(name: str) -> None:
    domain = load_domain(name)
    assert domain.hierarchies["language"].covers("Chinese", "gan chinese")
    assert domain.variety_of


def test_roles_and_names() -> None:
    domain = parse_domain(GOOD.encode(), "shop.yaml")
    assert domain.requirement_fields == ("kind_of", "price")
    assert domain.label("price") == "price in euros"
    assert domain.label("kind_of") == "kind of"
    assert domain.variety_of == {}
    assert not domain.hierarchies["kind_of"]
    assert parse_domain(changed(varieties={"Malbec": "Red"}), "x").variety_of == {"Malbec": "Red"}


def test_a_file_loads_and_a_missing_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "shop.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert load_domain(path) == load_domain(str(path)) == parse_domain(GOOD.encode(), "x")
    with pytest.raises(InputError, match=r"nothing\.yaml: cannot be read"):
        load_domain(tmp_path / "nothing.yaml")
    with pytest.raises(InputError, match="Name an existing YAML file or a shipped domain: films"):
        load_domain("filmz")


SHAPE = [
    (b"name: [", "shop.yaml: "),
    (b"", "shop.yaml: Expected `object`, got `null`"),
    (changed(title=None), "missing required field `title`"),
    (changed(colour="red"), "unknown field `colour`"),
    (with_field(kind="label"), "Invalid enum value 'label' - at `$.fields[...].kind`"),
    (with_field(kind="text", keywords=True), "unknown field `keywords` - at `$.fields[...]`"),
    (
        with_field(kind="category", most="two"),
        "Expected `int`, got `str` - at `$.fields[...].most`",
    ),
]


@pytest.mark.parametrize(("text", "problem"), SHAPE)
def test_a_wrong_shape_is_named_with_its_place(text: bytes, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_domain(text, "shop.yaml")
    assert problem in str(caught.value)
    assert str(caught.value).startswith("shop.yaml: ")
    assert str(caught.value).endswith("Mend the domain file.")


MEANING = [
    (changed(title="heading"), "title: there is no field 'heading'"),
    (changed(popularity="sales"), "popularity: there is no field 'sales'"),
    (changed(recency="year"), "recency: there is no field 'year'"),
    (changed(title="price"), "title: 'price' must be of kind text"),
    (changed(popularity="kind_of"), "fields.kind_of: an order needs kind integer or number"),
    (changed(recency="name"), "fields.name: an order needs kind integer or number"),
    (with_field(kind="category", most=0), "fields.extra: most must be at least 1"),
    (with_field(kind="integer", step=0), "fields.extra: step must be above 0"),
    (with_field(kind="text", requirement=True), "fields.extra: a text field cannot carry require"),
    (with_field(kind="flag", say={"==": "{value}"}),
     "fields.extra.say: '==' is none of a flag's phrases"),
    (changed(policies={"sponsored": "price"}), "policies.sponsored: 'price' is no flag field"),
    (with_field(kind="point", requirement=True),
     "fields.extra: a point field cannot carry require"),
    (with_field(kind="number", hierarchy={"a": ["b"]}), "fields.extra: only label fields have a"),
    (with_field(kind="category", say={"==": "red"}), "fields.extra.say.==: the phrase lacks {val"),
    (with_field(kind="category", hierarchy="planets"),
     "fields.extra.hierarchy: there is no shipped hierarchy 'planets'"),
    (with_field(kind="category", hierarchy="../domains/films"),
     "fields.extra.hierarchy: there is no shipped hierarchy '../domains/films'"),
    (with_field(kind="category", hierarchy={"a": ["b"], "b": ["a"]}),
     "fields.extra.hierarchy: 'b' is its own ancestor"),
    (changed(formats={"column": "sold"}), "formats.column: 'sold' is no label, flag or ordered"),
    (with_field(kind="number", requirement=True, say={"about": "near {value}"}),
     "fields.extra.say: 'about' is no operator"),
    (changed(formats={"simulated": ["box"]}), "formats: name a column, or at least two simulated"),
    (changed(templates={"easy": [["colour"]]}),
     "templates.easy: 'colour' is no field that carries requirements"),
    (changed(templates={"easy": [["name"]]}),
     "templates.easy: 'name' is no field that carries requirements"),
    (changed(templates={"easy": [["price"]]}), "templates.easy: 'price': write an ordered field"),
    (changed(templates={"easy": [["kind_of>="]]}), "templates.easy: 'kind_of>=': write an ordered"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), MEANING)
def test_a_wrong_meaning_is_named_with_its_place(text: bytes, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_domain(text, "shop.yaml")
    assert [found for found in caught.value.problems if found.startswith(problem)]
    assert caught.value.where == "shop.yaml"


def test_every_problem_is_listed_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_domain(changed(title="heading", popularity="sales", formats={}), "shop.yaml")
    assert len(caught.value.problems) == 3
    assert "3 problems\n  - title: " in str(caught.value)


def test_good_templates_and_formats_pass() -> None:
    templates = {"easy": [["kind_of", "price<="]]}
    domain = parse_domain(changed(templates=templates, formats={"simulated": ["a", "b"]}), "x")
    assert domain.templates == {"easy": (("kind_of", "price<="),)}
    assert isinstance(domain, Domain)


def test_shared_tables() -> None:
    assert "Gan Chinese" in shared_table("languages")["Chinese"]
    assert shared_table("nothing") == {}
    assert shared_table("../languages") == {}
