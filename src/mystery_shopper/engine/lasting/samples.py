"""A run as an Inspect task: one sample a trial, our loop as its solver, our score as its score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import msgspec
from inspect_ai import Epochs, Task
from inspect_ai.dataset import Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from mystery_shopper.dialogue import show_event
from mystery_shopper.engine.lasting.calm import one_at_a_time
from mystery_shopper.engine.lasting.feeding import Feed
from mystery_shopper.engine.lasting.scorers import GIVEN_UP, TRIAL, scored_mean, scorers_of
from mystery_shopper.engine.lasting.stage import Stage
from mystery_shopper.engine.plan import PlannedTrial
from mystery_shopper.engine.suites import TaskBook
from mystery_shopper.engine.trial import Trial, encode_trial

Heard: TypeAlias = Callable[[Trial | str], None]
"""Hears each trial that ended, and why the run was given up where one is not played for that."""


def samples_of(trials: Iterable[PlannedTrial], tasks: TaskBook) -> Iterator[Sample]:
    """One sample a planned trial, each made when it is asked for."""
    return (_sample(planned.key, planned.task, planned.number, tasks) for planned in trials)


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


def task_of(
    name: str,
    stage: Stage,
    samples: list[Sample] | Feed,
    epochs: int = 1,
    heard: Heard = lambda _: None,
    *,
    scorers: Sequence[Scorer] | None = None,
) -> Task:
    """The Inspect task that plays these samples, each so many times, scored by all the suite's
    scorers or by these. What a scorer says of a sample stays alive until the task ends."""
    plan = stage.player.plan
    feed, dataset = (samples, samples.dataset()) if isinstance(samples, Feed) else (None, samples)
    return Task(
        epochs=Epochs(epochs, [scored_mean()]),
        dataset=dataset,
        solver=shopper(stage, heard, feed),
        scorer=list(scorers_of(plan.suite) if scorers is None else scorers),
        name=name,
        metadata={"plan": msgspec.to_builtins(plan)},
    )


@solver
def shopper(stage: Stage, heard: Heard, feed: Feed | None) -> Solver:
    """Plays one trial and puts it into the sample's metadata."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        if feed is not None:
            if stage.down:
                feed.close()
            feed.one_began()
        await one_at_a_time()
        number = state.metadata.get("number")
        planned = PlannedTrial(
            str(state.metadata["task"]), state.epoch - 1 if number is None else int(number)
        )
        trial = await stage.play(planned)
        heard(stage.down if trial is None else trial)
        if trial is None:
            state.metadata[GIVEN_UP] = stage.down
        else:
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
