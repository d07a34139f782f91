"""The catalogue of τ-Rec v1: films as one JSON array, read strictly.

Each film has an id, texts, labels, numbers, the streaming services that carry it, and whether it is
sponsored. The domain of these fields is the shipped `tau_rec_v1`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from importlib import resources
from pathlib import Path

import msgspec

from mystery_shopper.catalog import Catalogue, build_catalogue, fold, parse_domain
from mystery_shopper.catalog.catalogue import id_problem
from mystery_shopper.foundation import InputError, decode_fields, decode_leaf, parse_json

NAME = "tau_rec_v1"
CATALOGUE_FILE = "catalog.json"


class Film(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One film as the file has it. `release_date` is an ISO date; `runtime` is in minutes."""

    id: str
    title: str
    release_date: str
    runtime: int
    genres: tuple[str, ...]
    overview: str
    cast: tuple[str, ...]
    director: str
    rating: float
    vote_count: int
    streaming_services: tuple[str, ...]
    sponsored: bool
    content_rating: str


_LABELS = ("genres", "cast", "streaming_services")


def domain_text() -> bytes:
    """The YAML of the catalogue's domain."""
    return (resources.files("mystery_shopper") / "data" / "domains" / f"{NAME}.yaml").read_bytes()


def read_catalogue(folder: Path) -> tuple[Catalogue | None, list[str]]:
    """(catalogue, problems): the films of `folder`, None where the file cannot be read as a whole
    or holds a fault. Every problem names its place in the file."""
    path = folder / CATALOGUE_FILE
    problems: list[str] = []
    value = read_json(path, CATALOGUE_FILE, problems)
    if not isinstance(value, list):
        if not problems:
            problems.append(f"{CATALOGUE_FILE}: must hold one JSON array of films")
        return None, problems
    entries: list[object] = value
    films = [_film(entry, index, problems) for index, entry in enumerate(entries)]
    whole = [film for film in films if film is not None]
    problems.extend(_repeated(whole))
    problems.extend(_spellings(whole))
    if problems:
        return None, problems
    try:
        return _catalogue(whole), []
    except InputError as error:
        return None, [f"{CATALOGUE_FILE}: {problem}" for problem in error.problems]


def read_json(path: Path, name: str, problems: list[str]) -> object:
    """The value in a JSON file; what is wrong is added to `problems` under `name`, and then the
    value is None."""
    found: list[str] = []
    value: object = None
    try:
        value = parse_json(path.read_bytes(), found)
    except OSError as error:
        found.append(f"cannot be read ({error.strerror or error})")
    except ValueError as error:
        found.append(str(error))
    problems.extend(f"{name}: {problem}" for problem in found)
    return None if found else value


def _film(entry: object, index: int, problems: list[str]) -> Film | None:
    name = entry.get("id") if isinstance(entry, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    place = f"{CATALOGUE_FILE}: [{index}]" + (f" ({name})" if isinstance(name, str) else "")
    before = len(problems)
    if not isinstance(entry, dict):
        decode_leaf(entry, dict[str, object], problems, place)
        return None
    draft = decode_fields(entry, Film, problems, place)  # pyright: ignore[reportUnknownArgumentType]
    if len(problems) > before:
        return None
    film = Film(**draft)
    problems.extend(f"{place}.{problem}" for problem in _film_problems(film))
    return film if len(problems) == before else None


def _film_problems(film: Film) -> list[str]:
    problems: list[str] = []
    wrong = id_problem(film.id)
    if wrong:
        problems.append(f"id: {film.id!r} {wrong}")
    for name in _LABELS:
        labels: tuple[str, ...] = getattr(film, name)
        problems.extend(f"{name}: a label is empty" for label in labels if not label.strip())
    for name in ("director", "content_rating"):
        if not getattr(film, name).strip():
            problems.append(f"{name}: is empty")
    if _day(film.release_date) is None:
        problems.append(f"release_date: {film.release_date!r} is no date such as 2025-12-17")
    return problems


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if len(text) == len("2025-12-17") else None
    except ValueError:
        return None


def _repeated(films: Sequence[Film]) -> list[str]:
    first: dict[str, int] = {}
    problems: list[str] = []
    for index, film in enumerate(films):
        if first.setdefault(film.id, index) != index:
            problems.append(f"{CATALOGUE_FILE}: id {film.id!r} occurs more than once")
    return list(dict.fromkeys(problems))


def _spellings(films: Sequence[Film]) -> list[str]:
    """Labels of one field that differ in case alone. They would be one label here."""
    problems: list[str] = []
    for name in (*_LABELS, "director", "content_rating"):
        spelling: dict[str, str] = {}
        for film in films:
            value: str | tuple[str, ...] = getattr(film, name)
            for label in (value,) if isinstance(value, str) else value:
                other = spelling.setdefault(fold(label), label)
                if other != label:
                    problems.append(
                        f"{CATALOGUE_FILE}: {name}: {other!r} is also written {label!r}"
                    )
    return list(dict.fromkeys(problems))


def _catalogue(films: Sequence[Film]) -> Catalogue:
    domain = parse_domain(domain_text(), NAME)
    rows = [msgspec.structs.asdict(film) for film in films]
    years = [int(film.release_date[:4]) for film in films]
    values: Mapping[str, Sequence[object]] = {
        name: years if name == "year" else [row[name] for row in rows] for name in domain.fields
    }
    return build_catalogue(NAME, domain, [film.id for film in films], values)
