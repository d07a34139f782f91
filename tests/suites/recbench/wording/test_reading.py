"""The reader is the inverse of the templates, and hostile texts do it no harm."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.catalog import Condition
from mystery_shopper.suites.recbench.query import Given, Kind, Part, Query, Style
from mystery_shopper.suites.recbench.wording import Claim, Reading, Reference, facts_of
from mystery_shopper.suites.recbench.wording.reading import LONGEST_TEXT

from .made import Place, books, films

SEEDS = st.integers(0, 2**32)


def assert_read_back(place: Place, kind: Kind, style: Style, width: int, seed: int) -> None:
    query = place.query(kind, style, width, seed)
    text = place.writer(query, seed)
    assert place.reader.read(text) == _in_form(facts_of(query)), text


def _in_form(facts: Reading) -> Reading:
    # A claim says its condition too.
    claimed = {claim.condition for claim in facts.claims}
    stated = tuple(condition for condition in facts.stated if condition not in claimed)
    return Reading(stated, facts.references, facts.claims, facts.named, facts.group, facts.unknown)


@pytest.mark.parametrize("kind", list(Kind))
@settings(max_examples=60)
@given(style=st.sampled_from(Style), width=st.integers(1, 4), seed=SEEDS)
def test_what_is_worded_about_films_is_read_back(
    kind: Kind, style: Style, width: int, seed: int
) -> None:
    assert_read_back(films(), kind, style, width, seed)


@pytest.mark.parametrize("kind", [Kind.EXPLICIT, Kind.INTEREST, Kind.DEMOGRAPHICS])
@settings(max_examples=40)
@given(style=st.sampled_from(Style), width=st.integers(1, 3), seed=SEEDS)
def test_what_is_worded_about_books_is_read_back(
    kind: Kind, style: Style, width: int, seed: int
) -> None:
    assert_read_back(books(), kind, style, width, seed)


@pytest.mark.parametrize("place", [films, books])
@pytest.mark.parametrize("style", list(Style))
def test_every_relation_is_read_back_in_every_role(
    place: Callable[[], Place], style: Style
) -> None:
    """Each relation by itself, so that none hides behind the frequent ones."""
    where = place()
    source = random.Random(3)
    for relation in where.graph.relations:
        for seed in range(12):
            value = source.choice(where.graph.values(relation))
            bearers = set(where.graph.items_of(relation, value).tolist())
            free = [p for p in where.nameable if Place.free(where.titles[p], (value,))]
            for given_as in Given:
                pool = [p for p in free if (p in bearers) is (given_as is Given.REFERENCE)]
                through: tuple[str, ...] = ()
                if given_as is not Given.STATED:
                    if not pool:
                        continue
                    some = source.sample(pool, min(len(pool), source.randint(1, 3)))
                    through = tuple(where.graph.items[p] for p in some)
                kind = {
                    Given.STATED: Kind.EXPLICIT,
                    Given.REFERENCE: Kind.IMPLICIT,
                    Given.CLAIM: Kind.MISINFORMED,
                }[given_as]
                parts = (Part(relation, value, given_as, through),)
                query = Query("q", kind, "u", (), (), style, "", parts, through)
                text = where.writer(query, seed)
                assert where.reader.read(text) == facts_of(query), text


CASES = [
    (
        'I loved "Emma", which was written by William Goldman. Any books in the category Arts?',
        Reading(
            (Condition("IN_CATEGORY", "Arts"),),
            (),
            (Claim(Condition("WRITTEN_BY", "William Goldman"), ("b2",)),),
            ("b2",),
        ),
    ),
    (
        "Books narrated as you like, with Don \"Magic\" Juan as the narrator, please.",
        Reading((Condition("narrator", 'Don "Magic" Juan'),)),
    ),
    (
        "by the writer of “The \"Genius\"”",
        Reading((), (Reference("WRITTEN_BY", ("b3",)),), (), ("b3",)),
    ),
    ('I liked "Nothing of Ours".', Reading(unknown=("Nothing of Ours",))),
    ("WRITTEN BY IRIS MURDOCH!", Reading((Condition("WRITTEN_BY", "Iris Murdoch"),))),
    ("", Reading()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "read"), CASES)
def test_texts_of_others(text: str, read: Reading) -> None:
    assert books().reader.read(text) == read


@settings(max_examples=100)
@given(text=st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    read = books().reader.read(text)
    assert set(read.named) <= set(books().graph.items)


def test_a_text_of_quotation_marks_is_read_in_no_time() -> None:
    read = books().reader.read('"' * 200_000)
    assert read.named == ()
    assert books().reader.read("written by " * LONGEST_TEXT).stated == ()


def test_marks_of_the_reader_in_a_text_are_no_titles() -> None:
    read = books().reader.read("by the writer of \ue000 and \ue001")
    assert read == Reading()
    assert msgspec.json.encode(read.named) == b"[]"
