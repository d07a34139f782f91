"""The report's tables as text, made once and shown by the page and, in part, by the terminal.

Every table names its task set and catalogue, and every row its planned, valid and excluded trials
and how often the user did not understand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mystery_shopper.report.cells import Cell
from mystery_shopper.report.figures import TOP, Tally
from mystery_shopper.report.summary import Group, RunSummary
from mystery_shopper.report.tabular import (
    COUNTED,
    Table,
    counted,
    estimate,
    explained,
    share,
    worst_case,
)
from mystery_shopper.report.words import DASH, ENDINGS, FAILURES, bounds, figure, plain, whole
from mystery_shopper.suites.tau_rec.score import Elicited


def tables(group: Group) -> list[Table]:
    """Every table of a group; a table without rows is left out."""
    made = [
        _passes(group),
        *_parts(group),
        _within(group),
        _elicitation(group),
        _tallies(group, "How trials end", _ENDING_NOTE, ENDINGS),
        _tallies(group, "How failures fail", _FAILURE_NOTE, FAILURES),
        _policies(group),
        _proposals(group),
        _commitments(group),
        _exposure(group),
        _matching(group),
    ]
    return [explained(table) for table in made if table.rows]


def _make(
    group: Group,
    title: str,
    note: str,
    head: Iterable[str],
    rows: Iterable[tuple[str, ...]],
    names: int = 2,
) -> Table:
    return Table(title, note, str(group.provenance), (*head, *COUNTED), tuple(rows), names)


def _most(group: Group) -> int:
    return max((run.plan.trials for run in group.runs), default=1)


def _pass_row(cell: Cell, most: int) -> tuple[str, ...]:
    found = [estimate(passed) for passed in cell.passes]
    first = cell.passes[0]
    tasks = whole(first.tasks)
    short = [passed for passed in cell.passes if passed.value is not None and passed.unscored]
    if short:
        tasks = " / ".join(whole(passed.tasks) for passed in cell.passes)
    return (*found, *[DASH] * (most - len(found)), tasks)


def _passes(group: Group) -> Table:
    most = _most(group)
    note = (
        "Satisfiable families, NVR families, and all. pass^k: the mean over tasks of "
        "C(c, k)/C(n, k), c successes in n valid trials; "
        "95 % intervals resample families. NVR: no valid recommendation, the right ending is to "
        "abstain. Tasks with fewer than k valid trials are left out of pass^k; the tasks that "
        "count are told for each k where they differ."
    )
    rows = (
        (
            run.label,
            cell.condition,
            cell.answers.value,
            *_pass_row(cell, most),
            *counted(cell.counts),
        )
        for run in group.runs
        for cell in run.cells.by_answers
    )
    head = ("agent", "condition", "families", *_pass_head(most), "tasks")
    return _make(group, "Success by condition", note, head, rows, 3)


def _pass_head(most: int) -> list[str]:
    return [f"pass^{k}" for k in range(1, most + 1)]


def _parts(group: Group) -> Iterator[Table]:
    most = _most(group)
    note = "Satisfiable families; pass^k and intervals as above, families resampled within the row."
    for part in ("tier", "template"):
        rows = (
            (
                run.label,
                getattr(cell, part) or "unknown",
                cell.condition,
                *_pass_row(cell, most),
                *counted(cell.counts),
            )
            for run in group.runs
            for cell in (run.cells.by_tier if part == "tier" else run.cells.by_template)
        )
        head = ("agent", part, "condition", *_pass_head(most), "tasks")
        yield _make(group, f"Success by {part}", note, head, rows, 3)


def _within(group: Group) -> Table:
    note = (
        "Hidden tasks of satisfiable families: the share of trials that succeed after at most r "
        "rejections, averaged over tasks."
    )
    rows = (
        (
            run.label,
            str(r),
            f"{figure(found.value)}{worst_case(found.worst)}",
            bounds(found.low, found.high),
            whole(found.tasks),
            *counted(within.counts),
        )
        for run in group.runs
        if (within := run.cells.within) is not None
        for r, found in enumerate(within.estimates)
    )
    head = ("agent", "rejections ≤", "success", "95 % interval", "tasks")
    return _make(group, "Success within r rejections", note, head, rows, 1)


def _elicitation(group: Group) -> Table:
    note = (
        "All families, satisfiable and NVR (success at a glance counts satisfiable ones). Valid "
        "trials with askable facts: the share that got all, some or none of them, and success "
        "given each. Questions: messages a trial that the user read as asking."
    )
    rows = (
        (
            run.label,
            found.condition,
            *(share(found.shares[kind]) for kind in Elicited),
            *(share(found.success[kind]) for kind in Elicited),
            figure(found.questions, 2),
            *counted(found.counts),
        )
        for run in group.runs
        for found in run.figures.elicitation
    )
    head = ["agent", "condition", *(kind.value for kind in Elicited)]
    head += [f"success | {kind.value}" for kind in Elicited]
    return _make(group, "Elicitation", note, [*head, "questions"], rows)


_ENDING_NOTE = "Satisfiable and NVR families apart: valid trials by the kind of their ending."
_FAILURE_NOTE = (
    "Satisfiable and NVR families apart: failed valid trials by the first kind that holds. “The "
    "user's matching missed a question” occurs only where a label file says so."
)


def _tallies(group: Group, title: str, note: str, names: dict[str, str]) -> Table:
    def of(run: RunSummary) -> tuple[Tally, ...]:
        return run.figures.endings if names is ENDINGS else run.figures.failures

    seen = {kind for run in group.runs for tally in of(run) for kind in tally.kinds}
    kinds = [kind for kind in names if kind in seen]
    rows = (
        (
            run.label,
            tally.condition,
            tally.answers.value,
            *(_part_of(tally.kinds.get(kind, 0), tally.of) for kind in kinds),
            whole(tally.of),
            *counted(tally.counts),
        )
        for run in group.runs
        for tally in of(run)
        if kinds
    )
    total = "trials" if names is ENDINGS else "failures"
    head = ("agent", "condition", "families", *(names[kind] for kind in kinds), total)
    return _make(group, title, note, head, rows, 3)


def _part_of(hits: int, of: int) -> str:
    return DASH if not of else f"{hits} ({100 * hits / of:.0f} %)" if hits else "0"


def _policies(group: Group) -> Table:
    note = (
        "All families of an imported set, satisfiable and NVR: each is held to the policies that "
        "it names, in place of the five checks. Valid trials of the tasks that name a policy: the "
        "share that kept it, and how many broke it."
    )
    rows = (
        (
            run.label,
            plain(found.policy.replace("_", " ")),
            share(found.kept),
            whole(found.kept.of - found.kept.hits),
            *counted(found.counts),
        )
        for run in group.runs
        for found in run.figures.policies
    )
    return _make(group, "Policies of the shop", note, ("agent", "policy", "kept", "broken"), rows)


def _proposals(group: Group) -> Table:
    note = "Satisfiable families: medians over successes, means over valid trials."
    rows = (
        (
            run.label,
            found.condition,
            whole(found.successes),
            whole(found.per_success),
            whole(found.rejections_per_success),
            figure(found.per_trial, 2),
            figure(found.rejections_per_trial, 2),
            *counted(found.counts),
        )
        for run in group.runs
        for found in run.figures.proposals
    )
    head = ("agent", "condition", "successes", "median proposals", "median rejections")
    head += ("proposals a trial", "rejections a trial")
    return _make(group, "Proposals and rejections", note, head, rows)


def _commitments(group: Group) -> Table:
    note = (
        "Satisfiable families. Untested: the recommended item was never proposed (of those that "
        "recommended); before any proposal and after a decline are of the untested. Unsearched: no "
        "search returned the id. Untagged: an acceptable item was named in words without a tag."
    )
    rows = (
        (
            run.label,
            found.condition,
            share(found.untested),
            share(found.before),
            share(found.after_decline),
            share(found.failed_untested),
            share(found.unsearched),
            share(found.untagged),
            share(found.failed_untagged),
            *counted(found.counts),
        )
        for run in group.runs
        for found in run.figures.commitments
    )
    head = ("agent", "condition", "untested", "before any proposal", "after a decline")
    head += ("of failures: untested", "unsearched id", "untagged", "of failures: untagged")
    return _make(group, "Untested commitments", note, head, rows)


def _exposure(group: Group) -> Table:
    note = (
        "All families, satisfiable and NVR: popularity rank, from 1, of what was recommended in "
        "valid trials."
    )
    rows = (
        (
            run.label,
            found.condition,
            whole(found.recommended),
            whole(found.median_rank),
            *tuple(share(found.top[n]) for n in TOP),
            *counted(found.counts),
        )
        for run in group.runs
        for found in run.figures.exposure
    )
    head = ["agent", "condition", "recommended", "median rank", *(f"top {n:,}" for n in TOP)]
    return _make(group, "Exposure", note, head, rows)


def _matching(group: Group) -> Table:
    note = (
        "Mixed tasks of all families, satisfiable and NVR, from the label file. Down: successes "
        "that rested on an answer to a question that no label has. Up: failures with a question "
        "that the user did not read. The bound counts the first as failures and the second as "
        "successes."
    )
    rows = (
        (
            run.label,
            whole(found.labelled),
            whole(found.turns),
            whole(found.down),
            whole(found.up),
            figure(found.value),
            bounds(found.low, found.high),
            *counted(found.counts),
        )
        for run in group.runs
        if (found := run.figures.matching) is not None
    )
    head = ("agent", "labelled trials", "labelled turns", "down", "up", "mixed success", "bound")
    return _make(group, "What the user's question matching may have moved", note, head, rows, 1)
