"""RQ3: the catalogue's size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mystery_shopper.engine.loading import load_catalogue
from mystery_shopper.engine.suites.tau_rec import check_origin
from mystery_shopper.foundation import InputError
from mystery_shopper.report.cells import Estimate
from mystery_shopper.report.disclosure.contrasttable import least, points, settle
from mystery_shopper.report.disclosure.counting import count, count_effects, tasks_of
from mystery_shopper.report.disclosure.effects import Finding
from mystery_shopper.report.disclosure.means import Mean
from mystery_shopper.report.disclosure.published import (
    CONTRASTS,
    MEDIAN_ANSWERS,
    REACHED,
    REACHED_OF,
)
from mystery_shopper.report.disclosure.reach import Reach, reach
from mystery_shopper.report.disclosure.settings import KEYWORD, STRUCTURED, Panel, Setting
from mystery_shopper.report.disclosure.study import Study, paper_row
from mystery_shopper.report.disclosure.twelve import CROSSED, SCALE, SMALL, crossed, scale
from mystery_shopper.report.figures import Share
from mystery_shopper.report.tabular import Table, counted, estimate, share
from mystery_shopper.report.words import DASH, figure, p_value, plain, whole
from mystery_shopper.suites.tau_rec.task import Condition, TaskSet


def scale_findings(study: Study) -> list[Finding]:
    """Each smaller size against the largest, on either search, and the interaction."""
    panel = study.panel
    small = [size for size in panel.sizes if size != panel.full]
    effects = [
        effect
        for size in small
        for effect in (
            scale(panel, KEYWORD, size),
            scale(panel, STRUCTURED, size),
            crossed(panel, size, panel.full),
        )
    ]
    return study.find(effects)


def scale_table(study: Study, found: Sequence[Finding]) -> Table:
    """What `scale_findings` found, a row a size and search."""
    panel = study.panel
    small = [size for size in panel.sizes if size != panel.full]
    rows: list[tuple[str, ...]] = []
    for place, one in enumerate(found):
        size, result = small[place // 3], one.result
        name = (KEYWORD, STRUCTURED, "structured − keyword")[place % 3]
        if one.effect.missing:
            told = (f"{name}: {one.effect.missing}", whole(size), *[DASH] * 5)
        else:
            told = (
                name, whole(size), points(result.estimate, result.low, result.high),
                p_value(result.p, result.at_floor), least(one), settle(one, result.p),
                whole(result.tasks),
            )  # fmt: skip
        rows.append((*told, *counted(count_effects(panel, [one.effect]))))
    if rows:
        rows += _published()
    note = (
        f"Points of pass^1 at the smaller size minus at {_largest(panel)}, on volunteer and mixed "
        "tasks, averaged over agents; 95 % intervals over families, p uncorrected. Structured − "
        "keyword: how the interface's effect differs between the sizes."
    )
    head = ("search", "items", "points", "p", "detectable", "to settle", "pairs")
    return study.table("Smaller catalogues against the largest", note, head, rows)


def _largest(panel: Panel) -> str:
    told = "the whole catalogue" if panel.is_whole else "the largest one played"
    return f"{told} ({whole(panel.full)} items)"


def _published() -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    named = ((KEYWORD, f"{KEYWORD} {SCALE}"), (STRUCTURED, f"{STRUCTURED} {SCALE}"))
    for name, role in (*named, ("structured − keyword", CROSSED)):
        known = CONTRASTS[role]
        told = points(known.points / 100, known.low / 100, known.high / 100)
        row = paper_row(f"{name}, against 20,000", [told, known.families, "", "", ""])
        rows.append((row[0], whole(SMALL), *row[2:]))
    return rows


@dataclass(frozen=True, slots=True)
class Sized:
    """pass^1 of a search at a size under one condition, averaged over its agents."""

    search: str
    size: int
    condition: str
    estimate: Estimate


def sized(study: Study) -> list[Sized]:
    """Every search, size and condition that was played."""
    keys: list[tuple[str, int, str]] = []
    wanted: list[Mean] = []
    for search in (KEYWORD, STRUCTURED):
        for condition in Condition:
            for size in study.panel.sizes:
                some = _settings(study.panel, search, size)
                if some:
                    keys.append((search, size, condition.value))
                    wanted.append(Mean(some, condition.value))
    found = zip(keys, study.levels(wanted), strict=True)
    return [Sized(*key, level.estimate) for key, level in found if level.counts.planned]


def _settings(panel: Panel, search: str, size: int) -> tuple[Setting, ...]:
    """Of the main comparison, agents that were run at every size on this search."""
    at = {
        one: {s.agent: s for s in panel.usual(size=one) if s.interface == search}
        for one in panel.sizes
    }
    shared = [agent for agent in at[size] if all(agent in there for there in at.values())]
    return tuple(at[size][agent] for agent in shared)


def sized_table(study: Study, found: Sequence[Sized]) -> Table:
    """Success by search, condition and size."""
    rows = [
        (
            one.search, one.condition, whole(one.size), estimate(one.estimate),
            *counted(count(tasks_of(
                study.panel, _settings(study.panel, one.search, one.size), one.condition
            ))),
        )
        for one in found
    ]  # fmt: skip
    note = (
        "pass^1 on satisfiable families, averaged over the agents that were run at every size on "
        "that search; 95 % intervals over families."
    )
    head = ("search", "condition", "items", "pass^1")
    return study.table("Success by catalogue size", note, head, rows, 3)


def reaches(panel: Panel) -> tuple[tuple[Reach, ...], str]:
    """What a fixed keyword query reaches at each size played, and why not where it is not known."""
    sets = [run.task_set for one in panel.played.values() for run in one.runs]
    task_set: TaskSet | None = next((one for one in sets if one is not None), None)
    if task_set is None:
        return (), "the task set is not at hand"
    try:
        whole_ = load_catalogue(panel.ground.source)
        check_origin(task_set, whole_, panel.ground.task_set)
        return reach(task_set, [whole_.nested(size) for size in panel.sizes]), ""
    except InputError as problem:
        return (), plain(f"the catalogue cannot be loaded: {problem.problems[0]}", 200)


def reach_table(study: Study, found: Sequence[Reach], missing: str) -> Table:
    """Reach and answers by size, the paper's after ours."""
    panel = study.panel
    known = {one.size: one for one in found}
    rows: list[tuple[str, ...]] = []
    for size in panel.sizes:
        counts = counted(count(tasks_of(panel, panel.usual(size=size))))
        one = known.get(size)
        if one is None:
            rows.append((f"{whole(size)}: {missing}", DASH, DASH, *counts))
            continue
        reached = share(Share(one.reached, one.families))
        rows.append((whole(size), reached, whole(one.median_answers), *counts))
    for size, hits in REACHED.items():
        told = f"{figure(hits / REACHED_OF)} ({hits}/{REACHED_OF})"
        rows.append(paper_row(whole(size), [told, whole(MEDIAN_ANSWERS[size])], 1))
    note = (
        "Satisfiable families of the whole task set. Reached: one of the first twenty hits of a "
        "keyword query of the family's wanted labels is an answer that the customer would take. "
        "Answers: the median number of items that meet every requirement. The trials counted are "
        "those of the main comparison at that size."
    )
    head = ("items", "families reached", "median answers")
    return study.table("What a fixed keyword query reaches", note, head, rows, 1)
