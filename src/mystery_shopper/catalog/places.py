"""Where each of many distinct texts stands, by hash: two arrays in the place of a dictionary."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.catalog.bits import Positions
from mystery_shopper.catalog.texts import CHUNK


def text_hashes(texts: Iterable[str]) -> NDArray[np.uint64]:
    """SHA-256 of each text as four numbers, shape (n, 4); ascending rows are ascending hashes."""
    sha256 = hashlib.sha256
    chunks = [np.empty((0, 4), np.uint64)]
    source = iter(texts)
    while chunk := list(islice(source, CHUNK)):
        whole = b"".join([sha256(t.encode("utf-8", "surrogatepass")).digest() for t in chunk])
        chunks.append(np.frombuffer(whole, ">u8").reshape(-1, 4).astype(np.uint64))
    return np.concatenate(chunks)


def hash_order(hashes: NDArray[np.uint64]) -> Positions:
    """The rows of `text_hashes` in ascending order."""
    order = np.argsort(hashes[:, 0], kind="stable")
    first = hashes[order, 0]
    if (first[1:] == first[:-1]).any():
        order = np.lexsort(hashes.T[::-1])
    return order.astype(np.int64, copy=False)


class Places(Mapping[str, int]):
    """Text -> its place, over distinct texts, without an object a text.

    `hashes` are the first 64 bits of the texts' SHA-256, ascending; `places[i]` is where the text
    of `hashes[i]` stands. Texts whose hashes collide are told apart by comparing them.
    """

    __slots__ = ("_texts", "hashes", "places")

    def __init__(
        self, texts: Sequence[str], hashes: NDArray[np.uint64], places: NDArray[np.integer]
    ) -> None:
        self._texts = texts
        self.hashes = hashes
        self.places = places

    @classmethod
    def build(cls, texts: Sequence[str]) -> Places:
        """Of any distinct texts."""
        hashes = text_hashes(texts)
        order = hash_order(hashes)
        return cls(texts, hashes[order, 0], order.astype(np.int32))

    def __getitem__(self, text: str) -> int:
        if isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raw = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
            key = np.uint64(int.from_bytes(raw[:8], "big"))
            start = int(self.hashes.searchsorted(key))
            while start < len(self.hashes) and self.hashes[start] == key:
                place = int(self.places[start])
                if self._texts[place] == text:
                    return place
                start += 1
        raise KeyError(text)

    def __len__(self) -> int:
        return len(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)
