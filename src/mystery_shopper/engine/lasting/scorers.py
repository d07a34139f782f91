"""What Inspect scores a trial by, and the metrics over them: success, the suite's figures, and how
many trials count."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import lru_cache

import msgspec
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
from inspect_ai.solver import TaskState

from mystery_shopper.engine.suites import suite_of
from mystery_shopper.engine.trial import Trial, decode_trial
from mystery_shopper.suites.recbench.score import Figures

RECBENCH = "recbench"

TRIAL = "trial"
"""The key of a sample's metadata under which its trial stands in the log, as JSON text: of a tree,
Inspect copies and walks every branch several times."""
GIVEN_UP = "given_up"
"""The same of why the run was given up before the trial."""

SCORED = "scored"
"""The key of a reduced score's metadata: how many of the sample's epochs are scored."""
STATE, STATES = "state", "states"
"""The keys of what became of a trial, and of a sample's trials: state -> how many."""
VALID, EXCLUDED, UNPLAYED = "valid", "excluded", "unplayed"


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


@metric
def counts() -> Metric:
    """How many trials were planned, how many are valid, and how many are excluded; also how many
    were not played, where the run was given up."""

    def measure(scores: list[SampleScore]) -> Value:
        total: Counter[str] = Counter()
        for score in scores:
            known = score.score.metadata or {}
            total.update(known.get(STATES) or {known.get(STATE, VALID): 1})
        told: dict[str, str | int | float | bool | None] = {
            "planned": total.total(),
            VALID: total[VALID],
            EXCLUDED: total[EXCLUDED],
        }
        return told | ({UNPLAYED: total[UNPLAYED]} if total[UNPLAYED] else {})

    return measure


@score_reducer(name="scored_mean")
def scored_mean() -> ScoreReducer:
    """The mean of the epochs that are scored, with their number; NaN where none is. Of scores that
    say what became of their trials, also how many of each there are; and why the first of them that
    tells it was not scored."""

    def reduce(scores: list[Score]) -> Score:
        known = [value for value in (score.as_float() for score in scores) if value == value]
        mean = sum(known) / len(known) if known else math.nan
        states = Counter(
            one.metadata[STATE] for one in scores if one.metadata and STATE in one.metadata
        )
        told = {STATES: dict(states)} if states else {}
        why = next((one.explanation for one in scores if one.explanation), None)
        return Score(
            value=mean,
            explanation=None if known and not states else why,
            metadata={SCORED: len(known), **told},
        )

    return reduce


def scorers_of(suite: str) -> list[Scorer]:
    """Success first; a suite of graded answers brings its figures along; what became of the trials
    last."""
    if suite == "tau_rec":
        return [disclosure(), trials()]
    return [requests(), cmr(), precision(), recall(), ftr(), trials()]


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


@scorer(metrics=[average(), by_condition(RECBENCH)])
def ftr() -> Scorer:
    """Whether nothing is recommended (RecBench+ §5.2.4), 1 or 0; of a valid trial it is always
    scored."""
    return _figure(lambda figures: figures.failed)


@scorer(metrics=[counts()])
def trials() -> Scorer:
    """What became of the trial: 1 where it is valid, 0 where it is excluded, or was not played
    since the run was given up; the reason is its explanation."""

    async def measure(state: TaskState, target: Target) -> Score:
        del target
        trial = _trial_of(state)
        became = UNPLAYED if trial is None else EXCLUDED if trial.excluded else VALID
        return Score(
            value=float(became == VALID),
            answer=became,
            explanation=why_unscored(trial, state) or None,
            metadata={STATE: became, "fault": trial.fault if trial is not None else None},
        )

    return measure


def _figure(of: Callable[[Figures], float | None]) -> Scorer:
    """One figure of a request's trial, with any number of items."""

    async def measure(state: TaskState, target: Target) -> Score:
        del target
        trial = _trial_of(state)
        value = None if trial is None else of(trial.requested.figures)
        if value is None:
            return Score(value=math.nan, explanation=why_unscored(trial, state) or None)
        return Score(value=value)

    return measure


def _success() -> Scorer:
    """A scorer of its own each time, since Inspect writes the scorer's name onto it."""

    async def measure(state: TaskState, target: Target) -> Score:
        del target
        trial = _trial_of(state)
        if trial is None:
            return Score(value=math.nan, explanation=why_unscored(trial, state))
        success = trial.score.success
        return Score(
            value=math.nan if success is None else float(success),
            answer=trial.score.answer,
            explanation=why_unscored(trial, state) or _how(trial),
            metadata=msgspec.to_builtins(trial.score),
        )

    return measure


def _trial_of(state: TaskState) -> Trial | None:
    """The sample's trial; None where the run was given up before it."""
    record = state.metadata.get(TRIAL)
    return None if record is None else _decoded(str(record))


@lru_cache(maxsize=8)
def _decoded(record: str) -> Trial:
    """Read once, though several scorers look at it."""
    return decode_trial(record)


def _how(trial: Trial) -> str:
    """How a trial that counts ended, with the agent's own error where it made one."""
    failure, ended = trial.score.failure, trial.transcript.ended
    how = failure.value if failure else trial.score.ending.value
    return f"{how}: {ended.detail}" if ended is not None and ended.detail else how


def why_unscored(trial: Trial | None, state: TaskState) -> str:
    """Why a trial counts in no figure; empty where it counts."""
    if trial is None:
        why = str(state.metadata.get(GIVEN_UP) or "no reason was given")
        return f"The run was given up before this trial: {why}"
    return why_excluded(trial)


def why_excluded(trial: Trial) -> str:
    """Whose fault excludes a trial, with its words; empty where it counts."""
    if trial.fault is None or not trial.excluded:
        return ""
    ended = trial.transcript.ended
    detail = ended.detail if ended is not None else ""
    return f"excluded, a fault of the {trial.fault.value}: {detail or 'no reason was given'}"
