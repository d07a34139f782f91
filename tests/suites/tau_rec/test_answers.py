"""The answer key, against a count over the plain files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mystery_shopper.sources import load_films
from mystery_shopper.suites.tau_rec.answers import Answers, answers
from mystery_shopper.suites.tau_rec.taskfile import shipped_task_set
from mystery_shopper.suites.tau_rec.v1 import import_tau_rec_v1

from .v1.toys import (
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


def by_hand(task: dict[str, Any], catalogue: list[dict[str, Any]]) -> Answers:
    """The answers of one raw task, on the plain values."""
    met = [
        film
        for film in catalogue
        if all(meets(film, **each["constraint"]) for each in task["constraints"])
    ]
    services = set(task["user_services"])
    had = [f for f in met if not services or services & set(f["streaming_services"])]
    return Answers(tuple(sorted(f["id"] for f in met)), tuple(sorted(f["id"] for f in had)))


def test_made_up_tasks(tmp_path: Path) -> None:
    tasks = [
        raw_task("t1"),
        raw_task("t2", user_services=[]),
        raw_task("t3", user_services=["Nowhere"]),
        raw_task("t4", constraints=[constraint("sponsored", "!=", False)], user_services=["Moor"]),
        raw_task("t5", constraints=[constraint("rating", ">=", 9)], no_valid_recommendation=True),
    ]
    catalogue, made = import_tau_rec_v1(write(tmp_path, tasks))
    found = answers(made, catalogue)
    assert found == {task["id"]: by_hand(task, films()) for task in tasks}
    assert found["t1"] == Answers(("x1", "x2", "x4"), ("x1", "x2"))
    assert found["t3"].reachable == ()


@needs_real
def test_all_sixty() -> None:
    catalogue, made = real()
    found = answers(made, catalogue)
    assert len(found) == 60
    assert found == {task["id"]: by_hand(task, list(real_films())) for task in real_tasks()}


def test_our_own_sets_go_by_family() -> None:
    films_, made = load_films(), shipped_task_set()
    found = answers(made, films_)
    assert list(found) == [family.id for family in made.families]
    for family in made.families:
        assert len(found[family.id].satisfying) == family.answers[len(films_)]
        assert set(found[family.id].reachable) <= set(found[family.id].satisfying)
        assert bool(found[family.id].reachable) is family.satisfiable
