"""The command that plays what a protocol lacks, exactly as it is to be typed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mystery_shopper.engine.plan import RULE_BASED, ModelOptions, RunPlan, UserOptions
from mystery_shopper.foundation import slug
from mystery_shopper.report.protocol.records import CONDITIONS, Want
from mystery_shopper.suites.tau_rec.prompts import Prompt, ToolLine

_USUAL = (None, "")


@dataclass
class Commands:
    """Commands for runs that lie in `places` (run's name -> folder); new ones go beside the first,
    into folders that are not there yet. Equal wants get equal commands."""

    places: Mapping[str, Path]
    _made: dict[tuple[str, ...], str] = field(default_factory=dict[tuple[str, ...], str])
    _taken: set[Path] = field(default_factory=set[Path])

    def of(self, want: Want) -> str:
        """The command for one want."""
        if want.goes_on:
            plan = want.base
            words = [*_words(plan), *_where(plan), *_which(want), *_asked_user(plan)]
            return _line([*words, "--out", str(self.places[want.run])])
        words = list(_new(want))
        key = tuple(words)
        if key not in self._made:
            self._made[key] = _line([*words, "--out", str(self._folder(want))])
        return self._made[key]

    def _folder(self, want: Want) -> Path:
        parent = next(iter(self.places.values())).parent
        more = f"-seed{want.seed}" if want.seed != want.base.seed else ""
        stem = f"{slug(want.base.agent)}-{want.interface}-{want.prompt}{more}"
        number, place = 1, parent / stem
        while place in self._taken or place.exists():
            number += 1
            place = parent / f"{stem}-{number}"
        self._taken.add(place)
        return place


def _line(words: list[str]) -> str:
    return shlex.join(["mystery-shopper", "run", *words])


def _new(want: Want) -> Iterator[str]:
    plan = want.base
    yield from (plan.suite, "--agent", plan.agent, "--catalog", plan.source)
    yield from ("--task-set", plan.task_set, "--tasks", "panel")
    yield from ("--interface", want.interface, "--prompt", want.prompt)
    yield from _tasks(want)
    yield from ("--trials", str(want.trials))
    yield from _seed(want.seed)
    yield from _options(plan)


def _words(plan: RunPlan) -> Iterator[str]:
    yield from (plan.suite, "--agent", plan.agent)
    yield from ("--interface", plan.interface)
    if plan.prompt != Prompt.BASE:
        yield from ("--prompt", plan.prompt)
    if plan.tool_line != ToolLine.OWN:
        yield from ("--tool-line", plan.tool_line)
    yield from ("--trials", str(plan.trials))
    yield from _seed(plan.seed)
    yield from _options(plan)


def _where(plan: RunPlan) -> Iterator[str]:
    """The same catalogue: its part is named by its size, which the whole one may be too."""
    yield from ("--catalog", f"{plan.source}:{plan.size}", "--task-set", plan.task_set)


def _which(want: Want) -> Iterator[str]:
    yield from ("--tasks", want.base.block)
    yield from _tasks(want)


def _tasks(want: Want) -> Iterator[str]:
    if want.conditions != CONDITIONS:
        for condition in want.conditions:
            yield from ("--condition", condition)
    for task in want.tasks:
        yield from ("--task", task)


def _seed(seed: int) -> Iterator[str]:
    if seed:
        yield from ("--seed", str(seed))


def _options(plan: RunPlan) -> Iterator[str]:
    """Of the agent's model, and of a trial."""
    if plan.as_paper:
        yield "--as-paper"
    model, usual = plan.model, ModelOptions()
    named = {
        "--temperature": model.temperature,
        "--reasoning-effort": model.reasoning_effort,
        "--max-tokens": model.max_tokens,
        "--tool-mode": model.tool_mode if model.tool_mode != usual.tool_mode else None,
        "--base-url": model.base_url,
    }
    yield from _given(named)
    if model.cache:
        yield "--cache"
    limits = plan.limits
    yield from _given({
        "--time-limit": limits.seconds,
        "--token-limit": limits.tokens,
        "--cost-limit": limits.cost,
    })  # fmt: skip


def _asked_user(plan: RunPlan) -> Iterator[str]:
    if plan.user == RULE_BASED:
        return
    asked = plan.user_options or UserOptions()
    yield from ("--user", plan.user)
    if not asked.enforce:
        yield "--no-enforce-disclosure"
    if asked.voice_persona:
        yield "--voice-persona"
    yield from _given({
        "--user-temperature": asked.temperature,
        "--user-max-tokens": asked.max_tokens,
        "--user-base-url": asked.base_url,
    })  # fmt: skip


def _given(named: Mapping[str, object]) -> Iterator[str]:
    for name, value in named.items():
        if value not in _USUAL:
            yield from (name, repr(value) if isinstance(value, float) else str(value))
