"""What a trial record, and the usage beside it, may say."""

from __future__ import annotations

import msgspec
import pytest

from mystery_shopper.dialogue import AgentSaid, Ended, Ending, Transcript
from mystery_shopper.engine.trial import MOST, Trial, decode_trial, encode_trial
from mystery_shopper.engine.usage import Usage
from mystery_shopper.suites.tau_rec.score import Checks, Outcome, TauRecScore

SCORE = TauRecScore(
    success=False,
    ending=Ending.TURN_CAP,
    failure=None,
    checks=Checks(*[Outcome.UNSCORED] * 5),
    meets=None,
    elicited=None,
    askable=0,
    elicited_facts=0,
    questions=0,
    not_understood=0,
    turns=20,
    calls=0,
    tool_errors=0,
    proposals=0,
    rejections=0,
    accepted=False,
    untested=None,
    before_proposals=None,
    after_decline=None,
    unsearched=None,
    untagged=0,
    recommended=None,
    rank=None,
)
TRIAL = Trial(
    schema=1,
    task="f001-mixed",
    family="f001",
    condition="mixed",
    tier="simple",
    template=("genre",),
    satisfiable=True,
    number=0,
    agent="null",
    user="rule-based",
    seed=2**64 - 1,
    canary="",
    attempts=1,
    fault=None,
    score=SCORE,
    transcript=Transcript((AgentSaid("Hello", 3), Ended(Ending.TURN_CAP))),
)


def test_a_record_comes_back() -> None:
    assert decode_trial(encode_trial(TRIAL)) == TRIAL
    largest = encode_trial(TRIAL).replace(b'"turns":20', b'"turns":%d' % MOST)
    assert decode_trial(largest).score.turns == MOST


@pytest.mark.parametrize(
    ("then", "now", "told"),
    [
        (b'"turns":20', b'"turns":1' + b"0" * 400, "turns is no count"),
        (b'"turns":20', b'"turns":-1', "turns is no count"),
        (b'"rank":null', b'"rank":%d' % (MOST + 1), "rank is no count"),
        (b'"number":0', b'"number":-1', "number is no count"),
        (b'"attempts":1', b'"attempts":1' + b"0" * 30, "attempts is no count"),
        (b'"cut":3', b'"cut":-3', "cut is no count"),
        (b'"seed":18446744073709551615', b'"seed":18446744073709551616', "seed is no number"),
    ],
)
def test_a_number_that_no_table_can_hold_is_refused(then: bytes, now: bytes, told: str) -> None:
    record = encode_trial(TRIAL)
    assert then in record
    with pytest.raises(msgspec.ValidationError, match=told):
        decode_trial(record.replace(then, now))


@pytest.mark.parametrize(
    "text",
    [
        b'{"calls":-1}',
        b'{"input":1' + b"0" * 30 + b"}",
        b'{"answered":{"m":-1}}',
        b'{"cost":-0.5}',
        b'{"cost":1e300}',
    ],
)
def test_usage_is_counted_from_nothing(text: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(text, type=Usage)


def test_an_unknown_cost_is_no_fault() -> None:
    assert msgspec.json.decode(b'{"calls":2,"cost":null}', type=Usage) == Usage(2, cost=None)
