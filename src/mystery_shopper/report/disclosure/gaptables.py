"""RQ1: what is lost as requirements move from volunteered to askable to hidden."""

from __future__ import annotations

from itertools import product

from mystery_shopper.report.cells import Answers
from mystery_shopper.report.disclosure.contrasttable import points
from mystery_shopper.report.disclosure.counting import count, count_effects, tasks_of
from mystery_shopper.report.disclosure.means import Mean
from mystery_shopper.report.disclosure.published import CONTRASTS, HIDDEN_NVR, PASSES, TIERS
from mystery_shopper.report.disclosure.settings import HIDDEN, MIXED, VOLUNTEER, Tried
from mystery_shopper.report.disclosure.study import Study, paper_row, with_average
from mystery_shopper.report.disclosure.twelve import gap
from mystery_shopper.report.tabular import Table, counted, estimate
from mystery_shopper.report.words import figure
from mystery_shopper.suites.tau_rec.task import Condition

CONDITIONS = tuple(condition.value for condition in Condition)
GAPS = tuple(product((MIXED, HIDDEN), (Answers.SATISFIABLE, Answers.ALL)))


def gradient_table(study: Study) -> Table:
    """pass^1 by setting and condition on satisfiable families, and hidden where nothing fits."""
    columns = [*((c, Answers.SATISFIABLE) for c in CONDITIONS), (HIDDEN, Answers.NVR)]
    lines = with_average(study.settings)
    found = study.levels([Mean(some, c, answers) for _, _, some in lines for c, answers in columns])
    rows: list[tuple[str, ...]] = []
    for place, (agent, search, some) in enumerate(lines):
        here = found[place * len(columns) : (place + 1) * len(columns)]
        cells = (estimate(level.estimate) for level in here)
        rows.append((agent, search, *cells, *counted(count(tasks_of(study.panel, some)))))
    cells = (*(figure(PASSES[c, 1]) for c in CONDITIONS), figure(HIDDEN_NVR))
    rows.append(paper_row("average of its 4 agents", cells))
    note = (
        "pass^1 on satisfiable families by what the customer says unasked, and on hidden tasks "
        "that nothing fits (NVR); 95 % intervals over families."
    )
    head = ("agent", "interface", *CONDITIONS, f"{HIDDEN}, NVR")
    return study.table("Success by setting", note, head, rows)


def gap_table(study: Study) -> Table:
    """Both gaps, over satisfiable families and all, averaged and by setting."""
    lines = with_average(study.settings)
    effects = [
        gap(study.panel, condition, answers, settings=some)
        for _, _, some in lines
        for condition, answers in GAPS
    ]
    found = study.find(effects)
    rows: list[tuple[str, ...]] = []
    for place, (agent, search, _) in enumerate(lines):
        here = found[place * len(GAPS) : (place + 1) * len(GAPS)]
        cells = (points(f.result.estimate, f.result.low, f.result.high) for f in here)
        counts = count_effects(study.panel, [one.effect for one in here])
        rows.append((agent, search, *cells, *counted(counts)))
    rows.append(paper_row("average of its 4 agents", [_published(*one) for one in GAPS]))
    note = (
        f"Points of pass^1 against {VOLUNTEER} tasks of the same families, paired; 95 % intervals "
        "over families. All families: satisfiable and NVR."
    )
    head = ("agent", "interface", *(f"{c}, {_families(a)}" for c, a in GAPS))
    return study.table("Disclosure gaps", note, head, rows)


def _families(answers: Answers) -> str:
    return "all families" if answers is Answers.ALL else answers.value


def _published(condition: str, answers: Answers) -> str:
    known = CONTRASTS.get(f"{condition} gap, {answers.value}")
    return points(known.points / 100, known.low / 100, known.high / 100) if known else ""


def part_table(study: Study, part: str) -> Table:
    """The settings' average by `tier` or by `template` and condition."""
    order = {"simple": 0, "medium": 1, "complex": 2}
    there = {_part(t, part) for t in tasks_of(study.panel, study.settings)} - {""}
    names = sorted(there, key=lambda name: (order.get(name, name.count(" + ") + 3), name))
    wanted = [
        Mean(study.settings, c, among=lambda task, name=name: _part(task, part) == name)
        for name in names
        for c in CONDITIONS
    ]
    found = study.levels(wanted)
    rows: list[tuple[str, ...]] = []
    for place, name in enumerate(names):
        here = found[place * len(CONDITIONS) : (place + 1) * len(CONDITIONS)]
        tasks = tasks_of(study.panel, study.settings, None, Answers.SATISFIABLE)
        counts = count(task for task in tasks if _part(task, part) == name)
        rows.append((name, *(estimate(one.estimate) for one in here), *counted(counts)))
        known = [TIERS.get((name, c)) for c in CONDITIONS]
        if any(known):
            cells = [figure(value) if value else "" for value in known]
            rows.append(paper_row(name, cells, 1))
    note = (
        "Satisfiable families: pass^1 averaged over the settings of the main comparison, 95 % "
        "intervals over the row's families. Single runs stand in the tables of their group."
    )
    return study.table(f"Average success by {part}", note, (part, *CONDITIONS), rows, 1)


def _part(task: Tried, part: str) -> str:
    if task.request is None:
        return ""
    return task.request.tier if part == "tier" else task.request.template
