"""Two spellings of one title meet in a key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog.titles import split_year, subtitle_keys, title_key, title_keys


@pytest.mark.parametrize(
    ("title", "parts"),
    [
        ("American President, The (1995)", ("American President, The", 1995)),
        ("Heat (1995) ", ("Heat", 1995)),
        ("Heat [1995]", ("Heat", 1995)),
        ("Death Note: Desu nôto (2006–2007)", ("Death Note: Desu nôto", 2006)),
        ("Big Bang Theory, The (2007-)", ("Big Bang Theory, The", 2007)),
        ("Upside Down (2012 film)", ("Upside Down", 2012)),
        ("Blade Runner 2049", ("Blade Runner 2049", None)),
        ("2001: A Space Odyssey (1968)", ("2001: A Space Odyssey", 1968)),
        ("Babylon 5", ("Babylon 5", None)),
        ("(500) Days of Summer (2009)", ("(500) Days of Summer", 2009)),
        ("1984 (1984)", ("1984", 1984)),
        ("(1984)", ("(1984)", None)),
        ("Route 3000 (3000)", ("Route 3000 (3000)", None)),
        ("", ("", None)),
    ],
)
def test_the_year_is_split_off(title: str, parts: tuple[str, int | None]) -> None:
    assert split_year(title) == parts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Matrix, The (1999)", "The Matrix"),
        ("Hunt for Red October (1990)", "The Hunt for Red October"),
        ("Boat, The (Das Boot) (1981)", "Das Boot"),
        ("Cage aux Folles, La (1978)", "La Cage aux folles"),
        ("Avventura, L' (Adventure, The) (1960)", "L’Avventura"),
        ("Avventura, L' (Adventure, The) (1960)", "The Adventure"),
        ("Blechtrommel, Die", "Die Blechtrommel"),
        ("Soliti ignoti, I", "I soliti ignoti"),
        ("Good, the Bad and the Ugly, The (Buono, il brutto, il cattivo, Il) (1966)",
         "Il buono, il brutto, il cattivo"),
        ("Good, the Bad and the Ugly, The (1966)", "The Good, the Bad, and the Ugly"),
        ("Lord of the Rings, The: The Two Towers (2002)", "The Lord of the Rings: The Two Towers"),
        ("City of Lost Children, The (Cité des enfants perdus, La) (1995)",
         "La cite des enfants perdus"),
        ("Seven (a.k.a. Se7en) (1995)", "Se7en"),
        ("Seven a.k.a. Se7en", "Se7en"),
        ("Léon: The Professional (a.k.a. The Professional) (Léon) (1994)", "Leon"),
        ("Misérables, Les (1995)", "Les Misérables"),
        ("E.T. the Extra-Terrestrial (1982)", "ET: The Extra Terrestrial"),
        ("M*A*S*H (1970)", "MASH"),
        ("Star Wars: Episode IV - A New Hope (1977)", "Star Wars Episode 4: A New Hope"),
        ("Rocky V", "Rocky 5"),
        ("Godfather: Part II, The", "The Godfather Part Two"),
        ("Part I", "Part One"),
        ("Fast & Furious", "Fast and Furious"),
        ("Three Colors: Red", "Three Colours: Red"),
        ("Naked Gun 33 1/3", "Naked Gun 33⅓"),
        ("Alien³", "Alien 3"),
        ("Schindler's List", "Schindler’s List"),
        ("Kramer vs. Kramer", "Kramer versus Kramer"),
        ("Twelve Monkeys (a.k.a. 12 Monkeys) (1995)", "12 Monkeys"),
        ("Godspell (film)", "Godspell"),
    ],
)  # fmt: skip
def test_two_spellings_share_a_key(one: str, other: str) -> None:
    assert set(title_keys(one)) & set(title_keys(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Die Hard", "Hard"),
        ("As Good as It Gets", "Good as It Gets"),
        ("I, Robot", "Robot"),
        ("I, Robot", "1 Robot"),
        ("Rocky II", "Rocky III"),
        ("Malcolm X", "Malcolm"),
        ("(500) Days of Summer", "500"),
        ("Good, the Bad and the Ugly, The", "The Good"),
    ],
)
def test_different_titles_share_none(one: str, other: str) -> None:
    assert not set(title_keys(one)) & set(title_keys(other))


def test_the_surest_key_comes_first() -> None:
    assert title_keys("Boat, The (Das Boot) (1981)") == (
        "the boat", "the boat das boot", "das boot", "boat", "boot",
    )  # fmt: skip


@pytest.mark.parametrize("title", ["$ (1971)", "!!!", "…", "(1984)", "'"])
def test_a_title_of_marks_alone_still_has_a_key(title: str) -> None:
    assert title_keys(title)[0]


def test_what_stands_before_a_subtitle() -> None:
    assert subtitle_keys("Lord of the Rings, The: The Two Towers (2002)") == (
        "the lord of the rings", "lord of the rings",
    )  # fmt: skip
    strange = "Dr. Strangelove or: How I Learned to Stop Worrying and Love the Bomb (1963)"
    assert subtitle_keys(strange, second=True) == ("dr strangelove",)
    assert subtitle_keys("Doctor Strangelove") == ()
    assert subtitle_keys("Kung Fu Panda: Secrets (2008)", second=True) == ()
    assert subtitle_keys("Heat (1995)") == ()


@given(st.text(max_size=40))
def test_any_text_has_keys_without_doubles(title: str) -> None:
    keys = title_keys(title)
    assert keys
    assert len(set(keys)) == len(keys)
    assert all(key == " ".join(key.split()) for key in keys)


@given(st.text(st.characters(codec="ascii"), max_size=30))
def test_case_does_not_matter(title: str) -> None:
    assert title_key(title.upper()) == title_key(title.lower())


@given(st.lists(st.sampled_from("red king night of love war".split()), min_size=1, max_size=5))
def test_a_moved_article_comes_back(words: list[str]) -> None:
    name = " ".join(words)
    assert title_keys(f"{name}, The (1990)") == title_keys(f"The {name}")
