"""No field name stands in the code: with every field renamed the same things happen."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import mystery_shopper.suites
from mystery_shopper.catalog import (
    Catalogue,
    Domain,
    Operator,
    Predicate,
    load_domain,
)
from mystery_shopper.dialogue import UserSaid, Verdict, rollout
from mystery_shopper.sources import load_films, load_shop
from mystery_shopper.suites.tau_rec.generate import generate
from mystery_shopper.suites.tau_rec.reference import AGENTS
from mystery_shopper.suites.tau_rec.scoring import Scorer
from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage
from mystery_shopper.suites.tau_rec.task import Condition, Family, Reveal, Task
from mystery_shopper.suites.tau_rec.validate import check_task_set
from mystery_shopper.testing import events_of

from .helpers import BOTH, HIDDEN, ON_ASK, STATED, family

INNOCENT = ('schema.pop("title", None)', '"title": (TITLE,)')
"""A key of JSON Schema, and a list of marks in patterns."""
ROLES = ("title", "popularity", "recency")


def new_names(domain: Domain) -> dict[str, str]:
    """Names without meaning, in an alphabetical order that is not the fields'."""
    return {name: f"z{97 - i * 7 % 89:02}" for i, name in enumerate(domain.fields)}


def renamed_domain(domain: Domain) -> Domain:
    names = new_names(domain)

    def walk(node: Any) -> Any:
        if isinstance(node, list):
            return [walk(part) for part in node]
        if not isinstance(node, dict):
            return node
        return {
            key: [names.get(name, name) for name in part] if key == "yields" else walk(part)
            for key, part in node.items()
        }

    plain = walk(msgspec.to_builtins(domain))
    for old, spec in plain["fields"].items():
        spec["label"] = domain.label(old)
    plain["fields"] = {names[old]: spec for old, spec in plain["fields"].items()}
    for role in ROLES:
        plain[role] = names.get(plain[role], plain[role])
    for part, roles in (("formats", ["column"]), ("policies", ["sponsored", "restricted"])):
        for role in roles if plain[part] is not None else []:
            plain[part][role] = names.get(plain[part][role], plain[part][role])
    plain["templates"] = {
        tier: [[re.sub(r"^[a-z_]+", lambda m: names[m[0]], slot) for slot in row] for row in rows]
        for tier, rows in plain["templates"].items()
    }
    return msgspec.convert(plain, Domain)


CATALOGUES = {"films": load_films, "shop": load_shop}


@cache
def catalogue(name: str) -> Catalogue:
    return CATALOGUES[name]()


@cache
def strangers(name: str) -> Catalogue:
    """The catalogue with every field renamed."""
    here = catalogue(name)
    names = new_names(here.domain)
    columns = {names[name]: column for name, column in here.columns.items()}
    domain = renamed_domain(here.domain)
    return replace(here, domain=domain, columns=columns)


@cache
def shelves(name: str) -> tuple[Shelf, Shelf]:
    return Shelf(catalogue(name)), Shelf(strangers(name))


def renamed_family(given: Family, domain: Domain) -> Family:
    names = new_names(domain)
    return msgspec.structs.replace(
        given,
        template=tuple(re.sub(r"^[a-z_]+", lambda m: names[m[0]], slot) for slot in given.template),
        predicates=tuple(
            msgspec.structs.replace(predicate, field=names[predicate.field])
            for predicate in given.predicates
        ),
    )


def requirement(
    field: str, op: str, value: str | float, reveal: Reveal
) -> tuple[Predicate, Reveal]:
    return Predicate(field, Operator(op), value), reveal


FAMILIES = {
    "films": (
        family(
            requirement("genre", "contains", "Horror", STATED),
            requirement("country", "within", "Spain", HIDDEN),
            formats=("DVD", "download"),
        ),
        family(
            requirement("language", "within", "French", STATED),
            requirement("year", ">=", 1990, HIDDEN),
            requirement("year", "<=", 2005, HIDDEN),
        ),
        family(
            requirement("genre", "contains", "Documentary", STATED),
            requirement("language", "within", "Latin", HIDDEN),
            satisfiable=False,
        ),
    ),
    "shop": (
        family(
            requirement("category", "within", "Shoes", STATED),
            requirement("second_hand", "==", True, HIDDEN),
            requirement("price", "<=", 49.99, ON_ASK),
            formats=("home delivery",),
        ),
        family(
            requirement("second_hand", "==", False, STATED),
            requirement("price", ">=", 19.5, HIDDEN),
            requirement("colours", "contains", "Navy", ON_ASK),
        ),
        family(
            requirement("brand", "contains", "Nobody", STATED),
            requirement("second_hand", "==", True, HIDDEN),
            satisfiable=False,
        ),
    ),
}


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("interface", BOTH)
@pytest.mark.parametrize("name", CATALOGUES)
def test_renamed_fields_give_the_same_dialogues(
    name: str, agent: str, interface: Interface
) -> None:
    for given in FAMILIES[name]:
        renamed = renamed_family(given, catalogue(name).domain)
        for condition in Condition:
            told: list[Any] = []
            for shelf, chosen in zip(shelves(name), (given, renamed), strict=True):
                task = Task(chosen, condition)
                stage = set_stage(task, shelf, Setting(interface=interface))
                played = rollout(stage, AGENTS[agent](task, shelf, interface)).transcript
                verdicts = [(v.item_id, v.accepted) for v in events_of(played, Verdict)]
                words = [event.text for event in events_of(played, UserSaid)]
                score = Scorer(shelf.catalogue).score(task, played)
                told.append((verdicts, words, score))
            assert told[0] == told[1]


@pytest.mark.parametrize("name", CATALOGUES)
def test_renamed_fields_give_the_same_tasks(name: str) -> None:
    drawn = [
        generate(one, seed=3, name="tau_rec/renamed@1", families=6)
        for one in (catalogue(name), strangers(name))
    ]
    domain = catalogue(name).domain
    renamed = tuple(renamed_family(given, domain) for given in drawn[0].families)
    assert renamed == drawn[1].families
    assert drawn[0].origin == drawn[1].origin
    for task_set, one in zip(drawn, (catalogue(name), strangers(name)), strict=True):
        assert check_task_set(task_set, one).violations == ()


FOREIGN = (
    "recbench/answers", "recbench/titles", "recbench/released", "recbench/corrections.py",
    "recbench/prompts.py", "recbench/foreign.py",
)  # fmt: skip
"""These name the keys of a published answer format and of a release, and words of English: no field
of a catalogue."""


def sources() -> list[Path]:
    root = Path(mystery_shopper.suites.__file__).parents[1]
    folders = ("suites", "dialogue", "agents")
    found = sorted(path for name in folders for path in (root / name).rglob("*.py"))
    return [path for path in found if not any(part in path.as_posix() for part in FOREIGN)]


@pytest.mark.parametrize("path", sources(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_field_name_stands_in_the_code(path: Path) -> None:
    """Popularity is an order and an agent; some titles are no field: those may be named."""
    names = {name for domain in ("films", "books", "shop") for name in load_domain(domain).fields}
    names.discard("popularity")
    code = path.read_text(encoding="utf-8")
    for innocent in INNOCENT:
        code = code.replace(innocent, "")
    found = re.findall(rf"""["']({"|".join(sorted(names))})["']""", code)
    assert found == []
