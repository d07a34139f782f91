"""Titles of another collection to the ids of a catalogue: by id where both have it, else by title
and year."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.titles import split_year, subtitle_keys, title_keys

LOST = "\ufffd"
"""What stands in a title for a letter that a wrong encoding has cost."""
_ANY = "ǁ"
NEAR = 1
"""Years by which two collections may differ on one film: shown first, or released."""


_OWNER = re.compile(r"^(?:[^\s:,]+\s){0,3}[^\s:,]+['’]s\s+(?P<rest>\S+\s+\S.*)$")


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
    _by_run: dict[str, list[int]] = field(default_factory=dict[str, list[int]], init=False)

    def __post_init__(self) -> None:
        for place, item in enumerate(self.items):
            keys = title_keys(item.title)
            for key in keys:
                self._by_key.setdefault(key, []).append(place)
            for key in subtitle_keys(item.title):
                self._by_head.setdefault(key, []).append(place)
            self._by_run.setdefault(keys[0].replace(" ", ""), []).append(place)

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

    def find(self, title: str, year: int | None = None, *, near: bool = True) -> str | None:
        """The id of the one item with this title as a whole; None where there is none, or several
        fit alike.

        `year` is the title's own year in brackets by default. Of the keys the surest comes first,
        with the same year; then, if `near`, with the next or the last one. A title without a year
        fits only a key that one item has, and never where not `near`.
        """
        return next((one[0] for one in self._fitting(title, year, near) if len(one) == 1), None)

    def shared(self, title: str, year: int | None = None) -> bool:
        """Whether several items fit a title as a whole alike, and no key tells them apart."""
        fitting = [len(one) for one in self._fitting(title, year, near=True)]
        return 1 not in fitting and any(fitting)

    def _fitting(self, title: str, year: int | None, near: bool) -> Iterator[list[str]]:
        """The items that fit each key, the surest key first."""
        said = split_year(title)[1] if year is None else year
        if LOST in title or (said is None and not near):
            return
        for span in (0, NEAR) if near else (0,):
            for key in title_keys(title):
                yield self._near(self._by_key.get(key, ()), said, span)

    def find_part(self, title: str, year: int | None = None) -> str | None:
        """As `find`, for what has no whole title here: a second title after "or" (the next or last
        year will do), a subtitle that either side lacks, words written as one, a maker's name
        before the title ("Jackie Chan's First Strike"), letters that were lost (U+FFFD: any fit).
        """
        said = split_year(title)[1] if year is None else year
        if LOST in title:
            return self._by_pattern(title, said)
        if said is None:
            return None
        for span in (0, NEAR):
            for key in subtitle_keys(title, second=True):
                if (found := self._within(self._by_key.get(key, ()), said, span)) is not None:
                    return found
        keys = title_keys(title)
        tables = [(self._by_key, key) for key in subtitle_keys(title)]
        tables += [(self._by_head, key) for key in keys]
        tables += [(self._by_run, key.replace(" ", "")) for key in keys]
        owner = _OWNER.match(title)
        tables += [(self._by_key, key) for key in (title_keys(owner["rest"]) if owner else ())]
        for table, key in tables:
            if (found := self._within(table.get(key, ()), said, 0)) is not None:
                return found
        return None

    def _within(self, places: Sequence[int], year: int | None, span: int) -> str | None:
        """The only item of these whose year lies within the span."""
        near = self._near(places, year, span)
        return near[0] if len(near) == 1 else None

    def _near(self, places: Sequence[int], year: int | None, span: int) -> list[str]:
        """The items of these whose year lies within the span."""
        return [
            self.items[place].id
            for place in places
            if year is None
            or ((own := self.items[place].year) is not None and abs(own - year) <= span)
        ]

    def _by_pattern(self, title: str, year: int | None) -> str | None:
        """The only item of the year whose key fits with any letter or two where one was lost."""
        for key in title_keys(title.replace(LOST, _ANY)):
            pattern = re.compile(re.escape(key).replace(_ANY, r"(?:[^ ]{0,2}| \d)"))
            places = {
                place
                for other, found in self._by_key.items()
                if pattern.fullmatch(other)
                for place in found
                if year is None or self.items[place].year == year
            }
            if len(places) == 1:
                return self.items[places.pop()].id
        return None


@dataclass
class TitleJoin:
    """The titles of a whole collection, joined to an index.

    `titles`: name -> (title, year or None for that in the title). `by_id`: name -> item, for names
    whose id is known here. `other_ids`: names whose id is known and is not here; only a whole title
    of the same year joins them. An item goes to the name that has its id, then to those with its
    whole title, and only then to one with a part of it.
    """

    index: TitleIndex
    titles: Mapping[str, tuple[str, int | None]]
    by_id: Mapping[str, str] = field(default_factory=dict[str, str])
    other_ids: Container[str] = frozenset()

    def unclear(self, name: str) -> bool:
        """Whether a name is not joined since several items bear its title."""
        title, year = self.titles.get(name, ("", None))
        return bool(title) and name not in self.other_ids and self.index.shared(title, year)

    @cached_property
    def found(self) -> Mapping[str, str]:
        """Name -> item, for names that are joined by title."""
        claimed = set(self.by_id.values())
        whole: dict[str, str] = {}
        rest: list[str] = []
        for name, (title, year) in self.titles.items():
            if name in self.by_id or not title:
                continue
            item = self.index.find(title, year, near=name not in self.other_ids)
            if item is None and name not in self.other_ids:
                rest.append(name)
            elif item is not None and item not in claimed:
                whole[name] = item
        claimed.update(whole.values())
        for name in rest:
            item = self.index.find_part(*self.titles[name])
            if item is not None and item not in claimed:
                whole[name] = item
        return whole


def known_items(catalogue: Catalogue) -> Iterable[Known]:
    """The items of a catalogue with their titles and, where it has such a field, years."""
    recency = catalogue.domain.recency
    years = None if recency is None else catalogue.columns.get(recency)
    for position, item_id in enumerate(catalogue.ids):
        year = None if years is None else years.value(position)
        number = int(year) if isinstance(year, int | float) else None
        yield Known(item_id, catalogue.item(position).title, number)
