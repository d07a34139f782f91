"""What keeps the event loop from being held up, part by part."""

from __future__ import annotations

import asyncio
import gc
import weakref
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.dialogue.models import ChatMessage
from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.plan import ModelOptions

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.solver import TaskState

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.calm import (
    Sweeper,
    Turnstile,
    let_go_of_timers,
    little_to_collect,
)
from mystery_shopper.engine.lasting.client import InspectModel
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import MOST_BUFFERED, buffered, run_lasting

from ..helpers import plan_of, write_tasks
from .provider import POLICIES, said


def test_one_passes_in_each_turn_of_the_loop_in_the_order_of_arrival() -> None:
    turn = Turnstile()
    passed: list[tuple[int, int]] = []

    async def walk() -> None:
        turns = 0

        async def count() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        async def pass_through(number: int) -> None:
            await turn()
            passed.append((turns, number))

        counting = asyncio.create_task(count())
        await asyncio.gather(*(pass_through(number) for number in range(50)))
        counting.cancel()

    for _ in range(2):  # Another loop is another queue.
        passed.clear()
        asyncio.run(walk())
        assert [number for _, number in passed] == list(range(50))
        assert len({at for at, _ in passed}) == 50


def test_a_task_that_is_cancelled_in_the_queue_lets_the_next_one_through() -> None:
    turn = Turnstile()

    async def walk() -> list[bool]:
        tasks = [asyncio.create_task(turn()) for _ in range(4)]
        await asyncio.sleep(0)
        tasks[0].cancel()
        tasks[2].cancel()
        await asyncio.wait(tasks, timeout=5)
        return [task.cancelled() for task in tasks if task.done()]

    assert asyncio.run(walk()) == [True, False, True, False]


def test_what_is_alive_is_set_aside_for_the_block_alone() -> None:
    gc.unfreeze()

    def fail() -> None:
        with little_to_collect():
            assert gc.get_freeze_count() > 10_000
            raise ValueError("whatever")

    with pytest.raises(ValueError, match="whatever"):
        fail()
    assert gc.get_freeze_count() == 0


class Knot:
    """Garbage that only the collector can clear away."""

    def __init__(self) -> None:
        self.itself = self


def test_what_was_left_is_cleared_away_after_so_many_steps() -> None:
    sweeper = Sweeper(3)
    loop = asyncio.new_event_loop()
    gc.collect()
    gc.disable()
    try:
        left = weakref.ref(Knot())
        for _ in range(9):  # Where nothing is at work, all is left to Python.
            sweeper.step(loop)
        assert left() is not None
        with sweeper.at_work():
            sweeper.step(loop)
            sweeper.step(loop)
            assert left() is not None
            sweeper.step(loop)
            assert left() is None
            sweeper.step(loop)
            sweeper.step(loop)
            gc.collect()  # Somebody else did it: it is counted anew.
            left = weakref.ref(Knot())
            sweeper.step(loop)
            sweeper.step(loop)
            assert left() is not None
            sweeper.step(loop)
            assert left() is None
        left = weakref.ref(Knot())
        for _ in range(9):
            sweeper.step(loop)
        assert left() is not None
    finally:
        gc.enable()
        loop.close()


def test_a_timer_that_was_cancelled_no_longer_keeps_what_its_trial_held() -> None:
    held: ContextVar[Knot] = ContextVar("held")

    async def trial() -> weakref.ref[Knot]:
        knot = Knot()
        held.set(knot)
        asyncio.get_running_loop().call_later(3_600, print).cancel()
        return weakref.ref(knot)

    async def walk() -> tuple[bool, bool]:
        waiting = [asyncio.create_task(asyncio.sleep(60)) for _ in range(300)]
        left = await asyncio.create_task(trial())
        await asyncio.sleep(0)
        gc.collect()
        kept = left() is not None
        let_go_of_timers(asyncio.get_running_loop())
        await asyncio.sleep(0)
        gc.collect()
        gone = left() is None
        for task in waiting:
            task.cancel()
        return kept, gone

    assert asyncio.run(walk()) == (True, True)


def test_nothing_of_a_trial_is_set_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is set aside is never cleared away, and so isn't what it holds."""
    frozen: list[tuple[bool, int]] = []
    freeze = gc.freeze

    def watched() -> None:
        states = sum(isinstance(held, TaskState) for held in gc.get_objects())
        frozen.append((_in_a_loop(), states))
        freeze()

    monkeypatch.setattr(gc, "freeze", watched)
    plan = plan_of(write_tasks(tmp_path), agent="model:scripted/shopkeeper", conditions=("mixed",))
    plan = msgspec.structs.replace(plan, tasks=plan.tasks[:1])
    model = open_model(plan)
    run_lasting(plan, RunFolder(tmp_path / "run"), casting_of(plan, model), model=model)
    # Before Inspect begins, and where it asks for samples, once it has and before the first one.
    assert frozen in ([(False, 0)], [(False, 0), (True, 0)])
    assert gc.get_freeze_count() == 0


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize(
    ("samples", "held"), [(1, None), (999, None), (1_000, 20), (2_500, 50), (100_000, 50)]
)
def test_a_long_run_holds_few_samples_back(samples: int, held: int | None) -> None:
    assert buffered(samples) == held
    assert (buffered(samples) or 0) <= MOST_BUFFERED


def test_a_message_keeps_its_form_from_turn_to_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[list[Any]] = []

    def listen(messages: Any, *_: Any) -> Any:
        heard.append(list(messages))
        return said("Go on.")

    monkeypatch.setitem(POLICIES, "listener", listen)
    model = get_model("scripted/listener", memoize=False, config=GenerateConfig())
    line = InspectModel(model, ModelOptions())
    chat = [ChatMessage("system", "Rules."), ChatMessage("user", "Hello.")]

    async def talk() -> None:
        first = await line.reply(chat)
        chat.append(ChatMessage("assistant", first.text, native=first.native))
        chat.append(ChatMessage("user", "And?"))
        await line.reply(chat)
        # Another conversation in the same line's place is taken as it is.
        await line.reply([chat[0], ChatMessage("user", "Begin again.")])

    asyncio.run(talk())
    one, two, three = heard
    assert [m.text for m in two] == ["Rules.", "Hello.", "Go on.", "And?"]
    assert [m.id for m in two[:2]] == [m.id for m in one]
    assert len({m.id for m in two}) == 4
    assert [m.text for m in three] == ["Rules.", "Begin again."]
    assert three[0].id == one[0].id
    assert three[1].id not in {m.id for m in two}


def test_the_log_holds_each_call_with_its_messages_and_tools(tmp_path: Path) -> None:
    plan = plan_of(write_tasks(tmp_path), agent="model:scripted/shopkeeper", conditions=("mixed",))
    plan = msgspec.structs.replace(plan, tasks=plan.tasks[:1])
    folder = RunFolder(tmp_path / "run")
    model = open_model(plan)
    run_lasting(plan, folder, casting_of(plan, model), model=model, bounds=Bounds())
    [log] = [read_eval_log(info) for info in list_eval_logs(str(folder.path / "logs"))]
    [sample] = log.samples or []
    calls = [event for event in sample.events if event.event == "model"]
    assert len(calls) >= 4
    for earlier, later in pairwise(calls):
        kept = [message.id for message in earlier.input]
        assert [message.id for message in later.input[: len(kept)]] == kept
        assert len(later.input) > len(kept)
        assert [tool.name for tool in later.tools] == [tool.name for tool in earlier.tools]
        assert all(tool.parameters.properties is not None for tool in later.tools)
