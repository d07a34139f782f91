"""What a query must be by itself, before any item is looked at.

Every rule yields all it finds. Source: RecBench+ §4.2 (the kinds of queries).
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping

from mystery_shopper.suites.recbench.implied import MOST_THROUGH
from mystery_shopper.suites.recbench.mistaken import MOST_CLAIMED
from mystery_shopper.suites.recbench.query import (
    SCHEMA,
    Given,
    Kind,
    Person,
    Query,
    QuerySet,
)
from mystery_shopper.suites.recbench.relations import MOST_CONDITIONS

NAME = re.compile(r"[^\s@]+@[0-9]+")
_GIVEN = {
    Kind.IMPLICIT: (Given.REFERENCE, MOST_THROUGH),
    Kind.MISINFORMED: (Given.CLAIM, MOST_CLAIMED),
}


def query_problems(query: Query, *, imported: bool = False) -> list[str]:
    """What is wrong with one query by itself. An imported one keeps what its source says of it,
    which may be less than what is known of our own."""
    if imported:
        kind = _imported_problems(query)
    else:
        kind = _profile_problems(query) if query.kind.is_profile else _part_problems(query)
    return [*_common_problems(query), *kind]


def set_problems(query_set: QuerySet) -> list[str]:
    """What is wrong with a set beside what is wrong with each of its queries. The users of an
    imported set (`source`) need not be known, and may have consumed nothing that is known."""
    problems: list[str] = []
    if query_set.schema != SCHEMA:
        problems.append(f"schema: {query_set.schema} is not known; this version reads {SCHEMA}")
    if not NAME.fullmatch(query_set.name):
        problems.append(f"name: {query_set.name!r} is no name with a version, such as films@1")
    try:
        uuid.UUID(query_set.canary)
    except ValueError:
        problems.append(f"canary: {query_set.canary!r} is no GUID")
    if not query_set.queries:
        problems.append("queries: there must be at least one")
    ids = Counter(query.id for query in query_set.queries)
    problems += [f"queries: id {name!r} occurs {n} times" for name, n in ids.items() if n > 1]
    imported = bool(query_set.source)
    problems += _people_problems(query_set.people, imported)
    strangers = {
        q.user: q.id for q in reversed(query_set.queries) if q.user not in query_set.people
    }
    problems += [
        f"queries: {query_id} is asked by {user!r}, who is not among the people"
        for user, query_id in sorted(strangers.items())
        if not imported
    ]
    return problems


def _people_problems(people: Mapping[str, Person], imported: bool) -> Iterator[str]:
    for name, person in people.items():
        if not person.items and not imported:
            yield f"people.{name}: has consumed nothing"
        if len(set(person.items)) < len(person.items):
            yield f"people.{name}: an item occurs twice"


def _common_problems(query: Query) -> Iterator[str]:
    if not query.id.strip():
        yield "id: is empty"
    if not query.text.strip():
        yield "text: is empty"
    for name, ids in (("own", query.own), ("matching", query.matching), ("named", query.named)):
        if len(set(ids)) < len(ids):
            yield f"{name}: an item occurs twice"
    for name, ids in (("own", query.own), ("matching", query.matching)):
        if not ids:
            yield f"{name}: nothing answers the query"
        if both := sorted(set(ids) & set(query.named)):
            yield f"{name}: {', '.join(both)} is named in the query and must not stand here"
    if beyond := sorted(set(query.own) - set(query.matching)):
        yield f"own: {', '.join(beyond)} is not among the matching items"


def _imported_problems(query: Query) -> Iterator[str]:
    profile = query.profile
    if query.kind.is_profile and (profile is None or query.parts):
        yield f"profile: a query of kind {query.kind.value} has one, and no parts"
    if profile is not None:
        listed = [item for item in dict.fromkeys(profile.listed) if item not in query.named]
        if list(query.matching) != listed:
            yield "matching: must be the listed items that are not named, in their order"
    if query.kind.is_profile:
        return
    if profile is not None or not query.parts:
        yield f"parts: a query of kind {query.kind.value} has some, and no profile"
    if len(set(query.conditions)) < len(query.parts):
        yield "parts: a condition occurs twice"
    for number, part in enumerate(query.parts):
        if bool(part.through) == (part.given is Given.STATED):
            yield f"parts[{number}].through: goes with a reference or a claim, and with no other"
        if not set(part.through) <= set(query.named):
            yield f"parts[{number}].through: all of it must be named"


def _part_problems(query: Query) -> Iterator[str]:
    if query.profile is not None:
        yield f"profile: a query of kind {query.kind.value} has none"
    if not 1 <= len(query.parts) <= MOST_CONDITIONS:
        yield f"parts: there are {len(query.parts)} conditions; there can be 1 to {MOST_CONDITIONS}"
    if len(set(query.conditions)) < len(query.parts):
        yield "parts: a condition occurs twice"
    if len(query.own) == 1:
        yield "own: a group has at least two items"
    unstated = [part for part in query.parts if part.given is not Given.STATED]
    wanted, most = _GIVEN.get(query.kind, (None, 0))
    if [part.given for part in unstated] != [wanted] * (wanted is not None):
        told = f"one {wanted.value} and no other" if wanted else "no reference and no claim"
        yield f"parts: a query of kind {query.kind.value} has {told}"
    for number, part in enumerate(query.parts):
        if part.given is Given.STATED and part.through:
            yield f"parts[{number}].through: a stated condition goes through no item"
        if part.given is not Given.STATED and not 1 <= len(part.through) <= most:
            yield f"parts[{number}].through: must name 1 to {most} items"
    if query.named != tuple(item for part in query.parts for item in part.through):
        yield "named: must be the items of the reference or claim"


def _profile_problems(query: Query) -> Iterator[str]:
    if query.parts:
        yield f"parts: a query of kind {query.kind.value} has none"
    profile = query.profile
    if profile is None:
        yield f"profile: is missing in a query of kind {query.kind.value}"
        return
    if not profile.reason.strip():
        yield "profile.reason: is empty"
    if profile.users < 1:
        yield "profile.users: there is no user"
    listed = [item for item in dict.fromkeys(profile.listed) if item not in query.named]
    if list(query.matching) != listed:
        yield "matching: must be the listed items that are not named, in their order"
    if query.kind is Kind.INTEREST and (profile.group or profile.marks):
        yield "profile: an interest has no group and no marks"
    if query.kind is Kind.DEMOGRAPHICS:
        if profile.preceding:
            yield "profile.preceding: a group of users has none"
        if not profile.group:
            yield "profile.group: is empty"
        if tuple(mark.item for mark in profile.marks) != profile.listed:
            yield "profile.marks: must be the listed items"
