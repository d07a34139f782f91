"""Query files: the same bytes for the same set, and every fault of a bad one with its place."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.foundation import InputError
from mystery_shopper.suites.recbench.queryfile import (
    load_query_set,
    parse_query_set,
    query_set_bytes,
    save_query_set,
)

from .world import small_set

Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize("name", ["queries.json", "queries.json.gz"])
def test_a_set_comes_back_from_its_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    save_query_set(small_set(), path)
    first = path.read_bytes()
    again = load_query_set(path)
    assert again == small_set()
    assert again.digest == small_set().digest
    save_query_set(again, path)
    assert path.read_bytes() == first
    assert first.startswith(b"\x1f\x8b") == name.endswith(".gz")


def test_there_is_one_query_and_one_person_a_line() -> None:
    lines = query_set_bytes(small_set()).decode().splitlines()
    queries = [line for line in lines if line.startswith('{"id":')]
    assert [json.loads(line.rstrip(","))["id"] for line in queries] == list(small_set().by_id)
    assert sum(line.startswith('"u') for line in lines) == len(small_set().people)


def changed(change: Change) -> bytes:
    value = json.loads(query_set_bytes(small_set()))
    change(value)
    return json.dumps(value).encode()


def first(value: dict[str, Any], kind: str) -> dict[str, Any]:
    return next(query for query in value["queries"] if query["kind"] == kind)


def twice(query: dict[str, Any], name: str) -> None:
    """Repeat the first entry of a list."""
    query[name].append(query[name][0])


BROKEN: list[tuple[Change, str]] = [
    (lambda v: v.update(schema=9), "schema: 9 is not known; this version reads 1"),
    (lambda v: v.update(name="films"), "name: 'films' is no name with a version"),
    (lambda v: v.update(canary="x"), "canary: 'x' is no GUID"),
    (lambda v: v.update(queries=[]), "queries: there must be at least one"),
    (lambda v: v.update(queries={}), "queries: must be a list"),
    (lambda v: v.update(extra=1), "extra: unknown key"),
    (lambda v: v.pop("people"), "people: is missing"),
    (lambda v: v["queries"].append(v["queries"][0]), "id 'explicit-1-001' occurs 2 times"),
    (lambda v: v["people"].clear(), "explicit-1-001 is asked by 'u"),
    (lambda v: v["people"].update(u00={"items": []}), "people.u00: has consumed nothing"),
    (lambda v: v["people"]["u01"]["items"].append(v["people"]["u01"]["items"][0]), "occurs twice"),
    (lambda v: v["queries"][4].pop("own"), r"queries[4] (explicit-1-005).own: is missing"),
    (lambda v: v["queries"][1].update(kind="vague"), r"queries[1] (explicit-1-002).kind: Invalid"),
    (lambda v: v["queries"][0].update(text=" "), "queries[0] (explicit-1-001).text: is empty"),
    (lambda v: first(v, "explicit").update(own=["f001"]), "own: a group has at least two items"),
    (lambda v: first(v, "explicit").update(own=["no", "on"]), "own: no, on is not among the match"),
    (lambda v: first(v, "explicit").update(parts=[]), "parts: there are 0 conditions"),
    (lambda v: v["queries"][0].update(id=" "), "id: is empty"),
    (lambda v: twice(first(v, "explicit"), "matching"), "matching: an item occurs twice"),
    (lambda v: first(v, "explicit").update(matching=[]), "matching: nothing answers the query"),
    (lambda v: twice(first(v, "explicit"), "parts"), "parts: a condition occurs twice"),
    (lambda v: first(v, "implicit").update(own=first(v, "implicit")["named"] * 2), "is named in"),
    (lambda v: first(v, "explicit")["parts"][0].update(through=["f001"]), "goes through no item"),
    (lambda v: first(v, "explicit").update(profile=first(v, "interest")["profile"]), "has none"),
    (lambda v: first(v, "interest").update(parts=first(v, "explicit")["parts"]), "parts: a query"),
    (lambda v: first(v, "interest")["profile"].update(users=0), "profile.users: there is no user"),
    (lambda v: first(v, "interest")["profile"].update(group={"age": "1"}), "no group and no marks"),
    (
        lambda v: first(v, "demographics")["profile"].update(
            preceding=[{"items": ["f001"], "users": 2}]
        ),
        "profile.preceding: a group of users has none",
    ),
    (lambda v: first(v, "explicit").update(kind="implicit"), "one reference and no other"),
    (lambda v: first(v, "implicit").update(kind="misinformed"), "one claim and no other"),
    (lambda v: first(v, "implicit").update(kind="explicit"), "no reference and no claim"),
    (lambda v: first(v, "misinformed").update(named=[]), "named: must be the items of the ref"),
    (lambda v: first(v, "implicit")["parts"][0].update(through=list("abcd")), "1 to 3 items"),
    (lambda v: first(v, "interest").pop("profile"), "profile: is missing"),
    (lambda v: first(v, "interest")["profile"].update(reason=""), "profile.reason: is empty"),
    (lambda v: first(v, "demographics")["profile"].update(group={}), "profile.group: is empty"),
    (lambda v: first(v, "demographics")["profile"].update(marks=[]), "must be the listed items"),
    (lambda v: first(v, "interest").update(matching=["f001"]), "must be the listed items that are"),
]


@pytest.mark.parametrize(("change", "told"), BROKEN, ids=[told[:40] for _, told in BROKEN])
def test_a_fault_is_told_with_its_place(change: Change, told: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_query_set(changed(change), "bad.json")
    assert told in str(caught.value)
    assert caught.value.where == "bad.json"
    assert caught.value.remedy


def test_all_faults_of_a_file_are_told_at_once() -> None:
    def change(value: dict[str, Any]) -> None:
        value["queries"][0].pop("own")
        value["queries"][2].update(style="shouted")
        value.update(schema="one")

    with pytest.raises(InputError) as caught:
        parse_query_set(changed(change), "bad.json")
    assert len(caught.value.problems) == 3


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"{", "line 1, column 2: not JSON"),
        (b"[]", "must hold one JSON object"),
        (b'{"schema": 1, "schema": 1}', "key 'schema' occurs 2 times"),
        (b"\xff", "byte 0 is not UTF-8"),
        (gzip.compress(b"{}", mtime=0)[:12], "cannot be unpacked"),
        (b"\x1f\x8bxx", "cannot be unpacked"),
    ],
)
def test_what_is_no_query_file(raw: bytes, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_query_set(raw, "bad.json")


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_query_set(tmp_path / "none.json")
