"""Titles of another collection to the ids of a catalogue: by id where both have it, else by title
and year."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.titles import split_year, subtitle_keys, title_keys

LOST = "\ufffd"
"""What stands in a title for a letter that a wrong encoding has cost."""
_ANY = "ǁ"
NEAR = 1
"""Years by which two collections may differ on one film: shown first, or released."""


@dataclass(frozen=True)
class Known:
    """One item that others can be joined to."""

    id: str
    title: str
    year: int | None


@dataclass
class TitleIndex:
    """Items by their ids and by the keys of their titles."""

    items: Sequence[Known]
    _by_key: dict[str, list[int]] = field(default_factory=dict[str, list[int]], init=False)
    _by_head: dict[str, list[int]] = field(default_factory=dict[str, list[int]], init=False)

    def __post_init__(self) -> None:
        for place, item in enumerate(self.items):
            for key in title_keys(item.title):
                self._by_key.setdefault(key, []).append(place)
            for key in subtitle_keys(item.title):
                self._by_head.setdefault(key, []).append(place)

    @classmethod
    def of_catalogue(cls, catalogue: Catalogue, more: Iterable[Known] = ()) -> TitleIndex:
        """The items of a catalogue, then more that it leaves out."""
        return cls((*known_items(catalogue), *more))

    @cached_property
    def ids(self) -> frozenset[str]:
        """All ids."""
        return frozenset(self._titles)

    @cached_property
    def _titles(self) -> dict[str, str]:
        return {item.id: item.title for item in self.items}

    def title_of(self, item_id: str) -> str:
        """The title of an item. Raises KeyError where there is none with this id."""
        return self._titles[item_id]

    def find(self, title: str, year: int | None = None, *, strict: bool = False) -> str | None:
        """The id of the one item with this title; None where there is none, or several fit alike.

        `year` is the title's own year in brackets by default. The surest key comes first; under
        each the same year, then the next or last one. A title without a year fits only a key that
        one item has. At last a second title after "or", and an item's own subtitle, may be
        missing, and letters that were lost (U+FFFD) stand for any. `strict`: only a whole title
        of the same year will do, for titles whose id is known to be another.
        """
        said = split_year(title)[1] if year is None else year
        if strict:
            place = None if said is None else self._by_keys(title, said, 0)
        elif LOST in title:
            place = self._by_pattern(title, said)
        else:
            place = self._by_title(title, said)
        return None if place is None else self.items[place].id

    def _by_title(self, title: str, year: int | None) -> int | None:
        for span in (0, NEAR):
            if (found := self._by_keys(title, year, span)) is not None:
                return found
        if year is None:
            return None
        for span in (0, NEAR):
            for key in subtitle_keys(title, second=True):
                found = self._within(self._by_key.get(key, ()), year, span)
                if found is not None:
                    return found
        for key in title_keys(title):
            if (found := self._within(self._by_head.get(key, ()), year, 0)) is not None:
                return found
        return None

    def _by_keys(self, title: str, year: int | None, span: int) -> int | None:
        for key in title_keys(title):
            if (found := self._within(self._by_key.get(key, ()), year, span)) is not None:
                return found
        return None

    def _within(self, places: Sequence[int], year: int | None, span: int) -> int | None:
        """The only item of these whose year lies within the span."""
        if year is None:
            return places[0] if len(places) == 1 else None
        near = [
            place
            for place in places
            if (own := self.items[place].year) is not None and abs(own - year) <= span
        ]
        return near[0] if len(near) == 1 else None

    def _by_pattern(self, title: str, year: int | None) -> int | None:
        """The only item of the year whose key fits with any letter or two where one was lost."""
        keys = title_keys(title.replace(LOST, _ANY))
        for key in keys:
            pattern = re.compile(re.escape(key).replace(_ANY, r"(?:[^ ]{0,2}| \d)"))
            places = {
                place
                for other, found in self._by_key.items()
                if pattern.fullmatch(other)
                for place in found
                if year is None or self.items[place].year == year
            }
            if len(places) == 1:
                return places.pop()
        return None


def known_items(catalogue: Catalogue) -> Iterable[Known]:
    """The items of a catalogue with their titles and, where it has such a field, years."""
    recency = catalogue.domain.recency
    years = None if recency is None else catalogue.columns.get(recency)
    for position, item_id in enumerate(catalogue.ids):
        year = None if years is None else years.value(position)
        number = int(year) if isinstance(year, int | float) else None
        yield Known(item_id, catalogue.item(position).title, number)
