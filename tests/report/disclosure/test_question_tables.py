"""Every figure of the research questions' tables against a plain count over the rows."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations, product
from statistics import fmean, median

import msgspec
import pytest

from mystery_shopper.dialogue import Ending
from mystery_shopper.report.disclosure import panels
from mystery_shopper.report.disclosure.conducttables import (
    ALLOWED,
    commitment_table,
    elicitation_table,
    ending_tables,
    exposure_table,
    within_table,
)
from mystery_shopper.report.disclosure.gaptables import gap_table, gradient_table, part_table
from mystery_shopper.report.disclosure.interfacetables import contrasted, interface_table
from mystery_shopper.report.disclosure.prompttables import prompt_table, prompted
from mystery_shopper.report.disclosure.reliabilitytables import (
    alike_table,
    apart,
    pass_table,
    passed,
    power_table,
    user_table,
)
from mystery_shopper.report.disclosure.scaletables import (
    reach_table,
    reaches,
    scale_findings,
    scale_table,
    sized,
    sized_table,
)
from mystery_shopper.report.disclosure.study import Study, study
from mystery_shopper.report.rows import Row, Run
from mystery_shopper.report.tabular import Table
from mystery_shopper.report.words import ENDINGS, FAILURES

from .runs import FULL, SET, SMALL, all_runs

CONDITIONS = ("volunteer", "mixed", "hidden")
SETTINGS = [*product("ab", ("structured", "keyword"))]
FAMILIES = {family.id: family for family in SET.families}
Holds = Callable[[Row], bool]


def stop_some(run: Run) -> Run:
    """Every seventh trial ended at the tool budget."""
    rows = tuple(
        row
        if place % 7 or not row.valid
        else replace(row, score=msgspec.structs.replace(row.score, ending=Ending.TOOL_BUDGET))
        for place, row in enumerate(run.rows)
    )
    return replace(run, rows=rows)


RUNS = {run.name: stop_some(run) for run in all_runs()}


@pytest.fixture(scope="module")
def one() -> Study:
    (panel,) = panels([*RUNS.values()])
    return study(panel, resamples=300)


def played(agent: str, how: str, size: int = FULL, user: str = "", prompt: str = "") -> Run:
    return RUNS[f"{agent}-{how}-{size}-{user or 'rule-based'}-{prompt or 'base'}"]


def succeeded(row: Row) -> bool:
    return row.score.success is True


def shares(
    run: Run, condition: str, holds: Holds = succeeded, keep: Holds = bool
) -> dict[str, float]:
    """Family -> the share of its valid trials, counted anew."""
    found: dict[str, list[bool]] = {}
    for row in run.rows:
        if row.valid and row.condition == condition and keep(row):
            family = next(f for f in FAMILIES if row.task == f"{f}-{condition}")
            found.setdefault(family, []).append(holds(row))
    return {family: fmean(values) for family, values in found.items()}


def satisfiable(family: str) -> bool:
    return FAMILIES[family].satisfiable


def fit(families: str) -> Callable[[str], bool]:
    def fits(family: str) -> bool:
        return families == "all" or satisfiable(family) is (families == "satisfiable")

    return fits


def level(
    run: Run, condition: str, families: str = "satisfiable", holds: Holds = succeeded
) -> float:
    return fmean(v for f, v in shares(run, condition, holds).items() if fit(families)(f))


def contrast(
    base: tuple[Run, str],
    candidate: tuple[Run, str],
    families: str = "all",
    holds: Holds = succeeded,
    keep: Holds = bool,
) -> float:
    first, second = shares(*base, holds, keep), shares(*candidate, holds, keep)
    return fmean(
        second[f] - first[f] for f in sorted(first.keys() & second.keys()) if fit(families)(f)
    )


def number(cell: str) -> float:
    """The figure before its interval."""
    return float(cell.partition(" ")[0])


def body(table: Table, start: tuple[str, ...]) -> tuple[str, ...]:
    """The one row that begins so, after its names."""
    (row,) = [row for row in table.rows if row[: len(start)] == start]
    return row[len(start) :]


def same(cell: str, value: float, factor: float = 100, digits: float = 0.0501) -> None:
    assert number(cell) == pytest.approx(factor * value, abs=digits)


def counted(
    runs: Iterable[Run], conditions: Iterable[str] = CONDITIONS, families: str = "all"
) -> tuple[str, ...]:
    """Planned, valid, excluded."""
    inside = set(conditions)
    planned = valid = excluded = 0
    for run in runs:
        tasks = {t.id for t in run.tasks if t.condition in inside and fit(families)(t.family)}
        planned += len(tasks) * run.plan.trials
        valid += sum(row.task in tasks and row.valid for row in run.rows)
        excluded += sum(row.task in tasks and not row.valid for row in run.rows)
    return f"{planned:,}", f"{valid:,}", f"{excluded:,}"


def test_success_by_setting_is_counted_by_condition_and_averaged(one: Study) -> None:
    table = gradient_table(one)
    columns = [*((c, "satisfiable") for c in CONDITIONS), ("hidden", "NVR")]
    for agent, how in SETTINGS:
        cells = body(table, (agent, how))
        for cell, (condition, families) in zip(cells, columns, strict=False):
            same(cell, level(played(agent, how), condition, families), 1, 0.00051)
        assert cells[4:7] == counted([played(agent, how)])
    for cell, column in zip(body(table, ("average", "all")), columns, strict=False):
        same(cell, fmean(level(played(*s), *column) for s in SETTINGS), 1, 0.00051)


def test_both_gaps_are_counted_by_setting_and_averaged(one: Study) -> None:
    table = gap_table(one)
    columns = [*product(("mixed", "hidden"), ("satisfiable", "all"))]
    for agent, how in SETTINGS:
        run = played(agent, how)
        for cell, (condition, families) in zip(body(table, (agent, how)), columns, strict=False):
            same(cell, contrast((run, "volunteer"), (run, condition), families))
    for cell, (condition, families) in zip(body(table, ("average", "all")), columns, strict=False):
        values = (
            contrast((played(*s), "volunteer"), (played(*s), condition), families) for s in SETTINGS
        )
        same(cell, fmean(values))


@pytest.mark.parametrize("part", ["tier", "template"])
def test_parts_are_averaged_over_settings(one: Study, part: str) -> None:
    def of(family: str) -> str:
        found = FAMILIES[family]
        return found.tier.value if part == "tier" else " + ".join(found.template)

    table = part_table(one, part)
    names = [row[0] for row in table.rows if not row[0].startswith("paper")]
    assert sorted(names) == sorted({of(family) for family in FAMILIES})
    for name in names:
        for cell, condition in zip(body(table, (name,)), CONDITIONS, strict=False):
            values = [
                fmean(
                    v
                    for f, v in shares(played(*s), condition).items()
                    if satisfiable(f) and of(f) == name
                )
                for s in SETTINGS
            ]
            same(cell, fmean(values), 1, 0.00051)


def test_the_interface_with_and_without_stopped_trials(one: Study) -> None:
    table = interface_table(one, contrasted(one))

    def kept(row: Row) -> bool:
        return row.score.ending not in (Ending.TOOL_BUDGET, Ending.OVERFLOW)

    def effect(agents: str, conditions: Iterable[str], keep: Holds) -> float:
        return fmean(
            contrast((played(a, "keyword"), c), (played(a, "structured"), c), keep=keep)
            for a in agents
            for c in conditions
        )

    wanted = {("average", "all"): ("ab", CONDITIONS)}
    wanted |= {("average", c): ("ab", (c,)) for c in CONDITIONS}
    wanted |= {(a, "all"): (a, CONDITIONS) for a in "ab"}
    for key, (agents, conditions) in wanted.items():
        cells = body(table, key)
        same(cells[0], effect(agents, conditions, bool))
        same(cells[2], effect(agents, conditions, kept))
        runs = [played(*s) for s in SETTINGS if s[0] in agents]
        stopped = [
            row
            for run in runs
            for row in run.rows
            if row.valid and row.condition in conditions and not kept(row)
        ]
        assert cells[4] == str(len(stopped))
        assert cells[-4:-1] == counted(runs, conditions)


def test_scale_and_its_interaction(one: Study) -> None:
    table = scale_table(one, scale_findings(one))
    for how in ("keyword", "structured"):
        values = (
            contrast((played(a, how), c), (played(a, how, SMALL), c))
            for a in "ab"
            for c in ("volunteer", "mixed")
        )
        same(body(table, (how, str(SMALL)))[0], fmean(values))
    gain = {
        size: fmean(
            contrast((played(a, "keyword", size), c), (played(a, "structured", size), c))
            for a in "ab"
            for c in ("volunteer", "mixed")
        )
        for size in (SMALL, FULL)
    }
    same(body(table, ("structured − keyword", str(SMALL)))[0], gain[SMALL] - gain[FULL])
    sizes = sized_table(one, sized(one))
    for how, condition, size in product(("keyword", "structured"), CONDITIONS, (SMALL, FULL)):
        value = fmean(level(played(a, how, size), condition) for a in "ab")
        same(body(sizes, (how, condition, str(size)))[0], value, 1, 0.00051)


def test_a_catalogue_that_is_not_at_hand_says_so_in_its_row(one: Study) -> None:
    found, missing = reaches(one.panel)
    table = reach_table(one, found, missing)
    assert found == ()
    assert table.rows[0][0].startswith("40: the catalogue cannot be loaded: there is no catalogue")
    assert table.rows[-1][:3] == ("paper: 20,000", "0.541 (73/135)", "40")


def test_pass_k_is_counted_by_setting_and_averaged(one: Study) -> None:
    found = passed(one)
    table = pass_table(one, found)

    def value(run: Run, condition: str, k: int) -> float:
        by_task: dict[str, list[bool]] = {}
        for row in run.rows:
            if row.valid and row.condition == condition and row.satisfiable:
                by_task.setdefault(row.task, []).append(succeeded(row))
        enough = [t for t in by_task.values() if len(t) >= k]
        return fmean(math.comb(sum(t), k) / math.comb(len(t), k) for t in enough)

    for k, condition in product((1, 2, 3), CONDITIONS):
        for s in SETTINGS:
            same(body(table, (*s, condition))[k - 1], value(played(*s), condition, k), 1, 0.00051)
        average = fmean(value(played(*s), condition, k) for s in SETTINGS)
        same(body(table, ("average", "all", condition))[k - 1], average, 1, 0.00051)


def test_pairs_of_settings_are_told_apart_or_listed(one: Study) -> None:
    found = apart(one)
    assert (found.pairs, found.unmeasured) == (6, 0)
    assert found.separated == 6 - len(found.alike)
    table = alike_table(one, found)
    names = {f"{a} · {how}": (a, how) for a, how in SETTINGS}
    assert len(table.rows) == len(found.alike) > 0
    for row in table.rows:
        first, second = (played(*names[name]) for name in row[:2])
        pairs = [(shares(first, c), shares(second, c)) for c in CONDITIONS]
        values = [b[f] - a[f] for a, b in pairs for f in sorted(a.keys() & b.keys())]
        same(row[2], fmean(values))
        low, high = (float(x) for x in row[2].partition("[")[2].rstrip("]").split(", "))
        assert low <= 0 <= high
    rows = power_table(one, found).rows
    assert rows[0][1].startswith(f"{found.separated} of 6")
    assert rows[0][2] == "19 of 28"
    assert len(list(combinations(SETTINGS, 2))) == found.pairs


def test_another_user_is_set_against_the_rules(one: Study) -> None:
    table = user_table(one)
    base, other = played("a", "structured"), played("a", "structured", user="module:Other")
    for condition in CONDITIONS:
        cells = body(table, ("module:Other", "average", condition))
        same(cells[0], contrast((base, condition), (other, condition)))
        assert cells[-4:-1] == counted([base, other], [condition])
    every = fmean(contrast((base, c), (other, c)) for c in CONDITIONS)
    same(body(table, ("module:Other", "a", "all"))[0], every)
    assert not [row for row in table.rows if row[:2] == ("module:Other", "b")]


def test_prompts_are_set_against_base_in_success_and_untested(one: Study) -> None:
    table = prompt_table(one, prompted(one))

    def untested(row: Row) -> bool:
        return bool(row.score.untested)

    base = played("a", "structured")
    for condition, prompt in product(CONDITIONS, ("base", "ask", "ask-and-verify")):
        run = played("a", "structured", prompt=prompt)
        cells = body(table, ("a", "structured", condition, prompt))
        same(cells[0], level(run, condition), 1, 0.00051)
        same(cells[3], level(run, condition, holds=untested), 1, 0.00051)
        if prompt == "base":
            assert cells[1:3] == cells[4:6] == ("–", "–")
            continue
        same(cells[1], contrast((base, condition), (run, condition), "satisfiable"))
        less = contrast((base, condition), (run, condition), "satisfiable", untested)
        same(cells[4], less)


def pooled(condition: str, families: str = "all", agents: str = "ab", how: str = "") -> list[Row]:
    return [
        row
        for agent, search in SETTINGS
        if agent in agents and how in ("", search)
        for row in played(agent, search).rows
        if row.valid and row.condition == condition
        if families == "all" or row.satisfiable is (families == "satisfiable")
    ]


def part_of(rows: list[Row], holds: Callable[[Row], object]) -> str:
    if not rows:
        return "–"
    hits = sum(bool(holds(row)) for row in rows)
    return f"{hits / len(rows):.3f} ({hits}/{len(rows)})"


def test_elicitation_is_pooled(one: Study) -> None:
    table = elicitation_table(one)
    for agents, condition in product(("ab", "a", "b"), ("mixed", "hidden")):
        rows = [row for row in pooled(condition, agents=agents) if row.score.elicited is not None]
        name = "all" if agents == "ab" else agents
        cells = body(table, (name, condition))
        for place, kind in enumerate(("all", "some", "none")):
            assert cells[place] == part_of(rows, lambda row, k=kind: row.score.elicited == k)
            given = [row for row in rows if row.score.elicited == kind]
            assert cells[3 + place] == part_of(given, succeeded)
        assert cells[6] == part_of([r for r in rows if r.score.elicited != "all"], succeeded)


def test_hidden_success_within_rejections(one: Study) -> None:
    table = within_table(one)
    for place, most in enumerate(ALLOWED):

        def soon(row: Row, most: int = most) -> bool:
            return succeeded(row) and row.score.rejections <= most

        for s in SETTINGS:
            same(body(table, s)[place], level(played(*s), "hidden", holds=soon), 1, 0.00051)
        average = fmean(level(played(*s), "hidden", holds=soon) for s in SETTINGS)
        same(body(table, ("average", "all"))[place], average, 1, 0.00051)
    assert body(table, ("paper: eliminating agent", ""))[3] == "0.622"


def test_endings_and_failures_are_tallied(one: Study) -> None:
    endings, failures = ending_tables(one)
    for condition, families in product(CONDITIONS, ("satisfiable", "NVR")):
        rows = pooled(condition, families)
        for table, names, kinds in (
            (endings, ENDINGS, [row.score.ending for row in rows]),
            (failures, FAILURES, [row.failure for row in rows if not row.success]),
        ):
            heads = dict(zip(table.head, (condition, families, *body(table, (condition, families))),
                             strict=True))  # fmt: skip
            tally = Counter(str(kind) for kind in kinds)
            for kind, hits in tally.items():
                told = f"{hits / len(kinds):.3f} ({hits}/{len(kinds)})"
                assert heads[names[kind]] == told
            assert (
                heads["planned"]
                == counted([played(*s) for s in SETTINGS], [condition], families)[0]
            )


def test_untested_failures_and_exposure(one: Study) -> None:
    table = commitment_table(one)
    for condition in CONDITIONS:
        failed = [row for row in pooled(condition, "satisfiable") if not row.success]
        untested = [row for row in failed if row.score.untested]
        assert body(table, (condition,))[:4] == (
            part_of(failed, lambda row: row.score.untested),
            part_of(untested, lambda row: row.score.before_proposals),
            part_of(untested, lambda row: row.score.after_decline),
            part_of(failed, lambda row: row.score.untagged),
        )
    exposure = exposure_table(one)
    for how, condition in product(("structured", "keyword"), CONDITIONS):
        ranks = [r.score.rank for r in pooled(condition, how=how) if r.score.rank is not None]
        cells = body(exposure, (how, condition))
        assert cells[0] == str(len(ranks))
        assert float(cells[1].replace(",", "")) == median(ranks)
        for cell, most in zip(cells[2:4], (100, 1000), strict=True):
            hits = sum(rank <= most for rank in ranks)
            assert cell == f"{hits / len(ranks):.3f} ({hits}/{len(ranks)})"
