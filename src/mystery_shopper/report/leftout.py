"""What excluded trials, and planned ones that were never played, may have moved: one table."""

from __future__ import annotations

from mystery_shopper.report.cells import Cell
from mystery_shopper.report.summary import Group, RunSummary
from mystery_shopper.report.tabular import COUNTED, Table, counted
from mystery_shopper.report.words import DASH, extremes, figure, whole
from mystery_shopper.report.worst import Extremes

_NOTE = (
    "Satisfiable families, NVR families, and all, where trials were excluded. pass^1 over valid "
    "trials; the worst case: ‹had every excluded trial failed, had every one succeeded›. Whatever "
    "their outcomes, pass^1 over all that was played lies within."
)
_UNPLAYED = " With unplayed: planned trials that were not played are counted in the same way."


def left_out(group: Group) -> list[Table]:
    """The table, a row a cell with excluded trials; none where nothing was excluded."""
    found = [
        (run, cell)
        for run in group.runs
        for cell in run.cells.by_answers
        if cell.counts.excluded and cell.passes[0].worst is not None
    ]
    if not found:
        return []
    unplayed = any(cell.counts.unplayed for _, cell in found)
    head = ["agent", "condition", "families", "pass^1", "worst case"]
    head += ["unplayed", "worst case with unplayed"] if unplayed else []
    rows = tuple(_row(run, cell, unplayed) for run, cell in found)
    note = _NOTE + (_UNPLAYED if unplayed else "")
    title = "What excluded trials may have moved"
    return [Table(title, note, str(group.provenance), (*head, *COUNTED), rows, 3)]


def left_out_lines(run: RunSummary) -> list[str]:
    """The same for a terminal: the conditions with excluded trials, on satisfiable families."""
    cells = [run.cells.at(condition) for condition in run.run.conditions]
    worst = [(cell, cell.passes[0].worst) for cell in cells if cell and cell.counts.excluded]
    found = [(cell.condition, bound) for cell, bound in worst if bound is not None]
    if not found:
        return []
    told = ", ".join(f"{name} {_told(bound.excluded)}" for name, bound in found)
    lines = [f"worst case (all excluded failed, all succeeded): {told}"]
    open_ = [(name, bound.unplayed) for name, bound in found if bound.unplayed is not None]
    if open_:
        told = ", ".join(f"{name} {_told(bound)}" for name, bound in open_)
        lines.append(f"with {whole(run.counts.unplayed)} unplayed as well: {told}")
    return lines


def _row(run: RunSummary, cell: Cell, unplayed: bool) -> tuple[str, ...]:
    first = cell.passes[0]
    worst = first.worst
    more = () if not unplayed else (whole(cell.counts.unplayed), _told(worst and worst.unplayed))
    return (
        run.label,
        cell.condition,
        cell.answers.value,
        figure(first.value),
        _told(worst and worst.excluded),
        *more,
        *counted(cell.counts),
    )


def _told(bound: Extremes | None) -> str:
    return DASH if bound is None else extremes(bound.low, bound.high)
