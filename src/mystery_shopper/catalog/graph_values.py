"""Values that name one thing twice: how the item graph folds spellings and mends split names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]

_TAIL = re.compile(
    r"(?:jr|sr|ii|iii|iv|esq|m\.? ?d|ph\.? ?d|inc|ltd|llc|l\.? ?p|s\.? ?a|gmbh|corp)\.?", re.I
)
"""What commas split off a name: a suffix of a person or a company's form."""
_WORD = re.compile(r"\w+")
_MARKS = range(0x300, 0x370)
_BEYOND_GREEK = 0x400
_SPACED = str.maketrans(dict.fromkeys(".,‐‑‒–—_", " ") | {"-": " "})
_PLAIN = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
    | dict.fromkeys("‘’ʼ`´", "'")
)


@lru_cache(maxsize=1 << 18)
def name_key(value: str) -> str:
    """The form under which two values are one: case-folded, without accents, with one apostrophe,
    and with dots, commas and hyphens as spaces. Idempotent.

    Accents fall away on Latin and Greek letters only: in other scripts a mark makes another letter.
    """
    text = value.lower() if value.isascii() else _plain(value)
    spaced = " ".join(text.translate(_SPACED).split())
    return spaced or " ".join(value.casefold().split())


def names_within(value: str, text: str) -> bool:
    """Whether a text holds the words of a value, in any spelling, one after another."""
    words, held = (f" {' '.join(_WORD.findall(name_key(part)))} " for part in (value, text))
    return bool(words.strip()) and words in held


def is_tail(value: str) -> bool:
    """Whether a value is but the end of a name ("Jr.")."""
    return len(value) <= 6 and _TAIL.fullmatch(value.strip()) is not None


@dataclass(frozen=True)
class Cells:
    """The values of one relation: item i bears `texts[codes[j]]` for j from `offsets[i]` to
    `offsets[i + 1]`, in the source's order."""

    texts: Sequence[str]
    codes: NDArray[np.integer]
    offsets: NDArray[np.integer]

    @classmethod
    def of_pairs(cls, pairs: Iterable[tuple[int, str]], items: int) -> Cells:
        """From (item's position, value) pairs in any order; an item's values keep theirs."""
        table: dict[str, int] = {}
        rows: list[int] = []
        codes: list[int] = []
        for row, text in pairs:
            rows.append(row)
            codes.append(table.setdefault(text, len(table)))
        row_of = np.array(rows, np.int64)
        offsets = np.zeros(items + 1, np.int64)
        np.cumsum(np.bincount(row_of, minlength=items), out=offsets[1:])
        order = np.argsort(row_of, kind="stable")
        return cls(tuple(table), np.array(codes, np.int64)[order], offsets)


def joined_names(cells: Cells) -> tuple[tuple[str, ...], Codes, Codes]:
    """(labels, code of each cell, item of each cell): tails put back on the name before them,
    spellings of one value made one, and a value that an item names twice kept once.

    The label of a value is its most frequent spelling, of equally frequent ones the smallest.
    """
    texts = list(cells.texts)
    codes = np.asarray(cells.codes, np.int64)
    rows = np.repeat(np.arange(len(cells.offsets) - 1, dtype=np.int64), np.diff(cells.offsets))
    if tails := [code for code, text in enumerate(texts) if is_tail(text)]:
        codes, rows = _rejoin(texts, codes, rows, set(tails))
    often = np.bincount(codes, minlength=len(texts)).tolist()
    best: dict[str, tuple[int, str]] = {}
    keys = [name_key(text) for text in texts]
    for key, text, count in zip(keys, texts, often, strict=True):
        if count and (key not in best or (-count, text) < best[key]):
            best[key] = (-count, text)
    labels = tuple(sorted(label for _, label in best.values()))
    place = {name_key(label): code for code, label in enumerate(labels)}
    table = np.array([place.get(key, -1) for key in keys], np.int64)
    codes = table[codes] if len(codes) else codes
    _, firsts = np.unique(rows * max(len(labels), 1) + codes, return_index=True)
    firsts.sort()
    return labels, codes[firsts], rows[firsts]


def _rejoin(texts: list[str], codes: Codes, rows: Codes, tails: set[int]) -> tuple[Codes, Codes]:
    """The cells with every tail joined to the cell before it of the same item; new spellings are
    added to `texts`. A tail that stands first stays as it is."""
    codes = codes.copy()
    table = {text: code for code, text in enumerate(texts)}
    kept = np.ones(len(codes), bool)
    for cell in np.flatnonzero(np.isin(codes, list(tails))).tolist():
        before = cell - 1
        while before >= 0 and not kept[before]:
            before -= 1
        if before < 0 or rows[before] != rows[cell] or int(codes[before]) in tails:
            continue
        name = f"{texts[int(codes[before])]}, {texts[int(codes[cell])].strip()}"
        if name not in table:
            table[name] = len(texts)
            texts.append(name)
        codes[before] = table[name]
        kept[cell] = False
    return codes[kept], rows[kept]


def _plain(value: str) -> str:
    letters: list[str] = []
    base = "a"
    for letter in unicodedata.normalize("NFKD", value):
        if ord(letter) not in _MARKS:
            base = letter
        elif ord(base) < _BEYOND_GREEK:
            continue
        letters.append(letter)
    text = unicodedata.normalize("NFKC", "".join(letters)).casefold()
    return unicodedata.normalize("NFKC", text).translate(_PLAIN)
