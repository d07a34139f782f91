"""Every tool with good and bad arguments, called as an agent calls it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.catalog import build_catalogue
from mystery_shopper.dialogue import ToolErrorKind, ToolResult, invoke
from mystery_shopper.suites.tau_rec.desk import Desk
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.v1 import import_tau_rec_v1

from .helpers import BOTH, domain, lamp_shelf, shelf_of
from .v1.toys import raw_task, write


def desk(interface: Interface = Interface.STRUCTURED, history: tuple[str, ...] = ()) -> Desk:
    return Desk(lamp_shelf(), interface, history)


def ask(at: Desk, name: str, arguments: object) -> tuple[dict[str, Any], ToolErrorKind | None]:
    result: ToolResult = invoke(at.tools, name, arguments)
    return msgspec.json.decode(result.content), result.error


def ids(found: dict[str, Any]) -> list[str]:
    return [row["item_id"] for row in found["items"]]


def search(at: Desk | None = None, **arguments: Any) -> list[str]:
    found, error = ask(at or desk(), "search", arguments)
    assert error is None, found
    return ids(found)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({}, ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"]),
        ({"colour": "Red"}, ["a1", "a2", "a4", "a5"]),
        ({"colour": ["Red"]}, ["a1", "a2", "a4", "a5"]),
        ({"colour": ["Red", "Blue"]}, ["a4"]),
        ({"colour": "rEd"}, ["a1", "a2", "a4", "a5"]),
        ({"colour": []}, ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"]),
        ({"colour": None}, ["a1", "a2", "a3", "a4", "a5", "a6", "a7", "a8"]),
        ({"land": "north"}, ["a1", "a2", "a3", "a4", "a5", "a6"]),
        ({"made_min": 2010}, ["a5", "a6", "a8"]),
        ({"made_min": 1995, "made_max": 2000}, ["a2", "a3"]),
        ({"formats": "solar"}, ["a1", "a5"]),
        ({"formats": ["SOLAR", "e14"]}, ["a1", "a2", "a4", "a5", "a6"]),
        ({"colour": "Red", "land": "Norland", "made_min": 1995, "formats": ["solar"]}, ["a5"]),
        ({"order": "recency", "made_min": 2005}, ["a8", "a6", "a5", "a4"]),
    ],
)
def test_every_filter_must_hold(arguments: dict[str, Any], expected: list[str]) -> None:
    assert search(**arguments) == expected


def test_the_arguments_may_come_as_json_text() -> None:
    found, error = ask(desk(), "search", '{"colour": "Gold"}')
    assert (error, ids(found)) == (None, ["a1", "a6", "a7"])


def many() -> Shelf:
    names = list(domain().fields)
    values: dict[str, list[Any]] = {name: [None] * 45 for name in names}
    values["fame"] = list(range(45))
    return shelf_of(build_catalogue("lamps", domain(), [f"m{i:02}" for i in range(45)], values))


@pytest.mark.parametrize(("page", "count"), [(1, 20), (2, 20), (3, 5), (4, 0), (2**40, 0)])
def test_pages_hold_twenty_with_the_total(page: int, count: int) -> None:
    found, _ = ask(Desk(many(), Interface.STRUCTURED, ()), "search", {"page": page})
    assert (len(found["items"]), found["total"], found["pages"]) == (count, 45, 3)


def test_nothing_found_has_no_pages() -> None:
    found, error = ask(desk(), "search", {"colour": ["Red", "Gold", "Blue"]})
    assert (error, found) == (None, {"total": 0, "page": 1, "pages": 0, "items": []})


def test_an_unknown_label_names_the_nearest_first() -> None:
    found, error = ask(desk(), "search", {"colour": "Bleu"})
    assert error is ToolErrorKind.REFUSED
    assert "'Bleu' for colour" in found["error"]
    assert found["known"][0] == "Blue"
    assert set(found["known"]) == {"Blue", "Red", "Gold"}


@pytest.mark.parametrize("label", ["", " ", "x" * 100_000, "\x00", "日本"])
def test_a_label_of_any_kind_is_refused_briefly(label: str) -> None:
    found, error = ask(desk(), "search", {"colour": label})
    assert error is ToolErrorKind.REFUSED
    assert len(found["error"]) < 200


def test_a_parent_label_is_among_the_known() -> None:
    found, _ = ask(desk(), "search", {"land": "Nort"})
    assert "North" in found["known"]


def test_an_unknown_format_names_the_formats() -> None:
    found, error = ask(desk(), "search", {"formats": ["E72"]})
    assert (error, set(found["known"])) == (ToolErrorKind.REFUSED, {"E27", "E14", "solar"})


@pytest.mark.parametrize(
    "arguments",
    [
        {"page": 0},
        {"page": -1},
        {"page": "two"},
        {"page": True},
        {"order": "price"},
        {"made_min": "1990"},
        {"colour": 3},
        {"colour": [1]},
        {"color": "Red"},
        {"query": "Red"},
        [],
        3,
        "not JSON",
        "",
        None,
    ],
)
def test_bad_search_arguments_are_told_with_the_schema(arguments: object) -> None:
    found, error = ask(desk(), "search", arguments)
    assert error is ToolErrorKind.BAD_ARGUMENTS
    assert "properties" in found["schema"]


def test_keywords_find_items_and_show_their_rows() -> None:
    at = desk(Interface.KEYWORD)
    found, error = ask(at, "search", {"query": "ember"})
    assert (error, ids(found)) == (None, ["a4", "a5"])
    assert set(found) == {"items"}
    assert found["items"][0]["land"] == "Sudland"


@pytest.mark.parametrize("query", ["", "   ", "xyzzy", "?!", "2005"])
def test_keywords_that_match_nothing_get_a_plain_answer(query: str) -> None:
    found, error = ask(desk(Interface.KEYWORD), "search", {"query": query})
    assert error is None
    assert found == {"items": [], "note": "No item matches any of these words."}


def test_an_endless_query_gets_an_answer() -> None:
    found, error = ask(desk(Interface.KEYWORD), "search", {"query": "ember " * 20_000})
    assert (error, ids(found)) == (None, ["a4", "a5"])


def test_at_most_twenty_keyword_matches_come_back() -> None:
    values: dict[str, list[Any]] = {name: [None] * 30 for name in domain().fields}
    values["name"] = ["lamp"] * 25 + ["moon"] * 5
    shelf = shelf_of(build_catalogue("lamps", domain(), [f"m{i}" for i in range(30)], values))
    assert len(search(Desk(shelf, Interface.KEYWORD, ()), query="lamp")) == 20


@pytest.mark.parametrize(
    "arguments", [{}, {"query": 3}, {"query": "x", "page": 2}, {"colour": "Red"}]
)
def test_bad_keyword_arguments_are_told(arguments: object) -> None:
    assert ask(desk(Interface.KEYWORD), "search", arguments)[1] is ToolErrorKind.BAD_ARGUMENTS


def test_metadata_holds_what_is_shown() -> None:
    found, error = ask(desk(), "get_metadata", {"item_id": "a2"})
    assert error is None
    assert (found["name"], found["form"], found["fame"]) == ("Red Moon", ["E14"], 90)
    assert "note" not in found


def test_the_formats_of_an_item() -> None:
    found, error = ask(desk(), "check_formats", {"item_id": "a4"})
    assert error is None
    assert found["item_id"] == "a4"
    assert set(found["formats"]) == {"E27", "E14"}


@pytest.mark.parametrize("name", ["get_metadata", "check_formats"])
@pytest.mark.parametrize("item_id", ["a9", "", "A1", " a1", "x" * 500])
def test_an_unknown_id_is_refused(name: str, item_id: str) -> None:
    found, error = ask(desk(), name, {"item_id": item_id})
    assert error is ToolErrorKind.REFUSED
    assert len(found["error"]) < 150


@pytest.mark.parametrize("name", ["get_metadata", "check_formats", "recommend"])
@pytest.mark.parametrize("arguments", [{}, {"item_id": 5}, {"id": "a1"}, None, "[]"])
def test_bad_ids_are_told(name: str, arguments: object) -> None:
    assert ask(desk(), name, arguments)[1] is ToolErrorKind.BAD_ARGUMENTS


def test_the_history_names_what_the_user_knows() -> None:
    found, error = ask(desk(history=("a1", "a8")), "get_history", {})
    assert error is None
    assert found["history"] == [
        {"item_id": "a1", "name": "Old Glow"},
        {"item_id": "a8", "name": "a8"},
    ]


def test_a_history_item_outside_the_catalogue_is_passed_over() -> None:
    assert ask(desk(history=("gone",)), "get_history", {})[0] == {"history": []}


def test_the_history_takes_no_arguments() -> None:
    assert ask(desk(), "get_history", {"page": 1})[1] is ToolErrorKind.BAD_ARGUMENTS


@pytest.mark.parametrize("item_id", ["a1", None, "no such id"])
def test_the_decision_is_the_id_passed(item_id: str | None) -> None:
    at = desk()
    found, error = ask(at, "recommend", {"item_id": item_id})
    assert (found, error) == ({"recommended": item_id}, None)
    assert at.decision is not None
    assert at.decision.item_id == item_id


def test_a_bad_recommendation_decides_nothing() -> None:
    at = desk()
    ask(at, "recommend", {"item_id": 3})
    assert at.decision is None


@pytest.mark.parametrize("interface", BOTH)
def test_without_formats_there_is_no_tool_and_no_filter_for_them(interface: Interface) -> None:
    bare = msgspec.structs.replace(domain(), formats=None)
    values: dict[str, list[Any]] = {name: [None] for name in bare.fields}
    at = Desk(shelf_of(build_catalogue("bare", bare, ["b1"], values)), interface, ())
    assert ask(at, "check_formats", {"item_id": "b1"})[1] is ToolErrorKind.UNKNOWN_TOOL
    assert ask(at, "search", {"formats": "E27"})[1] is ToolErrorKind.BAD_ARGUMENTS
    if interface is Interface.STRUCTURED:
        assert search(at) == ["b1"]


@pytest.mark.parametrize("interface", BOTH)
def test_a_hallucinated_tool_is_told_which_there_are(interface: Interface) -> None:
    found, error = ask(desk(interface), "buy", {})
    assert error is ToolErrorKind.UNKNOWN_TOOL
    assert "recommend" in found["tools"]


def policy_desk(folder: Path) -> Desk:
    catalogue, _ = import_tau_rec_v1(write(folder, [raw_task()]))
    return Desk(Shelf(catalogue), Interface.STRUCTURED, ())


def test_the_content_check_is_there_where_the_domain_restricts_something(tmp_path: Path) -> None:
    at = policy_desk(tmp_path)
    spec = at.tools["check_content_preference"].spec
    assert list(spec.schema["properties"]) == ["content_rating"]
    assert "check_content_preference" not in desk().tools
    for label, restricted in (("R", True), ("NC-17", True), ("PG", False), ("NR", False)):
        found, error = ask(at, "check_content_preference", {"content_rating": label})
        assert error is None
        assert (found["label"], found["restricted"]) == (label, restricted)


@pytest.mark.parametrize("label", ["r", "X", "", "R "])
def test_the_content_check_knows_labels_as_they_are_written(label: str, tmp_path: Path) -> None:
    found, error = ask(policy_desk(tmp_path), "check_content_preference", {"content_rating": label})
    assert error is ToolErrorKind.REFUSED
    assert found["known"] == ["NR", "PG", "PG-13", "R", "NC-17"]
