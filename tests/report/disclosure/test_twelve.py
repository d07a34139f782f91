"""The twelve tests against plain counts over the runs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from statistics import fmean

import pytest

from mystery_shopper.report.disclosure import Finding, Panel, Twelve, panels, twelve
from mystery_shopper.report.disclosure.twelve import interface
from mystery_shopper.report.rows import Run
from mystery_shopper.statistics.cellplan import IncomparableCells

from .runs import FULL, SET, SMALL, all_runs, run_of, share

RUNS = {run.name: run for run in all_runs()}
CONDITIONS = ("volunteer", "mixed", "hidden")
FAMILIES = {family.id: family for family in SET.families}


def panel(runs: list[Run] | None = None) -> Panel:
    (found,) = panels(list(RUNS.values()) if runs is None else runs)
    return found


@pytest.fixture(scope="module")
def found() -> Twelve:
    return twelve(panel(), resamples=2_000)


def played(agent: str = "a", how: str = "structured", size: int = FULL, **more: str) -> Run:
    user, prompt = more.get("user", "rule-based"), more.get("prompt", "base")
    return RUNS[f"{agent}-{how}-{size}-{user}-{prompt}"]


def mean_difference(
    base: Run, candidate: Run, condition: str, against: str = "", satisfiable: bool = False
) -> float:
    """The mean over families of one run's condition minus another's."""
    differences = [
        after - before
        for family in FAMILIES
        if not satisfiable or FAMILIES[family].satisfiable
        if (before := share(base, f"{family}-{against or condition}")) is not None
        and (after := share(candidate, f"{family}-{condition}")) is not None
    ]
    return fmean(differences)


def by_name(found: Twelve, start: str) -> Finding:
    (one,) = [one for one in (found.alone, *found.corrected) if one.effect.name.startswith(start)]
    return one


def one_interface(agent: str, conditions: tuple[str, ...] = CONDITIONS, size: int = FULL) -> float:
    return fmean(
        mean_difference(played(agent, "keyword", size), played(agent, "structured", size), c)
        for c in conditions
    )


def a_gap(condition: str, *, satisfiable: bool) -> float:
    return fmean(
        mean_difference(run, run, condition, "volunteer", satisfiable)
        for run in (played(a, i) for a, i in product("ab", ("structured", "keyword")))
    )


def a_scale(how: str) -> float:
    return fmean(
        mean_difference(played(a, how), played(a, how, SMALL), c)
        for a, c in product("ab", ("volunteer", "mixed"))
    )


EXPECTED: dict[str, Callable[[], float]] = {
    "Interface, agents averaged": lambda: fmean(map(one_interface, "ab")),
    "Interface, a": lambda: one_interface("a"),
    "Interface, b": lambda: one_interface("b"),
    "Mixed": lambda: a_gap("mixed", satisfiable=False),
    "Hidden": lambda: a_gap("hidden", satisfiable=True),
    "Keyword, 40": lambda: a_scale("keyword"),
    "Structured, 40": lambda: a_scale("structured"),
    "Interface ×": lambda: fmean(
        one_interface(a, ("volunteer", "mixed"), SMALL) - one_interface(a, ("volunteer", "mixed"))
        for a in "ab"
    ),
    "User module:Other": lambda: fmean(
        mean_difference(played(), played(user="module:Other"), c) for c in CONDITIONS
    ),
}


@pytest.mark.parametrize("name", [n for n in EXPECTED if n != "Interface, a"])
def test_every_effect_is_the_plain_count_over_the_trials(name: str, found: Twelve) -> None:
    one = by_name(found, name)
    assert one.result.estimate == pytest.approx(EXPECTED[name](), abs=1e-12)
    assert one.result.low is not None
    assert one.result.low <= EXPECTED[name]() <= (one.result.high or 0)
    assert one.detectable.effect is not None
    assert one.detectable.effect > 0


def test_the_interface_stands_alone_and_holm_counts_the_rest(found: Twelve) -> None:
    assert found.alone.effect.name == "Interface, agents averaged"
    assert found.alone.adjusted is None
    names = [one.effect.name for one in found.corrected]
    assert names == [
        "Interface, a",
        "Interface, b",
        "Mixed − volunteer (all families)",
        "Hidden − volunteer (satisfiable)",
        "Keyword, 40 − all",
        "Structured, 40 − all",
        "Interface × scale",
        "User module:Other − rule-based",
    ]
    assert found.tested == 8
    assert found.missing == ()
    p = [one.result.p for one in found.corrected]
    least = min(value for value in p if value is not None)
    adjusted = [one.adjusted for one in found.corrected]
    assert min(value for value in adjusted if value is not None) == pytest.approx(
        min(1.0, 8 * least)
    )


def test_templates_are_flipped_whole(found: Twelve) -> None:
    """By the definition: over all signs of the templates' sums, the share as far from zero."""
    one = by_name(found, "Mixed")
    sums: defaultdict[tuple[str, ...], float] = defaultdict(float)
    for a, i in product("ab", ("structured", "keyword")):
        run = played(a, i)
        pairs = {f: (share(run, f"{f}-volunteer"), share(run, f"{f}-mixed")) for f in FAMILIES}
        scored = {f: y - x for f, (x, y) in pairs.items() if x is not None and y is not None}
        for family, value in scored.items():
            sums[FAMILIES[family].template] += value / len(scored)
    observed = abs(sum(sums.values()))
    flips = [
        abs(sum(sign * value for sign, value in zip(signs, sums.values(), strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]
    expected = sum(flip >= observed - 1e-12 for flip in flips) / len(flips)
    assert one.flips is not None
    assert (one.flips.clusters, one.flips.exact) == (len(sums), True)
    assert one.flips.p == pytest.approx(expected)


def test_with_fewer_agents_users_and_sizes_the_family_shrinks_and_says_so() -> None:
    found = twelve(panel([run_of("a")]), resamples=200)
    assert [one.effect.name for one in found.corrected if not one.effect.missing] == [
        "Mixed − volunteer (all families)",
        "Hidden − volunteer (satisfiable)",
    ]
    assert found.tested == 2
    assert found.missing == (
        "Interface, agents averaged: not run on both interfaces",
        "Keyword, small − all: only the whole catalogue was played",
        "Structured, small − all: only the whole catalogue was played",
        "Interface × scale: only the whole catalogue was played",
        "Other users − rule-based: only the rule-based user was there",
    )
    assert found.alone.result.estimate is None
    assert found.alone.flips is not None
    assert found.alone.flips.p is None


def test_what_does_not_pair_is_listed() -> None:
    half = run_of("a", "keyword")
    gone = half.tasks[:6]
    kept = replace(
        half,
        tasks=half.tasks[6:],
        rows=tuple(row for row in half.rows if row.task not in {task.id for task in gone}),
    )
    effect = interface(panel([run_of("a"), kept]))
    assert {task.id for task in gone} <= set(effect.unpaired)


def test_the_same_trials_twice_count_once() -> None:
    once, twice = panel([run_of("a")]), panel([run_of("a"), run_of("a")])
    (one,), (two,) = once.played.values(), twice.played.values()
    assert two.repeated == len(run_of("a").rows)
    assert [task.rows for task in one.tasks] == [task.rows for task in two.tasks]


def test_runs_of_other_tasks_stand_on_another_ground() -> None:
    other = replace(run_of("a"), plan=run_of("a", task_set_digest="f" * 64).plan, name="other")
    assert [len(one.settings) for one in panels([run_of("a"), other])] == [1, 1]


def test_cells_that_differ_in_two_things_are_refused() -> None:
    from mystery_shopper.report.disclosure.effects import contrast

    made = panel()
    first = next(s for s in made.settings if s.is_usual and s.size == FULL)
    other = next(s for s in made.settings if s.agent == "b" and s.interface != first.interface)
    with pytest.raises(IncomparableCells, match="agent"):
        contrast(made, (first, "mixed"), (other, "mixed"), "interface")


def test_the_interface_is_tested_again_without_overflow_and_budget_stops() -> None:
    made = panel()
    everything = interface(made, keep=lambda _: True)
    nothing = interface(made, keep=lambda row: row.number > 99)
    again = twelve(made, resamples=200).alone.effect
    assert [t.paired.differences.tolist() for t in everything.terms] == [
        t.paired.differences.tolist() for t in again.terms
    ]
    assert set(nothing.unpaired) == set(SET.by_id)
