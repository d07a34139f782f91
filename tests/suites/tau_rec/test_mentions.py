from __future__ import annotations

import pytest

from mystery_shopper.catalog import build_catalogue
from mystery_shopper.suites.tau_rec.mentions import Names, stands_alone, untagged

from .helpers import HIDDEN, RED, STATED, domain, family, tag

ITEMS = {"a4": "Ember", "a5": "Ember Light", "q123": "Mist", "q1234": "Dune", "x": "It"}
REDS = family((RED, STATED), (RED, HIDDEN))


def shelf_of(items: dict[str, str], colour: str = "Red") -> Names:
    """A catalogue of lamps of one colour, with these ids and names."""
    size = len(items)
    values = {"name": list(items.values()), "colour": [[colour]] * size, "fame": [1] * size}
    values |= {field: [None] * size for field in ("land", "made", "note", "form")}
    return Names.of(build_catalogue("lamps", domain(), list(items), values))


def count(texts: list[str], tagged: dict[str, str]) -> int:
    return untagged(shelf_of(ITEMS), REDS, texts, tagged)


def test_only_acceptable_items_count() -> None:
    blues = shelf_of(ITEMS, "Blue")
    assert untagged(blues, REDS, ["I like Ember and a5."], {}) == 0


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
    ("texts", "named"),
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
def test_answers_named_without_a_tag_are_counted(texts: list[str], named: int) -> None:
    assert count(texts, {}) == named


def test_what_was_proposed_is_not_untagged() -> None:
    assert count([f"Ember {tag('a4')}"], {"a4": "Ember"}) == 0


def test_what_was_named_before_its_proposal_is_not_untagged() -> None:
    assert count(["Ember?", f"Now {tag('a4')}"], {"a4": "Ember"}) == 0


def test_a_proposed_items_longer_title_names_no_other() -> None:
    assert count([f"Ember Light {tag('a5')}"], {"a5": "Ember Light"}) == 0


def test_a_proposed_items_shorter_title_hides_no_other() -> None:
    assert count([f"Ember {tag('a4')} or Ember Light"], {"a4": "Ember"}) == 1


def test_a_title_that_a_proposed_item_shares_names_no_other() -> None:
    assert count([f"Mist {tag('zz')}"], {"zz": "Mist"}) == 0


def test_an_id_in_another_items_tag_is_no_mention() -> None:
    assert count([f"{tag('zz q123')} [[candidate_id: q123 ]]"], {}) == 0
