"""A model as the user, over a scripted provider of Inspect: from the plan to the report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from mystery_shopper.dialogue import AgentSaid, Fault, Transcript, UserSaid
from mystery_shopper.engine import RunFolder, RunPlan, sweep
from mystery_shopper.engine.plan import UserOptions
from mystery_shopper.engine.replay import replay
from mystery_shopper.engine.speakers import user_talks
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import InputError, MysteryShopperError
from mystery_shopper.report import read_folders, summarise
from mystery_shopper.testing import events_of

pytest.importorskip("inspect_ai", reason="needs the extra [models]")

from inspect_ai.model import ChatMessage, GenerateConfig, ModelOutput

from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting

from ..helpers import plan_of, write_tasks
from .provider import POLICIES, said

MODEL = "model:scripted/customer"


@pytest.fixture(scope="module")
def task_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_tasks(tmp_path_factory.mktemp("user"))


def run(plan: RunPlan, path: Path, **bounds: Any) -> RunFolder:
    folder = RunFolder(path)
    model = open_model(plan)
    run_lasting(plan, folder, casting_of(plan, model), model=model, bounds=Bounds(**bounds))
    return folder


def facts_in(rules: str, tag: str) -> list[str]:
    return [line.split("] ", 1)[1] for line in rules.splitlines() if line.startswith(f"- [{tag}] ")]


def honest(messages: Sequence[ChatMessage], _: object, __: object) -> ModelOutput:
    """Says what is stated at once, and what is askable when asked anything."""
    rules, last = messages[0].text, messages[-1].text
    if len(messages) == 2:
        return said("\n".join(["Hello there.", *facts_in(rules, "SAY AT ONCE")]))
    if "?" in last and "candidate_id" not in last:
        return said("\n".join(facts_in(rules, "SAY WHEN ASKED")) or "Nothing more from me.")
    return said("All right.")


def gossip(messages: Sequence[ChatMessage], _: object, __: object) -> ModelOutput:
    """Says everything at once, and mends its ways when told to."""
    rules, last = messages[0].text, messages[-1].text
    if "cannot be sent" in last:
        return said("I would rather keep that to myself.")
    tags = ("SAY AT ONCE", "SAY WHEN ASKED", "NEVER SAY")
    return said("\n".join(line for tag in tags for line in facts_in(rules, tag)))


def plan_for(
    task_file: str, policy: Callable[..., ModelOutput], agent: str = "popularity", **more: Any
) -> RunPlan:
    POLICIES["customer"] = policy
    return plan_of(task_file, agent=agent, user=MODEL, **more)


def test_a_scripted_agent_and_an_honest_model(task_file: str, tmp_path: Path) -> None:
    plan = plan_for(task_file, honest, trials=2)
    assert plan.user_options == UserOptions(temperature=1.0, prompt=1)
    one = run(plan, tmp_path / "one", max_samples=1)
    trials = list(one.trials())
    assert len(trials) == plan.count
    assert {trial.user for trial in trials} == {MODEL}
    assert all(trial.score.leaks == trial.score.stood_in == 0 for trial in trials)
    assert any(trial.score.success for trial in trials)
    assert replay(one).difference is None
    usage = {timing.trial: timing.usage for timing in one.timings()}
    for trial in trials:
        words = len(events_of(trial.transcript, UserSaid))
        assert usage[trial.key].keys() == {"user"}
        assert usage[trial.key]["user"].calls == words
    many = run(plan, tmp_path / "many", max_samples=16)
    assert many.trials_file.read_bytes() == one.trials_file.read_bytes()
    POLICIES["customer"] = lambda _, __, ___: pytest.fail("a finished run makes no call")
    run(plan, tmp_path / "one")


def test_agent_and_user_are_counted_apart(task_file: str, tmp_path: Path) -> None:
    folder = run(plan_for(task_file, honest, "model:scripted/shopkeeper"), tmp_path / "run")
    timings = {timing.trial: timing for timing in folder.timings()}
    for trial in folder.trials():
        usage = timings[trial.key].usage
        assert usage.keys() == {"agent", "user"}
        assert usage["user"].calls == len(events_of(trial.transcript, UserSaid))
        assert usage["agent"].calls >= len(events_of(trial.transcript, AgentSaid))
        assert len(timings[trial.key].seconds) == usage["agent"].calls
    assert replay(folder).difference is None


def test_a_gossip_is_held_back(task_file: str, tmp_path: Path) -> None:
    folder = run(plan_for(task_file, gossip, conditions=("hidden",)), tmp_path / "run")
    for trial in folder.trials():
        assert trial.score.leaks > 0
        assert trial.score.leaked == 0
        shown = [event.text for event in events_of(trial.transcript, UserSaid)]
        assert all("Iceland" not in text and "Spain" not in text for text in shown)
    assert replay(folder).difference is None


def test_a_gossip_may_speak(task_file: str, tmp_path: Path) -> None:
    plan = plan_for(
        task_file,
        gossip,
        conditions=("hidden",),
        user_options=UserOptions(enforce=False, voice_persona=True),
    )
    folder = run(plan, tmp_path / "run")
    for trial in folder.trials():
        assert trial.score.leaks > 0
        assert trial.score.leaked > 0
        assert trial.score.stood_in == 0
    assert replay(folder).difference is None
    held = run(plan_for(task_file, gossip, conditions=("hidden",)), tmp_path / "held")
    summary = summarise(read_folders([folder, held]), resamples=20)
    assert [group.provenance.user for group in summary.groups] == [
        f"{MODEL} (leaks let pass, temperature 1, persona voiced)",
        f"{MODEL} (temperature 1)",
    ]
    loose, tight = (group.runs[0].figures.disclosed[0] for group in summary.groups)
    assert loose.reached.hits == loose.reached.of == 3
    assert tight.reached.hits == 0
    assert tight.leaks


def test_the_persona_and_the_temperature_reach_the_model(task_file: str, tmp_path: Path) -> None:
    seen: list[tuple[str, float | None, int | None]] = []

    def policy(messages: Sequence[ChatMessage], _: object, config: GenerateConfig) -> ModelOutput:
        seen.append((messages[0].text, config.temperature, config.seed))
        return said("Hello.")

    options = UserOptions(voice_persona=True, temperature=0.5)
    plan = plan_for(task_file, policy, "null", conditions=("mixed",), user_options=options)
    run(plan, tmp_path / "run")
    assert all("A tester." in rules for rules, _, _ in seen)
    assert {temperature for _, temperature, _ in seen} == {0.5}
    wanted = {plan.seed_for(task, 0, "user") % 2**31 for task in plan.tasks}
    assert {seed for _, _, seed in seen} == wanted


def test_a_broken_customer_is_excluded_and_the_run_goes_on(task_file: str, tmp_path: Path) -> None:
    def policy(messages: Sequence[ChatMessage], *_: object) -> ModelOutput:
        if "Horror" in messages[0].text:
            return said("<think>As the user, I should</think>")
        return honest(messages, None, None)

    folder = run(plan_for(task_file, policy), tmp_path / "run")
    faults = {trial.task: (trial.fault, trial.attempts) for trial in folder.trials()}
    for name, found in faults.items():
        assert found == ((Fault.USER, 3) if name.startswith("f001") else (None, 1))
    assert all(t.score.success is None for t in folder.trials() if t.family == "f001")
    assert replay(folder).difference is None


def test_a_customer_that_breaks_half_way_is_replayed(task_file: str, tmp_path: Path) -> None:
    def policy(messages: Sequence[ChatMessage], *_: object) -> ModelOutput:
        return said("Hello.") if len(messages) == 2 else said("")

    folder = run(plan_for(task_file, policy), tmp_path / "run")
    assert {trial.fault for trial in folder.trials()} == {Fault.USER}
    assert replay(folder).difference is None


def test_a_provider_that_is_down_is_the_infrastructures(task_file: str, tmp_path: Path) -> None:
    def policy(messages: Sequence[ChatMessage], *_: object) -> ModelOutput:
        if "Horror" in messages[0].text:
            raise ConnectionError("nobody answers")
        return honest(messages, None, None)

    folder = run(plan_for(task_file, policy, conditions=("mixed",)), tmp_path / "run")
    faults = {trial.task: trial.fault for trial in folder.trials()}
    assert faults == {
        "f001-mixed": Fault.INFRASTRUCTURE, "f002-mixed": None, "f003-mixed": None,
    }  # fmt: skip


def spoilt(trial: Trial, **changes: Any) -> Trial:
    """The trial with its last words of the user's changed."""
    events = list(trial.transcript.events)
    place = max(n for n, event in enumerate(events) if isinstance(event, UserSaid))
    events[place] = msgspec.structs.replace(events[place], **changes)
    return msgspec.structs.replace(trial, transcript=Transcript(tuple(events)))


def test_replay_computes_leaks_and_readings_anew(task_file: str, tmp_path: Path) -> None:
    folder = run(plan_for(task_file, gossip, conditions=("hidden",)), tmp_path / "run")
    first, *rest = folder.trials()
    last = events_of(first.transcript, UserSaid)[-1]
    assert last.leaks
    assert last.drafts
    bad = [
        spoilt(first, leaks=()),
        spoilt(first, leaks=(*last.leaks, "formats")),
        spoilt(first, disclosed=("formats",)),
        spoilt(first, withheld=("formats",)),
        spoilt(first, text="It should come from Spain."),
        spoilt(first, drafts=()),
        spoilt(first, drafts=("Nothing.",)),
        spoilt(first, stood_in=True),
    ]
    for name in ("leaks", "leaked", "withheld", "stood_in"):
        value = getattr(first.score, name) + 1
        score = msgspec.structs.replace(first.score, **{name: value})
        bad.append(msgspec.structs.replace(first, score=score))
    for trial in bad:
        assert trial != first
        lines = [msgspec.json.encode(one) + b"\n" for one in (trial, *rest)]
        folder.trials_file.write_bytes(b"".join(lines))
        found = replay(folder).difference
        assert found is not None, trial
        assert found.trial == first.key


def test_a_model_user_does_not_play_in_the_sweep(task_file: str, tmp_path: Path) -> None:
    plan = plan_for(task_file, honest)
    with pytest.raises(MysteryShopperError, match="lasting engine"):
        sweep(plan, RunFolder(tmp_path / "run"))


def test_an_unknown_provider_is_named(task_file: str) -> None:
    plan = plan_of(task_file, user="model:nobody/knows")
    with pytest.raises(InputError, match="--user model:nobody/knows"):
        casting_of(plan, None)


OWN = """
class Plain:
    def __init__(self, task, catalogue):
        self.task, self.turns = task, 0
        assert len(catalogue) > 1000

    def open(self):
        return "Hello, I want a film."

    def hear(self, text):
        self.turns += 1
        hidden = [r.predicate.value for r in self.task.requirements if r.reveal == "hidden"]
        return f"It must be {hidden[0]}!" if hidden and self.turns == 1 else "Go on."


class Waiting(Plain):
    async def hear(self, text):
        return super().hear(text)


class Broken(Plain):
    def __init__(self, task, catalogue):
        raise ValueError("no such customer")
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_customers.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("my_customers", None)
    return "my_customers"


def test_ones_own_user_in_both_engines(own: str, task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, agent="popularity", user=f"{own}:Plain")
    assert not user_talks(plan.user)
    swept = RunFolder(tmp_path / "swept")
    sweep(plan, swept, workers=1)
    lasted = run(plan, tmp_path / "lasted")
    assert swept.trials_file.read_bytes() == lasted.trials_file.read_bytes()
    assert any(trial.score.leaks for trial in swept.trials())
    assert all(trial.score.leaked == 0 for trial in swept.trials())
    assert replay(swept).difference is None

    later = plan_of(task_file, agent="popularity", user=f"{own}:Waiting")
    assert user_talks(later.user)
    waited = run(later, tmp_path / "waited")
    for one, other in zip(swept.trials(), waited.trials(), strict=True):
        assert one.transcript == other.transcript
    assert replay(waited).difference is None


def test_ones_own_broken_user_is_its_own_fault(own: str, task_file: str, tmp_path: Path) -> None:
    plan = plan_of(task_file, user=f"{own}:Broken", conditions=("mixed",))
    folder = RunFolder(tmp_path / "run")
    sweep(plan, folder)
    for trial in folder.trials():
        assert trial.fault is Fault.USER
        assert trial.transcript.ended
        assert "no such customer" in trial.transcript.ended.detail


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({"user": "nobody"}, "--user 'nobody' is unknown"),
        ({"user": "no.such:Class"}, "cannot be loaded"),
        ({"user": "model:"}, "--user 'model:' is unknown"),
        ({"user_options": UserOptions(enforce=False)}, "words its replies by code"),
        ({"user": "my_customers:Plain", "user_options": UserOptions(temperature=1)}, "no model"),
    ],
)
def test_what_cannot_be_is_said(own: str, task_file: str, wishes: Any, told: str) -> None:
    assert own
    with pytest.raises(InputError, match=told):
        plan_of(task_file, **wishes)


def test_another_user_is_another_run(task_file: str, tmp_path: Path) -> None:
    plan = plan_for(task_file, honest, conditions=("mixed",))
    run(plan, tmp_path / "run")
    other = plan_for(
        task_file, honest, conditions=("mixed",), user_options=UserOptions(enforce=False)
    )
    with pytest.raises(InputError, match="user options, enforce: the folder has yes"):
        run(other, tmp_path / "run")


def test_a_trial_of_another_user_is_refused(task_file: str, tmp_path: Path) -> None:
    folder = run(plan_for(task_file, honest, conditions=("mixed",)), tmp_path / "run")
    trials = [msgspec.structs.replace(trial, user="rule-based") for trial in folder.trials()]
    folder.trials_file.write_bytes(b"".join(msgspec.json.encode(t) + b"\n" for t in trials))
    with pytest.raises(InputError, match="has the user 'rule-based'"):
        read_folders([folder])


def test_a_trial_that_its_user_spoilt_is_played_again_with_other_draws(
    task_file: str, tmp_path: Path
) -> None:
    seeds: list[int | None] = []

    def clerk(_: object, __: object, config: GenerateConfig) -> ModelOutput:
        seeds.append(config.seed)
        return said("How can I help you?")

    plan = plan_for(task_file, clerk, conditions=("mixed",))
    folder = run(msgspec.structs.replace(plan, tasks=plan.tasks[:1]), tmp_path / "run")
    [trial] = folder.trials()
    assert (trial.fault, trial.attempts) == (Fault.USER, 3)
    # Two draws an attempt, both from its seed: the second is shown the first.
    assert len(seeds) == 6
    assert len(set(seeds)) == 3
    assert seeds[0::2] == seeds[1::2]
