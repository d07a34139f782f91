from __future__ import annotations

import hashlib
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import texts as module
from mystery_shopper.catalog.places import Places, hash_order, text_hashes
from mystery_shopper.catalog.texts import Texts, joined, taken
from mystery_shopper.foundation import InputError

ANY_TEXT = st.text(st.characters(), max_size=6) | st.sampled_from(
    ["", "\ud800", "\udc00", "\ud83d", "ÿ", "\xff", "é", "😀", "a\x00", "\x00"]
)
ROWS = st.lists(ANY_TEXT | st.none(), max_size=12)


@given(rows=ROWS, other=ROWS, chunk=st.integers(1, 5), data=st.data())
def test_texts_are_the_tuple_they_were_built_from(
    rows: list[str | None], other: list[str | None], chunk: int, data: st.DataObject
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "CHUNK", chunk)
        texts, expected = Texts.build(iter(rows)), tuple(rows)
        assert len(texts) == len(expected)
        assert tuple(texts) == expected
        assert tuple(texts[i] for i in range(len(rows))) == expected
        assert tuple(texts[-1 - i] for i in range(len(rows))) == expected[::-1]
        assert texts[1:-1] == expected[1:-1]
        assert texts[::-2] == expected[::-2]
        assert texts == expected
        assert expected == texts
        assert texts == rows
        assert hash(texts) == hash(expected)
        assert texts == pickle.loads(pickle.dumps(texts))
        assert (texts == Texts.build(other)) == (rows == other) == (texts == tuple(other))
        part, lengths = joined(texts)
        assert (bytes(part), lengths) == joined(expected)
        kept = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=20)) if rows else []
        assert texts.take(np.array(kept, np.int64)) == tuple(rows[i] for i in kept)
        assert taken(expected, np.array(kept, np.int64)) == tuple(rows[i] for i in kept)


def test_a_text_that_is_not_there_is_an_index_error() -> None:
    texts = Texts.build(["a", "b"])
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"no text {index} of 2"):
            texts[index]
    assert texts != 5
    assert Texts.build(texts) is texts
    assert repr(Texts.build("abcd")) == "Texts('a', 'b', 'c', …; 4 in all)"


def test_a_part_of_a_blob_is_texts_like_any_other() -> None:
    blob = np.frombuffer(b"__onetwo__", np.uint8)
    texts: Texts[str] = Texts(blob, np.array([2, 5, 8]))
    assert texts == ("one", "two")
    assert texts == Texts.build(["one", "two"])
    assert joined(texts)[0] == b"onetwo"


def test_a_broken_blob_is_an_input_error() -> None:
    texts: Texts[str] = Texts(np.array([0xC3, 0x28], np.uint8), np.array([0, 2]))
    with pytest.raises(InputError, match="no UTF-8"):
        texts[0]
    with pytest.raises(InputError, match="no UTF-8"):
        list(texts)


@given(rows=st.lists(ANY_TEXT, unique=True, max_size=12), other=ANY_TEXT)
def test_places_are_a_dictionary(rows: list[str], other: str) -> None:
    places, expected = Places.build(Texts.build(rows)), {row: i for i, row in enumerate(rows)}
    assert len(places) == len(expected)
    assert list(places) == list(expected)
    assert dict(places) == expected
    assert dict(places.items()) == expected
    assert (other in places) == (other in expected)
    assert places.get(other) == expected.get(other)


def test_what_is_no_text_is_not_found() -> None:
    places = Places.build(("a",))
    assert 5 not in places
    assert None not in places
    with pytest.raises(KeyError):
        places["b"]


def test_texts_of_one_hash_are_told_apart() -> None:
    rows = ["a", "b", "c", "d"]
    place_of = Places.build(rows)
    key = int.from_bytes(hashlib.sha256(b"c").digest()[:8], "big")
    same = Places(rows, np.array([key - 1, key, key, key], np.uint64), np.array([3, 0, 1, 2]))
    assert same["c"] == place_of["c"] == 2
    absent = Places(["a", "b"], np.array([key, key], np.uint64), np.array([0, 1]))
    assert "c" not in absent


def test_hashes_that_begin_alike_are_ordered_by_the_rest() -> None:
    rows = np.array([[7, 0, 0, 2], [7, 0, 0, 1], [3, 9, 9, 9], [7, 0, 1, 0]], np.uint64)
    assert hash_order(rows).tolist() == [2, 1, 0, 3]
    texts = [f"t{i}" for i in range(200)]
    ordered = sorted(texts, key=lambda text: hashlib.sha256(text.encode()).hexdigest())
    assert [texts[i] for i in hash_order(text_hashes(texts))] == ordered
