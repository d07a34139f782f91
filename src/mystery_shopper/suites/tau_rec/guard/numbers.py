"""The numbers that words tell of: in digits, spelt out, and decades.

Read are `1990`, `1,500`, `49.99`, `50cm`, `10k`; `ninety-five`, `two thousand and five`, `nineteen
ninety`, `twenty ten`, `nineteen oh five`; and as decades `1990s`, `'90s`, `the nineties`, `nineteen
nineties`, `the noughties`. Spelt numbers up to twelve are words of every day and not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

_DIGITS = re.compile(r"(\d+(?:[.,]\d+)*)(s|st|nd|rd|th|k|mm|cm|m|km|kg|g|p|in|ft|gbp|usd|eur|€|£)?")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_UNITS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * number
    for number, word in enumerate(
        "twenty thirty forty fifty sixty seventy eighty ninety".split(), 2
    )
}
_DECADES = {
    "noughties": 0,
    "tens": 10,
    **{f"{word[:-1]}ies": number for word, number in _TENS.items()},
}
_BEYOND = frozenset(
    ("after", "past", "over", "above", "later than", "newer than", "younger than", "more than",
     "greater than", "higher than", "longer than", "larger than", "bigger than")
)  # fmt: skip
_SHORT_OF = frozenset(
    ("before", "under", "below", "earlier than", "older than", "less than", "fewer than",
     "lower than", "shorter than", "smaller than", "cheaper than")
)  # fmt: skip
_EVERYDAY = 12
_CENTURIES = range(13, 22)


class Number(NamedTuple):
    """A number from word `start` to `end` (exclusive); of a decade its first year."""

    start: int
    end: int
    value: float
    decade: bool = False
    beside: int = 0

    def tells(self, bound: float) -> bool:
        """Whether it gives the bound away: it is the bound, or a decade that holds it, or the whole
        number beside it: "after 1989"."""
        if self.decade:
            return self.value <= bound <= self.value + 9
        return bound in (self.value, self.value + self.beside)


def numbers(words: Sequence[str]) -> list[Number]:
    """Every number in the words. A short decade may be of the last century or of this one."""
    found: list[Number] = []
    at = 0
    while at < len(words):
        here = _digits(words, at) or _spelt(words, at)
        found.extend(one._replace(beside=_beside(words[max(0, at - 2) : at])) for one in here)
        at = max((one.end for one in here), default=at + 1)
    return found


def _beside(before: Sequence[str]) -> int:
    """Where the number that is meant lies beside the one that is said, by the words before it."""
    last = " ".join(before[-1:] if tuple(before[-1:]) != ("than",) else before)
    return 1 if last in _BEYOND else -1 if last in _SHORT_OF else 0


def _digits(words: Sequence[str], at: int) -> list[Number]:
    match = _DIGITS.fullmatch(words[at])
    if match is None or len(words[at]) > 20:
        return []
    text, unit = match.groups()
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    text = text.replace(",", ".")
    if text.count(".") > 1:
        return []
    value = float(text)
    if unit == "s" and value.is_integer() and value % 10 == 0:
        return _decades(at, at + 1, int(value))
    if unit == "k":
        return [Number(at, at + 1, value), Number(at, at + 1, 1000 * value)]
    if at + 1 < len(words) and words[at + 1] in ("thousand", "k"):
        return [Number(at, at + 2, 1000 * value)]
    return [Number(at, at + 1, value)]


def _decades(start: int, end: int, value: int) -> list[Number]:
    years = (1900 + value, 2000 + value) if value < 100 else (value,)
    return [Number(start, end, year, True) for year in years]


def _spelt(words: Sequence[str], at: int) -> list[Number]:
    if words[at] in _DECADES:
        return _decades(at, at + 1, _DECADES[words[at]])
    first = _small(words, at)
    if first is None:
        return []
    value, end = first
    if value < 10 and (row := _row(words, at)):
        return [row]
    after = words[end] if end < len(words) else ""
    if after == "thousand":
        rest, end = _rest(words, end + 1)
        return [Number(at, end, 1000 * value + rest)]
    if after == "hundred":
        rest, end = _rest(words, end + 1)
        return [Number(at, end, 100 * value + rest)]
    if value in _CENTURIES and after in _DECADES:
        return [Number(at, end + 1, 100 * value + _DECADES[after], True)]
    if value in _CENTURIES and (second := _year(words, end)) is not None:
        return [Number(at, second[1], 100 * value + second[0])]
    return [Number(at, end, value)] if value > _EVERYDAY else []


def _row(words: Sequence[str], at: int) -> Number | None:
    """Three or more digits said one by one: "one nine nine oh"."""
    end = at
    text = ""
    while end < len(words) and len(text) < 9:
        digit = 0 if end > at and words[end] in ("oh", "o") else _UNITS.get(words[end], 10)
        if digit > 9:
            break
        text += str(digit)
        end += 1
    return Number(at, end, float(text)) if len(text) >= 3 else None


def _rest(words: Sequence[str], at: int) -> tuple[int, int]:
    """What follows "thousand" or "hundred", 0 where nothing does, and where it ends."""
    start = at + 1 if at < len(words) and words[at] == "and" else at
    found = _small(words, start)
    if found is None:
        return 0, at
    value, end = found
    if end < len(words) and words[end] == "hundred":
        rest, end = _rest(words, end + 1)
        return 100 * value + rest, end
    return value, end


def _year(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """The last two digits of a year."""
    if at < len(words) and words[at] in ("oh", "o"):
        found = _small(words, at + 1)
        return found if found and found[0] < 10 else None
    found = _small(words, at)
    return found if found and found[0] >= 10 else None


def _small(words: Sequence[str], at: int) -> tuple[int, int] | None:
    """A number below 100, and where it ends."""
    if at >= len(words):
        return None
    if words[at] in _UNITS:
        return _UNITS[words[at]], at + 1
    if words[at] not in _TENS:
        return None
    value = _TENS[words[at]]
    unit = _UNITS.get(words[at + 1], 0) if at + 1 < len(words) else 0
    return (value + unit, at + 2) if 0 < unit < 10 else (value, at + 1)
