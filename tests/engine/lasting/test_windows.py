"""A conversation too long for a server of one's own: each says it in its own words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mystery_shopper.dialogue import Ending, Fault
from mystery_shopper.engine import RunFolder

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.lasting.windows import is_overflow

from ..helpers import plan_of, write_tasks
from .provider import POLICIES


class Refused(Exception):
    """As a client raises it."""

    def __init__(self, text: str, status_code: int | None) -> None:
        super().__init__(text)
        self.status_code = status_code


SAID = [
    "request (9031 tokens) exceeds the available context size (8192 tokens), try increasing it",
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096",
    "`inputs` tokens + `max_new_tokens` must be <= 2048: input length 3000 exceeds it",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "Please reduce the length of the messages or completion.",
    "Input is too long for requested model: too many tokens",
]


@pytest.mark.parametrize("text", SAID)
def test_the_words_of_servers(text: str) -> None:
    assert is_overflow(Refused(text, 400))
    wrapped = RuntimeError("the call failed")
    wrapped.__cause__ = Refused(text, 422)
    assert is_overflow(wrapped)
    assert not is_overflow(Refused(text, 429))
    assert not is_overflow(Refused(text, 503))


@pytest.mark.parametrize(
    "text",
    ["Rate limit reached for tokens per min", "invalid key", "the model 'x' does not exist",
     "max_tokens must be at least 1"],
)  # fmt: skip
def test_other_refusals(text: str) -> None:
    assert not is_overflow(Refused(text, 400))


def test_it_is_the_agents_and_is_not_played_again(tmp_path: Path) -> None:
    asked: list[int] = []

    def policy(*_: Any) -> Any:
        asked.append(1)
        raise Refused(SAID[0], 400)

    POLICIES["full"] = policy
    plan = plan_of(write_tasks(tmp_path), agent="model:scripted/full", conditions=("mixed",))
    folder = RunFolder(tmp_path / "run")
    run_lasting(plan, folder, casting_of(plan, open_model(plan)))
    trials = list(folder.trials())
    assert {trial.score.ending for trial in trials} == {Ending.OVERFLOW}
    assert {trial.fault for trial in trials} == {Fault.AGENT}
    assert len(asked) == len(trials) == 3
