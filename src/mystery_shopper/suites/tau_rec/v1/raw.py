"""The task files of τ-Rec v1 as they are: one JSON object each, in the folder `tasks`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mystery_shopper.foundation import decode_fields, decode_leaf
from mystery_shopper.sources.tau_rec_v1 import read_json
from mystery_shopper.suites.tau_rec.v1.constraints import RawValue

TASKS_FOLDER = "tasks"


class RawConstraint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One condition on one field."""

    field: str
    op: str
    value: RawValue


class RawRequirement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A constraint and when it is revealed."""

    constraint: RawConstraint
    reveal: str


class RawHistory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a user has watched, and how they rated it."""

    watched: tuple[str, ...]
    ratings: dict[str, float]


class RawTask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One task file."""

    id: str
    constraints: tuple[RawRequirement, ...]
    persona: str
    soft_preferences: tuple[str, ...]
    policy_flags: tuple[str, ...]
    no_valid_recommendation: bool
    complexity: str
    reveal_difficulty: str
    user_id: str
    user_history: dict[str, RawHistory]
    user_services: tuple[str, ...]


def read_tasks(folder: Path, problems: list[str]) -> list[tuple[str, RawTask]]:
    """(file, task) of every JSON file in the folder of tasks, in the order of their names; what is
    wrong is added to `problems`, each with its file and place."""
    names = sorted(path.name for path in (folder / TASKS_FOLDER).glob("*.json"))
    if not names:
        problems.append(f"{TASKS_FOLDER}: there is no task file (*.json)")
    found: list[tuple[str, RawTask]] = []
    first: dict[str, str] = {}
    for name in names:
        file = f"{TASKS_FOLDER}/{name}"
        task = _read(folder / TASKS_FOLDER / name, file, problems)
        if task is None:
            continue
        if task.id in first:
            problems.append(f"{file}: id: {task.id!r} is also the id of {first[task.id]}")
        first.setdefault(task.id, file)
        found.append((file, task))
    return found


def _read(path: Path, file: str, problems: list[str]) -> RawTask | None:
    before = len(problems)
    value = read_json(path, file, problems)
    if len(problems) > before:
        return None
    found: list[str] = []
    if not isinstance(value, dict):
        decode_leaf(value, dict[str, object], found, "the file")
    draft = decode_fields(value, RawTask, found, "") if not found else {}  # pyright: ignore[reportUnknownArgumentType]
    problems.extend(f"{file}: {problem}" for problem in found)
    return RawTask(**draft) if not found else None
