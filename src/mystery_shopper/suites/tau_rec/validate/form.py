"""What a task set must be by itself, before any item is looked at.

Every rule yields all it finds, each problem with its place in the file. Source: τ-Rec-Books §3
(reveal tags and conditions).
"""

from __future__ import annotations

import re
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from mystery_shopper.catalog import Domain
from mystery_shopper.suites.tau_rec.policies import policy_problems
from mystery_shopper.suites.tau_rec.task import SCHEMA, Condition, Family, Reveal

NAME = re.compile(r"[^\s@]+@[0-9]+")


@dataclass(frozen=True)
class Frame:
    """What a family is held against: the nested sizes and the domain, None where unknown."""

    sizes: tuple[int, ...] | None
    domain: Domain | None


def family_problems(family: Family, frame: Frame, known: Iterable[str] | None = None) -> list[str]:
    """What is wrong with one family by itself, each with its field.

    `known` are the fields that could be decoded; rules that need another are passed over.
    """
    fields = set(family.__struct_fields__ if known is None else known)
    return [
        problem
        for needs, find in _FAMILY_RULES
        if fields.issuperset(needs)
        for problem in find(family, frame)
    ]


def set_problems(draft: dict[str, Any], ids: list[str] | None) -> list[str]:
    """What is wrong with a set beside its families.

    `draft` holds the fields that were decoded, `ids` those of the families where they are known.
    """
    problems: list[str] = []
    if "schema" in draft and draft["schema"] != SCHEMA:
        problems.append(f"schema: {draft['schema']} is not known; this version reads {SCHEMA}")
    if "name" in draft and not NAME.fullmatch(draft["name"]):
        problems.append(f"name: {draft['name']!r} is no name with a version, such as films@1")
    if "canary" in draft and not _is_guid(draft["canary"]):
        problems.append(f"canary: {draft['canary']!r} is no GUID")
    if "catalogue" in draft:
        sizes = draft["catalogue"].sizes
        if not sizes or list(sizes) != sorted(set(sizes)) or sizes[0] < 1:
            problems.append("catalogue.sizes: must be positive, ascending and not empty")
    problems.extend(f"families: id {name!r} occurs {n} times" for name, n in repeated(ids or ()))
    for block in ("panel", "reliability"):
        names = draft.get(block, ())
        problems.extend(f"{block}: id {name!r} occurs {n} times" for name, n in repeated(names))
        problems.extend(
            f"{block}: there is no family {name!r}"
            for name in dict.fromkeys(names)
            if ids is not None and name not in ids
        )
    if "panel" in draft:
        outside = set(draft.get("reliability", ())) - set(draft["panel"])
        problems.extend(f"reliability: {name!r} is not in the panel" for name in sorted(outside))
    return problems


def _id_rule(family: Family, _: Frame) -> Iterator[str]:
    if not family.id.strip():
        yield "id: is empty"


def _criteria_rule(family: Family, frame: Frame) -> Iterator[str]:
    if not family.predicates:
        yield "predicates: there is none, so anything would do"
    for index, predicate in enumerate(family.predicates):
        if predicate in family.predicates[:index]:
            yield f"predicates[{index}]: repeats an earlier one"
        if frame.domain is None:
            continue
        found = predicate.problems(frame.domain)
        if not found and not frame.domain.fields[predicate.field].requirement:
            found = [f"field {predicate.field!r} carries no requirements"]
        yield from (f"predicates[{index}]: {problem}" for problem in found)


def _conditions_rule(family: Family, _: Frame) -> Iterator[str]:
    """Ours have every condition; an imported family (it names its policies) has at least one."""
    if family.policies is not None:
        if not family.reveals:
            yield "reveals: there is no condition"
        return
    for condition in Condition:
        if condition not in family.reveals:
            yield f"reveals: lacks condition {condition.value!r}"


def _tag_count_rule(family: Family, _: Frame) -> Iterator[str]:
    for condition, tags in family.reveals.items():
        if len(tags) != len(family.predicates):
            yield (
                f"reveals.{condition.value}: {len(tags)} tags for "
                f"{len(family.predicates)} predicates"
            )


def _tag_rule(family: Family, _: Frame) -> Iterator[str]:
    """What each condition promises of its tags; those of an imported family stand as they came."""
    if family.policies is not None:
        return
    volunteer, mixed, hidden = (family.reveals.get(condition) for condition in Condition)
    if volunteer and set(volunteer) != {Reveal.STATED}:
        yield "reveals.volunteer: every tag must be 'stated'"
    if mixed and Reveal.HIDDEN in mixed:
        yield "reveals.mixed: no tag may be 'hidden'"
    for name, tags in (("mixed", mixed), ("hidden", hidden)):
        if tags and tags.count(Reveal.STATED) != 1:
            yield f"reveals.{name}: {tags.count(Reveal.STATED)} tags are 'stated', not one"
    if mixed and hidden and _stated(mixed) != _stated(hidden):
        yield "reveals: 'mixed' and 'hidden' state different predicates"
    if hidden and Reveal.HIDDEN not in hidden:
        yield "reveals.hidden: no tag is 'hidden'"


def _stated(tags: tuple[Reveal, ...]) -> int | None:
    return tags.index(Reveal.STATED) if tags.count(Reveal.STATED) == 1 else None


def _answers_rule(family: Family, frame: Frame) -> Iterator[str]:
    counts = family.answers
    if frame.sizes is not None and set(counts) != set(frame.sizes):
        yield f"answers: sizes {sorted(counts)} are not those of the catalogue {list(frame.sizes)}"
    ordered = [counts[size] for size in sorted(counts)]
    if any(count < 0 for count in ordered) or ordered != sorted(ordered):
        yield "answers: counts must not be negative, nor fall as the catalogue grows"


def _satisfiable_rule(family: Family, _: Frame) -> Iterator[str]:
    none = [size for size, count in sorted(family.answers.items()) if count <= 0]
    some = [size for size, count in sorted(family.answers.items()) if count > 0]
    if family.satisfiable and none:
        yield f"satisfiable: is true, but there is no answer among {none}"
    if not family.satisfiable and some:
        yield f"satisfiable: is false, but there are answers among {some}"


def _policies_rule(family: Family, frame: Frame) -> Iterator[str]:
    for problem in policy_problems(family.policies or (), frame.domain):
        yield f"policies: {problem}"


def _repeats_rule(family: Family, _: Frame) -> Iterator[str]:
    for field, names in (("formats", family.formats), ("history", family.history)):
        yield from (f"{field}: {name!r} occurs {n} times" for name, n in repeated(names))


_FAMILY_RULES: tuple[tuple[tuple[str, ...], Callable[[Family, Frame], Iterator[str]]], ...] = (
    (("id",), _id_rule),
    (("predicates",), _criteria_rule),
    (("reveals",), _conditions_rule),
    (("predicates", "reveals"), _tag_count_rule),
    (("reveals",), _tag_rule),
    (("answers",), _answers_rule),
    (("answers", "satisfiable"), _satisfiable_rule),
    (("policies",), _policies_rule),
    (("formats", "history"), _repeats_rule),
)


def repeated(names: Iterable[str]) -> list[tuple[str, int]]:
    return [(name, count) for name, count in Counter(names).items() if count > 1]


def _is_guid(text: str) -> bool:
    try:
        return str(uuid.UUID(text)) == text.lower()
    except ValueError:
        return False
