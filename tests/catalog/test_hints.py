from __future__ import annotations

import pytest

from mystery_shopper.catalog import SHIPPED, load_domain, parse_domain
from mystery_shopper.catalog.hints import block_hints, labels_only
from mystery_shopper.catalog.words import FieldWords, block_names

DOMAIN = """
name: shop
noun: {singular: thing, plural: things}
title: name
fields:
  name: {kind: text}
  extra: {kind: category, requirement: REQUIRED, label: LABEL, words: WORDS}
"""


def hints(label: str, words: str = "{}", required: str = "true") -> dict[str, str]:
    text = DOMAIN.replace("LABEL", label).replace("WORDS", words).replace("REQUIRED", required)
    return block_hints(parse_domain(text.encode(), "x"))


def test_the_noun_of_a_block_is_a_hint() -> None:
    told = "the label 'Price' has a shipped block: add `words: {also: [price]}`"
    assert hints("Price") == {"extra": told}
    assert "also: [brand]" in hints("manufacturer")["extra"]


@pytest.mark.parametrize("name", block_names())
def test_the_name_of_every_block_leads_to_it(name: str) -> None:
    assert f"also: [{name}]" in hints(name.replace("_", " "))["extra"]


@pytest.mark.parametrize(
    ("label", "words", "required"),
    [
        ("price", "{also: [price]}", "true"),
        ("price", "{nouns: [cost]}", "true"),
        ("price", "{}", "false"),
        ("wattage", "{}", "true"),
    ],
)
def test_no_hint_where_there_are_words_or_no_block(label: str, words: str, required: str) -> None:
    assert hints(label, words, required) == {}


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_domains_need_no_hint(name: str) -> None:
    assert block_hints(load_domain(name)) == {}


def test_formats_have_hints_too() -> None:
    text = DOMAIN.replace("LABEL", "x").replace("WORDS", "{}").replace("REQUIRED", "true")
    text += "formats: {simulated: [a, b], label: delivery}"
    assert set(block_hints(parse_domain(text.encode(), "x"))) == {"format"}


def test_words_of_a_block_are_words() -> None:
    assert labels_only(FieldWords())
    assert labels_only(FieldWords(values=("red",)))
    assert not labels_only(FieldWords(also=("brand",)))
