"""The words and roles of a catalogue, read from a YAML file.

A domain tells the suites what the items are called, which fields there are and of what kind, which
of them carry requirements, and how a customer words a value. Suites work by kind and role; no field
name of any catalogue stands in their code.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from mystery_shopper.catalog.fields import Hierarchy, Kind
from mystery_shopper.catalog.reading import REMEDY, nearest, read_yaml
from mystery_shopper.catalog.specs import FieldSpec, Formats, Noun, Personas, Policies
from mystery_shopper.catalog.words import DomainWords, pattern_problems, word_problems
from mystery_shopper.foundation import InputError, read_whole

SHIPPED = ("films", "books", "shop", "tau_rec_v1")
_OPERATORS = ("<=", ">=", "==", "!=", "contains", "contains_any", "not_contains", "in", "within")


FLAG_PHRASES = ("wanted", "unwanted")

FORMATS_FIELD = "format"
"""The name under which a question about the formats is read, whatever their label."""


class Domain(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Everything said above, validated. `fields` keeps the order of the file.

    `templates`: tier -> combinations of slots; a slot is a label field, or an ordered field and
    then `>=` or `<=`. Without them a suite derives its own. `id`: the column of the owner's file
    that holds the ids. `sizes`: the wanted nested subsets.
    """

    name: str
    noun: Noun
    fields: dict[str, FieldSpec]
    title: str
    id: str = "id"
    sizes: tuple[int, ...] = ()
    popularity: str | None = None
    recency: str | None = None
    formats: Formats | None = None
    varieties: str | dict[str, str] | None = None
    words: DomainWords = DomainWords()
    templates: dict[str, tuple[tuple[str, ...], ...]] = {}
    personas: Personas | None = None
    policies: Policies | None = None

    def __post_init__(self) -> None:
        problems = _problems(self)
        if problems:
            raise InputError(problems, where=f"domain {self.name}", remedy=REMEDY)

    @cached_property
    def requirement_fields(self) -> tuple[str, ...]:
        """The fields that carry requirements, in the file's order."""
        return tuple(name for name, spec in self.fields.items() if spec.requirement)

    @cached_property
    def hierarchies(self) -> Mapping[str, Hierarchy]:
        """Field name -> its label forest (empty where the field has none)."""
        return {name: _hierarchy(spec) for name, spec in self.fields.items()}

    @cached_property
    def variety_of(self) -> Mapping[str, str]:
        """A label that names a variety -> the label of another field that it gives away."""
        if isinstance(self.varieties, str):
            return shared_table(self.varieties)
        return self.varieties or {}

    def label(self, field: str) -> str:
        """What people call the field."""
        return self.fields[field].label or field.replace("_", " ")


def _problems(domain: Domain) -> list[str]:
    problems: list[str] = []
    for place, text in (
        ("name", domain.name),
        ("noun.singular", domain.noun.singular),
        ("noun.plural", domain.noun.plural),
        *((f"fields.{name!r}", name) for name in domain.fields),
    ):
        if not text.strip():
            problems.append(f"{place}: is empty")
    if any(size < 1 for size in domain.sizes):
        problems.append("sizes: a subset has at least 1 item")
    named = {"title": domain.title, "popularity": domain.popularity, "recency": domain.recency}
    for role, name in named.items():
        if name is not None and name not in domain.fields:
            problems.append(f"{role}: there is no field {name!r}")
    if domain.title in domain.fields and domain.fields[domain.title].kind is not Kind.TEXT:
        problems.append(f"title: {domain.title!r} must be of kind text")
    for name in (domain.popularity, domain.recency):
        if name in domain.fields and not domain.fields[name].kind.is_ordered:
            problems.append(f"fields.{name}: an order needs kind integer or number")
    for name, spec in domain.fields.items():
        if spec.most < 1:
            problems.append(f"fields.{name}: most must be at least 1")
        if spec.step is not None and not 0 < spec.step < math.inf:
            problems.append(f"fields.{name}: step must be above 0")
        if spec.requirement and not spec.kind.carries_requirements:
            problems.append(f"fields.{name}: a {spec.kind.value} field cannot carry requirements")
        if spec.hierarchy is not None and not spec.kind.is_label:
            problems.append(f"fields.{name}: only label fields have a hierarchy")
        problems.extend(f"fields.{name}.say{problem}" for problem in _say_problems(spec))
        problems.extend(f"fields.{name}.words.{problem}" for problem in word_problems(spec.words))
        try:
            _hierarchy(spec)
        except ValueError as error:
            problems.append(f"fields.{name}.hierarchy: {error}")
    for tier, templates in domain.templates.items():
        for template in templates:
            problems.extend(
                f"templates.{tier}: {problem}"
                for slot in template
                for problem in _slot_problems(domain, slot)
            )
    formats = domain.formats
    if formats is not None:
        column = domain.fields.get(formats.column or "")
        if formats.column is not None and (column is None or not column.kind.carries_requirements):
            problems.append(
                f"formats.column: {formats.column!r} is no label, flag or ordered field"
            )
        if FORMATS_FIELD in domain.requirement_fields:
            problems.append(f"fields.{FORMATS_FIELD}: the formats have this name; choose another")
        if formats.column is None and len(formats.simulated) < 2:
            problems.append("formats: name a column, or at least two simulated formats")
        problems.extend(f"formats.words.{problem}" for problem in word_problems(formats.words))
    problems.extend(f"words.{problem}" for problem in pattern_problems(domain.words))
    if isinstance(domain.varieties, str) and not shared_table(domain.varieties):
        problems.append(f"varieties: {_no_table(domain.varieties, 'table')}")
    return [*problems, *_policy_problems(domain)]


def _say_problems(spec: FieldSpec) -> list[str]:
    if spec.kind is Kind.FLAG:
        return [
            f": {key!r} is none of a flag's phrases; use {' '.join(FLAG_PHRASES)}"
            for key in spec.say
            if key not in FLAG_PHRASES
        ]
    problems: list[str] = []
    for operator, phrase in spec.say.items():
        if operator not in _OPERATORS:
            problems.append(f": {operator!r} is no operator; use {' '.join(_OPERATORS)}")
        if "{value}" not in phrase:
            problems.append(f".{operator}: the phrase lacks {{value}}")
    return problems


def _policy_problems(domain: Domain) -> list[str]:
    policies = domain.policies or Policies()
    problems: list[str] = []
    for role, name, kinds in (
        ("sponsored", policies.sponsored, (Kind.FLAG,)),
        ("restricted", policies.restricted, (Kind.CATEGORY, Kind.CATEGORIES)),
    ):
        if name is None:
            continue
        spec = domain.fields.get(name)
        if spec is None or spec.kind not in kinds:
            problems.append(f"policies.{role}: {name!r} is no {kinds[0].value} field")
    return problems


def _slot_problems(domain: Domain, slot: str) -> list[str]:
    name = slot.removesuffix(">=").removesuffix("<=")
    spec = domain.fields.get(name)
    if spec is None or not spec.requirement:
        return [f"{name!r} is no field that carries requirements"]
    if spec.kind.is_ordered == (name == slot):
        return [f"{slot!r}: write an ordered field with >= or <=, a label field without"]
    return []


def _hierarchy(spec: FieldSpec) -> Hierarchy:
    if spec.hierarchy is None:
        return Hierarchy()
    table: Any = spec.hierarchy
    if isinstance(spec.hierarchy, str):
        table = shared_table(spec.hierarchy)
        if not table:
            raise ValueError(_no_table(spec.hierarchy, "hierarchy"))
    return Hierarchy.from_children(table)


def _no_table(name: str, what: str) -> str:
    folder = resources.files("mystery_shopper") / "data" / "hierarchies"
    known = (file.name.removesuffix(".yaml") for file in folder.iterdir())
    return f"there is no shipped {what} {name!r}; there are: {', '.join(nearest(name, known))}"


def shared_table(name: str) -> dict[str, Any]:
    """A shipped table of labels by name; empty where there is none of that name."""
    if not name.isidentifier():
        return {}
    source = resources.files("mystery_shopper") / "data" / "hierarchies" / f"{name}.yaml"
    if not source.is_file():
        return {}
    return msgspec.yaml.decode(source.read_bytes(), type=dict[str, Any])


def load_domain(source: str | Path) -> Domain:
    """A shipped domain by name, or one from a YAML file.

    Raises InputError with the file, the place in it and the remedy.
    """
    if isinstance(source, str) and source in SHIPPED:
        place = resources.files("mystery_shopper") / "data" / "domains" / f"{source}.yaml"
        return parse_domain(place.read_bytes(), str(source))
    path = Path(source)
    remedy = f"Name an existing YAML file or a shipped domain: {', '.join(SHIPPED)}."
    return parse_domain(read_whole(path, remedy), str(path))


def parse_domain(text: bytes, where: str) -> Domain:
    """A domain from YAML text; `where` names the source in errors. Raises InputError with every
    problem, its line and its cure."""
    return read_yaml(text, Domain, where)
