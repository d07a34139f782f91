"""Tasks of τ-Rec v1 as families: what they become, and everything that stops an import."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.foundation import InputError
from mystery_shopper.suites.tau_rec.task import Condition, Reveal, Tier
from mystery_shopper.suites.tau_rec.taskfile import parse_task_set, task_set_bytes
from mystery_shopper.suites.tau_rec.v1 import SOURCE, import_tau_rec_v1
from mystery_shopper.suites.tau_rec.validate import check_task_set

from .toys import (
    constraint,
    films,
    meets,
    needs_real,
    raw_task,
    real,
    real_films,
    real_tasks,
    write,
)


def problems_of(folder: Path) -> list[str]:
    with pytest.raises(InputError) as caught:
        import_tau_rec_v1(folder)
    assert str(folder) in str(caught.value)
    assert caught.value.remedy
    return caught.value.problems


def test_a_task_becomes_a_family(tmp_path: Path) -> None:
    asked = constraint("genres", "not_contains", ["Horror", "Comedy"], "on_ask")
    seen = {"u1": "x2", "u2": "x1"}
    bounds = constraint("runtime", "<=", 100, "hidden")
    task = raw_task(
        constraints=[constraint("genres", "contains", "Drama"), asked, bounds],
        reveal_difficulty="hidden",
        complexity="medium",
        policy_flags=["watch_history", "recommend_tool"],
        user_history={name: {"watched": [x], "ratings": {}} for name, x in seen.items()},
    )
    catalogue, tasks = import_tau_rec_v1(write(tmp_path, [task]))
    (family,) = tasks.families
    assert (family.id, family.tier, family.persona) == (
        "task_001",
        Tier.MEDIUM,
        "You mend clocks.",
    )
    assert family.predicates == (
        Predicate("genres", Operator.CONTAINS, "Drama"),
        Predicate("genres", Operator.NOT_CONTAINS, "Horror"),
        Predicate("genres", Operator.NOT_CONTAINS, "Comedy"),
        Predicate("runtime", Operator.AT_MOST, 100),
    )
    tags = (Reveal.STATED, Reveal.ON_ASK, Reveal.ON_ASK, Reveal.HIDDEN)
    assert family.reveals == {Condition.HIDDEN: tags}
    assert (family.formats, family.history, family.soft) == (
        ("Tide",),
        ("x2",),
        ("likes slow starts",),
    )
    assert (family.policies, family.answers) == (("watch_history", "recommend_tool"), {6: 1})
    assert list(tasks.by_id) == ["task_001"]
    assert tasks.source == SOURCE
    assert parse_task_set(task_set_bytes(tasks), "again", catalogue.domain) == tasks


def test_the_set_is_proven_by_check(tmp_path: Path) -> None:
    catalogue, tasks = import_tau_rec_v1(write(tmp_path, [raw_task()]))
    assert check_task_set(tasks, catalogue).violations == ()


def _change(**changes: Any) -> Callable[[], dict[str, Any]]:
    return lambda: raw_task(**changes)


def _without(key: str) -> Callable[[], dict[str, Any]]:
    return lambda: {name: value for name, value in raw_task().items() if name != key}


FAULTS: dict[str, tuple[Callable[[], Any], str]] = {
    "operator": (
        _change(constraints=[constraint("genres", "like", "Drama")]),
        "constraints[0].constraint.op: 'like' is no operator",
    ),
    "field": (
        _change(constraints=[constraint("mood", "==", "Drama")]),
        "constraints[0].constraint.field: 'mood' is no field",
    ),
    "value": (
        _change(constraints=[constraint("runtime", "<=", "90")]),
        "constraints[0].constraint.value: '90' must be a number",
    ),
    "spelling": (
        _change(constraints=[constraint("genres", "contains", "drama")]),
        "'drama' is written 'Drama' in the catalogue",
    ),
    "repeated constraint": (
        _change(constraints=[constraint("genres", "contains", "Drama")] * 2),
        "constraints[1]: repeats 'genres contains Drama'",
    ),
    "no constraint": (_change(constraints=[]), "constraints: there is none"),
    "reveal": (
        _change(constraints=[constraint("genres", "contains", "Drama", "later")]),
        "constraints[0].reveal: 'later' is none of volunteer, on_ask, hidden",
    ),
    "policy": (_change(policy_flags=["be_kind"]), "policy_flags: 'be_kind' is unknown; use watch"),
    "policy twice": (_change(policy_flags=["sponsored"] * 2), "policy_flags: 'sponsored' occurs"),
    "complexity": (_change(complexity="hard"), "complexity: 'hard' is none of simple, medium"),
    "difficulty": (_change(reveal_difficulty="on_ask"), "reveal_difficulty: 'on_ask' is none of"),
    "user": (_change(user_id="u9"), "user_id: 'u9' has no entry in user_history"),
    "watched": (
        _change(user_history={"u1": {"watched": ["zz"], "ratings": {}}}),
        "user_history.u1.watched: the catalogue has no 'zz'",
    ),
    "rated": (
        _change(user_history={"u1": {"watched": [], "ratings": {"zz": 1}}}),
        "user_history.u1.ratings: the catalogue has no 'zz'",
    ),
    "watched twice": (
        _change(user_history={"u1": {"watched": ["x1", "x1"], "ratings": {}}}),
        "user_history.u1.watched: 'x1' occurs more than once",
    ),
    "service spelling": (_change(user_services=["tide"]), "user_services: 'tide' is written"),
    "service twice": (_change(user_services=["Tide", "Tide"]), "user_services: 'Tide' occurs"),
    "said barren": (
        _change(no_valid_recommendation=True),
        "no_valid_recommendation: is true, but 3 items meet all constraints",
    ),
    "said satisfiable": (
        _change(constraints=[constraint("runtime", "<=", 10)]),
        "no_valid_recommendation: is false, but no item meets all constraints",
    ),
    "type": (_change(no_valid_recommendation="no"), "no_valid_recommendation: Expected `bool`"),
    "deep type": (
        _change(constraints=[constraint(3, "==", 1)]),
        "constraints[0].constraint.field: Expected `str`",
    ),
    "null value": (
        _change(constraints=[constraint("runtime", "<=", None)]),
        "constraints[0].constraint.value: Expected",
    ),
    "missing": (_without("persona"), "persona: is missing"),
    "unknown key": (_change(mood="dark"), "mood: unknown key"),
    "no object": (lambda: ["task"], "the file: Expected `object`"),
    "id": (_change(id="a b"), "id: 'a b' is empty or holds a space"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_its_file_and_place(name: str, tmp_path: Path) -> None:
    make, told = FAULTS[name]
    (problem,) = problems_of(write(tmp_path, [make()]))
    assert problem.startswith("tasks/task_001.json: ")
    assert told in problem


def test_two_tasks_of_one_id(tmp_path: Path) -> None:
    (problem,) = problems_of(write(tmp_path, [raw_task(), raw_task()]))
    assert problem == ("tasks/task_002.json: id: 'task_001' is also the id of tasks/task_001.json")


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"{", "not JSON"),
        (b"", "not JSON"),
        (b'{"id": NaN}', "NaN is not JSON"),
        (b'{"id": "\xff"}', "is not UTF-8"),
        (b'{"id": 1, "id": 2}', "key 'id' occurs 2 times"),
    ],
)
def test_a_task_file_that_is_no_json(raw: bytes, told: str, tmp_path: Path) -> None:
    write(tmp_path, [raw_task()])
    (tmp_path / "tasks" / "task_002.json").write_bytes(raw)
    (problem,) = problems_of(tmp_path)
    assert problem.startswith("tasks/task_002.json: ")
    assert told in problem


def test_faults_of_all_files_are_told_together(tmp_path: Path) -> None:
    tasks = [raw_task(f"t{n}", policy_flags=["be_kind"], complexity="hard") for n in range(2)]
    found = problems_of(write(tmp_path, tasks, catalogue=[*films(), films()[0]]))
    assert found[0] == "catalog.json: id 'x1' occurs more than once"
    assert len(found) == 5
    found = problems_of(write(tmp_path, tasks))
    assert [problem.split(":")[0] for problem in found] == [
        "tasks/task_001.json", "tasks/task_001.json", "tasks/task_002.json", "tasks/task_002.json",
    ]  # fmt: skip


def test_at_most_fifty_are_listed(tmp_path: Path) -> None:
    tasks = [raw_task(f"t{n}", policy_flags=["be_kind"]) for n in range(60)]
    found = problems_of(write(tmp_path, tasks))
    assert len(found) == 51
    assert found[-1] == "and 10 more"


def test_no_tasks_and_no_catalogue(tmp_path: Path) -> None:
    found = problems_of(tmp_path)
    assert any(problem.startswith("catalog.json: cannot be read") for problem in found)
    assert "tasks: there is no task file (*.json)" in found


# --- the real one ---------------------------------------------------------------------------------


@needs_real
def test_the_sixty_tasks_are_read() -> None:
    catalogue, tasks = real()
    assert (len(catalogue), len(tasks.families)) == (153, 60)
    counts = {c: sum(c in f.reveals for f in tasks.families) for c in Condition}
    assert counts == {Condition.VOLUNTEER: 13, Condition.MIXED: 32, Condition.HIDDEN: 15}
    assert sum(not family.satisfiable for family in tasks.families) == 5
    assert check_task_set(tasks, catalogue).violations == ()
    assert parse_task_set(task_set_bytes(tasks), "again") == tasks


@needs_real
def test_the_sixty_tasks_are_what_the_files_say() -> None:
    catalogue, tasks = real()
    tags = {"volunteer": "stated", "on_ask": "on_ask", "hidden": "hidden"}
    for family, raw in zip(tasks.families, real_tasks(), strict=True):
        task = tasks.by_id[raw["id"]]
        assert task.family is family
        assert task.condition.value == raw["reveal_difficulty"]
        given = [
            (r.predicate.field, r.predicate.op.value, r.reveal.value) for r in task.requirements
        ]
        assert given == [
            (c["constraint"]["field"], c["constraint"]["op"], tags[c["reveal"]])
            for c in raw["constraints"]
        ]
        assert family.satisfiable is not raw["no_valid_recommendation"]
        assert list(family.policies or ()) == raw["policy_flags"]
        assert list(family.formats) == raw["user_services"]
        assert list(family.history) == raw["user_history"][raw["user_id"]]["watched"]
        met = [
            film for film in real_films()
            if all(meets(film, **c["constraint"]) for c in raw["constraints"])
        ]  # fmt: skip
        assert family.answers == {len(catalogue): len(met)}


@needs_real
def test_a_spoilt_copy_of_the_real_tasks_is_refused(tmp_path: Path) -> None:
    task = json.loads(json.dumps(real_tasks()[0]))
    task["constraints"][0]["constraint"]["op"] = "regex"
    found = problems_of(write(tmp_path, [task], catalogue=list(real_films())))
    assert found == [
        "tasks/task_001.json: constraints[0].constraint.op: 'regex' is no operator; use one of "
        "<= >= == != contains contains_any not_contains in"
    ]
