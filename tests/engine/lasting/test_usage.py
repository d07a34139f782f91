"""Who used what: each token in one count, whatever the provider counts as input; a judge too."""

from __future__ import annotations

from pathlib import Path

import pytest

from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.usage import Usage, by_party, dollars, told

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.model import ModelUsage
from inspect_ai.model import model_output_from_openai as from_openai

from mystery_shopper.engine.casting import cast
from mystery_shopper.engine.lasting.client import usage_of
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.lasting.stage import TrialCast

from ..helpers import plan_of


def test_cached_tokens_are_counted_once_where_the_provider_counts_them_as_input() -> None:
    """OpenAI's prompt tokens hold the cached ones: 100 are 60 in full and 40 cached."""
    openai = pytest.importorskip("openai", reason="its types are what Inspect reads")
    answer = openai.types.chat.ChatCompletion.model_validate(
        {
            "id": "1", "created": 0, "model": "m", "object": "chat.completion",
            "choices": [{"finish_reason": "stop", "index": 0,
                         "message": {"role": "assistant", "content": "hi"}}],
            "usage": {"prompt_tokens": 100, "completion_tokens": 7, "total_tokens": 107,
                      "prompt_tokens_details": {"cached_tokens": 40}},
        }
    )  # fmt: skip
    import asyncio

    output = asyncio.run(from_openai(answer))
    used = usage_of(output.usage)
    assert (used.input, used.cached, used.output, used.tokens) == (60, 40, 7, 107)


def test_and_where_it_counts_them_apart() -> None:
    """Anthropic tells what was read from and written to the cache beside the input."""
    usage = ModelUsage(
        input_tokens=20, output_tokens=7, total_tokens=77,
        input_tokens_cache_read=40, input_tokens_cache_write=10,
    )  # fmt: skip
    used = usage_of(usage)
    assert (used.input, used.cached, used.output, used.tokens) == (30, 40, 7, 77)


def test_no_usage_is_an_unknown_price() -> None:
    assert usage_of(None) == Usage(calls=1, cost=None)


def test_parties_are_told_in_order_and_only_those_that_were_there() -> None:
    one = {"judge": Usage(1, 10, 0, 2, 0.25), "agent": Usage(2, 20, 4, 3, None)}
    total = by_party([one, one])
    assert list(total) == ["agent", "judge"]
    assert list(told(total)) == [
        "agent: 4 model calls; tokens: 40 input, 8 cached, 6 output; price unknown",
        "judge: 2 model calls; tokens: 20 input, 0 cached, 4 output; $0.5",
    ]
    assert list(told(by_party([{}]))) == []
    assert [dollars(v) for v in (0.0, 0.00123456, 1234.5)] == ["$0", "$0.00123", "$1,234.50"]


class _Judge:
    usage = Usage(3, 30, 5, 9, 0.5)


def test_a_judges_usage_is_kept_apart_from_the_agents(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="null", only=["f001-mixed"])
    folder = RunFolder(tmp_path / "run")
    run_lasting(plan, folder, lambda *_: TrialCast(cast("null"), {"judge": [_Judge()]}))
    [timing] = folder.timings()
    assert timing.usage == {"judge": _Judge.usage}
