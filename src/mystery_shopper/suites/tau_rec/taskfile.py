"""Task files: plain JSON, the same bytes for the same set, and every error of a bad one at once.

A file is decoded field by field, so that one wrong type hides no other fault; what could be decoded
is then held against the rules of a task set (τ-Rec-Books §3, reveal tags and conditions).
"""

from __future__ import annotations

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.catalog import SHIPPED, Domain, load_domain
from mystery_shopper.foundation import (
    InputError,
    at_most,
    decode_fields,
    decode_leaf,
    parse_json,
    read_whole,
    write_whole,
)
from mystery_shopper.suites.tau_rec.task import (
    CatalogueRef,
    Condition,
    Family,
    TaskSet,
    Tier,
)
from mystery_shopper.suites.tau_rec.validate.form import (
    NAME,
    Frame,
    family_problems,
    set_problems,
)

DEFAULT_SET = "tau_rec/films@1"
MOST_PROBLEMS = 50
_REMEDY = "Mend the file, or generate the task set again."
_BLANK = Family("", Tier.SIMPLE, (), (), {}, (), (), satisfiable=True, persona="", answers={})


def task_set_bytes(task_set: TaskSet) -> bytes:
    """The file of a set: indented JSON in UTF-8, equal for equal sets, a newline at the end."""
    families = tuple(
        msgspec.structs.replace(
            family,
            reveals={c: family.reveals[c] for c in Condition if c in family.reveals},
            answers=dict(sorted(family.answers.items())),
        )
        for family in task_set.families
    )
    rejected = dict(sorted(task_set.origin.rejected.items()))
    origin = msgspec.structs.replace(task_set.origin, rejected=rejected)
    ordered = msgspec.structs.replace(task_set, families=families, origin=origin)
    return msgspec.json.format(msgspec.json.encode(ordered)) + b"\n"


def save_task_set(task_set: TaskSet, path: str | Path) -> None:
    """Write the set beside its place, then move it there. Raises InputError if that fails."""
    write_whole(Path(path), task_set_bytes(task_set))


def load_task_set(path: str | Path, domain: Domain | None = None) -> TaskSet:
    """The set in a file. Predicates are checked against `domain`; without one, against the shipped
    domain of the catalogue's name where there is one.

    Raises InputError that names the file and holds every problem found, each with its place.
    """
    path = Path(path)
    raw = read_whole(path, "Name an existing task file.")
    return parse_task_set(raw, str(path), domain)


def parse_task_set(raw: bytes, where: str, domain: Domain | None = None) -> TaskSet:
    """The set in the bytes of a file; `where` names the file in errors (see `load_task_set`)."""
    problems: list[str] = []
    value = _parse_json(raw, where, problems)
    if not isinstance(value, dict):
        problems.append("the file must hold one JSON object")
        raise InputError(problems, where=where, remedy=_REMEDY)
    draft = decode_fields(value, TaskSet, problems, "", skip="families")
    frame = _frame(draft, domain)
    ids = _check_families(value, frame, problems)
    problems.extend(set_problems(draft, ids))
    if problems:
        raise InputError(at_most(problems, MOST_PROBLEMS), where=where, remedy=_REMEDY)
    return msgspec.convert(value, TaskSet, str_keys=True)


def shipped_task_set(name: str = DEFAULT_SET) -> TaskSet:
    """A set that the package ships, by name and version. Raises InputError for an unknown one."""
    entry = _folder() / f"{re.sub('[/@]', '-', name)}.json"
    if not NAME.fullmatch(name) or not entry.is_file():
        known = ", ".join(shipped_names()) or "none"
        raise InputError(
            f"there is no shipped task set {name!r}; shipped: {known}",
            remedy="Name a shipped set with its version, or give a task file.",
        )
    task_set = parse_task_set(entry.read_bytes(), entry.name)
    if task_set.name != name:
        raise InputError(
            f"the file calls itself {task_set.name!r}", where=entry.name, remedy=_REMEDY
        )
    return task_set


def shipped_names() -> list[str]:
    """The names of the shipped sets; the file of `suite/set@1` is `suite-set-1.json`."""
    folder = _folder()
    if not folder.is_dir():
        return []
    stems = sorted(
        Path(entry.name).stem for entry in folder.iterdir() if entry.name[-5:] == ".json"
    )
    parts = [re.fullmatch(r"([^-]+)-(.+)-([0-9]+)", stem) for stem in stems]
    return [f"{part[1]}/{part[2]}@{part[3]}" for part in parts if part]


def _folder() -> Traversable:
    return resources.files("mystery_shopper") / "data" / "tasks"


# --- decoding that goes on after a fault --------------------------------------------------------


def _parse_json(raw: bytes, where: str, problems: list[str]) -> object:
    try:
        return parse_json(raw, problems)
    except ValueError as error:
        raise InputError(f"not a task file: {error}", where=where, remedy=_REMEDY) from None


def _frame(draft: dict[str, Any], domain: Domain | None) -> Frame:
    reference: CatalogueRef | None = draft.get("catalogue")
    if reference is None:
        return Frame(None, domain)
    if domain is None and reference.name in SHIPPED:
        domain = load_domain(reference.name)
    return Frame(reference.sizes, domain)


def _check_families(value: dict[str, Any], frame: Frame, problems: list[str]) -> list[str] | None:
    """The ids of the families, None where there is no list of them; each family is checked as far
    as it can be decoded, and its faults are added to `problems`."""
    if "families" not in value:
        return None
    entries: object = value["families"]
    if not isinstance(entries, list) or not entries:
        problems.append("families: must be a list with at least one family")
        return None
    ids: list[str] = []
    for index, entry in enumerate(entries):
        if not isinstance(entry, dict):
            decode_leaf(entry, dict[str, Any], problems, f"families[{index}]")
            continue
        name = entry.get("id")
        place = f"families[{index}]" + (f" ({name})" if isinstance(name, str) else "")
        found: list[str] = []
        draft = decode_fields(entry, Family, found, "")
        family = msgspec.structs.replace(_BLANK, **draft)
        found.extend(family_problems(family, frame, draft))
        problems.extend(f"{place}.{problem}" for problem in found)
        if "id" in draft:
            ids.append(family.id)
    return ids
