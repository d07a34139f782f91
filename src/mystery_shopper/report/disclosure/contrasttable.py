"""The twelve tests as a table: what moved, how sure that is, and what would settle it."""

from __future__ import annotations

from mystery_shopper.report.disclosure.counting import NOTHING, count_effects
from mystery_shopper.report.disclosure.effects import Finding
from mystery_shopper.report.disclosure.published import CONTRASTS, MARK
from mystery_shopper.report.disclosure.settings import Panel
from mystery_shopper.report.disclosure.twelve import ALPHA, Twelve
from mystery_shopper.report.tabular import COUNTED, Table, counted
from mystery_shopper.report.words import DASH, p_value, whole

NOTE = (
    "Differences in points, hundredths of pass^1, with 95 % intervals over resampled families; all "
    "rows rest on one draw. p: the family bootstrap; the first row stands alone at 0.05, of the "
    "others p is Holm's. p, templates: a sign-flip test over whole templates, their number behind "
    "it, exact up to 20 of them. Detectable: what these families find at 80 % power. To settle: "
    "the families at as many trials a task, or the trials a task with as many families, that an "
    "effect of the size found would need; – where it is settled or where no number is enough. "
    "Pairs: of tasks, and in brackets those that pair with nothing or are unscored on a side. The "
    "paper's p values: over families, then over templates; its agents and catalogue are others."
)
HEAD = (
    "contrast", "points", "p", "p, templates", "detectable", "to settle", "pairs",
    f"{MARK}: points", f"{MARK}: p", *COUNTED,
)  # fmt: skip

MANY = 1_000_000
"""An effect that needs more than so many families is next to none."""


def contrast_table(panel: Panel, found: Twelve, caption: str) -> Table:
    """One row a test; those that could not be made say why."""
    alone = _row(panel, found.alone, found.alone.result.p)
    rest = [_row(panel, one, one.adjusted) for one in found.corrected]
    return Table(_title(found), NOTE, caption, HEAD, (alone, *rest), 1)


def _title(found: Twelve) -> str:
    told = [] if found.alone.effect.missing else ["the interface alone"]
    told += [f"{found.tested} with Holm's correction"] if found.tested else []
    return f"Tests: {', and '.join(told)}" if told else "Tests"


def _row(panel: Panel, one: Finding, p: float | None) -> tuple[str, ...]:
    known = CONTRASTS.get(one.effect.role)
    paper = (DASH, DASH)
    if known is not None:
        told = points(known.points / 100, known.low / 100, known.high / 100)
        paper = (told, f"{known.families}, {known.templates}")
    result, effect = one.result, one.effect
    if effect.missing:
        told = (f"{effect.name}: {effect.missing}", *[DASH] * 6)
        return (*told, *paper, *counted(NOTHING))
    unpaired = len(effect.unpaired)
    return (
        effect.name,
        points(result.estimate, result.low, result.high),
        p_value(p, result.at_floor),
        templates(one),
        least(one),
        settle(one, p),
        whole(result.tasks) + (f" ({whole(unpaired)})" if unpaired else ""),
        *paper,
        *counted(count_effects(panel, [effect])),
    )


def templates(one: Finding) -> str:
    """The p value of the sign-flip test with the number of templates: `0.1500 (13)`."""
    if one.flips is None or one.flips.p is None:
        return DASH
    return f"{p_value(one.flips.p)} ({one.flips.clusters})"


def least(one: Finding) -> str:
    """The points that are found at 80 % power."""
    return DASH if not one.detectable.effect else f"{100 * one.detectable.effect:.1f}"


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


def at_most(number: int) -> str:
    """`1,154`; beyond a million no more than that."""
    return whole(number) if number <= MANY else f"> {whole(MANY)}"


def settle(one: Finding, p: float | None) -> str:
    """What an effect as large as the one found would need, where it is not settled yet."""
    if p is None or p < ALPHA or one.wanted is None:
        return DASH
    told: list[str] = []
    if one.wanted.families is not None:
        told.append(f"{at_most(one.wanted.families)} families")
    if one.wanted.trials is not None and one.wanted.trials > one.wanted.trials_now:
        told.append(f"{at_most(one.wanted.trials)} trials")
    return " or ".join(told) or DASH
