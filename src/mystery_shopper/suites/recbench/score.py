"""What a transcript of one request is scored on: the types.

The figures and their sources stand in `suites.recbench.metrics`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from mystery_shopper.dialogue import Ending

FIVE = 5
"""K where it is fixed (RecBench+ appendix F)."""


class Failure(StrEnum):
    """Why a trial did not succeed; the first that holds, in this order."""

    ERROR = "error"
    OVERFLOW = "overflow"
    TIME_CAP = "time_cap"
    TURN_CAP = "turn_cap"
    TOOL_BUDGET = "tool_budget"
    NO_RECOMMENDATION = "no_recommendation"
    UNKNOWN_TITLE = "unknown_title"
    OFF_CONDITION = "off_condition"
    OFF_LIST = "off_list"


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The figures of one answer under one K, by the names of `metrics.NAMES`. None: unscored."""

    precision_own: float | None = None
    recall_own: float | None = None
    precision_all: float | None = None
    recall_all: float | None = None
    cmr: float | None = None
    precision_own_with_empty: float | None = None
    recall_own_with_empty: float | None = None
    precision_all_with_empty: float | None = None
    recall_all_with_empty: float | None = None
    cmr_with_empty: float | None = None
    failed: float | None = None
    names_mistake: float | None = None
    hallucinated: float | None = None
    ambiguous: float | None = None
    novelty: float | None = None
    diversity: float | None = None
    pulled: float | None = None
    recommended: float | None = None

    @classmethod
    def of(cls, figures: Sequence[float]) -> Figures:
        """From figures in the order of `metrics.NAMES`, NaN where unscored."""
        return cls(*(None if math.isnan(one) else one for one in figures))


class Pick(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One recommended item as the answer wrote it, and what it came to: an item's id, or `found`:
    `unknown` or `ambiguous`. `named`: the request itself names it, so it counts neither way."""

    text: str
    item_id: str | None = None
    found: str = "known"
    named: bool = False


class RecBenchScore(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="recbench"
):
    """The scores of one trial. None means unscored, never zero.

    `success`: something is recommended and all of it fits: of a condition query every item meets
    all true conditions, of a profile query every item is on the group's full list. None where that
    is unscored. `figures` with K free, `at_five` with the answer's first five items. `picks` in
    the answer's order, each item once. `refused`: it says that it will not or cannot recommend.
    """

    success: bool | None
    ending: Ending
    failure: Failure | None
    figures: Figures
    at_five: Figures
    picks: tuple[Pick, ...]
    refused: bool
    turns: int
    calls: int
    tool_errors: int

    @property
    def headline(self) -> float | None:
        """The figure that a list of trials shows: of a condition query CMR, of a profile query the
        precision against the full list, 0 where nothing was recommended."""
        figures = self.figures
        cmr = figures.cmr_with_empty
        return figures.precision_all_with_empty if cmr is None else cmr

    @property
    def answer(self) -> str:
        """What was recommended, in a line; empty where nothing was."""
        return ", ".join(pick.item_id or pick.text for pick in self.picks)
