"""Groups of users by gender, age and occupation, and the items that mark each.

Source: RecBench+ §4.2.2.2. An item's weight in a group is tf x idf: tf is the share of the group's
users that consumed it, idf the natural logarithm of all users over its consumers. In the release
too an item has one idf whatever the group: TF-IDF over share is the same number in each.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.shelves import Shelves

ATTRIBUTES = ("gender", "age", "occupation")
LEAST_USERS = 5
MARKS = 10


@dataclass(frozen=True)
class Marked:
    """An item, the share of the group's users that consumed it, and its TF-IDF."""

    item: int
    share: float
    weight: float


@dataclass(frozen=True, eq=False)
class Group:
    """Users that share attributes: (attribute, value) pairs in the order of `ATTRIBUTES`; `users`
    are their places, ascending; `marks` the items that mark the group, strongest first."""

    attributes: tuple[tuple[str, str], ...]
    users: tuple[int, ...]
    marks: tuple[Marked, ...]


def demographic_groups(
    shelves: Shelves, least_users: int = LEAST_USERS, marks: int = MARKS
) -> list[Group]:
    """The groups of at least `least_users` users by each attribute and each combination of them,
    by attributes, then values. Users of whom an attribute is unknown are in no group of it."""
    if least_users < 1 or marks < 1:
        raise InputError(
            "a group has at least one user and one item",
            where="groups",
            remedy="Ask for at least 1.",
        )
    idf = inverse_frequency(shelves)
    found: list[Group] = []
    for width in range(1, len(ATTRIBUTES) + 1):
        for names in combinations(ATTRIBUTES, width):
            members: dict[tuple[str, ...], list[int]] = {}
            for place, user in enumerate(shelves.users):
                known = attributes_of(shelves, user)
                values = tuple(known[name] for name in names)
                if all(value is not None for value in values):
                    members.setdefault(tuple(str(value) for value in values), []).append(place)
            found.extend(
                Group(tuple(zip(names, values, strict=True)), tuple(users), ())
                for values, users in sorted(members.items())
                if len(users) >= least_users
            )
    return [
        Group(one.attributes, one.users, tuple(_marks(shelves, one.users, idf, marks)))
        for one in found
    ]


def attributes_of(shelves: Shelves, user: str) -> dict[str, str | None]:
    """Attribute -> what is known of a user."""
    who = shelves.who(user)
    return dict(zip(ATTRIBUTES, (who.gender, who.age, who.occupation), strict=True))


def inverse_frequency(shelves: Shelves) -> NDArray[np.float64]:
    """ln(users / consumers) of each item of the graph; 0 for an item that nobody consumed, as it
    marks no group."""
    consumers = shelves.consumers.astype(np.float64)
    some = consumers > 0
    return np.where(some, np.log(len(shelves) / np.where(some, consumers, 1.0)), 0.0)


def _marks(
    shelves: Shelves, users: tuple[int, ...], idf: NDArray[np.float64], most: int
) -> list[Marked]:
    held = np.concatenate([shelves.at(user) for user in users])
    items, counts = np.unique(held, return_counts=True)
    shares = counts / len(users)
    weights = shares * idf[items]
    strong = np.lexsort((items, -weights))[:most]
    return [
        Marked(int(items[one]), float(shares[one]), float(weights[one]))
        for one in strong.tolist()
        if weights[one] > 0
    ]
