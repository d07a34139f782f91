"""One seed a run, trial and purpose: what is in flight beside a trial makes no difference to it."""

from __future__ import annotations

import asyncio
import random
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.engine import RunFolder, RunPlan, sweep

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.model import GenerateConfig, ModelAPI, ModelOutput, modelapi

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of
from .provider import called, said

ASKS = ("Which genre?", "Which country?", "Which language?", "Any release years?")


@modelapi(name="dice")
def dice() -> type[ModelAPI]:
    class Dice(ModelAPI):
        """Does as its seed and its own first words have it, after a pause that nobody foresees."""

        async def generate(
            self, input: list[Any], tools: list[Any], tool_choice: Any, config: GenerateConfig
        ) -> ModelOutput:
            del tool_choice
            await asyncio.sleep(random.SystemRandom().uniform(0, 0.003))
            assert config.seed is not None
            drawn = random.Random(f"{config.seed} {len(input)}")
            if not tools:
                return said(f"Something nice, please; say {drawn.randrange(10**6)}.")
            if len(input) > 5:
                return called("recommend", {"item_id": None}, len(input))
            if drawn.random() < 0.4:
                year = drawn.randrange(1930, 2000)
                return called("search", {"year_min": year}, len(input))
            return said(drawn.choice(ASKS))

    return Dice


def play(plan: RunPlan, path: Path, in_flight: int) -> RunFolder:
    folder, seen = RunFolder(path), list[int]()
    model = open_model(plan)
    run_lasting(
        plan, folder, casting_of(plan, model), model=model,
        bounds=Bounds(max_samples=in_flight), in_flight=seen.append,
    )  # fmt: skip
    assert seen == [in_flight]
    return folder


def test_model_agents_and_users_play_the_same_one_by_one_and_sixteen_at_a_time(
    task_file: str, tmp_path: Path
) -> None:
    plan = plan_of(task_file, agent="model:dice/agent", user="model:dice/user", trials=2, seed=3)
    one, many = play(plan, tmp_path / "1", 1), play(plan, tmp_path / "16", 16)
    assert one.trials_file.read_bytes() == many.trials_file.read_bytes()
    said_by_key = {trial.key: trial.transcript for trial in one.trials()}
    assert len({msgspec.json.encode(transcript) for transcript in said_by_key.values()}) == 18
    another = msgspec.structs.replace(plan, seed=4, tasks=plan.tasks[:2])
    other = play(another, tmp_path / "other", 4)
    assert all(trial.transcript != said_by_key[trial.key] for trial in other.trials())


def test_the_sweep_plays_the_same_with_one_worker_and_with_sixteen(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch a trial, so that each of the sixteen has some."""
    plan = plan_of(task_file, agent="popularity", trials=2)
    one, many = RunFolder(tmp_path / "1"), RunFolder(tmp_path / "16")
    sweep(plan, one, workers=1)
    monkeypatch.setattr(import_module("mystery_shopper.engine.sweep"), "CHUNK", 1)
    sweep(plan, many, workers=16)
    assert one.trials_file.read_bytes() == many.trials_file.read_bytes()
