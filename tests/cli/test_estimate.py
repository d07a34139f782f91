"""`run --estimate` as a person types it, for both engines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mystery_shopper.cli.amounts import duration

from .conftest import Shop


def test_an_agent_that_plays_here_takes_time_only(command: Shop) -> None:
    run = ("run", "tau_rec", "--agent", "null", "--workers", 1, "--out")
    code, out, _ = command(*run, "sampled", "--estimate", 12)
    assert code == 0
    assert "12 of 450 trials are done" in out
    assert "none: no model takes part" in out
    assert re.search(r"time +[\d.]+ \w+ \([\d.]+ \w+ to [\d.]+ \w+\)", out)
    assert "The same command without --estimate plays the rest" in out
    assert "$" not in out
    assert command(*run, "sampled")[0] == 0
    assert command(*run, "whole")[0] == 0
    sampled, whole = (Path(name) / "trials.jsonl" for name in ("sampled", "whole"))
    assert sampled.read_bytes() == whole.read_bytes()


def test_a_model_takes_tokens_money_and_time(command: Shop) -> None:
    pytest.importorskip("inspect_ai", reason="needs the extra [models]")
    from inspect_ai.model import ModelAPI, ModelOutput, ModelUsage, modelapi

    calls: list[int] = []

    @modelapi(name="counted")
    def counted() -> type[ModelAPI]:
        class Counted(ModelAPI):
            async def generate(self, *_: object, **__: object) -> ModelOutput:
                calls.append(1)
                output = ModelOutput.for_tool_call(
                    "m", "recommend", {"item_id": None}, tool_call_id="c1"
                )
                output.usage = ModelUsage(
                    input_tokens=100, output_tokens=10, total_tokens=150, input_tokens_cache_read=40
                )
                return output

        return Counted

    assert counted
    tasks = [part for n in (1, 2, 4) for part in ("--task", f"f{n:03}-mixed")]
    run = ("run", "tau_rec", "--agent", "model:counted/a", *tasks, "--trials", 8)
    code, out, _ = command(*run, "--estimate", 12, "--max-samples", 6, "--out", "sampled")
    assert (code, len(calls)) == (0, 12)
    assert "12 of 24 trials are done" in out
    rows = [line.split() for line in out.splitlines()]
    assert ["agent", "input", "2,400"] in rows
    assert ["cached", "960"] in rows
    assert ["output", "240"] in rows
    assert "money   unknown: no price is known" in out
    assert "24 trials x seconds a trial / 6 at a time" in out
    # Once more: nothing is left to be played for it.
    assert command(*run, "--estimate", 12, "--max-samples", 6, "--out", "sampled")[0] == 0
    assert len(calls) == 12
    Path("prices.yaml").write_text(
        "counted/a: {input: 10, output: 100, input_cache_read: 1}", encoding="utf-8"
    )
    code, out, _ = command(*run, "--prices", "prices.yaml", "--estimate", 12, "--out", "priced")
    assert re.search(r"money +\$0\.049\b", out)  # 24 x (100 x 10 + 40 x 1 + 10 x 100) / 10^6
    code, out, _ = command(*run, "--prices", "prices.yaml", "--out", "sampled")
    assert (code, len(calls)) == (0, 36)
    told = "agent: 24 model calls; tokens: 2,400 input, 960 cached, 240 output; price unknown"
    assert told in out
    command(*run, "--max-samples", 1, "--out", "whole")
    sampled, whole = (Path(name) / "trials.jsonl" for name in ("sampled", "whole"))
    assert sampled.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.0123, "0.012 s"), (9.96, "1e+01 s"), (61, "61 s"), (600, "10 min"), (7500, "2 h 05 min")],
)
def test_durations(seconds: float, told: str) -> None:
    assert duration(seconds) == told.replace("1e+01", "10")


def test_an_estimate_of_nothing_is_refused(command: Shop) -> None:
    assert command("run", "tau_rec", "--agent", "null", "--estimate", 0, "--out", "x")[0] == 2
