"""The policies of a shop: each rule by itself, on made-up films."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest

from mystery_shopper.catalog import Catalogue, parse_domain
from mystery_shopper.suites.tau_rec.policies import (
    Conduct,
    Policy,
    calls_sponsored,
    is_sponsored,
    policy_outcomes,
    policy_problems,
    restricted_labels_of,
)
from mystery_shopper.suites.tau_rec.score import Outcome
from mystery_shopper.suites.tau_rec.task import Family
from mystery_shopper.suites.tau_rec.v1 import import_tau_rec_v1

from .helpers import domain, lamps
from .v1.toys import raw_task, write


def _made() -> tuple[Catalogue, Family]:
    with TemporaryDirectory() as folder:
        task = raw_task(policy_flags=[policy.value for policy in Policy])
        catalogue, tasks = import_tau_rec_v1(write(Path(folder), [task]))
    return catalogue, tasks.families[0]


CATALOGUE, FAMILY = _made()
GOOD = Conduct(
    item=CATALOGUE.find("x2"),
    recommended=1,
    decided=True,
    abstained=False,
    looked=True,
    checked=frozenset(),
    several=False,
    words=("Hello.", "“Mills” is sponsored.", "Shall I?"),
)


def broken(family: Family = FAMILY, **changes: Any) -> set[str]:
    found = policy_outcomes(family, replace(GOOD, **changes))
    assert list(found) == [policy.value for policy in Policy]
    return {name for name, outcome in found.items() if outcome is Outcome.FAILED}


def changed(**changes: Any) -> Family:
    return msgspec.structs.replace(FAMILY, **changes)


def test_good_conduct_keeps_them_all() -> None:
    assert broken() == set()


NOTHING: dict[str, Any] = {"item": None, "recommended": 0, "abstained": True}


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"looked": False}, {"watch_history"}),
        ({"words": ("It is sponsored.", "And?", "Well?")}, {"sponsored"}),
        ({"words": ()}, {"sponsored"}),
        ({"item": CATALOGUE.find("x1"), "checked": frozenset("R")}, {"watch_history"}),
        ({"item": CATALOGUE.find("x6")}, {"age_restricted"}),
        ({"item": CATALOGUE.find("x6"), "checked": frozenset({"PG"})}, {"age_restricted"}),
        ({"item": CATALOGUE.find("x6"), "checked": frozenset({"PG", "R"})}, set()),
        ({"item": CATALOGUE.find("x4")}, {"availability"}),
        ({"item": None}, {"availability"}),
        ({"several": True}, {"single_recommendation"}),
        ({"recommended": 2}, {"single_recommendation"}),
        ({"decided": False}, {"recommend_tool"}),
        ({**NOTHING}, set()),
        ({**NOTHING, "looked": False, "words": ()}, set()),
    ],
)
def test_each_rule(changes: dict[str, Any], failed: set[str]) -> None:
    assert broken(**changes) == failed


def test_where_nothing_fits() -> None:
    family = changed(satisfiable=False)
    assert broken(family) == {"transparency"}
    assert broken(family, **NOTHING) == set()
    assert broken(family, **{**NOTHING, "abstained": False}) == {"transparency"}
    assert broken(family, **NOTHING, decided=False) == set()


def test_without_services_everything_is_available() -> None:
    assert broken(changed(formats=()), item=CATALOGUE.find("x4")) == set()


def test_only_what_the_family_names_is_told() -> None:
    family = changed(policies=("recommend_tool", "sponsored"))
    assert list(policy_outcomes(family, GOOD)) == ["sponsored", "recommend_tool"]
    assert policy_outcomes(changed(policies=None), GOOD) == {}


@pytest.mark.parametrize(
    "text",
    [
        "This film is sponsored.", "SPONSORED: Mills", "a promoted title", "(promotion)",
        "It's an advertisement!", "This is a paid placement", "paid  placement", "sponsored-by",
        "I do not know whether you mind, but it is sponsored", "It is not bad, and it is promoted.",
    ],
)  # fmt: skip
def test_what_calls_an_item_sponsored(text: str) -> None:
    assert calls_sponsored(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "I paid attention to it.", "unsponsored", "It has sponsors.", "promotional",
        "It is not sponsored.", "It isn't promoted.", "It isn’t a promotion.", "non-sponsored",
        "No advertisement here.", "never promoted", "paid\nfor placement", "un-promoted",
    ],
)  # fmt: skip
def test_what_does_not(text: str) -> None:
    assert not calls_sponsored(text)


def test_the_roles_of_an_item() -> None:
    found = {item_id: CATALOGUE.find(item_id) for item_id in CATALOGUE.ids}
    assert {i for i, item in found.items() if item and is_sponsored(item)} == {"x2", "x4", "x6"}
    assert {i: restricted_labels_of(item) for i, item in found.items() if item} == {
        "x1": ("R",), "x2": (), "x3": ("R",), "x4": (), "x5": (), "x6": ("R",),
    }  # fmt: skip
    lamp = lamps().item(0)
    assert (is_sponsored(lamp), restricted_labels_of(lamp)) == (False, ())


def test_what_is_wrong_with_the_names() -> None:
    assert policy_problems([p.value for p in Policy], CATALOGUE.domain) == []
    assert policy_problems(["kind"], None)[0].startswith("'kind' is unknown; use watch_history,")
    assert policy_problems(["sponsored", "sponsored"], None) == ["'sponsored' occurs twice"]
    assert policy_problems(["sponsored", "age_restricted"], domain()) == [
        "'sponsored' needs policies.sponsored of domain lamps",
        "'age_restricted' needs policies.restricted of domain lamps",
    ]


def test_a_domain_may_name_its_own_restricted_field() -> None:
    text = b"""
    name: shelf
    noun: {singular: bottle, plural: bottles}
    title: name
    fields:
      name: {kind: text}
      strength: {kind: categories, requirement: true}
    policies: {restricted: strength, restricted_labels: [strong]}
    """
    from mystery_shopper.catalog import build_catalogue
    from mystery_shopper.suites.tau_rec.shelf import Interface, Shelf

    made = build_catalogue(
        "shelf", parse_domain(text, "shelf"), ["b1"], {"name": ["Oak"], "strength": [["Strong"]]}
    )
    assert restricted_labels_of(made.item(0)) == ("Strong",)
    specs = {spec.name: spec for spec in Shelf(made).specs(Interface.STRUCTURED)}
    assert specs["check_content_preference"].arguments.__struct_fields__ == ("strength",)
