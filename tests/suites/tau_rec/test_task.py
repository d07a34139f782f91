from __future__ import annotations

import uuid

import msgspec
import pytest

from mystery_shopper.catalog import Operator, Predicate
from mystery_shopper.suites.tau_rec.task import (
    FORMATS_FACT,
    CatalogueRef,
    Condition,
    Family,
    Origin,
    Requirement,
    Task,
    TaskSet,
    canary_for,
    fact,
)

from .helpers import HIDDEN, NORTH, ON_ASK, RED, SINCE, STATED, family, task


def task_set(*families: Family, name: str = "tau_rec/lamps@1") -> TaskSet:
    return TaskSet(
        schema=1,
        name=name,
        canary=canary_for(name, 7),
        catalogue=CatalogueRef("lamps", "0" * 64, (8,)),
        origin=Origin(1, 7, {}),
        families=families,
        panel=tuple(f.id for f in families[:2]),
        reliability=tuple(f.id for f in families[:1]),
    )


def three_families() -> tuple[Family, ...]:
    return tuple(
        msgspec.structs.replace(family((RED, STATED), (NORTH, HIDDEN)), id=f"f00{n}")
        for n in (1, 2, 3)
    )


@pytest.mark.parametrize(
    ("predicate", "name"),
    [
        (RED, "colour contains Red"),
        (SINCE, "made >= 2000"),
        (
            Predicate("colour", Operator.CONTAINS_ANY, ("Red", "Blue")),
            "colour contains_any Red, Blue",
        ),
    ],
)
def test_a_fact_is_named_by_field_operator_and_value(predicate: Predicate, name: str) -> None:
    assert fact(predicate) == name


def test_a_task_has_its_conditions_tags() -> None:
    hidden = task((RED, STATED), (NORTH, HIDDEN))
    mixed = Task(hidden.family, Condition.MIXED)
    assert hidden.requirements == (Requirement(RED, STATED), Requirement(NORTH, HIDDEN))
    assert mixed.requirements == (Requirement(RED, STATED), Requirement(NORTH, ON_ASK))


def test_the_family_knows_what_the_hidden_user_never_states() -> None:
    assert task((RED, STATED), (NORTH, HIDDEN), condition=Condition.VOLUNTEER).family.hidden == (
        NORTH,
    )


def test_formats_are_askable_except_where_they_are_volunteered() -> None:
    asked = [
        task((RED, STATED), (NORTH, ON_ASK), formats=("E27",), condition=condition).askable
        for condition in Condition
    ]
    assert asked == [(), (fact(NORTH), FORMATS_FACT), (fact(NORTH), FORMATS_FACT)]


def test_without_formats_only_requirements_are_askable() -> None:
    assert task((RED, STATED), (NORTH, ON_ASK), (SINCE, HIDDEN)).askable == (fact(NORTH),)


def test_a_task_is_named_by_family_and_condition() -> None:
    assert task((RED, STATED), condition=Condition.MIXED).id == "f001-mixed"


def test_a_set_lists_its_tasks_family_by_family() -> None:
    found = list(task_set(*three_families()).by_id)
    assert found[:4] == ["f001-volunteer", "f001-mixed", "f001-hidden", "f002-volunteer"]
    assert len(found) == 9


@pytest.mark.parametrize(("block", "count"), [("all", 3), ("panel", 2), ("reliability", 1)])
def test_a_block_holds_its_families(block: str, count: int) -> None:
    chosen = task_set(*three_families()).select(block, [Condition.HIDDEN])
    assert [t.id for t in chosen] == [f"f00{n}-hidden" for n in range(1, count + 1)]


def test_conditions_come_in_their_own_order() -> None:
    chosen = task_set(*three_families()).select("reliability", [Condition.HIDDEN, Condition.MIXED])
    assert [t.condition for t in chosen] == [Condition.MIXED, Condition.HIDDEN]


def test_the_digest_changes_with_the_content() -> None:
    one = task_set(*three_families())
    other = msgspec.structs.replace(one, reliability=())
    assert one.digest == task_set(*three_families()).digest != other.digest


def test_a_set_survives_json() -> None:
    one = task_set(*three_families())
    again = msgspec.json.decode(msgspec.json.encode(one), type=TaskSet)
    assert again == one
    assert again.digest == one.digest


def test_the_canary_is_a_guid_fixed_by_name_and_seed() -> None:
    assert uuid.UUID(canary_for("a/b@1", 1)).version == 5
    assert canary_for("a/b@1", 1) == canary_for("a/b@1", 1)
    assert len({canary_for("a/b@1", 1), canary_for("a/b@1", 2), canary_for("a/b@2", 1)}) == 3
