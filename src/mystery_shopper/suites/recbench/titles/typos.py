"""Titles with small typing errors: found by shared letters, taken only where a slip is likelier
than another title.

An edit destroys at most three of a text's trigrams. Of any 3k + 1 of them a text at k edits shares
one, so that the 3k + 1 rarest lead to every candidate. A word that is itself a word of other titles
is more likely meant than mistyped: it passes only on further evidence, the year or a rare word.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from rapidfuzz import process
from rapidfuzz.distance import OSA

from mystery_shopper.suites.recbench.titles.forms import FUNCTION_WORDS, LEADING, numbers_in

_MOST_FOUND = 20
_ENDINGS = frozenset(("", "s", "es", "d", "ed", "r", "er", "ers", "ing", "y", "ies", "n", "o"))
_RARE = 3
"""A word of no more titles than these tells a title from others."""


@dataclass(frozen=True)
class Slip:
    """A key that a text may be a slip of, and how many letters differ."""

    key: str
    distance: int


def bare_key(key: str) -> str:
    """A key without its leading article."""
    first, _, rest = key.partition(" ")
    return rest if rest and first in LEADING else key


def edits_for(length: int) -> int:
    """How many letters of a text of this length may differ."""
    return 0 if length < 5 else 1 if length < 10 else 2 if length < 18 else 3


class SlipIndex:
    """The keys of all titles, without leading articles, by their trigrams."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._keys: Sequence[str] = sorted(
            set(map(bare_key, keys)), key=lambda key: (len(key), key)
        )
        self._lengths = [len(key) for key in self._keys]
        grams: dict[str, list[int]] = {}
        words: Counter[str] = Counter()
        for place, key in enumerate(self._keys):
            words.update(set(key.split()))
            if len(key) >= 4:
                for gram in _grams(key):
                    grams.setdefault(gram, []).append(place)
        self._grams: Mapping[str, Sequence[int]] = grams
        self._words = words

    def find(self, key: str) -> list[Slip]:
        """The keys within a few letters of a text, nearest first."""
        text = bare_key(key)
        edits = edits_for(len(text))
        if not edits:
            return []
        low = bisect_left(self._lengths, len(text) - edits)
        high = bisect_right(self._lengths, len(text) + edits)
        lists = sorted(filter(None, map(self._grams.get, _grams(text))), key=len)
        places: set[int] = set()
        for found in lists[: 3 * edits + 1]:
            places.update(found[bisect_left(found, low) : bisect_left(found, high)])
        if not places:
            return []
        near = [self._keys[place] for place in sorted(places)]
        numbers = numbers_in(text)
        found = process.extract(
            text, near, scorer=OSA.distance, score_cutoff=edits, limit=_MOST_FOUND
        )
        return [Slip(name, int(far)) for name, far, _ in found if numbers_in(name) == numbers]

    def rare(self, word: str) -> bool:
        """Whether a word tells a title from others."""
        return 0 < self._words[word] <= _RARE and len(word) >= 4 and word not in FUNCTION_WORDS

    def likely(self, text: str, slip: Slip, dated: bool) -> bool:
        """Whether a text is more likely a slip of this key than another title. `dated`: the year is
        the item's own."""
        said, meant = bare_key(text).split(), slip.key.split()
        if len(said) != len(meant):
            return (
                slip.distance <= 1
                and len(slip.key) >= 8
                and sum(map(len, said)) - sum(map(len, meant)) in (0, 1, -1)
                and _pieced(said, meant)
                # "Deadpool" is no "Dead Pool", unless the year or another word says so.
                and (dated or not FUNCTION_WORDS.issuperset(set(said) & set(meant)))
            )
        pairs = [(one, other) for one, other in zip(said, meant, strict=True) if one != other]
        same = [word for word, other in zip(said, meant, strict=True) if word == other]
        return all(self._slipped(one, other, same, dated) for one, other in pairs)

    def _slipped(self, said: str, meant: str, same: Sequence[str], dated: bool) -> bool:
        """Whether one word was said where another is meant."""
        if said.isdigit() or meant.isdigit():
            return False
        if said in FUNCTION_WORDS and meant in FUNCTION_WORDS:
            return dated
        if min(len(said), len(meant)) <= 2:
            return False
        edits = OSA.distance(said, meant)
        telling = any(map(self.rare, same))
        longest = max(len(said), len(meant))
        if edits > max(1, (longest - 1) // (3 if dated or telling else 4)):
            return False
        shortest = min(len(said), len(meant))
        first = said[0] == meant[0]
        ending = _ending(said, meant)
        if ending is not None and not dated:
            return ending == "s" and telling and shortest >= 5
        if said in self._words or ending is not None:
            if dated:
                return bool(same) and first and shortest >= 4
            return telling and first and shortest >= 5
        if dated or telling:
            return len(meant) >= (4 if same else 6) and (first or bool(same))
        return first and (len(meant) >= 5 if same else edits == 1 and len(meant) >= 7)


def _ending(one: str, other: str) -> str | None:
    """The endings in which two words of one stem differ ("Alien" and "Aliens" are two films, and so
    are "Prince" and "Princess"); None where they differ elsewhere."""
    pairs = zip(one, other, strict=False)
    stem = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    ends = one[stem:], other[stem:]
    if (
        stem < 4
        or ends[0][-1:] == ends[1][-1:]
        or not ("" in ends or (ends[0] in _ENDINGS and ends[1] in _ENDINGS))
    ):
        return None
    longer = max(ends, key=len)
    return longer if longer in _ENDINGS or len(longer) > 1 else None


def _pieced(said: Sequence[str], meant: Sequence[str]) -> bool:
    """Whether two texts are the same words but for one cut in two, or two in one, or a letter."""
    return OSA.distance("".join(said), "".join(meant)) <= 1 and said[0][0] == meant[0][0]


def _grams(text: str) -> set[str]:
    padded = f"^{text}$"
    return {padded[place : place + 3] for place in range(len(padded) - 2)}
