"""Kills a run at random moments and resumes it until it is done: `killing.py TASKS OUT SEED KILLS`,
and for requests `recbench` behind it.

One process imports everything and forks a child for each attempt, so that a kill falls into the run
and not into the imports. Prints how many children were killed, and at how many different counts of
finished trials.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from mystery_shopper.engine import RunFolder, Wishes, make_plan
from mystery_shopper.engine.bounds import Bounds
from mystery_shopper.engine.lasting.lines import casting_of, open_model
from mystery_shopper.engine.lasting.run import run_lasting
from mystery_shopper.engine.loading import scene_of

_spec = spec_from_file_location("provider", Path(__file__).with_name("provider.py"))
assert _spec
assert _spec.loader
provider = module_from_spec(_spec)
_spec.loader.exec_module(provider)


def size_of(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def main(tasks: str, out: str, seed: str, kills: str, suite: str = "tau_rec") -> None:
    rng = random.Random(int(seed))
    agent, block = ("shopkeeper", "all") if suite == "tau_rec" else ("critic", "panel")
    plan = make_plan(
        Wishes(f"model:scripted/{agent}", suite, task_set=tasks, trials=12, block=block)
    )
    scene_of(plan).make_ready()
    folder = RunFolder(Path(out))
    killed, counts = 0, set[int]()
    while True:
        before = size_of(folder.journal_file)
        child = os.fork()
        if not child:
            model = open_model(plan)
            run_lasting(
                plan, folder, casting_of(plan, model), model=model, bounds=Bounds(max_samples=3)
            )
            os._exit(0)
        ended = (0, 0)
        if killed < int(kills):
            # One trial further at least, or else the run would never come to its end.
            while size_of(folder.journal_file) <= before and ended[0] == 0:
                time.sleep(0.002)
                ended = os.waitpid(child, os.WNOHANG)
            if ended[0] == 0:
                time.sleep(rng.uniform(0, 0.03))
                os.kill(child, signal.SIGKILL)
        _, status = ended if ended[0] else os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            break
        killed += 1
        counts.add(len(list(folder.trials())))
    print(killed, len(counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
