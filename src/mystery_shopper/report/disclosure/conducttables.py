"""How trials go, over the settings of the main comparison together: what was elicited, how trials
and failures end, what was committed to untested, and what was exposed. Single runs stand in the
tables of their group. Source: τ-Rec-Books §6.5."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import product
from statistics import median

from mystery_shopper.report.cells import Answers
from mystery_shopper.report.disclosure.counting import count, rows_of, tasks_of
from mystery_shopper.report.disclosure.means import Mean
from mystery_shopper.report.disclosure.published import (
    AFTER_DECLINE,
    BEFORE_PROPOSAL,
    ELICITED_ALL,
    ELICITED_LESS,
    NAMED_UNTAGGED,
    UNTESTED_FAILURES,
    WITHIN_THREE,
)
from mystery_shopper.report.disclosure.settings import HIDDEN, KEYWORD, MIXED, STRUCTURED, Tried
from mystery_shopper.report.disclosure.study import BOTH, Study, paper_row, with_average
from mystery_shopper.report.figures import TOP, Share
from mystery_shopper.report.figures import share as share_of
from mystery_shopper.report.rows import Row
from mystery_shopper.report.tabular import Table, counted, estimate, share
from mystery_shopper.report.words import ENDINGS, FAILURES, figure, whole
from mystery_shopper.suites.tau_rec.score import Elicited
from mystery_shopper.suites.tau_rec.task import Condition

ALLOWED = (0, 1, 2, 3, 5, 10)
"""Rejections within which success is told."""


def elicitation_table(study: Study) -> Table:
    """All, some, none of what was askable, and success given each: pooled, then by agent."""
    panel, settings = study.panel, study.settings
    agents = dict.fromkeys(setting.agent for setting in settings)
    lines = [(BOTH, settings)]
    if len(agents) > 1:
        lines += [(a, tuple(s for s in settings if s.agent == a)) for a in agents]
    rows: list[tuple[str, ...]] = []
    for (agent, some), condition in product(lines, (MIXED, HIDDEN)):
        tasks = tasks_of(panel, some, condition)
        found = [row for row in rows_of(tasks) if row.score.elicited is not None]
        if not tasks:
            continue
        kinds = [[row for row in found if row.score.elicited is kind] for kind in Elicited]
        less = [row for row in found if row.score.elicited is not Elicited.ALL]
        cells = [Share(len(kind), len(found)) for kind in kinds]
        cells += [share_of(kind, _won) for kind in (*kinds, less)]
        rows.append((agent, condition, *map(share, cells), *counted(count(tasks))))
    if rows:
        known = ["", "", "", f"{ELICITED_ALL:.2f}", "", "", f"{ELICITED_LESS:.2f}"]
        row = paper_row("its 4 agents", known)
        rows.append((row[0], MIXED, *row[2:]))
    note = (
        "Valid trials with askable facts, all families: the share that got all, some or none of "
        "them, and success given each, given less than all too."
    )
    kinds = [kind.value for kind in Elicited]
    head = ("agents", "condition", *kinds, *(f"success | {kind}" for kind in (*kinds, "not all")))
    return study.table("Elicitation over all settings", note, head, rows)


def _won(row: Row) -> bool:
    return row.success


def within_table(study: Study) -> Table:
    """Hidden satisfiable success by rejections allowed."""
    lines = with_average(study.settings)
    found = study.levels(
        [Mean(some, HIDDEN, of=partial(_within, most=r)) for _, _, some in lines for r in ALLOWED]
    )
    rows: list[tuple[str, ...]] = []
    for place, (agent, search, some) in enumerate(lines):
        here = found[place * len(ALLOWED) : (place + 1) * len(ALLOWED)]
        tasks = tasks_of(study.panel, some, HIDDEN, Answers.SATISFIABLE)
        if tasks:
            cells = (estimate(one.estimate) for one in here)
            rows.append((agent, search, *cells, *counted(count(tasks))))
    if rows:
        at = ALLOWED.index(3)
        for name, value in WITHIN_THREE.items():
            cells = [""] * len(ALLOWED)
            cells[at] = figure(value)
            rows.append(paper_row(f"{name}{'' if name == 'agents' else ' agent'}", cells))
    note = (
        "Hidden tasks of satisfiable families: the share of a task's valid trials that succeed "
        "after at most so many rejections, averaged over tasks; 95 % intervals over families."
    )
    head = ("agent", "interface", *(f"≤ {r}" for r in ALLOWED))
    return study.table("Hidden success by rejections allowed", note, head, rows)


def _within(task: Tried, most: int) -> float:
    return task.share(lambda row: row.success and row.score.rejections <= most)


def ending_tables(study: Study) -> list[Table]:
    """How trials end and how failures fail, by condition and families."""
    note = "All settings of the main comparison together, satisfiable and NVR families apart: "
    return [
        _tally(
            study, "How trials end, all settings", note + "valid trials by their ending.",
            ENDINGS, lambda row: row.score.ending, "trials",
        ),
        _tally(
            study, "How failures fail, all settings",
            note + "failed valid trials by the first kind that holds.",
            FAILURES, lambda row: row.failure, "failures",
        ),
    ]  # fmt: skip


def _tally(
    study: Study,
    title: str,
    note: str,
    names: dict[str, str],
    kind: Callable[[Row], str | None],
    total: str,
) -> Table:
    parts = [*product((c.value for c in Condition), (Answers.SATISFIABLE, Answers.NVR))]
    tasks = {part: tasks_of(study.panel, study.settings, *part) for part in parts}
    tallies = {
        part: Counter(found for row in rows_of(here) if (found := kind(row)) is not None)
        for part, here in tasks.items()
    }
    seen = [name for name in names if any(name in tally for tally in tallies.values())]
    rows = (
        (
            part[0],
            part[1].value,
            *(share(Share(tally[name], tally.total())) for name in seen),
            whole(tally.total()),
            *counted(count(tasks[part])),
        )
        for part, tally in tallies.items()
        if tasks[part] and seen
    )
    head = ("condition", "families", *(names[name] for name in seen), total)
    return study.table(title, note, head, rows)


def commitment_table(study: Study) -> Table:
    """What failed trials recommended untested, by condition."""
    rows: list[tuple[str, ...]] = []
    for condition in Condition:
        tasks = tasks_of(study.panel, study.settings, condition.value, Answers.SATISFIABLE)
        if not tasks:
            continue
        failed = [row for row in rows_of(tasks) if not row.success]
        untested = [row for row in failed if row.score.untested]
        cells = (
            share_of(failed, lambda row: row.score.untested),
            share_of(untested, lambda row: row.score.before_proposals),
            share_of(untested, lambda row: row.score.after_decline),
            share_of(failed, lambda row: row.score.untagged),
        )
        rows.append((condition.value, *map(share, cells), *counted(count(tasks))))
        if condition is Condition.HIDDEN:
            known = (UNTESTED_FAILURES, BEFORE_PROPOSAL, AFTER_DECLINE)
            told = [f"{value:.2f}" for value in known]
            rows.append(paper_row(HIDDEN, [*told, figure(NAMED_UNTAGGED)], 1))
    note = (
        "Failed valid trials of satisfiable families, all settings of the main comparison "
        "together. Untested: the recommended item was never proposed; of these, before any "
        "proposal and after a declined question. Untagged: an acceptable item was named in words "
        "without a tag."
    )
    head = ("condition", "of failures: untested", "before any proposal", "after a decline")
    return study.table(
        "What failures recommended untested", note, (*head, "of failures: untagged"), rows, 1
    )


def exposure_table(study: Study) -> Table:
    """The popularity of what was recommended, by interface and condition."""
    rows: list[tuple[str, ...]] = []
    for search, condition in product((STRUCTURED, KEYWORD), (c.value for c in Condition)):
        some = [setting for setting in study.settings if setting.interface == search]
        tasks = tasks_of(study.panel, some, condition)
        if not tasks:
            continue
        ranks = [row.score.rank for row in rows_of(tasks) if row.score.rank is not None]
        top = [Share(sum(rank <= n for rank in ranks), len(ranks)) for n in TOP]
        middle = whole(float(median(ranks))) if ranks else whole(None)
        told = (search, condition, whole(len(ranks)), middle, *map(share, top))
        rows.append((*told, *counted(count(tasks))))
    note = (
        "Valid trials of all families: popularity rank, from 1, of what was recommended, over all "
        "settings of the main comparison on that interface."
    )
    tops = (f"top {n:,}" for n in TOP)
    head = ("interface", "condition", "recommended", "median rank", *tops)
    return study.table("Exposure by popularity", note, head, rows)


def tables(study: Study) -> Sequence[Table]:
    """Every table of how trials go."""
    return (
        elicitation_table(study),
        within_table(study),
        *ending_tables(study),
        commitment_table(study),
        exposure_table(study),
    )
