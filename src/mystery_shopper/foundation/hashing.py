"""Content hashes. One canonical JSON form, so that equal things have equal hashes everywhere."""

from __future__ import annotations

import hashlib

import msgspec


def canonical_json(value: object) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces, of structs, dicts with string keys, lists, tuples
    and sets. NaN is written as null, as None is: both mean unmeasured."""
    return msgspec.json.encode(value, order="sorted")


def digest_bytes(*chunks: bytes | memoryview) -> str:
    """SHA-256 over the chunks, each preceded by its length, in hexadecimal."""
    state = hashlib.sha256()
    for chunk in chunks:
        size = chunk.nbytes if isinstance(chunk, memoryview) else len(chunk)
        state.update(size.to_bytes(8, "little"))
        state.update(chunk)
    return state.hexdigest()


def digest(value: object) -> str:
    """SHA-256 of the canonical JSON of `value`, in hexadecimal."""
    return hashlib.sha256(canonical_json(value)).hexdigest()
