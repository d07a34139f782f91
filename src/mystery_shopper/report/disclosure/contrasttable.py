"""The twelve tests as a table: what moved, how sure that is, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mystery_shopper.report.cells import Counts
from mystery_shopper.report.disclosure.effects import Effect, Finding
from mystery_shopper.report.disclosure.published import CONTRASTS, MARK
from mystery_shopper.report.disclosure.settings import Panel, Played
from mystery_shopper.report.disclosure.twelve import ALPHA, Twelve
from mystery_shopper.report.tabular import COUNTED, Table, counted
from mystery_shopper.report.words import DASH, whole

NOTE = (
    "Differences in points, hundredths of pass^1, with 95 % intervals over resampled families; all "
    "rows rest on one draw. p: the family bootstrap; the first row stands alone at 0.05, of the "
    "others p is Holm's. Templates: a sign-flip test over whole templates, exact up to 20 of them. "
    "Detectable: what these families find at 80 % power. To settle: the families at as many trials "
    "a task, or the trials a task with as many families, that an effect of the size found would "
    "need; – where it is settled or where no number is enough. Unpaired: tasks that one side "
    "lacks, or that are unscored there."
)
HEAD = (
    "contrast", "points", "p", "templates p", "detectable", "to settle", "pairs", "unpaired",
    f"{MARK}: points", f"{MARK}: p", f"{MARK}: templates p", *COUNTED,
)  # fmt: skip


def contrast_table(panel: Panel, found: Twelve, caption: str) -> Table:
    """One row a test; those that could not be made say why."""
    alone = _row(panel, found.alone, found.alone.result.p)
    rest = [_row(panel, one, one.adjusted) for one in found.corrected]
    title = f"Tests: the interface alone, and {found.tested} with Holm's correction"
    return Table(title, NOTE, caption, HEAD, (alone, *rest), 1)


def _row(panel: Panel, one: Finding, p: float | None) -> tuple[str, ...]:
    known = CONTRASTS.get(one.effect.role)
    paper = (DASH, DASH, DASH)
    if known is not None:
        interval = points_between(known.low / 100, known.high / 100)
        paper = (f"{known.points:+.1f} {interval}", known.families, known.templates)
    result, effect = one.result, one.effect
    if effect.missing:
        told = (f"{effect.name}: {effect.missing}", *[DASH] * 7)
        return (*told, *paper, *counted(_nothing()))
    return (
        effect.name,
        points(result.estimate, result.low, result.high),
        p_value(p, result.at_floor),
        f"{p_value(one.flips.p)} ({one.flips.clusters})" if one.flips.p is not None else DASH,
        DASH if not one.detectable.effect else f"{100 * one.detectable.effect:.1f}",
        settle(one, p),
        whole(result.tasks),
        whole(len(effect.unpaired)),
        *paper,
        *counted(counts(panel, effect)),
    )


def points(value: float | None, low: float | None, high: float | None) -> str:
    """`+7.1 [+3.0, +11.4]` in hundredths; a dash where unmeasured."""
    if value is None:
        return DASH
    interval = "" if low is None or high is None else f" {points_between(low, high)}"
    return f"{_signed(value)}{interval}"


def points_between(low: float, high: float) -> str:
    """`[+3.0, +11.4]`."""
    return f"[{_signed(low)}, {_signed(high)}]"


def _signed(value: float) -> str:
    text = f"{100 * value:+.1f}"
    return "0.0" if float(text) == 0 else text


def p_value(p: float | None, at_floor: bool = False) -> str:
    """Four digits; `≤` where it is the least that the resamples allow."""
    if p is None:
        return DASH
    return f"≤ {p:.4f}" if at_floor else f"{p:.4f}"


def settle(one: Finding, p: float | None) -> str:
    """What an effect as large as the one found would need, where it is not settled yet."""
    if p is None or p < ALPHA or one.wanted is None:
        return DASH
    told: list[str] = []
    if one.wanted.families is not None:
        told.append(f"{whole(one.wanted.families)} families")
    if one.wanted.trials is not None and one.wanted.trials > one.wanted.trials_now:
        told.append(f"{whole(one.wanted.trials)} trials")
    return " or ".join(told) or DASH


def counts(panel: Panel, effect: Effect) -> Counts:
    """The trials of every setting and condition that an effect rests on, each once."""
    sides = dict.fromkeys(side for term in effect.terms for side in (term.base, term.candidate))
    return total(count(panel[setting], condition) for setting, condition in sides)


def count(played: Played, condition: str | None) -> Counts:
    """The denominators of a setting's condition, or of all."""
    tasks = {task.task for task in played.of(condition)}
    planned = sum(task.planned for task in played.of(condition))
    valid = [row for task in played.of(condition) for row in task.rows]
    excluded = len(
        {
            (run.plan.seed, row.key)
            for run in played.runs
            for row in run.rows
            if row.task in tasks and not row.valid
        }
    )
    misread = sum(row.score.not_understood for row in valid)
    return Counts(planned, len(valid), excluded, misread / len(valid) if valid else None)


def total(parts: Iterable[Counts]) -> Counts:
    """The denominators of several together."""
    found: Sequence[Counts] = [*parts]
    valid = sum(part.valid for part in found)
    misread = sum((part.not_understood or 0) * part.valid for part in found)
    return Counts(
        sum(part.planned for part in found),
        valid,
        sum(part.excluded for part in found),
        misread / valid if valid else None,
    )


def _nothing() -> Counts:
    return Counts(0, 0, 0, None)
