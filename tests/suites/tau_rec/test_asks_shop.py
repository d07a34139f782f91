"""The ear in a shop: labelled messages, and vocabularies as large as a shop's."""

from __future__ import annotations

import statistics
import time
import tracemalloc
from functools import cache
from pathlib import Path

import pytest

from mystery_shopper.catalog import load_domain
from mystery_shopper.metrics.asks import load_labelled, score_asks
from mystery_shopper.sources.shop import brand_names, load_shop
from mystery_shopper.suites.tau_rec.asks import AskReader
from mystery_shopper.suites.tau_rec.asks.naming import everyday

DATA = Path(__file__).parents[2] / "data"
BRANDS = 50_000


@cache
def shop() -> AskReader:
    catalogue = load_shop()
    return AskReader(catalogue.domain, catalogue.vocabulary())


def test_messages_of_shopping_assistants() -> None:
    scores = score_asks(load_labelled(DATA / "asks_shop.jsonl"), lambda m: shop().read(m.text))
    misread = [(miss.id, miss.expected, miss.got) for miss in scores.misses]
    assert scores.messages >= 200
    assert scores.precision >= 0.97, misread
    assert scores.recall >= 0.97, misread
    assert scores.generic.recall >= 0.97, misread


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Black, navy or cream?", ("colours",)),
        ("Would you like it in black?", ("colours",)),
        ("Should it be orange?", ("colours",)),
        ("Is it an orange tree you want?", ()),
        ("Is oak fine?", ("material",)),
        ("A large selection! Which brand?", ("brand",)),
        ("Does it make sense?", ()),
        ("I see. How big is your budget?", ("price",)),
        ("How long will you wait?", ()),
        ("What are you looking for?", ("category",)),
        ("What are you looking for in a lamp?", ()),
        ("This brand new rug is nice. [[candidate_id:SKU-1]]", ()),
        ("A red one, a blue one or a black one under £50. Which would you prefer?", ("colours",)),
    ],
)
def test_words_that_mean_something_else(text: str, asks: tuple[str, ...]) -> None:
    assert shop().read(text).asks == asks


@cache
def brands() -> tuple[str, ...]:
    """50,000 brands: made-up names, every everyday word, several words, other scripts, signs."""
    words = sorted(word for word in everyday() if word.isalpha())
    named = [
        *(word.title() for word in words),
        *(f"The {a.title()} {b.title()}" for a, b in zip(words, reversed(words), strict=True)),
        *(f"{word}-{number} & Sons' (UK)" for number, word in enumerate(words)),
        *(f"ソニー{number}" for number in range(2000)),
        *(f"Ёлка {number}!" for number in range(2000)),
        *(f"|({number}*{{x}}" for number in range(2000)),
    ]
    return tuple(dict.fromkeys((*named, *brand_names(BRANDS))))[:BRANDS]


@cache
def crowded() -> AskReader:
    return AskReader(load_domain("shop"), {**load_shop().vocabulary(), "brand": brands()})


def test_fifty_thousand_brands_are_taken_in_quickly() -> None:
    domain, vocabulary = load_domain("shop"), {"brand": brands()}
    AskReader(domain, {})
    started = time.process_time()
    AskReader(domain, vocabulary)
    assert time.process_time() - started < 2
    tracemalloc.start()
    reader = AskReader(domain, vocabulary)
    assert tracemalloc.get_traced_memory()[1] < 100e6
    tracemalloc.stop()
    assert reader.read("ソニー7 or Ёлка 7!?") is not None


def test_messages_are_read_quickly_beside_fifty_thousand_brands() -> None:
    texts = [m.text for m in load_labelled(DATA / "asks_shop.jsonl")]
    for text in texts:
        crowded().read(text)
    took: list[float] = []
    for text in texts:
        tries: list[float] = []
        for spaces in (1, 2, 3):
            fresh = text + " " * spaces
            started = time.process_time()
            crowded().read(fresh)
            tries.append(time.process_time() - started)
        took.append(min(tries))
    assert statistics.median(took) < 0.001
    assert max(took) < 0.005


def test_everyday_words_are_no_brands() -> None:
    rows = load_labelled(DATA / "asks_shop.jsonl")
    scores = score_asks(rows, lambda m: crowded().read(m.text))
    misread = [(miss.id, miss.expected, miss.got) for miss in scores.misses]
    assert scores.precision >= 0.95, misread
    assert scores.recall >= 0.95, misread


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Do you prefer Next?", True),
        ("Would you rather have Gap or Next?", True),
        ("Is it for next week?", False),
        ("Is there a gap in your wardrobe?", False),
        ("Should it be Barmor?", True),
        ("barmor or felholm?", True),
        ("Do you want an apple tree?", False),
    ],
)
def test_brands_that_are_words(text: str, asked: bool) -> None:
    assert ("brand" in crowded().read(text).asks) is asked
