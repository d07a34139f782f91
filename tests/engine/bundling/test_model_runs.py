"""A run with models on both sides, through Inspect and a scripted provider: what answered is
recorded, and the bundle replays without either."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.bundling import Wanted, bundle, verify
from mystery_shopper.engine.plan import UserOptions

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.model import ModelOutput

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of
from ..lasting.provider import POLICIES
from ..lasting.test_user import honest


def test_the_ids_that_answered_pin_an_alias(task_file: str, tmp_path: Path) -> None:
    def dated(*given: object) -> ModelOutput:
        output: ModelOutput = honest(*given)  # pyright: ignore[reportArgumentType]
        output.model = "customer-2026-02-03"
        return output

    POLICIES["customer"] = dated
    plan = plan_of(task_file, agent="model:scripted/shopkeeper", user="model:scripted/customer",
                   user_options=UserOptions(), only=["f001-mixed", "f003-hidden"])  # fmt: skip
    model, folder = open_model(plan), RunFolder(tmp_path / "run")
    run_lasting(plan, folder, casting_of(plan, model), model=model, bounds=Bounds())
    timing = next(folder.timings())
    assert set(timing.usage["user"].answered) == {"customer-2026-02-03"}
    assert timing.usage["user"].answered["customer-2026-02-03"] == timing.usage["user"].calls
    made = bundle([folder], tmp_path / "x.zip")
    agent, user = made.models[0].models
    assert (user.name, user.by) == ("scripted/customer", "the id that answered")
    assert (agent.name, agent.by, set(agent.answered)) == ("scripted/shopkeeper", "", {"scripted"})
    found = verify(tmp_path / "x.zip")
    (problem,) = found.problems.found  # The trials hold; the agent's model is an alias.
    assert problem.field == "runs.run.agent"
    assert "answered by scripted is a floating name" in problem.text
    weights = tmp_path / "w.gguf"
    weights.write_bytes(b"GGUF")
    bundle([folder], tmp_path / "y.zip", Wanted(redact=True, weights={"agent": weights}))
    again = verify(tmp_path / "y.zip")
    assert [str(one) for one in again.problems.found] == []
    assert again.runs[0].trials == 2
    used = msgspec.to_builtins(timing.usage["user"])
    assert used["answered"] == {"customer-2026-02-03": timing.usage["user"].calls}
