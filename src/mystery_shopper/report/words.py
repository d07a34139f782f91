"""How figures and kinds are worded: one place for the terminal, the page and its charts."""

from __future__ import annotations

import unicodedata
from enum import StrEnum

from mystery_shopper.dialogue import Ending
from mystery_shopper.suites.tau_rec.score import Failure

DASH = "–"
MATCHING_MISSED = "matching_missed"

FAILURES: dict[str, str] = {
    MATCHING_MISSED: "user's matching missed a question",
    Failure.ASKED_NOTHING: "asked nothing",
    Failure.MISSED_FIELD: "missed a field",
    Failure.NEVER_PROPOSED: "never proposed what it recommended",
    Failure.REJECTED_ITEM: "recommended a rejected item",
    Failure.IGNORED_REQUIREMENT: "ignored a stated requirement",
    Failure.NOT_ABSTAINED: "did not abstain",
    Failure.NEEDLESS_ABSTENTION: "abstained needlessly",
    Failure.UNKNOWN_ITEM: "recommended an unknown id",
    Failure.KNOWN_ITEM: "recommended an item from the history",
    Failure.FORMATS_UNCHECKED: "formats not checked",
    Failure.FORMAT_UNAVAILABLE: "no accepted format",
    Failure.POLICY_BROKEN: "broke a policy of the shop",
    Failure.TURN_CAP: "turn cap",
    Failure.TIME_CAP: "time cap",
    Failure.TOOL_BUDGET: "tool budget",
    Failure.OVERFLOW: "context overflow",
    Failure.ERROR: "error",
}

ENDINGS: dict[str, str] = {
    Ending.RECOMMENDED: "recommended",
    Ending.ABSTAINED: "abstained",
    Ending.TURN_CAP: "turn cap",
    Ending.TIME_CAP: "time cap",
    Ending.TOOL_BUDGET: "tool budget",
    Ending.OVERFLOW: "context overflow",
    Ending.ERROR: "error",
    Ending.FINISHED: "finished",
}


class FailureClass(StrEnum):
    """The kinds of failure as the chart draws them; the table keeps every kind apart."""

    MATCHING = "user's matching missed a question"
    ASKED_NOTHING = "asked nothing"
    MISSED = "missed a field"
    UNTESTED = "never proposed it"
    REJECTED = "recommended a rejected item"
    IGNORED = "ignored a requirement"
    NOT_ABSTAINED = "did not abstain"
    ABSTAINED = "abstained needlessly"
    UNFIT = "unfit item, format or policy"
    CUT_OFF = "cap, overflow or error"


_CLASSES: dict[str, FailureClass] = {
    MATCHING_MISSED: FailureClass.MATCHING,
    Failure.ASKED_NOTHING: FailureClass.ASKED_NOTHING,
    Failure.MISSED_FIELD: FailureClass.MISSED,
    Failure.NEVER_PROPOSED: FailureClass.UNTESTED,
    Failure.REJECTED_ITEM: FailureClass.REJECTED,
    Failure.IGNORED_REQUIREMENT: FailureClass.IGNORED,
    Failure.NOT_ABSTAINED: FailureClass.NOT_ABSTAINED,
    Failure.NEEDLESS_ABSTENTION: FailureClass.ABSTAINED,
    Failure.UNKNOWN_ITEM: FailureClass.UNFIT,
    Failure.KNOWN_ITEM: FailureClass.UNFIT,
    Failure.FORMATS_UNCHECKED: FailureClass.UNFIT,
    Failure.FORMAT_UNAVAILABLE: FailureClass.UNFIT,
    Failure.POLICY_BROKEN: FailureClass.UNFIT,
}


def failure_class(kind: str) -> FailureClass:
    """Which part of the chart's bar a kind of failure belongs to."""
    return _CLASSES.get(kind, FailureClass.CUT_OFF)


def figure(value: float | None, digits: int = 3) -> str:
    """A number with fixed decimals, or a dash where nothing was measured."""
    return DASH if value is None or value != value else f"{value:.{digits}f}"


def whole(value: float | None) -> str:
    """A count with thousands set apart; halves keep one decimal, a dash is unmeasured."""
    if value is None or value != value:
        return DASH
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def bounds(low: float | None, high: float | None) -> str:
    """An interval as `[0.912, 0.988]`, or a dash where there is none."""
    return DASH if low is None or high is None else f"[{figure(low)}, {figure(high)}]"


def extremes(low: float, high: float) -> str:
    """The least and the greatest that a figure could have been, as `‹0.905, 0.955›`."""
    return f"‹{figure(low)}, {figure(high)}›"


def duration(seconds: float | None) -> str:
    """A wait as `0.4 ms`, `203 ms`, `1.34 s`, `134 s`; a dash where nothing was timed."""
    if seconds is None:
        return DASH
    if seconds < 0.01:
        return f"{max(seconds, 0.0) * 1e3:.1f} ms"
    if seconds < 1:
        return f"{seconds * 1e3:.0f} ms"
    return f"{seconds:.2f} s" if seconds < 100 else f"{seconds:,.0f} s"


def money(dollars: float | None) -> str:
    """Dollars as `$12.30`, `$0.0123`, `< $0.0001`; `unknown` where a price is, which is not 0."""
    if dollars is None:
        return "unknown"
    if 0 < dollars < 0.0001:
        return "< $0.0001"
    return f"${dollars:,.2f}" if dollars >= 1 or dollars == 0 else f"${dollars:.4f}"


def p_value(p: float | None, at_floor: bool = False) -> str:
    """Four digits; `≤` where it is the least that the resamples allow, `<` where four digits show
    none of it."""
    if p is None:
        return DASH
    if p < 0.00005:
        return "< 0.0001"
    return f"≤ {p:.4f}" if at_floor else f"{p:.4f}"


def told_p(p: float, at_floor: bool = False) -> str:
    """The same in a sentence: `p = 0.0123`, `p ≤ 0.0011`, `p < 0.0001`."""
    value = p_value(p, at_floor)
    return f"p {value}" if value[0] in "<≤" else f"p = {value}"


def plain(text: str, most: int = 120) -> str:
    """A name fit for one line: control and format characters become spaces, long names are cut
    in the middle. A terminal or an SVG renderer is then given nothing to obey."""
    kept = "".join(" " if unicodedata.category(mark)[0] in "CZ" else mark for mark in text)
    kept = " ".join(kept.split()) or DASH
    if len(kept) <= most:
        return kept
    head = (most - 1) // 2
    return f"{kept[:head]}…{kept[-(most - 1 - head) :]}"


def fitted(label: str, most: int) -> str:
    """A name for a narrow column, which folds between words: of a word that is wider the scheme of
    an address goes, and then its middle."""
    words = (
        word if len(word) <= most else plain(word.partition("://")[2] or word, most)
        for word in plain(label, 60).split()
    )
    return " ".join(words)


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 run`, `2 runs`; `many` where the plural is another word than with an s."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
