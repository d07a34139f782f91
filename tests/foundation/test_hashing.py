"""Equal things have equal hashes; chunks do not run into each other."""

from __future__ import annotations

import hashlib
import math

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from mystery_shopper.foundation import canonical_json, digest, digest_bytes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


class Pair(msgspec.Struct):
    b: int
    a: tuple[str, ...]


def test_keys_are_sorted_and_spaces_left_out() -> None:
    assert canonical_json({"b": [1, 2], "a": {"d": 1, "c": "é"}}) == (
        '{"a":{"c":"é","d":1},"b":[1,2]}'.encode()
    )
    assert canonical_json(Pair(1, ("x",))) == b'{"a":["x"],"b":1}'
    assert digest(Pair(1, ("x",))) == digest({"a": ["x"], "b": 1})
    assert digest({"b", "a", "c"}) == digest({"c", "a", "b"})


def test_unmeasured_hashes_alike_as_nan_and_none() -> None:
    assert digest({"score": math.nan}) == digest({"score": None}) != digest({"score": 0})


@settings(deadline=None)
@given(JSON)
def test_a_hash_outlives_json(value: object) -> None:
    assert digest(msgspec.json.decode(canonical_json(value))) == digest(value)


@settings(deadline=None)
@given(st.dictionaries(st.text(), st.integers(0, 9)))
def test_order_does_not_matter(table: dict[str, int]) -> None:
    assert digest(dict(reversed(table.items()))) == digest(table)


def test_chunks_keep_their_bounds() -> None:
    assert digest_bytes(b"ab", b"c") != digest_bytes(b"a", b"bc") != digest_bytes(b"abc")
    assert digest_bytes() == hashlib.sha256(b"").hexdigest()
    assert digest_bytes(memoryview(b"abc")) == digest_bytes(b"abc")
    wide = memoryview(bytes(16)).cast("d")
    assert digest_bytes(wide) == digest_bytes(bytes(16))
