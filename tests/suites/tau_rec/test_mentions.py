from __future__ import annotations

import pytest

from mystery_shopper.suites.tau_rec.mentions import (
    answer_names,
    index_names,
    stands_alone,
    untagged,
)

from .helpers import HIDDEN, NORTH, RED, STATED, family, lamps, tag

NAMES = (("a4", "Ember"), ("a5", "Ember Light"), ("q123", "Mist"), ("q1234", "Dune"), ("x", "It"))


def test_the_answers_are_named_most_popular_first() -> None:
    found = answer_names(family((RED, STATED), (NORTH, HIDDEN)), lamps())
    assert found == (
        ("a1", "Old Glow"),
        ("a2", "Red Moon"),
        ("a4", "Ember"),
        ("a5", "Ember Light"),
    )


@pytest.mark.parametrize(
    ("title", "text", "alone"),
    [
        ("Ember", "Ember", True),
        ("Ember", "“Ember”!", True),
        ("Ember", "Embers", False),
        ("Ember", "September Ember", True),
        ("Ember", "XEmber", False),
        ("ember", "September", False),
        ("Mist", "Mistral, Mist", True),
        ("It", "It is", False),
        ("Ember", "", False),
    ],
)
def test_a_title_stands_as_words_of_its_own(title: str, text: str, alone: bool) -> None:
    assert stands_alone(title, text) is alone


@pytest.mark.parametrize(
    ("texts", "count"),
    [
        ([], 0),
        (["I like Ember."], 1),
        (["I like Ember.", "And Mist"], 2),
        (["Ember, Ember and Ember"], 1),
        (["Take Ember Light."], 1),
        (["Take Ember Light, not Ember."], 2),
        (["No. q123?"], 1),
        (["No. q1234?"], 1),
        (["q12345"], 0),
        (["Mist (q123)"], 1),
        (["It is here."], 0),
        (["Embers and Mistral"], 0),
    ],
)
def test_answers_named_without_a_tag_are_counted(texts: list[str], count: int) -> None:
    assert untagged(index_names(NAMES), texts, {}) == count


def test_what_was_proposed_is_not_untagged() -> None:
    assert untagged(index_names(NAMES), [f"Ember {tag('a4')}"], {"a4": "Ember"}) == 0


def test_what_was_named_before_its_proposal_is_not_untagged() -> None:
    assert untagged(index_names(NAMES), ["Ember?", f"Now {tag('a4')}"], {"a4": "Ember"}) == 0


def test_a_proposed_items_longer_title_names_no_other() -> None:
    assert untagged(index_names(NAMES), [f"Ember Light {tag('a5')}"], {"a5": "Ember Light"}) == 0


def test_a_proposed_items_shorter_title_hides_no_other() -> None:
    assert untagged(index_names(NAMES), [f"Ember {tag('a4')} or Ember Light"], {"a4": "Ember"}) == 1


def test_a_title_that_a_proposed_item_shares_names_no_other() -> None:
    assert untagged(index_names(NAMES), [f"Mist {tag('zz')}"], {"zz": "Mist"}) == 0


def test_an_id_in_another_items_tag_is_no_mention() -> None:
    assert untagged(index_names(NAMES), [f"{tag('zz q123')} [[candidate_id: q123 ]]"], {}) == 0
