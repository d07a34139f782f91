"""The figures of a ground as tables: by type and number of conditions, K free and K = 5, by
popularity and group, and beyond the paper."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from mystery_shopper.report.recbench.cells import SPLIT, Cell
from mystery_shopper.report.recbench.played import Counts
from mystery_shopper.report.recbench.published import FTR_AGENT, FTR_MISINFORMED, MARK
from mystery_shopper.report.recbench.study import MOST_LINES, Figured, Study
from mystery_shopper.report.recbench.words import KINDS, head_of, type_words, width_words
from mystery_shopper.report.tabular import Table, estimate
from mystery_shopper.report.words import DASH, figure, whole
from mystery_shopper.suites.recbench.metrics import MATCHES, WITH_EMPTY
from mystery_shopper.suites.recbench.query import CONDITION_KINDS, Kind
from mystery_shopper.suites.recbench.summary import ALL, CONDITIONS

COUNTED = ("planned", "valid", "excluded")
_TRUTHS = (
    "Precision and recall against the user's own group (of a profile query its subset), and "
    "against all matching items (a profile's whole list); CMR: the share of what was recommended "
    "that meets all true conditions, not scored on profile queries or where the graph lacks a "
    "relation."
)
_ANSWERED = "Over answers that recommend something."
_EMPTY = "An answer that recommends nothing counts as 0."
_FREE = "K free: all that was recommended."
_FIVE = "K = 5: the first five items of each answer."
_INTERVALS = "Means over answers, with 95 % intervals that draw users."
_FAILING = (
    "FTR: the share of answers without a recommendation. Names the mistake: of answers to "
    "misinformed queries, whether they say that the claim is wrong. Hallucinated: the share of "
    "what was recommended that no item bears the title of; ambiguous: that several bear. Items: "
    "recommended an answer. Success: something is recommended, and all of it meets the conditions "
    "or stands on the profile's list."
)
_BEYOND = (
    "Beyond the paper. Novelty: mean self-information of the items, in bits. Diversity: 1 - the "
    "mean Jaccard similarity of the values of each pair of items. Pulled: the share of what was "
    "recommended that breaks a condition and is nearer to the user's history than the items that "
    "meet them all are; scored where the history was handed over."
)
PLAIN = ("precision_own", "recall_own", "cmr", "failed")
FAILING = ("failed", "names_mistake", "hallucinated", "ambiguous", "recommended", "success")
BEYOND = ("novelty", "diversity", "pulled")


def counted(counts: Counts) -> tuple[str, str, str]:
    """The cells of `COUNTED`."""
    return whole(counts.planned), whole(counts.valid), whole(counts.excluded)


def glance(study: Study) -> Table:
    """A row a run and type, and one over all: precision, recall, CMR and FTR with K free; of many
    runs a row a run, over all its queries."""
    many = len(study.runs) > MOST_LINES
    cells = [(run.label, cell) for run in study.runs for cell in run.types if not cell.group]
    together = [(run.label, cell) for run in study.runs if (cell := run.every)] if many else []
    rows = [
        (label, type_words(cell.kind), *_figures(cell, PLAIN), *counted(cell.counts))
        for label, cell in together or cells
    ]
    further = " Conditions: explicit, implicit and misinformed queries together." * (
        any(cell.kind == CONDITIONS for _, cell in together or cells)
    )
    further += " Type by type: in the tables below." * bool(together)
    note = f"{_TRUTHS} Here against the own group. {_ANSWERED} FTR: the share of answers without."
    head = ("agent", "type", *map(head_of, PLAIN), *COUNTED)
    return Table("At a glance", f"{note} {_FREE}{further}", study.caption, head, tuple(rows), 2)


def tables(study: Study) -> list[Table]:
    """Every table by type, popularity and group; those without rows are left out."""
    made = [
        _matching(study, five=False, empty=False),
        _matching(study, five=False, empty=True),
        _matching(study, five=True, empty=False),
        _matching(study, five=True, empty=True),
        failing(study),
        _types(study, "Novelty, diversity, pull of the history", BEYOND, f"{_BEYOND} {_FREE}"),
        popularity(study.runs, study.caption),
        demographics(study.runs, study.caption),
    ]
    return [table for table in made if table.rows]


def _matching(study: Study, *, five: bool, empty: bool) -> Table:
    names = tuple(name + WITH_EMPTY for name in MATCHES) if empty else MATCHES
    title = f"Precision, recall and CMR, {'K = 5' if five else 'K free'}"
    title += ", empty answers as 0" if empty else ""
    note = f"{_TRUTHS} {_EMPTY if empty else _ANSWERED} {_FIVE if five else _FREE} {_INTERVALS}"
    return _types(study, title, names, note, five=five)


def failing(study: Study) -> Table:
    """FTR and what else goes wrong, with the paper's one figure below."""
    table = _types(study, "Failing, mistakes and hallucinations", FAILING, f"{_FAILING} {_FREE}")
    there = any(row[1] == Kind.MISINFORMED for row in table.rows)
    if not there:
        return table
    # Only columns that some run of ours measured stand in the table.
    told = {head_of("failed"): figure(FTR_MISINFORMED)}
    paper = (
        f"{MARK}: {FTR_AGENT}, films", Kind.MISINFORMED.value, "any",
        *(told.get(head, DASH) for head in table.head[table.names :]),
    )  # fmt: skip
    note = f"{table.note} Of the paper's figures only this one stands in its text."
    return Table(table.title, note, table.caption, table.head, (*table.rows, paper), table.names)


def _types(
    study: Study, title: str, names: Sequence[str], note: str, *, five: bool = False
) -> Table:
    """Rows by type and number of conditions; columns that no row has are left out."""
    cells = [(run.label, cell) for run in study.runs for cell in run.types]
    kept = _measured([cell for _, cell in cells], names, five)
    rows = tuple(
        (
            label, type_words(cell.kind), cell.group or "any", *_figures(cell, kept, five),
            *counted(cell.counts),
        )
        for label, cell in cells
        if _stands(cell, cells)
    )  # fmt: skip
    head = ("agent", "type", "conditions", *map(head_of, kept), *COUNTED)
    return Table(title, note, study.caption, head, rows if kept else (), 3)


def _stands(cell: Cell, cells: Sequence[tuple[str, Cell]]) -> bool:
    """Whether a row tells anything that another does not: a type of one width has one row."""
    if cell.group or cell.kind in (ALL, CONDITIONS):
        return True
    return len({one.group for _, one in cells if one.kind == cell.kind and one.group}) != 1


def _measured(cells: Sequence[Cell], names: Sequence[str], five: bool) -> tuple[str, ...]:
    return tuple(
        name for name in names if any(cell.at(name, five=five).value is not None for cell in cells)
    )


def _figures(cell: Cell, names: Iterable[str], five: bool = False) -> tuple[str, ...]:
    return tuple(estimate(cell.at(name, five=five)) for name in names)


def popularity(runs: Sequence[Figured], caption: str, over: str = "") -> Table:
    """A row a run and fifth of the interests. `over` ends the title."""
    title = f"Interest popularity{over}"
    note = (
        "Interest queries in five groups of about the same size, 1 the interests that most users "
        f"share and 5 those that fewest do; shared by: by how many. {_ANSWERED} {_FREE} "
        f"{_INTERVALS}"
    )
    return _parts(
        title, note, caption, runs, lambda run: run.popularity, ("agent", "group", "shared by")
    )


def demographics(runs: Sequence[Figured], caption: str, over: str = "") -> Table:
    """A row a run and value of an attribute. `over` ends the title."""
    title = f"Who asks{over}"
    note = (
        "Demographics queries by the group that they speak for; one for women of 25 to 34 stands "
        f"under both. {_ANSWERED} {_FREE} {_INTERVALS}"
    )
    head = ("agent", "attribute", "value")
    return _parts(title, note, caption, runs, lambda run: run.demographics, head)


def _range(low: int, high: int) -> str:
    return f"{low}–{high} users" if low < high else f"{low} users"


def _parts(
    title: str,
    note: str,
    caption: str,
    runs: Sequence[Figured],
    cells: Callable[[Figured], Sequence[Cell]],
    head: tuple[str, ...],
) -> Table:
    every = [cell for run in runs for cell in cells(run)]
    kept = _measured(every, SPLIT, five=False)
    rows = tuple(
        (
            run.label, *((cell.part,) if cell.part else ()), cell.group,
            *((_range(*cell.shared),) if cell.shared else ()),
            *_figures(cell, kept), *counted(cell.counts),
        )
        for run in runs
        for cell in cells(run)
    )  # fmt: skip
    return Table(
        title, note, caption, (*head, *map(head_of, kept), *COUNTED), rows if kept else (),
        len(head),
    )  # fmt: skip


def widths(runs: Sequence[Figured], name: str, caption: str, *, five: bool = False) -> Table:
    """One figure by number of conditions, a row a run and condition type: what a figure of lines
    rests on."""
    there = ("1", "2", "3-4")
    rows: list[tuple[str, ...]] = []
    for run in runs:
        for kind in CONDITION_KINDS:
            found = [run.of_type(kind.value, width) for width in there]
            if any(cell is not None for cell in found):
                told = (estimate(c.at(name, five=five)) if c else DASH for c in found)
                rows.append((run.label, kind.value, *told))
    title = f"{head_of(name)} by number of conditions{', K = 5' if five else ''}"
    note = f"{_ANSWERED if name != 'failed' else ''} {_FIVE if five else _FREE} {_INTERVALS}"
    head = ("agent", "type", *map(width_words, there))
    return Table(title, note.strip(), caption, head, tuple(rows), 2)


def types_of(
    runs: Sequence[Figured],
    name: str,
    caption: str,
    kinds: Sequence[str],
    *,
    five: bool = False,
    over: str = "",
) -> Table:
    """One figure by type, a row a run: what a figure of marks rests on. `over` ends the title."""
    there = [kind for kind in KINDS if kind in kinds and any(run.of_type(kind) for run in runs)]
    rows = tuple(
        (
            run.label,
            *(
                estimate(c.at(name, five=five)) if (c := run.of_type(kind)) else DASH
                for kind in there
            ),
        )
        for run in runs
    )
    note = f"{_ANSWERED if name != 'failed' else ''} {_FIVE if five else _FREE} {_INTERVALS}"
    title = f"{head_of(name)} by type{over}{', K = 5' if five else ''}"
    return Table(title, note.strip(), caption, ("agent", *there), rows, 1)
