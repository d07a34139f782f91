"""Task files: the same bytes for the same set, every error at once, and no changed shipped file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.catalog import Operator, Predicate, load_domain
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec import taskfile
from mystery_shopper.suites.tau_rec.task import (
    CatalogueRef,
    Condition,
    Family,
    Origin,
    Reveal,
    TaskSet,
    Tier,
    canary_for,
)
from mystery_shopper.suites.tau_rec.taskfile import (
    load_task_set,
    parse_task_set,
    save_task_set,
    shipped_names,
    shipped_task_set,
    task_set_bytes,
)

ROOT = Path(__file__).parents[3]
SHIPPED_FOLDER = ROOT / "src/mystery_shopper/data/tasks"
HASHES = ROOT / "tests/data/task_set_hashes.json"
STATED, ON_ASK, HIDDEN = Reveal.STATED, Reveal.ON_ASK, Reveal.HIDDEN

Plain = dict[str, Any]


def family(name: str) -> Family:
    return Family(
        id=name,
        tier=Tier.MEDIUM,
        template=("genre", "language", "year>="),
        predicates=(
            Predicate("genre", Operator.CONTAINS, "Film noir"),
            Predicate("language", Operator.WITHIN, "français"),
            Predicate("year", Operator.AT_LEAST, 1990),
        ),
        reveals={
            Condition.VOLUNTEER: (STATED, STATED, STATED),
            Condition.MIXED: (STATED, ON_ASK, ON_ASK),
            Condition.HIDDEN: (STATED, HIDDEN, ON_ASK),
        },
        formats=("DVD", "streaming"),
        history=("Q1", "Q2"),
        satisfiable=True,
        persona="A baker has the whole day.",
        answers={5000: 3, 10000: 7, 16852: 11},
    )


def task_set(**changes: Any) -> TaskSet:
    whole = TaskSet(
        schema=1,
        name="tau_rec/films@1",
        canary=canary_for("tau_rec/films@1", 3),
        catalogue=CatalogueRef("films", "ab" * 32, (5000, 10000, 16852)),
        origin=Origin(1, 3, {"not material": 4, "given away": 2}),
        families=(family("f001"), family("f002")),
        panel=("f001", "f002"),
        reliability=("f002",),
    )
    return msgspec.structs.replace(whole, **changes)


def plain() -> Plain:
    return json.loads(task_set_bytes(task_set()))


def problems_of(value: object) -> list[str]:
    with pytest.raises(InputError) as caught:
        parse_task_set(json.dumps(value).encode(), "some.json")
    assert caught.value.where == "some.json"
    assert caught.value.remedy
    return caught.value.problems


# --- bytes ---------------------------------------------------------------------------------------


def test_a_set_comes_back_as_it_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    save_task_set(task_set(), path)
    assert load_task_set(path) == task_set()
    assert load_task_set(str(path), load_domain("films")) == task_set()
    assert [entry.name for entry in tmp_path.iterdir()] == ["set.json"]


def test_equal_sets_have_equal_bytes() -> None:
    backwards = family("f001")
    backwards = msgspec.structs.replace(
        backwards,
        reveals=dict(reversed(backwards.reveals.items())),
        answers=dict(reversed(backwards.answers.items())),
    )
    other = task_set(
        families=(backwards, family("f002")),
        origin=Origin(1, 3, {"given away": 2, "not material": 4}),
    )
    assert task_set_bytes(other) == task_set_bytes(task_set())


def test_the_file_is_for_people_too() -> None:
    raw = task_set_bytes(task_set())
    text = raw.decode("utf-8")
    assert text.startswith('{\n  "schema": 1,\n  "name": "tau_rec/films@1",\n  "canary": ')
    assert text.endswith("}\n")
    assert not text.endswith("\n\n")
    assert "français" in text
    answers = plain()["families"][0]["answers"]
    assert list(answers) == ["5000", "10000", "16852"]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_survives(text: str) -> None:
    changed = task_set(families=(msgspec.structs.replace(family("f001"), persona=text),),
                       panel=("f001",), reliability=())  # fmt: skip
    assert parse_task_set(task_set_bytes(changed), "here") == changed


def test_saving_into_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(InputError, match="cannot be written") as caught:
        save_task_set(task_set(), tmp_path / "file" / "set.json")
    assert caught.value.remedy


# --- files that are no task file -----------------------------------------------------------------


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match="cannot be read") as caught:
            load_task_set(path)
        assert caught.value.where == str(path)


@pytest.mark.parametrize(
    ("raw", "found"),
    [
        (b"", "line 1, column 1: not JSON"),
        (b'{"schema": 1,\n  "name" 2}', "line 2, column 10: not JSON"),
        (b'{"name": "\xff"}', "byte 10 is not UTF-8"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        (b'{"schema": NaN}', "NaN is not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"schema": ' + b"1" * 5000 + b"}", "not JSON"),
        (b"[]", "one JSON object"),
        (b"null", "one JSON object"),
    ],
)
def test_what_is_no_json_object_is_refused(raw: bytes, found: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_task_set(raw, "some.json")
    assert found in str(caught.value)
    assert str(caught.value).startswith("some.json: ")


def test_an_empty_object_lacks_everything() -> None:
    required = [field.name for field in msgspec.structs.fields(TaskSet) if field.required]
    assert problems_of({}) == [f"{name}: is missing" for name in required]


# --- every error at once -------------------------------------------------------------------------


def first(value: Plain) -> Plain:
    return value["families"][0]


def set_in(*path: str | int, to: object) -> Callable[[Plain], None]:
    """A change of one place in the file."""

    def change(value: Plain) -> None:
        place: Any = value
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = to

    return change


def drop(*path: str | int) -> Callable[[Plain], None]:
    def change(value: Plain) -> None:
        place: Any = value
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]

    return change


F = ("families", 0)
WHO = "families[0] (f001)"
FAULTS: list[tuple[Callable[[Plain], None], list[str]]] = [
    (set_in("schema", to=2), ["schema: 2 is not known; this version reads 1"]),
    (set_in("schema", to="1"), ["schema: Expected `int`, got `str`"]),
    (set_in("name", to="films"),
     ["name: 'films' is no name with a version, such as films@1"]),
    (drop("canary"), ["canary: is missing"]),
    (set_in("canary", to=""), ["canary: '' is no GUID"]),
    (set_in("colour", to="red"), ["colour: unknown key"]),
    (set_in("catalogue", to=None), ["catalogue: Expected `object`, got `null`"]),
    (set_in("catalogue", "size", to=1), ["catalogue.size: unknown key"]),
    (set_in("catalogue", "sizes", to=[]),
     ["families[0] (f001).answers: sizes [5000, 10000, 16852] are not those of the catalogue []",
      "families[1] (f002).answers: sizes [5000, 10000, 16852] are not those of the catalogue []",
      "catalogue.sizes: must be positive, ascending and not empty"]),
    (set_in("origin", "rejected", to={"a": "b"}),
     ["origin.rejected.a: Expected `int`, got `str`"]),
    (set_in("families", to={}), ["families: must be a list with at least one family"]),
    (set_in(*F, to=7), ["families[0]: Expected `object`, got `int`",
                        "panel: there is no family 'f001'"]),
    (set_in(*F, "id", to="f002"),
     ["families: id 'f002' occurs 2 times", "panel: there is no family 'f001'"]),
    (set_in(*F, "id", to=7),
     ["families[0].id: Expected `str`, got `int`", "panel: there is no family 'f001'"]),
    (set_in(*F, "id", to=" "),
     ["families[0] ( ).id: is empty", "panel: there is no family 'f001'"]),
    (set_in("panel", to=["f001", "f001", "f002", "x"]),
     ["panel: id 'f001' occurs 2 times", "panel: there is no family 'x'"]),
    (set_in("panel", to=["f001"]), ["reliability: 'f002' is not in the panel"]),
    (set_in(*F, "tier", to="hard"), [f"{WHO}.tier: Invalid enum value 'hard'"]),
    (set_in(*F, "mood", to=1), [f"{WHO}.mood: unknown key"]),
    (drop(*F, "persona"), [f"{WHO}.persona: is missing"]),
    (set_in(*F, "persona", to="\ud800"), [f"{WHO}.persona: cannot be written as JSON"]),
    (set_in(*F, "history", to=["Q1", 2]), [f"{WHO}.history[1]: Expected `str`, got `int`"]),
    (set_in(*F, "history", to=["Q1", "Q1"]), [f"{WHO}.history: 'Q1' occurs 2 times"]),
    (set_in(*F, "formats", to=["DVD", "DVD"]), [f"{WHO}.formats: 'DVD' occurs 2 times"]),
    (set_in(*F, "predicates", to=[]),
     [f"{WHO}.predicates: there is none, so anything would do",
      *(f"{WHO}.reveals.{name}: 3 tags for 0 predicates" for name in Condition)]),
    (set_in(*F, "predicates", 0, "op", to="~"),
     [f"{WHO}.predicates[0].op: Invalid enum value '~'"]),
    (set_in(*F, "predicates", 0, "field", to="colour"),
     [f"{WHO}.predicates[0]: there is no field 'colour'"]),
    (set_in(*F, "predicates", 0, "op", to="<="),
     [f"{WHO}.predicates[0]: operator '<=' does not fit"]),
    (set_in(*F, "predicates", 2, "value", to="old"),
     [f"{WHO}.predicates[2]: year >= 'old': the value must be a number"]),
    (set_in(*F, "predicates", 0, to={"field": "title", "op": "contains", "value": "x"}),
     [f"{WHO}.predicates[0]: field 'title' carries no requirements"]),
    (set_in(*F, "predicates", 1, to={"field": "genre", "op": "contains", "value": "Film noir"}),
     [f"{WHO}.predicates[1]: repeats an earlier one"]),
    (drop(*F, "reveals", "mixed"), [f"{WHO}.reveals: lacks condition 'mixed'"]),
    (set_in(*F, "reveals", "loud", to=[]), [f"{WHO}.reveals.loud: Invalid enum value 'loud'"]),
    (set_in(*F, "reveals", "volunteer", to=["stated"] * 2),
     [f"{WHO}.reveals.volunteer: 2 tags for 3 predicates"]),
    (set_in(*F, "reveals", "volunteer", 1, to="on_ask"),
     [f"{WHO}.reveals.volunteer: every tag must be 'stated'"]),
    (set_in(*F, "reveals", "mixed", 1, to="hidden"),
     [f"{WHO}.reveals.mixed: no tag may be 'hidden'"]),
    (set_in(*F, "reveals", "mixed", 1, to="stated"),
     [f"{WHO}.reveals.mixed: 2 tags are 'stated', not one",
      f"{WHO}.reveals: 'mixed' and 'hidden' state different predicates"]),
    (set_in(*F, "reveals", "mixed", to=["on_ask", "stated", "on_ask"]),
     [f"{WHO}.reveals: 'mixed' and 'hidden' state different predicates"]),
    (set_in(*F, "reveals", "hidden", 1, to="on_ask"),
     [f"{WHO}.reveals.hidden: no tag is 'hidden'"]),
    (set_in(*F, "satisfiable", to=False),
     [f"{WHO}.satisfiable: is false, but there are answers among [5000, 10000, 16852]"]),
    (set_in(*F, "answers", "5000", to=0),
     [f"{WHO}.satisfiable: is true, but there is no answer among [5000]"]),
    (set_in(*F, "answers", "5000", to=9),
     [f"{WHO}.answers: counts must not be negative, nor fall as the catalogue grows"]),
    (set_in(*F, "answers", "many", to=1), [f"{WHO}.answers.many: Expected `int`, got `str`"]),
    (drop(*F, "answers", "5000"),
     [f"{WHO}.answers: sizes [10000, 16852] are not those of the catalogue"]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "found"), FAULTS)
def test_each_fault_is_named_with_its_place(
    change: Callable[[Plain], None], found: list[str]
) -> None:
    value = plain()
    change(value)
    problems = problems_of(value)
    assert len(problems) == len(found), problems
    for problem, start in zip(problems, found, strict=True):
        assert problem.startswith(start)


def test_every_error_is_told_at_once() -> None:
    value = plain()
    del value["canary"]
    value["reliability"] = ["f009"]
    first(value)["tier"] = 4
    first(value)["predicates"][0]["extra"] = True
    first(value)["reveals"]["hidden"] = ["stated", "on_ask", "on_ask"]
    second: Plain = value["families"][1]
    second["predicates"][2]["value"] = [1990]
    second["satisfiable"] = False
    assert problems_of(value) == [
        "canary: is missing",
        "families[0] (f001).tier: Expected `str`, got `int`",
        "families[0] (f001).predicates[0].extra: unknown key",
        "families[0] (f001).reveals.hidden: no tag is 'hidden'",
        "families[1] (f002).predicates[2]: year >= (1990.0,): the value must be a single value",
        "families[1] (f002).satisfiable: is false, but there are answers among "
        "[5000, 10000, 16852]",
        "reliability: there is no family 'f009'",
        "reliability: 'f009' is not in the panel",
    ]


def test_a_key_that_stands_twice_is_an_error() -> None:
    raw = task_set_bytes(task_set()).replace(b'"schema": 1,', b'"schema": 1, "schema": 1,')
    with pytest.raises(InputError, match="key 'schema' occurs 2 times"):
        parse_task_set(raw, "some.json")


def test_predicates_are_held_against_the_domain_that_is_given() -> None:
    other = plain()
    other["catalogue"]["name"] = "my own"
    other["families"][0]["predicates"][0]["field"] = "colour"
    raw = json.dumps(other).encode()
    assert parse_task_set(raw, "here").catalogue.name == "my own"
    with pytest.raises(InputError, match="there is no field 'colour'"):
        parse_task_set(raw, "here", load_domain("films"))


# --- the shipped sets ----------------------------------------------------------------------------


def test_shipped_bytes_change_only_with_the_version() -> None:
    """A report names a set by name and version, so the bytes behind a name are for ever."""
    pinned: dict[str, str] = json.loads(HASHES.read_text(encoding="utf-8"))
    names = shipped_names()
    for name in names:
        path = SHIPPED_FOLDER / f"{name.replace('/', '-').replace('@', '-')}.json"
        found = hashlib.sha256(path.read_bytes()).hexdigest()
        assert name in pinned, f'add to {HASHES.relative_to(ROOT)}: "{name}": "{found}"'
        assert found == pinned[name], f"{path.name} changed: ship it under a new version instead"
    assert sorted(pinned) == names, "a shipped set is gone"


def test_every_shipped_file_has_a_name() -> None:
    files = sorted(SHIPPED_FOLDER.glob("*.json"))
    assert len(files) == len(shipped_names())


@pytest.mark.parametrize("name", shipped_names() or [None])
def test_a_shipped_set_loads_by_name(name: str | None) -> None:
    if name is None:
        pytest.skip("no task set is shipped yet")
    shipped = shipped_task_set(name)
    assert shipped.name == name
    file = SHIPPED_FOLDER / f"{name.replace('/', '-').replace('@', '-')}.json"
    assert file.read_bytes() == task_set_bytes(shipped)


@pytest.mark.parametrize("name", ["films", "tau_rec/films@0", "../films@1", ""])
def test_an_unknown_set_names_the_known_ones(name: str) -> None:
    with pytest.raises(InputError, match="there is no shipped task set") as caught:
        shipped_task_set(name)
    assert ", ".join(shipped_names()) in str(caught.value)


def test_a_package_without_sets_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(taskfile, "_folder", lambda: tmp_path / "none")
    assert shipped_names() == []
    with pytest.raises(InputError, match="shipped: none"):
        shipped_task_set()


def test_a_shipped_file_must_bear_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_task_set(task_set(), tmp_path / "tau_rec-films-1.json")
    save_task_set(task_set(), tmp_path / "tau_rec-films-2.json")
    (tmp_path / "README.md").write_text("no set", encoding="utf-8")
    monkeypatch.setattr(taskfile, "_folder", lambda: tmp_path)
    assert shipped_names() == ["tau_rec/films@1", "tau_rec/films@2"]
    assert shipped_task_set() == task_set()
    with pytest.raises(InputError, match="calls itself 'tau_rec/films@1'"):
        shipped_task_set("tau_rec/films@2")


def test_an_imported_family_may_have_one_condition_and_names_its_policies() -> None:
    found = plain()
    family = found["families"][0]
    family["reveals"] = {"mixed": ["hidden"] * len(family["predicates"])}
    assert any("lacks condition" in problem for problem in problems_of(found))
    family["policies"] = ["recommend_tool"]
    parsed = parse_task_set(json.dumps(found).encode(), "some.json")
    assert next(iter(parsed.by_id)) == "f001"
    family["policies"] = ["be_kind"]
    assert any("policies: 'be_kind' is unknown" in problem for problem in problems_of(found))
    family["policies"], family["reveals"] = [], {}
    assert any("reveals: there is no condition" in problem for problem in problems_of(found))
