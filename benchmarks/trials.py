"""Trials a second: the whole sweep on two processes, and a trial of fixed shape on one core."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timing import Row, row, seconds
from mystery_shopper.dialogue import rollout
from mystery_shopper.engine import RunFolder, Wishes, load_shelf, load_tasks, make_plan, sweep_all
from mystery_shopper.suites.tau_rec.reference import Interviewer, Scripted, call
from mystery_shopper.suites.tau_rec.reference.script import Script
from mystery_shopper.suites.tau_rec.shelf import Interface
from mystery_shopper.suites.tau_rec.stage import Setting, set_stage

TAU_REC_V1 = "τ-Rec v1's harness: 18.6 in an earlier measurement, not run here"
FIXED_TRIALS = 450


def sweep_rate() -> list[Row]:
    """450 tasks x popularity and eliminating, two processes, from start to the last byte."""
    times: list[float] = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            plans = [make_plan(Wishes(agent=agent)) for agent in ("popularity", "eliminating")]
            runs = [(plan, RunFolder(Path(folder) / plan.agent)) for plan in plans]
            start = time.perf_counter()
            played = sweep_all(runs, workers=2)
            times.append((time.perf_counter() - start) / played)
    rate = 1 / sorted(times)[1]
    return [row("sweep: 450 tasks, popularity and eliminating, two processes", rate, "trials/s")]


def eliminating_cost() -> list[Row]:
    """CPU time of the eliminating agent's trials on the hidden tasks: mean and worst."""
    shelf, tasks = load_shelf("films", 16852), load_tasks("tau_rec/films@1")
    from mystery_shopper.suites.tau_rec.reference import AGENTS

    def play(name: str) -> float:
        task = tasks.by_id[name]
        start = time.process_time()
        episode = set_stage(task, shelf, Setting())
        played = rollout(episode, AGENTS["eliminating"](task, shelf, Interface.STRUCTURED))
        shelf.scorer.score(task, played.transcript)
        return (time.process_time() - start) * 1e3

    for name in tasks.by_id:
        play(name)
    costs = [play(name) for name in tasks.by_id]
    return [
        row("eliminating agent, CPU a trial, mean", sum(costs) / len(costs), "ms"),
        row("eliminating agent, CPU a trial, worst", max(costs), "ms"),
    ]


def fixed_trial() -> list[Row]:
    """A trial with three keyword searches, three proposals and a recommendation, on one core."""
    shelf, tasks = load_shelf("films", 16852), load_tasks("tau_rec/films@1")
    work = Interviewer(shelf, Interface.KEYWORD)
    setting = Setting(interface=Interface.KEYWORD)

    def play(_: str) -> Script:
        chosen = None
        for query in ("Drama French", "Comedy United Kingdom English", "Horror Spanish"):
            found = yield from call("search", query=query)
            chosen = found["items"][0]["item_id"]
            yield from work.propose(chosen)
        yield from call("recommend", item_id=chosen)

    every = list(tasks.by_id.values())[:FIXED_TRIALS]

    def run() -> None:
        for task in every:
            played = rollout(set_stage(task, shelf, setting), Scripted(play))
            shelf.scorer.score(task, played.transcript)

    rate = len(every) / seconds(run, repeat=3)
    name = "trial of three keyword searches, three proposals, a recommendation, one core"
    return [row(name, rate, "trials/s", TAU_REC_V1)]


def command_line() -> list[Row]:
    """CPU seconds of `mystery-shopper --help`, and wall seconds of `mystery-shopper demo`."""
    command = [sys.executable, "-m", "mystery_shopper"]
    helps = sorted(_cpu([*command, "--help"]) for _ in range(5))
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        _run([*command, "demo", "--out", str(Path(folder) / "demo")])
        demo = time.perf_counter() - start
    return [
        row("mystery-shopper --help, CPU", helps[len(helps) // 2], "s"),
        row("mystery-shopper demo, wall", demo, "s"),
    ]


def _cpu(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ))
