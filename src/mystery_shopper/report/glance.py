"""The table at the top of the page: one row a run."""

from __future__ import annotations

from mystery_shopper.report.cells import ALL, Answers, Cell
from mystery_shopper.report.figures import Proposals
from mystery_shopper.report.summary import Group, RunSummary
from mystery_shopper.report.tabular import COUNTED, Table, counted, estimate, explained
from mystery_shopper.report.words import DASH, whole

_NOTE = (
    "Conditions: pass^1 on satisfiable families, with 95 % intervals over families. NVR: hidden "
    "tasks (all tasks of a run without hidden ones) of families that nothing fits, where the agent "
    "must abstain. Planned to not understood: all families."
)
_PROPOSALS = "Proposals: median a hidden success on satisfiable families."
_FLAT = "Where all families agree, as in [1.000, 1.000], a percentile bootstrap shows no spread."


def headline(group: Group) -> Table:
    """pass^1 by condition on satisfiable families, NVR, and proposals. The note says of intervals
    without width why they have none."""
    rows: list[tuple[str, ...]] = []
    shown: list[Cell] = []
    proposing = any(hidden_proposals(run) for run in group.runs)
    for run in group.runs:
        cells = [*(run.cells.at(condition) for condition in group.conditions), _barren(run)]
        shown.extend(cell for cell in cells if cell is not None)
        found = hidden_proposals(run)
        rows.append(
            (
                run.label,
                *(estimate(cell.passes[0]) if cell else DASH for cell in cells),
                *([whole(found.per_success) if found else DASH] if proposing else []),
                *counted(run.counts),
            )
        )
    flat = any(
        cell.passes[0].low is not None and cell.passes[0].low == cell.passes[0].high
        for cell in shown
    )
    head = ("agent", *group.conditions, "NVR", *(["proposals"] if proposing else []), *COUNTED)
    note = " ".join([_NOTE, *([_PROPOSALS] if proposing else []), *([_FLAT] if flat else [])])
    table = Table("Success at a glance", note, str(group.provenance), head, tuple(rows), 1)
    return explained(table)


def hidden_proposals(run: RunSummary) -> Proposals | None:
    """What was proposed in hidden tasks of satisfiable families; None where none is planned."""
    found = (one for one in run.figures.proposals if one.condition == "hidden")
    return next((one for one in found if one.counts.planned), None)


def _barren(run: RunSummary) -> Cell | None:
    """Where nothing fits: hidden tasks; without these all tasks of the run."""
    only = run.run.conditions[:1] if len(run.run.conditions) == 1 else (ALL,)
    found = (run.cells.at(condition, Answers.NVR) for condition in ("hidden", *only))
    return next((cell for cell in found if cell is not None), None)
