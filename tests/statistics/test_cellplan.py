"""Which tasks pair, what does not, and which cells are refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mystery_shopper.statistics import (
    Cell,
    Difference,
    IncomparableCells,
    differing,
    pair,
    paired_bootstrap,
)

FACTORS = {
    "agent": "one",
    "interface": "keyword",
    "condition": "mixed",
    "size": "20k",
    "user": "rule-based",
    "prompt": "base",
    "catalogue": "books",
    "task_set": "books@1",
}


def cell(values: dict[str, float], **factors: str) -> Cell:
    """Task ids are family/condition."""
    return Cell(FACTORS | factors, values, {task: task.split("/")[0] for task in values})


def test_tasks_pair_by_id_and_what_does_not_is_listed() -> None:
    base = cell({"b/mixed": 0.5, "a/mixed": 1.0, "d/mixed": 0.0})
    candidate = cell({"c/mixed": 1.0, "b/mixed": 1.0, "a/mixed": math.nan}, interface="structured")
    found = pair(base, candidate, factor="interface")
    assert found.tasks == ("a/mixed", "b/mixed")
    assert found.clusters == ("a", "b")
    assert math.isnan(found.differences[0])
    assert found.differences[1] == 0.5
    assert (found.only_base, found.only_candidate) == (("d/mixed",), ("c/mixed",))
    assert found.unscored == ("a/mixed",)
    (result,) = paired_bootstrap([found.contrast("interface")], seed=1)
    assert (result.name, result.estimate, result.tasks, result.unpaired) == ("interface", 0.5, 1, 1)


def test_conditions_pair_by_family() -> None:
    base = cell({"a/volunteer": 1.0, "b/volunteer": 0.5}, condition="volunteer")
    candidate = cell({"a/mixed": 0.25, "c/mixed": 0.5})
    found = pair(base, candidate, factor="condition")
    assert found.tasks == found.clusters == ("a",)
    assert found.differences.tolist() == [-0.75]
    assert (found.only_base, found.only_candidate) == (("b",), ("c",))


def test_a_key_of_ones_own_pairs() -> None:
    base, candidate = cell({"a/1": 0.0}), cell({"a/2": 1.0}, catalogue="twin")
    assert pair(base, candidate, factor="catalogue").tasks == ()
    found = pair(base, candidate, factor="catalogue", key=lambda task: task.split("/")[0])
    assert (found.tasks, found.differences.tolist()) == (("a",), [1.0])


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1)),
    st.dictionaries(st.sampled_from("abcdef"), st.floats(0, 1)),
)
def test_every_task_is_paired_or_listed_once(
    one: dict[str, float], other: dict[str, float]
) -> None:
    found = pair(cell(one), cell(other, agent="two"), factor="agent")
    assert set(found.tasks) | set(found.only_base) == set(one)
    assert set(found.tasks) | set(found.only_candidate) == set(other)
    assert not set(found.only_base) & set(found.only_candidate)
    assert found.differences.tolist() == [other[task] - one[task] for task in found.tasks]
    assert list(found.tasks) == sorted(found.tasks)


@pytest.mark.parametrize("contrasted", sorted(FACTORS))
@pytest.mark.parametrize("other", sorted(FACTORS))
def test_a_second_difference_is_refused_and_named(contrasted: str, other: str) -> None:
    values = {"a/mixed": 1.0}
    candidate = cell(values, **{contrasted: "x", other: "x"})
    if other == contrasted:
        assert pair(cell(values), candidate, factor=contrasted).tasks
        return
    with pytest.raises(IncomparableCells) as caught:
        pair(cell(values), candidate, factor=contrasted)
    assert isinstance(caught.value, ValueError)
    assert caught.value.factors == (other,)
    assert caught.value.differences == (Difference(other, FACTORS[other], "x"),)
    assert str(caught.value) == (
        f"a contrast of {contrasted} needs cells that differ in {contrasted} alone; "
        f"these differ in {other} ({FACTORS[other]} and x)"
    )


def test_every_difference_is_named() -> None:
    base = Cell(FACTORS, {}, {})
    candidate = Cell(
        {name: level for name, level in FACTORS.items() if name != "user"} | {"size": "5k"}, {}, {}
    )
    with pytest.raises(IncomparableCells, match=r"size \(20k and 5k\); user \(rule-based and not"):
        pair(base, candidate, factor="agent")
    assert [found.factor for found in differing(base, candidate)] == ["size", "user"]
    assert differing(base, base) == ()


def test_two_runs_of_one_level_may_be_compared() -> None:
    again = pair(cell({"a/mixed": 1.0}), cell({"a/mixed": 1.0}), factor="agent")
    assert again.differences.tolist() == [0.0]


def test_empty_cells_pair_nothing() -> None:
    found = pair(cell({}), cell({"a/mixed": 1.0}, agent="two"), factor="agent")
    assert (found.tasks, found.only_candidate) == ((), ("a/mixed",))
    (result,) = paired_bootstrap([found.contrast("none")], seed=1)
    assert result.estimate is None


@pytest.mark.parametrize(
    ("base", "candidate", "factor", "told"),
    [
        (cell({}), cell({}), "colour", "colour is no factor of both cells; theirs are agent, cat"),
        (Cell({}, {}, {}), Cell({}, {}, {}), "agent", "theirs are none"),
        (
            Cell({"agent": "a"}, {"t": 1.0}, {}), Cell({"agent": "b"}, {}, {}), "agent",
            "task t has a score and no cluster",
        ),
        (
            cell({"a/1": 1.0, "a/2": 1.0}), cell({}, condition="hidden"), "condition",
            "tasks a/1 and a/2 of one cell both pair as a",
        ),
        (
            Cell({"agent": "a"}, {"t": 1.0}, {"t": "x"}),
            Cell({"agent": "b"}, {"t": 1.0}, {"t": "y"}), "agent",
            "t is of cluster 'x' in the base and of 'y' in the candidate",
        ),
        (
            cell({"a/1": math.inf}), cell({"a/1": 1.0}, agent="two"), "agent",
            "task a/1 has an infinite score",
        ),
    ],
)  # fmt: skip
def test_cells_that_cannot_be_paired_are_refused(
    base: Cell, candidate: Cell, factor: str, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        pair(base, candidate, factor=factor)


def test_the_level_of_a_missing_factor_reads_well() -> None:
    shown: Any = str(Difference("user", None, "rule-based"))
    assert shown == "user (not named and rule-based)"
