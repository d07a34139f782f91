from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import Catalogue, Item, all_match, build_catalogue
from mystery_shopper.suites.tau_rec import mentions
from mystery_shopper.suites.tau_rec.mentions import Names, stands_alone, untagged
from mystery_shopper.suites.tau_rec.task import Family

from .helpers import HIDDEN, ON_ASK, RED, SINCE, STATED, domain, family, tag

ITEMS = {"a4": "Ember", "a5": "Ember Light", "q123": "Mist", "q1234": "Dune", "x": "It"}
REDS = family((RED, STATED), (RED, HIDDEN))


def shelf_of(items: dict[str, str], colour: str = "Red") -> Names:
    """A catalogue of lamps of one colour, with these ids and names."""
    size = len(items)
    values = {"name": list(items.values()), "colour": [[colour]] * size, "fame": [1] * size}
    values |= {field: [None] * size for field in ("land", "made", "note", "form")}
    return Names(build_catalogue("lamps", domain(), list(items), values))


@pytest.fixture(autouse=True, params=["few", "many"])
def few_or_many(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every case both with acceptable items that are held against the text one by one, and with so
    many that the text leads to them."""
    if request.param == "many":
        monkeypatch.setattr(mentions, "FEW", -1)


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


def test_an_item_without_a_title_is_named_by_its_id() -> None:
    names = shelf_of({"kk 1": "", "k222": "", "k22": ""})
    assert untagged(names, REDS, ["kk 1 or k222. Or k22?"], {}) == 2


def test_of_items_with_one_title_the_last_is_named() -> None:
    names = shelf_of({"i001": "Mist", "i002": "Mist"})
    assert untagged(names, REDS, ["Mist (i002)"], {}) == 1
    assert untagged(names, REDS, ["Mist (i001)"], {}) == 2
    assert untagged(names, REDS, ["Mist"], {"i001": "Fog", "i002": "Dew"}) == 0


def test_what_is_left_of_a_word_once_a_name_is_taken_out_is_no_title() -> None:
    names = shelf_of({"i001": "Mist Light", "i002": "ember"})
    assert untagged(names, REDS, ["Mist Light, not Mist Lightember."], {}) == 1


def test_the_acceptable_items_of_the_last_families_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = shelf_of(ITEMS)
    assert untagged(names, REDS, ["Ember"], {}) == 1
    monkeypatch.setattr(type(RED), "mask", None)
    assert untagged(names, REDS, ["Ember"], {}) == 1
    with pytest.raises(TypeError):
        untagged(names, family((SINCE, STATED)), ["Ember"], {})


# --- against the plain way: look every title of the catalogue up ----------------------------------

_WORD = re.compile(r"[^\W_]+")
_ID = re.compile(r"[^\s\[\](){}<>\"'“”‘’,;!?*`]+")
_TAG = re.compile(r"\[\[\s*candidate_id\s*:[^\[\]\n]+\]\]")


def plainly_named(catalogue: Catalogue, text: str) -> Iterator[tuple[str, Item]]:
    """What the text may name of the whole catalogue: titles of which the first two words are in it,
    and ids."""
    index: dict[tuple[str, ...], list[int]] = {}
    for position in range(len(catalogue)):
        words = _WORD.findall(catalogue.item(position).title)
        index.setdefault(tuple(words[:2]), []).append(position)
    words = _WORD.findall(text)
    for opening in {(), *((word,) for word in words), *pairwise(words)}:
        for position in index.get(opening, ()):
            yield catalogue.item(position).title, catalogue.item(position)
    for token in _ID.findall(text):
        item = catalogue.find(token) or catalogue.find(token.rstrip(".:"))
        if item is not None:
            yield item.id, item


def plainly_untagged(
    catalogue: Catalogue, given: Family, texts: Sequence[str], tagged: Mapping[str, str]
) -> int:
    spoken = _TAG.sub(" ", "\n".join(texts))
    proposed = set(tagged.values())
    open_names = {
        name: item.id
        for name, item in plainly_named(catalogue, spoken)
        if item.id not in tagged
        and name not in proposed
        and name in spoken
        and all_match(given.predicates, item)
    }
    found: set[str] = set()
    for name in sorted((*open_names, *proposed), key=lambda name: (-len(name), name)):
        if stands_alone(name, spoken):
            found.update({open_names[name]} if name in open_names else ())
            spoken = spoken.replace(name, "\n")
    return len(found)


WORDS = (
    "Ember",
    "Mist",
    "ember",
    "Light",
    "Mistral",
    "al",
    "of",
    "f001",
    "f0012",
    "Ärger",
    "霧の灯",
)
NAMES = st.lists(st.sampled_from(WORDS), max_size=3).flatmap(
    lambda words: st.sampled_from([" ", "-", "_", ": ", "", ". "]).map(
        lambda mark: mark.join(words)
    )
)
IDS = st.sampled_from(["f001", "f0012", "a.1:", "Ember", "Mist Light", "霧", "id_7", "x.9"])
PART = st.one_of(
    st.tuples(st.sampled_from(["title", "id", "tag"]), st.integers(0, 5)),
    st.tuples(st.just("text"), NAMES),
)
MARKS = st.sampled_from([" ", " or ", ", ", " (", ") ", "” “", "_", "x", "", ".\n"])
SPOKEN = st.lists(st.tuples(PART, MARKS), max_size=8)


def spoken_of(catalogue: Catalogue, parts: Sequence[tuple[tuple[str, Any], str]]) -> str:
    """A text from parts of it; items are named by their places."""
    text = ""
    for (kind, value), mark in parts:
        item = None if kind == "text" else catalogue.item(value % len(catalogue))
        if item is None:
            text += value
        else:
            text += {"title": item.title, "id": item.id, "tag": tag(item.id)}[kind]
        text += mark
    return text


@settings(deadline=None, max_examples=250)
@given(
    names=st.dictionaries(IDS, st.none() | NAMES, min_size=1, max_size=6),
    colours=st.lists(st.sampled_from(["Red", "Red", "Blue"]), min_size=6, max_size=6),
    made=st.lists(st.none() | st.integers(1998, 2002), min_size=6, max_size=6),
    texts=st.lists(SPOKEN, max_size=3),
    tagged=st.lists(st.integers(0, 5), max_size=2),
    few=st.sampled_from([-1, 1, 2, 5_000]),
)
def test_it_is_as_if_every_title_were_looked_up(
    names: dict[str, str | None],
    colours: list[str],
    made: list[int | None],
    texts: list[list[tuple[tuple[str, Any], str]]],
    tagged: list[int],
    few: int,
) -> None:
    size = len(names)
    values: dict[str, list[Any]] = {name: [None] * size for name in domain().fields}
    values |= {"name": list(names.values()), "colour": [[one] for one in colours[:size]]}
    values["made"] = made[:size]
    catalogue = build_catalogue("lamps", domain(), list(names), values)
    items = [catalogue.item(place) for place in tagged if place < size]
    proposed = {item.id: item.title for item in items}
    spoken = [spoken_of(catalogue, parts) for parts in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mentions, "FEW", few)
        seen = Names(catalogue)
        for given_ in (family((RED, STATED)), family((RED, STATED), (SINCE, ON_ASK))):
            counted = untagged(seen, given_, spoken, proposed)
            assert counted == plainly_untagged(catalogue, given_, spoken, proposed)
