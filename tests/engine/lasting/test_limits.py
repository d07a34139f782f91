"""What a trial may take: reaching a limit is how it ends, and is kept; nothing else is lost."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.dialogue import Ending, Fault, Limits
from mystery_shopper.engine import RunFolder, RunPlan
from mystery_shopper.engine.plan import TrialLimits
from mystery_shopper.engine.replay import replay
from mystery_shopper.foundation import InputError, RunStopped

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.model import GenerateConfig, ModelAPI, ModelUsage, modelapi

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.prices import check_price, set_prices
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.lasting.stage import TrialCast

from ..helpers import plan_of, write_tasks
from . import provider
from .provider import said


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("limits"))


class _Seen:
    retried = 0


@modelapi(name="awkward")
def awkward() -> type[ModelAPI]:
    class Awkward(ModelAPI):
        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> Any:
            del tool_choice, config
            if "Horror" in input[1].text:
                if self.model_name.startswith("failing"):
                    _Seen.retried += 1
                    raise ConnectionError("nobody answers")
                await asyncio.sleep(30)
            output = provider.shopkeeper(input, tools, GenerateConfig())
            output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
            return output

        def should_retry(self, ex: BaseException) -> bool:
            return isinstance(ex, ConnectionError)

        def retry_wait(self) -> Any:
            from tenacity import wait_fixed

            return wait_fixed(0.01)

    return Awkward


def play(plan: RunPlan, path: Path, limits: Limits | None = None, **bounds: Any) -> RunFolder:
    folder = RunFolder(path)
    model = open_model(plan)
    run_lasting(
        plan, folder, casting_of(plan, model), model=model, bounds=Bounds(**bounds), limits=limits
    )
    return folder


def test_an_agent_out_of_time_ends_its_trial_and_no_resume_plays_it_again(
    task_file: str, tmp_path: Path
) -> None:
    plan = plan_of(
        task_file, agent="model:awkward/some", conditions=["mixed"], limits=TrialLimits(seconds=1)
    )
    folder = play(plan, tmp_path / "run")
    kept = folder.trials_file.read_bytes()
    endings = {trial.family: trial.transcript.ended for trial in folder.trials()}
    assert len(endings) == 3
    late = endings["f001"]
    assert late is not None
    assert (late.kind, late.fault) == (Ending.TIME_CAP, Fault.AGENT)
    assert all(e and e.kind is not Ending.TIME_CAP for f, e in endings.items() if f != "f001")
    [trial] = [trial for trial in folder.trials() if trial.family == "f001"]
    assert trial.score.success is False
    assert not trial.excluded
    assert replay(folder).difference is None
    play(plan, tmp_path / "run")
    assert folder.trials_file.read_bytes() == kept


def test_time_that_a_failing_provider_took_is_not_the_agents(
    task_file: str, tmp_path: Path
) -> None:
    """Inspect tries a provider that is away again without end."""
    _Seen.retried = 0
    plan = plan_of(
        task_file,
        agent="model:awkward/failing",
        only=["f001-mixed", "f001-hidden", "f002-mixed"],
    )
    folder = play(plan, tmp_path / "run", Limits(seconds=0.3), max_samples=1)
    faults = {trial.task: trial.fault for trial in folder.trials()}
    assert faults == {
        "f001-mixed": Fault.INFRASTRUCTURE,
        "f001-hidden": Fault.INFRASTRUCTURE,
        "f002-mixed": None,
    }
    assert _Seen.retried > 6
    [trial] = [trial for trial in folder.trials() if trial.task == "f001-mixed"]
    assert "nobody answers" in str(trial.transcript.ended)


def test_a_provider_that_fails_for_ever_ends_the_run(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="model:awkward/failing", only=["f001-mixed"], trials=8)
    with pytest.raises(RunStopped, match="nobody answers"):
        play(plan, tmp_path / "run", Limits(seconds=0.3), max_samples=8)
    assert list(RunFolder(tmp_path / "run").trials()) == []


def test_used_up_tokens_end_the_trial(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="model:scripted/shopkeeper")
    free = play(plan, tmp_path / "free")
    needed = {timing.trial: timing.usage["agent"].tokens for timing in free.timings()}
    limit = sorted(needed.values())[4] + 1
    held = play(msgspec.structs.replace(plan, limits=TrialLimits(tokens=limit)), tmp_path / "held")
    whole = {trial.key: trial for trial in free.trials()}
    over = {key for key, tokens in needed.items() if tokens > limit}
    assert 0 < len(over) < 9
    for trial in held.trials():
        if trial.key not in over:
            assert trial == whole[trial.key]
            continue
        ended = trial.transcript.ended
        assert ended is not None
        assert (ended.kind, ended.fault) == (Ending.ERROR, Fault.AGENT)
        assert f"limit of {limit:,} tokens a trial" in ended.detail
        assert trial.score.success is False
    assert replay(held).difference is None


WORDY = "model:scripted/wordy"


def test_what_the_users_model_takes_is_not_the_agents(task_file: str, tmp_path: Path) -> None:
    provider.POLICIES["wordy"] = lambda *_: said("word " * 2000)
    plan = plan_of(
        task_file,
        agent="model:scripted/shopkeeper",
        user=WORDY,
        only=["f001-volunteer"],
        limits=TrialLimits(tokens=10**6),
    )
    folder = play(plan, tmp_path / "free")
    [timing] = folder.timings()
    bound = timing.usage["agent"].tokens + 1
    assert timing.usage["user"].tokens > bound
    plan = msgspec.structs.replace(plan, limits=TrialLimits(tokens=bound))
    held = play(plan, tmp_path / "held")
    assert held.trials_file.read_bytes() == folder.trials_file.read_bytes()


def priced(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "prices.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_money_is_counted_by_a_persons_prices_and_limited(task_file: str, tmp_path: Path) -> None:
    provider.POLICIES["priced"] = provider.shopkeeper
    plan = plan_of(task_file, agent="model:scripted/priced")
    unknown = play(plan, tmp_path / "unknown")
    assert {timing.usage["agent"].cost for timing in unknown.timings()} == {None}
    dear = msgspec.structs.replace(plan, limits=TrialLimits(cost=1.0))
    with pytest.raises(InputError, match="costs is not known"):
        check_price(dear, open_model(dear))
    set_prices(priced(tmp_path, "scripted/priced: {input: 2, output: 10, input_cache_read: 0.5}"))
    check_price(dear, open_model(dear))
    free = play(plan, tmp_path / "free")
    costs: dict[str, float] = {}
    for timing in free.timings():
        used = timing.usage["agent"]
        costs[timing.trial] = (2 * used.input + 0.5 * used.cached + 10 * used.output) / 1e6
        assert used.cost == pytest.approx(costs[timing.trial])
    limit = sorted(costs.values())[4] * 1.000001
    held = play(msgspec.structs.replace(plan, limits=TrialLimits(cost=limit)), tmp_path / "held")
    over = {key for key, cost in costs.items() if cost > limit}
    assert 0 < len(over) < 9
    found = {t.key for t in held.trials() if "dollars a trial" in str(t.transcript.ended)}
    assert found == over


@pytest.mark.parametrize(
    "text", ["[1]", "m: {input: a}", "m: {input: 1, output: -1}", "m: {in: 1}"]
)
def test_a_file_that_holds_no_prices_is_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no prices"):
        set_prices(priced(tmp_path, text))


def test_an_inspect_agent_is_held_within_one_turn(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It asks its model again and again without an act of which we would know."""
    (tmp_path / "endless_agent.py").write_text(
        "from inspect_ai.agent import agent\nfrom inspect_ai.model import get_model\n"
        "@agent\n"
        "def endless(tools):\n"
        "    async def run(state):\n"
        "        while True:\n"
        "            state.output = await get_model().generate(state.messages)\n"
        "    return run\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    provider.POLICIES["brief"] = lambda *_: said("hm")
    plan = plan_of(
        task_file,
        agent="inspect:endless_agent:endless:scripted/brief",
        only=["f001-mixed"],
        limits=TrialLimits(tokens=3000),
    )
    folder = play(plan, tmp_path / "run")
    [trial] = folder.trials()
    assert "limit of 3,000 tokens" in str(trial.transcript.ended)
    [timing] = folder.timings()
    assert 3000 <= timing.usage["agent"].tokens < 6000


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({"agent": "oracle", "limits": TrialLimits(seconds=3)}, "--time-limit"),
        ({"agent": "http://a", "limits": TrialLimits(tokens=3)}, "--token-limit"),
        ({"agent": "oracle", "limits": TrialLimits(cost=3.0)}, "--cost-limit"),
        ({"agent": "model:x/y", "limits": TrialLimits(cost=0.0)}, "more than 0"),
    ],
)
def test_a_limit_that_cannot_be_held_to_is_refused(
    wishes: dict[str, Any], told: str, task_file: str
) -> None:
    with pytest.raises(InputError, match=told):
        plan_of(task_file, **wishes)


def test_another_limit_is_another_run(task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="model:scripted/shopkeeper", only=["f001-mixed"])
    folder = play(plan, tmp_path / "run")
    other = msgspec.structs.replace(plan, limits=TrialLimits(tokens=5))
    with pytest.raises(InputError, match=r"limits: the folder has none, .* 5 tokens"):
        folder.begin(other)


class _Odd:
    """An agent that throws, or abstains."""

    def __init__(self, error: BaseException | None) -> None:
        self.error = error

    async def act(self, view: Any) -> Any:
        from mystery_shopper.dialogue import CallTools, ToolCall

        del view
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return CallTools((ToolCall("recommend", {"item_id": None}),))


@pytest.mark.parametrize(
    "error",
    [SystemExit(2), asyncio.CancelledError("mine"), RecursionError("deep"), MemoryError()],
    ids=lambda error: type(error).__name__,
)
def test_an_odd_agent_ends_its_own_trial_only(
    error: BaseException, task_file: str, tmp_path: Path
) -> None:
    plan = plan_of(task_file, agent="null")

    def casting(planned: Any, seed: int) -> TrialCast:
        del seed
        return TrialCast(lambda *_: _Odd(error if planned.key == "f002-mixed#0" else None))

    folder = RunFolder(tmp_path / "run")
    assert run_lasting(plan, folder, casting, bounds=Bounds(max_samples=3)) == 9
    faults = {trial.key: trial.fault for trial in folder.trials()}
    assert faults.pop("f002-mixed#0") is Fault.AGENT
    assert set(faults.values()) == {None}
    assert run_lasting(plan, folder, casting) == 0


def test_an_answer_out_of_inspects_cache_costs_nothing(
    task_file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "cache"))
    from mystery_shopper.engine.plan import ModelOptions

    plan = plan_of(
        task_file,
        agent="model:scripted/shopkeeper",
        only=["f001-mixed"],
        model=ModelOptions(cache=True),
    )
    [first] = play(plan, tmp_path / "one").timings()
    [second] = play(plan, tmp_path / "two").timings()
    assert first.usage["agent"].tokens > 0
    used = second.usage["agent"]
    assert (used.calls, used.tokens, used.cost) == (first.usage["agent"].calls, 0, 0.0)
    one, two = (RunFolder(tmp_path / name).trials_file.read_bytes() for name in ("one", "two"))
    assert one == two
