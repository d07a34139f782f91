"""One seed per purpose, derived by hashing, so that results do not depend on order or workers."""

from __future__ import annotations

import hashlib
import random

import numpy as np


def derive_seed(*parts: str | int) -> int:
    """A 64-bit seed from the parts: the first eight bytes of SHA-256, little endian.

    Parts are joined by U+001F with their type, so ("1",) and (1,) differ, as do ("a", "b") and
    ("ab",). A member of a string enumeration counts as its text, so that a part means the same
    before and after it has been through JSON. U+001F within a part is escaped by U+001E.
    """
    text = "\x1f".join(_part(part) for part in parts)
    return int.from_bytes(
        hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "little"
    )


def _part(part: str | int) -> str:
    told = f"str:{str.__str__(part)}" if isinstance(part, str) else f"{type(part).__name__}:{part}"
    return told.replace("\x1e", "\x1e\x1e").replace("\x1f", "\x1e\x1f")


def random_source(*parts: str | int) -> random.Random:
    """Python's Mersenne Twister, seeded by `derive_seed(*parts)`."""
    return random.Random(derive_seed(*parts))


def generator(*parts: str | int) -> np.random.Generator:
    """NumPy's PCG64, seeded by `derive_seed(*parts)`."""
    return np.random.Generator(np.random.PCG64(derive_seed(*parts)))
