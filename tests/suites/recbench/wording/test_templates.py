"""Requests by template: varied, whole sentences, the same for the same seed."""

from __future__ import annotations

import random
import re
from collections import Counter

import msgspec
import pytest

from mystery_shopper.suites.recbench.query import Given, Kind, Part, Query, Style
from mystery_shopper.suites.recbench.wording import Openings, opening
from mystery_shopper.suites.recbench.wording.openings import MOST_ALIKE
from mystery_shopper.suites.recbench.wording.phrases import quoted

from .made import books, films

WIDTHS = (1, 2, 3, 4)


def worded(kind: Kind, style: Style | None, number: int, width: int | None = None) -> list[Query]:
    """Worded queries about films; of few facts, so that only the templates can vary."""
    place, source = films(), random.Random(5)
    styles = list(Style) if style is None else [style]
    base = [
        place.query(kind, source.choice(styles), width or source.choice(WIDTHS), seed)
        for seed in range(60)
    ]
    return [
        msgspec.structs.replace(base[n % 60], text=place.writer(base[n % 60], n))
        for n in range(number)
    ]


@pytest.mark.parametrize("style", list(Style))
@pytest.mark.parametrize("kind", list(Kind))
def test_openings_vary_within_a_kind_and_style(kind: Kind, style: Style) -> None:
    # Of 1,000 requests at most ten may open alike: of 500 of one sort about that already.
    found = Openings.of(worded(kind, style, 500), films().title_of)
    assert found.most <= MOST_ALIKE, found.counts[:5]


def test_a_thousand_requests_of_all_sorts_open_differently() -> None:
    queries = [query for kind in Kind for query in worded(kind, None, 200)]
    found = Openings.of(queries, films().title_of)
    assert sum(count for _, count in found.counts) == 1000
    assert found.most <= MOST_ALIKE, found.counts[:5]
    assert sum(found.histogram[n] * n for n in found.histogram) == 1000


def test_openings_are_counted_with_names_masked() -> None:
    parts = (Part("director", "Don Was"), Part("starring", "Al Pacino", Given.CLAIM, ("x",)))
    text = 'I loved "Heat", which stars Al Pacino. Films by DON WAS?'
    query = Query("q", Kind.MISINFORMED, "u", (), (), Style.DIRECT, text, parts, ("x",))
    assert opening(query, {"x": "Heat"}) == "i loved … which stars … films by"
    both = msgspec.structs.replace(query, text='I loved "Heat" and "Heat". So it goes on and on.')
    assert opening(both, {"x": "Heat"}) == "i loved … so it goes on and"
    again = Openings.of([query, both, both], {"x": "Heat"})
    assert again.counts[0] == ("i loved … so it goes on and", 2)
    assert (again.most, again.histogram) == (2, {1: 1, 2: 1})


@pytest.mark.parametrize("kind", list(Kind))
def test_texts_are_clean_sentences(kind: Kind) -> None:
    for query in worded(kind, None, 300):
        text = query.text
        assert not re.search(r"[{}\n]|  | [,.?!]", _without_names(text, query)), text
        assert re.search(r"[.?!]$", text), text
        assert text[0].isupper() or not text[0].isalpha() or _starts_with_value(text, query), text
        assert not re.search(r"\ba [aeiou](?!n?e\b)|\ban [^aeiou]", _before_names(text, query)), (
            text
        )


def _before_names(text: str, query: Query) -> str:
    """The text with values as they are: "a" and "an" go by them; titles say nothing."""
    for item in query.named:
        text = text.replace(quoted(films().title_of[item]), "X")
    for part in query.parts:
        text = re.sub(rf"(?<!an )(?<!a ){re.escape(part.value)}", "Y", text, flags=re.I)
    return text


def _without_names(text: str, query: Query) -> str:
    for item in query.named:
        text = text.replace(quoted(films().title_of[item]), "X")
    values = [part.value for part in query.parts]
    values += [trait.value for trait in query.profile.traits] if query.profile else []
    for value in sorted(values, key=len, reverse=True):
        text = re.sub(re.escape(value), "Y", text, flags=re.I)
    return text


def _starts_with_value(text: str, query: Query) -> bool:
    return any(text.startswith(part.value) for part in query.parts)


def test_the_same_query_and_seed_give_the_same_text() -> None:
    place = films()
    query = place.query(Kind.MISINFORMED, Style.SITUATIONAL, 3, 1)
    assert place.writer(query, 7) == place.writer(query, 7)
    assert len({place.writer(query, seed) for seed in range(20)}) == 20


@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("style", list(Style))
def test_what_templates_say_passes_every_check(kind: Kind, style: Style) -> None:
    place = films()
    found: Counter[str] = Counter()
    for seed in range(40):
        query = place.query(kind, style, WIDTHS[seed % 4], seed)
        text = place.writer(query, seed)
        found.update(str(problem) for problem in place.checker.check(query, text))
    # Items drawn at random can hold what gives a name away, which the draw of a set rules out.
    assert sum(found.values()) <= 1, found


def test_a_situation_comes_first_only_in_situational_style() -> None:
    place = films()
    query = place.query(Kind.EXPLICIT, Style.DIRECT, 1, 4)
    asks = re.compile(r"\b(you|I'd|I'm|I|Are there|Is there|What|Which|Do|Have|[A-Z]\w+)\b")
    for seed in range(50):
        direct = place.writer(query, seed)
        told = place.writer(msgspec.structs.replace(query, style=Style.SITUATIONAL), seed)
        assert asks.search(direct)
        assert len(re.findall(r"[.?!](?:\s|$)", told)) >= 2, told


def test_books_are_read_and_films_are_watched() -> None:
    for place, verbs in ((books(), r"\bread(ing)?\b"), (films(), r"\bwatch(ed|ing)?\b")):
        texts = [
            place.writer(place.query(Kind.INTEREST, Style.SITUATIONAL, 1, seed), seed)
            for seed in range(60)
        ]
        assert sum(bool(re.search(verbs, text)) for text in texts) > 20
    assert not any("film" in text or "watch" in text for text in _book_texts())


def _book_texts() -> list[str]:
    place = books()
    return [
        place.writer(place.query(kind, style, 2, seed), seed)
        for kind in (Kind.EXPLICIT, Kind.INTEREST, Kind.DEMOGRAPHICS)
        for style in Style
        for seed in range(60)
    ]
