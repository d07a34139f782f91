"""A query set with what tells of people taken out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from mystery_shopper.suites.recbench.query import Person, Profile, Query, QuerySet


def redacted(queries: QuerySet, text: Callable[[str], str]) -> QuerySet:
    """The set with `text` applied to the users' names, to what is known of them, and to the words
    of the queries and of their reasons. Users whose names became alike are numbered in their
    names' order, so that they stay apart; the same set where nothing changed."""
    names = _names(sorted({*queries.people, *(query.user for query in queries.queries)}), text)
    people = {names[name]: _person(one, text) for name, one in queries.people.items()}
    asked = tuple(_query(one, names, text) for one in queries.queries)
    if people == queries.people and asked == queries.queries:
        return queries
    return replace(queries, people=people, queries=asked)


def _names(users: Iterable[str], text: Callable[[str], str]) -> dict[str, str]:
    """User -> the name that is left."""
    left = {user: text(user) for user in users}
    often, seen = Counter(left.values()), Counter[str]()
    for user, name in left.items():
        if name != user and (often[name] > 1 or name in left):
            seen[name] += 1
            left[user] = f"{name}-{seen[name]}"
    return left


def _person(person: Person, text: Callable[[str], str]) -> Person:
    gender, age, occupation = (
        None if told is None else text(told)
        for told in (person.gender, person.age, person.occupation)
    )
    return replace(person, gender=gender, age=age, occupation=occupation)


def _query(query: Query, names: Mapping[str, str], text: Callable[[str], str]) -> Query:
    profile = None if query.profile is None else _profile(query.profile, text)
    return replace(query, user=names[query.user], text=text(query.text), profile=profile)


def _profile(profile: Profile, text: Callable[[str], str]) -> Profile:
    group = {name: text(value) for name, value in profile.group.items()}
    return replace(profile, reason=text(profile.reason), group=group)
