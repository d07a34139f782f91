"""How the suite's kinds, figures and failures are worded: one place for all that is shown."""

from __future__ import annotations

from collections.abc import Mapping

from mystery_shopper.suites.recbench.fits import Fit
from mystery_shopper.suites.recbench.metrics import WITH_EMPTY
from mystery_shopper.suites.recbench.query import Kind
from mystery_shopper.suites.recbench.score import Failure
from mystery_shopper.suites.recbench.summary import ALL, CONDITIONS

KINDS = (*(kind.value for kind in Kind), CONDITIONS, ALL)
"""Rows by type, in the order in which they stand."""

FIGURES: Mapping[str, str] = {
    "precision_own": "precision",
    "recall_own": "recall",
    "precision_all": "precision, all",
    "recall_all": "recall, all",
    "cmr": "CMR",
    "failed": "FTR",
    "names_mistake": "names the mistake",
    "hallucinated": "hallucinated",
    "ambiguous": "ambiguous",
    "recommended": "items",
    "novelty": "novelty",
    "diversity": "diversity",
    "pulled": "pulled",
    "success": "success",
}
"""A figure's name (`metrics.NAMES`) -> the head of its column."""

FAILURES: Mapping[Failure, str] = {
    Failure.NO_RECOMMENDATION: "recommended nothing",
    Failure.UNKNOWN_TITLE: "named a title that no item bears",
    Failure.OFF_CONDITION: "recommended an item off its conditions",
    Failure.OFF_LIST: "recommended an item off the group's list",
    Failure.TURN_CAP: "turn cap",
    Failure.TIME_CAP: "time cap",
    Failure.TOOL_BUDGET: "tool budget",
    Failure.OVERFLOW: "context overflow",
    Failure.ERROR: "error",
}

ATTRIBUTES = ("gender", "age", "occupation")


def type_words(kind: str) -> str:
    """How a row's type is called: the three types with conditions together are `conditions`, which
    nobody takes for all queries."""
    return "conditions" if kind == CONDITIONS else kind


def head_of(name: str) -> str:
    """The head of a figure's column; of one that counts an empty answer as 0 the same."""
    return FIGURES[name.removesuffix(WITH_EMPTY)]


def width_words(width: str) -> str:
    """`1 condition`, `3-4 conditions`; `any` where a row holds every number, or none has one."""
    if not width:
        return "any"
    return f"{width} condition" if width == "1" else f"{width} conditions"


FITS: Mapping[Fit, str] = {
    Fit.UNKNOWN: "no item bears this title",
    Fit.AMBIGUOUS: "several items bear this title",
    Fit.NAMED: "named in the request: counts neither way",
    Fit.UNTOLD: "",
    Fit.OWN: "in the user's own group",
    Fit.MATCHING: "meets all conditions",
    Fit.OFF: "breaks a condition",
}
"""What a recommended title is to the query."""
FITS_OF_PROFILES: Mapping[Fit, str] = {
    Fit.OWN: "in the subset that the reason speaks of",
    Fit.MATCHING: "on the profile's list",
    Fit.OFF: "not on the profile's list",
}
"""Those words that are others for a profile query."""
