"""Taking secrets and personal data out of a run's texts, ids left as they are.

What is looked for in a text stands in `patterns`. Beside that, whatever stands under a header's or
a secret's name in an agent's own calls goes, and so does the address of a model's server.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

import msgspec
from msgspec.structs import replace

from mystery_shopper.catalog import Catalogue
from mystery_shopper.catalog.columns import LabelColumn, TextColumn
from mystery_shopper.dialogue import Event
from mystery_shopper.engine.bundling.manifest import REPLAY, SCORE
from mystery_shopper.engine.bundling.patterns import (
    MARK,
    SECRET_NAMES,
    Keep,
    is_card,
    mark,
    taken_out,
)
from mystery_shopper.engine.plan import ModelOptions, RunFile, RunPlan, UserOptions
from mystery_shopper.engine.replay import Replay
from mystery_shopper.engine.suites import Score, TaskBook, suite_of
from mystery_shopper.engine.trial import Trial
from mystery_shopper.suites.recbench.score import RecBenchScore

Options = TypeVar("Options", ModelOptions, UserOptions)
_AS_THEY_ARE = frozenset({"kind", "fault", "error", "item_id", "call_id", "accepted", "others"})
"""Parts of events that hold ids and kinds. A call's id is the provider's count of calls."""
_DEEPEST = 100


@dataclass
class Known:
    """Whether a text is an id of the catalogue or stands in one of its titles: there is a film
    called 4.3.2.1. Titles are gone through once a text that looks like a secret."""

    catalogue: Catalogue
    _seen: dict[str, bool] = field(default_factory=dict[str, bool])

    def __call__(self, text: str) -> bool:
        if text not in self._seen:
            self._seen[text] = self._is_known(text)
        return self._seen[text]

    def _is_known(self, text: str) -> bool:
        if self.catalogue.find(text) is not None:
            return True
        column = self.catalogue.columns[self.catalogue.domain.title]
        titles: Sequence[str | None] = ()
        if isinstance(column, TextColumn):
            titles = column.texts
        elif isinstance(column, LabelColumn):
            titles = column.labels
        return any(text in title for title in titles if title)


@dataclass
class Redactor:
    """Takes out and counts. `keep`: whether a text is an id, which stays."""

    keep: Keep = lambda _: False
    counts: dict[str, int] = field(default_factory=dict[str, int])

    def text(self, text: str) -> str:
        """The text without secrets and personal data."""
        return taken_out(text, self.counts, self.keep)

    def trial(self, trial: Trial) -> Trial:
        """The trial; the same object where nothing was found."""
        events = tuple(self._event(event) for event in trial.transcript.events)
        agent, user = self.text(trial.agent), self.text(trial.user)
        score = self._score(trial.score)
        same = all(new is old for new, old in zip(events, trial.transcript.events, strict=True))
        if same and (agent, user, score) == (trial.agent, trial.user, trial.score):
            return trial
        transcript = replace(trial.transcript, events=events)
        return replace(trial, agent=agent, user=user, score=score, transcript=transcript)

    def _score(self, score: Score) -> Score:
        """The score; one of recbench tells what was recommended in the answer's own words."""
        if not isinstance(score, RecBenchScore):
            return score
        # What stands in the answer was counted there.
        texts = (taken_out(pick.text, {}, self.keep) for pick in score.picks)
        picks = (replace(pick, text=t) for pick, t in zip(score.picks, texts, strict=True))
        return replace(score, picks=tuple(picks))

    def run_file(self, given: RunFile) -> RunFile:
        """The content of `run.json`, its digest that of the plan that is left; the same object
        where nothing was found."""
        plan = self.plan(given.plan)
        environment = replace(given.environment, platform=self.text(given.environment.platform))
        if plan == given.plan and environment == given.environment:
            return given
        return RunFile(plan, plan.digest, environment)

    def plan(self, plan: RunPlan) -> RunPlan:
        """The plan: its names are texts too."""
        options = plan.user_options
        return replace(
            plan,
            agent=self.text(plan.agent),
            user=self.text(plan.user),
            task_set=self.text(plan.task_set),
            source=self.text(plan.source),
            model=self._without_address(plan.model),
            user_options=None if options is None else self._without_address(options),
        )

    def tasks(self, suite: str, tasks: TaskBook) -> TaskBook:
        """The set with what its personas tell taken out; all else is what trials are scored on."""
        return suite_of(suite).without_personas(tasks, self.text)

    def _without_address(self, options: Options) -> Options:
        if options.base_url is None:
            return options
        self._count("address")
        return replace(options, base_url=mark("address"))

    def _count(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def _event(self, event: Event) -> Event:
        changes: dict[str, Any] = {}
        for name in event.__struct_fields__:
            if name not in _AS_THEY_ARE:
                old = getattr(event, name)
                new = self.value(old)
                if new != old:
                    changes[name] = new
        return replace(event, **changes) if changes else event

    def value(self, value: Any, depth: int = 0) -> Any:
        """A JSON value; a text that is JSON itself is looked into, so that it stays JSON. What is
        nested absurdly deep is taken out whole."""
        if depth > _DEEPEST:
            self._count("key")
            return mark("key")
        if isinstance(value, str):
            return self._said(value, depth)
        if isinstance(value, Mapping):
            entries = cast("Mapping[str, Any]", value)
            return {self.text(str(key)): self._under(key, entries[key], depth) for key in entries}
        if isinstance(value, list | tuple):
            parts = cast("list[Any] | tuple[Any, ...]", value)
            return type(parts)(self.value(part, depth + 1) for part in parts)
        if isinstance(value, int) and is_card(str(value)) and not self.keep(str(value)):
            self._count("card")
            return mark("card")
        return value

    def _under(self, key: str, value: Any, depth: int) -> Any:
        if not SECRET_NAMES.fullmatch(key):
            return self.value(value, depth + 1)
        kind = "key" if key.lower() in ("token", "secret", "pwd", "password") else "header"
        return _every_leaf(value, lambda: self._count(kind), mark(kind))

    def _said(self, text: str, depth: int) -> str:
        if text[:1] in ("{", "["):
            try:
                parsed = json.loads(text)
            except (ValueError, RecursionError):
                return self.text(text)
            new = self.value(parsed, depth + 1)
            return text if new == parsed else msgspec.json.encode(new).decode()
        return self.text(text)


def _every_leaf(value: Any, count: Callable[[], None], put: str) -> Any:
    """The value with every text and number in it replaced."""
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {key: _every_leaf(part, count, put) for key, part in entries.items()}
    if isinstance(value, list | tuple):
        parts = cast("list[Any] | tuple[Any, ...]", value)
        return [_every_leaf(part, count, put) for part in parts]
    if value is None or isinstance(value, bool) or value == "" or value == put:
        return value
    count()
    return put


def first_marked(trial: Trial) -> int | None:
    """The number, from 1, of the first event from which something was taken out."""
    for place, event in enumerate(trial.transcript.events, 1):
        if MARK.search(msgspec.json.encode(event).decode()):
            return place
    return None


def lost_checks(again: Replay, trial: Trial) -> tuple[str, ...]:
    """The checks that a redacted trial cannot pass any more."""
    if _replays(again, trial):
        return ()
    return (REPLAY,) if _scores(again, trial) else (REPLAY, SCORE)


def _replays(again: Replay, trial: Trial) -> bool:
    try:
        return again.compare(trial) is None
    except Exception:  # A redacted text may be anything but what a tool gave.
        return False


def _scores(again: Replay, trial: Trial) -> bool:
    """Whether the transcript, as it is now, still scores as it did."""
    try:
        return again.scene.score(trial.task, trial.transcript) == (trial.score)
    except Exception:
        return False
