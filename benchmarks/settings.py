"""A report over 36,000 trials of many settings: agents, interfaces, sizes, prompts and users."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

import msgspec

from benchmarks.engine import reported
from benchmarks.timing import Row
from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep
from mystery_shopper.engine.plan import RunPlan
from mystery_shopper.engine.trial import Trial
from mystery_shopper.foundation import derive_seed

AGENTS = ("one", "two", "three", "four")
PLAYED = ("eliminating", "popularity", "no-ask")
"""The scripted agents whose trials are dealt out to the settings."""
USERS = ("first-user", "second-user")
PROMPTS = ("ask", "ask-and-verify", "protocol")
SIZES = (5_000, 10_000, 16_852)
TRIALS, LEAST = 5, 36_000


def report_of_settings() -> list[Row]:
    """`mystery-shopper report` on the runs of 48 settings: wall time and peak memory."""
    with tempfile.TemporaryDirectory() as place:
        runs = made(Path(place))
        count = sum(run.plan().count for run in runs)
        if count < LEAST:
            raise ValueError(f"only {count:,} trials were made")
        name = f"report of {count:,} trials of {len(runs)} settings"
        return reported(name, [run.path for run in runs], 60)


def made(place: Path) -> list[RunFolder]:
    """A folder a setting; its trials are those of the scripted agents, dealt out by a hash."""
    swept: dict[str, list[Trial]] = {}
    for agent in PLAYED:
        folder = RunFolder(place / "played" / agent)
        sweep(make_plan(Wishes(agent=agent, block="panel")), folder, workers=2)
        for trial in folder.trials():
            swept.setdefault(trial.task, []).append(trial)
    base = make_plan(Wishes(agent=PLAYED[0], block="panel"))
    folders: list[RunFolder] = []
    for number, plan in enumerate(_plans(base)):
        folder = RunFolder(place / f"run-{number:02d}")
        folder.begin(plan)
        folder.append([*_dealt(plan, swept)], [])
        folders.append(folder)
    return folders


def _plans(base: RunPlan) -> Iterator[RunPlan]:
    def of(agent: str, **more: object) -> RunPlan:
        return msgspec.structs.replace(base, agent=agent, trials=TRIALS, **more)

    for agent, interface, size in product(AGENTS, ("structured", "keyword"), SIZES):
        yield of(agent, interface=interface, size=size)
    for agent, prompt in product(AGENTS, PROMPTS):
        yield of(agent, prompt=prompt)
    for agent, user in product(AGENTS, USERS):
        yield of(agent, user=user)
    for agent in AGENTS:
        yield of(agent, interface="keyword", tool_line="fields")


def _dealt(plan: RunPlan, swept: dict[str, list[Trial]]) -> Iterator[Trial]:
    setting = f"{plan.agent} {plan.interface} {plan.size} {plan.prompt} {plan.user}"
    for task in plan.tasks:
        choices: Sequence[Trial] = swept[task]
        for number in range(plan.trials):
            chosen = choices[derive_seed(1, setting, task, str(number)) % len(choices)]
            yield msgspec.structs.replace(chosen, number=number, agent=plan.agent, user=plan.user)
