"""The summary on a terminal, within 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from textwrap import wrap

from rich.console import Console
from rich.table import Table
from rich.text import Text

from mystery_shopper.report.cells import ALL, Answers
from mystery_shopper.report.glance import hidden_proposals
from mystery_shopper.report.latency import latency_line
from mystery_shopper.report.leftout import left_out_lines
from mystery_shopper.report.prose import labelled, unmeasured
from mystery_shopper.report.spending import spending_lines
from mystery_shopper.report.summary import Group, RunSummary, Summary
from mystery_shopper.report.tabular import counted, worst_case
from mystery_shopper.report.words import FAILURES, bounds, figure, fitted, plain, plural, whole

_LABEL = 22
_WIDTH = 80
_MOST_TROUBLES = 2
_MOST_FAILURES = 4
_KEY = (
    "pass^1: share of a task's trials that succeed, averaged. NVR: nothing fits.",
    "excl.: faults not the agent's. n. u.: questions a trial not understood.",
)


def print_summary(summary: Summary, console: Console | None = None) -> None:
    """Print one table a group to stdout: success by agent and condition with its denominators, then
    a line an agent on tasks that nothing fits and on proposals."""
    console = console or Console()
    warning = unmeasured(summary)
    if warning:
        console.print(Text(plain(warning, 400)))
    if len(summary.groups) > 1:
        console.print(
            Text(
                f"{len(summary.groups)} groups of runs over different tasks, catalogues or users: "
                "figures of different groups are not comparable."
            )
        )
    for group in summary.groups:
        console.print(_table(group))
        console.print(Text(str(group.provenance), style="dim"))
        for line in _KEY:
            console.print(Text(line, style="dim"))
        for run in group.runs:
            for line in _lines(run):
                console.print(line)
    told = labelled([run.run for run in summary.runs])
    if told:
        console.print(Text(told))


def _table(group: Group) -> Table:
    table = Table(
        title=Text("Success (pass^1) on satisfiable families, 95 % intervals"),
        title_justify="left",
        padding=(0, 1),
        pad_edge=False,
        collapse_padding=True,
        box=None,
        header_style="bold",
    )
    table.add_column("agent", max_width=_LABEL, overflow="fold")
    table.add_column("condition", no_wrap=True)
    heads = ("pass^1", "interval", "planned", "valid", "excl.", "n. u.")
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    for run in group.runs:
        first = True
        for condition in run.run.conditions:
            cell = run.cells.at(condition)
            if cell is None:
                continue
            found = cell.passes[0]
            name = fitted(run.label, _LABEL) if first else ""
            cells = (name, condition, figure(found.value), bounds(found.low, found.high))
            table.add_row(*map(Text, cells + counted(cell.counts)))
            first = False
    return table


def _troubles(run: RunSummary) -> list[Text]:
    """The commonest errors that ended trials: the agent's own, and those that excluded a trial."""
    lines: list[Text] = []
    for what, excluded in (("ended in an error of the agent", False), ("excluded", True)):
        told = Counter(r.trouble for r in run.run.rows if r.trouble and r.excluded is excluded)
        for trouble, often in told.most_common(_MOST_TROUBLES):
            style = "yellow" if excluded else "red"
            lines.append(
                Text(f"  {plural(often, 'trial')} {what}: {plain(trouble, 200)}", style=style)
            )
    return lines


def _lines(run: RunSummary) -> list[Text]:
    label = Text(plain(run.label, 60), style="bold")
    barren = [(name, run.cells.at(name, Answers.NVR)) for name in run.run.conditions]
    found = [(name, cell.passes[0]) for name, cell in barren if cell and cell.counts.planned]
    lines = _wrapped(_failures(run))
    if found:
        told = ", ".join(f"{name} {figure(passed.value)}" for name, passed in found)
        lines.append(Text(f"  NVR abstained: {told} ({_tasks([p.tasks for _, p in found])})"))
    proposed = hidden_proposals(run)
    if proposed is not None:
        lines.append(Text(f"  median proposals a hidden success: {whole(proposed.per_success)}"))
    held = [(one.policy, one.kept) for one in run.figures.policies if one.kept.of]
    if held:
        told = ", ".join(f"{name.replace('_', ' ')} {kept.hits}/{kept.of}" for name, kept in held)
        lines.append(Text(f"  policies kept: {told}"))
    lines += _wrapped(_given_away(run))
    counts = run.counts
    lines.append(
        Text(
            f"  {whole(counts.planned)} planned, {whole(counts.valid)} valid, "
            f"{whole(counts.excluded)} excluded, {whole(counts.unplayed)} unplayed; "
            f"n. u. {figure(counts.not_understood, 2)}"
        )
    )
    lines += _wrapped(left_out_lines(run))
    lines += _troubles(run)
    most = run.plan.trials
    overall = run.cells.at(ALL, Answers.ALL)
    if most > 1 and overall is not None:
        passes = (
            f"pass^{k} {figure(p.value)}{worst_case(p.worst)}"
            for k, p in enumerate(overall.passes, 1)
        )
        lines.append(Text(f"  all tasks: {', '.join(passes)}"))
    lines += _wrapped([latency_line(run), *spending_lines(run)])
    return [label, *lines]


def _failures(run: RunSummary) -> Iterator[str]:
    """How many trials failed, and the commonest kinds, in the page's words."""
    told = Counter(kind for row in run.run.rows if (kind := row.failure) is not None)
    if not told:
        return
    kinds = [f"{n:,} {FAILURES.get(kind, kind)}" for kind, n in told.most_common(_MOST_FAILURES)]
    shown = sum(n for _, n in told.most_common(_MOST_FAILURES))
    total = told.total()
    rest = f" and {plural(total - shown, 'other')}" if total > shown else ""
    yield f"{plural(total, 'failure')}: {', '.join(kinds)}{rest}"


def _given_away(run: RunSummary) -> Iterator[str]:
    """What a user whose words code does not choose gave away."""
    spoken = run.figures.disclosed
    trials = [found.leaking.of for found in spoken]
    if not trials:
        return
    leaks = sum((found.leaks or 0) * n for found, n in zip(spoken, trials, strict=True))
    stood = sum((found.stood_in or 0) * n for found, n in zip(spoken, trials, strict=True))
    reached = sum(found.reached.hits for found in spoken)
    replies = plural(round(stood), "reply", "replies")
    yield (
        f"user: {plural(round(leaks), 'leak')} (withheld facts in its drafts and replies), one "
        f"reached the agent in {reached}/{sum(trials)} trials; the rule-based user stood in for "
        f"{replies}"
    )


def _wrapped(lines: Iterable[str]) -> list[Text]:
    """Lines below an agent's name; what does not fit goes on below, further in."""
    return [
        Text(part)
        for line in lines
        for part in wrap(f"  {line}", _WIDTH, subsequent_indent="      ")
    ]


def _tasks(numbers: list[int]) -> str:
    """`15 tasks`, `15 tasks each`, `15/14 tasks`."""
    if len(set(numbers)) > 1:
        return f"{'/'.join(map(whole, numbers))} tasks"
    return plural(numbers[0], "task") + (" each" if len(numbers) > 1 else "")
