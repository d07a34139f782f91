"""From a trial of recbench to its row."""

from __future__ import annotations

from typing import Any

from mystery_shopper.engine.journal import Timing
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.tabular.making import measured, place_of, told_of
from mystery_shopper.engine.tabular.requestrows import RequestRow
from mystery_shopper.engine.trial import Trial
from mystery_shopper.suites.recbench.metrics import NAMES

AT_FIVE = "_at_5"
NAMED = "named"


def request_row(run: str, plan: RunPlan, trial: Trial, timing: Timing | None) -> RequestRow:
    """The trial's row; without a timing, what it would tell is null."""
    score = trial.requested
    figures: dict[str, Any] = {name: getattr(score.figures, name) for name in NAMES}
    figures |= {f"{name}{AT_FIVE}": getattr(score.at_five, name) for name in NAMES}
    return RequestRow(
        **place_of(run, trial),
        **told_of(plan, trial),
        **figures,
        **measured(timing, ("agent",)),
        conditions=trial.tier or None,
        history=plan.history,
        k=plan.k,
        success=score.success,
        picks=tuple(pick.text for pick in score.picks),
        pick_items=tuple(pick.item_id or "" for pick in score.picks),
        pick_kinds=tuple(NAMED if pick.named else pick.found for pick in score.picks),
        refused=score.refused,
        turns=score.turns,
        calls=score.calls,
        tool_errors=score.tool_errors,
    )
