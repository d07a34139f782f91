"""The look-up tables of a title index: every form of every title, and the rows that bear it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mystery_shopper.catalog.titles import title_key
from mystery_shopper.suites.recbench.titles.forms import (
    GAP,
    GENERIC,
    LOST,
    cleaned,
    content_words,
    dated,
    has_or,
    loose_key,
    numbers_in,
    segments,
    sure_keys,
    without_edition,
    word_forms,
)
from mystery_shopper.suites.recbench.titles.typos import SlipIndex, bare_key

Hits = dict[int, int]
"""Row -> how sure it is, 0 the surest."""
Rows = dict[str, Hits]

_LEAST_CONTENT = 2
_SEVERAL = 3
_MOST_WORDS = 30
_MOST_BEGUN = 100
_TELLING = 3
_LONG = 4
"""A subtitle of so many words says what a title is about, and no other part of its series."""
_BREAKS = ("", " ", "s", *"0123456789")
"""What stands behind the first words of a title where they are words of their own."""


@dataclass(frozen=True)
class Entry:
    """One item and what it is called. `others`: alternative titles."""

    id: str
    title: str
    year: int | None = None
    others: tuple[str, ...] = ()


@dataclass(frozen=True)
class Titled:
    """A title as the tables see it: without its year, with its keys."""

    text: str
    keys: Mapping[str, int]

    @classmethod
    def of(cls, text: str) -> Titled:
        """The keys of a cleaned title without its year."""
        return cls(text, sure_keys(text))

    @property
    def main(self) -> str:
        """The key of the title without what stands in brackets."""
        return next((key for key, tier in self.keys.items() if tier == 1), next(iter(self.keys)))


class Tables:
    """Every form of every title.

    `years[row]`: the year of a row, None where it has none; `letters[row]`: its title as it is
    written, but for case and space; `mains[row]`: the key of its
    title, without its article.
    `forms`: loose key -> the words that it joins.
    `heads`, `tails`: what stands before and behind the cuts of a title; `ends`: first and last
    part; `or_heads`, `telling_heads`: those that are enough by themselves, with an "or" or a long
    subtitle behind them; `head_of`: tail -> the head before it; `suffixes`: ends of long titles.
    """

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.ids = [entry.id for entry in entries]
        self.years: list[int | None] = []
        self.letters: list[str] = []
        self.exact: Rows = {}
        self.loose: Rows = {}
        self.forms: dict[str, set[tuple[str, ...]]] = {}
        self.content: Rows = {}
        self.heads: Rows = {}
        self.tails: Rows = {}
        self.ends: Rows = {}
        self.suffixes: Rows = {}
        self.telling_heads: set[str] = set()
        self.or_heads: set[str] = set()
        self.head_of: dict[str, str] = {}
        self.mains: list[str] = []
        self.damaged: dict[int, list[tuple[re.Pattern[str], int]]] = {}
        for row, entry in enumerate(entries):
            text, year = dated(cleaned(entry.title))
            self.letters.append(letters_of(text))
            self.years.append(entry.year if entry.year is not None else year)
            self.mains.append(bare_key(Titled.of(text).main) if text else "")
            self._add_suffixes(row, self.mains[-1])
            self._add(row, text, 0)
            for other in entry.others:
                self._add(row, dated(cleaned(other))[0], 1)
        self.bare: Rows = {}
        for key, hits in self.exact.items():
            for row, tier in hits.items():
                _put(self.bare, bare_key(key), row, tier)
        self._sorted = sorted(self.bare)
        self.slips = SlipIndex(self.exact)

    def _add(self, row: int, text: str, less: int) -> None:
        if not text:
            return
        if LOST in text:
            self._add_damaged(row, text)
            text = text.replace(LOST, "") or text
        titled = Titled.of(text)
        for key, tier in titled.keys.items():
            _put(self.exact, key, row, tier + less)
            forms = word_forms(key, text)
            for loose in (loose_key(key), key.replace(" ", "")):
                _put(self.loose, loose, row, tier + less)
                self.forms.setdefault(loose, set()).update(forms)
            words = content_words(key)
            if len(words) >= _LEAST_CONTENT:
                _put(self.content, " ".join(words), row, tier + less)
        self._add_parts(row, titled)

    def _add_parts(self, row: int, titled: Titled) -> None:
        parts = segments(_bracketless(titled.text))
        if len(parts) < 2:
            return
        keys = [title_key(part) for part in parts]
        for cut in range(1, len(parts)):
            head, tail = " ".join(keys[:cut]), " ".join(keys[cut:])
            _put(self.heads, bare_key(head), row, cut - 1)
            if len(tail.split()) >= _LONG and not numbers_in(tail):
                self.telling_heads.add(bare_key(head))
            if tail not in GENERIC:
                _put(self.tails, bare_key(tail), row, cut - 1)
                self.head_of.setdefault(bare_key(tail), bare_key(keys[0]))
        _put(self.ends, f"{bare_key(keys[0])}|{bare_key(keys[-1])}", row, 0)
        if has_or(titled.text):
            self.or_heads.add(bare_key(keys[0]))

    def _add_suffixes(self, row: int, key: str) -> None:
        words = key.split()
        for cut in range(1, min(len(words), _MOST_WORDS) - 2):
            suffix = " ".join(words[cut:])
            if len(content_words(suffix)) >= _TELLING:
                _put(self.suffixes, suffix, row, 0)

    def _add_damaged(self, row: int, text: str) -> None:
        """A title that lost letters: each may have been none, one or two."""
        for key in sure_keys(text.replace(LOST, GAP)):
            if GAP not in key or len(key.replace(GAP, "")) < 4:
                continue
            pattern = re.compile(re.escape(key).replace(GAP, r"\w{0,2}"))
            gaps = key.count(GAP)
            for length in range(len(key) - gaps, len(key) + gaps + 1):
                self.damaged.setdefault(length, []).append((pattern, row))

    def begun_by(self, head: str) -> list[int]:
        """The rows whose title goes on behind these words, a hundred at most."""
        found: list[int] = []
        start = f"{head} "
        for place in range(bisect_left(self._sorted, start), len(self._sorted)):
            if len(found) >= _MOST_BEGUN or not self._sorted[place].startswith(start):
                break
            rows = self.bare[self._sorted[place]]
            found += [row for row in rows if self.mains[row].startswith(start)]
        return found

    def series(self, head: str) -> int:
        """How many items have a title that begins with these words, three at most."""
        rows: set[int] = set()
        for place in range(bisect_left(self._sorted, head), len(self._sorted)):
            key = self._sorted[place]
            if len(rows) >= _SEVERAL or not key.startswith(head):
                break
            if key[len(head) : len(head) + 1] in _BREAKS:
                rows.update(self.bare[key])
        return min(len(rows), _SEVERAL)

    def mended(self, keys: Iterable[str]) -> Hits:
        """The rows whose damaged title a key may have been."""
        if not self.damaged:
            return {}
        return {
            row: 0
            for key in keys
            for pattern, row in self.damaged.get(len(key), ())
            if pattern.fullmatch(key)
        }


def letters_of(text: str) -> str:
    """A title as it is written, but for case and space."""
    return " ".join(text.casefold().split())


def _bracketless(text: str) -> str:
    """A title without its edition and without brackets at its end, a moved article as it is."""
    return re.sub(r"\s*[(\[][^()\[\]]*[)\]]\s*$", "", without_edition(text)) or text


def _put(table: Rows, key: str, row: int, tier: int) -> None:
    if not key:
        return
    hits = table.setdefault(key, {})
    if tier < hits.get(row, 9):
        hits[row] = tier


__all__ = ["Entry", "Hits", "Tables", "Titled", "bare_key", "letters_of"]
