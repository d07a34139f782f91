from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

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
    (b"name: [", "shop.yaml: line 1, column 8: this is no YAML ("),
    (b"name: shop\nnoun: {singular: a\ntitle: b: c\n", "shop.yaml: line 3, column "),
    (b"name: a\ntitle: L\xf6we\n", "line 2: holds a byte that is not UTF-8; save the file as"),
    (b"name: 2024-13-45", "this is no YAML (month must be in 1..12"),
    (b"", "shop.yaml: line 1, is empty; write its keys below it (name, noun, fields"),
    (b"[1, 2]", "[1, 2] stands where keys belong"),
    (changed(title=None), "the key 'title' is missing"),
    (changed(colour="red"), "line 1, colour: unknown key 'colour'; the keys here are fields, "),
    (with_field(kind="catagories"),
     "line 3, fields.extra.kind: 'catagories' is no kind; use categories, category, flag, integer"),
    (with_field(kind="text", keywords=True),
     "fields.extra.keywords: unknown key 'keywords'; did you mean 'keyword'?"),
    (with_field(kind="text", requirment=True), "unknown key 'requirment'; did you mean 'requirem"),
    (with_field(kind="category", most="two"), "fields.extra.most: 'two' is no whole number"),
    (with_field(kind="category", most=None), "fields.extra.most: is empty; write a value, or"),
    (with_field(kind="number", step="half"), "fields.extra.step: 'half' is no number"),
    (with_field(kind="text", shown="no"), "fields.extra.shown: 'no' is neither true nor false"),
    (with_field(kind="text", label=12), "fields.extra.label: 12 is no text; write it in quotes"),
    (with_field(kind="flag", say={False: "x"}), "fields.extra.say: the key False is no text; wri"),
    (with_field(kind="text", words={"nouns": 3}), "fields.extra.words.nouns: write a list: [3]"),
    (with_field(kind="text", words=None), "fields.extra.words: is empty; write its keys below"),
    (with_field(kind="text", words={"numbers": [1]}), "words.numbers: [1] should hold 2 values"),
    (with_field(kind="text", words={"nouns": ["a", 1]}),
     "fields.extra.words.nouns[2]: 1 is no text"),
    (with_field(kind="number", source={"decimal": ";"}), "source.decimal: ';' is no decimal; use"),
    (with_field(kind="category", hierarchy={"a": [["b"]]}), "fields.extra.hierarchy.a[1]: ['b']"),
    (changed(noun="ware"), "noun: 'ware' stands where keys belong; write `key: value` with"),
    (changed(sizes=["many"]), "sizes[1]: 'many' is no whole number"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), SHAPE)
def test_a_wrong_shape_is_named_with_its_place(text: bytes, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_domain(text, "shop.yaml")
    assert problem in str(caught.value)
    assert str(caught.value).startswith("shop.yaml: ")
    assert str(caught.value).splitlines()[-1].startswith("Mend ")


MEANING = [
    (changed(title="heading"), "title: there is no field 'heading'"),
    (changed(popularity="sales"), "popularity: there is no field 'sales'"),
    (changed(recency="year"), "recency: there is no field 'year'"),
    (changed(title="price"), "title: 'price' must be of kind text"),
    (changed(name=" "), "name: is empty"),
    (changed(noun={"singular": "thing", "plural": ""}), "noun.plural: is empty"),
    (changed(sizes=[10, -1]), "sizes: a subset has at least 1 item"),
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
    (with_field(kind="category", words={"also": "marke"}),
     "fields.extra.words.also: there is no block 'marke'; there are: age, brand, colour, "),
    (with_field(kind="category", words={"also": "colours"}),
     "fields.extra.words.also: there is no block 'colours'; there are: colour, "),
    (with_field(kind="category", words={"also": "cities"}),
     "fields.extra.words.also: there is no block 'cities'; there are: "),
    (with_field(kind="category", words={"lists": "film_genre"}),
     "fields.extra.words.lists: there is no list 'film_genre'; there are: film_genres, book_genre"),
    (with_field(kind="category", words={"borrows": "brand"}),
     "fields.extra.words.borrows: there is no list 'brand'; there are: "),
    (with_field(kind="category", words={"nouns": "(a|the) {colors} of {item}"}),
     "fields.extra.words.nouns: there is no list 'colors'; there are: "),
    (changed(formats={"simulated": ["a", "b"], "words": {"also": "stok"}}),
     "formats.words.also: there is no block 'stok'; there are: "),
    (changed(words={"others": "{ploot}"}), "words.others: there is no list 'ploot'; there are: "),
    (changed(varieties="grapes"), "varieties: there is no shipped table 'grapes'; there are: "),
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
    told = [re.sub(r"^line \d+, ", "", found) for found in caught.value.problems]
    assert [found for found in told if found.startswith(problem)]
    assert caught.value.where == "shop.yaml"


def test_every_problem_is_listed_at_once() -> None:
    with pytest.raises(InputError) as caught:
        parse_domain(changed(title="heading", popularity="sales", formats={}), "shop.yaml")
    assert len(caught.value.problems) == 3
    assert "3 problems\n  - line 17, title: " in str(caught.value)


def test_every_fault_of_shape_is_listed_at_once_in_order_of_lines() -> None:
    text = GOOD.replace("kind: text", "kind: txt").replace("label:", "lable:") + "  x: {kind: fl}"
    with pytest.raises(InputError) as caught:
        parse_domain(text.encode(), "shop.yaml")
    assert caught.value.problems == [
        "line 6, fields.name.kind: 'txt' is no kind; use text, categories, category, flag, integer,"
        " number, point",
        "line 8, fields.price.lable: unknown key 'lable'; did you mean 'label'?",
        "line 9, fields.x.kind: 'fl' is no kind; use flag, categories, category, integer, number,"
        " point, text",
    ]


def test_the_line_of_a_wrong_meaning_is_that_of_its_key() -> None:
    text = GOOD.replace("  price:", "  a.b: {kind: text, most: 0}\n  price:")
    with pytest.raises(InputError) as caught:
        parse_domain(text.encode(), "shop.yaml")
    assert caught.value.problems == ["line 8, fields.a.b: most must be at least 1"]


def test_a_single_text_is_the_column() -> None:
    extra = {"kind": "flag", "source": "Verfügbarkeit"}
    fields = yaml.safe_load(GOOD)["fields"] | {"extra": extra}
    domain = parse_domain(changed(fields=fields, formats="extra"), "x")
    assert domain.formats is not None
    assert domain.formats.column == "extra"
    assert domain.fields["extra"].source.column == "Verfügbarkeit"


def test_a_single_text_is_a_list_of_one() -> None:
    spec = {"kind": "category", "source": {"missing": "k.A."}, "words": {"nouns": "make"},
            "hierarchy": {"Wine": "Malbec"}}  # fmt: skip
    extra = parse_domain(with_field(**spec), "x").fields["extra"]
    assert (extra.source.missing, extra.words.nouns) == (("k.A.",), ("make",))
    assert extra.hierarchy == {"Wine": ("Malbec",)}


KEYS = st.sampled_from(
    ["name", "noun", "title", "fields", "kind", "label", "say", "words", "also", "source", "most",
     "missing", "formats", "column", "text", "category", "x", "sizes", "templates", "hierarchy"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.dates() | KEYS | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(KEYS | st.integers() | st.booleans(), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(
    st.dictionaries(st.sampled_from(Domain.__struct_fields__), VALUES, max_size=5),
    st.dictionaries(KEYS, VALUES, max_size=4),
)
def test_any_yaml_gives_a_domain_or_its_problems(
    top: dict[str, object], extra: dict[str, object]
) -> None:
    fields = yaml.safe_load(GOOD)["fields"] | {"extra": extra}
    text = yaml.safe_dump(yaml.safe_load(GOOD) | {"fields": fields} | top, allow_unicode=True)
    domain, problems = None, list[str]()
    try:
        domain = parse_domain(text.encode(errors="replace"), "x")
    except InputError as error:
        problems = error.problems
    assert (domain is None) == bool(problems)
    assert all("\n" not in problem for problem in problems)


@given(st.binary(max_size=40))
def test_any_bytes_give_problems(data: bytes) -> None:
    with pytest.raises(InputError):
        parse_domain(data, "x")


def test_good_templates_and_formats_pass() -> None:
    templates = {"easy": [["kind_of", "price<="]]}
    domain = parse_domain(changed(templates=templates, formats={"simulated": ["a", "b"]}), "x")
    assert domain.templates == {"easy": (("kind_of", "price<="),)}
    assert isinstance(domain, Domain)


def test_shared_tables() -> None:
    assert "Gan Chinese" in shared_table("languages")["Chinese"]
    assert shared_table("nothing") == {}
    assert shared_table("../languages") == {}
