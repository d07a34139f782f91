"""Resolution of titles to item ids, by the surest form that finds one item."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from mystery_shopper.catalog import Catalogue
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.titles.forms import LOST, cleaned, dated, rewritten
from mystery_shopper.suites.recbench.titles.guesses import (
    by_content,
    by_keys,
    by_loose,
    by_parts,
    by_slip,
    by_start,
)
from mystery_shopper.suites.recbench.titles.tables import Entry, Hits, Tables, Titled, letters_of

MOST_CANDIDATES = 10
_MOST_KEPT = 1 << 17
_EARLY = (by_parts, by_content)
_ALL = (*_EARLY, by_slip, by_start)
_LEAST_YEAR, _LAST_YEAR = 1000, 2999


class TitleMatch(StrEnum):
    """How a title was resolved.

    `exact`: the same but for case, accents, punctuation, articles, numerals and alternative titles.
    `near`: with a guess (a typing error, a subtitle left out, a year off by one). `ambiguous`: it
    fits several items. `unknown`: it fits none.
    """

    EXACT = "exact"
    NEAR = "near"
    AMBIGUOUS = "ambiguous"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a title came to. `item_id` is None where it is ambiguous or unknown; `candidates`: of an
    ambiguous one the items that it fits, of an unknown one those of the same title and another
    year; 10 at most."""

    kind: TitleMatch
    item_id: str | None
    candidates: tuple[str, ...] = ()

    @property
    def resolved(self) -> bool:
        """Whether it came to one item."""
        return self.item_id is not None


UNKNOWN = Resolution(TitleMatch.UNKNOWN, None)


class TitleIndex:
    """Titles of a catalogue, ready to be looked up. Equal titles are resolved once.

    `editions`: items are editions of works, so that a year that differs does not make another one.
    """

    def __init__(self, entries: Iterable[Entry], *, editions: bool = False) -> None:
        kept = list(entries)
        if not kept:
            raise InputError(
                "there is no title", where="title index", remedy="Give at least one item."
            )
        self._tables = Tables(kept)
        self._ids = {entry.id: row for row, entry in enumerate(kept)}
        self._editions = editions
        self._known: dict[tuple[str, int | None], Resolution] = {}

    @classmethod
    def of_catalogue(cls, catalogue: Catalogue, *, editions: bool = False) -> TitleIndex:
        """The titles of a catalogue, with the years of its field of recency."""
        domain = catalogue.domain
        titles = catalogue.columns[domain.title]
        dates = catalogue.columns.get(domain.recency) if domain.recency else None
        entries: list[Entry] = []
        for position, item_id in enumerate(catalogue.ids):
            when = dates.value(position) if dates is not None else None
            year = int(when) if isinstance(when, int | float) else None
            entries.append(Entry(item_id, str(titles.value(position) or item_id), year))
        return cls(entries, editions=editions)

    def __len__(self) -> int:
        return len(self._ids)

    def resolve(
        self, title: str, year: int | None = None, item_id: str | None = None
    ) -> Resolution:
        """What a title comes to. A year in the title's brackets counts before `year`. `item_id`: an
        id said with it; it decides between items that the title fits, and stands alone where there
        is no title."""
        if year is not None and not _LEAST_YEAR <= year <= _LAST_YEAR:
            year = None
        key = (title[:600], year)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            found = self._known[key] = self._resolve(title, year)
        if item_id is None or item_id not in self._ids or found.resolved:
            return found
        fits = item_id in found.candidates if cleaned(title) else True
        return Resolution(TitleMatch.EXACT, item_id) if fits else found

    def resolve_first(
        self, titles: Sequence[str], year: int | None = None, item_id: str | None = None
    ) -> Resolution:
        """The first of several readings of one title that comes to an item, else the first."""
        first: Resolution | None = None
        for title in titles or ("",):
            found = self.resolve(title, year, item_id)
            if found.resolved:
                return found
            if first is None or first.kind is TitleMatch.UNKNOWN:
                first = found
        return first or UNKNOWN

    def exactly(self, title: str) -> str | None:
        """The one item whose title this is as a whole; no guess is taken, and none of a part."""
        keys = {key: tier for key, tier in Titled.of(cleaned(title)).keys.items() if tier < 2}
        hits = by_keys(self._tables.exact, Titled(title, keys), False)
        found = [row for row, tier in hits.items() if tier < 2]
        return self._tables.ids[found[0]] if len(found) == 1 else None

    # --- one title ------------------------------------------------------------------------------

    def _resolve(self, title: str, year: int | None) -> Resolution:
        text, written = dated(cleaned(title))
        year = year if written is None else written
        if not text:
            return UNKNOWN
        first = self._look(text, year)
        if first.kind in (TitleMatch.EXACT, TitleMatch.AMBIGUOUS):
            return first
        for other, when in rewritten(text, year):
            found = self._look(other, when)
            if found.kind is TitleMatch.EXACT or first.kind is TitleMatch.UNKNOWN:
                first = found if found.kind is not TitleMatch.UNKNOWN else first
        return first

    def _look(self, text: str, year: int | None) -> Resolution:
        tables = self._tables
        titled = Titled.of(text.replace(LOST, "") or text)
        exact = by_keys(tables.exact, titled, year is not None)
        loose = by_loose(tables, titled, year is not None)
        for hits, kind in ((exact, TitleMatch.EXACT), (loose, TitleMatch.NEAR)):
            if found := self._settled(hits, year, kind, text):
                return self._of_the_year(titled, year, found)
        if found := self._settled(tables.mended(titled.keys), year, TitleMatch.NEAR, text):
            return found
        for guess in _EARLY if exact else _ALL:
            hits = guess(tables, titled, year)
            if hits and (found := self._settled(hits, year, TitleMatch.NEAR, text)):
                return found
        others = sorted({*exact, *loose})[:MOST_CANDIDATES]
        return Resolution(TitleMatch.UNKNOWN, None, tuple(tables.ids[row] for row in others))

    def _of_the_year(self, titled: Titled, year: int | None, found: Resolution) -> Resolution:
        """What was found; but where its year is another one, a title of the year said whose
        subtitle was left out ("Kill Bill (2004)" is its second part)."""
        row = None if found.item_id is None else self._ids[found.item_id]
        if year is None or row is None or self._tables.years[row] in (year, None):
            return found
        parts = by_parts(self._tables, titled, year)
        return self._settled(parts, year, TitleMatch.NEAR, titled.text) or found

    def _settled(
        self, hits: Hits, year: int | None, kind: TitleMatch, text: str
    ) -> Resolution | None:
        """The surest of the rows that agree with the year; of several the one that is written as
        the title was said ("Moulin Rouge!", "Moulin Rouge"); None where none agrees."""
        if not hits:
            return None
        if year is not None:
            hits, same = self._of_year(hits, year)
            kind = kind if same else TitleMatch.NEAR
            if not hits:
                return None
        best = min(hits.values())
        rows = sorted(row for row, tier in hits.items() if tier == best)
        if len(rows) > 1:
            letters = letters_of(text)
            rows = [row for row in rows if self._tables.letters[row] == letters] or rows
        ids = tuple(self._tables.ids[row] for row in rows[:MOST_CANDIDATES])
        if len(rows) == 1:
            return Resolution(kind, ids[0], ids)
        return Resolution(TitleMatch.AMBIGUOUS, None, ids)

    def _of_year(self, hits: Hits, year: int) -> tuple[Hits, bool]:
        """(the rows of this year, else those without a year, else those a year off; whether the
        year is the same)."""
        years = self._tables.years
        same = {row: tier for row, tier in hits.items() if years[row] == year}
        if same:
            return same, True
        undated = {row: tier for row, tier in hits.items() if years[row] is None}
        if undated:
            return undated, False
        off = {row: t for row, t in hits.items() if abs((years[row] or 0) - year) == 1}
        return (off, False) if off or not self._editions else (hits, False)
