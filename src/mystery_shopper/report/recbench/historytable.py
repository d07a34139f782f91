"""What the history changes: the same queries asked with it and without it, and how far it pulls an
answer off its conditions (RecBench+ §6.1.1, observation 4)."""

from __future__ import annotations

from mystery_shopper.foundation import derive_seed
from mystery_shopper.report.recbench.asking import history_pairs, of_kinds, with_and_without
from mystery_shopper.report.recbench.cells import Cell
from mystery_shopper.report.recbench.claims import Form, Question
from mystery_shopper.report.recbench.study import Study
from mystery_shopper.report.recbench.words import FIGURES
from mystery_shopper.report.tabular import Table, estimate
from mystery_shopper.report.words import DASH, whole
from mystery_shopper.statistics.contrasts import ContrastResult, paired_bootstrap
from mystery_shopper.suites.recbench.query import Kind

CHANGED = ("precision_own", "recall_own", "precision_all", "cmr", "failed")
_NOTE = (
    "With the history minus without it, over the queries that have the figure in both runs, K "
    "free; 95 % intervals draw users. Pulled: with the history, the share of what was recommended "
    "that breaks a condition and is nearer to the history than the items that meet them all are."
)


def history_table(study: Study) -> Table:
    """A row a pair of runs and type; none without a pair."""
    found: list[tuple[str, str, Cell | None, list[Question]]] = []
    runs = {run.label: run for run in study.runs}
    for given, bare in history_pairs(study.ground):
        for kind in Kind:
            sides = (of_kinds(given.played, kind), of_kinds(bare.played, kind))
            if not all(len(side.places) for side in sides):
                continue
            asked = [
                Question(given.label, name, name, Form.ABOVE, sides, paired=True)
                for name in CHANGED
            ]
            cell = runs[given.label].of_type(kind)
            found.append((with_and_without(given), kind.value, cell, asked))
    results = paired_bootstrap(
        [one.contrast() for *_, asked in found for one in asked],
        seed=derive_seed(0, "recbench", "history"), resamples=study.resamples,
    )  # fmt: skip
    rows: list[tuple[str, ...]] = []
    for place, (pair, kind, cell, asked) in enumerate(found):
        mine = results[place * len(asked) : (place + 1) * len(asked)]
        pulled = estimate(cell.at("pulled")) if cell is not None else DASH
        queries = whole(max(one.tasks for one in mine))
        rows.append((pair, kind, *map(change, mine), pulled, queries))
    head = ("agents", "type", *(FIGURES[name] for name in CHANGED), "pulled", "queries")
    return Table("What the history changes", _NOTE, study.caption, head, tuple(rows), 2)


def change(found: ContrastResult) -> str:
    """`+0.104 [+0.050, +0.160]`, or a dash where nothing was paired."""
    if found.estimate is None:
        return DASH
    if found.low is None or found.high is None:
        return f"{found.estimate:+.3f}"
    return f"{found.estimate:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
