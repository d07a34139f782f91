"""What the published files hold, as they are written there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mystery_shopper.suites.recbench.query import Kind, Style

MOVIE, BOOK = "movie", "book"
DOMAINS = (MOVIE, BOOK)


@dataclass(frozen=True)
class Fact:
    """What a record says of one item that its text names: the item's title, the relation, and the
    name that it bears, or is claimed to bear."""

    title: str
    relation: str
    value: str


@dataclass(frozen=True)
class Released:
    """One query as published. `place`: its file and record. `domain`: "movie" or "book". `number`:
    what the release calls it, unique within its kind and domain; "" where it does not say.
    `conditions`: (relation, value) as written there. `titles`: what answers it, "" where only an id
    stands there; `ids`: their ids there, as many or none. `user`: who asks, a group's number where
    nobody does. `facts`: of the items that the text names. `group`: attribute -> value, `listed`:
    the titles that mark it or the sequence, `listed_ids`: their ids there, as many or none,
    `users`: how many share it."""

    place: str
    domain: str
    kind: Kind
    user: str
    style: Style
    text: str
    titles: tuple[str, ...]
    ids: tuple[str, ...] = ()
    conditions: tuple[tuple[str, str], ...] = ()
    reason: str = ""
    group: Mapping[str, str] = field(default_factory=dict[str, str])
    listed: tuple[str, ...] = ()
    listed_ids: tuple[str, ...] = ()
    users: int = 0
    facts: tuple[Fact, ...] = ()
    number: str = ""


@dataclass(frozen=True)
class Release:
    """All queries of a folder, by file and record. `files`: path -> its number of queries. `notes`:
    what does not agree within a record, and does no harm. `bad`: what was left out, as asked."""

    queries: tuple[Released, ...]
    files: Mapping[str, int]
    notes: tuple[str, ...] = ()
    bad: tuple[str, ...] = ()

    @property
    def domains(self) -> tuple[str, ...]:
        """The domains that there are queries of."""
        there = {query.domain for query in self.queries}
        return tuple(domain for domain in DOMAINS if domain in there)

    def of(self, domain: str) -> tuple[Released, ...]:
        """The queries of one domain."""
        return tuple(query for query in self.queries if query.domain == domain)
