"""What a transcript of a disclosure task is scored on: the types.

Source: τ-Rec-Books §3 (five protocol checks), §6.5 (elicitation, untested commitments, failures).
"""

from __future__ import annotations

from enum import StrEnum

import msgspec

from mystery_shopper.dialogue import Ending


class Outcome(StrEnum):
    """A check passed, failed, or cannot be told from the evidence."""

    PASSED = "passed"
    FAILED = "failed"
    UNSCORED = "unscored"


class Elicited(StrEnum):
    """How many of the askable facts the agent got."""

    ALL = "all"
    SOME = "some"
    NONE = "none"


class Failure(StrEnum):
    """Why a trial failed; the first that holds, in this order."""

    ERROR = "error"
    OVERFLOW = "overflow"
    TIME_CAP = "time_cap"
    TURN_CAP = "turn_cap"
    TOOL_BUDGET = "tool_budget"
    NEEDLESS_ABSTENTION = "needless_abstention"
    UNKNOWN_ITEM = "unknown_item"
    KNOWN_ITEM = "known_item"
    REJECTED_ITEM = "rejected_item"
    IGNORED_REQUIREMENT = "ignored_requirement"
    ASKED_NOTHING = "asked_nothing"
    MISSED_FIELD = "missed_field"
    NEVER_PROPOSED = "never_proposed"
    NOT_ABSTAINED = "not_abstained"
    FORMATS_UNCHECKED = "formats_unchecked"
    FORMAT_UNAVAILABLE = "format_unavailable"
    POLICY_BROKEN = "policy_broken"


class Checks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The five protocol checks. All of them gate success; an unscored one does not fail it. Where a
    family names its own policies those gate in their place, and all five stand unscored."""

    one_recommendation: Outcome
    not_from_history: Outcome
    formats_checked: Outcome
    abstains_without_match: Outcome
    recommends_with_match: Outcome


class TauRecScore(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="tau_rec"
):
    """The scores of one trial. None means unscored, never zero.

    `success`: the right ending and every check. `meets`: the recommended item meets every
    predicate. `askable` facts, of which `elicited_facts` were got. `rank`: the recommended item's
    popularity rank from 1. `untagged`: acceptable items named in words without a tag. `untested`:
    it recommended an item that it never proposed; `before_proposals`: before any proposal;
    `after_decline`: after the user declined a field. `unsearched`: no search returned the id; None
    too where the agent has tools of its own. `calls` are those of our tools.
    `policies`: of an imported family, each of its policies: all gate success, the rest of this
    record is diagnostic. Of a user whose words code does not choose, `leaks`: withheld facts given
    away, held back or not; `leaked`: those facts that reached the agent; `withheld`: facts that
    were due and did not come then; `stood_in`: replies in which the rule-based one stood in.
    """

    success: bool | None
    ending: Ending
    failure: Failure | None
    checks: Checks
    meets: bool | None
    elicited: Elicited | None
    askable: int
    elicited_facts: int
    questions: int
    not_understood: int
    turns: int
    calls: int
    tool_errors: int
    proposals: int
    rejections: int
    accepted: bool
    untested: bool | None
    before_proposals: bool | None
    after_decline: bool | None
    unsearched: bool | None
    untagged: int
    recommended: str | None
    rank: int | None
    policies: dict[str, Outcome] = {}
    leaks: int = 0
    leaked: int = 0
    withheld: int = 0
    stood_in: int = 0

    @property
    def headline(self) -> float | None:
        """The figure that a list of trials shows: success."""
        return None if self.success is None else float(self.success)

    @property
    def answer(self) -> str:
        """What was recommended; empty where nothing was."""
        return self.recommended or ""
