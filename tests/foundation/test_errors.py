"""The exception tree and what its errors tell people."""

from __future__ import annotations

import pickle

import pytest

from mystery_shopper.foundation import (
    AgentFault,
    ContextOverflow,
    InfrastructureFault,
    InputError,
    MysteryShopperError,
    UserFault,
)


def test_one_problem_is_one_line_with_its_place_and_remedy() -> None:
    error = InputError("no such field: colour", where="tasks.json", remedy="Name another field.")
    assert str(error) == "tasks.json: no such field: colour\nName another field."
    assert error.problems == ["no such field: colour"]


def test_several_problems_are_all_told() -> None:
    assert str(InputError(["a", "b"], where="x")) == "x: 2 problems\n  - a\n  - b"
    assert str(InputError(["a"])) == "a"


def test_an_input_error_survives_the_way_between_processes() -> None:
    error = InputError(["a", "b"], where="x", remedy="Mend it.")
    back = pickle.loads(pickle.dumps(error))
    assert (str(back), back.problems, back.where, back.remedy) == (
        str(error),
        ["a", "b"],
        "x",
        "Mend it.",
    )


@pytest.mark.parametrize("kind", [AgentFault, ContextOverflow, InfrastructureFault, UserFault])
def test_faults_share_the_root_but_not_one_another(kind: type[Exception]) -> None:
    assert issubclass(kind, MysteryShopperError)
    assert not issubclass(kind, InputError)
    assert issubclass(kind, AgentFault) == (kind in {AgentFault, ContextOverflow})
