"""Titles found by whole and by part, and never by a guess between two."""

from __future__ import annotations

import pytest

from mystery_shopper.sources import load_films
from mystery_shopper.sources.histories import TitleIndex
from mystery_shopper.sources.histories.joining import Known, TitleJoin
from mystery_shopper.sources.histories.left_out import films_left_out

INDEX = TitleIndex(
    (
        Known("a", "Les Misérables", 1995),
        Known("b", "Les Misérables", 1998),
        Known("c", "The Class", 2008),
        Known("d", "Borat", 2006),
        Known("e", "Halloween H20: 20 Years Later", 1998),
        Known("f", "Time Code", 2000),
        Known("g", "Twins", 1988),
        Known("h", "Twins", 1988),
        Known("i", "Undated", None),
    )
)


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Misérables, Les (1995)", "a"),
        ("Miserables, Les (1998)", "b"),
        ("Misérables, Les (1997)", "b"),
        ("Misérables, Les", None),
        ("Misérables, Les (2012)", None),
        ("Class, The (Klass) (2007)", "c"),
        ("Class", "c"),
        ("Twins (1988)", None),
        ("Undated", "i"),
        ("Undated (1990)", None),
        ("Borat: Cultural Learnings (2006)", None),
        ("", None),
    ],
)
def test_a_whole_title(title: str, found: str | None) -> None:
    assert INDEX.find(title) == found


def test_without_nearness_the_year_must_be_the_same() -> None:
    assert INDEX.find("Class, The (2007)", near=False) is None
    assert INDEX.find("Class, The (2008)", near=False) == "c"
    assert INDEX.find("Class, The", near=False) is None
    assert INDEX.find("Class, The", 2008, near=False) == "c"


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("Borat: Cultural Learnings (2006)", "d"),
        ("Borat: Cultural Learnings (2007)", None),
        ("Halloween H20 (1998)", "e"),
        ("Timecode (2000)", "f"),
        ("Mike Figgis's Time Code (2000)", "f"),
        ("Misérables: The Book (1995)", "a"),
        ("Mis\ufffdrables, Les (1998)", "b"),
        ("Borat: Cultural Learnings", None),
    ],
)
def test_a_part_of_a_title(title: str, found: str | None) -> None:
    assert INDEX.find_part(title) == found


def test_an_item_goes_to_its_id_then_to_its_whole_title() -> None:
    titles = {
        "1": ("Borat: The Short Film (2006)", None),
        "2": ("Borat (2006)", None),
        "3": ("Class, The (2008)", None),
        "4": ("Timecode (2000)", None),
    }
    found = TitleJoin(INDEX, titles, {"9": "c"}, {"4"}).found
    assert found == {"2": "d"}


def test_the_films_left_out_are_known_and_in_no_catalogue() -> None:
    left = films_left_out()
    assert len(left) == 618
    assert not {film.id for film in left} & set(load_films().ids)
    assert all(film.title and film.year for film in left)
    index = TitleIndex.of_catalogue(load_films(), left)
    assert index.find("Election (1999)") == "tt0126886"
