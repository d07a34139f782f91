"""Query files: JSON with one query a line, the same bytes for the same set, and every error of a
bad one at once. Shipped sets lie packed in `data/tasks`."""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import msgspec

from mystery_shopper.foundation import (
    InputError,
    at_most,
    decode_fields,
    parse_json,
    read_whole,
    write_whole,
)
from mystery_shopper.suites.recbench.form import query_problems, set_problems
from mystery_shopper.suites.recbench.query import Query, QuerySet

DEFAULT_SET = "recbench/films@1"
MOST_PROBLEMS = 50
_REMEDY = "Mend the file, or draw the queries again."
_GZIP = b"\x1f\x8b"


def query_set_bytes(query_set: QuerySet) -> bytes:
    """The file of a set: JSON in UTF-8, one person and one query a line, equal for equal sets, a
    newline at the end."""
    fields: list[str] = []
    for name in query_set.__struct_fields__:
        value = getattr(query_set, name)
        if name == "queries":
            text = _lines("[", (_text(query) for query in query_set.queries), "]")
        elif name == "people":
            people = sorted(query_set.people.items())
            text = _lines("{", (f"{_text(key)}: {_text(person)}" for key, person in people), "}")
        elif name == "source" and not value:
            continue
        else:
            text = msgspec.json.encode(value, order="deterministic").decode()
        fields.append(f"{_text(name)}: {text}")
    return ("{\n" + ",\n".join(fields) + "\n}\n").encode()


def save_query_set(query_set: QuerySet, path: str | Path) -> None:
    """Write the set beside its place, then move it there; packed where the name ends in `.gz`.
    Raises InputError if that fails."""
    data = query_set_bytes(query_set)
    packed = Path(path).suffix == ".gz"
    write_whole(Path(path), gzip.compress(data, mtime=0) if packed else data)


def load_query_set(path: str | Path) -> QuerySet:
    """The set in a file, packed or not. Raises InputError that names the file and holds every
    problem found, each with its place."""
    raw = read_whole(Path(path), "Name an existing query file.")
    return parse_query_set(raw, str(path))


def shipped_query_set(name: str = DEFAULT_SET) -> QuerySet:
    """A set that the package ships, by name and version. Raises InputError for an unknown one."""
    if name not in shipped_names():
        known = ", ".join(shipped_names()) or "none"
        raise InputError(
            f"there is no shipped query set {name!r}; shipped: {known}",
            remedy="Name a shipped set with its version, or give a query file.",
        )
    entry = _folder() / shipped_file(name)
    query_set = parse_query_set(entry.read_bytes(), entry.name)
    if query_set.name != name:
        raise InputError(
            f"the file calls itself {query_set.name!r}", where=entry.name, remedy=_REMEDY
        )
    return query_set


def shipped_names() -> list[str]:
    """The names of the shipped sets."""
    folder = _folder()
    names = [entry.name for entry in folder.iterdir()] if folder.is_dir() else []
    found = [re.fullmatch(r"recbench-(.+)-([0-9]+)\.json\.gz", name) for name in sorted(names)]
    return [f"recbench/{one[1]}@{one[2]}" for one in found if one]


def shipped_file(name: str) -> str:
    """The name of the file of a shipped set: of `recbench/films@1` it is
    `recbench-films-1.json.gz`."""
    return f"{re.sub('[/@]', '-', name)}.json.gz"


def _folder() -> Traversable:
    return resources.files("mystery_shopper") / "data" / "tasks"


def parse_query_set(raw: bytes, where: str) -> QuerySet:
    """The set in the bytes of a file; `where` names the file in errors (see `load_query_set`)."""
    if raw.startswith(_GZIP):
        try:
            raw = gzip.decompress(raw)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"cannot be unpacked ({error})", where=where, remedy=_REMEDY) from None
    problems: list[str] = []
    try:
        value = parse_json(raw, problems)
    except ValueError as error:
        raise InputError(f"not a query file: {error}", where=where, remedy=_REMEDY) from None
    try:
        query_set = msgspec.convert(value, QuerySet, str_keys=True)
    except msgspec.ValidationError:
        problems += _type_problems(value)
    else:
        problems += set_problems(query_set)
        imported = bool(query_set.source)
        for index, query in enumerate(query_set.queries):
            problems += _placed(index, query.id, query_problems(query, imported=imported))
        if not problems:
            return query_set
    raise InputError(at_most(problems, MOST_PROBLEMS), where=where, remedy=_REMEDY)


def _type_problems(value: object) -> list[str]:
    """Every place of a file that is not of the type it must be."""
    if not isinstance(value, dict):
        return ["the file must hold one JSON object"]
    problems: list[str] = []
    decode_fields(value, QuerySet, problems, "", skip="queries")
    entries: object = value.get("queries", [])
    if not isinstance(entries, list):
        return [*problems, "queries: must be a list"]
    for index, entry in enumerate(entries):
        found: list[str] = []
        decode_fields(entry, Query, found, "")
        name: object = entry.get("id") if isinstance(entry, dict) else None
        problems += _placed(index, name, found)
    return problems


def _placed(index: int, name: object, problems: Iterable[str]) -> list[str]:
    place = f"queries[{index}]" + (f" ({name})" if isinstance(name, str) and name else "")
    return [f"{place}.{problem}" for problem in problems]


def _text(value: object) -> str:
    return msgspec.json.encode(value, order="deterministic").decode()


def _lines(start: str, entries: Iterable[str], end: str) -> str:
    inner = ",\n".join(entries)
    return f"{start}\n{inner}\n{end}" if inner else start + end
