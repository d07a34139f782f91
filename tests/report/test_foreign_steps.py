"""The page shows the calls of an agent's own tools as it reported them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from mystery_shopper.dialogue import (
    AgentSaid,
    Ended,
    Ending,
    ForeignCall,
    ForeignTools,
    Transcript,
    UserSaid,
)
from mystery_shopper.report.browse import record
from mystery_shopper.report.steps import Results

from ..engine.helpers import plan_of, some_trials, write_tasks


def test_own_tools_are_shown(tmp_path: Path) -> None:
    [trial] = some_trials(plan_of(write_tasks(tmp_path), agent="null"), 1)
    events = (
        UserSaid("Hello."),
        ForeignTools(),
        ForeignCall("sql", {"q": 1}, "two rows"),
        ForeignCall("log"),
        ForeignCall("x" * 9, "y" * 9_999, [1]),
        AgentSaid("Hm."),
        Ended(Ending.FINISHED),
    )
    results = Results()
    shown = record(
        msgspec.structs.replace(trial, transcript=Transcript(events)), None, results
    ).steps
    assert [step.kind for step in shown] == [
        "user",
        "stage",
        "call",
        "call",
        "call",
        "agent",
        "ended",
    ]
    assert [step.turn for step in shown] == [0, 1, 1, 1, 1, 1, 1]
    sql, log, long = shown[2:5]
    assert (sql.name, sql.arguments) == ("sql", '{"q":1}')
    assert results.by_hash[sql.result].text == "two rows"
    assert (log.arguments, log.result) == ("null", "")
    assert (len(long.arguments), long.full) == (2_000, 10_001)
    assert results.by_hash[long.result].text == "[1]"
