"""What the simulated user makes of an agent's messages."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Domain, load_domain, parse_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.metrics.asks import AskScores, LabelledMessage, load_labelled, score_asks
from mystery_shopper.suites.tau_rec.asks import FORMATS_FIELD, AskReader, Reading

ROOT = Path(__file__).parents[3]
OWN = ROOT / "tests" / "data" / "asks_own.jsonl"
SHARED = ROOT.parent / "shared" / "data" / "agent_turns_dev.jsonl"
DOMAINS = {"film": "films", "book": "books"}
VOCABULARY: Mapping[str, Sequence[str]] = {
    "genre": ("Comedy", "Drama", "Film-Noir", "Short", "Family", "Adult", "Sci-Fi", "War"),
    "language": ("English", "French", "Old English", "German", "Mandarin"),
    "country": ("United States", "France", "West Germany", "Georgia", "Chad"),
}


@cache
def reader(domain: str, *, bare: bool = False) -> AskReader:
    """A reader of one shipped domain, with some labels or with none."""
    return AskReader(load_domain(DOMAINS[domain]), {} if bare else VOCABULARY)


def measure(path: Path, *, bare: bool = False) -> AskScores:
    """Scores on a file of labelled messages."""

    def read(message: LabelledMessage) -> Reading:
        return reader(message.domain, bare=bare).read(message.text)

    return score_asks(load_labelled(path), read)


def check(scores: AskScores) -> None:
    """Precision and recall of the pairs, and of generic requests."""
    misread = [(miss.id, miss.expected, miss.got) for miss in scores.misses]
    assert scores.precision >= 0.93, misread
    assert scores.recall >= 0.93, misread
    assert scores.generic.precision >= 0.93, misread
    assert scores.generic.recall >= 0.93, misread


def shared() -> Path:
    """The labelled messages kept beside the project."""
    if not SHARED.is_file():
        pytest.skip(f"the labelled messages are not at {SHARED}")
    return SHARED


@pytest.mark.parametrize("bare", [False, True])
def test_own_messages(bare: bool) -> None:
    scores = measure(OWN, bare=bare)
    assert scores.messages >= 200
    check(scores)


@pytest.mark.parametrize("bare", [False, True])
def test_shared_messages(bare: bool) -> None:
    check(measure(shared(), bare=bare))


@pytest.mark.parametrize("path", [OWN, SHARED])
def test_proposals_are_the_tags(path: Path) -> None:
    rows = load_labelled(path if path == OWN else shared())
    for message in rows:
        assert reader(message.domain).read(message.text).proposes == message.proposes, message.id


def test_fields_come_in_the_order_of_the_domain() -> None:
    text = "Format, year, country, language, genre: which of these matter?"
    expected = (*load_domain("films").requirement_fields, FORMATS_FIELD)
    assert reader("film").read(text).asks == expected


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("[[candidate_id:a b:c/d é]]", ("a b:c/d é",)),
        ("[[candidate_id:  x ]] and [[candidate_id:y]] and [[candidate_id:x]]", ("x", "y")),
        ("[[candidate_id:]] [[candidate_id: ]] [[candidate_id:a[b]]", ()),
        ("[[candidate_id:a\nb]]", ()),
        ("[[[candidate_id:z]]]", ("z",)),
        ("[[candidate_id:\ud800]]", ("\ud800",)),
        ("x" * 30_000 + "[[candidate_id:late]]", ("late",)),
    ],
)
def test_tags(text: str, ids: tuple[str, ...]) -> None:
    assert reader("film").read(text).proposes == ids


@pytest.mark.parametrize(
    ("domain", "text", "asks", "others"),
    [
        ("film", "Any preference on the actors?", (), ("cast",)),
        ("film", "Do you have any preferences regarding the director?", (), ("director",)),
        ("film", "Any requirements for the runtime?", (), ("runtime",)),
        ("film", "Any requirements about the certificate?", (), ("certificate",)),
        ("film", "How long may the film be?", (), ("runtime",)),
        ("film", "Which genre, and which director?", ("genre",), ("director",)),
        ("film", "Director: ___", (), ("director",)),
        ("film", "What language should the actors speak?", ("language",), ()),
        ("film", "Never mind the running time.", (), ()),
        ("film", "Any preference on the mood?", (), ()),
        ("book", "Do you have a favourite author?", (), ("author",)),
        ("book", "What is the author's home country?", ("country",), ()),
    ],
)
def test_fields_of_which_nothing_is_required(
    domain: str, text: str, asks: tuple[str, ...], others: tuple[str, ...]
) -> None:
    reading = reader(domain).read(text)
    assert (reading.asks, reading.others) == (asks, others)
    assert not reading.generic


@pytest.mark.parametrize(
    ("text", "generic"),
    [
        ("So far I have the genre and the year. Help me out here!", True),
        ("Which genre? Help me out here!", False),
        ("Mind filling in the gaps for me?", True),
        ("Any wishes regarding the soundtrack?", False),
        ("What would you like to do next?", False),
    ],
)
def test_what_coaxes_counts_where_nothing_else_is_asked(text: str, generic: bool) -> None:
    assert reader("film").read(text).generic is generic


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("What mood are you in?", True),
        ("Who will be watching with you?", True),
        ("Tell me about your day.", True),
        ("Any preference for the running time?", True),
        ("May I propose Foo (1999)? [[candidate_id:tt1]]", False),
        ("How about *Ran*? [[candidate_id:tt1]]", False),
        ("[[candidate_id:tt1]] it is. Does that sound good?", False),
        ("I found three films from the 1950s.", False),
        ("Who doesn't love a western? Here's one. [[candidate_id:tt1]]", False),
        ("The blurb asks, “What is love?”. [[candidate_id:tt1]]", False),
        ("One moment, please wait.", False),
        ("Shall I go on?", False),
        ("Would you like me to look up the plot?", False),
        ("", False),
    ],
)
def test_whether_anything_is_asked(text: str, question: bool) -> None:
    assert reader("film").read(text).question is question


@pytest.mark.parametrize(
    ("text", "readable"),
    [
        ("Hola, ¿te gustaría ver algo bonito esta noche?", False),
        ("Voici ce que je vous propose pour ce soir. [[candidate_id:tt1]]", False),
        ("Möchten Sie heute Abend einen schönen Film sehen?", False),
        ("こんにちは、映画を探しています。", False),
        ("Искал, но пока ничего не нашёл", False),
        ("Grazie mille, sto cercando qualcosa per lei.", False),
        ("Dziękuję, szukam teraz filmu dla pana.", False),
        ("Z którego roku ma pochodzić film?", False),
        ("V jakém jazyce má být ta kniha?", False),
        ("Vilket land ska filmen komma från?", False),
        ("Hvilket sprog skal bogen være på?", False),
        ("In welke taal moet het boek zijn?", False),
        ("Em que formato prefere o livro?", False),
        ("Hangi türde bir film istersiniz?", False),
        ("Minkä genren elokuvan haluaisit katsoa?", False),
        ("Milyen nyelven legyen a könyv?", False),
        ("Ce gen de film preferați?", False),
        ("Berapa tahun film yang Anda inginkan?", False),
        ("Bạn muốn xem phim thể loại gì?", False),
        ("Τι είδος ταινίας θέλετε;", False),
        ("어떤 장르를 원하시나요?", False),
        ("Welche Sprache bevorzugen Sie?", False),
        ("Haben Sie noch weitere Wünsche?", False),
        ("Café noir in a film, lovely. Genre?", True),
        ("Les Enfants du paradis [[candidate_id:tt1]]", True),
        ("Übung macht den Meister, as they say. What genre?", True),
        ("Pleas write me langauge of book", True),
        ("Pedro Almodóvar it is.", True),
        ("¿De qué país?", False),
        ("¿Género?", True),
        ("Vilken genre?", True),
        ("¿De qué país? I can filter by that.", True),
        ("Le Fabuleux Destin d'Amélie Poulain [[candidate_id:tt1]]", True),
        ("I propose Les Enfants du paradis, by Marcel Carné.", True),
        ("Bonjour! May I propose *La Haine*?", True),
        ("[[candidate_id:tt0042876]]", True),
        ("tt0042876, tt0055630, tt0047478, tt0060827", True),
        ("👍🎬", True),
        ("42", True),
        ("", True),
        ("ok", True),
    ],
)
def test_readable(text: str, readable: bool) -> None:
    assert reader("film").read(text).readable is readable


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("¿De qué país?", ()),
        ("¿De qué país? I can filter by that as soon as you tell me.", ("country",)),
        ("¿Género?", ("genre",)),
        ("Quel format ? Poche, broché, audio?", ()),
        ("Vilken genre och vilket språk föredrar du?", ()),
    ],
)
def test_what_is_wholly_in_another_language_asks_nothing(text: str, asks: tuple[str, ...]) -> None:
    assert reader("film").read(text).asks == asks


def renamed(domain: Domain) -> tuple[Domain, dict[str, str]]:
    """The same domain with names that tell nothing, and the new name of each field."""
    names = {name: f"f{index}" for index, name in enumerate(domain.fields)}
    plain: dict[str, Any] = msgspec.to_builtins(domain)
    for name, spec in plain["fields"].items():
        spec["label"] = domain.label(name)
    plain.pop("templates", None)
    plain["fields"] = {names[name]: spec for name, spec in plain["fields"].items()}
    for role in ("title", "popularity", "recency"):
        plain[role] = names.get(plain[role])
    return parse_domain(msgspec.yaml.encode(plain), "renamed"), names


@pytest.mark.parametrize("domain", ["film", "book"])
def test_no_name_of_a_field_stands_in_the_code(domain: str) -> None:
    other, names = renamed(load_domain(DOMAINS[domain]))
    vocabulary = {names[name]: labels for name, labels in VOCABULARY.items()}
    stranger = AskReader(other, vocabulary)
    for message in load_labelled(OWN):
        if message.domain != domain:
            continue
        expected = reader(domain).read(message.text)
        found = stranger.read(message.text)
        assert found.asks == tuple(names.get(name, name) for name in expected.asks), message.id
        assert (found.generic, found.question) == (expected.generic, expected.question)


SHOP = b"""
name: lamps
noun: {singular: lamp, plural: lamps}
title: title
fields:
  title: {kind: text}
  brand: {kind: category, requirement: true}
  colour: {kind: categories, requirement: true}
  price: {kind: number, requirement: true}
"""


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Which brand do you like?", ("brand",)),
        ("Any particular colours?", ("colour",)),
        ("Ikea or Philips?", ("brand",)),
        ("Should it be dark green?", ("colour",)),
        ("What is your maximum price?", ("price",)),
        ("Tell me the price range and the colour.", ("colour", "price")),
        ("It is a green lamp by Philips. [[candidate_id:l1]]", ()),
        ("Would you like this green lamp? [[candidate_id:l1]]", ()),
        ("No need to tell me the brand.", ()),
        ("brand: ___", ("brand",)),
    ],
)
def test_a_domain_without_words(text: str, asks: tuple[str, ...]) -> None:
    vocabulary = {"brand": ("Philips", "Ikea", "Apple"), "colour": ("Red", "Dark Green")}
    shop = AskReader(parse_domain(SHOP, "shop"), vocabulary)
    assert shop.read(text).asks == asks


def test_unknown_shared_words_are_refused() -> None:
    shop = SHOP.replace(b"{kind: category,", b"{kind: category, words: {also: [nowhere]},")
    with pytest.raises(InputError, match="there is no block 'nowhere'"):
        parse_domain(shop, "shop")


SIGNS = """
what which genre language country year format ? ! . , ; : — - | [ ] ( ) * ** _ __ " ' ` < > <b>
</li> ´ &amp; [[candidate_id: ]] [x] [ ] # > 1. - • ❓ é ß İ 1950s DVD or not you the please tell me
if I knew any other no need 👍 七 don't 's ... … ¿
"""
PIECES = st.sampled_from(
    [*SIGNS.split(), "\n", "\t", " ", "\u2028", "\ud800", "\x00", "\x01", "\x03"]
)


@given(st.one_of(st.text(max_size=300), st.lists(PIECES, max_size=60).map(" ".join)))
def test_any_text_can_be_read(text: str) -> None:
    for domain in DOMAINS:
        found = reader(domain).read(text)
        assert found == reader(domain).read(text)
        assert len(set(found.asks)) == len(found.asks)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_run_of_signs_can_be_read(text: str) -> None:
    assert isinstance(reader("book").read(text), Reading)


PATHOLOGICAL = (
    "a", '"', "*", "_", "[", "(", "<", "|", "\n", "?", "`", "'", " ", "é", "&lt;", "[[", "[ ] ",
    "*a ", "_a", "'a ", "<a ", "[a](", "https://", "what ", "genre ", "a or ", "[[candidate_id:",
    "[[candidate_id:x", "is it ", "__ ", "- x\n", "| a ",
)  # fmt: skip


def seconds_to_read(text: str) -> float:
    """Processor time, for a clock on the wall also counts what else the machine does."""
    started = time.process_time()
    reader("film").read(text)
    return time.process_time() - started


@pytest.mark.parametrize("piece", PATHOLOGICAL)
def test_long_texts_take_no_longer_than_their_length(piece: str) -> None:
    short, long = (piece * (size // len(piece)) for size in (500_000, 5_000_000))
    reader("film").read(short)
    once = min(seconds_to_read(short) for _ in range(2))
    assert seconds_to_read(long) < 20 * once + 1


@pytest.mark.parametrize("text", ["which ´ genre?", "´", "\u0308 genre?", "genre\n¨\nyear?", "¸"])
def test_marks_that_stand_alone(text: str) -> None:
    found = reader("film").read(text)
    assert "genre" in found.asks or "genre" not in text


def test_large_vocabularies_are_taken_in_quickly() -> None:
    labels = [f"label{number} of{number % 977}" for number in range(50_000)]
    domain = load_domain("films")
    AskReader(domain, {})
    started = time.process_time()
    large = AskReader(domain, {"genre": labels})
    assert time.process_time() - started < 2
    assert large.read("label7 of7 or label8 of8?").asks == ("genre",)
