"""A run as an Inspect task: one sample a trial, our loop as its solver, our score as its score."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import msgspec
from inspect_ai import Epochs, Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    ScoreReducer,
    Target,
    Value,
    metric,
    score_reducer,
    scorer,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver

from mystery_shopper.dialogue import show_event
from mystery_shopper.engine.lasting.calm import one_at_a_time
from mystery_shopper.engine.lasting.stage import Stage
from mystery_shopper.engine.plan import PlannedTrial
from mystery_shopper.engine.suites import TaskBook, suite_of
from mystery_shopper.engine.trial import Trial, decode_trial, encode_trial
from mystery_shopper.suites.recbench.score import Figures

RECBENCH = "recbench"

TRIAL = "trial"
"""The key of a sample's metadata under which its trial stands in the log, as JSON text: of a tree,
Inspect copies and walks every branch several times."""

SCORED = "scored"
"""The key of a reduced score's metadata: how many of the sample's epochs are scored."""


def samples_of(trials: Iterable[PlannedTrial], tasks: TaskBook) -> list[Sample]:
    """One sample a planned trial."""
    return [_sample(planned.key, planned.task, planned.number, tasks) for planned in trials]


def task_samples(names: Iterable[str], tasks: TaskBook) -> list[Sample]:
    """One sample a task, for runs in which each of Inspect's epochs is a trial."""
    return [_sample(name, name, None, tasks) for name in names]


def _sample(key: str, name: str, number: int | None, tasks: TaskBook) -> Sample:
    labels = tasks.labels(name)
    known = {} if number is None else {"number": number}
    return Sample(
        id=key,
        input=key,
        metadata={
            "task": name,
            "condition": labels.condition,
            "family": labels.family,
            **known,
        },
    )


def task_of(name: str, stage: Stage, samples: list[Sample], epochs: int = 1) -> Task:
    """The Inspect task that plays these samples, each so many times."""
    plan = stage.player.plan
    return Task(
        epochs=Epochs(epochs, [scored_mean()]),
        dataset=samples,
        solver=shopper(stage),
        scorer=_scorers(plan.suite),
        name=name,
        metadata={"plan": msgspec.to_builtins(plan)},
    )


@solver
def shopper(stage: Stage) -> Solver:
    """Plays one trial and puts it into the sample's metadata."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        await one_at_a_time()
        number = state.metadata.get("number")
        planned = PlannedTrial(
            str(state.metadata["task"]), state.epoch - 1 if number is None else int(number)
        )
        trial = await stage.play(planned)
        if trial is not None:
            state.metadata[TRIAL] = encode_trial(trial).decode()
            state.messages = _messages(trial)
            state.output = ModelOutput.from_content(
                model=str(state.model), content=trial.score.answer or "no recommendation"
            )
        state.completed = True
        return state

    return solve


def _messages(trial: Trial) -> list[ChatMessage]:
    """The conversation as the viewer shows it."""
    shown: list[ChatMessage] = []
    for event in trial.transcript.events:
        message = show_event(event)
        if message is None:
            continue
        if message.role == "user":
            shown.append(ChatMessageUser(content=message.text))
        elif message.name:
            text = message.text or msgspec.json.encode(message.arguments).decode()
            shown.append(ChatMessageAssistant(content=f"[{message.name}] {text}"))
        else:
            shown.append(ChatMessageAssistant(content=message.text))
    return shown


@metric
def share() -> Metric:
    """The share of scored trials that succeeded; NaN without any."""

    def measure(scores: list[SampleScore]) -> Value:
        return _share(scores)

    return measure


@metric
def average() -> Metric:
    """The mean over scored trials; NaN without any."""

    def measure(scores: list[SampleScore]) -> Value:
        return _share(scores)

    return measure


@metric
def by_condition(suite: str = "tau_rec") -> Metric:
    """The same for each condition of the suite."""
    names = suite_of(suite).words.conditions

    def measure(scores: list[SampleScore]) -> Value:
        return {
            name: _share([s for s in scores if (s.sample_metadata or {}).get("condition") == name])
            for name in names
        }

    return measure


def _share(scores: list[SampleScore]) -> float:
    """Over trials: the score of a sample with several epochs stands for those that are scored."""
    total, count = 0.0, 0
    for score in scores:
        value = float(score.score.as_float())
        if not math.isnan(value):
            trials = int((score.score.metadata or {}).get(SCORED, 1))
            total, count = total + value * trials, count + trials
    return total / count if count else math.nan


@score_reducer(name="scored_mean")
def scored_mean() -> ScoreReducer:
    """The mean of the epochs that are scored, with their number; NaN where none is."""

    def reduce(scores: list[Score]) -> Score:
        known = [value for value in (score.as_float() for score in scores) if value == value]
        mean = sum(known) / len(known) if known else math.nan
        return Score(value=mean, metadata={SCORED: len(known)})

    return reduce


def _scorers(suite: str) -> list[Scorer]:
    """Success first; a suite of graded answers brings its figures along."""
    return [disclosure()] if suite == "tau_rec" else [requests(), cmr(), precision(), recall()]


@scorer(metrics=[share(), by_condition()])
def disclosure() -> Scorer:
    """The suite's success of the trial in the sample's metadata; NaN where it is unscored."""
    return _success()


@scorer(metrics=[share(), by_condition(RECBENCH)])
def requests() -> Scorer:
    """The same of a request's trial: something is recommended, and all of it fits."""
    return _success()


@scorer(metrics=[average(), by_condition(RECBENCH)])
def cmr() -> Scorer:
    """The share of what is recommended that meets all conditions (RecBench+ §5.2.3); NaN where
    nothing is recommended, or the query rests on no conditions."""
    return _figure(lambda figures: figures.cmr)


@scorer(metrics=[average(), by_condition(RECBENCH)])
def precision() -> Scorer:
    """The share of what is recommended that is in the user's own group (RecBench+ §5.2.1); NaN
    where nothing is recommended."""
    return _figure(lambda figures: figures.precision_own)


@scorer(metrics=[average(), by_condition(RECBENCH)])
def recall() -> Scorer:
    """The share of the user's own group that is recommended (RecBench+ §5.2.2); NaN where nothing
    is recommended."""
    return _figure(lambda figures: figures.recall_own)


def _figure(of: Callable[[Figures], float | None]) -> Scorer:
    """One figure of a request's trial, with any number of items."""

    async def measure(state: TaskState, target: Target) -> Score:
        del target
        record = state.metadata.get(TRIAL)
        value = None if record is None else of(decode_trial(record).requested.figures)
        return Score(value=math.nan if value is None else value)

    return measure


def _success() -> Scorer:
    """A scorer of its own each time, since Inspect writes the scorer's name onto it."""

    async def measure(state: TaskState, target: Target) -> Score:
        del target
        record = state.metadata.get(TRIAL)
        if record is None:
            return Score(value=math.nan, explanation="The run was given up before this trial.")
        trial = decode_trial(record)
        success, failure = trial.score.success, trial.score.failure
        return Score(
            value=math.nan if success is None else float(success),
            answer=trial.score.answer,
            explanation=failure.value if failure else trial.score.ending.value,
            metadata=msgspec.to_builtins(trial.score),
        )

    return measure
