"""The lasting engine beside Inspect alone, a thousand trials with two hundred in flight, and the
report of ten thousand. Each is measured in a process of its own.

`python -m benchmarks.engine PART` is that process; it prints JSON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from benchmarks.timing import Row, row

FLIGHT, TRIALS = 200, 1_000
FEW, MANY = 50, 250
REPORTED = 10_000


def overhead() -> list[Row]:
    """CPU milliseconds a trial of five model calls, through Inspect, above an Inspect sample of the
    same length: one that does nothing but the same five calls, with the same messages and tools,
    under the same options. A sample of five calls with one short message each stands below."""
    found = _part("overhead")
    own, bare, short = found["own"], found["bare"], found["short"]
    name = "lasting engine, CPU a trial"
    return [
        row(f"{name} of five model calls", own, "ms",
            "a bare Inspect sample of the same five calls", bare),
        row(f"{name} above the bare sample (target: 12)", own - bare, "ms"),
        row(f"{name} of five model calls", own, "ms",
            "a bare Inspect sample of five calls of one short message", short),
    ]  # fmt: skip


def in_flight() -> list[Row]:
    """Memory and event loop of a thousand trials at two hundred in flight."""
    found, bare = _part("flight"), _part("bare-flight")
    name = f"lasting engine, {TRIALS:,} trials at {FLIGHT} in flight"
    peer = "bare Inspect samples of the same calls"
    growth = 100 * (found["last"] / found["first"] - 1)
    return [
        row(f"{name}: memory at trial {FLIGHT}", found["first"] / 2**20, "MB"),
        row(f"{name}: growth until trial {TRIALS:,} (target: 20)", growth, "%"),
        row(f"{name}: longest stall of the event loop (target: 250)", found["late"] * 1e3, "ms",
            peer, bare["late"] * 1e3),
        row(f"{name}: most CPU of the loop at a stretch (target: 250)", found["busy"] * 1e3, "ms",
            peer, bare["busy"] * 1e3),
        row(f"{name}: trials a second", TRIALS / found["seconds"], "trials/s"),
    ]  # fmt: skip


_WATCHED = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def report_of_many() -> list[Row]:
    """`mystery-shopper report` on a run of more than 10,000 trials: wall time and peak memory."""
    with tempfile.TemporaryDirectory() as place:
        count = _many_trials(Path(place))
        return reported(f"report of {count:,} trials", [Path(place) / "many"], 30)


def reported(name: str, runs: Sequence[Path], seconds: float) -> list[Row]:
    """Wall time, whose target is so many seconds, and peak memory of a report over these runs."""
    command = [sys.executable, "-m", "mystery_shopper", "report", *map(str, runs)]
    # A small process between: a child's peak begins at its parent's size.
    told = subprocess.run(
        [sys.executable, "-c", _WATCHED, *command], stdout=subprocess.PIPE, check=True
    )
    taken, peak = map(float, told.stdout.split())
    return [
        row(f"{name}, wall (target: {seconds:g})", taken, "s"),
        row(f"{name}, peak memory (target: 2)", peak / 2**20, "GB"),
    ]


def _many_trials(place: Path) -> int:
    """Make a run folder `many`: the trials of a sweep, again and again under new numbers."""
    from mystery_shopper.engine import RunFolder, Wishes, make_plan, sweep

    once = make_plan(Wishes(agent="eliminating"))
    swept, many = RunFolder(place / "once"), RunFolder(place / "many")
    sweep(once, swept, workers=2)
    times = -(-REPORTED // once.count)
    plan = msgspec.structs.replace(once, trials=times)
    many.begin(plan)
    for trial, timing in zip(swept.trials(), swept.timings(), strict=True):
        trials = [msgspec.structs.replace(trial, number=number) for number in range(times)]
        many.append(trials, [msgspec.structs.replace(timing, trial=one.key) for one in trials])
    return plan.count


def _part(name: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.engine", name], check=True, stdout=subprocess.PIPE
    )
    return json.loads(done.stdout.splitlines()[-1])


def _overhead() -> dict[str, float]:
    """The slope between a few trials and many, so that what a run costs once is left out."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        parts: dict[str, Callable[[int, Path], None]] = {
            "own": _play,
            "bare": _bare,
            "short": _short,
        }
        for play in parts.values():
            play(FEW, folder / f"warm-{play.__name__}")
        found: dict[str, float] = {}
        for name, play in parts.items():
            few = min(_cpu(play, FEW, folder / f"{name}-few{n}") for n in range(3))
            many = min(_cpu(play, MANY, folder / f"{name}-many{n}") for n in range(3))
            found[name] = (many - few) / (MANY - FEW) * 1e3
        return found


def _cpu(play: Callable[[int, Path], None], trials: int, place: Path) -> float:
    start = time.process_time()
    play(trials, place)
    return time.process_time() - start


def _play(trials: int, place: Path) -> None:
    _run("clerk", trials, place, 10, lambda _: None)


def _run(
    model: str, trials: int, place: Path, flight: int, progress: Callable[[int], None]
) -> None:
    """Play so many trials of the shipped tasks with a scripted model."""
    from benchmarks.provider import PROVIDER
    from mystery_shopper.engine import RunFolder, Wishes, make_plan
    from mystery_shopper.engine.bounds import Bounds
    from mystery_shopper.engine.lasting.lines import casting_of, open_model
    from mystery_shopper.engine.lasting.run import run_lasting

    plan = make_plan(Wishes(agent=f"model:{PROVIDER}/{model}"))
    each = next(n for n in range(1, trials + 1) if trials % n == 0 and trials // n <= plan.count)
    plan = msgspec.structs.replace(plan, tasks=plan.tasks[: trials // each], trials=each)
    opened = open_model(plan)
    run_lasting(
        plan,
        RunFolder(place),
        casting_of(plan, opened),
        model=opened,
        bounds=Bounds(max_samples=flight, max_connections=flight),
        progress=progress,
    )


def _bare(trials: int, place: Path) -> None:
    _inspect("clerk", trials, place, 10)


def _short(trials: int, place: Path) -> None:
    _inspect("clerk", trials, place, 10, short=True)


def _inspect(model: str, trials: int, place: Path, flight: int, *, short: bool = False) -> None:
    """As many samples of Inspect's, each the five calls of the first trial that was played and
    nothing else: with its messages, which a sample keeps from call to call as a solver does, and
    its tools; or, where it is `short`, with one word and no tool."""
    from inspect_ai import Task
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import get_model
    from inspect_ai.solver import Generate, Solver, TaskState, solver

    from benchmarks.provider import CALLS, PROVIDER, SEEN
    from mystery_shopper.engine.lasting.calm import quiet_options

    lengths = [len(SEEN[call][0]) for call in range(CALLS)]
    (whole, tools) = SEEN[CALLS - 1]

    @solver
    def caller() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            del generate
            own = [
                message.model_copy(update={"id": f"{state.sample_id}-{n}"})
                for n, message in enumerate(whole)
            ]
            for length in lengths:
                if short:
                    state.output = await get_model().generate("film")
                else:
                    state.output = await get_model().generate(own[:length], tools)
            return state

        return solve

    inspect_eval(
        Task(dataset=[Sample(id=str(n), input="one film") for n in range(trials)], solver=caller()),
        model=get_model(f"{PROVIDER}/{model}", memoize=False),
        display="none",
        log_dir=str(place),
        max_samples=flight,
        max_connections=flight,
        **quiet_options(),
    )


def _flight() -> dict[str, float]:
    from benchmarks.provider import WATCH

    held: dict[int, float] = {}
    ended = 0

    def progress(number: int) -> None:
        nonlocal ended
        ended += number
        if ended in (FLIGHT, TRIALS):
            held[ended] = _memory()

    with tempfile.TemporaryDirectory() as place:
        start = time.perf_counter()
        _run("slow-clerk", TRIALS, Path(place), FLIGHT, progress)
        taken = time.perf_counter() - start
    return {
        "first": held[FLIGHT],
        "last": held[TRIALS],
        "late": WATCH.late,
        "busy": WATCH.busy,
        "seconds": taken,
    }


def _bare_flight() -> dict[str, float]:
    from benchmarks.provider import WATCH

    with tempfile.TemporaryDirectory() as place:
        _play(1, Path(place) / "first")
        _inspect("slow-clerk", TRIALS, Path(place), FLIGHT)
    return {"late": WATCH.late, "busy": WATCH.busy}


def _memory() -> float:
    """Bytes that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="utf-8").split()[1])
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


if __name__ == "__main__":
    parts = {"overhead": _overhead, "flight": _flight, "bare-flight": _bare_flight}
    print(json.dumps(parts[sys.argv[1]]()))
