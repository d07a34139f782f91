"""What a recommended title is to the query that was asked."""

from __future__ import annotations

from enum import StrEnum

from mystery_shopper.suites.recbench.query import Query
from mystery_shopper.suites.recbench.score import Pick


class Fit(StrEnum):
    """`named`: the request itself names it. `untold`: the query is not known. `own`: in the user's
    own group, or of a profile in the subset that its reason speaks of. `matching`: right beside
    those. `off`: neither."""

    UNKNOWN = "unknown"
    AMBIGUOUS = "ambiguous"
    NAMED = "named"
    UNTOLD = "untold"
    OWN = "own"
    MATCHING = "matching"
    OFF = "off"

    @property
    def good(self) -> bool | None:
        """Whether it is right; None where it counts neither way or nobody can tell."""
        if self in (Fit.NAMED, Fit.UNTOLD):
            return None
        return self in (Fit.OWN, Fit.MATCHING)


def fit_of(pick: Pick, query: Query | None) -> Fit:
    """What a title of an answer is to the query."""
    if pick.item_id is None:
        return Fit.AMBIGUOUS if pick.found == "ambiguous" else Fit.UNKNOWN
    if pick.named:
        return Fit.NAMED
    if query is None:
        return Fit.UNTOLD
    if pick.item_id in query.own:
        return Fit.OWN
    return Fit.MATCHING if pick.item_id in query.matching else Fit.OFF
