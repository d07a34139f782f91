"""Replay: every archived trial is played again from its transcript, without the agent.

The agent's words and calls are taken from the record; the tools, the rule-based user, the verdicts
and the score are computed anew, and each event is held against the one archived. Of a user whose
words code does not choose these are taken from the record too; what they disclose and leak, and
where the rule-based reply stands in, is computed anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from mystery_shopper.catalog.folder import open_catalogue
from mystery_shopper.dialogue import (
    Act,
    AgentNoted,
    AgentSaid,
    CallTools,
    Ended,
    Ending,
    Event,
    ForeignCall,
    ForeignTools,
    Say,
    ToolCall,
    ToolCalled,
    UserSaid,
    View,
    rollout,
)
from mystery_shopper.engine.loading import folder_of, load_catalogue, scene_of
from mystery_shopper.engine.plan import RULE_BASED, RunPlan
from mystery_shopper.engine.speakers import guarded
from mystery_shopper.engine.store import RunFolder
from mystery_shopper.engine.suites import Scene, TaskBook, suite_of
from mystery_shopper.engine.trial import TRIAL_SCHEMA, Trial
from mystery_shopper.foundation import AgentFault, InputError
from mystery_shopper.suites.tau_rec.modeluser import TapedVoice
from mystery_shopper.suites.tau_rec.modeluser.guarded import words_of

FROM_OUTSIDE = (Ending.ERROR, Ending.OVERFLOW, Ending.TIME_CAP)
"""Endings that the agent's own failure or the clock brings about: the record alone shows them."""


@dataclass(frozen=True)
class Difference:
    """Where a replay first departs from the record. `place` is the event's number from 1; 0 is the
    score or another part of the trial."""

    trial: str
    place: int
    recorded: str
    replayed: str


@dataclass(frozen=True)
class Replayed:
    """What a replay compared: trials, events, and the first difference if there is one. `missing`
    trials were planned and are not there, as in a run that was stopped."""

    trials: int
    events: int
    difference: Difference | None
    missing: int = 0


def replay(folder: RunFolder, progress: Callable[[int], None] = lambda _: None) -> Replayed:
    """Play every trial of a run again, up to the first difference.

    Raises InputError where the run cannot be read, or where the task set or the catalogue is not
    the one that the run was made with, naming the hash that differs.
    """
    plan = folder.plan()
    again = Replay.of(plan)
    trials = events = 0
    for trial in folder.trials():
        difference = again.compare(trial) or again.beside_score(trial)
        trials += 1
        events += len(trial.transcript.events)
        if difference is not None:
            return Replayed(trials, events, difference)
        progress(1)
    return Replayed(trials, events, None, plan.count - trials)


def beside_score(trial: Trial, plan: RunPlan, tasks: TaskBook) -> dict[str, tuple[object, object]]:
    """What stands in a planned trial beside its transcript and score, as recorded and as the plan,
    its task and its ending say."""
    labels, ended = tasks.labels(trial.task), trial.transcript.ended
    return {
        "schema": (trial.schema, TRIAL_SCHEMA),
        "agent": (trial.agent, plan.agent),
        "user": (trial.user, plan.user),
        "seed": (trial.seed, plan.seed_for(trial.task, trial.number, "agent")),
        "canary": (trial.canary, plan.canary),
        "family": (trial.family, labels.family),
        "condition": (trial.condition, labels.condition),
        "tier": (trial.tier, labels.tier),
        "template": (trial.template, labels.template),
        "satisfiable": (trial.satisfiable, labels.satisfiable),
        "fault": (trial.fault, None if ended is None else ended.fault),
    }


@dataclass(frozen=True)
class Replay:
    """What the trials of one run are played again with."""

    plan: RunPlan
    scene: Scene

    @property
    def tasks(self) -> TaskBook:
        """The run's task set."""
        return self.scene.tasks

    @classmethod
    def of(cls, plan: RunPlan) -> Replay:
        """The run's catalogue, every array of a folder hashed, and its tasks. Raises InputError
        where they have changed."""
        scene = scene_of(plan)
        tasks, catalogue = scene.tasks, scene.catalogue
        problems = [
            f"{what} {name} has digest {found[:12]}, the run was made with {recorded[:12]}"
            for what, name, found, recorded in (
                ("task set", plan.task_set, tasks.digest, plan.task_set_digest),
                ("catalogue", plan.source, catalogue.digest, plan.catalogue_digest),
            )
            if found != recorded
        ]
        if problems:
            raise InputError(
                problems,
                where="replay",
                remedy="Replay with the task set and the catalogue that the run was made with.",
            )
        whole, folder = load_catalogue(plan.source), folder_of(plan.source)
        if folder is not None:
            open_catalogue(folder, verify=True)
        suite_of(plan.suite).check_tasks(tasks, whole, plan.task_set, folder)
        return cls(plan, scene)

    def compare(self, trial: Trial) -> Difference | None:
        """The first difference between a trial and its replay."""
        if trial.task not in self.tasks.by_id:
            return Difference(trial.key, 0, f"task {trial.task}", "there is no such task")
        plan = self.plan
        recorded = trial.transcript.events
        agent = _Tape(iter(acts_of(recorded)))
        voice = TapedVoice.of([w for e in recorded if isinstance(e, UserSaid) for w in words_of(e)])
        speaker = None if plan.user == RULE_BASED else guarded(plan, lambda _, __: voice)
        episode = self.scene.episode(trial.task, speaker)
        played = rollout(episode, agent, clock=lambda: 0.0)
        replayed: Sequence[Event] = played.transcript.events
        if (agent.over or voice.over) and _from_outside(recorded):
            recorded, replayed = recorded[:-1], replayed[:-1]
        found = _first_difference(trial.key, recorded, replayed)
        if found is not None:
            return found
        score = self.scene.score(trial.task, trial.transcript)
        for name in score.__struct_fields__:
            then, now = getattr(trial.score, name, None), getattr(score, name)
            if then != now:
                return Difference(trial.key, 0, *_told(name, then, now))
        return None

    def beside_score(self, trial: Trial) -> Difference | None:
        """The first difference between what stands beside a trial's score and what should."""
        if trial.task not in self.plan.tasks or not 0 <= trial.number < self.plan.trials:
            return Difference(trial.key, 0, "the trial", "was not planned")
        for name, (then, now) in beside_score(trial, self.plan, self.tasks).items():
            if then != now:
                return Difference(trial.key, 0, *_told(name, then, now))
        return None


@dataclass
class _Tape:
    """An agent that does again what the record says."""

    acts: Iterator[Act]
    over: bool = False

    def act(self, view: View) -> Act:
        """The next act; a fault where the record has none left."""
        del view
        for act in self.acts:
            return act
        self.over = True
        raise AgentFault("the record ends here")


def acts_of(events: Iterable[Event]) -> Iterator[Act]:
    """The agent's acts that a transcript tells of. Calls of one act come back one by one, which
    changes nothing that is recorded. Calls of the agent's own tools come back as they were."""
    note: str | None = None
    foreign: tuple[ForeignCall, ...] | None = None
    for event in events:
        match event:
            case ForeignTools():
                foreign = ()
            case ForeignCall():
                foreign = (*(foreign or ()), event)
            case AgentSaid():
                yield Say(event.text, foreign=foreign)
                foreign = None
            case AgentNoted():
                note = event.text
            case ToolCalled():
                call = ToolCall(event.name, event.arguments, event.call_id)
                yield CallTools((call,), note or "", foreign=foreign)
                note = foreign = None
            case Ended() if note is not None or foreign is not None:
                yield CallTools((), note or "", foreign=foreign)
            case _:
                pass


def _from_outside(events: Sequence[Event]) -> bool:
    last = events[-1] if events else None
    return isinstance(last, Ended) and last.kind in FROM_OUTSIDE


def _first_difference(
    key: str, recorded: Sequence[Event], replayed: Sequence[Event]
) -> Difference | None:
    for place, (then, now) in enumerate(zip(recorded, replayed, strict=False), 1):
        if _plain(then) != _plain(now):
            return Difference(key, place, _brief(then), _brief(now))
    if len(recorded) != len(replayed):
        place = min(len(recorded), len(replayed))
        then, now = recorded[place : place + 1], replayed[place : place + 1]
        return Difference(key, place + 1, _brief(*then), _brief(*now))
    return None


def _told(name: str, then: object, now: object) -> tuple[str, str]:
    """A part of a trial, as recorded and as replayed; of figures the first that differs."""
    if isinstance(now, msgspec.Struct) and type(then) is type(now):
        for inner in now.__struct_fields__:
            one, other = getattr(then, inner), getattr(now, inner)
            if one != other:
                return _told(f"{name}.{inner}", one, other)
    return f"{name}: {then}", f"{name}: {now}"


def _plain(event: Event) -> Event:
    """Without the count of what was cut: the record no longer holds it."""
    if isinstance(event, AgentSaid | AgentNoted) and event.cut:
        return msgspec.structs.replace(event, cut=0)
    if isinstance(event, ForeignCall) and event.left_off:
        return msgspec.structs.replace(event, left_off=0)
    return event


def _brief(*shown: msgspec.Struct) -> str:
    if not shown:
        return "nothing more"
    text = msgspec.json.encode(shown[0]).decode()
    return text if len(text) <= 300 else f"{text[:297]}..."
