from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog.tokens import tokenize


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("The Lord of the Rings", ["the", "lord", "of", "the", "rings"]),
        ("Schindler's List", ["schindlers", "list"]),
        ("SCHINDLER’S LIST", ["schindlers", "list"]),
        ("Hawaiʻi", ["hawaii"]),
        ("rock 'n' roll", ["rock", "n", "roll"]),
        ("Sci-Fi & Fantasy", ["sci", "fi", "fantasy"]),
        ("a_b", ["a", "b"]),
        ("é_b", ["é", "b"]),
        ("8.5 out of 10", ["8", "5", "out", "of", "10"]),
        ("2001: A Space Odyssey", ["2001", "a", "space", "odyssey"]),
        ("ＡＢＣ ﬁn", ["abc", "fin"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("Ame\u0301lie", ["amélie"]),
        ("हिन्दी फ़िल्म", ["हिन्दी", unicodedata.normalize("NFKC", "फ़िल्म")]),
        ("فيلم عربي", ["فيلم", "عربي"]),
        ("千と千尋の神隠し", ["千と千尋の神隠し"]),
        ("Сталкер 1979", ["сталкер", "1979"]),
        ("soft\u00adhyphen", ["softhyphen"]),
        ("\u0301abc", ["abc"]),
        ("\u2764\ufe0f", []),
        ("\ud800x\udfff y\x00z", ["x", "y", "z"]),
    ],
)
def test_words(text: str, words: list[str]) -> None:
    assert tokenize(text) == words


@given(st.text(st.characters(codec=None, exclude_categories=[])))
def test_it_never_raises_and_is_stable(text: str) -> None:
    words = tokenize(text)
    assert all(words)
    assert tokenize(" ".join(words)) == words


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_goes_the_same_way_as_the_rest(text: str) -> None:
    assert tokenize(text) == tokenize(text + " \u00a1")


@given(st.text(), st.text())
def test_joining_by_a_space_joins_the_words(one: str, other: str) -> None:
    assert tokenize(f"{one} {other}") == tokenize(one) + tokenize(other)


@given(st.text())
def test_canonically_equal_texts_have_equal_words(text: str) -> None:
    assert tokenize(unicodedata.normalize("NFD", text)) == tokenize(text)
