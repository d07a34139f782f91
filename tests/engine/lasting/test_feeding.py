"""Samples that are handed to Inspect a few at a time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

import inspect_ai
from inspect_ai import Task
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log, read_eval_log_samples
from inspect_ai.solver import Generate, Solver, TaskState, solver

from mystery_shopper.engine import RunFolder
from mystery_shopper.engine.lasting import feeding
from mystery_shopper.engine.lasting.feeding import WAITING, Feed
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks

needs_sources = pytest.mark.skipif(
    not hasattr(inspect_ai, "SampleSource"), reason="this Inspect takes no source of samples"
)
FLIGHT = 7


class Seen:
    """What was made, what began and ended, and how many had been made and not ended at most."""

    def __init__(self, count: int) -> None:
        self.count, self.made, self.most = count, 0, 0
        self.began: list[str] = []
        self.ready: list[int] = []
        self.ended = 0
        self.feed = Feed(self.samples(), ready=lambda: self.ready.append(self.made))

    def samples(self) -> Iterator[Sample]:
        for number in range(self.count):
            self.made += 1
            self.most = max(self.most, self.made - self.ended)
            yield Sample(id=f"{number}", input="")


@solver
def plays(seen: Seen, fails: bool, closes: int) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        seen.began.append(str(state.sample_id))
        seen.ended += 1
        if fails:
            raise RuntimeError("failed before the next was asked for")
        if len(seen.began) >= closes:
            seen.feed.close()
        seen.feed.one_began()
        return state

    return solve


def play(seen: Seen, place: Path, *, fails: bool = False, closes: int = 10**9) -> EvalLog:
    (log,) = inspect_eval(
        Task(dataset=seen.feed.dataset(), solver=plays(seen, fails, closes)),
        model=None,
        display="none",
        log_dir=str(place),
        max_samples=FLIGHT,
        fail_on_error=False,
        log_realtime=False,
    )
    assert log.status == "success"
    return log


@needs_sources
@pytest.mark.parametrize("count", [1, WAITING, WAITING + 1, 150])
def test_each_plays_once_and_few_wait(count: int, tmp_path: Path) -> None:
    seen = Seen(count)
    play(seen, tmp_path)
    assert sorted(map(int, seen.began)) == list(range(count))
    assert seen.most <= WAITING + FLIGHT
    assert seen.ready == [0]


@needs_sources
def test_samples_that_fail_before_they_ask_for_the_next_stop_nothing(tmp_path: Path) -> None:
    seen = Seen(3 * WAITING + 1)
    play(seen, tmp_path, fails=True)
    assert sorted(map(int, seen.began)) == list(range(3 * WAITING + 1))


@needs_sources
def test_a_feed_that_was_closed_ends_the_run_with_those_that_wait(tmp_path: Path) -> None:
    seen = Seen(500)
    play(seen, tmp_path, closes=10)
    assert 10 <= len(seen.began) <= 10 + WAITING + FLIGHT


def test_an_inspect_without_sources_gets_all_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "_TAKES_A_SOURCE", False)
    seen = Seen(50)
    dataset = seen.feed.dataset()
    assert isinstance(dataset, list)
    assert [sample.id for sample in dataset] == [f"{number}" for number in range(50)]
    seen.feed.one_began()
    assert seen.made == 50


def test_the_log_of_a_run_names_all_its_samples(tmp_path: Path) -> None:
    plan = plan_of(write_tasks(tmp_path), agent="model:scripted/shopkeeper")
    plan = msgspec.structs.replace(plan, trials=2 * WAITING)
    model = open_model(plan)
    run_lasting(plan, RunFolder(tmp_path / "run"), casting_of(plan, model), model=model)
    (found,) = list_eval_logs(str(tmp_path / "run" / "logs"))
    head = read_eval_log(found, header_only=True)
    keys = sorted(planned.key for planned in plan.planned())
    assert head.eval.dataset.samples == len(keys) > WAITING
    assert sorted(map(str, head.eval.dataset.sample_ids or [])) == keys
    assert sorted(str(sample.id) for sample in read_eval_log_samples(found)) == keys


@needs_sources
def test_a_log_that_cannot_be_read_or_is_gone_is_no_error(tmp_path: Path) -> None:
    seen = Seen(1)
    log = Path(play(seen, tmp_path).location)
    log.write_bytes(b"PK\x03\x04 cut off")
    seen.feed.name_all(tmp_path)
    assert log.read_bytes() == b"PK\x03\x04 cut off"
    log.unlink()
    seen.feed.name_all(tmp_path)
    assert not list(tmp_path.rglob("*.eval"))
