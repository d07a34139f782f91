"""The shipped set held against the film table and the made-up histories by loops of our own: none
of the code that drew it or that `check` proves it with is used."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mystery_shopper.sources.histories import load_synthetic

from .independent import PROFILES, fold, world

GIVEN = {"explicit": [], "implicit": ["reference"], "misinformed": ["claim"]}
KEPT = 5.1e-5
"""Shares and weights are kept to four places."""


def conditioned() -> Iterator[Mapping[str, Any]]:
    return (query for query in world().set["queries"] if query["kind"] not in PROFILES)


def profiled(kind: str) -> Iterator[Mapping[str, Any]]:
    return (query for query in world().set["queries"] if query["kind"] == kind)


def words(text: str) -> str:
    return " ".join(["", *re.findall(r"[^\W_]+", fold(text)), ""])


def test_every_cell_is_filled() -> None:
    sizes = Counter((query["kind"], min(len(query["parts"]), 3)) for query in conditioned())
    assert sizes == {(kind, width): 250 for kind in GIVEN for width in (1, 2, 3)}
    assert [sum(1 for _ in profiled(kind)) for kind in PROFILES] == [375, 375]
    assert len({query["text"] for query in world().set["queries"]}) == 3_000


def test_groups_are_closed_narrow_and_irreducible() -> None:
    for query in conditioned():
        history = set(world().set["people"][query["user"]]["items"])
        parts, named = query["parts"], set(query.get("named", ()))
        meeting = world().meeting(parts)
        group = meeting & history
        assert len(meeting) <= 200, query["id"]
        assert len(group) >= 2, query["id"]
        assert len(query["own"]) == len(set(query["own"])), query["id"]
        assert set(query["own"]) == group - named != set(), query["id"]
        assert len(query["matching"]) == len(set(query["matching"])), query["id"]
        assert set(query["matching"]) == meeting - named, query["id"]
        for place in range(len(parts) if len(parts) > 1 else 0):
            fewer = [part for at, part in enumerate(parts) if at != place]
            assert world().meeting(fewer) & history > group, (query["id"], place)


def test_references_fit_one_value_and_claims_are_false() -> None:
    for query in conditioned():
        given = [one["given"] for one in query["parts"] if one.get("given", "stated") != "stated"]
        assert given == GIVEN[query["kind"]], query["id"]
        for part in query["parts"]:
            value, through = fold(part["value"]), part.get("through", ())
            borne = [set(world().bears[film][part["relation"]]) for film in through]
            assert set(through) <= set(query.get("named", ())), query["id"]
            masked = part.get("given") == "reference"
            assert (words(part["value"]) in words(query["text"])) is not masked, query["id"]
            if masked:
                assert set.intersection(*borne) == {value}, query["id"]
            elif part.get("given") == "claim":
                assert 1 <= len(through) <= 3, query["id"]
                assert not any(value in values for values in borne), query["id"]


@lru_cache(maxsize=1)
def sequences() -> Mapping[str, Sequence[str]]:
    """User -> films in the order of time, each once."""
    histories = load_synthetic()
    rows = zip(histories.user_index, histories.time, histories.item_index, strict=True)
    taken: dict[str, dict[str, None]] = defaultdict(dict)
    for user, _, item in sorted((int(u), float(t), int(i)) for u, t, i in rows):
        taken[histories.users[user]].setdefault(histories.items[item])
    return {user: tuple(items) for user, items in taken.items()}


def consumers(run: Sequence[str]) -> set[str]:
    """Who consumed these films one right after another."""
    found: set[str] = set()
    for user, items in sequences().items():
        if run[0] in items:
            at = items.index(run[0])
            if items[at : at + len(run)] == tuple(run):
                found.add(user)
    return found


def test_people_are_those_of_the_histories() -> None:
    known = load_synthetic().demographics
    for user, person in world().set["people"].items():
        assert tuple(person["items"]) == sequences()[user]
        who = known[user]
        told = tuple(person.get(name) for name in ("gender", "age", "occupation"))
        assert told == (who.gender, who.age, who.occupation)


def test_interests_rest_on_what_users_consumed_in_a_row() -> None:
    counted = 0
    for query in profiled("interest"):
        profile = query["profile"]
        users = consumers(profile["listed"])
        assert query["user"] in users, query["id"]
        assert len(users) == profile["users"] >= world().set["origin"]["sequence_users"]
        for before in profile.get("preceding", ()):
            counted += 1
            both = [*before["items"], *profile["listed"]]
            assert len(consumers(both)) == before["users"], query["id"]
    assert counted > 300


def test_groups_are_marked_by_the_highest_tf_idf() -> None:
    everybody, who = sequences(), load_synthetic().demographics
    had = Counter(film for items in everybody.values() for film in items)
    for query in profiled("demographics"):
        profile = query["profile"]
        members = [
            user
            for user in everybody
            if all(getattr(who[user], name) == value for name, value in profile["group"].items())
        ]
        assert query["user"] in members, query["id"]
        assert len(members) == profile["users"] >= world().set["origin"]["group_users"]
        inside = Counter(film for user in members for film in everybody[user])
        weight = {
            film: count / len(members) * math.log(len(everybody) / had[film])
            for film, count in inside.items()
        }
        marks = [one["item"] for one in profile["marks"]]
        assert marks == profile["listed"], query["id"]
        least = min(weight[film] for film in marks)
        assert all(weight[f] <= least + 1e-12 for f in weight.keys() - set(marks)), query["id"]
        for one in profile["marks"]:
            assert abs(weight[one["item"]] - one["weight"]) < KEPT, query["id"]
            assert abs(inside[one["item"]] / len(members) - one["share"]) < KEPT, query["id"]


def test_reasons_tell_what_is_over_represented() -> None:
    consumed = {film for items in sequences().values() for film in items}
    for kind in PROFILES:
        for query in profiled(kind):
            profile, named = query["profile"], set(query.get("named", ()))
            listed, subset = set(profile["listed"]), set(profile["listed"])
            assert profile["traits"], query["id"]
            for one in profile["traits"]:
                bearers = world().bearers[one["relation"], fold(one["value"])]
                share, base = len(listed & bearers) / len(listed), len(consumed & bearers)
                assert abs(share - one["share"]) < KEPT, query["id"]
                assert abs(base / len(consumed) - one["base"]) < KEPT, query["id"]
                assert share > base / len(consumed), query["id"]
                subset &= bearers
            assert set(query["own"]) == subset - named, query["id"]
            assert set(query["matching"]) == listed - named, query["id"]


def test_no_opening_of_eight_words_comes_often() -> None:
    openings = [_opening(query) for query in world().set["queries"]]
    draw = random.Random(1)
    thousands = [openings[start : start + 1_000] for start in (0, 1_000, 2_000)]
    thousands += [draw.sample(openings, 1_000) for _ in range(20)]
    assert max(Counter(some).most_common(1)[0][1] for some in thousands) <= 10


def _opening(query: Mapping[str, Any]) -> str:
    """The first eight words, with titles and values masked."""
    text = re.sub(r'"[^"]+"', "x", query["text"])
    parts = [*query.get("parts", ()), *query.get("profile", {}).get("traits", ())]
    for value in sorted((one["value"] for one in parts), key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(value)}(?!\w)", "x", text, flags=re.I)
    return " ".join(re.findall(r"[\w']+", text.lower())[:8])
