"""The tables of words, and what they come to for a catalogue."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import mystery_shopper
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.catalog.specs import Noun
from mystery_shopper.sources.films import load_films
from mystery_shopper.sources.histories.demographics import AGES, GENDERS, OCCUPATIONS
from mystery_shopper.suites.recbench.wording import Speech
from mystery_shopper.suites.recbench.wording.phrases import (
    AGREEING,
    SLOT,
    agreeing,
    filled,
    listed,
    quoted,
    spoken,
)
from mystery_shopper.suites.recbench.wording.selves import read_self, self_described
from mystery_shopper.suites.recbench.wording.speech import (
    People,
    RelationWords,
    Requests,
    plain,
    shipped,
)

FILLED = {
    "one", "many", "kind", "noun", "nouns", "watch", "watching", "watched", "claim", "fact",
    "named", "who",
}  # fmt: skip
TABLE = shipped("relations", tuple[RelationWords, ...])
REQUESTS = shipped("requests", Requests)


@pytest.mark.parametrize("words", TABLE, ids=lambda words: (*words.names, "fallback")[0])
def test_every_pattern_of_a_relation_has_its_slots(words: RelationWords) -> None:
    for pattern in (*words.after, *words.must):
        assert set(SLOT.findall(pattern)) - {"plural", "label"} == {"value"}, pattern
    for pattern in (*words.refer.after, *words.refer.must):
        assert "titles" in SLOT.findall(pattern), pattern
        assert "value" not in SLOT.findall(pattern), pattern
    for pattern in (*words.claim, *words.fact):
        assert {"titles", "value"} <= set(SLOT.findall(pattern)), pattern
        assert set(SLOT.findall(pattern)) <= {"titles", "value", "label"} | AGREEING, pattern
    assert all(pattern.startswith("{titles}") for pattern in words.claim)
    assert words.cues


def test_no_relation_stands_in_the_table_twice() -> None:
    names = [name_key(name) for words in TABLE for name in words.names]
    assert len(names) == len(set(names))
    assert sum(not words.names for words in TABLE) == 1


def test_every_slot_of_a_request_is_a_list_or_is_filled() -> None:
    lists = REQUESTS.lists
    texts = [
        *(text for entries in lists.values() for text in entries),
        *REQUESTS.ask_one, *REQUESTS.ask_many, *REQUESTS.situations, *REQUESTS.claims,
        *REQUESTS.named, *REQUESTS.streaks, *REQUESTS.selves, *REQUESTS.self_situations,
    ]  # fmt: skip
    used = {slot for text in texts for slot in SLOT.findall(text)}
    assert used <= FILLED | AGREEING | set(lists)
    spare = set(lists) - used - {"good", "greeting", "closer", "should", "they_should"}
    assert spare == set()


def test_the_films_relations_all_stand_in_the_table() -> None:
    speech = Speech.of_catalogue(load_films())
    assert set(speech.relations) == {
        "genre", "language", "country", "director", "writer", "starring", "company",
    }  # fmt: skip
    assert all(words.names for words in speech.relations.values())
    assert speech.activity.watch == "watch"


def test_relations_of_other_names() -> None:
    names = ("Directed_by", "WRITTEN_BY", "IN_CATEGORY", "Starring", "narrator", "author")
    speech = Speech.of(Noun("book", "books"), names, {"narrator": "voice"})
    assert speech.relations["Directed_by"].after[0] == "directed by {value}"
    assert "filed under {value}" in speech.relations["IN_CATEGORY"].after
    assert speech.relations["narrator"].after == ("with {value} as the voice",)
    assert speech.relations["author"].names
    assert (speech.nouns, speech.activity.watch) == ((("book", "books"),), "read")
    assert Speech.of(Noun("board game", "board games"), ()).activity.watch == "play"
    assert Speech.of(Noun("product", "products"), ()).activity.watch == "try"


def test_two_relations_of_one_entry_can_be_told_apart() -> None:
    speech = Speech.of(Noun("film", "films"), ("starring", "actor"))
    assert speech.relations["starring"].after[0] == "starring {value}"
    assert speech.relations["actor"].after == ("with {value} as the actor",)


def test_no_code_of_the_wording_names_a_relation() -> None:
    folder = Path(mystery_shopper.__file__).parent / "suites" / "recbench" / "wording"
    names = {name for words in TABLE for name in words.names}
    for file in folder.glob("*.py"):
        literals = re.findall(r'"([^"\n]*)"', file.read_text(encoding="utf-8"))
        assert not names & set(literals), file.name


def test_names_as_words() -> None:
    assert plain("IN_CATEGORY") == "in category"
    assert plain("production_company") == "production company"
    assert plain("Country of origin") == "Country of origin"


@pytest.mark.parametrize(
    ("titles", "text"),
    [
        (["A"], '"A", which was made'),
        (["A", "B"], '"A" and "B", both of which were made'),
        (["A", "B", "C"], '"A", "B" and "C", all of which were made'),
        (["A", "B", "C", "D"], '"A", "B", "C" and "D", all of which were made'),
    ],
)
def test_patterns_agree_with_the_number_of_titles(titles: list[str], text: str) -> None:
    slots = {**agreeing(len(titles)), "titles": listed([quoted(t) for t in titles])}
    assert filled("{titles}, {which} {was} made", slots) == text


def test_quoting_and_full_stops() -> None:
    assert quoted("Heat") == '"Heat"'
    assert quoted('Waiting for "Superman"') == '“Waiting for "Superman"”'
    assert filled("made by {value}. Yes.", {"value": "Terror, Inc."}) == "made by Terror, Inc. Yes."
    assert filled("made by {value}?", {"value": "Terror, Inc."}) == "made by Terror, Inc.?"
    assert filled("{unknown} stays", {}) == "{unknown} stays"
    assert filled("by {value}", {"value": "{value}"}) == "by {value}"


def test_values_in_a_sentence() -> None:
    speech = Speech.of_catalogue(load_films())
    country, genre = speech.relations["country"], speech.relations["genre"]
    assert spoken("United States", country) == "the United States"
    assert spoken("The Bahamas", country) == "The Bahamas"
    assert spoken("France", country) == "France"
    assert spoken("Sci-Fi", genre) == "sci-fi"
    assert spoken("LGBT Drama", genre) == "LGBT Drama"


def test_every_group_is_described_and_read_back() -> None:
    people = shipped("people", People)
    assert set(people.gender) == set(GENDERS.values())
    assert set(people.age) == set(AGES.values())
    assert set(OCCUPATIONS) <= set(people.occupation)
    for gender in (None, *GENDERS.values()):
        for age in (None, *AGES.values()):
            for occupation in (None, *people.occupation, "keeper of bees"):
                group = {"gender": gender, "age": age, "occupation": occupation}
                known = {name: value for name, value in group.items() if value is not None}
                for seed in range(3):
                    text = self_described(known, random.Random(seed))
                    assert read_self(f"I'm {text}.") == known, text


def test_a_description_in_words() -> None:
    group = {"gender": "Female", "age": "Under 18", "occupation": "keeper of bees"}
    text = self_described(group, random.Random(1))
    assert text == 'a girl under 18 whose occupation is "keeper of bees"'
    assert self_described({}, random.Random(1)) == "someone"
