"""What the items of a release are: the catalogue on which its queries are put.

It is a catalogue that is there already, or the release's own list of items (`movies.dat`,
`books.dat`), or, where there is neither, the items that the files name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.catalogue import id_problem
from mystery_shopper.catalog.titles import title_keys
from mystery_shopper.foundation import InputError, slug
from mystery_shopper.sources.histories.reading import mended
from mystery_shopper.sources.itemlists import (
    BOOKS,
    FILMS,
    ItemList,
    Listed,
    catalogue_of,
    dated,
    read_items,
)
from mystery_shopper.suites.recbench.released.model import BOOK, MOVIE, Release, Released

LISTS: Mapping[str, tuple[str, ...]] = {
    MOVIE: ("movies.dat", "movies.csv"),
    BOOK: ("books.dat",),
}
"""Domain -> the names that a list of its items may have."""


@dataclass(frozen=True, eq=False)
class Given:
    """A catalogue that is there already: what it was named by, and the YAML of its domain."""

    catalogue: Catalogue
    domain_text: str
    name: str


@dataclass(frozen=True, eq=False)
class Items:
    """The items of one domain. `names`: an id of the release -> its title. `own`: the catalogue has
    the release's ids. `told`: where it comes from, for people. `listed`: the file of items, if the
    release has one. `bad`: its lines that were left out."""

    catalogue: Catalogue
    domain_text: str
    names: Mapping[str, str]
    own: bool
    told: tuple[str, ...]
    listed: Path | None = None
    bad: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def items_of(
    release: Release,
    domain: str,
    folder: Path,
    given: Given | None = None,
    *,
    skip: bool = False,
) -> Items:
    """The items of one domain of a release. `skip` leaves bad lines of a list out. Raises
    InputError as `read_items`, and where the files name no item."""
    path = find_list(folder, domain)
    listed = read_items(path, skip=skip) if path is not None else ItemList(())
    bad, notes = listed.problems, listed.remarks
    if given is not None:
        return Items(
            given.catalogue, given.domain_text, listed.titles, False,
            (f"the catalogue {given.name}",), path, bad, notes,
        )  # fmt: skip
    words = FILMS if domain == MOVIE else BOOKS
    name = f"recbench-plus-{domain}"
    if path is not None:
        made, text = catalogue_of(listed.items, words, name=name)
        return Items(made, text, listed.titles, True, (str(path),), path, bad, notes)
    named = list(_named(release.of(domain)))
    if not named:
        raise InputError(
            f"the {domain} files name no item", where=str(folder),
            remedy="Give a catalogue: --catalog films, or a catalogue folder.",
        )  # fmt: skip
    made, text = catalogue_of(named, words, name=name)
    return Items(
        made, text, {}, False,
        (
            f"the {len(named):,} {made.domain.noun.plural} that the files themselves name, for"
            f" want of {' or '.join(LISTS[domain])} and of --catalog:",
            "a title that is no answer of the release counts as unknown, and nothing but titles is"
            " known (give --graph)",
        ),
    )  # fmt: skip


def find_list(folder: Path, domain: str) -> Path | None:
    """The file of items of a domain: in the folder, else the first below it."""
    for name in LISTS[domain]:
        below = sorted(path for path in folder.rglob(name) if path.is_file())
        near = sorted(below, key=lambda path: (len(path.relative_to(folder).parts), str(path)))
        if near:
            return near[0]
    return None


@dataclass
class _Named:
    """Items by what they are called, as they are met."""

    items: dict[str, Listed] = field(default_factory=dict[str, Listed])
    by_title: dict[tuple[str, int | None], str] = field(
        default_factory=dict[tuple[str, int | None], str]
    )

    def add(self, title: str, ident: str) -> None:
        name, year = dated(mended(title))
        key = (title_keys(name)[0], year)
        if not name or key in self.by_title:
            return
        own = ident if ident and id_problem(ident) is None else ""
        if not own or own in self.items:
            base = own = slug(name if year is None else f"{name} {year}")
            again = 1
            while own in self.items:
                again += 1
                own = f"{base}-{again}"
        self.by_title[key] = own
        self.items[own] = Listed(own, name, year)


def _named(queries: tuple[Released, ...]) -> Iterator[Listed]:
    """Each title that the files name as an item once, by its id there where they give one."""
    named = _Named()
    # Those with ids first, so that a title that also stands without one has it.
    for with_id in (True, False):
        for query in queries:
            for title, ident in _titles(query):
                if title and bool(ident) is with_id:
                    named.add(title, ident)
    yield from named.items.values()


def _titles(query: Released) -> Iterator[tuple[str, str]]:
    yield from zip(query.titles, query.ids or [""] * len(query.titles), strict=True)
    yield from zip(query.listed, query.listed_ids or [""] * len(query.listed), strict=True)
    yield from ((fact.title, "") for fact in query.facts)
