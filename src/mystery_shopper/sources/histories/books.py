"""Books as the releases of Amazon and Goodreads describe them, and a catalogue of them."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from mystery_shopper.catalog import Catalogue, Domain, FieldSpec, Kind, build_catalogue, load_domain
from mystery_shopper.catalog.catalogue import id_problem
from mystery_shopper.catalog.graph_values import name_key
from mystery_shopper.foundation import InputError
from mystery_shopper.sources.histories.account import HistoryReport, Ledger
from mystery_shopper.sources.histories.gathering import Found, Gathering, Joined, Several, by_own_id
from mystery_shopper.sources.histories.histories import Histories
from mystery_shopper.sources.histories.joining import TitleIndex

MOST_BOOKS = 20_000
_LANGUAGES: dict[str, str] = {
    code: name
    for code, _, name in (
        pair.partition(":")
        for pair in (
            "ara:Arabic bul:Bulgarian cat:Catalan chi:Chinese cze:Czech dan:Danish de:German"
            " dut:Dutch ell:Greek en:English eng:English es:Spanish est:Estonian fil:Filipino"
            " fin:Finnish fr:French fre:French ger:German gre:Greek heb:Hebrew hin:Hindi"
            " hun:Hungarian ind:Indonesian isl:Icelandic it:Italian ita:Italian ja:Japanese"
            " jpn:Japanese kor:Korean lat:Latin lav:Latvian lit:Lithuanian may:Malay msa:Malay"
            " nl:Dutch nor:Norwegian per:Persian pl:Polish pol:Polish por:Portuguese pt:Portuguese"
            " rum:Romanian rus:Russian scr:Croatian slo:Slovak slv:Slovenian spa:Spanish"
            " srp:Serbian swe:Swedish tha:Thai tur:Turkish ukr:Ukrainian urd:Urdu vie:Vietnamese"
            " zho:Chinese"
        ).split()
    )
}
_PUBLISHER = FieldSpec(Kind.CATEGORY, label="publisher")


@dataclass(frozen=True)
class Book:
    """One book. `other_ids`: what else it goes by (ISBN, work, edition)."""

    id: str
    title: str
    authors: tuple[str, ...] = ()
    genres: tuple[str, ...] = ()
    publisher: str | None = None
    language: str | None = None
    year: int | None = None
    other_ids: tuple[str, ...] = ()


def language_named(code: str) -> str | None:
    """The name of a language that a release gives by its code ("eng", "en-US"); other words stay as
    they are, and those for several languages are none."""
    known = code.strip()
    if not known or known in ("mul", "und", "--"):
        return None
    return _LANGUAGES.get(known.split("-")[0].lower(), known)


class Review(NamedTuple):
    """One review or rating: line, user, item, rating (NaN for none), time in seconds."""

    line: int
    user: str
    item: str
    rating: float
    time: int


Books: TypeAlias = Callable[[Ledger], Iterator[Book]]
Reviews: TypeAlias = Callable[[Ledger], Iterator[Review]]


class LoadedBooks(NamedTuple):
    """Histories with books, their account, and the catalogue that they are of."""

    histories: Histories
    report: HistoryReport
    catalogue: Catalogue


@dataclass(frozen=True)
class Release:
    """The two streams of a release, each of which may be begun again, with the path of the reviews
    and the words for the whole. `one_in`: one user in so many is taken, by a hash of the name."""

    source: str
    path: Path
    books: Books
    reviews: Reviews
    one_in: int = 1

    def sampled(self, ledger: Ledger) -> Iterator[Review]:
        """The reviews of the users that are taken."""
        if self.one_in == 1:
            return self.reviews(ledger)
        return (
            review
            for review in self.reviews(ledger)
            if zlib.crc32(review.user.encode("utf-8", "surrogatepass")) % self.one_in == 0
        )

    def load(self, catalogue: Catalogue | None, most: int = MOST_BOOKS) -> LoadedBooks:
        """Histories with the books of a catalogue; without one, of the `most` reviewed books that
        the release describes, of which one is made.

        Lines are read one by one; what is kept grows with the reviews that are taken. Raises
        InputError where nothing is joined, or most lines are no reviews or books.
        """
        if self.one_in < 1:
            raise InputError(f"one user in {self.one_in} cannot be taken", where=self.source,
                             remedy="Give 1 or more.")  # fmt: skip
        ledger = Ledger()
        if catalogue is None:
            counts = Counter(review.item for review in self.sampled(Ledger()))
            ours = self._catalogue(counts, most, ledger)
            join = by_own_id(ours)
        else:
            ours = catalogue
            join = BookJoin.of(ours, self.books(ledger)).join
        gathering = Gathering(join, ledger)
        for line, user, item, rating, time in self.sampled(ledger):
            gathering.add(self.path, line, user, item, rating, time)
        ledger.refuse_if_foreign(self.path, ledger.read - ledger.out_of_range)
        histories, report = gathering.loaded(self.source, str(self.path))
        return LoadedBooks(histories, self._named(report), ours)

    def _catalogue(self, counts: Counter[str], most: int, ledger: Ledger) -> Catalogue:
        wanted = set(nsmallest(most, counts, key=lambda item: (-counts[item], item)))
        described = {book.id: book for book in self.books(ledger) if book.id in wanted}
        if not described:
            raise InputError(
                [f"none of {len(counts):,} reviewed books is described", *ledger.problems[:3]],
                where=str(self.path),
                remedy="Give the metadata and the reviews of one release.",
            )
        return book_catalogue(described.values(), [counts[item] for item in described])

    def _named(self, report: HistoryReport) -> HistoryReport:
        """The account with titles in place of ids, where the release describes the books."""
        ids = {item for item, _ in report.unknown}
        titles: dict[str, str] = {}
        if ids:
            for book in self.books(Ledger()):
                if book.id in ids:
                    titles[book.id] = book.title
                    if len(titles) == len(ids):
                        break
        named = tuple(
            (f"{titles[item]} ({item})" if item in titles else item, count)
            for item, count in report.unknown
        )
        return replace(report, unknown=named)


@dataclass(frozen=True)
class BookJoin:
    """Which book of a catalogue each book of a release is, for those that are."""

    catalogue: Catalogue
    found: dict[str, Joined | Several]

    @classmethod
    def of(cls, catalogue: Catalogue, books: Iterable[Book]) -> BookJoin:
        """By its id or another of its ids; else by its title, if one book has it and, where both
        name authors, they share one."""
        index = TitleIndex.of_catalogue(catalogue)
        found: dict[str, Joined | Several] = {}
        for book in books:
            known = next((i for i in (book.id, *book.other_ids) if i in index.ids), None)
            if known is not None:
                found[book.id] = Joined(known, "id")
                continue
            item = index.find(book.title) if book.title else None
            if item is not None and _agrees(catalogue, item, book.authors):
                found[book.id] = Joined(item, "title")
            elif item is None and book.title and index.shared(book.title):
                found[book.id] = Several(book.title)
        return cls(catalogue, found)

    def join(self, name: str) -> Found:
        """The book that this one is; its title where it is ambiguous, its own name where it is
        unknown."""
        found = self.found.get(name)
        if not isinstance(found, Joined) and name in self.catalogue.position_of:
            return Joined(name, "id")
        return name if found is None else found


def _agrees(catalogue: Catalogue, item: str, authors: Sequence[str]) -> bool:
    """Whether an item bears one of the names, or there is none to ask for."""
    position = catalogue.position_of[item]
    named = {
        name_key(label)
        for field, spec in catalogue.domain.fields.items()
        if spec.kind is Kind.CATEGORIES
        for label in catalogue.labels(field).labels_of(position)
    }
    return not authors or any(name_key(author) in named for author in authors)


def book_catalogue(books: Iterable[Book], popularity: Sequence[int]) -> Catalogue:
    """A catalogue of books with the fields that at least one of them has. A book whose id cannot
    be one, or without a title, falls away."""
    pairs = [
        (book, count)
        for book, count in zip(books, popularity, strict=True)
        if book.title and id_problem(book.id) is None
    ]
    kept = [book for book, _ in pairs]
    values: dict[str, list[object]] = {
        "title": [book.title for book in kept],
        "author": [book.authors for book in kept],
        "genre": [book.genres for book in kept],
        "publisher": [book.publisher for book in kept],
        "language": [book.language for book in kept],
        "year": [book.year for book in kept],
        "popularity": [count for _, count in pairs],
    }
    known = {name: column for name, column in values.items() if any(column)}
    return build_catalogue("books", _domain(known), [book.id for book in kept], known)


def _domain(known: Iterable[str]) -> Domain:
    shipped = load_domain("books")
    specs = {**shipped.fields, "publisher": _PUBLISHER}
    fields = {name: specs[name] for name in known}
    templates = {
        tier: kept
        for tier, slots in shipped.templates.items()
        if (kept := tuple(one for one in slots if _has(one, fields)))
    }
    return msgspec.structs.replace(
        shipped,
        fields=fields,
        recency="year" if "year" in fields else None,
        templates=templates if len(templates) == len(shipped.templates) else {},
        varieties=None,
    )


def _has(slots: Sequence[str], fields: Iterable[str]) -> bool:
    return {slot.split(" ")[0] for slot in slots} <= set(fields)
