"""The item graph: both directions, spellings that mean one value, and what it refuses."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import (
    Catalogue,
    Condition,
    ItemGraph,
    UnknownRelation,
    build_catalogue,
    parse_domain,
)
from mystery_shopper.catalog.graph_values import is_tail, name_key, names_within
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.films import load_films

TRIPLES = [
    ("heat", "director", "Michael Mann"),
    ("heat", "starring", "Al Pacino"),
    ("heat", "starring", "Robert De Niro"),
    ("ali", "director", "MICHAEL MANN"),
    ("ali", "director", "Michael  Mann"),
    ("amélie", "director", "Jean-Pierre Jeunet"),
    ("ronin", "starring", "Robert De Niro"),
    ("ronin", "director", "John Frankenheimer"),
]
PEOPLE = parse_domain(
    b"""
name: people
noun: {singular: film, plural: films}
title: title
formats: {column: service}
fields:
  title: {kind: text}
  cast: {kind: categories, relation: starring}
  genre: {kind: categories}
  rating: {kind: category, relation: false}
  service: {kind: categories}
  year: {kind: integer}
""",
    "people.yaml",
)


def people(cast: list[list[str]]) -> Catalogue:
    rows = len(cast)
    values = {
        "title": ["t"] * rows,
        "cast": cast,
        "genre": [["Drama"]] * rows,
        "rating": ["PG"] * rows,
        "service": [["Stream"]] * rows,
        "year": [2000] * rows,
    }
    return build_catalogue("people", PEOPLE, [f"p{row}" for row in range(rows)], values)


def test_both_directions_of_triples() -> None:
    graph = ItemGraph.of_triples(TRIPLES)
    assert graph.items == ("heat", "ali", "amélie", "ronin")
    assert graph.relations == ("director", "starring")
    assert graph.values("director") == ("Jean-Pierre Jeunet", "John Frankenheimer", "Michael Mann")
    assert graph.items_of("starring", "robert de niro").tolist() == [0, 3]
    assert graph.values_of(0, "starring") == ("Al Pacino", "Robert De Niro")
    assert graph.values_of(2, "starring") == ()
    assert graph.holds(1, "director", "michael mann")
    assert not graph.holds(2, "director", "Michael Mann")
    assert graph.degree("director", "Michael Mann") == 2
    assert graph.degree("director", "Nobody") == 0
    both = [Condition("director", "Michael Mann"), Condition("starring", "Al Pacino")]
    assert graph.meets(both).tolist() == [0]
    assert graph.meets([]).tolist() == [0, 1, 2, 3]
    assert graph.meets([*both, Condition("starring", "Nobody")]).tolist() == []


def test_a_relation_that_is_not_there_is_told_with_those_that_are() -> None:
    graph = ItemGraph.of_triples(TRIPLES)
    lookups: list[Callable[[], object]] = [
        lambda: graph.values("composer"),
        lambda: graph.items_of("composer", "x"),
        lambda: graph.values_of(0, "composer"),
        lambda: graph.holds(0, "composer", "x"),
        lambda: graph.degree("composer", "x"),
        lambda: graph.meets([Condition("composer", "x")]),
    ]
    for lookup in lookups:
        with pytest.raises(UnknownRelation, match="no relation 'composer'; known: director, starr"):
            lookup()
    with pytest.raises(KeyError):
        graph.values("composer")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pedro Almodóvar", "pedro almodovar"),
        ("Alan Hale, Jr.", "Alan Hale Jr"),
        ("J. B. Ghuman", "J.B. Ghuman"),
        ("Jean-Pierre Jeunet", "Jean‐Pierre  Jeunet"),
        ("Søren Kragh-Jacobsen", "Soren Kragh Jacobsen"),
        ("Pawel Pawlikowski", "Paweł Pawlikowski"),
        ("Lupita Nyong’o", "Lupita Nyong'o"),
        ("Ａkira", "akira"),
        ("Ελένη", "Ελενη"),
    ],
)
def test_spellings_of_one_name(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Max Baer", "Max Baer, Jr."),
        ("ガメラ", "カメラ"),
        ("Андрей", "Андреи"),
        ("The O.C.", "The O.K."),
        ("!!!", "???"),
    ],
)
def test_spellings_of_two_names(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@given(st.text(max_size=30))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert name_key(name_key(text)) == name_key(text)


def test_the_label_is_the_most_frequent_spelling_then_the_smallest() -> None:
    graph = ItemGraph.of_triples(
        [
            ("a", "by", "José Ruiz"),
            ("b", "by", "Jose Ruiz"),
            ("c", "by", "José Ruiz"),
            ("a", "in", "Zed"),
            ("b", "in", "ZED"),
        ]
    )
    assert graph.values("by") == ("José Ruiz",)
    assert graph.values("in") == ("ZED",)
    assert graph.items_of("by", "JOSE RUIZ").tolist() == [0, 1, 2]


def test_a_tail_split_off_by_commas_goes_back_to_its_name() -> None:
    cast = [
        ["Robert Downey", "Jr.", "Susan Downey"],
        ["Robert Downey Jr."],
        ["Robert Downey"],
        ["Jr.", "Ann Lee"],
        ["Ann Lee", "M.D.", "Bo Ray", "III"],
        ["Cy Poe", "Jr.", "Ph.D.", "Di Poe"],
    ]
    graph = ItemGraph.of_catalogue(people(cast))
    assert graph.values_of(0, "starring") == ("Robert Downey Jr.", "Susan Downey")
    assert graph.items_of("starring", "Robert Downey, Jr.").tolist() == [0, 1]
    assert graph.items_of("starring", "Robert Downey").tolist() == [2]
    assert graph.values_of(3, "starring") == ("Jr.", "Ann Lee")
    assert graph.values_of(4, "starring") == ("Ann Lee, M.D.", "Bo Ray, III")
    assert graph.values_of(5, "starring") == ("Cy Poe, Jr., Ph.D.", "Di Poe")
    triples = [(f"p{row}", "starring", name) for row, names in enumerate(cast) for name in names]
    same = ItemGraph.of_triples(triples)
    for row in range(len(cast)):
        assert same.values_of(row, "starring") == graph.values_of(row, "starring")


def test_which_values_are_tails() -> None:
    assert all(map(is_tail, ["Jr.", "jr", "Sr.", "III", "Ph.D.", "M. D.", "Inc.", "LLC", "Esq"]))
    assert not any(map(is_tail, ["Juno", "Incognito", "I", "Sr. Sergio", "Drama", ""]))


def test_relations_follow_the_domain() -> None:
    graph = ItemGraph.of_catalogue(people([["Ann"], ["Bo"]]))
    assert graph.relations == ("starring", "genre")  # No certificate, no format, no number.
    other = ItemGraph.of_catalogue(people([["Ann"], ["Bo"]]), {"rating": "rated", "cast": "with"})
    assert other.relations == ("rated", "with")
    assert other.items_of("rated", "pg").tolist() == [0, 1]


@pytest.mark.parametrize(
    ("relations", "told"),
    [
        ({}, "no field of people or categories"),
        ({"year": "year"}, "field 'year' holds no labels"),
        ({"nothing": "x"}, "field 'nothing' does not exist"),
        ({"cast": "x", "genre": "x"}, "relation 'x' is given to several fields"),
    ],
)
def test_relations_that_cannot_be(relations: dict[str, str], told: str) -> None:
    with pytest.raises(InputError, match=told):
        ItemGraph.of_catalogue(people([["Ann"]]), relations)


def test_triples_that_say_nothing_are_told_by_number() -> None:
    with pytest.raises(InputError, match=r"triple 2: .* has an empty part"):
        ItemGraph.of_triples([("a", "by", "x"), ("a", "by", " ")])
    with pytest.raises(InputError, match="there are no triples"):
        ItemGraph.of_triples([])


@pytest.mark.parametrize(
    ("value", "text", "told"),
    [
        ("Frankenstein", "Son of Frankenstein!", True),
        ("Rohmer", "Éric ROHMER's Winter", True),
        ("O'Brien", "The O’Brien Years", True),
        ("Ann", "Anna", False),
        ("War Drama", "War and Drama", False),
        ("!!!", "What!!!", False),
    ],
)
def test_a_value_within_a_text(value: str, text: str, *, told: bool) -> None:
    assert names_within(value, text) == told


WORDS = st.sampled_from(["x", "X", "y", "é", "e", "z", "Z."])


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("rs"), WORDS), min_size=1))
def test_the_graph_holds_exactly_its_triples(triples: list[tuple[str, str, str]]) -> None:
    graph = ItemGraph.of_triples(triples)
    true = {(item, relation, name_key(value)) for item, relation, value in triples}
    told = {
        (graph.items[position], relation, name_key(value))
        for position in range(len(graph))
        for relation in graph.relations
        for value in graph.values_of(position, relation)
    }
    back = {
        (graph.items[position], relation, name_key(value))
        for relation in graph.relations
        for value in graph.values(relation)
        for position in graph.items_of(relation, value).tolist()
    }
    assert told == true == back
    assert int(graph.degrees.sum()) == len(true) == len(graph.codes)
    for code in range(len(graph.labels)):
        assert graph.code(graph.condition(code)) == code
        assert graph.bearers(code).tolist() == sorted(graph.bearers(code).tolist())
    values = [(relation, value) for relation in graph.relations for value in graph.values(relation)]
    for one in values:
        for other in values:
            met = {
                position
                for position in range(len(graph))
                if all((graph.items[position], r, name_key(v)) in true for r, v in (one, other))
            }
            assert graph.meets([Condition(*one), Condition(*other)]).tolist() == sorted(met)


def test_equal_content_has_an_equal_digest_and_survives_a_pickle() -> None:
    graph = ItemGraph.of_triples(TRIPLES)
    assert graph.digest == ItemGraph.of_triples(TRIPLES).digest
    assert graph.digest != ItemGraph.of_triples(TRIPLES[:-1]).digest
    again: ItemGraph = pickle.loads(pickle.dumps(graph))
    assert again.digest == graph.digest
    assert again.items_of("starring", "Robert De Niro").tolist() == [0, 3]


def test_the_films_have_seven_relations() -> None:
    films = load_films()
    graph = ItemGraph.of_catalogue(films)
    assert sorted(graph.relations) == [
        "company", "country", "director", "genre", "language", "starring", "writer",
    ]  # fmt: skip
    assert graph.items == tuple(films.ids)
    assert graph.degree("genre", "drama") == 8875
    assert graph.degree("director", "woody allen") == 44
    cast = films.labels("cast")
    for position in (0, 777, len(films) - 1):
        assert set(map(name_key, graph.values_of(position, "starring"))) == set(
            map(name_key, cast.labels_of(position))
        )
    assert graph.codes.dtype == graph.offsets.dtype == np.int32
