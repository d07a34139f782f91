"""A withheld value in a writing that hides it from a program and not from a reader."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.suites.tau_rec.guard.clauses import readings
from mystery_shopper.suites.tau_rec.guard.guises import guises, plain
from mystery_shopper.suites.tau_rec.modeluser.faults import LONGEST_REPLY, cleaned, fault_of

from .test_disclosure import (
    FRANCE,
    FRENCH,
    HIDDEN,
    HORROR,
    SINCE,
    STATED,
    UK,
    UNTIL,
    P,
    leaks,
    task,
)

HORRORS = [
    "h o r  r o r",
    "I want a h o r r o r I guess",
    "h, o, r, r, o, r",
    "h/o/r/r/o/r",
    "h·o·r·r·o·r",
    "h\no\nr\nr\no\nr",
    "h - o - r - r - o - r",
    "hor\nror",
    "hor-\nror",
    "h\u043err\u043er",  # Cyrillic.
    "h\u03bfrr\u03bfr",  # Greek.
    "h0rr0r",
    "🅷🅾🆁🆁🅾🆁",
    "ⓗⓞⓡⓡⓞⓡ",
    "𝐡𝐨𝐫𝐫𝐨𝐫",
    "h̶o̶r̶r̶o̶r̶",
    "ho\u115frror",
    "ho\u2060rror",
    "<b>hor</b>ror",
    "hor<!-- x -->ror",
    "hor&#114;or",
    "%68%6f%72%72%6f%72",
    "~~hor~~ror",
    "hor**ror**",
    "#HorrorFilms",
    "horrorfilm",
    "horrormovies",
    "horrorrrrr",
    "hoooorror",
    "horor",
    "horrro",
]
YEARS = [
    "1 9 9 0",
    "1-9-9-0",
    "1 990",
    "19 90",
    "199O or later",
    "y1990",
    "since1990",
    "1990AD",
    "one nine nine oh",
    "one-nine-nine-zero",
    "after 1989",
    "later than 1989",
    "newer than nineteen eighty-nine",
]


@pytest.mark.parametrize("words", HORRORS)
def test_a_label(words: str) -> None:
    assert leaks(task((HORROR, HIDDEN)), words) == ("genre contains Horror",)
    assert leaks(task((HORROR, STATED), (FRENCH, HIDDEN)), words) == ()


@pytest.mark.parametrize("words", YEARS)
def test_a_number(words: str) -> None:
    assert leaks(task((SINCE, HIDDEN)), words) == ("year >= 1990",)


@pytest.mark.parametrize(
    ("predicate", "words"),
    [
        (FRENCH, "en français"),
        (FRENCH, "Frenchlanguage"),
        (P("language", Operator.WITHIN, "German"), "auf Deutsch"),
        (P("language", Operator.WITHIN, "Russian"), "русский"),
        (P("language", Operator.WITHIN, "Korean"), "한국어 please"),
        (P("language", Operator.WITHIN, "Arabic"), "العربية"),
        (P("language", Operator.WITHIN, "Hindi"), "हिन्दी"),
        (FRANCE, "aus Frankreich"),
        (UK, "U K"),
        (UK, "from the U. K."),
        (UNTIL, "before 2006"),
    ],
)
def test_other_names(predicate: Predicate, words: str) -> None:
    assert leaks(task((predicate, HIDDEN)), words) != ()


@pytest.mark.parametrize(
    ("predicate", "words"),
    [
        (HORROR, "a 3D film, A or B, with 4 and 5 in it"),
        (HORROR, "I'd say: a, b, c or d."),
        (HORROR, "Hello\nor\nno"),
        (HORROR, "The hours were long, an error."),
        (SINCE, "in 1989 or so"),
        (SINCE, "after 1995"),
        (SINCE, "one, two, three, go"),
        (SINCE, "19 of 90 people"),
        (P("country", Operator.WITHIN, "Austria"), "Australia"),
        (P("language", Operator.WITHIN, "German"), "from Germany"),
        (P("genre", Operator.CONTAINS, "Romance"), "Romania"),
        (P("genre", Operator.CONTAINS, "Music"), "musical"),
    ],
)
def test_no_wolf_is_cried(predicate: Predicate, words: str) -> None:
    assert leaks(task((predicate, HIDDEN)), words) == ()


def test_a_refusal_in_disguise_is_one() -> None:
    given_task = task((HORROR, STATED), (FRENCH, HIDDEN))
    asked = "Is it French you want?"
    assert leaks(given_task, "I can't say whether it is F r e n c h.", asked) == ()
    assert leaks(given_task, "F r e n c h it is.", asked) == ("language within French",)


@given(st.text(max_size=120))
def test_every_guise_is_another_reading(text: str) -> None:
    found = list(guises(text))
    assert len({plain(text), *found}) == len(found) + 1
    assert len(found) <= 6
    assert len(list(readings(text))) == len(found) + 1


PIECES = [
    *("\n", "*", "_", "#", "<", "<a ", "{'", "a(", "a ", "A ", "1 ", "&", "&lt;", "%41", "\\", "«"),
    *("the ", "assistant ", "i'm a large ", "**User**: ", "…", "\u200b", "hor", "0o", "aaa"),
]


@pytest.mark.parametrize("piece", PIECES)
def test_the_longest_reply_is_read_in_no_time(piece: str) -> None:
    text = (piece * LONGEST_REPLY)[:LONGEST_REPLY]
    started = time.process_time()
    fault_of(cleaned(text))
    list(readings(text))
    assert time.process_time() - started < 1.0
