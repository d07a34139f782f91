from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from mystery_shopper.catalog import (
    Catalogue,
    KeywordIndex,
    build_catalogue,
    parse_domain,
    tokenize,
)
from mystery_shopper.catalog import keyword as module
from mystery_shopper.catalog.impacts import TokenField

Builder = Callable[..., Catalogue]
Fields = Sequence[Sequence[str]]


def peer_scores(fields: Fields, query: str) -> np.ndarray:
    """rank_bm25 over each field that has a word (it divides by zero otherwise), summed."""
    total = np.zeros(len(fields[0]))
    for texts in fields:
        documents = [tokenize(text) for text in texts]
        if any(documents):
            total += BM25Okapi(documents).get_scores(tokenize(query))
    return total


def hits(fields: Fields, query: str) -> list[int]:
    """The items that hold a word of the query, in any field."""
    words = set(tokenize(query))
    size = len(fields[0])
    return [i for i in range(size) if any(words & set(tokenize(texts[i])) for texts in fields)]


def assert_equal_to_peer(index: KeywordIndex, fields: Fields, query: str, k: int) -> None:
    scores = peer_scores(fields, query)
    found = index.search(query, k)
    expected = hits(fields, query)
    positions = [position for position, _ in found]
    assert len(found) == min(k, len(expected))
    assert len(set(positions)) == len(found)
    assert set(positions) <= set(expected)
    assert [score for _, score in found] == pytest.approx(scores[positions].tolist(), abs=1e-9)
    best = sorted((scores[i] for i in expected), reverse=True)[:k]
    assert [score for _, score in found] == pytest.approx(best, abs=1e-9)
    keys = [(-score, position) for position, score in found]
    assert keys == sorted(keys)


WORDS = st.sampled_from(["a", "b", "c", "d", "rare", "É", "don't"])
TEXTS = st.lists(WORDS, max_size=5).map(" ".join)


@settings(max_examples=300)
@given(
    rows=st.lists(st.tuples(TEXTS, TEXTS, TEXTS, TEXTS, TEXTS), min_size=1, max_size=30),
    query=st.lists(WORDS | st.just("unknown"), max_size=6).map(" ".join),
    k=st.integers(1, 40),
    small=st.booleans(),
)
def test_equal_to_rank_bm25_summed_over_fields(
    rows: list[tuple[str, ...]], query: str, k: int, small: bool
) -> None:
    fields = [list(column) for column in zip(*rows, strict=True)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SMALL", 65_536 if small else 0)
        patch.setattr(module, "MANY_POSTINGS", 65_536 if small else 0)
        patch.setattr(module, "SAMPLE", 3)
        assert_equal_to_peer(KeywordIndex.from_documents(fields), fields, query, k)


def corpus(size: int, seed: int, words: int = 400) -> list[list[str]]:
    """Five fields of texts whose words have a Zipf-like frequency; some texts are empty."""
    rng = random.Random(seed)
    vocabulary = [f"w{i}" for i in range(words)]
    weights = [1 / (i + 1) for i in range(words)]
    lengths = (range(5), range(1, 4), range(3), range(8), range(1, 2))
    return [
        [" ".join(rng.choices(vocabulary, weights, k=rng.choice(span))) for _ in range(size)]
        for span in lengths
    ]


@pytest.mark.parametrize("small", [65_536, 0])
@pytest.mark.parametrize("k", [1, 5, 20, 200, 5000])
def test_equal_to_rank_bm25_on_a_larger_corpus(
    monkeypatch: pytest.MonkeyPatch, small: int, k: int
) -> None:
    monkeypatch.setattr(module, "SMALL", small)
    monkeypatch.setattr(module, "MANY_POSTINGS", small)
    monkeypatch.setattr(module, "SAMPLE", 50)
    fields = corpus(1500, 7)
    index = KeywordIndex.from_documents(fields)
    rng = random.Random(8)
    for _ in range(12):
        words = [f"w{int(rng.paretovariate(0.4)) % 400}" for _ in range(rng.randint(1, 5))]
        assert_equal_to_peer(index, fields, " ".join(words), k)


def test_equal_to_rank_bm25_on_a_catalogue(small_catalogue: Builder) -> None:
    catalogue = small_catalogue()
    names = [name for name, spec in catalogue.domain.fields.items() if spec.keyword]
    fields: list[list[str]] = []
    for name in names:
        values: list[Any] = [catalogue.item(i)[name] for i in range(len(catalogue))]
        fields.append([" ".join(v) if isinstance(v, tuple) else str(v or "") for v in values])
    index = KeywordIndex.build(catalogue)
    for query in ("lantern", "drama lantern", "the comedy", "OBRIEN'S lantern english", "a the"):
        assert_equal_to_peer(index, fields, query, 3)
        assert index.search(query) == KeywordIndex.from_documents(fields).search(query)
    assert index.search("lantern comedy")[0][0] == catalogue.position_of["i5"]


def test_many_terms_are_found_without_an_object_each(
    small_catalogue: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = KeywordIndex.build(small_catalogue())
    monkeypatch.setattr(module, "MANY_TERMS", 0)
    compact = KeywordIndex.build(small_catalogue())
    assert isinstance(index.terms, dict)
    assert not isinstance(compact.terms, dict)
    assert dict(compact.terms) == index.terms
    for query in ("lantern", "drama lantern", "nothing", "OBRIEN'S lantern english"):
        assert compact.search(query) == index.search(query)


def test_a_repeated_word_counts_each_time() -> None:
    fields = corpus(200, 3)
    index = KeywordIndex.from_documents(fields)
    once, twice = index.search("w9 w3"), index.search("w9 w3 w9")
    assert_equal_to_peer(index, fields, "w9 w3 w9", 20)
    assert once != twice


def test_a_word_in_more_than_half_the_items_still_scores() -> None:
    texts = ["common one", "common two", "common three", "four five"]
    index = KeywordIndex.from_documents([texts])
    assert index.floor > 0
    assert [position for position, _ in index.search("common")] == [0, 1, 2]
    assert_equal_to_peer(index, [texts], "common four", 4)


def test_a_score_of_zero_or_below_is_a_hit_all_the_same() -> None:
    half = KeywordIndex.from_documents([["x", "x", "y", "y"]])
    assert half.search("x") == [(0, 0.0), (1, 0.0)]
    everywhere = KeywordIndex.from_documents([["x", "x x", "x"]])
    assert everywhere.floor < 0
    found = everywhere.search("x x")
    assert sorted(position for position, _ in found) == [0, 1, 2]
    assert all(score < 0 for _, score in found)
    mixed = [["x y", "x x", "x z", "x"], ["z", "z", "z y", "z"]]
    for k in (1, 2, 4):
        assert_equal_to_peer(KeywordIndex.from_documents(mixed), mixed, "x z y", k)


@pytest.mark.parametrize("size", [40, 3000])
def test_ties_stand_in_the_order_of_positions(size: int) -> None:
    index = KeywordIndex.from_documents([["same words"] * size + ["other"] * (size * 3)])
    expected = list(range(20))
    assert [position for position, _ in index.search("same")] == expected
    assert [position for position, _ in index.search("words same")] == expected
    assert [position for position, _ in index.search("same", 10 * size)] == list(range(size))


@pytest.mark.parametrize("fields", [[], [[]], [[], []], [["", ""]], [["", "…"], ["", ""]]])
def test_nothing_to_find(fields: list[list[str]]) -> None:
    index = KeywordIndex.from_documents(fields)
    assert index.search("word") == []
    assert index.search("") == []


def test_a_field_without_words_beside_one_with() -> None:
    fields = [["", "", ""], ["a b", "c", "c a a"]]
    assert_equal_to_peer(KeywordIndex.from_documents(fields), fields, "a c", 5)


@pytest.mark.parametrize("query", ["", "  ", "unknown", "…", "\ud800", "'"])
def test_a_query_without_a_known_word_finds_nothing(query: str) -> None:
    assert KeywordIndex.from_documents([["a", "b"]]).search(query) == []


@pytest.mark.parametrize("k", [0, -3])
def test_no_item_asked_for_none_given(k: int) -> None:
    assert KeywordIndex.from_documents([["a", "b"]]).search("a", k) == []


def test_an_unknown_word_does_not_disturb_the_others() -> None:
    index = KeywordIndex.from_documents(corpus(100, 1))
    assert index.search("unknown w1 nothing w5") == index.search("w1 w5")


def test_an_over_long_query_is_cut() -> None:
    index = KeywordIndex.from_documents(corpus(300, 2))
    words = [f"w{i}" for i in range(64)]
    assert index.search(" ".join([*words, "w399", "w300"])) == index.search(" ".join(words))
    assert index.search("w1 " + " " * module.MAX_QUERY_CHARACTERS + "w2") == index.search("w1")
    assert index.search("w1 " * 1_000_000) == index.search("w1 " * 64)


def test_fields_must_be_equally_long() -> None:
    with pytest.raises(ValueError, match="every field must hold 2 documents"):
        KeywordIndex.from_documents([["a", "b"], ["a"]])


def test_from_codes_takes_unused_terms() -> None:
    tokens = TokenField(np.array([0, 1, 3]), np.array([2, 0, 2], np.int32))
    index = KeywordIndex.from_codes({"a": 0, "b": 1, "c": 2}, [tokens], 2)
    fields = [["c", "a c"]]
    assert index.search("b") == []
    assert_equal_to_peer(index, fields, "a b c", 2)


def test_threads_do_not_disturb_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SMALL", 0)
    index = KeywordIndex.from_documents(corpus(2000, 4))
    queries = [f"w{i} w{i + 40} w{i + 200}" for i in range(40)]
    expected = [index.search(query) for query in queries]
    wrong: list[str] = []

    def work() -> None:
        for _ in range(10):
            wrong.extend(
                query
                for query, right in zip(queries, expected, strict=True)
                if index.search(query) != right
            )

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


PEOPLE = b"""
name: shelf
noun: {singular: film, plural: films}
title: title
fields:
  title: {kind: text, keyword: true}
  director: {kind: category, keyword: people}
  cast: {kind: categories, keyword: people}
  year: {kind: integer}
"""


def test_fields_of_one_name_are_indexed_as_one() -> None:
    rows = {
        "title": ["Blue", "Red Anna", None],
        "director": ["Anna Smith", "Bob Red", "Cy Ray"],
        "cast": [["Cy Ray", "Anna Smith"], [], ["Bob Red"]],
        "year": [1990, 1991, 1992],
    }
    catalogue = build_catalogue("shelf", parse_domain(PEOPLE, "shelf"), ["a", "b", "c"], rows)
    titles = ["Blue", "Red Anna", ""]
    people = ["Anna Smith Cy Ray Anna Smith", "Bob Red", "Cy Ray Bob Red"]
    for query in ("anna", "red", "cy ray anna", "1990"):
        assert_equal_to_peer(KeywordIndex.build(catalogue), [titles, people], query, 20)
