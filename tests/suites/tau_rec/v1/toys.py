"""A made-up folder of τ-Rec v1, and where the real one lies."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.catalog import Catalogue
from mystery_shopper.suites.tau_rec.task import TaskSet
from mystery_shopper.suites.tau_rec.v1 import import_tau_rec_v1

REAL = Path(__file__).parents[4].parent / "shared" / "data" / "tau-rec-v1"
needs_real = pytest.mark.skipif(
    not REAL.is_dir(), reason="the folder shared/data/tau-rec-v1 beside the project is missing"
)

_FILMS: tuple[tuple[Any, ...], ...] = (
    ("x1", "Kites", "2024-03-01", 95, ["Drama"], ["Ada Low"], "Bo Ray",
     6.5, 90, ["Tide"], False, "R"),
    ("x2", "Mills", "2025-01-01", 120, ["Drama", "Comedy"], ["Cy Orr", "Ada Low"], "Bo Ray",
     7.25, 80, ["Tide", "Moor"], True, "PG"),
    ("x3", "Ropes", "2025-12-31", 60, ["Horror"], ["Di Moss"], "Ed Fox",
     5.0, 70, [], False, "R"),
    ("x4", "Salt", "2023-07-09", 140, ["Drama", "Horror"], ["Cy Orr"], "Ed Fox",
     8.0, 60, ["Moor"], True, "NR"),
    ("x5", "Wicks", "2022-02-02", 100, ["Comedy"], ["Di Moss"], "Flo Ash",
     6.5, 50, ["Fen"], False, "PG-13"),
    ("x6", "Yarrow", "2025-05-05", 110, [], [], "Flo Ash",
     4.0, 40, ["Tide"], True, "R"),
)  # fmt: skip
_COLUMNS = (
    "id", "title", "release_date", "runtime", "genres", "cast", "director", "rating", "vote_count",
    "streaming_services", "sponsored", "content_rating",
)  # fmt: skip


def films() -> list[dict[str, Any]]:
    """The made-up films as the file has them."""
    return [{**dict(zip(_COLUMNS, row, strict=True)), "overview": "A film."} for row in _FILMS]


def constraint(field: object, op: str, value: object, reveal: str = "volunteer") -> dict[str, Any]:
    return {"constraint": {"field": field, "op": op, "value": value}, "reveal": reveal}


def raw_task(task_id: str = "task_001", **changes: Any) -> dict[str, Any]:
    """A task that the made-up films satisfy."""
    task = {
        "id": task_id,
        "constraints": [constraint("genres", "contains", "Drama")],
        "persona": "You mend clocks.",
        "soft_preferences": ["likes slow starts"],
        "policy_flags": ["recommend_tool", "availability"],
        "no_valid_recommendation": False,
        "complexity": "simple",
        "reveal_difficulty": "volunteer",
        "user_id": "u1",
        "user_history": {"u1": {"watched": ["x1"], "ratings": {"x1": 7.0}}},
        "user_services": ["Tide"],
    }
    return task | changes


def write(folder: Path, tasks: list[dict[str, Any]], catalogue: object = None) -> Path:
    """The folder with these tasks and the made-up films, or another catalogue."""
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    found = films() if catalogue is None else catalogue
    (folder / "catalog.json").write_text(json.dumps(found), encoding="utf-8")
    for number, task in enumerate(tasks, 1):
        place = folder / "tasks" / f"task_{number:03d}.json"
        place.write_text(json.dumps(task), encoding="utf-8")
    return folder


@cache
def real() -> tuple[Catalogue, TaskSet]:
    """The real catalogue and tasks."""
    return import_tau_rec_v1(REAL)


@cache
def real_films() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads((REAL / "catalog.json").read_text(encoding="utf-8")))


@cache
def real_tasks() -> tuple[dict[str, Any], ...]:
    places = sorted((REAL / "tasks").glob("*.json"))
    return tuple(json.loads(place.read_text(encoding="utf-8")) for place in places)


def meets(film: dict[str, Any], field: str, op: str, value: Any) -> bool:
    """What an operator of τ-Rec v1 says of a film, on the plain values of the file."""
    held = film[field]
    if op == "contains":
        return value in held
    if op == "contains_any":
        return any(one in held for one in value)
    if op == "not_contains":
        return not any(one in held for one in (value if isinstance(value, list) else [value]))
    if op == "in":
        return held in value
    return {"==": held == value, "!=": held != value}.get(
        op, held <= value if op == "<=" else op == ">=" and held >= value
    )
