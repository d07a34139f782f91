"""Packed bit sets over a catalogue's positions: little-endian bits in uint64 words.

Bit i stands for position i. Unused bits of the last word are always 0.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bits: TypeAlias = NDArray[np.uint64]
Positions: TypeAlias = NDArray[np.int64]


def words_for(length: int) -> int:
    """How many words a set over `length` positions takes."""
    return (length + 63) // 64


def empty_bits(length: int) -> Bits:
    """No position."""
    return np.zeros(words_for(length), dtype=np.uint64)


def full_bits(length: int) -> Bits:
    """Every position."""
    return pack_bits(np.ones(length, dtype=np.bool_))


def pack_bits(mask: NDArray[np.bool_]) -> Bits:
    """A boolean array of shape (n,) as a bit set."""
    packed = np.packbits(mask, bitorder="little")
    padded = np.zeros(words_for(mask.shape[0]) * 8, dtype=np.uint8)
    padded[: packed.shape[0]] = packed
    return padded.view(np.uint64)


def unpack_bits(bits: Bits, length: int) -> NDArray[np.bool_]:
    """The bit set as a boolean array of shape (length,)."""
    return np.unpackbits(bits.view(np.uint8), count=length, bitorder="little").view(np.bool_)


def bits_of(positions: Iterable[int] | Positions, length: int) -> Bits:
    """The set that holds exactly these positions."""
    mask = np.zeros(length, dtype=np.bool_)
    index = positions if isinstance(positions, np.ndarray) else np.fromiter(positions, np.int64)
    mask[index] = True
    return pack_bits(mask)


def count_bits(bits: Bits) -> int:
    """How many positions the set holds."""
    return int(np.bitwise_count(bits).sum())


def positions_of(bits: Bits) -> Positions:
    """The positions of the set in ascending order."""
    words = np.flatnonzero(bits)
    if words.shape[0] == 0:
        return np.empty(0, dtype=np.int64)
    flags = np.unpackbits(bits[words].view(np.uint8), bitorder="little").reshape(-1, 64)
    rows, columns = np.nonzero(flags)
    return words[rows].astype(np.int64) * 64 + columns


def has_bit(bits: Bits, position: int) -> bool:
    """Whether the set holds the position."""
    return bool((int(bits[position >> 6]) >> (position & 63)) & 1)
