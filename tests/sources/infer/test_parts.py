"""The parts of the guessing: names, separators, shapes, YAML."""

from __future__ import annotations

from collections import Counter

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog.words import shared_block
from mystery_shopper.sources.infer.blocks import block_for, lists_for, shipped, tree_for
from mystery_shopper.sources.infer.names import called, noun_of, plural, singular, words_of
from mystery_shopper.sources.infer.sample import cell_of, says_nothing
from mystery_shopper.sources.infer.shapes import currency_of, is_point, waste
from mystery_shopper.sources.infer.splits import split_of
from mystery_shopper.sources.infer.yamltext import comment, flow, quoted


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("movieId", ("movie", "id")),
        ("ratings_5", ("ratings", "5")),
        ("HTMLText", ("html", "text")),
        ("Preis (€)", ("preis",)),
        ("", ()),
    ],
)
def test_words_of_names(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("file", "noun"),
    [
        ("books", ("book", "books", True)),
        ("tmdb_5000_movies", ("movie", "movies", True)),
        ("all-products-final", ("product", "products", True)),
        ("wine_export", ("wine", "wines", True)),
        ("data", ("item", "items", False)),
        ("2024", ("item", "items", False)),
    ],
)
def test_nouns_of_files(file: str, noun: tuple[str, str, bool]) -> None:
    assert noun_of(file) == noun


@pytest.mark.parametrize("word", ["book", "box", "city", "movie", "dish", "shelf", "size", "toy"])
def test_singular_undoes_plural(word: str) -> None:
    assert singular(plural(word)) == word


@pytest.mark.parametrize(
    ("column", "name", "label", "unit"),
    [
        ("colours", "colours", "colour", ""),
        ("size_cm", "size_cm", "size", "cm"),
        ("language_code", "language_code", "language", ""),
        ("orig_lang", "orig_lang", "original language", ""),
        ("Preis (€)", "preis", "preis", ""),
        ("12", "column_1", "column 1", ""),
        ("class", "column_1", "class", ""),
        ("größe", "groesse", "größe", ""),
    ],
)
def test_what_fields_are_called(column: str, name: str, label: str, unit: str) -> None:
    found = called(column, [], [], 0)
    assert (found.name, found.label, found.unit) == (name, label, unit)


def test_names_and_labels_are_never_taken_twice() -> None:
    found = called("Colour", ["colour"], ["colour"], 3)
    assert (found.name, found.label) == ("Colour_2", "colour 2")


def test_parts_are_counted_by_hand() -> None:
    split, _ = split_of(Counter({"a|b": 3, "b": 2, "b|a|b": 1, "c|": 4}))
    assert split is not None
    assert split.labels == {"a": 4, "b": 6, "c": 4}
    assert split.several == pytest.approx(4 / 10)


def test_a_part_under_two_others_is_left_out_of_the_tree() -> None:
    leaves = [f"{top} > {top} {i}" for top in ("Home", "Garden", "Kitchen") for i in range(8)]
    split, _ = split_of(Counter([*leaves, "Home > Other", "Garden > Other"]))
    assert split is not None
    assert split.parents["Home 3"] == "Home"
    assert "Other" not in split.parents
    assert split.labels["Other"] == 2


def test_long_texts_with_commas_are_not_taken_apart() -> None:
    texts = [f"A chair that is number {i}, made by hand, and painted, {i} times" for i in range(50)]
    split, why = split_of(Counter(texts))
    assert split is None
    assert why


@pytest.mark.parametrize("text", ["N/A", "(no genres listed)", "unknown", "-", "not available"])
def test_texts_that_say_nothing(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text", ["None of the above", "No Country for Old Men", "0", "Not listed?"]
)
def test_texts_that_say_something(text: str) -> None:
    assert not says_nothing(text)


def test_cells_of_typed_values() -> None:
    assert cell_of(True) == "true"
    assert cell_of(2.0) == "2"
    assert cell_of(float("nan")) is None
    assert cell_of([" a ", None, 3]) == ("a", "3")
    assert cell_of("  ") is None


def test_shapes() -> None:
    assert waste(["https://a.test/1", "https://a.test/2"]) == "addresses of pages or pictures"
    assert waste(["red", "blue"]) is None
    assert is_point("52.5, 13.4")
    assert not is_point("152.5, 13.4")
    assert currency_of(["£3", "£4.50", "5"]) == "pounds"
    assert currency_of(["3", "4"]) == ""


def test_shipped_words_are_found_by_their_own_names_and_nouns() -> None:
    assert shipped().blocks
    for name in shipped().blocks:
        assert block_for(name.replace("_", " ")) == name
    assert block_for("colours") == "colour"
    assert block_for("publication year") == "vintage"
    assert block_for("xyzzy") is None
    assert all(shared_block(name) for name in shipped().blocks)


def test_lists_and_trees_are_found_by_labels() -> None:
    assert lists_for(["Drama", "Thriller", "Western", "Horror"]) is not None
    assert tree_for(["Jeans", "Boots", "Desks"]) == "departments"
    assert lists_for(["Qwx", "Zzy", "Yyq"]) is None


@given(st.text())
def test_any_text_as_yaml_is_read_back_the_same(text: str) -> None:
    assert yaml.safe_load(f"a: {quoted(text)}") == {"a": text}
    assert yaml.safe_load(f"a: {flow([text, text])}") == {"a": [text, text]}
    assert yaml.safe_load(f"{quoted(text)}: 1") == {text: 1}


@given(st.text(max_size=300), st.integers(0, 6))
def test_any_text_as_a_comment_is_nothing_to_yaml(text: str, indent: int) -> None:
    lines = comment(text, indent)
    assert yaml.safe_load("\n".join(["a: 1", *lines])) == {"a": 1}
    assert all(line.lstrip().startswith("#") for line in lines)


@pytest.mark.parametrize("text", ["yes", "No", "null", "~", "1e3", "0x1", "2001-01-01", "", " a"])
def test_words_that_yaml_takes_for_something_else_are_quoted(text: str) -> None:
    assert quoted(text).startswith('"')
